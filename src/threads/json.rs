//! Reading and writing the JSON of records.

use std::string::String;
use std::vec::Vec;

use crate::core::limits::Limits;
use crate::json::{ObjectWriter, Value};

/// Parses what this module has written; a text that is no JSON is null.
pub(crate) fn parsed(text: &str) -> Value {
    Value::parse(text, Limits::DEEPEST).unwrap_or_default()
}

/// Returns a number without a fraction; 0 for another value.
pub(super) fn number_of(value: &Value) -> u64 {
    optional_number(Some(value)).unwrap_or(0)
}

pub(super) fn optional_number(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

pub(super) fn list_of(value: Option<&Value>) -> &[Value] {
    match value {
        Some(Value::Array(values)) => values,
        _ => &[],
    }
}

/// Returns the text of a member; empty without one.
pub(super) fn text_of(value: &Value, key: &str) -> String {
    value.text(key).unwrap_or_default().into()
}

pub(super) fn optional_text(value: &Value, key: &str) -> Option<String> {
    value.text(key).map(Into::into)
}

pub(super) fn flag_of(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// Writes an object without members that are null.
pub(crate) fn object(write: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    let mut out = String::new();
    let mut object = ObjectWriter::open(&mut out, true);
    write(&mut object);
    object.close();
    out
}

/// Appends a list; `write` appends one of its values.
pub(super) fn object_list<T>(
    out: &mut String,
    values: &[T],
    mut write: impl FnMut(&T, &mut String),
) {
    out.push('[');
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(value, out);
    }
    out.push(']');
}

/// Writes a number of any size that a record has.
pub(super) fn integer(object: &mut ObjectWriter<'_>, key: &str, number: u64) {
    object.integer(key, Some(i64::try_from(number).unwrap_or(i64::MAX)));
}

/// Returns the texts of a list.
pub(super) fn texts_of(values: &[Value]) -> Vec<String> {
    values.iter().filter_map(Value::as_str).map(Into::into).collect()
}
