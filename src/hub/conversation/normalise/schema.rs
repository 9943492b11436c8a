//! The schemas of arguments: those of an object.

use alloc::vec::Vec;

use crate::hub::conversation::members::take;
use crate::hub::conversation::requirements::Requirements;
use crate::json::{Member, Value};

/// What a schema is made of, besides its own properties.
const COMBINED: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// What restricts the object as a whole.
const RESTRICTED: [&str; 2] = ["enum", "not"];

/// Makes a schema one that the target takes. Returns why it means something else then.
pub(super) fn check(
    schema: &mut Option<Value>,
    is_own: bool,
    to: &Requirements,
) -> Option<&'static str> {
    let mut lost = None;
    let schema = schema.get_or_insert_with(|| Value::Object(Vec::new()));
    let is_of_model = to.needs_results && !is_own;
    let is_other = is_of_model && schema.get("type").is_some_and(|kind| !is_object(kind));
    if !matches!(schema, Value::Object(_)) || is_other {
        lost = Some("the parameters are not the JSON Schema of an object");
        *schema = Value::Object(Vec::new());
    }
    if is_own {
        return lost;
    }
    let kind = schema.get("type");
    if kind.is_none() || is_of_model && kind.and_then(Value::as_str) != Some("object") {
        schema.insert("type", "object".into());
    }
    let has = |key: &&str| schema.get(key).is_some();
    if is_of_model && !to.tools.combined_schemas && COMBINED.iter().chain(&RESTRICTED).any(has) {
        lost =
            Some("the target has no combined schemas: the properties of all of them are optional");
        combine(schema);
    }
    // Servers of models refuse an object without members.
    let described = ["properties", "$ref", "anyOf", "oneOf", "allOf"];
    if is_of_model && described.iter().all(|key| schema.get(key).is_none()) {
        schema.insert("properties", Value::Object(Vec::new()));
    }
    lost
}

/// Whether the type of a schema has objects: `"object"`, `["object","null"]`.
fn is_object(kind: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(is_object),
        kind => kind.as_str() == Some("object"),
    }
}

/// Adds the properties of the schemas that a schema is made of.
fn combine(schema: &mut Value) {
    let mut properties = match take(schema, "properties") {
        Some(Value::Object(members)) => members,
        _ => Vec::new(),
    };
    for key in COMBINED {
        let Some(Value::Array(parts)) = take(schema, key) else { continue };
        for mut part in parts {
            if let Some(Value::Object(members)) = take(&mut part, "properties") {
                properties.extend(members);
            }
        }
    }
    RESTRICTED.iter().for_each(|key| drop(take(schema, key)));
    // Of properties with the same name, the first one is kept.
    let mut seen = alloc::collections::BTreeSet::new();
    properties.retain(|Member { key, .. }| seen.insert(key.clone()));
    schema.insert("properties", Value::Object(properties));
}
