//! The JSON Schemas of a protocol: of its answers and of its events.

use std::fmt::Write;

use agentwire::internals::declare::model::shape::Shape;
use agentwire::json::Value;

use super::{MADE, Protocol};

/// Returns the schema of an answer.
pub fn answer(protocol: &Protocol) -> String {
    let model = protocol.kind.model();
    let root = model.objects[0];
    let layout = protocol.kind.layout();
    let answer = layout.snapshot.map(|name| root.members.iter().find(|member| member.name == name));
    let name = match answer.map(|member| member.expect("the layout names a member").shape) {
        Some(Shape::Object(object)) => object.name,
        Some(other) => panic!("an answer is no {other:?}"),
        None => root.name,
    };
    print(&model.json_schema(name))
}

/// Returns the schema of an event.
pub fn event(protocol: &Protocol) -> String {
    print(&protocol.kind.events().json_schema())
}

/// Formats one definition per line, for readable diffs.
fn print(schema: &Value) -> String {
    let mut out = format!("{{\n\"$comment\": {}", Value::from(MADE).to_json());
    for (name, value) in members(schema) {
        if name != "$defs" {
            let _ = write!(out, ",\n\"{name}\": {}", value.to_json());
            continue;
        }
        let definitions = members(value).map(|(name, value)| format!("\n  \"{name}\": {}", value.to_json()));
        let _ = write!(out, ",\n\"{name}\": {{{}\n}}", definitions.collect::<Vec<_>>().join(","));
    }
    out + "\n}"
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let Value::Object(members) = value else { panic!("a schema is an object") };
    members.iter().map(|member| (member.key.as_str(), &member.value))
}
