//! What is not a stream of events of the protocol: errors in other forms, whole answers, lists of events, pages.

use agentwire::ProtocolKind;
use agentwire::builder::Counter;
use agentwire::convert::{ConvertOptions, Converter, Source};
use agentwire::read::{AnyOptions, AnyOutcome};
use agentwire::{EndReason, agent_api::builder};

use crate::reading;

/// The beginning of an answer of each protocol.
fn beginning(kind: ProtocolKind) -> Vec<String> {
    let events: &[&str] = match kind.as_str() {
        "agent-api" => &[
            r#"{"sequence_number":0,"object":"response","status":"created","id":"r"}"#,
            r#"{"sequence_number":1,"object":"message","status":"in_progress","id":"m","type":"message"}"#,
            r#"{"sequence_number":2,"object":"content","type":"text","delta":true,"msg_id":"m","index":0,"text":"Hi"}"#,
        ],
        "ag-kit" => &[r#"{"type":"text","content":"Hi"}"#],
        "ag-ui" => &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hi"}"#,
        ],
        "responses" => &[
            r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#,
            r#"{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"m","role":"assistant","status":"in_progress","content":[]}}"#,
        ],
        "a2a" => &[
            r#"{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}"#,
        ],
        "ai-sdk" => &[
            r#"{"type":"start","messageId":"m"}"#,
            r#"{"type":"text-start","id":"t"}"#,
            r#"{"type":"text-delta","id":"t","delta":"Hi"}"#,
        ],
        "chat" => &[
            r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]}"#,
        ],
        "anthropic" => &[
            r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[]}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}"#,
        ],
        "gemini" => &[r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"index":0}]}"#],
        other => panic!("no beginning of {other}"),
    };
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// Errors with the message `quota exceeded`, as JSON.
const ERRORS: &[&str] = &[
    r#"{"error":{"message":"quota exceeded","type":"insufficient_quota","code":429}}"#,
    r#"{"error":{"code":503,"message":"quota exceeded","status":"UNAVAILABLE"}}"#,
    r#"{"error":"quota exceeded"}"#,
    r#"{"error":{"error":{"message":"quota exceeded"}}}"#,
    r#"{"error":{"error":"quota exceeded"}}"#,
    r#"{"error":{"code":429,"details":"quota exceeded"}}"#,
    r#"{"error":{"code":429,"metadata":{"raw":"quota exceeded"}}}"#,
    r#"{"error":["quota exceeded"]}"#,
    r#"{"error":true,"message":"quota exceeded"}"#,
    r#"{"error":"insufficient_quota","message":"quota exceeded"}"#,
    r#"{"error":"insufficient_quota","error_description":"quota exceeded"}"#,
    r#"{"timestamp":"2026-01-01","status":429,"error":"Too Many Requests","message":"quota exceeded","path":"/v1"}"#,
    r#"{"errors":[{"message":"quota exceeded"}]}"#,
    r#"{"errors":["quota exceeded"]}"#,
    r#"{"detail":"quota exceeded"}"#,
    r#"{"detail":[{"type":"missing","loc":["body","messages"],"msg":"quota exceeded"}]}"#,
    r#"{"detail":{"error":"quota exceeded"}}"#,
    r#"{"detail":{"message":"quota exceeded","code":1}}"#,
    r#"{"message":"quota exceeded"}"#,
    r#"{"message":"quota exceeded","code":429}"#,
    r#"{"Message":"quota exceeded"}"#,
    r#"{"object":"error","message":"quota exceeded","type":"BadRequestError","code":400}"#,
    r#"{"object":"error","error":{"message":"quota exceeded"}}"#,
    r#"{"type":"error","error":{"type":"overloaded_error","message":"quota exceeded"}}"#,
    r#"{"type":"error","message":"quota exceeded"}"#,
    r#"{"type":"error","error":"quota exceeded"}"#,
    r#"{"type":"error","data":{"message":"quota exceeded"}}"#,
    r#"{"type":"invalid_request_error","message":"quota exceeded"}"#,
    r#"{"type":"https://example.test/limits","title":"quota exceeded","status":429,"error":{"message":"quota exceeded"}}"#,
    r#"{"status":429,"title":"quota exceeded"}"#,
    r#"{"success":false,"msg":"quota exceeded"}"#,
    r#"{"ok":false,"reason":"quota exceeded","error":true}"#,
    r#"[{"error":{"code":429,"message":"quota exceeded"}}]"#,
    r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"quota exceeded"}}"#,
];

fn read(kind: ProtocolKind, stream: &[u8], size: usize) -> AnyOutcome {
    reading::read(kind, AnyOptions::default(), stream.chunks(size))
}

fn convert(from: impl Into<Source>, to: ProtocolKind, stream: &[u8], size: usize) -> String {
    let write = builder::BuilderOptions::new(Counter::default(), || 0);
    let mut converter = Converter::new(from, to, ConvertOptions::new(write)).unwrap();
    let mut out = String::new();
    stream.chunks(size).for_each(|chunk| converter.push(chunk, &mut out));
    converter.finish(&mut out);
    out
}

/// Checks that the message of an error is in the answer and in its conversions.
fn has_message(kind: ProtocolKind, stream: &str, message: &str) {
    let what = format!("{}: {stream}", kind.as_str());
    let AnyOutcome { snapshot, report, .. } = read(kind, stream.as_bytes(), usize::MAX);
    let json = snapshot.to_json();
    assert!(json.contains(message), "{what}\n{json}\n{:?}", report.violations);
    for size in [1, 7] {
        let cut = read(kind, stream.as_bytes(), size);
        assert_eq!(cut.snapshot.to_json(), json, "{what}");
        assert_eq!(cut.report.to_json(), report.to_json(), "{what}");
    }
    for to in crate::written() {
        let out = convert(kind, to, stream.as_bytes(), usize::MAX);
        assert!(out.contains(message), "{what}\nto {}: {out}", to.as_str());
        assert_eq!(convert(kind, to, stream.as_bytes(), 3), out, "{what}");
    }
}

#[test]
fn the_message_of_an_error_in_any_form_is_kept() {
    for kind in crate::spoken() {
        for begins in [false, true] {
            let start = if begins { beginning(kind).concat() } else { String::new() };
            for error in ERRORS {
                // Of an event, of a line between the events, and pretty-printed.
                has_message(kind, &format!("{start}data: {error}\n\n"), "quota exceeded");
                has_message(kind, &format!("{start}event: error\ndata: {error}\n\n"), "quota exceeded");
                has_message(kind, &format!("{start}{error}"), "quota exceeded");
                let pretty = error.replace(",\"", ",\n  \"").replace(":{", ": {\n    ");
                has_message(kind, &format!("{start}{pretty}\n"), "quota exceeded");
            }
        }
    }
}

#[test]
fn the_message_of_an_error_without_a_form_is_kept() {
    for kind in crate::spoken() {
        for begins in [false, true] {
            let start = if begins { beginning(kind).concat() } else { String::new() };
            for error in [
                "event: error\ndata: quota exceeded\n\n",
                "event: error\ndata: \"quota exceeded\"\n\n",
                "data: quota exceeded\n\n",
                "quota exceeded",
                "Error: quota exceeded\n",
                "<html>\n<head><title>quota exceeded</title></head>\n</html>\n",
                "[error] quota exceeded\n",
                "event: error\ndata: {\"retryable\":false,\"cause\":\"quota exceeded\"}\n\n",
            ] {
                has_message(kind, &format!("{start}{error}"), "quota exceeded");
            }
        }
        // An answer that is only an object of an unknown kind.
        has_message(kind, "{\"foo\":\"quota exceeded\"}", "quota exceeded");
    }
}

#[test]
fn text_after_a_whole_answer_is_not_its_error() {
    let chat = |text: &str| {
        let stream = format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"role\":\"assistant\",\"content\":\"Hi\"}},\"finish_reason\":\"stop\"}}]}}\n\n{text}"
        );
        read(ProtocolKind::Chat, stream.as_bytes(), usize::MAX)
    };
    for text in ["bye\n", "x-request-id: 5\n\n", "data: bye\n\n"] {
        let outcome = chat(text);
        assert_eq!(outcome.report.count("foreign-error"), 0, "{text}");
        assert_eq!(outcome.report.end_reason, EndReason::Eof);
    }
    // A field that the standard ignores is not an error of a stream that breaks off.
    let outcome = read(
        ProtocolKind::AgUi,
        format!("x-request-id: 5\n\n{}", beginning(ProtocolKind::AgUi).concat()).as_bytes(),
        5,
    );
    assert_eq!(outcome.report.count("foreign-error"), 0);
}

#[test]
fn an_event_of_an_unknown_type_is_not_an_error() {
    for kind in crate::spoken() {
        for event in [
            r#"{"type":"telemetry","message":"all is well"}"#,
            r#"{"type":"telemetry","error":null,"detail":"x"}"#,
            r#"{"object":"telemetry","message":"all is well"}"#,
        ] {
            let stream = format!("{}data: {event}\n\n", beginning(kind).concat());
            let outcome = read(kind, stream.as_bytes(), usize::MAX);
            assert_eq!(outcome.report.count("foreign-error"), 0, "{}: {event}", kind.as_str());
        }
    }
}
