//! U+0085, U+2028 and U+2029 are always written as escapes: some readers treat them as line ends
//! and lose the event. The text that is read is the same.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

use agentwire::ProtocolKind;
use agentwire::ag_kit::events::Event;
use agentwire::ag_kit::request::SendMessageInput;
use agentwire::ag_kit::{self, AgKit};
use agentwire::agent_api::builder::{self, ResponseBuilder};
use agentwire::agent_api::request::{AgentRequest, InputContent, InputMessage};
use agentwire::agent_api::{
    AgentApi, Content, ErrorInfo, Message, MessageType, Payload, Role, RunStatus, Style,
};
use agentwire::builder::Counter;
use agentwire::convert::{ConversionSide, ConvertOptions, Converter, convert_typed};
use agentwire::hub::Losses;
use agentwire::json::{Member, ObjectWriter, Value, write_string};
use agentwire::write::EventWriter;
use agentwire::{Reader, agent_api};
use proptest::prelude::*;

const SEPARATORS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// Texts with these characters and with characters whose bytes begin alike.
fn text() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(
        &[
            "\u{85}",
            "\u{2028}",
            "\u{2029}",
            "\u{84}",
            "\u{86}",
            "\u{202a}",
            "\u{2027}",
            "–",
            "“",
            "\u{20a8}",
            "\u{a8}",
            "\\",
            "\"",
            "\n",
            "\\u2028",
            "a",
            "你",
            "😀",
            "0123456789abcdef",
        ][..],
    );
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn is_clean(text: &str) -> bool {
    !text.contains(SEPARATORS)
}

fn options() -> builder::BuilderOptions {
    builder::BuilderOptions::new(Counter::default(), || 0)
}

/// A run in which every text is this one.
fn run(text: &str) -> String {
    let data =
        Value::from([(text, Value::Array(vec![text.into(), Value::from([(text, text.into())])]))]);
    let response = ResponseBuilder::new(options().session_id(text).response_id(text));
    let mut events = vec![response.created().unwrap(), response.in_progress().unwrap()];
    let message = response.create_message_builder("assistant", text).unwrap();
    message.set_metadata(data.clone()).unwrap();
    message.set_usage(data.clone()).unwrap();
    message.set_error(text, text).unwrap();
    events.push(message.in_progress().unwrap());
    let content = message.create_content_builder("text").unwrap();
    events.extend([content.add_delta(text).unwrap(), content.add_delta(text).unwrap()]);
    let refusal = message.create_content_builder("refusal").unwrap();
    events.push(refusal.add_refusal_delta(text).unwrap());
    let object = message.create_content_builder("data").unwrap();
    events.push(object.set_data(data.clone()).unwrap());
    events.push(object.add_data_delta(data).unwrap());
    events.extend(message.finish_with(RunStatus::Completed, None));
    let mut foreign = Message::new("foreign", MessageType::Message, Some(Role::Assistant));
    foreign.status = RunStatus::Completed;
    foreign.extra = vec![Member { key: ["x", text].concat(), value: text.into() }];
    foreign.content =
        vec![Content::new("", 0, Payload::Image { image_url: Some(text.to_owned()) })];
    events.extend(response.add_message(foreign).unwrap());
    events.extend(response.finish_with(RunStatus::Failed, Some(ErrorInfo::new(text, text))));
    events.iter().map(|event| event.to_sse()).collect()
}

/// The same text in an AG-Kit turn.
fn turn(text: &str) -> String {
    let mut out = EventWriter::new(AgKit::default()).unwrap();
    let id = || text.into();
    let events = [
        Event::Text { content: id() },
        Event::ToolCallStart { tool_call_id: id(), tool_call_name: id() },
        Event::ToolCallArgs { tool_call_id: id(), delta: id() },
        Event::ToolCallEnd { tool_call_id: id() },
        Event::ToolResult { tool_call_id: id(), result: id() },
        Event::Interrupt {
            id: id(),
            reason: Some(id()),
            payload: Value::from([(text, text.into())]),
        },
        Event::Error { message: id(), details: None },
        Event::Done,
    ];
    events.iter().map(|event| out.write(event).unwrap().into_sse()).collect()
}

/// The stream with the three as they are, as real servers send them.
fn raw(stream: &str) -> String {
    stream
        .replace("\\u0085", "\u{85}")
        .replace("\\u2028", "\u{2028}")
        .replace("\\u2029", "\u{2029}")
}

fn read_agent_api(stream: &str) -> agent_api::Snapshot {
    let mut reader = Reader::new(AgentApi::default());
    reader.push(stream.as_bytes());
    reader.finish().snapshot
}

fn read_ag_kit(stream: &str) -> ag_kit::Snapshot {
    let mut reader = Reader::new(AgKit::default());
    reader.push(stream.as_bytes());
    reader.finish().snapshot
}

proptest! {
    #![proptest_config(crate::cases(200))]

    #[test]
    fn written_events_escape_line_separators(text in text()) {
        let stream = run(&text);
        prop_assert!(is_clean(&stream), "{stream}");
        let response = read_agent_api(&stream).response;
        prop_assert_eq!(response.output[0].text(), text.repeat(2));
        prop_assert_eq!(response.output[0].metadata.as_ref().unwrap().get(&text).is_some(), true);
        prop_assert_eq!(&response.error.unwrap().message, &text);

        let stream = turn(&text);
        prop_assert!(is_clean(&stream), "{stream}");
        let turn = read_ag_kit(&stream);
        prop_assert_eq!(turn.text(), text.clone());
        prop_assert_eq!(turn.tool_calls().next().unwrap().result.as_ref(), Some(&text));
        prop_assert_eq!(turn.interrupts().next().unwrap().reason.as_ref(), Some(&text));
    }

    #[test]
    fn conversions_escape_line_separators(text in text()) {
        // `raw` would treat the letters after an escaped backslash as an escape, so these texts
        // have no backslash.
        let text = text.replace('\\', "/");
        for (from, stream) in [(ProtocolKind::AgentApi, raw(&run(&text))), (ProtocolKind::AgKit, raw(&turn(&text)))] {
            prop_assert_eq!(is_clean(&stream), is_clean(&text));
            for to in [ConversionSide::Protocol(ProtocolKind::AgentApi), ConversionSide::Protocol(ProtocolKind::AgKit), ConversionSide::Steps] {
                let mut converter = Converter::new(from, to, ConvertOptions::new(options())).unwrap();
                let mut out = String::new();
                converter.push(stream.as_bytes(), &mut out);
                converter.finish(&mut out);
                prop_assert!(is_clean(&out), "{from:?} to {to:?}: {out}");
                match to {
                    ConversionSide::Protocol(ProtocolKind::AgKit) => {
                        prop_assert!(read_ag_kit(&out).text().contains(&text));
                    }
                    ConversionSide::Protocol(_) => {
                        let said = read_agent_api(&out).response.output.iter().any(|message| message.text().contains(&text));
                        prop_assert!(said);
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn requests_escape_line_separators(text in text()) {
        let mut message = InputMessage::user(&text);
        message.metadata = Some(Value::from([(text.as_str(), text.as_str().into())]));
        message.extra.push(Member { key: ["x", &text].concat(), value: text.as_str().into() });
        message.content.as_mut().unwrap().push(InputContent::text(&text));
        let mut request = AgentRequest::new(vec![message]);
        request.session_id = Some(text.clone());
        request.extra.push(Member { key: ["x", &text].concat(), value: text.as_str().into() });
        for style in [Style::Wire, Style::Compact] {
            let json = request.to_json(style);
            prop_assert!(is_clean(&json), "{json}");
            prop_assert_eq!(AgentRequest::parse(&json).unwrap().session_id, Some(text.clone()));
        }
        let sent: SendMessageInput = convert_typed(&request, &mut Counter::default(), &mut Losses::default()).unwrap();
        let json = sent.to_json().unwrap();
        prop_assert!(is_clean(&json), "{json}");
        let id = SendMessageInput::parse(&json).unwrap().conversation_id;
        // An empty id would be the conversation of everybody.
        prop_assert_eq!(id, if text.is_empty() { "conversation_1".to_owned() } else { text });
    }

    #[test]
    fn copied_json_escapes_line_separators(text in text()) {
        let mut json = String::new();
        write_string(&text, &mut json);
        prop_assert!(is_clean(&json), "{json}");
        prop_assert_eq!(Value::parse(&json, 1).unwrap(), Value::from(text.as_str()));
        // JSON of another writer, which contains them unescaped.
        let raw = serde_json::to_string(&text).unwrap();
        let data = format!("{{\"type\":\"later\",{raw}:{raw}}}");
        let written = Event::decode(&data, 8).unwrap().to_data();
        prop_assert!(is_clean(&written), "{written}");
        prop_assert_eq!(Value::parse(&written, 8).unwrap(), Value::parse(&data, 8).unwrap());
        let document = agentwire::json::Document::read(&raw, 8).unwrap();
        let mut out = String::new();
        let mut object = ObjectWriter::open(&mut out, false);
        object.raw(&text, Some(document.root().raw()));
        object.close();
        prop_assert!(is_clean(&out), "{out}");
        prop_assert_eq!(Value::parse(&out, 8).unwrap(), Value::from([(text.as_str(), text.as_str().into())]));
    }
}
