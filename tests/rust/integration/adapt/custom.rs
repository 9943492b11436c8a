//! A protocol that only this test declares: lines of JSON, read and written through the hub.

use std::collections::BTreeMap;

use agentwire::a2a::hub::ToA2a;
use agentwire::ag_kit::hub::{FromAgKit, ToAgKit};
use agentwire::ag_ui::hub::ToAgUi;
use agentwire::agent_api::RunStatus;
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::agent_api::hub::ToAgentApi;
use agentwire::builder::Counter;
use agentwire::builder::WireEvent;
use agentwire::convert::Answer;
use agentwire::hub::steps::Lines;
use agentwire::hub::{
    EndStatus, EventOutput, FromHub, Hub, Losses, MediaKind, MessageEnd, MessageKind, Role, RunEnd,
    Step, ToHub, WriteOptions,
};
use agentwire::json::{Member, Value};
use agentwire::responses::hub::ToResponses;
use agentwire::sse::{Decoder, StreamItem, TrailingEvent};
use agentwire::{Limits, ag_kit};

use super::facts::{self, read};
use agentwire::ProtocolKind;

/// `{"say":…}`, `{"think":…}`, `{"call":id,"tool":…}`, `{"call":id,"more":…}`,
/// `{"call":id,"done":true}`, `{"result":…,"of":id}`, `{"ask":id,"about":…}`, `{"end":null}` or
/// `{"end":"what went wrong"}`.
#[derive(Debug, Default)]
struct FromChat {
    /// The last message, which a text continues until another event arrives.
    message: u32,
    speaks: Option<bool>,
    calls: BTreeMap<String, u32>,
}

impl FromChat {
    fn next(&mut self, hub: &mut Hub<'_>) -> u32 {
        if self.speaks.take().is_some() {
            hub.emit(&Step::Close {
                message: self.message,
                end: &MessageEnd::new(EndStatus::Completed),
            });
        }
        self.message += 1;
        self.message
    }

    fn speak(&mut self, thinks: bool, hub: &mut Hub<'_>) -> u32 {
        if self.speaks != Some(thinks) {
            let message = self.next(hub);
            let kind = if thinks { MessageKind::Reasoning } else { MessageKind::Message };
            hub.emit(&Step::open(message, kind, Role::Assistant, None));
            self.speaks = Some(thinks);
        }
        self.message
    }
}

impl ToHub for FromChat {
    type Event<'e> = &'e str;

    fn feed(&mut self, line: &str, hub: &mut Hub<'_>) {
        let read = Value::parse(line, 64).unwrap_or_default();
        let text = |name: &str| read.get(name).and_then(Value::as_str);
        let part = 0;
        if let Some(piece) = text("say") {
            let message = self.speak(false, hub);
            hub.emit(&Step::Text { message, part, piece });
        } else if let Some(piece) = text("think") {
            let message = self.speak(true, hub);
            hub.emit(&Step::reasoning(message, part, piece));
        } else if let (Some(id), Some(name)) = (text("call"), text("tool")) {
            let message = self.next(hub);
            self.calls.insert(id.to_owned(), message);
            hub.emit(&Step::call(message, part, id, name, &[]));
        } else if let Some(&message) = text("call").and_then(|id| self.calls.get(id)) {
            match text("more") {
                Some(piece) => hub.emit(&Step::Arguments { message, part, piece }),
                None => {
                    hub.emit(&Step::Close { message, end: &MessageEnd::new(EndStatus::Completed) });
                }
            }
        } else if let (Some(output), Some(id)) = (text("result"), text("of")) {
            let message = self.next(hub);
            hub.emit(&Step::result(message, part, id, output));
        } else if let (Some(id), Some(payload)) = (text("ask"), read.get("about")) {
            let message = self.next(hub);
            hub.emit(&Step::interrupt(message, part, id, None, payload));
        } else if let Some(error) = read.get("end") {
            hub.emit(&Step::End(&match error.as_str() {
                Some(error) => RunEnd::failed(None, error),
                None => RunEnd::new(EndStatus::Completed),
            }));
        } else {
            hub.lose("unknown-line", line, "the chat protocol has no such line");
        }
    }

    fn finish(&mut self, _: bool, _: &mut Hub<'_>) {}
}

#[derive(Debug, Default)]
struct ToChat {
    /// The call of each part.
    calls: BTreeMap<(u32, u32), String>,
}

impl FromHub for ToChat {
    type Event = String;

    fn feed(&mut self, event: &Step<'_>, out: &mut EventOutput<'_, String>) {
        let line = |members: &[(&str, &str)]| {
            let member =
                |(key, value): &(&str, &str)| Member { key: (*key).into(), value: (*value).into() };
            Value::Object(members.iter().map(member).collect()).to_json() + "\n"
        };
        match *event {
            Step::Text { piece, .. } => out.emit(line(&[("say", piece)])),
            Step::Reasoning { piece, .. } => out.emit(line(&[("think", piece)])),
            Step::Call { message, part, id, name, .. } => {
                self.calls.insert((message, part), id.to_owned());
                out.emit(line(&[("call", id), ("tool", name)]));
            }
            Step::Arguments { message, part, piece } => {
                out.emit(line(&[("call", &self.calls[&(message, part)]), ("more", piece)]));
            }
            Step::EndPart { message, part, whole: true } => {
                if let Some(id) = self.calls.get(&(message, part)) {
                    out.emit(line(&[("call", id), ("done", "yes")]));
                }
            }
            Step::Result { id, output, .. } => out.emit(line(&[("result", output), ("of", id)])),
            Step::Interrupt { id, payload, .. } => {
                let ask = Value::from([("ask", id.into()), ("about", payload.clone())]);
                out.emit(ask.to_json() + "\n");
            }
            Step::End(end) => match &end.error {
                Some(error) => out.emit(line(&[("end", &error.message)])),
                None => out.emit("{\"end\":null}\n".to_owned()),
            },
            _ => {}
        }
    }
}

const CHAT: &str = "\
{\"think\":\"Hm.\"}\r\n\
{\"say\":\"I \"}\n\
{\"say\":\"look.\"}\n\
{\"call\":\"1\",\"tool\":\"weather\"}\n\
{\"call\":\"1\",\"more\":\"{\\\"city\\\":\"}\n\
{\"call\":\"1\",\"more\":\"\\\"北京\\\"}\"}\n\
{\"call\":\"1\",\"done\":true}\n\
{\"result\":\"sunny\",\"of\":\"1\"}\n\
\n\
{\"gibberish\":1}\n\
{\"say\":\"Sunny.\"}\n\
{\"end\":null}";

/// Everything that a chat, which arrives in chunks of that size, is converted to.
fn convert<T: FromHub>(chat: &str, size: usize, target: T) -> (Vec<T::Event>, T, Losses) {
    let mut lines = Lines::new(&Limits::default());
    let mut then = FromChat::default().then(target);
    let mut events = Vec::new();
    for chunk in chat.as_bytes().chunks(size) {
        lines.push(chunk, &mut |line| then.feed(line, |event| events.push(event)));
    }
    lines.finish(&mut |line| then.feed(line, |event| events.push(event)));
    then.finish(false, |event| events.push(event));
    let (_, target, losses) = then.into_parts();
    (events, target, losses)
}

#[test]
fn a_custom_protocol_is_read_and_folded() {
    for size in [1, 7, 1000] {
        let (_, answer, losses) = convert(CHAT, size, Answer::new());
        let outcome = answer.finish();
        assert_eq!(outcome.report.total(), 0, "{:?}", outcome.report);
        let types: Vec<_> =
            outcome.snapshot.response.output.iter().map(|m| m.r#type.as_str()).collect();
        assert_eq!(
            types,
            ["reasoning", "message", "function_call", "function_call_output", "message"]
        );
        let facts = facts::of_agent_api(&outcome.snapshot, &outcome.report);
        assert_eq!(facts.text, "I look.Sunny.");
        assert_eq!(
            facts.calls,
            [("1".to_owned(), "weather".to_owned(), "{\"city\":\"北京\"}".to_owned())]
        );
        assert_eq!(facts.results["1"], "sunny");
        assert_eq!(facts.status, facts::Status::Completed);
        assert_eq!(losses.counts(), [("unknown-line", 1)]);
    }
}

#[test]
fn a_custom_protocol_is_converted_to_built_in_ones() {
    let (events, _, losses) = convert(CHAT, 3, ToAgKit::new());
    let stream: String = events.iter().map(|event| event.to_sse()).collect();
    let (facts, report) = read(ProtocolKind::AgKit, stream.as_bytes());
    assert_eq!(report.total(), 0);
    assert_eq!((facts.text.as_str(), facts.results["1"].as_str()), ("I look.Sunny.", "sunny"));
    assert_eq!(losses.count("reasoning"), 1);
    assert!(stream.ends_with("data: [DONE]\n\n"));
}

#[test]
fn a_truncated_custom_stream_ends_as_incomplete() {
    for lines in 0..CHAT.lines().count() {
        let cut: String = CHAT.split_inclusive('\n').take(lines).collect();
        let (_, answer, _) = convert(&cut, 10, Answer::new());
        let outcome = answer.finish();
        let broken = outcome.report.violations.iter().filter(|v| v.rule.id != "arguments-not-json");
        assert_eq!(broken.count(), 0, "{cut}");
        assert_eq!(outcome.snapshot.response.status, RunStatus::Incomplete);
    }
}

#[test]
fn recorded_streams_round_trip_through_a_custom_protocol() {
    let mut tried = 0;
    for case in agentwire_cases::select("ag-kit", agentwire_cases::Kind::Read) {
        let bytes = case.stream();
        let source =
            FromAgKit::new(ag_kit::AgKit::default(), &agentwire::read::ReadOptions::default());
        let (mut there, mut chat) = (source.then(ToChat::default()), String::new());
        let mut decoder = Decoder::new(Limits::default());
        let mut feed = |item: StreamItem<'_>| {
            if let StreamItem::Event(event) = item {
                there.feed(&event, |line| chat += &line);
            }
        };
        decoder.push(&bytes, &mut feed);
        decoder.finish(TrailingEvent::Lenient, &mut feed);
        there.finish(false, |line| chat += &line);
        let (said, report) = read(ProtocolKind::AgKit, &bytes);
        // The chat supports only the ends completed and failed, no truncation and no second result.
        let plain = said.status == facts::Status::Completed && report.total() == 0;
        if !plain {
            continue;
        }
        tried += 1;
        let (events, _, losses) = convert(&chat, 16, ToAgKit::new());
        let back: String = events.iter().map(|event| event.to_sse()).collect();
        assert_eq!(said, read(ProtocolKind::AgKit, back.as_bytes()).0, "{case}: {chat}");
        assert!(losses.is_empty(), "{}", losses.to_json());
    }
    assert!(tried >= 10, "{tried}");
}

/// One image, whose bytes are streamed.
struct Camera;

impl ToHub for Camera {
    type Event<'e> = ();

    fn feed(&mut self, (): (), hub: &mut Hub<'_>) {
        for piece in ["iVBO", "Rw0K"] {
            let (kind, media_type) = (MediaKind::Image, Some("image/gif"));
            hub.emit(&Step::Media { message: 1, part: 0, kind, piece, media_type });
        }
        hub.emit(&Step::EndPart { message: 1, part: 0, whole: true });
        hub.emit(&Step::End(&RunEnd::new(EndStatus::Completed)));
    }

    fn finish(&mut self, _aborted: bool, _hub: &mut Hub<'_>) {}
}

#[test]
fn a_streamed_image_is_complete_in_every_target() {
    fn written(target: impl FromHub<Event = WireEvent>) -> String {
        let (mut seen, mut all) = (Camera.then(target), String::new());
        seen.feed((), |event| all += &event.into_json());
        assert!(seen.losses().is_empty(), "{}", seen.losses().to_json());
        all
    }
    let options = || WriteOptions::new(Counter::default());
    let url = r#""data:image/gif;base64,iVBORw0K""#;
    assert!(written(ToAgUi::new(options())).contains(&["\"image_url\":", url].concat()));
    assert!(written(ToA2a::new(options())).contains(r#""raw":"iVBORw0K","mediaType":"image/gif""#));
    assert!(written(ToResponses::new(options())).contains(r#""result":"iVBORw0K""#));
    let api = BuilderOptions::new(Counter::default(), || 0);
    assert!(written(ToAgentApi::new(api)).contains(&["\"image_url\":", url].concat()));
}
