//! The members that objects of an API may and must have, as tables.

use agentwire::json;
use serde_json::Value;

use super::{Verdict, refuse};

/// Checks the members of an object. The table has the names with their types:
/// `id!text name:string?`. A member with `!` is required, and the value of one with `?` may be
/// `null`.
///
/// | type | value |
/// |---|---|
/// | `string` | a string |
/// | `text` | a string that is not empty |
/// | `bool`, `number`, `int`, `object`, `list` | such a value |
/// | `items` | a list that is not empty |
/// | `strings` | a list of strings that is not empty |
/// | `any` | anything but `null` |
pub fn members(object: &Value, table: &str, path: &str) -> Verdict {
    let Some(given) = object.as_object() else {
        return Err(format!("{path}: an object is expected: {object}"));
    };
    let mut known = Vec::new();
    for row in table.split_whitespace() {
        let at = row.find([':', '!']).ok_or_else(|| format!("a row of a table: {row}"))?;
        let (name, kind) = (&row[..at], &row[at + 1..]);
        known.push(name);
        let (kind, is_nullable) = kind.strip_suffix('?').map_or((kind, false), |kind| (kind, true));
        match given.get(name) {
            None => {
                refuse!(
                    row.as_bytes()[at] == b'!',
                    "{path}.{name}: a required member is missing: {object}"
                )
            }
            Some(Value::Null) if is_nullable => {}
            Some(value) => {
                refuse!(!is_of(value, kind), "{path}.{name}: {kind} is expected: {value}")
            }
        }
    }
    let unknown = given.keys().find(|name| !known.contains(&name.as_str()));
    refuse!(
        unknown.is_some(),
        "{path}.{}: an unknown member: {object}",
        unknown.map_or("", |name| name)
    );
    Ok(())
}

fn is_of(value: &Value, kind: &str) -> bool {
    let is_list = |allows_empty: bool, is_item: fn(&Value) -> bool| {
        value
            .as_array()
            .is_some_and(|list| (allows_empty || !list.is_empty()) && list.iter().all(is_item))
    };
    match kind {
        "string" => value.is_string(),
        "text" => value.as_str().is_some_and(|text| !text.is_empty()),
        "bool" => value.is_boolean(),
        "number" => value.is_number(),
        "int" => value.is_i64() || value.is_u64(),
        "object" => value.is_object(),
        "list" => is_list(true, |_| true),
        "items" => is_list(false, |_| true),
        "strings" => is_list(false, Value::is_string),
        "any" => !value.is_null(),
        other => panic!("an unknown type of a table: {other}"),
    }
}

/// Checks that a member of an object is one of some texts, if the object has it.
pub fn one_of(object: &Value, name: &str, allowed: &[&str], path: &str) -> Verdict {
    let is_allowed = |value: &Value| value.as_str().is_some_and(|text| allowed.contains(&text));
    let given = object.get(name);
    refuse!(
        given.is_some_and(|value| !is_allowed(value)),
        "{path}.{name}: one of {allowed:?}: {object}"
    );
    Ok(())
}

/// Checks that a number of an object is in a range, if the object has it.
pub fn within(object: &Value, name: &str, least: f64, most: f64, path: &str) -> Verdict {
    let given = object.get(name).and_then(Value::as_f64);
    refuse!(
        given.is_some_and(|given| !(least..=most).contains(&given)),
        "{path}.{name}: from {least} to {most}: {given:?}"
    );
    Ok(())
}

/// Servers read a repeated member in different ways: a writer has each once.
pub fn no_repeated_members(request: &str) -> Verdict {
    fn check(value: &json::Value) -> Verdict {
        match value {
            json::Value::Array(items) => items.iter().try_for_each(check),
            json::Value::Object(members) => {
                let mut names: Vec<&str> = members.iter().map(|member| &*member.key).collect();
                names.sort_unstable();
                let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
                refuse!(twice.is_some(), "a member occurs twice: {twice:?}: {}", value.to_json());
                members.iter().try_for_each(|member| check(&member.value))
            }
            _ => Ok(()),
        }
    }
    check(&json::Value::parse(request, 256).map_err(|error| format!("{error:?}"))?)
}
