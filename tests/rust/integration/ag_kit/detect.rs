//! Which protocol a stream is.

use agentwire::Limits;
use agentwire::ProtocolKind;
use agentwire::ag_kit::events::Event;
use agentwire::json::Value;
use agentwire::read::{Detector, detect};

#[test]
fn ambiguous_events_are_skipped() {
    for data in [
        "",
        "nonsense",
        "[1]",
        "{}",
        "null",
        r#"{"type":"later"}"#,
        r#"{"type":5}"#,
        r#"{"object":"list"}"#,
    ] {
        assert_eq!(detect(data), None, "{data}");
    }
    let mut detector = Detector::new(Limits::default());
    assert_eq!(detector.push(b": ping\n\ndata: {}\n\ndata: {\"type\":\"te"), None);
    assert_eq!(detector.push(b"xt\",\"content\":\"\"}\n\n"), Some(ProtocolKind::AgKit));
    assert_eq!(
        detector.push(b"data: {\"object\":\"message\"}\n\n"),
        Some(ProtocolKind::AgKit),
        "it stays"
    );
}

#[test]
fn every_ag_kit_event_type_is_detected() {
    for event in [
        Event::Text { content: "".into() },
        Event::ToolCallStart { tool_call_id: "c".into(), tool_call_name: "f".into() },
        Event::ToolCallArgs { tool_call_id: "c".into(), delta: "".into() },
        Event::ToolCallEnd { tool_call_id: "c".into() },
        Event::ToolResult { tool_call_id: "c".into(), result: "".into() },
        Event::Interrupt { id: "i".into(), reason: None, payload: Value::Null },
        Event::Error { message: "e".into(), details: None },
        Event::UntypedError { message: "e".into(), details: Some("d".into()) },
    ] {
        assert_eq!(detect(&event.to_data()), Some(ProtocolKind::AgKit), "{event:?}");
    }
}

#[test]
fn an_end_marker_alone_detects_no_protocol() {
    assert_eq!(detect("[DONE]"), None);
    assert_eq!(detect(&Event::Done.to_data()), None);
}

#[test]
fn an_event_without_its_blank_line_is_detected_at_the_end() {
    let mut detector = Detector::new(Limits::default());
    assert_eq!(detector.push(b"data: {\"type\":\"RUN_STARTED\"}\n"), None);
    assert_eq!(detector.finish(), Some(ProtocolKind::AgUi));
}

#[test]
fn an_agent_api_object_takes_precedence_over_its_type() {
    assert_eq!(detect(r#"{"type":"text","object":"content"}"#), Some(ProtocolKind::AgentApi));
    assert_eq!(detect(r#"{"error":"x"}"#), Some(ProtocolKind::AgentApi));
    assert_eq!(detect(r#"{"error":"x","details":null}"#), Some(ProtocolKind::AgKit));
}
