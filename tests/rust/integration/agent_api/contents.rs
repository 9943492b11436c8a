//! Every content type of the model is read, parsed in requests, written, converted to steps and
//! converted. A declared type that is missing in one of them fails here.

use agentwire::ProtocolKind;
use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
use agentwire::agent_api::request::InputMessage;
use agentwire::agent_api::{
    AgentApi, ContentType, MODEL, Message, MessageType, Role, Snapshot, Style,
};
use agentwire::builder::Counter;
use agentwire::internals::declare::model::shape::ValueShape;
use agentwire::json::Value;
use agentwire::{Outcome, Reader};

use crate::adapt::facts::convert;

/// A type and its own members, each with a value that is found again.
struct Declared {
    name: &'static str,
    members: Vec<(&'static str, Value)>,
}

const MARK: &str = "https://example.test/mark";

fn declared() -> Vec<Declared> {
    let union = MODEL.unions.iter().find(|union| union.other.is_some()).expect("an open union");
    let types = union.variants.iter().map(|(name, object)| {
        let value = |shape| match shape {
            ValueShape::Nullable(ValueShape::Text) => Value::from(MARK),
            ValueShape::Nullable(ValueShape::JsonObject) => {
                Value::from([("mark", Value::from(MARK))])
            }
            other => panic!("{name}: what is an example of {other:?}?"),
        };
        let members = object.members.iter().map(|member| (member.name, value(member.shape)));
        Declared { name, members: members.collect() }
    });
    let types: Vec<_> = types.collect();
    let names: Vec<_> = types.iter().map(|declared| declared.name).collect();
    assert_eq!(names, ContentType::NAMES);
    types
}

impl Declared {
    /// The members as JSON, after other ones.
    fn json(&self, before: &str) -> String {
        let own =
            self.members.iter().map(|(name, value)| format!(",\"{name}\":{}", value.to_json()));
        format!("{{{before}\"type\":\"{}\"{}}}", self.name, own.collect::<String>())
    }

    /// Asserts that the first content of a snapshot is the sent one.
    fn is_in(&self, outcome: &Outcome<Snapshot>, how: &str) {
        let said = Value::parse(&outcome.snapshot.response.to_json(Style::Compact), 64).unwrap();
        let Some(Value::Array(messages)) = said.get("output") else { panic!("{said:?}") };
        let mut contents = messages.iter().filter_map(|message| match message.get("content") {
            Some(Value::Array(contents)) => contents.first(),
            _ => None,
        });
        let content =
            contents.next().unwrap_or_else(|| panic!("{}, {how}: {}", self.name, said.to_json()));
        assert_eq!(content.get("type").and_then(Value::as_str), Some(self.name), "{how}");
        for (name, value) in &self.members {
            assert_eq!(content.get(name), Some(value), "{}, {how}: {name}", self.name);
        }
        assert!(
            outcome.report.violations.is_empty(),
            "{}, {how}: {:?}",
            self.name,
            outcome.report.violations
        );
    }
}

fn read(stream: &str) -> Outcome<Snapshot> {
    let mut reader = Reader::new(AgentApi::default());
    reader.push(stream.as_bytes());
    reader.finish()
}

fn options() -> BuilderOptions {
    BuilderOptions::new(Counter::default(), || 0)
}

/// A run with one content.
fn stream(declared: &Declared) -> String {
    let content = declared.json(
        r#""sequence_number":3,"object":"content","status":"completed","index":0,"delta":false,"msg_id":"m","#,
    );
    let message = |number: u32, status: &str, content: &str| {
        format!(
            r#"{{"sequence_number":{number},"object":"message","status":"{status}","id":"m","type":"message","role":"assistant","content":{content}}}"#
        )
    };
    let response = |number: u32, status: &str, output: &str| {
        format!(
            r#"{{"sequence_number":{number},"object":"response","status":"{status}","id":"r","completed_at":{number},"output":{output}}}"#
        )
    };
    let whole = message(4, "completed", &format!("[{content}]"));
    let events = [
        response(0, "created", "null"),
        response(1, "in_progress", "null"),
        message(2, "in_progress", "null"),
        content.clone(),
        whole.clone(),
        response(5, "completed", &format!("[{whole}]")),
    ];
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

#[test]
fn each_content_type_is_read() {
    for declared in declared() {
        declared.is_in(&read(&stream(&declared)), "read");
    }
}

#[test]
fn each_content_type_is_parsed_and_written_in_requests() {
    for declared in declared() {
        let json = format!(r#"{{"role":"user","content":[{}]}}"#, declared.json(""));
        let message = InputMessage::parse(&json).unwrap_or_else(|error| panic!("{json}: {error}"));
        let written = Value::parse(&message.to_json(Style::Compact), 64).unwrap();
        for (name, value) in &declared.members {
            let Some(Value::Array(contents)) = written.get("content") else {
                panic!("{written:?}")
            };
            assert_eq!(contents[0].get(name), Some(value), "{json}: {name}");
        }
        let message: Message = message.into();
        let payload = message.content.into_iter().next().expect("a content").payload;
        assert_eq!(payload.tag(), declared.name);

        let response = ResponseBuilder::new(options());
        let builder =
            response.create_message_builder(Role::Assistant, MessageType::Message).unwrap();
        let events = [
            response.created().unwrap(),
            response.in_progress().unwrap(),
            builder.in_progress().unwrap(),
            builder.add_content(payload).unwrap(),
            builder.complete().unwrap(),
            response.completed().unwrap(),
        ];
        let stream: String = events.iter().map(|event| event.to_sse()).collect();
        declared.is_in(&read(&stream), "written");
    }
}

#[test]
fn each_content_type_is_converted_or_reported_as_a_loss() {
    for declared in declared() {
        for to in crate::written() {
            let (out, losses) =
                convert(ProtocolKind::AgentApi, to, [stream(&declared).as_bytes()], false);
            let lost: Vec<_> = losses.counts().iter().map(|(what, _)| *what).collect();
            let said = out.contains(MARK) || !lost.is_empty();
            assert!(
                said,
                "{} to {}: neither written nor reported as lost: {out}",
                declared.name,
                to.as_str()
            );
            if to == ProtocolKind::AgentApi {
                assert_eq!(lost, [""; 0], "{}", declared.name);
                declared.is_in(&read(&out), "converted to itself");
            }
        }
    }
}
