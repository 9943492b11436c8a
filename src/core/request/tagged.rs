//! Unions whose variants are identified by a tag, and untagged unions.

use alloc::string::String;

use super::field::Field;
use super::object::{Object, Source, check_members, read_members, read_value, rename};
use super::table::{MemberRow, UnionRow};
use super::write::write_members;
use super::{Diagnostics, Fault, abridged, python};
use crate::json::{self, Value};

/// A declared union: an object whose members depend on its variant.
pub(crate) trait Tagged: Object {
    fn row(&self) -> &'static UnionRow;

    /// Changes to the variant with that number, which is empty.
    fn start(&mut self, variant: usize);

    /// Returns the number of the variant; `None` for an undeclared one.
    fn variant(&self) -> Option<usize>;

    /// Returns the value of the tag.
    fn name(&self) -> &str;
}

/// Selects the variant that an object names, and returns its name; notes a fault if the object does not name one.
pub(super) fn choose(
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
            None => Fault::Tag(tag, python::str(&abridged::value(name)), names),
        },
    };
    diagnostics.note(fault, value);
    None
}

/// Reads a union.
pub(crate) fn read(union: &mut dyn Tagged, mut value: Value, diagnostics: &mut Diagnostics) {
    let UnionRow { tag, names, members, fallback, .. } = union.row();
    let Some(fallback) = *fallback else {
        let Some(name) = choose(union, &value, diagnostics) else { return };
        return diagnostics.inside(name, |diagnostics| read_members(union, value, None, diagnostics));
    };
    if let Value::Object(entries) = &mut value {
        members.iter().for_each(|rows| rename(entries, rows));
    }
    let name = value.get(tag).and_then(Value::as_str);
    let known = name.and_then(|name| names.iter().position(|known| *known == name));
    let variant = known.unwrap_or(fallback);
    let rows = members[variant];
    let Some(mut source) = Source::open(value, "", Some(tag), rows, diagnostics) else { return };
    match source.take(tag) {
        None => source.missing(tag, diagnostics),
        Some(other) if known.is_none() => diagnostics.note_member(tag, Fault::OneOf(names), &other),
        Some(_) => {}
    }
    union.start(variant);
    source.read(rows, union.fields_mut(), diagnostics);
}

/// Writes a union, starting with its tag.
pub(crate) fn write(union: &dyn Tagged, out: &mut String, compact: bool) {
    let mut json = json::Object::open(out, compact);
    json.string(union.row().tag, Some(union.name()));
    write_members(union.rows(), &union.fields(), None, &mut json, compact);
    json.close();
}

/// Notes the problems of an object whose variants are those of the union.
pub(super) fn check_within(
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
            diagnostics.note(Fault::Tag(tag, abridged::text(name), names), &whole);
        }
    }
}

/// Tries to read a value as one of several types. Returns whether it has this type; notes the problems otherwise.
pub(crate) fn try_variant(
    row: &MemberRow,
    field: &mut dyn Field,
    value: &Value,
    tried: &mut Diagnostics,
) -> bool {
    let before = tried.count();
    tried.inside(row.name, |tried| read_value(row, field, value.clone(), tried));
    tried.count() == before
}
