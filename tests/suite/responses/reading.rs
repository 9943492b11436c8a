//! What the official client holds after the same streams, and what it refuses.

use agentwire::json::Value;
use agentwire::read::AnyOutcome;
use agentwire::responses::Responses;
use agentwire::{EndReason, Reader, Severity};
use agentwire_cases::{Case, Kind, cut};

use crate::reading::{options, protocol_of, read};

/// Cases that the official client takes otherwise, and why that is right.
const EXCEPTIONS: &[(&str, &str)] = &[("member_type", "a name is a text here: what is none is not there")];

/// Cases in which something is an error that the official client takes, and why.
const STRICTER: &[(&str, &str)] = &[
    ("cut", "the client resolves as if nothing was missing, the one for Python does not (O15)"),
    ("invalid_utf8_in_a_text", "the client decodes it to U+FFFD without a word"),
    ("logprobs", "as `cut`"),
    ("lone_surrogate", "as `cut`"),
    ("member_type", "the client hands on whatever stands there"),
    ("text_done_differs_from_deltas", "as `cut`"),
];

/// What the client adds to what stands on the wire.
const ADDED: [&str; 4] = ["output_text", "output_parsed", "parsed", "parsed_arguments"];

#[test]
fn the_official_client_holds_the_same_and_refuses_what_is_an_error() {
    let mut compared = 0;
    for case in agentwire_cases::select("responses", Kind::Read) {
        let Some(client) = case.find("client.json") else { continue };
        let client = Value::parse(&client, 128).expect("JSON");
        let stream = case.stream();
        let outcome = read(protocol_of(&case), options(&case), [&stream[..]]);
        let is_listed = |list: &[(&str, &str)]| list.iter().any(|(name, _)| *name == case.name);
        match client.get("final") {
            Some(expected) => {
                let is_same = held(&outcome) == canonical(expected);
                assert_eq!(
                    is_same,
                    !is_listed(EXCEPTIONS),
                    "{case}: {}\n{}",
                    held(&outcome),
                    canonical(expected)
                );
                assert_eq!(
                    is_refused(&outcome),
                    is_listed(STRICTER),
                    "{case}: {:#?}",
                    outcome.report.violations
                );
            }
            None => assert!(is_refused(&outcome), "{case}: {:#?}", outcome.report),
        }
        compare_cuts(&case, &stream, &outcome);
        compared += 1;
    }
    assert!(compared >= 70, "{compared} cases");
}

fn compare_cuts(case: &Case, stream: &[u8], outcome: &AnyOutcome) {
    let cut = read(protocol_of(case), options(case), cut::single(stream));
    assert_eq!(held(&cut), held(outcome), "{case}, byte by byte");
}

/// An error was found, or said by the stream.
fn is_refused(outcome: &AnyOutcome) -> bool {
    let report = &outcome.report;
    report.end_reason == EndReason::ErrorFrame
        || report.violations.iter().any(|violation| violation.rule.severity == Severity::Error)
}

fn held(outcome: &AnyOutcome) -> String {
    canonical(&Value::parse(&outcome.snapshot.to_json(), 128).expect("JSON"))
}

/// Members sorted, without those that the client adds.
fn canonical(value: &Value) -> String {
    fn without(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(members) => {
                members.retain(|name, _| !ADDED.contains(&name.as_str()));
                members.values_mut().for_each(without);
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(without),
            _ => {}
        }
    }
    let mut sorted: serde_json::Value = serde_json::from_str(&value.to_json()).expect("JSON");
    without(&mut sorted);
    sorted.to_string()
}

#[test]
fn after_the_last_index_there_is_no_next_one() {
    let created = r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#;
    let item = |id: &str, index: &str| {
        format!(
            r#"{{"type":"response.output_item.added",{index}"item":{{"id":"{id}","type":"message","status":"in_progress","role":"assistant","content":[]}}}}"#
        )
    };
    let part = |index: i64| {
        format!(
            r#"{{"type":"response.content_part.added","item_id":"a","output_index":{index},"content_index":{index},"part":{{"type":"output_text","text":"","annotations":[]}}}}"#
        )
    };
    let events = [
        created.to_owned(),
        item("a", &format!(r#""output_index":{},"#, i64::MAX)),
        part(i64::MAX),
        part(i64::MIN),
        item("b", ""),
        item("c", ""),
    ];
    let mut reader = Reader::new(Responses::default());
    for event in events {
        reader.push(format!("data: {event}\n\n").as_bytes());
    }
    let outcome = reader.finish();
    let ids: Vec<_> = outcome.snapshot.output.iter().flat_map(|item| item.id.iter().flatten()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
}
