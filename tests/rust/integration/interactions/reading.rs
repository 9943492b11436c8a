//! Streams, compared with the official client, and cases that are not in the corpus.

use agentwire::interactions::{Interactions, Snapshot, Status};
use agentwire::{EndReason, Outcome, ProtocolKind, Reader, Severity, read};
use agentwire_cases::{Kind, select};
use serde_json::{Value, json};

fn outcome(stream: &[u8]) -> Outcome<Snapshot> {
    let mut reader = Reader::new(Interactions::default());
    reader.push(stream);
    reader.finish()
}

/// The official client returns the events one by one. What its documented loop joins of them, step
/// by step, is what the snapshot has.
#[test]
fn steps_match_the_events_of_the_official_client() {
    let mut compared = 0;
    for case in select("interactions", Kind::Read) {
        let Some(client) = case.find("client.json") else { continue };
        let Outcome { snapshot, report, .. } = outcome(&case.stream());
        if report.violations.iter().any(|violation| violation.rule.severity != Severity::Note) {
            continue;
        }
        compared += 1;
        let client: Value = serde_json::from_str(&client).expect("JSON");
        let snapshot: Value = serde_json::from_str(&snapshot.to_json()).expect("JSON");
        let text = |step: &Value| {
            let contents = ["content", "summary"].map(|name| step[name].as_array().cloned());
            let contents = contents.into_iter().flatten().flatten();
            contents.filter_map(|part| part["text"].as_str().map(String::from)).collect::<String>()
        };
        let steps = snapshot["steps"].as_array().expect("steps").iter();
        let steps: Vec<Value> = steps
            .map(|step| {
                json!([
                    step["type"],
                    step["id"],
                    step["name"],
                    step["signature"].as_str().unwrap_or_default(),
                    text(step),
                    step["partial_arguments"]
                ])
            })
            .collect();
        // Steps that only the end of the interaction has are no events.
        let is_in_end = case.name == "steps_in_the_end";
        let returned = client["final"]["steps"].as_array().expect("steps").iter();
        let returned: Vec<Value> = returned
            .map(|step| {
                json!([
                    step["type"],
                    step["id"],
                    step["name"],
                    step["signature"],
                    step["text"],
                    step["arguments"]
                ])
            })
            .collect();
        assert_eq!(steps == returned, !is_in_end, "{case}: {steps:?}\n{returned:?}");
        assert_eq!(snapshot["status"], client["final"]["status"], "{case}");
    }
    assert!(compared >= 40, "{compared} cases");
}

#[test]
fn an_aborted_stream_keeps_its_status_without_violations() {
    let mut reader = Reader::new(Interactions::default());
    reader.push(
        b"data: {\"interaction\":{\"id\":\"v1_a\",\"status\":\"queued\"},\"event_type\":\"interaction.created\"}\n\n",
    );
    assert_eq!(reader.snapshot().status, Status::Queued);
    let outcome = reader.abort();
    assert_eq!(
        (outcome.snapshot.status, outcome.report.end_reason),
        (Status::Queued, EndReason::Aborted)
    );
    assert!(outcome.report.violations.is_empty());
}

#[test]
fn events_and_interactions_are_detected() {
    for (data, is_own) in [
        (r#"{"event_type":"interaction.created","interaction":{}}"#, true),
        (r#"{"event_type":"step.delta","index":0,"delta":{}}"#, true),
        (r#"{"event_type":"error","error":{"message":"m"}}"#, true),
        (r#"{"object":"interaction","status":"completed"}"#, true),
        (r#"{"id":"v1_a","status":"completed","steps":[]}"#, true),
        (r#"{"event_type":"other"}"#, false),
        (r#"{"id":"a","status":"completed","contextId":"c"}"#, false),
        (r#"{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}"#, false),
    ] {
        let detected = read::detect(data) == Some(ProtocolKind::Interactions);
        assert_eq!(detected, is_own, "{data}");
    }
}

#[test]
fn arguments_grow_while_the_step_is_open() {
    let mut reader = Reader::new(Interactions::default());
    let mut push = |event: &str| {
        reader.push(format!("data: {event}\n\n").as_bytes());
        reader.snapshot().to_json()
    };
    push(
        r#"{"event_type":"interaction.created","interaction":{"id":"v1_a","status":"in_progress"}}"#,
    );
    push(
        r#"{"event_type":"step.start","index":0,"step":{"type":"function_call","id":"a","name":"f","arguments":{}}}"#,
    );
    let open = push(
        r#"{"event_type":"step.delta","index":0,"delta":{"type":"arguments_delta","arguments":"{\"a\":"}}"#,
    );
    assert!(
        open.contains(r#""arguments":{},"partial_arguments":"{\"a\":""#)
            || open.contains(r#""partial_arguments":"{\"a\":""#),
        "{open}"
    );
    push(
        r#"{"event_type":"step.delta","index":0,"delta":{"type":"arguments_delta","arguments":"1}"}}"#,
    );
    let closed = push(r#"{"event_type":"step.stop","index":0}"#);
    assert!(closed.contains(r#""arguments":{"a":1}"#), "{closed}");
}
