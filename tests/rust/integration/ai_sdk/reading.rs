//! Streams, compared with the official client, and cases that are not in the corpus.

use agentwire::ai_sdk::{AiSdk, PartState, Status};
use agentwire::json::Value;
use agentwire::{EndReason, ProtocolKind, Reader, read};
use agentwire_cases::Kind;

use crate::official::Differences;

#[test]
fn snapshot_and_errors_match_the_official_client() {
    let differences = Differences {
        protocol: "ai-sdk",
        other_snapshot: &[
            ("after_done", "the client reads on after `[DONE]`"),
            ("input_after_end", "the client takes the state of the call back"),
        ],
        stricter: &[
            ("error_only", "the client hands the error on, and the message is the same"),
            ("invalid_utf8", "the client decodes it to U+FFFD"),
            ("text_across_step", "`ai` 6 stops there, and 7 does not"),
            ("truncated", "the client takes the end of the stream for the end of the message"),
        ],
        laxer: &[("json_lines", "the client reads server-sent events only")],
        added_there: &[],
        added_here: &["status", "finishReason", "error"],
        least: 70,
    };
    differences.check();
}

/// The results of `ai` 6 equal those of `ai` 7, with these exceptions.
#[test]
fn both_major_versions_yield_the_same_message() {
    let mut others = Vec::new();
    for case in agentwire_cases::select("ai-sdk", Kind::Read) {
        let Some(client) = case.find("client.json") else { continue };
        let client = Value::parse(&client, 128).expect("JSON");
        let is_error = client.get("error").is_some();
        match client.get("ai6").expect("the result of ai 6") {
            Value::String(same) => assert_eq!(same, "same", "{case}"),
            other if is_error => assert!(other.get("error").is_some(), "{case}"),
            _ => others.push(case.name.clone()),
        }
    }
    let expected = [
        // Chunks of `ai` 7, and a text across the end of a step.
        "approval_answered",
        "newer_chunks",
        // The reason of a question is of `ai` 7.
        "question_text",
        "reset_step",
        "text_across_step",
        // An invalid input is `rawInput` in `ai` 6 and `input` in `ai` 7.
        "tool_input_error",
    ];
    assert_eq!(others, expected);
}

fn event(chunk: &str) -> Vec<u8> {
    format!("data: {chunk}\n\n").into_bytes()
}

#[test]
fn a_streaming_call_has_the_raw_input() {
    let mut reader = Reader::new(AiSdk::default());
    reader.push(&event(r#"{"type":"tool-input-start","toolCallId":"c","toolName":"w"}"#));
    reader
        .push(&event(r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"{\"a\":"}"#));
    reader.push(&event(r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"1}"}"#));
    let part = &reader.snapshot().parts[0];
    assert_eq!((part.called_tool(), part.raw_input.as_deref()), (Some("w"), Some(r#"{"a":1}"#)));
    assert_eq!((*part.state, part.input.as_ref()), (Some(PartState::InputStreaming), None));
    reader.push(&event(
        r#"{"type":"tool-input-available","toolCallId":"c","toolName":"w","input":{"a":1}}"#,
    ));
    let part = &reader.snapshot().parts[0];
    assert_eq!(
        (part.raw_input.as_ref(), part.input.as_ref().map(Value::to_json).as_deref()),
        (None, Some(r#"{"a":1}"#))
    );
}

#[test]
fn an_aborted_stream_is_truncated_without_violations() {
    let mut reader = Reader::new(AiSdk::default());
    reader.push(&event(r#"{"type":"start","messageId":"m"}"#));
    assert_eq!(reader.snapshot().status, Status::Streaming);
    let outcome = reader.abort();
    assert_eq!(
        (outcome.snapshot.status, outcome.report.end_reason),
        (Status::Truncated, EndReason::Aborted)
    );
    assert!(outcome.report.violations.is_empty());
}

#[test]
fn chunks_are_detected_unless_they_are_ambiguous() {
    for (data, is_ai_sdk) in [
        (r#"{"type":"start","messageId":"m"}"#, true),
        (r#"{"type":"start"}"#, false),
        (r#"{"type":"start-step"}"#, true),
        (r#"{"type":"text-delta","id":"t","delta":"a"}"#, true),
        (r#"{"type":"data-x","data":1}"#, true),
        (r#"{"type":"error","errorText":"x"}"#, true),
        (r#"{"type":"error","error":"x"}"#, false),
        (r#"{"type":"file"}"#, false),
    ] {
        assert_eq!(read::detect(data) == Some(ProtocolKind::AiSdk), is_ai_sdk, "{data}");
    }
}
