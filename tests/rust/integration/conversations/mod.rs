//! Requests as conversations, between protocols.

mod agent;
mod clients;
mod codex;

use agentwire::json::Value;

pub(crate) use agent::REQUESTS;

/// Returns JSON whose members are sorted by their names.
fn sorted(json: &str) -> String {
    fn sort(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.sort_by(|one, other| one.key.cmp(&other.key));
                members.iter_mut().for_each(|member| sort(&mut member.value));
            }
            Value::Array(list) => list.iter_mut().for_each(sort),
            _ => {}
        }
    }
    let mut value = Value::parse(json, 64).unwrap_or_else(|error| panic!("{error}: {json}"));
    sort(&mut value);
    value.to_json()
}
