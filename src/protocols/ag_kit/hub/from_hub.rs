//! From the hub to AG-Kit.
//!
//! The protocol has one text, calls, results and interrupts, and no messages. Interrupts are kept back until the end,
//! because nothing else may come after them. Results are kept back while a call is open: the official client takes no
//! arguments after a result.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::error::Misuse;
use crate::hub::step::{MessageEnd, RunEnd, Step};
use crate::hub::transducer::{FromHub, Out};
use crate::json::Value;
use crate::protocols::ag_kit::builder::{StreamBuilder, WireEvent};
use crate::protocols::agent_api::{ContentType, MessageType, Payload, Role, RunStatus};

/// Writes AG-Kit: the target of a conversion. Heartbeats are not events of the protocol: they are left out here, and a
/// [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug, Default)]
pub struct ToAgKit {
    builder: StreamBuilder,
    /// The messages that have not ended.
    messages: Numbers<Message>,
    /// The calls that have not ended, by message and part: their arguments are coming, or were cut off.
    open: Numbers<String>,
    /// How many those are.
    opened: usize,
    /// Call and output of the results that are kept back.
    results: Vec<(String, String)>,
    /// Something was said or called.
    spoke: bool,
    interrupts: Vec<(String, Option<String>, Value)>,
}

#[derive(Debug)]
struct Message {
    /// Its id, or its type where it has none.
    name: String,
    /// That it reasons or refuses was noted.
    noted: bool,
    /// It answers an interrupt.
    answers: bool,
}

impl ToAgKit {
    /// A target at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where a loss stood: the message's id.
    fn place(&self, message: u32) -> &str {
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
        r#type: &MessageType,
        role: &Role,
        id: Option<&str>,
        out: &mut Out<'_, WireEvent>,
    ) {
        use MessageType::*;
        let name = id.unwrap_or(r#type.as_str()).to_owned();
        match r#type {
            PluginCall | PluginCallOutput | ComponentCall | ComponentCallOutput | McpToolCall
            | McpToolCallOutput => out.lose("tool-family", &name, "AG-Kit has one kind of tools"),
            Message if !matches!(role, Role::Assistant) => {
                out.lose("role", &name, "AG-Kit has no roles in streams: the text became the turn's");
            }
            _ => {}
        }
        let answers = *r#type == McpApprovalResponse;
        self.messages.insert(message.into(), self::Message { name, noted: false, answers });
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
        if end.status != RunStatus::Completed {
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

    fn end_call(&mut self, at: u64, out: &mut Out<'_, WireEvent>) {
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

    fn say_results(&mut self, out: &mut Out<'_, WireEvent>) {
        for (id, output) in core::mem::take(&mut self.results) {
            emit(self.builder.tool_result(&id, &output), &id, out);
        }
    }

    fn say_interrupts(&mut self, out: &mut Out<'_, WireEvent>) {
        let interrupts = core::mem::take(&mut self.interrupts);
        let Some(((last, ..), others)) = interrupts.split_last() else { return };
        for (id, ..) in others {
            let why = "AG-Kit's official client shows the last question only, and takes one answer";
            out.lose("interrupt-hidden", id, why);
        }
        if !self.spoke {
            // Beside nothing it would show none.
            emit(self.builder.text(""), last, out);
        }
        for (id, reason, payload) in interrupts {
            emit(self.builder.interrupt(&id, reason.as_deref(), payload), &id, out);
        }
    }

    /// A part that AG-Kit has no place for. A question that was answered in the run is not the client's any more.
    fn whole(&mut self, message: u32, payload: &Payload, out: &mut Out<'_, WireEvent>) {
        if let Payload::Data { data: Some(data) } = payload
            && self.messages.get(message.into()).is_some_and(|message| message.answers)
            && let Some(answered) = data.get("approval_request_id").and_then(Value::as_str)
        {
            self.interrupts.retain(|(id, ..)| id != answered);
            return out.lose(
                "approval",
                answered,
                "AG-Kit has no answers in streams: the question is left out",
            );
        }
        let what = match payload.content_type() {
            ContentType::Data => "data",
            ContentType::Image => "image",
            ContentType::Audio => "audio",
            ContentType::Video => "video",
            ContentType::File => "file",
            ContentType::Text | ContentType::Refusal | ContentType::Other(_) => "content-type",
        };
        out.lose(what, self.place(message), "AG-Kit's answers are text, tool calls and interrupts");
    }

    fn end(&mut self, end: &RunEnd, out: &mut Out<'_, WireEvent>) {
        // A tool that has a result was called, so its arguments were all there.
        let mut answered = StringMap::default();
        self.results.iter().for_each(|(id, _)| answered.insert(id, ()));
        for at in self.open.sorted() {
            if self.open.get(at).is_some_and(|id| answered.get(id).is_some()) {
                self.end_call(at, out);
            }
        }
        self.say_results(out);
        if end.usage.is_some() {
            out.lose("usage", "", "AG-Kit counts no tokens");
        }
        // A run that was cut off may have had more to ask.
        let asks = !self.interrupts.is_empty() && end.reason.as_deref() != Some(RunEnd::CUT_OFF);
        self.say_interrupts(out);
        let error = end.error.as_ref();
        let said = error.map(|error| error.message.as_str());
        if error.is_some_and(|error| error.code.is_some()) {
            out.lose("error-code", "", "AG-Kit's errors have a message only");
        }
        let message = match &end.status {
            RunStatus::Completed => None,
            RunStatus::Failed => Some(said.unwrap_or("The run failed.")),
            RunStatus::Incomplete if asks => None,
            other => {
                out.lose("status", "", "AG-Kit has no such status: it became an error that says so");
                Some(match other {
                    RunStatus::Canceled => "The run was canceled.",
                    RunStatus::Rejected => said.unwrap_or("The run was rejected."),
                    _ => "The run is incomplete.",
                })
            }
        };
        let mut sentence = message.map(ToOwned::to_owned);
        if let (Some(sentence), Some(reason)) = (&mut sentence, &end.reason) {
            *sentence += " Reason: ";
            *sentence += reason;
        }
        let last = self.builder.finish_with(sentence.as_deref());
        if sentence.is_none() && last.len() > 1 {
            out.lose(
                "call-cut-off",
                "",
                "AG-Kit's runs do not end well inside a call: this one ends with an error",
            );
        }
        last.into_iter().for_each(|event| out.emit(event));
    }
}

impl FromHub for ToAgKit {
    type Event = WireEvent;

    fn feed(&mut self, event: &Step<'_>, out: &mut Out<'_, WireEvent>) {
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
            Step::Start { id, session_id } => {
                if id.or(session_id).is_some() {
                    out.lose("run-ids", "", "AG-Kit's streams do not name the run and the conversation");
                }
            }
            Step::Open { message, r#type, role, id } => self.open(message, r#type, role, id, out),
            Step::Refusal { message, piece, .. } => {
                self.note(message, "refusal", "AG-Kit has no refusals: it became text", out);
                self.text(message, piece, out);
            }
            Step::Call { message, part, id, name, more } => {
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
            Step::Result { id, output, more, .. } => {
                if !more.is_empty() {
                    out.lose("call-members", id, "AG-Kit's results have an id and a text");
                }
                self.result(id, output, out);
            }
            Step::Interrupt { id, reason, payload, .. } => {
                self.interrupts.push((id.to_owned(), reason.map(ToOwned::to_owned), payload.clone()));
            }
            Step::Whole { message, payload, .. } => self.whole(message, payload, out),
            Step::Close { message, end } => self.close(message, end, out),
            Step::Heartbeat => {}
            Step::End(end) => self.end(end, out),
        }
    }
}

/// The order of the hub and this target's own are such that the builder refuses nothing but JSON that nests too deep.
fn emit(event: Result<WireEvent, Misuse>, place: &str, out: &mut Out<'_, WireEvent>) {
    match event {
        Ok(event) => out.emit(event),
        Err(_) => out.lose("refused", place, "AG-Kit's readers could not have read it"),
    }
}
