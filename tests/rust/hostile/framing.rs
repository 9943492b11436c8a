//! No value can end the event that contains it.

use agentwire::ag_kit::builder::StreamBuilder;
use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
use agentwire::agent_api::{ErrorInfo, Payload, RunStatus};
use agentwire::builder::Counter;
use agentwire::builder::WireEvent;
use agentwire::json::Value;

/// Texts that a parser of server-sent events or lines would treat as the end of an event.
const BREAKS: [&str; 6] =
    ["\n\nevent: evil\ndata: x", "\r\revent: evil", "\r\n\r\nid: 7", "\n", "\r", "\u{0}\n\n"];

fn assert_one_frame(event: &WireEvent) {
    let sse = event.to_sse();
    let data = sse.strip_prefix("data: ").and_then(|rest| rest.strip_suffix("\n\n"));
    assert!(data.is_some_and(|data| !data.contains(['\r', '\n'])), "{sse:?}");
}

/// Free JSON that contains the text in every position.
fn free(text: &str) -> Value {
    Value::from([
        (text, Value::from(text)),
        ("list", Value::Array(vec![Value::from(text), Value::from([(text, Value::Null)])])),
    ])
}

/// The one value that is written as it is.
fn number(text: &str) -> Value {
    Value::from([("n", Value::Number(format!("1{text}").into()))])
}

#[test]
fn an_agent_api_event_is_one_frame_for_any_text() {
    for text in BREAKS {
        let options =
            BuilderOptions::new(Counter::default(), || 0).session_id(text).response_id(text);
        let response = ResponseBuilder::new(options);
        let mut events = vec![response.created().unwrap(), response.in_progress().unwrap()];
        let message = response.create_message_builder("assistant", "message").unwrap();
        events.push(message.in_progress().unwrap());
        events.push(message.create_content_builder("text").unwrap().add_text_delta(text).unwrap());
        events.push(message.add_content(Payload::Data { data: Some(free(text)) }).unwrap());
        events.push(
            message.add_content(Payload::Image { image_url: Some(text.to_owned()) }).unwrap(),
        );
        let refused = message.add_content(Payload::Data { data: Some(number(text)) });
        assert_eq!(refused.unwrap_err().code, "not-a-number");
        assert_eq!(message.set_metadata(number(text)).unwrap_err().code, "not-a-number");
        assert_eq!(response.set_usage(number(text)).unwrap_err().code, "not-a-number");
        message.set_metadata(free(text)).unwrap();
        response.set_usage(free(text)).unwrap();
        events.extend(response.finish_with(RunStatus::Failed, Some(ErrorInfo::new(text, text))));
        events.iter().for_each(assert_one_frame);
    }
}

#[test]
fn an_ag_kit_event_is_one_frame_for_any_text() {
    for text in BREAKS {
        let mut turn = StreamBuilder::new();
        let mut events = vec![turn.text(text).unwrap()];
        events.push(turn.tool_call_start(text, text).unwrap());
        events.push(turn.tool_call_args(text, text).unwrap());
        events.push(turn.tool_call_end(text).unwrap());
        events.push(turn.tool_result(text, text).unwrap());
        let refused = turn.interrupt(text, Some(text), number(text));
        assert_eq!(refused.unwrap_err().code, "not-a-number");
        events.push(turn.interrupt(text, Some(text), free(text)).unwrap());
        events.extend(turn.finish_with(Some(text)));
        events.iter().for_each(assert_one_frame);
    }
}
