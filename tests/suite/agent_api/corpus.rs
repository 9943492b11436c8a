//! Every case of `tests/corpus/agent_api`, at every kind of cut.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use agentwire::agent_api::{AgentApi, Snapshot, Style, rules};
use agentwire::json::{Member, Value};
use agentwire::{Outcome, Reader};

use super::exceptions::EXCEPTIONS;
use crate::cut;

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = std::fs::read_dir("tests/corpus/agent_api")
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    assert!(cases.len() >= 80, "{} cases", cases.len());
    cases
}

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Value::parse(&text, 128).unwrap_or_else(|e| panic!("{}: {e:?}", path.display()))
}

pub fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Outcome<Snapshot> {
    let mut reader = Reader::new(AgentApi::default());
    chunks.into_iter().for_each(|chunk| reader.push(chunk));
    reader.finish()
}

/// The answer in the form of `snapshot.json`.
pub fn answer(outcome: &Outcome<Snapshot>) -> Value {
    let text = outcome.snapshot.response.to_json(Style::Wire);
    stripped(Value::parse(&text, 128).expect("our own JSON"), 0)
}

/// Without the four members that say nothing about the answer: in responses, messages and contents, not in free JSON.
fn stripped(value: Value, level: usize) -> Value {
    const DROPPED: [&str; 4] = ["sequence_number", "object", "delta", "msg_id"];
    let Value::Object(members) = value else { return value };
    let members = members.into_iter().filter(|m| !DROPPED.contains(&m.key.as_str())).map(|m| {
        let inner = ["output", "content"].get(level) == Some(&m.key.as_str());
        match m.value {
            Value::Array(items) if inner => Member {
                key: m.key,
                value: Value::Array(items.into_iter().map(|item| stripped(item, level + 1)).collect()),
            },
            value => Member { key: m.key, value },
        }
    });
    Value::Object(members.collect())
}

fn violations(outcome: &Outcome<Snapshot>) -> Value {
    let list = outcome.report.violations.iter().map(|v| {
        Value::from([
            ("rule", v.rule.id.into()),
            ("event", (v.at.event as i64).into()),
            ("messageId", v.at.message_id.as_deref().map_or(Value::Null, Value::from)),
            ("index", v.at.index.map_or(Value::Null, |index| i64::from(index).into())),
        ])
    });
    Value::Array(list.collect())
}

#[test]
fn every_case_however_it_is_cut() {
    for case in cases() {
        let name = case.display();
        let stream = std::fs::read(case.join("stream.sse")).expect("a stream");
        let (snapshot, expected) = (json(&case.join("snapshot.json")), json(&case.join("violations.json")));
        let calls = json(&case.join("tool_calls.json"));
        let check = |how: &str, outcome: Outcome<Snapshot>| {
            assert_eq!(answer(&outcome).to_json(), snapshot.to_json(), "{name}, {how}: the answer");
            assert_eq!(outcome.snapshot.tool_calls_json(), calls.to_json(), "{name}, {how}: the tool calls");
            assert_eq!(violations(&outcome).to_json(), expected.to_json(), "{name}, {how}: the violations");
        };
        check("whole", read([stream.as_slice()]));
        check("byte by byte", read(stream.chunks(1)));
        for seed in 0..4 {
            check(&format!("random cuts, seed {seed}"), read(cut::random(&stream, seed)));
        }
        let crlf = cut::crlf(&stream);
        check("CRLF", read([crlf.as_slice()]));
        check("CRLF byte by byte", read(crlf.chunks(1)));
    }
}

#[test]
fn offsets_do_not_depend_on_the_cut() {
    for case in cases() {
        let stream = std::fs::read(case.join("stream.sse")).expect("a stream");
        let (whole, cut) = (read([stream.as_slice()]), read(cut::random(&stream, 7)));
        assert_eq!(whole.report.to_json(), cut.report.to_json(), "{}", case.display());
    }
}

#[test]
fn recorded_streams_are_held_as_the_server_held_them() {
    let mut recorded = 0;
    for case in cases() {
        let Ok(text) = std::fs::read_to_string(case.join("server.json")) else { continue };
        recorded += 1;
        let name = case.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let server = Value::parse(&text, 128).expect("JSON");
        let Value::Object(held) = normalised(server) else { continue };
        let snapshot = json(&case.join("snapshot.json"));
        let differing: Vec<&str> = held
            .iter()
            .filter(|member| !snapshot.get(&member.key).is_some_and(|held| same(held, &member.value)))
            .map(|member| member.key.as_str())
            .collect();
        let excepted: &[&str] =
            EXCEPTIONS.iter().find(|(case, ..)| *case == name).map_or(&[], |(_, members, _)| members);
        assert_eq!(differing, excepted, "{name}: members that differ from the server's");
    }
    assert!(recorded >= 38, "{recorded} recorded cases");
    for (name, ..) in EXCEPTIONS {
        assert!(Path::new("tests/corpus/agent_api").join(name).is_dir(), "an exception for no case: {name}");
    }
}

/// Equal values; a float may be written in two ways (`1e300`, `1e+300`).
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) if a.contains(['.', 'e']) => {
            a.parse::<f64>() == b.parse::<f64>()
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.key == b.key && same(&a.value, &b.value))
        }
        (a, b) => a == b,
    }
}

/// The normalisation of the corpus README.
fn normalised(server: Value) -> Value {
    let mut seen = BTreeSet::new();
    let Value::Object(mut members) = stripped(server, 0) else { return Value::Null };
    for member in &mut members {
        if member.key != "output" {
            continue;
        }
        let Value::Array(messages) = core::mem::replace(&mut member.value, Value::Array(Vec::new())) else {
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

#[test]
fn every_rule_has_a_case() {
    crate::coverage::of(rules::ALL, &cases());
}
