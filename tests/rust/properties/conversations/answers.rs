//! The recorded answers of models, as the history of the next request.

use agentwire::builder::Counter;
use agentwire::hub::Losses;
use agentwire::hub::conversation::{Conversation, Part, ToolResult, Turn, TurnRole};
use agentwire::{Limits, ProtocolKind};
use agentwire_cases::{Kind, select};
use serde_json::Value;

use super::options;
use super::validate::{ANY, MODELS, Model};

/// The protocols of models, each with a request.
const ASKED: [(ProtocolKind, &str); 5] = [
    (ProtocolKind::Chat, r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#),
    (ProtocolKind::Responses, r#"{"model":"m","input":"hi"}"#),
    (
        ProtocolKind::Anthropic,
        r#"{"model":"m","max_tokens":1024,"messages":[{"role":"user","content":"hi"}]}"#,
    ),
    (ProtocolKind::Gemini, r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#),
    (ProtocolKind::Interactions, r#"{"model":"m","input":"hi"}"#),
];

/// The members with what only the provider can read.
const STATE: [&str; 5] =
    ["signature", "data", "encrypted_content", "thoughtSignature", "thought_signature"];

/// The answers whose request the provider refuses: they have a block that no provider defines.
const UNKNOWN: [&str; 6] = [
    "undeclared",
    "undeclared_names",
    "unknown_block",
    "unknown_item_type",
    "unknown_part_type",
    "unknown_step",
];

/// Returns the snapshots of the answers without a violation, by the names of their cases.
fn answers(protocol: ProtocolKind) -> Vec<(String, String)> {
    let cases = select(protocol.as_str(), Kind::Read).into_iter();
    let valid =
        cases.filter(|case| case.find("violations.json").is_some_and(|list| list.trim() == "[]"));
    valid.filter_map(|case| Some((case.name.clone(), case.find("snapshot.json")?))).collect()
}

/// Returns the request that follows an answer: its calls have results, and the user asks on.
fn next_request(from: ProtocolKind, answer: &str, to: &Model) -> String {
    let asked = ASKED.iter().find(|(protocol, _)| *protocol == from).map_or("", |(_, asked)| asked);
    let read = Conversation::read(from, asked, &Limits::default());
    let mut conversation = read.unwrap_or_else(|error| panic!("{error}"));
    conversation
        .append(from, answer, &Limits::default())
        .unwrap_or_else(|error| panic!("{error}: {answer}"));
    for call in conversation.pending() {
        call.result = Some(ToolResult::new(call.id.clone(), vec![Part::text("done")]));
    }
    conversation.turns.push(Turn::new(TurnRole::User, vec![Part::text("and?")]));
    let prepared =
        conversation.prepare(to.protocol, &options(Some(to.name)), &mut Losses::default());
    prepared.unwrap_or_else(|error| panic!("{error}"));
    conversation
        .write(to.protocol, &mut Counter::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Collects what only the provider can read in an answer.
fn states<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| states(item, found)),
        Value::Object(members) => {
            for (key, value) in members {
                match value.as_str() {
                    Some(state) if STATE.contains(&key.as_str()) && state.len() > 8 => {
                        found.push(state)
                    }
                    _ => states(value, found),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn the_request_after_an_answer_is_valid_and_has_its_state() {
    let mut failed = Vec::new();
    for (protocol, _) in ASKED {
        let answers = answers(protocol);
        assert!(answers.len() >= 10, "{protocol:?}: {}", answers.len());
        let model =
            ANY.iter().find(|model| model.protocol == protocol).expect("a model of each protocol");
        for (name, answer) in &answers {
            let request = next_request(protocol, answer, model);
            let snapshot: Value = serde_json::from_str(answer).expect("a snapshot is JSON");
            let mut given = Vec::new();
            states(&snapshot, &mut given);
            if let Some(state) = given.iter().find(|state| !request.contains(**state)) {
                failed.push(format!("{protocol:?} {name}: {state} is missing\n{request}"));
            }
            let is_state = |state: &str| !state.is_empty() && !state.starts_with("aw1.");
            if let Err(refusal) = model.validate(&request, &is_state)
                && !UNKNOWN.contains(&name.as_str())
            {
                failed.push(format!("{protocol:?} {name}: {refusal}\n{request}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}: {}", failed.len(), failed.join("\n\n"));
}

#[test]
fn the_request_after_an_answer_is_valid_for_other_models() {
    let mut failed = Vec::new();
    for (protocol, _) in ASKED {
        for (name, answer) in answers(protocol) {
            for model in MODELS.iter().filter(|model| model.protocol != protocol) {
                let request = next_request(protocol, &answer, model);
                if let Err(refusal) = model.validate(&request, &|_| false) {
                    failed.push(format!(
                        "{protocol:?} {name} to {}: {refusal}\n{request}",
                        model.name
                    ));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}: {}", failed.len(), failed.join("\n\n"));
}
