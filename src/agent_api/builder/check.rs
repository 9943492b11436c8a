//! Free JSON that a caller made: whether it can be written.

use alloc::format;

use crate::error::Misuse;
use crate::json::{Member, Reader, Value};
use crate::limits::Limits;
use alloc::collections::BTreeSet;

/// An object of the caller (`data`, `usage`, `metadata`) that readers will be able to read.
pub(super) fn object(value: &Value, call: &str) -> Result<(), Misuse> {
    if !matches!(value, Value::Object(_)) {
        return Err(Misuse::new(
            "not-an-object",
            format!("{call} was given something else than a JSON object"),
            "put it into an object, under a key",
        ));
    }
    json(value, deepest(), call)
}

/// A value inside such an object.
pub(super) fn inside_object(value: &Value, call: &str) -> Result<(), Misuse> {
    json(value, deepest() - 1, call)
}

/// Members that the protocol does not declare.
pub(super) fn extra(extra: &[Member], declared: &[&str], call: &str) -> Result<(), Misuse> {
    if let Some(member) = extra.iter().find(|m| declared.contains(&m.key.as_str())) {
        return Err(duplicate(&member.key, call));
    }
    members(extra, deepest(), call)
}

/// How deep free JSON may nest: in the final response it stands below response, output, message, content and part, and
/// readers bound the whole.
fn deepest() -> u32 {
    Limits::default().json_depth - 5
}

fn json(value: &Value, depth: u32, call: &str) -> Result<(), Misuse> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
        Value::Number(digits) => number(digits, call),
        Value::Array(_) | Value::Object(_) if depth == 0 => Err(Misuse::new(
            "too-deep",
            format!("{call} was given JSON that nests deeper than {} levels", deepest()),
            "flatten it, or send it as text",
        )),
        Value::Array(items) => items.iter().try_for_each(|item| json(item, depth - 1, call)),
        Value::Object(entries) => members(entries, depth - 1, call),
    }
}

fn members(entries: &[Member], depth: u32, call: &str) -> Result<(), Misuse> {
    let mut keys = BTreeSet::new();
    for Member { key, value } in entries {
        if !keys.insert(key.as_str()) {
            return Err(duplicate(key, call));
        }
        json(value, depth, call)?;
    }
    Ok(())
}

fn duplicate(key: &str, call: &str) -> Misuse {
    Misuse::new(
        "duplicate-key",
        format!("{call} was given the member `{key}` twice"),
        "give each member once",
    )
}

fn number(digits: &str, call: &str) -> Result<(), Misuse> {
    let mut reader = Reader::new(digits, 0);
    match reader.number() {
        Ok(read) if read.len() == digits.len() => Ok(()),
        _ => Err(Misuse::new(
            "not-a-number",
            format!("{call} was given `{digits}` as a number"),
            "give JSON numbers their JSON spelling",
        )),
    }
}
