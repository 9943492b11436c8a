//! Streams, compared with the official client, and cases that are not in the corpus.

use agentwire::gemini::{Gemini, Status};
use agentwire::json::Value;
use agentwire::{EndReason, Outcome, ProtocolKind, Reader, Severity, read};
use agentwire_cases::{Kind, select};

/// Cases in which the result of the official client differs from the snapshot, each with its
/// reason.
const OTHERS: &[(&str, &str)] = &[
    (
        "call_without_name",
        "the client returns a call without a name as it is, and arguments without a call",
    ),
    (
        "candidates_out_of_order",
        "the client returns the first candidate of a chunk, whatever its index",
    ),
    ("two_candidates", "the client returns the first candidate of a chunk, whatever its index"),
];

/// Cases in which the reader reports an error and the client does not: it neither joins nor checks
/// chunks.
const STRICTER: &[&str] = &[
    "call_without_name",
    "candidate_index",
    "empty",
    "invalid_utf8",
    "partial_args",
    "streamed_call_cut_off",
    "truncated",
    "usage_only",
];

fn outcome(stream: &[u8]) -> Outcome<agentwire::gemini::Snapshot> {
    let mut reader = Reader::new(Gemini::default());
    reader.push(stream);
    reader.finish()
}

/// The values that the official client computes for each chunk, joined: `text`, `functionCalls`,
/// and the last one of others.
#[test]
fn snapshot_and_errors_match_the_official_client() {
    let mut compared = 0;
    for case in select("gemini", Kind::Read) {
        let Some(client) = case.find("client.json") else { continue };
        let client = Value::parse(&client, 128).expect("JSON");
        let Outcome { snapshot, report, .. } = outcome(&case.stream());
        let is_refused = report.end_reason == EndReason::ErrorFrame
            || report.violations.iter().any(|violation| violation.rule.severity == Severity::Error);
        compared += 1;
        let Some(expected) = client.get("final") else {
            // The client requires the last blank line, and server-sent events.
            let is_read =
                ["framing_unterminated", "json_array", "json_lines"].contains(&&*case.name);
            assert_eq!(is_refused, !is_read, "{case}");
            continue;
        };
        assert_eq!(is_refused, STRICTER.contains(&&*case.name), "{case}: {:#?}", report.violations);
        let held = Value::parse(&snapshot.to_json(), 128).expect("JSON");
        let parts =
            snapshot.candidates.first().map(|first| &first.content.parts[..]).unwrap_or_default();
        let is_streamed = case.name.starts_with("streamed_call") || case.name == "partial_args";
        let calls: Vec<Value> = parts
            .iter()
            .filter_map(|part| part.function_call.as_ref())
            .map(|call| {
                let mut members = Vec::new();
                members.extend(call.id.as_ref().map(|id| ("id", Value::from(&**id))));
                members.push(("name", Value::from(&*call.name)));
                members.extend(call.args.as_ref().map(|args| ("args", args.to_value())));
                sorted(&object(members))
            })
            .collect();
        let returned: Vec<Value> = match expected.get("functionCalls") {
            Some(Value::Array(calls)) => calls.iter().map(sorted).collect(),
            _ => Vec::new(),
        };
        let member = |value: &Value, name: &str| value.get(name).map(sorted);
        let finish = snapshot.candidates.first().and_then(|first| first.finish_reason.as_deref());
        let is_same = expected.get("text").and_then(Value::as_str) == Some(&*snapshot.text())
            && (is_streamed || calls == returned)
            && expected.get("finishReason").and_then(Value::as_str) == finish
            && ["usageMetadata", "promptFeedback", "modelVersion", "responseId"]
                .iter()
                .all(|name| member(expected, name) == member(&held, name));
        let is_listed = OTHERS.iter().any(|(name, _)| *name == case.name);
        assert_eq!(is_same, !is_listed, "{case}: {held:?}\n{expected:?}");
    }
    assert!(compared >= 45, "{compared} cases");
}

fn object(members: Vec<(&str, Value)>) -> Value {
    let mut object = Value::Object(Vec::new());
    members.into_iter().for_each(|(name, value)| object.insert(name, value));
    object
}

/// Returns the value with its members sorted.
fn sorted(value: &Value) -> Value {
    let sorted: serde_json::Value = serde_json::from_str(&value.to_json()).expect("JSON");
    Value::parse(&sorted.to_string(), 128).expect("JSON")
}

#[test]
fn an_aborted_stream_is_incomplete_without_violations() {
    let mut reader = Reader::new(Gemini::default());
    reader.push(b"data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n\n");
    assert_eq!(reader.snapshot().status, Status::InProgress);
    let outcome = reader.abort();
    assert_eq!(
        (outcome.snapshot.status, outcome.report.end_reason),
        (Status::Incomplete, EndReason::Aborted)
    );
    assert!(outcome.report.violations.is_empty());
}

#[test]
fn partial_arguments_are_merged() {
    let mut reader = Reader::new(Gemini::default());
    let mut push = |call: &str| {
        let part = format!("{{\"functionCall\":{call}}}");
        let event =
            format!("data: {{\"candidates\":[{{\"content\":{{\"parts\":[{part}]}}}}]}}\n\n");
        reader.push(event.as_bytes());
        let call = reader.snapshot().candidates[0].content.parts[0].function_call.as_ref().unwrap();
        (call.args.as_ref().map(|args| args.to_json()), call.will_continue.is_some())
    };
    assert_eq!(push(r#"{"name":"f","willContinue":true}"#), (None, true));
    let piece =
        r#"{"partialArgs":[{"jsonPath":"$.a[0].b","stringValue":"x"}],"willContinue":true}"#;
    assert_eq!(push(piece), (Some(r#"{"a":[{"b":"x"}]}"#.into()), true));
    assert_eq!(push(piece), (Some(r#"{"a":[{"b":"xx"}]}"#.into()), true));
    assert_eq!(push("{}"), (Some(r#"{"a":[{"b":"xx"}]}"#.into()), false));
}

#[test]
fn the_depth_and_number_of_partial_argument_paths_are_limited() {
    let deep = "[0]".repeat(1000);
    let event = format!(
        "data: {{\"candidates\":[{{\"content\":{{\"parts\":[{{\"functionCall\":{{\"name\":\"f\",\"partialArgs\":[{{\"jsonPath\":\"${deep}\",\"nullValue\":\"NULL_VALUE\"}},{{\"jsonPath\":\"$.a[99999999999]\",\"nullValue\":\"NULL_VALUE\"}}]}}}}]}},\"finishReason\":\"STOP\"}}]}}\n\n"
    );
    assert_eq!(outcome(event.as_bytes()).report.count("partial-args"), 2);
}

#[test]
fn lone_surrogates_in_arguments_are_replaced_and_reported() {
    let event = r#"data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"x\ud83d"}]}}]},"finishReason":"STOP"}]}"#;
    let Outcome { snapshot, report, .. } = outcome(format!("{event}\n\n").as_bytes());
    let call = snapshot.candidates[0].content.parts[0].function_call.as_ref().unwrap();
    assert_eq!(
        call.args.as_ref().map(|args| args.to_json()).as_deref(),
        Some("{\"a\":\"x\u{fffd}\"}")
    );
    assert_eq!(report.count("lone-surrogate"), 1);
}

#[test]
fn chunks_are_detected() {
    for (data, is_gemini) in [
        (r#"{"candidates":[]}"#, true),
        (r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#, true),
        (r#"{"usageMetadata":{},"responseId":"r"}"#, true),
        (r#"{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}"#, false),
        (r#"{"responseId":"r"}"#, false),
    ] {
        assert_eq!(read::detect(data) == Some(ProtocolKind::Gemini), is_gemini, "{data}");
    }
}
