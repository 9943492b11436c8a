//! Reading, writing and checking declared objects by their tables.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::field::{Field, View};
use super::table::{MemberRow, Rule, rule};
use super::tagged::{self, Tagged};
use super::{Diagnostics, Fault, abridged, coerce};
use crate::json::{Member, Value};

/// A declared object, or the variant that a declared union has.
pub(crate) trait Object {
    /// Returns the name of the class in errors; empty if they do not name it.
    fn class(&self) -> &'static str {
        ""
    }

    /// Returns the rows of the members.
    fn rows(&self) -> &'static [MemberRow];

    /// Returns the members, in the order of the rows.
    fn fields(&self) -> Vec<&dyn Field>;

    /// Returns the members for reading.
    fn fields_mut(&mut self) -> Vec<&mut dyn Field>;

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
pub(super) struct Source {
    members: Vec<Member>,
    /// The original object, abridged, if a required member is missing: the error contains it.
    whole: Option<Value>,
}

impl Source {
    /// Opens an object with the expected members; any other value is noted as a fault.
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
            diagnostics.note(fault, &value);
            return None;
        };
        rename(&mut members, rows);
        let has = |name: &str| members.iter().any(|member| member.key == name);
        let required = rows.iter().filter(|row| row.is_required());
        let mut names = required.map(|row| row.inside().unwrap_or(row.name)).chain(tag);
        let whole = names.any(|name| !has(name)).then(|| abridged::object(&members));
        Some(Source { members, whole })
    }

    pub fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.members.iter().position(|member| member.key == name)?;
        Some(self.members.remove(at).value)
    }

    pub fn missing(&self, name: &'static str, diagnostics: &mut Diagnostics) {
        diagnostics.note_member(name, Fault::Missing, self.whole.as_ref().unwrap_or(&Value::Null));
    }

    /// Reads the declared members.
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
                inner.whole = (!complete).then(|| abridged::object(&inner.members));
                for (row, field) in group.iter().zip(fields) {
                    inner.read_member(row, field, diagnostics);
                }
            });
        }
    }

    fn read_member(&mut self, row: &MemberRow, field: &mut dyn Field, diagnostics: &mut Diagnostics) {
        match self.take(row.name) {
            None if row.is_required() => self.missing(row.name, diagnostics),
            Some(value) if !value.is_null() || rule!(row, Rule::NullIsAbsent).is_none() => {
                diagnostics.inside(row.name, |diagnostics| read_value(row, field, value, diagnostics));
            }
            _ => {}
        }
    }
}

/// Returns the number of members at the start that are read together.
pub(super) fn group_length(rows: &[MemberRow]) -> usize {
    let Some(name) = rows.first().and_then(MemberRow::inside) else { return 1 };
    rows.iter().take_while(|row| row.inside() == Some(name)).count()
}

/// Renames members from the other spelling to their own names; the protocol's own name has priority.
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

/// Reads one value by the rules of a row.
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
            Rule::NotNull => value.is_null().then_some(Fault::StringType),
            Rule::Object => (!matches!(value, Value::Object(_))).then_some(Fault::DictType),
            Rule::NonEmpty => (value == Value::Object(Vec::new())).then_some(Fault::Missing),
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
pub(crate) fn read(object: &mut dyn Object, value: Value, diagnostics: &mut Diagnostics) {
    let Some(union) = object.flat_mut() else { return read_members(object, value, None, diagnostics) };
    let tag = union.row().tag;
    if let Some(name) = tagged::choose(union, &value, diagnostics) {
        diagnostics.inside(name, |diagnostics| read_members(object, value, Some(tag), diagnostics));
    }
}

pub(super) fn read_members(
    object: &mut dyn Object,
    value: Value,
    tag: Option<&str>,
    diagnostics: &mut Diagnostics,
) {
    let rows = object.rows();
    let Some(mut source) = Source::open(value, object.class(), None, rows, diagnostics) else { return };
    tag.and_then(|tag| source.take(tag));
    source.read(rows, object.fields_mut(), diagnostics);
    if let Some(union) = object.flat_mut() {
        source.read(union.rows(), union.fields_mut(), diagnostics);
    }
    object.keep(source.members);
}

/// Notes problems for which a server would refuse an object.
pub(crate) fn check(object: &dyn Object, diagnostics: &mut Diagnostics) {
    object.check(diagnostics);
    let check = |diagnostics: &mut Diagnostics| {
        check_members(object.rows(), &object.fields(), diagnostics);
    };
    match object.flat() {
        Some(union) => tagged::check_within(union, diagnostics, &check),
        None => check(diagnostics),
    }
}

pub(super) fn check_members(rows: &[MemberRow], fields: &[&dyn Field], diagnostics: &mut Diagnostics) {
    for (row, field) in rows.iter().zip(fields) {
        let inside = row.inside();
        inside.into_iter().for_each(|name| diagnostics.enter(name.into()));
        diagnostics.inside(row.name, |diagnostics| {
            for rule in row.rules {
                match (rule, field.view()) {
                    (Rule::Object, View::Json(value)) if !matches!(value, Value::Object(_)) => {
                        diagnostics.note(Fault::DictType, value);
                    }
                    (Rule::OneOf(words), View::Text(word)) if !words.contains(&word) => {
                        diagnostics.note(Fault::OneOf(words), &word.into());
                    }
                    (Rule::Within(least, most), View::Integer(number)) => {
                        let fault = outside(number, *least, *most);
                        fault.into_iter().for_each(|fault| diagnostics.note(fault, &number.into()));
                    }
                    _ => {}
                }
            }
            field.check(diagnostics);
        });
        inside.into_iter().for_each(|_| diagnostics.leave());
    }
}
