//! The builders of the Agent API, driven by a list of calls.

use agentwire::agent_api::{AgentApi, Response, Snapshot, Style};
use agentwire::builder::WireEvent;
use agentwire::json::{Member, Value};
use agentwire::read::{self, Mode};
use agentwire::{EndReason, Reader};

use crate::corpus::Corpus;
use crate::program::Program;
use crate::tape::{Tape, noise};

/// - For any calls in any order, the events, with those of `finish_with`, are a stream in which a
///   strict reader finds
///   no violation (a step that is not refused, a value that reads differently when it is complete).
/// - The reader's snapshot has the data that the builder reports (an event that lacks data of the
///   builder).
/// - The error of a rejected call names the correct call, and the call changes nothing (a number
///   or an index
///   that is used up).
pub fn check(input: &[u8]) {
    let mut program = Program::new(Tape(input));
    program.begin();
    while !program.tape.is_done() && program.events.len() < 400 {
        let before = program.response.get_response_data();
        match program.call() {
            Ok(events) => program.events.extend(events),
            Err(misuse) => {
                assert!(!misuse.problem.is_empty() && !misuse.instead.is_empty(), "{misuse}");
                assert_eq!(program.response.get_response_data(), before, "{misuse}");
            }
        }
    }
    let (status, error) = (program.status(), program.error());
    program.events.extend(program.response.finish_with(status, error));
    assert!(program.response.is_ended());
    let snapshot = read(&program.events, program.numbering);
    compare(&snapshot.response, &program.response.get_response_data(), &program.events);
}

/// Programs of every length, with pseudo-random calls.
pub fn seeds(_: &Corpus) -> Vec<Vec<u8>> {
    (1..=100).map(noise).collect()
}

/// Rules for content of the caller: a value that is set is the whole value so far, which is legal
/// and noted, and tools may have any output.
const FREE: &[&str] =
    &["snapshot", "output-without-call", "arguments-not-json", "approval-without-request"];

fn read(events: &[WireEvent], numbering: bool) -> Snapshot {
    let text: String = events.iter().map(WireEvent::to_sse).collect();
    let mut options = read::ReadOptions::default();
    options.mode = Mode::Strict;
    let mut protocol = AgentApi::default();
    protocol.keep_heartbeats = true;
    let mut reader = Reader::with_options(protocol, options);
    reader.push(text.as_bytes());
    let outcome = reader.finish();
    let usual = |rule: &str| FREE.contains(&rule) || rule == "sequence-number" && !numbering;
    let wrong: Vec<_> =
        outcome.report.violations.iter().filter(|violation| !usual(violation.rule.id)).collect();
    assert!(wrong.is_empty(), "{wrong:#?} in\n{text}");
    assert_eq!(outcome.report.end_reason, EndReason::Terminal, "{text}");
    assert_eq!(outcome.report.events as usize, events.len(), "{text}");
    outcome.snapshot
}

/// Compares everything but the numbers of the events, and the messages that no event has.
fn compare(heard: &Response, made: &Response, events: &[WireEvent]) {
    assert_eq!((&heard.id, &heard.status, &heard.error), (&made.id, &made.status, &made.error));
    // A reader treats an empty session as absent.
    let session = made.session_id.as_ref().filter(|id| !id.is_empty());
    assert_eq!((heard.session_id.as_ref(), &heard.usage), (session, &made.usage));
    for message in &made.output {
        match heard.output.iter().find(|heard| heard.id == message.id) {
            Some(heard) => {
                let [heard, made] =
                    [heard, message].map(|message| json(&message.to_json(Style::Wire)));
                assert!(agrees(&heard, &made), "{}\nfor\n{}", heard.to_json(), made.to_json());
            }
            None => {
                let says = |event: &WireEvent| {
                    let event = json(event.json());
                    let is = |name: &str, text: &str| {
                        event.get(name).and_then(Value::as_str) == Some(text)
                    };
                    is("object", "message") && is("id", &message.id)
                };
                assert!(!events.iter().any(says), "{message:?}");
            }
        }
    }
    for message in &heard.output {
        assert!(made.output.iter().any(|made| made.id == message.id), "{message:?}");
    }
}

/// Returns whether a reader has the builder's value. An empty value (null, `""`, `{}`) erases
/// nothing on the wire (R29), so where a caller has removed a value, the reader keeps it.
fn agrees(heard: &Value, made: &Value) -> bool {
    const FREE: &[&str] = &["data", "metadata", "usage"];
    let same = |member: &Member| match heard.get(&member.key) {
        Some(heard) if FREE.contains(&member.key.as_str()) => {
            is_empty(&member.value) || *heard == member.value
        }
        Some(heard) => member.key == "sequence_number" || agrees(heard, &member.value),
        None => false,
    };
    match (heard, made) {
        (_, made) if is_empty(made) => true,
        (_, Value::Object(members)) => members.iter().all(same),
        (Value::Array(heard), Value::Array(made)) => {
            heard.len() == made.len()
                && heard.iter().zip(made).all(|(heard, made)| agrees(heard, made))
        }
        _ => heard == made,
    }
}

pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn json(text: &str) -> Value {
    Value::parse(text, 128).expect("JSON of this crate")
}
