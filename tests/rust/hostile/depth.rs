//! JSON as deep as it is ever read: nothing that walks it runs out of stack, not even in a build
//! for debugging.

use agentwire::ProtocolKind;
use agentwire::ag_kit::AgKit;
use agentwire::ag_kit::request::SendMessageInput;
use agentwire::agent_api::AgentApi;
use agentwire::agent_api::request::AgentRequest;
use agentwire::json::{Value, partial};
use agentwire::read::ReadOptions;
use agentwire::{Limits, Reader};

const DEEPEST: usize = Limits::DEEPEST as usize;

/// Nests `inner` in the given number of objects.
fn nested(depth: usize, inner: &str) -> String {
    format!("{}{inner}{}", "{\"a\":".repeat(depth), "}".repeat(depth))
}

fn options() -> ReadOptions {
    let mut options = ReadOptions::default();
    options.limits.json_depth = u32::MAX;
    options
}

/// One level of a stream's own is around data, two around that of a message.
fn content(delta: bool, data: &str) -> String {
    format!(
        r#"data: {{"object":"content","type":"data","msg_id":"m","index":0,"delta":{delta},"status":"in_progress","data":{data}}}"#
    ) + "\n\n"
}

#[test]
fn agent_api_at_the_maximum_depth() {
    for delta in [true, false] {
        let mut reader = Reader::with_options(AgentApi::default(), options());
        for inner in ["1", "2", "\"text\""] {
            reader.push(content(delta, &nested(DEEPEST - 1, inner)).as_bytes());
        }
        reader.push(content(delta, &nested(DEEPEST, "1")).as_bytes());
        let outcome = reader.finish();
        assert_eq!(outcome.report.count("malformed-event"), 1);
        let copy = outcome.snapshot.clone();
        let json = copy.response.to_json(agentwire::agent_api::Style::Wire);
        assert_eq!(json.matches("{\"a\":").count(), DEEPEST - 1);
    }
}

#[test]
fn ag_kit_at_the_maximum_depth() {
    let mut reader = Reader::with_options(AgKit::default(), options());
    for depth in [DEEPEST - 1, DEEPEST] {
        let payload = nested(depth, "1");
        reader.push(
            format!("data: {{\"type\":\"interrupt\",\"id\":\"i\",\"payload\":{payload}}}\n\n")
                .as_bytes(),
        );
    }
    let outcome = reader.finish();
    assert_eq!((outcome.snapshot.parts.len(), outcome.report.count("malformed-event")), (1, 1));
}

#[test]
fn values_and_requests_at_the_maximum_depth() {
    let deep = nested(DEEPEST, "1");
    let value = Value::parse(&deep, u32::MAX).unwrap();
    assert_eq!(value.clone().to_json(), deep);
    assert_eq!(value, value.clone());
    assert!(Value::parse(&nested(DEEPEST + 1, "1"), u32::MAX).is_err());
    assert!(partial(&nested(DEEPEST, "1"), u32::MAX).complete);
    assert!(!partial(&nested(1_000_000, "1"), u32::MAX).complete);
    let mut limits = Limits::default();
    limits.json_depth = u32::MAX;
    for body in [nested(DEEPEST, "1"), "[".repeat(1_000_000)] {
        let input = format!(
            r#"{{"input":[{{"role":"user","content":[{{"type":"data","data":{body}}}]}}]}}"#
        );
        assert!(AgentRequest::parse_within(&input, &limits).is_err());
        let messages = format!(
            r#"{{"conversationId":"c","messages":[],"resume":{{"interruptId":"i","payload":{body}}}}}"#
        );
        assert!(SendMessageInput::parse_within(&messages, &limits).is_err());
    }
}

/// A converter may have to write everything that a source contains.
#[test]
fn conversions_at_the_maximum_depth() {
    use agentwire::agent_api::builder;
    use agentwire::convert::{ConvertOptions, Converter};
    for (from, stream) in [
        (ProtocolKind::AgentApi, content(false, &nested(DEEPEST - 1, "1"))),
        (
            ProtocolKind::AgKit,
            format!(
                "data: {{\"type\":\"interrupt\",\"id\":\"i\",\"payload\":{}}}\n\n",
                nested(DEEPEST - 1, "1")
            ),
        ),
    ] {
        for to in [ProtocolKind::AgentApi, ProtocolKind::AgKit] {
            let mut options = ConvertOptions::new(builder::BuilderOptions::new(
                agentwire::builder::Counter::default(),
                || 0,
            ));
            options.read.options.limits.json_depth = u32::MAX;
            let mut converter = Converter::new(from, to, options).unwrap();
            let mut out = String::new();
            converter.push(stream.as_bytes(), &mut out);
            converter.finish(&mut out);
            assert!(!out.is_empty());
        }
    }
}
