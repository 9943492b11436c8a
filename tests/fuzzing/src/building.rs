//! The builders of the Agent API, driven by a list of calls.

use agentwire::agent_api::builder::{ContentBuilder, MessageBuilder, Options, ResponseBuilder, WireEvent};
use agentwire::agent_api::{
    AgentApi, Content, ErrorInfo, Message, Payload, Response, RunStatus, Snapshot, Style,
};
use agentwire::id::Counter;
use agentwire::json::{Member, Value};
use agentwire::read::{self, Mode};
use agentwire::{Ended, Misuse, Reader};

use crate::corpus::Corpus;
use crate::tape::Tape;

/// - Whatever is called in whatever order, the events that were made, with those of `finish_with`, are a stream in which
///   a strict reader finds nothing wrong (a step that is not refused, a value that reads differently when it is
///   complete).
/// - The reader's answer has what the builder says it has made (an event that says less than the builder knows).
/// - A call that is refused says what to call instead, and changes nothing (a number or an index that is used up).
pub fn check(input: &[u8]) {
    let mut program = Program::new(Tape(input));
    program.begin();
    while !program.tape.is_done() && program.events.len() < 400 {
        let before = program.response.get_response_data();
        match program.call() {
            Ok(events) => program.events.extend(events),
            Err(misuse) => {
                assert!(!misuse.problem.is_empty() && !misuse.instead.is_empty(), "{misuse}");
                assert_eq!(program.response.get_response_data(), before, "{misuse}");
            }
        }
    }
    let (status, error) = (program.status(), program.error());
    program.events.extend(program.response.finish_with(status, error));
    assert!(program.response.is_ended());
    let snapshot = read(&program.events, program.numbering);
    compare(&snapshot.response, &program.response.get_response_data(), &program.events);
}

/// Programs of every length; what they call is as good as random.
pub fn seeds(corpus: &Corpus) -> Vec<Vec<u8>> {
    let noise = |seed: usize| {
        let mut state = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let numbers = std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 24) as u8
        });
        numbers.take(8 + 12 * (seed % 40)).collect()
    };
    (1..=corpus.agent_api.len()).map(noise).collect()
}

/// A value that is set is the whole value so far, which is legal and noted; what tools say is the caller's.
const FREE: &[&str] = &["snapshot", "output-without-call", "arguments-not-json", "approval-without-request"];

fn read(events: &[WireEvent], numbering: bool) -> Snapshot {
    let text: String = events.iter().map(WireEvent::to_sse).collect();
    let mut options = read::Options::default();
    options.mode = Mode::Strict;
    let mut protocol = AgentApi::default();
    protocol.keep_heartbeats = true;
    let mut reader = Reader::with(protocol, options);
    reader.push(text.as_bytes());
    let outcome = reader.finish();
    let usual = |rule: &str| FREE.contains(&rule) || rule == "sequence-number" && !numbering;
    let wrong: Vec<_> =
        outcome.report.violations.iter().filter(|violation| !usual(violation.rule.id)).collect();
    assert!(wrong.is_empty(), "{wrong:#?} in\n{text}");
    assert_eq!(outcome.report.ended, Ended::Terminal, "{text}");
    assert_eq!(outcome.report.events as usize, events.len(), "{text}");
    outcome.snapshot
}

/// Everything but the numbers of the events, and the messages that no event has said.
fn compare(heard: &Response, made: &Response, events: &[WireEvent]) {
    assert_eq!((&heard.id, &heard.status, &heard.error), (&made.id, &made.status, &made.error));
    // An empty session is none to a reader.
    let session = made.session_id.as_ref().filter(|id| !id.is_empty());
    assert_eq!((heard.session_id.as_ref(), &heard.usage), (session, &made.usage));
    for message in &made.output {
        match heard.output.iter().find(|heard| heard.id == message.id) {
            Some(heard) => {
                let [heard, made] = [heard, message].map(|message| json(&message.to_json(Style::Wire)));
                assert!(agrees(&heard, &made), "{}\nfor\n{}", heard.to_json(), made.to_json());
            }
            None => {
                let says = |event: &WireEvent| {
                    let event = json(event.json());
                    let is = |name: &str, text: &str| event.get(name).and_then(Value::as_str) == Some(text);
                    is("object", "message") && is("id", &message.id)
                };
                assert!(!events.iter().any(says), "{message:?}");
            }
        }
    }
    for message in &heard.output {
        assert!(made.output.iter().any(|made| made.id == message.id), "{message:?}");
    }
}

/// Whether a reader has what the builder has. What is empty (null, `""`, `{}`) erases nothing on the wire (R29), so where a
/// caller has taken a value back, the reader keeps it.
fn agrees(heard: &Value, made: &Value) -> bool {
    const FREE: &[&str] = &["data", "metadata", "usage"];
    let same = |member: &Member| match heard.get(&member.key) {
        Some(heard) if FREE.contains(&member.key.as_str()) => {
            is_empty(&member.value) || *heard == member.value
        }
        Some(heard) => member.key == "sequence_number" || agrees(heard, &member.value),
        None => false,
    };
    match (heard, made) {
        (_, made) if is_empty(made) => true,
        (_, Value::Object(members)) => members.iter().all(same),
        (Value::Array(heard), Value::Array(made)) => {
            heard.len() == made.len() && heard.iter().zip(made).all(|(heard, made)| agrees(heard, made))
        }
        _ => heard == made,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn json(text: &str) -> Value {
    Value::parse(text, 128).expect("JSON of this crate")
}

struct Program<'a> {
    tape: Tape<'a>,
    numbering: bool,
    response: ResponseBuilder,
    messages: Vec<MessageBuilder>,
    contents: Vec<ContentBuilder>,
    events: Vec<WireEvent>,
}

type Said = Result<Vec<WireEvent>, Misuse>;

impl<'a> Program<'a> {
    fn new(mut tape: Tape<'a>) -> Self {
        let mut options = Options::new(Counter::default(), || 1_700_000_000);
        let flags = tape.byte();
        let flag = |bit: u8| flags & 1 << bit != 0;
        let numbering = !flag(0);
        options = options.numbering(numbering).null_output(flag(1));
        if flag(2) {
            options = options.style(Style::Compact);
        }
        if flag(3) {
            options = options.session_id(tape.text());
        }
        if flag(4) {
            options = options.response_id(tape.text());
        }
        let response = ResponseBuilder::new(options);
        Program { tape, numbering, response, messages: Vec::new(), contents: Vec::new(), events: Vec::new() }
    }

    /// Most programs begin as they should, or they would not get far.
    fn begin(&mut self) {
        if self.tape.below(8) > 0 {
            let response = &self.response;
            self.events.extend(
                [response.created(), response.in_progress()].map(|event| event.expect("the beginning")),
            );
        }
    }

    fn call(&mut self) -> Said {
        match self.tape.byte() {
            0..=39 => self.of_response(),
            40..=119 => self.of_message(),
            _ => self.of_content(),
        }
    }

    fn of_response(&mut self) -> Said {
        let response = self.response.clone();
        match self.tape.below(12) {
            0 => one(response.created()),
            1 => one(response.queued()),
            2 => one(response.in_progress()),
            // Endings are rarer than they would be by chance, or hardly a program got beyond one.
            3 if self.tape.below(8) == 0 => one(match self.tape.below(5) {
                0 => response.completed(),
                1 => response.failed(ErrorInfo::new(self.tape.text(), self.tape.text())),
                2 => response.canceled(),
                3 => response.rejected(self.error()),
                _ => response.incomplete(Some(&self.tape.text())),
            }),
            4 => response.add_message(self.foreign()),
            5 => {
                let Some(message) = pick(&self.messages, &mut self.tape) else { return Ok(Vec::new()) };
                let mut message = message.get_message_data();
                message.status = self.status();
                if self.tape.flag() {
                    let next = message.content.len() as u32;
                    message.content.push(Content::new("", next, self.payload()));
                }
                response.update_message(message)
            }
            6 => none(response.set_usage(self.tape.value(2))),
            _ => {
                let role = self.tape.one_of(&["assistant", "tool", "system", "user", "nobody"]);
                let r#type = self.tape.one_of(TYPES);
                self.messages.push(response.create_message_builder(role, r#type)?);
                Ok(Vec::new())
            }
        }
    }

    fn of_message(&mut self) -> Said {
        let Some(message) = pick(&self.messages, &mut self.tape) else { return self.of_response() };
        match self.tape.below(16) {
            0..=2 => one(message.in_progress()),
            3 => one(match self.tape.below(5) {
                0 => message.complete(),
                1 => message.failed(ErrorInfo::new(self.tape.text(), self.tape.text())),
                2 => message.canceled(),
                3 => message.rejected(self.error()),
                _ => message.incomplete(),
            }),
            4 => one(message.add_content(self.payload())),
            5 => none(message.set_usage(self.tape.value(2))),
            6 => none(message.set_metadata(self.tape.value(2))),
            7 => none(message.set_error(self.tape.text(), self.tape.text())),
            8 if self.tape.below(4) == 0 => Ok(message.finish_with(self.status(), self.error())),
            _ => {
                let kind = self.tape.one_of(KINDS);
                self.contents.push(match self.tape.below(4) {
                    0 => message.create_content_builder_at(kind, u32::from(self.tape.byte() % 5))?,
                    _ => message.create_content_builder(kind)?,
                });
                Ok(Vec::new())
            }
        }
    }

    fn of_content(&mut self) -> Said {
        let Some(content) = pick(&self.contents, &mut self.tape) else { return self.of_message() };
        one(match self.tape.below(16) {
            0..=3 => content.add_text_delta(&self.tape.text()),
            4 => content.set_text(self.tape.text()),
            5 => content.add_refusal_delta(&self.tape.text()),
            6 => content.set_refusal(self.tape.text()),
            7..=9 => content.add_data_delta(self.tape.value(3)),
            10 => content.set_data(self.tape.value(3)),
            11 => content.update_data(&self.tape.text(), self.tape.value(2)),
            12 => content.set_payload(self.payload()),
            _ => content.complete(),
        })
    }

    fn payload(&mut self) -> Payload {
        let tape = &mut self.tape;
        let kind = tape.one_of(KINDS);
        let mut text = || tape.flag().then(|| tape.text());
        match kind {
            "text" => Payload::Text { text: text() },
            "refusal" => Payload::Refusal { refusal: text() },
            "image" => Payload::Image { image_url: text() },
            "video" => Payload::Video { video_url: text() },
            "audio" => Payload::Audio { data: text(), format: text() },
            "file" => {
                Payload::File { file_url: text(), file_id: text(), filename: text(), file_data: text() }
            }
            "data" => Payload::Data { data: tape.flag().then(|| tape.value(3)) },
            other => Payload::Other { r#type: other.to_owned() },
        }
    }

    fn foreign(&mut self) -> Message {
        let id = format!("msg_{}", self.tape.below(6));
        let mut message = Message::new(id, self.tape.one_of(TYPES).into(), Some("assistant".into()));
        message.status = self.status();
        message.error = self.error();
        for index in 0..self.tape.below(3) as u32 {
            message.content.push(Content::new("elsewhere", index, self.payload()));
        }
        message
    }

    fn status(&mut self) -> RunStatus {
        self.tape.one_of(STATUSES).into()
    }

    fn error(&mut self) -> Option<ErrorInfo> {
        self.tape.flag().then(|| ErrorInfo::new(self.tape.text(), self.tape.text()))
    }
}

fn pick<T: Clone>(from: &[T], tape: &mut Tape<'_>) -> Option<T> {
    // Mostly the newest, so that programs get on with what they have begun.
    let back = if tape.flag() { 0 } else { tape.below(from.len()) };
    from.iter().rev().nth(back).cloned()
}

fn one(event: Result<WireEvent, Misuse>) -> Said {
    event.map(|event| vec![event])
}

fn none(done: Result<(), Misuse>) -> Said {
    done.map(|()| Vec::new())
}

const TYPES: &[&str] = &[
    "message",
    "reasoning",
    "plugin_call",
    "plugin_call_output",
    "mcp_approval_request",
    "error",
    "heartbeat",
    "new",
];

const KINDS: &[&str] = &["text", "data", "text", "data", "image", "audio", "video", "file", "refusal", "odd"];

const STATUSES: &[&str] = &[
    "completed",
    "failed",
    "canceled",
    "rejected",
    "incomplete",
    "created",
    "in_progress",
    "queued",
    "unknown",
    "odd",
];
