//! From the hub to AG-Kit.
//!
//! The protocol has one text, calls, results and interrupts, and no messages. Interrupts are kept back until the end,
//! because nothing else may come after them. Results are kept back while a call is open: the official client takes no
//! arguments after a result.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::NAME;
use crate::bytes::string_map::{Numbers, pair};
use crate::core::detect;
use crate::core::error::Misuse;
use crate::hub::end::MessageEnd;
use crate::hub::kind::{EndStatus, MessageKind, Role, ToolKind};
use crate::hub::note::Note;
use crate::hub::payload::Payload;
use crate::hub::step::{Input, Step};
use crate::hub::transducer::{FromHub, Out};
use crate::json::Value;
use crate::protocols::ag_kit::builder::{StreamBuilder, WireEvent};

/// Writes AG-Kit: the target of a conversion. Heartbeats are not events of the protocol: they are left out here, and a
/// [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug, Default)]
pub struct ToAgKit {
    pub(super) builder: StreamBuilder,
    /// The messages that have not ended.
    messages: Numbers<Message>,
    /// The calls that have not ended, by message and part: their arguments are coming, or were cut off.
    pub(super) open: Numbers<String>,
    /// How many those are.
    opened: usize,
    /// Call and output of the results that are kept back.
    pub(super) results: Vec<(String, String)>,
    /// Something was said or called.
    pub(super) spoke: bool,
    pub(super) interrupts: Vec<(String, Option<String>, Value)>,
}

#[derive(Debug)]
struct Message {
    /// Its id, or its type where it has none.
    name: String,
    /// That it reasons or refuses was noted.
    noted: bool,
}

impl ToAgKit {
    /// A target at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where a loss stood: the message's id.
    pub(super) fn place(&self, message: u32) -> &str {
        self.messages.get(message.into()).map_or("", |message| &message.name)
    }

    /// Notes something once in its message.
    fn note(&mut self, message: u32, what: &'static str, why: &'static str, out: &mut Out<'_, WireEvent>) {
        if let Some(message) = self.messages.get_mut(message.into())
            && !core::mem::replace(&mut message.noted, true)
        {
            out.lose(what, &message.name, why);
        }
    }

    fn open(
        &mut self,
        message: u32,
        kind: MessageKind<'_>,
        role: Role<'_>,
        id: Option<&str>,
        out: &mut Out<'_, WireEvent>,
    ) {
        let name = id.unwrap_or(kind.as_str()).to_owned();
        match kind {
            MessageKind::Call(ToolKind::Function) | MessageKind::Result(ToolKind::Function) => {}
            MessageKind::Call(_) | MessageKind::Result(_) => {
                out.lose("tool-family", &name, "AG-Kit has one kind of tools");
            }
            MessageKind::Message if role != Role::Assistant => {
                out.lose("role", &name, "AG-Kit has no roles in streams: the text became the turn's");
            }
            _ => {}
        }
        self.messages.insert(message.into(), Message { name, noted: false });
    }

    fn close(&mut self, message: u32, end: &MessageEnd, out: &mut Out<'_, WireEvent>) {
        let Some(Message { name, .. }) = self.messages.remove(message.into()) else { return };
        if end.usage.is_some() {
            out.lose("usage", &name, "AG-Kit counts no tokens");
        }
        if end.metadata.is_some() {
            out.lose("metadata", &name, "AG-Kit has no metadata");
        }
        if end.code.is_some() || end.message.is_some() {
            out.lose("error-message", &name, "AG-Kit has errors of runs, not of messages");
        }
        if end.status != EndStatus::Completed {
            out.lose("message-status", &name, "AG-Kit has no messages that could have one");
        }
    }

    fn text(&mut self, message: u32, piece: &str, out: &mut Out<'_, WireEvent>) {
        self.spoke = true;
        let event = self.builder.text(piece);
        emit(event, self.place(message), out);
    }

    fn start_call(&mut self, at: u64, id: &str, name: &str, out: &mut Out<'_, WireEvent>) {
        self.spoke = true;
        emit(self.builder.tool_call_start(id, name), id, out);
        self.open.insert(at, id.to_owned());
        self.opened += 1;
    }

    pub(super) fn end_call(&mut self, at: u64, out: &mut Out<'_, WireEvent>) {
        if let Some(id) = self.open.remove(at) {
            emit(self.builder.tool_call_end(&id), &id, out);
            self.opened -= 1;
            if self.opened == 0 {
                self.say_results(out);
            }
        }
    }

    fn result(&mut self, id: &str, output: &str, out: &mut Out<'_, WireEvent>) {
        self.results.push((id.to_owned(), output.to_owned()));
        if self.opened == 0 {
            self.say_results(out);
        }
    }

    pub(super) fn say_results(&mut self, out: &mut Out<'_, WireEvent>) {
        for (id, output) in core::mem::take(&mut self.results) {
            emit(self.builder.tool_result(&id, &output), &id, out);
        }
    }

    /// A question that was answered in the run is not the client's any more.
    fn answer(&mut self, answered: &str, out: &mut Out<'_, WireEvent>) {
        self.interrupts.retain(|(id, ..)| id != answered);
        out.lose("approval", answered, "AG-Kit has no answers in streams: the question is left out");
    }

    /// A part that AG-Kit has no place for.
    fn whole(&mut self, message: u32, payload: Payload<'_>, out: &mut Out<'_, WireEvent>) {
        out.lose(payload.name(), self.place(message), NO_PARTS);
    }

    /// What AG-Kit has no event for, unless it is one of its own.
    fn side_note(&mut self, note: &Note<'_>, out: &mut Out<'_, WireEvent>) {
        match *note {
            Note::Passthrough { protocol: NAME, name, .. } if !self.spoke && detect::is_in_capitals(name) => {
                return out.lose("unknown-event", name, "readers would take the stream for one of AG-UI");
            }
            Note::Passthrough { protocol: NAME, data, .. } => return out.emit(WireEvent::raw(data)),
            Note::Status { status: "in_progress", detail: None } => return,
            Note::ToolError { id, text, .. } => self.result(id, text, out),
            _ => {}
        }
        out.lose(note.loss(), note.place(), "AG-Kit has no event for it");
    }
}

impl FromHub for ToAgKit {
    type Event = WireEvent;

    fn feed(&mut self, event: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        if !out.context().metadata.is_empty() {
            out.lose("metadata", "", "AG-Kit has no metadata");
        }
        match *event {
            Step::Text { piece, message, .. } => self.text(message, piece, out),
            Step::Arguments { message, part, piece } => {
                if let Some(id) = self.open.get(pair(message, part)) {
                    emit(self.builder.tool_call_args(id, piece), id, out);
                }
            }
            Step::Reasoning { message, .. } => {
                self.note(message, "reasoning", "AG-Kit has no reasoning", out);
            }
            Step::Start { id, session_id, parent_id, model, .. } => {
                if id.or(session_id).or(parent_id).or(model).is_some() {
                    out.lose("run-ids", "", "AG-Kit's streams do not name the run and the conversation");
                }
            }
            Step::Open { message, kind, role, id, name, parent, alternative } => {
                let place = id.unwrap_or(kind.as_str());
                if name.or(parent).is_some() {
                    out.lose("message-members", place, "AG-Kit has no messages that could have them");
                }
                if alternative > 0 {
                    out.lose("alternative", place, "AG-Kit has one answer: this one became part of it");
                }
                if out.context().lane.is_some() {
                    out.lose("lane", place, "AG-Kit has no subagents: what this one said became the turn's");
                }
                self.open(message, kind, role, id, out);
            }
            Step::Refusal { message, piece, .. } => {
                self.note(message, "refusal", "AG-Kit has no refusals: it became text", out);
                self.text(message, piece, out);
            }
            Step::Call { message, part, id, name, input, more } => {
                if input == Input::Text {
                    out.lose("call-input", id, "AG-Kit's arguments are JSON text, and these are plain text");
                }
                if !more.is_empty() {
                    out.lose("call-members", id, "AG-Kit's calls have an id, a name and arguments");
                }
                self.start_call(pair(message, part), id, name, out);
            }
            Step::EndPart { message, part, whole } => {
                // A client would run a call that has ended, with half its arguments.
                if whole {
                    self.end_call(pair(message, part), out);
                }
            }
            Step::Result { id, preview: true, .. } => {
                out.lose("preview", id, "AG-Kit's calls have one result");
            }
            Step::Result { id, output, content, more, .. } => {
                if content.is_some() {
                    out.lose("result-parts", id, "AG-Kit's results are one text");
                }
                if !more.is_empty() {
                    out.lose("call-members", id, "AG-Kit's results have an id and a text");
                }
                self.result(id, output, out);
            }
            Step::Interrupt { id, reason, payload, call, text, expires_at, response_schema, .. } => {
                if call.or(text).or(expires_at).is_some() || response_schema.is_some() {
                    out.lose("interrupt-members", id, "AG-Kit's interrupts have a reason and a payload");
                }
                self.interrupts.push((id.to_owned(), reason.map(ToOwned::to_owned), payload.clone()));
            }
            Step::Answer { id, .. } => self.answer(id, out),
            Step::Whole { message, payload, .. } => self.whole(message, payload, out),
            Step::Media { message, kind, .. } => {
                let what = match kind {
                    "video" => "video",
                    "file" => "file",
                    _ => "audio",
                };
                self.note(message, what, NO_PARTS, out);
            }
            Step::Note(ref note) => self.side_note(note, out),
            Step::Close { message, end } => self.close(message, end, out),
            Step::Heartbeat => {}
            Step::End(end) => self.end(end, out),
        }
    }
}

const NO_PARTS: &str = "AG-Kit's answers are text, tool calls and interrupts";

/// The order of the hub and this target's own are such that the builder refuses nothing but JSON that nests too deep.
pub(super) fn emit(event: Result<WireEvent, Misuse>, place: &str, out: &mut Out<'_, WireEvent>) {
    match event {
        Ok(event) => out.emit(event),
        Err(_) => out.lose("refused", place, "AG-Kit's readers could not have read it"),
    }
}
