//! A list of calls of the Agent API builders, read from a tape.

use agentwire::UsageError;
use agentwire::agent_api::builder::{
    BuilderOptions, ContentBuilder, MessageBuilder, ResponseBuilder,
};
use agentwire::agent_api::{Content, ErrorInfo, Message, Payload, RunStatus, Style};
use agentwire::builder::Counter;
use agentwire::builder::WireEvent;

use crate::building::is_empty;
use crate::tape::Tape;

/// The calls, and the events so far.
pub struct Program<'a> {
    pub tape: Tape<'a>,
    /// Whether the events are numbered.
    pub numbering: bool,
    pub response: ResponseBuilder,
    messages: Vec<MessageBuilder>,
    contents: Vec<ContentBuilder>,
    pub events: Vec<WireEvent>,
}

type Said = Result<Vec<WireEvent>, UsageError>;

impl<'a> Program<'a> {
    pub fn new(mut tape: Tape<'a>) -> Self {
        let mut options = BuilderOptions::new(Counter::default(), || 1_700_000_000);
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
        Program {
            tape,
            numbering,
            response,
            messages: Vec::new(),
            contents: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Most programs start with the required calls, because few would get far otherwise.
    pub fn begin(&mut self) {
        if self.tape.below(8) > 0 {
            let response = &self.response;
            self.events.extend(
                [response.created(), response.in_progress()]
                    .map(|event| event.expect("the beginning")),
            );
        }
    }

    pub fn call(&mut self) -> Said {
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
            // End calls are rarer than at random, because few programs would continue after one.
            3 if self.tape.below(8) == 0 => one(match self.tape.below(5) {
                0 => response.completed(),
                1 => response.failed(ErrorInfo::new(self.tape.text(), self.tape.text())),
                2 => response.canceled(),
                3 => response.rejected(self.error()),
                _ => response.incomplete(Some(&self.tape.text())),
            }),
            4 => response.add_message(self.foreign()),
            5 => {
                let Some(message) = pick(&self.messages, &mut self.tape) else {
                    return Ok(Vec::new());
                };
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
                    0 => {
                        message.create_content_builder_at(kind, u32::from(self.tape.byte() % 5))?
                    }
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
            4 => return set(&content, Payload::Text { text: Some(self.tape.text()) }),
            5 => content.add_refusal_delta(&self.tape.text()),
            6 => return set(&content, Payload::Refusal { refusal: Some(self.tape.text()) }),
            7..=9 => content.add_data_delta(self.tape.value(3)),
            10 => return set(&content, Payload::Data { data: Some(self.tape.value(3)) }),
            11 => content.update_data(&self.tape.text(), self.tape.value(2)),
            12 => return set(&content, self.payload()),
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
            "file" => Payload::File {
                file_url: text(),
                file_id: text(),
                filename: text(),
                file_data: text(),
            },
            "data" => Payload::Data { data: tape.flag().then(|| tape.value(3)) },
            other => Payload::Other { r#type: other.to_owned() },
        }
    }

    fn foreign(&mut self) -> Message {
        let id = format!("msg_{}", self.tape.below(6));
        let mut message =
            Message::new(id, self.tape.one_of(TYPES).into(), Some("assistant".into()));
        message.status = self.status();
        message.error = self.error();
        for index in 0..self.tape.below(3) as u32 {
            message.content.push(Content::new("elsewhere", index, self.payload()));
        }
        message
    }

    pub fn status(&mut self) -> RunStatus {
        self.tape.one_of(STATUSES).into()
    }

    pub fn error(&mut self) -> Option<ErrorInfo> {
        self.tape.flag().then(|| ErrorInfo::new(self.tape.text(), self.tape.text()))
    }
}

fn pick<T: Clone>(from: &[T], tape: &mut Tape<'_>) -> Option<T> {
    // Mostly the newest, so that programs continue with objects that they have begun.
    let back = if tape.flag() { 0 } else { tape.below(from.len()) };
    from.iter().rev().nth(back).cloned()
}

/// Sets a value, except an empty one after another: readers keep their value (R29) and would append
/// later deltas to it.
fn set(content: &ContentBuilder, payload: Payload) -> Said {
    let says_nothing = |payload: &Payload| match payload {
        Payload::Text { text } | Payload::Refusal { refusal: text } => {
            text.as_deref().unwrap_or("").is_empty()
        }
        Payload::Data { data } => data.as_ref().is_none_or(is_empty),
        _ => false,
    };
    match says_nothing(&payload) && !says_nothing(&content.get_content_data().payload) {
        true => Ok(Vec::new()),
        false => one(content.set_payload(payload)),
    }
}

fn one(event: Result<WireEvent, UsageError>) -> Said {
    event.map(|event| vec![event])
}

fn none(done: Result<(), UsageError>) -> Said {
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

const KINDS: &[&str] =
    &["text", "data", "text", "data", "image", "audio", "video", "file", "refusal", "odd"];

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
