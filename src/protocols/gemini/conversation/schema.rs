//! Schemas in Gemini's own form, a subset of those of OpenAPI, as JSON Schemas.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{Member, Value};

/// Returns a schema as a JSON Schema. A JSON Schema stays as it is.
pub(super) fn to_json_schema(mut schema: Value) -> Value {
    convert(&mut schema);
    schema
}

fn convert(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    let mut is_nullable = false;
    members.retain_mut(|Member { key, value }| {
        if matches!(&**key, "defs" | "ref") {
            key.insert(0, '$');
        }
        match &**key {
            "type" => lower(value),
            "nullable" => {
                is_nullable |= value.as_bool() == Some(true);
                return false;
            }
            // Only Gemini has the order and the example. All strings with values have the format
            // `enum`.
            "propertyOrdering" | "example" => return false,
            "format" => return value.as_str() != Some("enum"),
            "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minLength"
            | "maxLength" => {
                number(value);
            }
            "items" | "additionalProperties" => convert(value),
            "properties" | "$defs" => {
                if let Value::Object(inner) = value {
                    inner.iter_mut().for_each(|member| convert(&mut member.value));
                }
            }
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                if let Value::Array(list) = value {
                    list.iter_mut().for_each(convert);
                }
            }
            _ => {}
        }
        !(key == "type" && value.is_null())
    });
    if is_nullable {
        allow_null(members);
    }
}

/// Writes the name of a type in lower case. `TYPE_UNSPECIFIED` is none.
fn lower(name: &mut Value) {
    match name {
        Value::String(text) if text == "TYPE_UNSPECIFIED" => *name = Value::Null,
        Value::String(text) => text.make_ascii_lowercase(),
        Value::Array(list) => list.iter_mut().for_each(lower),
        _ => {}
    }
}

/// Replaces the text of a whole number by the number: 64-bit numbers are texts in the JSON of
/// protocol buffers.
fn number(value: &mut Value) {
    if let Some(number) = value.as_str().and_then(|text| text.parse::<i64>().ok()) {
        *value = number.into();
    }
}

/// Adds null to the values that a schema allows.
fn allow_null(members: &mut [Member]) {
    for Member { key, value } in members {
        match (&**key, &mut *value) {
            ("type", Value::String(name)) => {
                let name = core::mem::take(name);
                *value = Value::Array([Value::String(name), "null".into()].into());
            }
            ("enum", Value::Array(values)) if !values.contains(&Value::Null) => {
                values.push(Value::Null)
            }
            ("anyOf", Value::Array(list)) => list.push(Value::from([("type", "null".into())])),
            _ => {}
        }
    }
}

/// Renames the members of an object from the names of protocol buffers to those of their JSON, and
/// those of the objects in it with these names. Servers accept both.
pub(super) fn rename_members(object: &mut Value, inner: &[&str]) {
    let Value::Object(members) = object else { return };
    for Member { key, value } in members {
        if key.contains('_') {
            *key = camel(key);
        }
        if inner.contains(&&**key) {
            rename_members(value, inner);
        }
    }
}

fn camel(name: &str) -> String {
    let mut words: Vec<&str> = name.split('_').collect();
    if words.iter().any(|word| !word.starts_with(|letter: char| letter.is_ascii_lowercase())) {
        return name.into();
    }
    let mut out = String::from(words.remove(0));
    for word in words {
        let mut letters = word.chars();
        out.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}
