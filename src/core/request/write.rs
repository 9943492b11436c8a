//! Writing declared objects by their tables.

use alloc::string::String;

use super::field::{Field, View};
use super::object::{Object, group_length};
use super::table::{MemberRow, Rule, rule};
use super::tagged::Tagged;
use crate::json::{self, Member, put};

/// Writes an object.
pub(crate) fn object(object: &dyn Object, out: &mut String, compact: bool) {
    let mut json = json::Object::open(out, compact);
    let union = object.flat();
    write_members(object.rows(), &object.fields(), union, &mut json, compact);
    if let Some(union) = union {
        write_members(union.rows(), &union.fields(), None, &mut json, compact);
    }
    for Member { key, value } in object.extra() {
        value.write(json.member(key));
    }
    json.close();
}

/// Writes members of an object.
pub(super) fn write_members(
    rows: &[MemberRow],
    fields: &[&dyn Field],
    tag: Option<&dyn Tagged>,
    json: &mut json::Object<'_>,
    compact: bool,
) {
    let all_rows = rows;
    for last in [false, true] {
        let (mut rows, mut rest) = (all_rows, fields);
        while let [row, ..] = rows {
            let (group, members);
            (group, rows) = rows.split_at(group_length(rows));
            (members, rest) = rest.split_at(group.len());
            if rule!(row, Rule::Last).is_some() != last {
                continue;
            }
            if let Some(name) = row.inside() {
                let mut inner = json::Object::open(json.member(name), compact);
                for (row, field) in group.iter().zip(members) {
                    write_member(row, *field, &mut inner, compact);
                }
                inner.close();
                continue;
            }
            write_member(row, members[0], json, compact);
            for rule in row.rules {
                match (rule, tag) {
                    (Rule::FollowedBy([name, text]), _) => json.string(name, Some(text)),
                    (Rule::FollowedByTag, Some(union)) => json.string(union.row().tag, Some(union.name())),
                    _ => {}
                }
            }
        }
    }
}

fn write_member(row: &MemberRow, field: &dyn Field, json: &mut json::Object<'_>, compact: bool) {
    match field.view() {
        View::None => match rule!(row, Rule::UnsetAs(text) => text) {
            Some(text) if !compact => json.string(row.name, Some(text)),
            _ if !row.takes_null() => {}
            _ if !compact || row.distinguishes_null() => put(json.member(row.name), "null"),
            _ => {}
        },
        view if compact && view.is_empty() && rule!(row, Rule::OmitWhenEmpty).is_some() => {}
        View::Json(value) if let Some(text) = rule!(row, Rule::Written(text) => text) => {
            json.string(row.name, Some(&text(value)));
        }
        _ => field.write(json.member(row.name), compact),
    }
}
