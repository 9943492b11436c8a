//! From the hub to AG-Kit.
//!
//! The protocol has one text, calls, results and interrupts, and no messages. Interrupts are kept
//! back until the end, because nothing else may come after them. Results are kept back while a call
//! is open: the official client takes no arguments after a result.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::{FreeJsonCheck, Limits, PieceTemplate, WireEvent, detect};
use crate::hub::approval::{OpenQuestions, TEXT, with_text};
use crate::hub::{
    EndStatus, EventOutput, FromHub, LossChecker, Note, ProtocolName as _, RunEnd, Step,
    UnsupportedSteps,
};
use crate::json::Value;
use crate::protocols::ag_kit::AgKit;
use crate::protocols::ag_kit::events::Event;
use crate::protocols::ag_kit::lifecycle::{CallEvent, DONE, Lifecycle, effect};

/// The steps that AG-Kit cannot represent.
const UNSUPPORTED: UnsupportedSteps = &[
    ("alternative", "AG-Kit has one answer: this one became part of it"),
    ("approval", "AG-Kit has no answers in streams: the question is left out"),
    ("arguments-replaced", "AG-Kit's arguments only grow"),
    ("audio", NO_PARTS),
    ("call-input", "AG-Kit's arguments are JSON text, and these are plain text"),
    (
        "call-members",
        "AG-Kit's calls have an id, a name and arguments, its results an id and a text",
    ),
    ("data", NO_PARTS),
    ("error-code", "AG-Kit's errors have a message only"),
    ("error-message", "AG-Kit has errors of runs, not of messages"),
    ("file", NO_PARTS),
    ("image", NO_PARTS),
    ("interrupt-members", "AG-Kit's interrupts have a reason, and a payload with their text"),
    ("lane", "AG-Kit has no subagents: the output of this one became the turn's"),
    ("message-members", "AG-Kit has no messages that could have them"),
    ("message-status", "AG-Kit has no messages that could have one"),
    ("metadata", "AG-Kit has no metadata"),
    ("part-dropped", "AG-Kit's turns only grow"),
    ("preview", "AG-Kit's calls have one result"),
    ("reasoning", "AG-Kit has no reasoning"),
    ("refusal", "AG-Kit has no refusals: it became text"),
    ("result-parts", "AG-Kit's results are one text"),
    ("role", "AG-Kit has no roles in streams: the text became the turn's"),
    ("run-ids", "AG-Kit's streams do not name the run and the conversation"),
    ("run-result", "the result of AG-Kit's runs is their text"),
    ("text-replaced", "AG-Kit's text only grows"),
    ("tool-error", "AG-Kit has no event for it: it became the result"),
    ("tool-family", "AG-Kit has one kind of tools"),
    ("usage", "AG-Kit counts no tokens"),
    ("video", NO_PARTS),
    ("*", "AG-Kit has no event for it"),
];

const UNREADABLE: &str = "AG-Kit's readers could not have read it";
const NO_PARTS: &str = "AG-Kit's answers are text, tool calls and interrupts";

/// The reason of a question that has none: the official client shows only questions with a reason.
const WAITS: &str = "The agent waits for an answer.";

/// The message of an error that ends a turn inside a tool call.
const CUT_OFF: &str = "The run ended inside a tool call.";

/// Writes AG-Kit: the target of a conversion. Heartbeats are not events of the protocol: they are
/// left out here, and a
/// [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug, Default)]
pub struct ToAgKit {
    /// The readers' tables: an event that violates a rule is not written.
    life: Lifecycle<()>,
    /// The template of the last piece: of the text, or of the arguments of the call with that id.
    template: Option<(Option<String>, PieceTemplate)>,
    losses: LossChecker,
    /// The calls that have not ended, by message and part: their arguments are coming, or were cut
    /// off.
    open: Numbers<String>,
    /// How many those are.
    opened: usize,
    /// Call and output of the results that are kept back.
    results: Vec<(String, String)>,
    /// A text or a call was written.
    has_written: bool,
    /// An event with a type was passed on: readers do not take the stream for AG-UI.
    has_type: bool,
    interrupts: OpenQuestions<(String, Option<String>, Value)>,
}

impl ToAgKit {
    /// A target at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Passes on an event that AG-Kit does not have, with any name in the step. K13: the first
    /// event that has a type determines the dialect.
    fn pass(&mut self, name: &str, data: &str, out: &mut EventOutput<'_, WireEvent>) {
        let Ok(Event::Other { name: r#type, .. }) =
            Event::decode(data, Limits::default().json_depth)
        else {
            return out.lose(
                "unknown-event",
                name,
                "AG-Kit has an event of its own for it, or it is not an event",
            );
        };
        if !self.has_written
            && !self.has_type
            && r#type.as_deref().is_some_and(detect::is_in_capitals)
        {
            return out.lose(
                "unknown-event",
                name,
                "readers would take the stream for one of AG-UI",
            );
        }
        self.has_type |= r#type.is_some();
        out.emit(WireEvent::raw(data));
    }

    fn text(&mut self, message: u32, piece: &str, out: &mut EventOutput<'_, WireEvent>) {
        self.has_written = true;
        self.piece(None, piece, out.place(message), out);
    }

    /// Writes an event, unless it violates a rule.
    fn write(&mut self, event: &Event<'_>, place: &str, out: &mut EventOutput<'_, WireEvent>) {
        if self.apply(event, place, out) {
            out.emit(event.to_wire());
        }
    }

    /// Writes a piece of the text, or of the arguments of a call.
    fn piece(
        &mut self,
        call: Option<&str>,
        piece: &str,
        place: &str,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let event = match call {
            Some(id) => Event::ToolCallArgs { tool_call_id: id.into(), delta: "".into() },
            None => Event::Text { content: "".into() },
        };
        if !self.apply(&event, place, out) {
            return;
        }
        if let Some((of, template)) = &self.template
            && of.as_deref() == call
        {
            return out.emit(template.event(None, piece));
        }
        let template = PieceTemplate::new(&event.to_wire(), None);
        out.emit(template.event(None, piece));
        self.template = Some((call.map(ToOwned::to_owned), template));
    }

    /// Applies an event to the turn. If it violates a rule, nothing changes: it is a loss.
    fn apply(
        &mut self,
        event: &Event<'_>,
        place: &str,
        out: &mut EventOutput<'_, WireEvent>,
    ) -> bool {
        let (turn, call) = effect(event.name().unwrap_or(DONE));
        let call = call_id(event).zip(call);
        let is_legal = self.life.apply(turn, call, |rule, _| Err(rule)).is_ok();
        match call {
            _ if !is_legal => out.lose("refused", place, UNREADABLE),
            Some((id, CallEvent::Start)) => self.life.add(id, ()),
            _ => {}
        }
        is_legal
    }

    fn start_call(&mut self, at: u64, id: &str, name: &str, out: &mut EventOutput<'_, WireEvent>) {
        self.has_written = true;
        let start = Event::ToolCallStart { tool_call_id: id.into(), tool_call_name: name.into() };
        self.write(&start, id, out);
        self.open.insert(at, id.to_owned());
        self.opened += 1;
    }

    fn end_call(&mut self, at: u64, out: &mut EventOutput<'_, WireEvent>) {
        if let Some(id) = self.open.remove(at) {
            self.write(&Event::ToolCallEnd { tool_call_id: (&*id).into() }, &id, out);
            self.opened -= 1;
            if self.opened == 0 {
                self.emit_results(out);
            }
        }
    }

    fn result(&mut self, id: &str, output: &str, out: &mut EventOutput<'_, WireEvent>) {
        self.results.push((id.to_owned(), output.to_owned()));
        if self.opened == 0 {
            self.emit_results(out);
        }
    }

    fn emit_results(&mut self, out: &mut EventOutput<'_, WireEvent>) {
        for (id, output) in core::mem::take(&mut self.results) {
            let result = Event::ToolResult { tool_call_id: (&*id).into(), result: output.into() };
            self.write(&result, &id, out);
        }
    }

    fn emit_interrupts(&mut self, out: &mut EventOutput<'_, WireEvent>) {
        let interrupts = self.interrupts.take_all();
        let Some(((last, ..), others)) = interrupts.split_last() else { return };
        for (id, ..) in others {
            let reason =
                "AG-Kit's official client shows the last question only, and takes one answer";
            out.lose("interrupt-hidden", id, reason);
        }
        if !self.has_written {
            // Beside nothing it would show none.
            self.piece(None, "", last, out);
        }
        for (id, reason, mut payload) in interrupts {
            // The event itself is one level.
            let deepest = Limits::default().json_depth - 1;
            if (FreeJsonCheck { deepest, call: "" }).value(&payload, deepest).is_err() {
                out.lose("refused", &id, UNREADABLE);
                // A question without its payload is one all the same.
                payload =
                    payload.text(TEXT).map_or(Value::Null, |text| [(TEXT, text.into())].into());
            }
            let reason = Some(reason.map_or(WAITS.into(), Into::into));
            self.write(&Event::Interrupt { id: (&*id).into(), reason, payload }, &id, out);
        }
    }

    /// Ends the turn: writes the events that were kept back, and the status of the run in AG-Kit.
    fn end(&mut self, end: &RunEnd, out: &mut EventOutput<'_, WireEvent>) {
        // A tool that has a result was called, so its arguments were all there.
        let mut with_result = StringMap::default();
        self.results.iter().for_each(|(id, _)| with_result.insert(id, ()));
        for at in self.open.sorted() {
            if self.open.get(at).is_some_and(|id| with_result.get(id).is_some()) {
                self.end_call(at, out);
            }
        }
        self.emit_results(out);
        let asks = !self.interrupts.is_empty() && end.may_ask();
        self.emit_interrupts(out);
        let error_text = end.error.as_ref().map(|error| error.message.as_str());
        let message = match end.status {
            EndStatus::Completed => None,
            EndStatus::Failed => Some(error_text.unwrap_or("The run failed.")),
            EndStatus::Incomplete if asks => None,
            other => {
                out.lose(
                    "status",
                    "",
                    "AG-Kit has no such status: it became an error with the status in its text",
                );
                Some(match other {
                    EndStatus::Canceled => "The run was canceled.",
                    EndStatus::Rejected => error_text.unwrap_or("The run was rejected."),
                    _ => "The run is incomplete.",
                })
            }
        };
        let mut sentence = message.map(ToOwned::to_owned);
        let has_error_text = message == error_text
            || !matches!(end.status, EndStatus::Canceled | EndStatus::Incomplete);
        if let (Some(sentence), Some(error_text), false) =
            (&mut sentence, error_text, has_error_text)
        {
            *sentence += " ";
            *sentence += error_text;
        }
        if let (Some(sentence), Some(reason)) = (&mut sentence, &end.reason) {
            *sentence += " Reason: ";
            *sentence += reason;
        }
        // A call that has not ended is cut off: with an end, a client would run it with half its
        // arguments.
        if sentence.is_none() && self.life.streaming > 0 {
            sentence = Some(CUT_OFF.to_owned());
            let reason = "AG-Kit's runs do not end well inside a call: this one ends with an error";
            out.lose("call-cut-off", "", reason);
        }
        if let Some(message) = sentence {
            self.write(&Event::Error { message: message.into(), details: None }, "", out);
        }
        self.write(&Event::Done, "", out);
    }
}

/// Returns the id of the call that an event belongs to.
fn call_id<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::ToolCallStart { tool_call_id, .. }
        | Event::ToolCallArgs { tool_call_id, .. }
        | Event::ToolCallEnd { tool_call_id }
        | Event::ToolResult { tool_call_id, .. } => Some(tool_call_id),
        _ => None,
    }
}

impl FromHub for ToAgKit {
    type Event = WireEvent;

    fn feed(&mut self, event: &Step<'_>, out: &mut EventOutput<'_, WireEvent>) {
        match *event {
            Step::Note(Note::Passthrough { protocol: AgKit::NAME, name, data }) => {
                return self.pass(name, data, out);
            }
            _ => self.losses.check(UNSUPPORTED, event, out),
        }
        match *event {
            Step::Text { piece, message, .. } | Step::Refusal { piece, message, .. } => {
                self.text(message, piece, out);
            }
            Step::Arguments { message, part, piece } => {
                if let Some(id) = self.open.get(pair(message, part)).cloned() {
                    self.piece(Some(&id), piece, &id, out);
                }
            }
            Step::Call { message, part, id, name, .. } => {
                self.start_call(pair(message, part), id, name, out)
            }
            // A client would run a call that has ended, with half its arguments.
            Step::EndPart { message, part, whole: true } => self.end_call(pair(message, part), out),
            Step::Result { id, output, preview: false, .. } => self.result(id, output, out),
            Step::Note(Note::ToolError { id, text, .. }) => self.result(id, text, out),
            Step::Interrupt { id, reason, payload, text, .. } => {
                let payload = text
                    .and_then(|text| with_text(payload, text))
                    .unwrap_or_else(|| payload.clone());
                self.interrupts.push(id, (id.to_owned(), reason.map(ToOwned::to_owned), payload));
            }
            // A question that was answered in the run is not the client's any more.
            Step::Answer { id, .. } => drop(self.interrupts.take(id)),
            Step::End(end) => self.end(end, out),
            _ => {}
        }
    }
}
