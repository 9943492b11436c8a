//! The JSON Schemas of a protocol: of its answers and of its events.

use std::fmt::Write;

use agentwire::internals::declare::model::shape::ValueShape;
use agentwire::json::Value;

use super::{MADE, Protocol, json_schema};

/// Returns the schema of an answer.
pub fn answer(protocol: &Protocol) -> String {
    let model = protocol.kind.model();
    let root = model.objects[0];
    let layout = protocol.kind.layout();
    let answer = layout.snapshot.map(|name| root.members.iter().find(|member| member.name == name));
    let name = match answer.map(|member| member.expect("the layout names a member").shape) {
        Some(ValueShape::Object(object)) => object.name,
        Some(other) => panic!("an answer is no {other:?}"),
        None => root.name,
    };
    print(&json_schema::of_snapshot(model, name))
}

/// Returns the schema of an event.
pub fn event(protocol: &Protocol) -> String {
    print(&json_schema::of_events(protocol.kind.events()))
}

/// Formats one definition per line, for readable diffs.
fn print(schema: &Value) -> String {
    let mut out = format!("{{\n\"$comment\": {}", Value::from(MADE).to_json());
    for (name, value) in members(schema) {
        if name != "$defs" {
            let _ = write!(out, ",\n\"{name}\": {}", value.to_json());
            continue;
        }
        let definitions =
            members(value).map(|(name, value)| format!("\n  \"{name}\": {}", value.to_json()));
        let _ = write!(out, ",\n\"{name}\": {{{}\n}}", definitions.collect::<Vec<_>>().join(","));
    }
    out + "\n}"
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let Value::Object(members) = value else { panic!("a schema is an object") };
    members.iter().map(|member| (member.key.as_str(), &member.value))
}

#[cfg(test)]
mod tests {
    use super::{answer, event};
    use crate::protocols;

    #[test]
    fn committed_schemas_match_the_declarations() {
        for protocol in protocols() {
            for (printed, of) in [(answer(&protocol), "answer"), (event(&protocol), "event")] {
                let path = format!(
                    "{}/../../tests/data/schemas/{}.{of}.json",
                    env!("CARGO_MANIFEST_DIR"),
                    protocol.name
                );
                let committed = std::fs::read_to_string(&path).unwrap_or_default();
                assert!(committed.trim_end() == printed || protocol.name == "toy", "{path}");
            }
        }
    }
}
