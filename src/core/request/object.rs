//! Reading, writing and checking declared objects by their tables.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::field::{FieldView, RequestValue};
use super::table::{MemberRule, RequestMemberRow, UnionRow, rule};
use super::{Diagnostics, Fault, field, problem, python};
use crate::json::{self, Member, Value, put};

/// A declared object, or the variant that a declared union has.
pub(crate) trait RequestObject {
    /// Returns the name of the class in errors; empty if they do not name it.
    fn class(&self) -> &'static str {
        ""
    }

    /// Returns the rows of the members.
    fn rows(&self) -> &'static [RequestMemberRow];

    /// Returns the members, in the order of the rows.
    fn fields(&self) -> Vec<&dyn RequestValue>;

    /// Returns the members for reading.
    fn fields_mut(&mut self) -> Vec<&mut dyn RequestValue>;

    /// Returns the union whose members are among those of the object.
    fn flat(&self) -> Option<&dyn Tagged> {
        None
    }

    /// Returns that union for reading.
    fn flat_mut(&mut self) -> Option<&mut dyn Tagged> {
        None
    }

    /// Returns the members that are not declared.
    fn extra(&self) -> &[Member] {
        &[]
    }

    /// Keeps or drops members that are not declared.
    fn keep(&mut self, _: Vec<Member>) {}

    /// Notes problems for which a server would refuse the object and that rules do not cover.
    fn check(&self, _: &mut Diagnostics) {}
}

/// The members of an object that is being read. They are removed one by one.
#[derive(Debug)]
struct UnreadMembers {
    members: Vec<Member>,
    /// The original object, abridged, if a required member is missing: the error contains it.
    whole: Option<Value>,
}

impl UnreadMembers {
    /// Opens an object with the expected members; any other value is noted as a fault.
    pub fn open(
        value: Value,
        class: &'static str,
        tag: Option<&str>,
        rows: &[RequestMemberRow],
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let Value::Object(mut members) = value else {
            let fault = match class {
                "" => Fault::ModelAttributesType,
                class => Fault::ModelType(class),
            };
            diagnostics.note(fault, &value);
            return None;
        };
        rename(&mut members, rows);
        let has = |name: &str| members.iter().any(|member| member.key == name);
        let required = rows.iter().filter(|row| row.is_required());
        let mut names = required.map(|row| row.inside().unwrap_or(row.name)).chain(tag);
        let whole = names.any(|name| !has(name)).then(|| problem::abridged_members(&members));
        Some(UnreadMembers { members, whole })
    }

    pub fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.members.iter().position(|member| member.key == name)?;
        Some(self.members.remove(at).value)
    }

    pub fn missing(&self, name: &'static str, diagnostics: &mut Diagnostics) {
        diagnostics.note_member(name, Fault::Missing, self.whole.as_ref().unwrap_or(&Value::Null));
    }

    /// Reads the declared members.
    pub fn read(
        &mut self,
        rows: &[RequestMemberRow],
        fields: Vec<&mut dyn RequestValue>,
        diagnostics: &mut Diagnostics,
    ) {
        let mut fields = fields.into_iter();
        let mut rows = rows;
        while let [row, ..] = rows {
            let group;
            (group, rows) = rows.split_at(group_length(rows));
            let Some(name) = row.inside() else {
                if let Some(field) = fields.next() {
                    self.read_member(row, field, diagnostics);
                }
                continue;
            };
            let fields: Vec<_> = fields.by_ref().take(group.len()).collect();
            let Some(value) = self.take(name) else {
                self.missing(name, diagnostics);
                continue;
            };
            diagnostics.inside(name, |diagnostics| {
                let Some(mut inner) = UnreadMembers::open(value, "", None, &[], diagnostics) else {
                    return;
                };
                let complete =
                    group.iter().all(|row| inner.members.iter().any(|m| m.key == row.name));
                inner.whole = (!complete).then(|| problem::abridged_members(&inner.members));
                for (row, field) in group.iter().zip(fields) {
                    inner.read_member(row, field, diagnostics);
                }
            });
        }
    }

    fn read_member(
        &mut self,
        row: &RequestMemberRow,
        field: &mut dyn RequestValue,
        diagnostics: &mut Diagnostics,
    ) {
        match self.take(row.name) {
            None if row.is_required() => self.missing(row.name, diagnostics),
            Some(value) if !value.is_null() || rule!(row, MemberRule::NullIsAbsent).is_none() => {
                diagnostics
                    .inside(row.name, |diagnostics| read_value(row, field, value, diagnostics));
            }
            _ => {}
        }
    }
}

/// Returns the number of members at the start that are read together.
fn group_length(rows: &[RequestMemberRow]) -> usize {
    let Some(name) = rows.first().and_then(RequestMemberRow::inside) else { return 1 };
    rows.iter().take_while(|row| row.inside() == Some(name)).count()
}

/// Renames members from the other spelling to their own names; the protocol's own name has
/// priority.
fn rename(members: &mut [Member], rows: &[RequestMemberRow]) {
    for row in rows {
        if let Some(alias) = rule!(row, MemberRule::Alias(alias) => *alias)
            && !members.iter().any(|member| member.key == row.name)
            && let Some(member) = members.iter_mut().find(|member| member.key == alias)
        {
            member.key = row.name.to_owned();
        }
    }
}

/// Reads one value by the rules of a row.
fn read_value(
    row: &RequestMemberRow,
    field: &mut dyn RequestValue,
    mut value: Value,
    diagnostics: &mut Diagnostics,
) {
    if value.is_null() && row.takes_null() {
        return field.read(value, diagnostics);
    }
    for rule in row.rules {
        let fault = match rule {
            MemberRule::Converted(convert) => {
                value = convert(value);
                continue;
            }
            MemberRule::Within(least, most) => {
                field::integer(&value).ok().and_then(|n| outside(n, *least, *most))
            }
            MemberRule::OneOf(words) => (!value.as_str().is_some_and(|word| words.contains(&word)))
                .then_some(Fault::OneOf(words)),
            MemberRule::NotNull => value.is_null().then_some(Fault::StringType),
            MemberRule::Object => (!matches!(value, Value::Object(_))).then_some(Fault::DictType),
            MemberRule::NonEmpty => (value == Value::Object(Vec::new())).then_some(Fault::Missing),
            MemberRule::SomeItems => {
                (value == Value::Array(Vec::new())).then_some(Fault::EmptyList)
            }
            _ => None,
        };
        if let Some(fault) = fault {
            return diagnostics.note(fault, &value);
        }
    }
    field.read(value, diagnostics);
}

fn outside(number: i64, least: i16, most: i16) -> Option<Fault> {
    let (least, most) = (least.into(), most.into());
    match number {
        _ if number < least => Some(Fault::AtLeast(least)),
        _ if number > most => Some(Fault::AtMost(most)),
        _ => None,
    }
}

/// Reads an object.
pub(crate) fn read_object(
    object: &mut dyn RequestObject,
    value: Value,
    diagnostics: &mut Diagnostics,
) {
    let Some(union) = object.flat_mut() else {
        return read_members(object, value, None, diagnostics);
    };
    let tag = union.row().tag;
    if let Some(name) = choose(union, &value, diagnostics) {
        diagnostics.inside(name, |diagnostics| read_members(object, value, Some(tag), diagnostics));
    }
}

fn read_members(
    object: &mut dyn RequestObject,
    value: Value,
    tag: Option<&str>,
    diagnostics: &mut Diagnostics,
) {
    let rows = object.rows();
    let Some(mut source) = UnreadMembers::open(value, object.class(), None, rows, diagnostics)
    else {
        return;
    };
    tag.and_then(|tag| source.take(tag));
    source.read(rows, object.fields_mut(), diagnostics);
    if let Some(union) = object.flat_mut() {
        source.read(union.rows(), union.fields_mut(), diagnostics);
    }
    object.keep(source.members);
}

/// Notes problems for which a server would refuse an object.
pub(crate) fn check_object(object: &dyn RequestObject, diagnostics: &mut Diagnostics) {
    object.check(diagnostics);
    let check = |diagnostics: &mut Diagnostics| {
        check_members(object.rows(), &object.fields(), diagnostics);
    };
    match object.flat() {
        Some(union) => check_within(union, diagnostics, &check),
        None => check(diagnostics),
    }
}

fn check_members(
    rows: &[RequestMemberRow],
    fields: &[&dyn RequestValue],
    diagnostics: &mut Diagnostics,
) {
    for (row, field) in rows.iter().zip(fields) {
        let inside = row.inside();
        if let Some(name) = inside {
            diagnostics.enter(name.into());
        }
        diagnostics.inside(row.name, |diagnostics| {
            for rule in row.rules {
                match (rule, field.view()) {
                    (MemberRule::Object, FieldView::Json(value))
                        if !matches!(value, Value::Object(_)) =>
                    {
                        diagnostics.note(Fault::DictType, value);
                    }
                    (MemberRule::SomeItems, FieldView::List(0)) => {
                        diagnostics.note(Fault::EmptyList, &Value::Array(Vec::new()));
                    }
                    (MemberRule::OneOf(words), FieldView::Text(word)) if !words.contains(&word) => {
                        diagnostics.note(Fault::OneOf(words), &word.into());
                    }
                    (MemberRule::Within(least, most), FieldView::Integer(number)) => {
                        if let Some(fault) = outside(number, *least, *most) {
                            diagnostics.note(fault, &number.into());
                        }
                    }
                    _ => {}
                }
            }
            field.check(diagnostics);
        });
        if inside.is_some() {
            diagnostics.leave();
        }
    }
}

// Unions whose variants are identified by a tag, and untagged unions.

/// A declared union: an object whose members depend on its variant.
pub(crate) trait Tagged: RequestObject {
    fn row(&self) -> &'static UnionRow;

    /// Changes to the variant with that number, which is empty.
    fn start(&mut self, variant: usize);

    /// Returns the number of the variant; `None` for an undeclared one.
    fn variant(&self) -> Option<usize>;

    /// Returns the value of the tag.
    fn name(&self) -> &str;
}

/// Selects the variant that an object names, and returns its name; notes a fault if the object does
/// not name one.
fn choose(
    union: &mut dyn Tagged,
    value: &Value,
    diagnostics: &mut Diagnostics,
) -> Option<&'static str> {
    let UnionRow { tag, names, .. } = union.row();
    let fault = match value.get(tag) {
        _ if !matches!(value, Value::Object(_)) => Fault::ModelAttributesType,
        None => Fault::NoTag(tag),
        Some(name) => match names.iter().position(|known| Some(*known) == name.as_str()) {
            Some(variant) => {
                union.start(variant);
                return Some(names[variant]);
            }
            None => Fault::Tag(tag, python::str(&problem::abridged(name)), names),
        },
    };
    diagnostics.note(fault, value);
    None
}

/// Reads a union.
pub(crate) fn read_union(union: &mut dyn Tagged, mut value: Value, diagnostics: &mut Diagnostics) {
    let UnionRow { tag, names, members, fallback, .. } = union.row();
    let Some(fallback) = *fallback else {
        let Some(name) = choose(union, &value, diagnostics) else { return };
        return diagnostics
            .inside(name, |diagnostics| read_members(union, value, None, diagnostics));
    };
    if let Value::Object(entries) = &mut value {
        members.iter().for_each(|rows| rename(entries, rows));
    }
    let name = value.get(tag).and_then(Value::as_str);
    let known = name.and_then(|name| names.iter().position(|known| *known == name));
    let variant = known.unwrap_or(fallback);
    let rows = members[variant];
    let Some(mut source) = UnreadMembers::open(value, "", Some(tag), rows, diagnostics) else {
        return;
    };
    match source.take(tag) {
        None => source.missing(tag, diagnostics),
        Some(other) if known.is_none() => diagnostics.note_member(tag, Fault::OneOf(names), &other),
        Some(_) => {}
    }
    union.start(variant);
    source.read(rows, union.fields_mut(), diagnostics);
}

/// Writes a union, starting with its tag.
pub(crate) fn write_union(union: &dyn Tagged, out: &mut String, compact: bool) {
    let mut json = json::ObjectWriter::open(out, compact);
    json.string(union.row().tag, Some(union.name()));
    write_members(union.rows(), &union.fields(), None, &mut json, compact);
    json.close();
}

/// Notes the problems of an object whose variants are those of the union.
fn check_within(
    union: &dyn Tagged,
    diagnostics: &mut Diagnostics,
    check: &dyn Fn(&mut Diagnostics),
) {
    let UnionRow { tag, names, .. } = union.row();
    match union.variant() {
        Some(variant) => diagnostics.inside(names[variant], |diagnostics| {
            check(diagnostics);
            check_members(union.rows(), &union.fields(), diagnostics);
        }),
        None => {
            let name = union.name();
            let whole = Value::from([(*tag, name.into())]);
            diagnostics.note(Fault::Tag(tag, problem::abridged_text(name), names), &whole);
        }
    }
}

/// Tries to read a value as one of several types. Returns whether it has this type; notes the
/// problems otherwise.
pub(crate) fn try_variant(
    row: &RequestMemberRow,
    field: &mut dyn RequestValue,
    value: &Value,
    tried: &mut Diagnostics,
) -> bool {
    let before = tried.count();
    tried.inside(row.name, |tried| read_value(row, field, value.clone(), tried));
    tried.count() == before
}

// Writing declared objects by their tables.

/// Writes an object.
pub(crate) fn write_object(object: &dyn RequestObject, out: &mut String, compact: bool) {
    let mut json = json::ObjectWriter::open(out, compact);
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
fn write_members(
    rows: &[RequestMemberRow],
    fields: &[&dyn RequestValue],
    tag: Option<&dyn Tagged>,
    json: &mut json::ObjectWriter<'_>,
    compact: bool,
) {
    let all_rows = rows;
    for last in [false, true] {
        let (mut rows, mut rest) = (all_rows, fields);
        while let [row, ..] = rows {
            let (group, members);
            (group, rows) = rows.split_at(group_length(rows));
            (members, rest) = rest.split_at(group.len());
            if rule!(row, MemberRule::Last).is_some() != last {
                continue;
            }
            if let Some(name) = row.inside() {
                let mut inner = json::ObjectWriter::open(json.member(name), compact);
                for (row, field) in group.iter().zip(members) {
                    write_member(row, *field, &mut inner, compact);
                }
                inner.close();
                continue;
            }
            write_member(row, members[0], json, compact);
            for rule in row.rules {
                match (rule, tag) {
                    (MemberRule::FollowedBy([name, text]), _) => json.string(name, Some(text)),
                    (MemberRule::FollowedByTag, Some(union)) => {
                        json.string(union.row().tag, Some(union.name()))
                    }
                    _ => {}
                }
            }
        }
    }
}

fn write_member(
    row: &RequestMemberRow,
    field: &dyn RequestValue,
    json: &mut json::ObjectWriter<'_>,
    compact: bool,
) {
    match field.view() {
        FieldView::None => match rule!(row, MemberRule::UnsetAs(text) => text) {
            Some(text) if !compact => json.string(row.name, Some(text)),
            _ if !row.takes_null() => {}
            _ if !compact || row.distinguishes_null() => put(json.member(row.name), "null"),
            _ => {}
        },
        view if compact && view.is_empty() && rule!(row, MemberRule::OmitWhenEmpty).is_some() => {}
        FieldView::Json(value)
            if let Some(text) = rule!(row, MemberRule::Written(text) => text) =>
        {
            json.string(row.name, Some(&text(value)));
        }
        _ => field.write(json.member(row.name), compact),
    }
}
