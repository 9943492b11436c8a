//! Compares the recorded streams with the state of the real server at their end.
//!
//! Only for this protocol: `server.json` is the server's own object, and its differences from a
//! snapshot are the server's.

use std::collections::BTreeSet;

use agentwire::agent_api::{AgentApi, Snapshot, Style};
use agentwire::json::{Member, Value};
use agentwire::{Outcome, Reader};
use agentwire_cases::{Kind, one, select};

use super::exceptions::EXCEPTIONS;

pub fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Outcome<Snapshot> {
    let mut reader = Reader::new(AgentApi::default());
    chunks.into_iter().for_each(|chunk| {
        reader.push(chunk);
    });
    reader.finish()
}

/// The snapshot without the members that the server does not store.
pub fn answer(outcome: &Outcome<Snapshot>) -> Value {
    stripped(parsed(&outcome.snapshot.response.to_json(Style::Wire)), 0)
}

fn parsed(text: &str) -> Value {
    Value::parse(text, 128).expect("JSON")
}

/// Removes the four members that are not compared: from responses, messages and contents, not from
/// free JSON.
fn stripped(value: Value, level: usize) -> Value {
    const DROPPED: [&str; 4] = ["sequence_number", "object", "delta", "msg_id"];
    let Value::Object(members) = value else { return value };
    let members = members.into_iter().filter(|m| !DROPPED.contains(&m.key.as_str())).map(|m| {
        let inner = ["output", "content"].get(level) == Some(&m.key.as_str());
        match m.value {
            Value::Array(items) if inner => Member {
                key: m.key,
                value: Value::Array(
                    items.into_iter().map(|item| stripped(item, level + 1)).collect(),
                ),
            },
            value => Member { key: m.key, value },
        }
    });
    Value::Object(members.collect())
}

#[test]
fn snapshots_match_the_state_of_the_official_server() {
    let mut recorded = 0;
    for case in select("agent-api", Kind::Read) {
        let Some(server) = case.find("server.json") else {
            assert!(!case.is_recorded(), "{case}: recorded, and no server.json");
            continue;
        };
        recorded += 1;
        let Value::Object(held) = normalised(parsed(&server)) else { continue };
        let snapshot = stripped(parsed(&case.text("snapshot.json")), 0);
        let differing: Vec<&str> = held
            .iter()
            .filter(|member| {
                !snapshot.get(&member.key).is_some_and(|held| same(held, &member.value))
            })
            .map(|member| member.key.as_str())
            .collect();
        let excepted: &[&str] = EXCEPTIONS
            .iter()
            .find(|(name, ..)| *name == case.name)
            .map_or(&[], |(_, members, _)| members);
        assert_eq!(differing, excepted, "{case}: members that differ from the server's");
    }
    assert!(recorded >= 38, "{recorded} recorded cases");
    for (name, ..) in EXCEPTIONS {
        one("agent-api", name);
    }
}

/// Equal values; a float may be written in two ways (`1e300`, `1e+300`).
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) if a.contains(['.', 'e']) => {
            a.parse::<f64>() == b.parse::<f64>()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| a.key == b.key && same(&a.value, &b.value))
        }
        (a, b) => a == b,
    }
}

/// The normalisation of `tests/data/corpus/agent-api/README.md`.
fn normalised(server: Value) -> Value {
    let mut seen = BTreeSet::new();
    let Value::Object(mut members) = stripped(server, 0) else { return Value::Null };
    for member in &mut members {
        if member.key != "output" {
            continue;
        }
        let Value::Array(messages) =
            core::mem::replace(&mut member.value, Value::Array(Vec::new()))
        else {
            continue;
        };
        let messages = messages.into_iter().filter(|message| {
            message.get("type").and_then(Value::as_str) != Some("heartbeat")
                && seen.insert(message.get("id").map(Value::to_json))
        });
        member.value = Value::Array(messages.map(normalised_message).collect());
    }
    Value::Object(members)
}

fn normalised_message(mut message: Value) -> Value {
    let completed = message.get("status").and_then(Value::as_str) == Some("completed");
    let mut parts = match message.get("content") {
        Some(Value::Array(parts)) => parts.clone(),
        _ => Vec::new(),
    };
    let index = |part: &Value| match part.get("index") {
        Some(Value::Number(digits)) => digits.parse::<u32>().ok(),
        _ => None,
    };
    if parts.iter().all(|part| index(part).is_some()) {
        parts.sort_by_key(index);
    } else {
        parts.iter_mut().zip(0i64..).for_each(|(part, place)| part.insert("index", place.into()));
    }
    if completed {
        parts.iter_mut().for_each(|part| part.insert("status", "completed".into()));
    }
    message.insert("content", Value::Array(parts));
    message
}
