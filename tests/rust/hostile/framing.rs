//! No value can end the event that contains it.

use agentwire::ag_kit::{AgKit, events::Event};
use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
use agentwire::agent_api::{ErrorInfo, Payload, RunStatus};
use agentwire::builder::Counter;
use agentwire::builder::WireEvent;
use agentwire::json::Value;
use agentwire::write::EventWriter;

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
        let mut turn = EventWriter::new(AgKit::default()).unwrap();
        let id = || text.into();
        let mut events: Vec<_> = [
            Event::Text { content: id() },
            Event::ToolCallStart { tool_call_id: id(), tool_call_name: id() },
            Event::ToolCallArgs { tool_call_id: id(), delta: id() },
            Event::ToolCallEnd { tool_call_id: id() },
            Event::ToolResult { tool_call_id: id(), result: id() },
            Event::Interrupt { id: id(), reason: Some(id()), payload: free(text) },
            Event::Error { message: id(), details: None },
        ]
        .iter()
        .map(|event| turn.write(event).unwrap())
        .collect();
        events.extend(turn.finish().unwrap());
        events.iter().for_each(assert_one_frame);
    }
}
