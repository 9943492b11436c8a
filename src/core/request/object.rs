//! Reading, writing and checking declared objects by their tables.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::field::{Field, View};
use super::table::{MemberRow, ObjectRow, Rule, rule};
use super::tagged::{self, Tagged};
use super::{Diagnostics, Fault, coerce};
use crate::json::{self, Member, Value, put};

/// A declared object.
pub(crate) trait Object {
    fn row(&self) -> &'static ObjectRow;

    /// Its members, in the order of the row.
    fn fields(&self) -> Vec<&dyn Field>;

    /// The same, to be read.
    fn fields_mut(&mut self) -> Vec<&mut dyn Field>;

    /// Members that are not declared.
    fn extra(&self) -> &[Member] {
        &[]
    }

    /// What to do with members that are not declared.
    fn keep(&mut self, _: Vec<Member>) {}

    /// Notes what a server would refuse and no rule says.
    fn check(&self, _: &mut Diagnostics) {}
}

/// The members of an object that is read, taken out one by one.
#[derive(Debug)]
pub(super) struct Source {
    members: Vec<Member>,
    /// The object as it came, when a required member is missing: the refusal shows it.
    whole: Option<Value>,
}

impl Source {
    /// Opens an object that should have those members; anything else is noted.
    pub fn open(
        value: Value,
        class: &'static str,
        tag: Option<&str>,
        rows: &[MemberRow],
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let Value::Object(mut members) = value else {
            let fault = match class {
                "" => Fault::ModelAttributesType,
                class => Fault::ModelType(class),
            };
            diagnostics.note(fault, value);
            return None;
        };
        rename(&mut members, rows);
        let has = |name: &str| members.iter().any(|member| member.key == name);
        let required = rows.iter().filter(|row| row.is_required());
        let mut names = required.map(|row| row.inside().unwrap_or(row.name)).chain(tag);
        let whole = names.any(|name| !has(name)).then(|| Value::Object(members.clone()));
        Some(Source { members, whole })
    }

    pub fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.members.iter().position(|member| member.key == name)?;
        Some(self.members.remove(at).value)
    }

    pub fn missing(&self, name: &'static str, diagnostics: &mut Diagnostics) {
        diagnostics.note_member(name, Fault::Missing, self.whole.clone().unwrap_or(Value::Null));
    }

    /// Reads the members that are declared.
    pub fn read(&mut self, rows: &[MemberRow], fields: Vec<&mut dyn Field>, diagnostics: &mut Diagnostics) {
        let mut fields = fields.into_iter();
        let mut rows = rows;
        while let [row, ..] = rows {
            let group;
            (group, rows) = rows.split_at(group_length(rows));
            let Some(name) = row.inside() else {
                fields.next().into_iter().for_each(|field| self.read_member(row, field, diagnostics));
                continue;
            };
            let fields: Vec<_> = fields.by_ref().take(group.len()).collect();
            let Some(value) = self.take(name) else {
                self.missing(name, diagnostics);
                continue;
            };
            diagnostics.inside(name, |diagnostics| {
                let Some(mut inner) = Source::open(value, "", None, &[], diagnostics) else { return };
                let complete = group.iter().all(|row| inner.members.iter().any(|m| m.key == row.name));
                inner.whole = (!complete).then(|| Value::Object(inner.members.clone()));
                for (row, field) in group.iter().zip(fields) {
                    inner.read_member(row, field, diagnostics);
                }
            });
        }
    }

    fn read_member(&mut self, row: &MemberRow, field: &mut dyn Field, diagnostics: &mut Diagnostics) {
        if let Some(union) = field.tagged_mut().filter(|_| rule!(row, Rule::Flat).is_some()) {
            if let Some(members) = union.variant().and_then(|variant| union.row().members.get(variant)) {
                self.read(members, union.fields_mut(), diagnostics);
            }
            return;
        }
        match self.take(row.name) {
            None if row.is_required() => self.missing(row.name, diagnostics),
            Some(value) if !value.is_null() || rule!(row, Rule::NullIsAbsent).is_none() => {
                diagnostics.inside(row.name, |diagnostics| read_value(row, field, value, diagnostics));
            }
            _ => {}
        }
    }
}

/// How many members at the start are read together.
fn group_length(rows: &[MemberRow]) -> usize {
    let Some(name) = rows.first().and_then(MemberRow::inside) else { return 1 };
    rows.iter().take_while(|row| row.inside() == Some(name)).count()
}

/// Members under their own names, where the caller used the other spelling; the protocol's own wins.
pub(super) fn rename(members: &mut [Member], rows: &[MemberRow]) {
    for row in rows {
        if let Some(alias) = rule!(row, Rule::Alias(alias) => *alias)
            && !members.iter().any(|member| member.key == row.name)
            && let Some(member) = members.iter_mut().find(|member| member.key == alias)
        {
            member.key = row.name.to_owned();
        }
    }
}

/// Reads one value as what a row says.
pub(super) fn read_value(
    row: &MemberRow,
    field: &mut dyn Field,
    mut value: Value,
    diagnostics: &mut Diagnostics,
) {
    if value.is_null() && row.takes_null() {
        return field.read(value, diagnostics);
    }
    for rule in row.rules {
        let fault = match rule {
            Rule::Converted(convert) => {
                value = convert(value);
                continue;
            }
            Rule::Within(least, most) => coerce::integer(&value).ok().and_then(|n| outside(n, *least, *most)),
            Rule::OneOf(words) => {
                (!value.as_str().is_some_and(|word| words.contains(&word))).then_some(Fault::OneOf(words))
            }
            Rule::Object => (!matches!(value, Value::Object(_))).then_some(Fault::DictType),
            Rule::Filled => (value == Value::Object(Vec::new())).then_some(Fault::Missing),
            _ => None,
        };
        if let Some(fault) = fault {
            return diagnostics.note(fault, value);
        }
    }
    field.read_given(value, diagnostics);
}

fn outside(number: i64, least: i32, most: i32) -> Option<Fault> {
    let (least, most) = (least.into(), most.into());
    match number {
        _ if number < least => Some(Fault::AtLeast(least)),
        _ if number > most => Some(Fault::AtMost(most)),
        _ => None,
    }
}

/// Reads an object.
pub(crate) fn read(object: &mut dyn Object, value: Value, diagnostics: &mut Diagnostics) {
    let ObjectRow { class, members } = object.row();
    let union = members.iter().position(|row| rule!(row, Rule::Flat).is_some());
    let Some(union) = union else {
        let Some(mut source) = Source::open(value, class, None, members, diagnostics) else { return };
        source.read(members, object.fields_mut(), diagnostics);
        return object.keep(source.members);
    };
    let mut fields = object.fields_mut();
    let Some(union) = fields.get_mut(union).and_then(|field| field.tagged_mut()) else { return };
    let tag = union.row().tag;
    let Some(name) = tagged::choose(union, &value, diagnostics) else { return };
    let extra = diagnostics.inside(name, |diagnostics| {
        let mut source = Source::open(value, class, None, members, diagnostics)?;
        source.take(tag);
        source.read(members, fields, diagnostics);
        Some(source.members)
    });
    object.keep(extra.unwrap_or_default());
}

/// The union whose members stand among those of the object.
fn flat<'f>(rows: &[MemberRow], fields: &[&'f dyn Field]) -> Option<&'f dyn Tagged> {
    let mut members = rows.iter().zip(fields);
    members.find_map(|(row, field)| field.tagged().filter(|_| rule!(row, Rule::Flat).is_some()))
}

/// Writes an object.
pub(crate) fn write(object: &dyn Object, out: &mut String, compact: bool) {
    let mut json = json::Object::open(out, compact);
    write_members(object.row().members, &object.fields(), &mut json, compact);
    for Member { key, value } in object.extra() {
        value.write(json.member(key));
    }
    json.close();
}

/// Writes members of an object.
pub(super) fn write_members(
    rows: &[MemberRow],
    fields: &[&dyn Field],
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
            if let Some((name, text)) = rule!(row, Rule::Then(name, text) => (name, text)) {
                json.string(name, Some(text));
            }
            if rule!(row, Rule::ThenTag).is_some()
                && let Some(union) = flat(all_rows, fields)
            {
                json.string(union.row().tag, Some(union.name()));
            }
        }
    }
}

fn write_member(row: &MemberRow, field: &dyn Field, json: &mut json::Object<'_>, compact: bool) {
    if let Some(union) = field.tagged().filter(|_| rule!(row, Rule::Flat).is_some()) {
        let members = union.variant().and_then(|variant| union.row().members.get(variant));
        return write_members(members.copied().unwrap_or_default(), &union.fields(), json, compact);
    }
    match field.view() {
        View::None => match rule!(row, Rule::Wire(text) => text) {
            Some(text) if !compact => json.string(row.name, Some(text)),
            _ if !row.takes_null() => {}
            _ if !compact || row.null_is_said() => put(json.member(row.name), "null"),
            _ => {}
        },
        view if compact && view.is_empty() && rule!(row, Rule::Brief).is_some() => {}
        View::Json(value) if let Some(text) = rule!(row, Rule::Written(text) => text) => {
            json.string(row.name, Some(&text(value)));
        }
        _ => field.write(json.member(row.name), compact),
    }
}

/// Notes what a server would refuse in an object.
pub(crate) fn check(object: &dyn Object, diagnostics: &mut Diagnostics) {
    object.check(diagnostics);
    let (rows, fields) = (object.row().members, object.fields());
    match flat(rows, &fields) {
        Some(union) => tagged::check_within(union, diagnostics, &mut |diagnostics| {
            check_members(rows, &fields, diagnostics);
        }),
        None => check_members(rows, &fields, diagnostics),
    }
}

pub(super) fn check_members(rows: &[MemberRow], fields: &[&dyn Field], diagnostics: &mut Diagnostics) {
    for (row, field) in rows.iter().zip(fields) {
        if let Some(union) = field.tagged().filter(|_| rule!(row, Rule::Flat).is_some()) {
            let members = union.variant().and_then(|variant| union.row().members.get(variant));
            check_members(members.copied().unwrap_or_default(), &union.fields(), diagnostics);
            continue;
        }
        let inside = row.inside();
        inside.into_iter().for_each(|name| diagnostics.enter(name.into()));
        diagnostics.inside(row.name, |diagnostics| {
            for rule in row.rules {
                match (rule, field.view()) {
                    (Rule::Object, View::Json(value)) if !matches!(value, Value::Object(_)) => {
                        diagnostics.note(Fault::DictType, value.clone());
                    }
                    (Rule::OneOf(words), View::Text(word)) if !words.contains(&word) => {
                        diagnostics.note(Fault::OneOf(words), word.into());
                    }
                    (Rule::Within(least, most), View::Integer(number)) => {
                        let fault = outside(number, *least, *most);
                        fault.into_iter().for_each(|fault| diagnostics.note(fault, number.into()));
                    }
                    _ => {}
                }
            }
            field.check(diagnostics);
        });
        inside.into_iter().for_each(|_| diagnostics.leave());
    }
}
