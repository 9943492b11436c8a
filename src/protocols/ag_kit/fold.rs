//! The fold: what the events of a stream change in the answer. The arguments of a call are kept
//! until it ends, and then parsed. No other text is kept.

use alloc::{string::String, vec::Vec};
use core::convert::Infallible;

use super::events::{EVENTS, Wire};
use super::lifecycle::{self, CallState, CallTransition, Lifecycle, TurnState};
use super::model::{
    ErrorInfo, ErrorPart, Interrupt, Snapshot, Status, TextPart, ToolCall, ToolState,
};
use super::rules;
use crate::core::declare::model::member::object_to_json;
use crate::core::failure::ErrorMessage;
use crate::core::{EndReason, EventReading, Observed, Opening, Rule, detect};
use crate::engine::{
    AnswerLayout, CommonRules, Context, Declared, EventTable, FieldValue, Fold, ObjectId,
    ObjectKind, ObjectLimit, Subject, TextSlot, Translated, protocol,
};
use crate::json::{self, Element, Str, write_list, write_string};
use crate::sse;

protocol! {
    /// The AG-Kit protocol, with the choices that it leaves to a reader (K7, K17).
    AgKit "AG-Kit": AgKitFold => Snapshot {
        /// Whether a stream can end without `[DONE]`, as the examples of the documentation do. If
        /// false (the default), a missing `[DONE]` is reported as a warning, and a conversion
        /// treats the stream as truncated. In both cases the turn has ended, unless the stream
        /// stops inside a tool call: then it is truncated.
        done_is_optional as "doneIsOptional": bool,
        /// The names of the request's tools. The client answers calls of exactly these tools. By
        /// default it answers every call that has no result when the stream ends.
        client_tools as "clientTools": Option<Vec<String>>,
    }
    begins |choices, _| AgKitFold { choices, ..AgKitFold::default() };
    impl {
        const LAYOUT: AnswerLayout = AnswerLayout::calls_among("parts", "tool-call");
    }
}

/// The turn's object.
const TURN: ObjectId = 0;

/// The object of a call.
#[derive(Clone, Copy, Debug)]
struct CallObject {
    owner: Subject,
    /// Whether the client answers the call: the request has a tool of that name, or its tools are
    /// unknown (K17).
    is_clients: bool,
    /// Number and offset of the event that opened it.
    opened: (u64, u64),
    node: ObjectId,
    /// The arguments, which are kept until they are final.
    arguments: TextSlot,
}

/// The fold of AG-Kit's events.
#[derive(Clone, Debug, Default)]
pub struct AgKitFold {
    choices: AgKit,
    life: Lifecycle<CallObject>,
    /// Whether an error was received, before `[DONE]` or without it.
    failed: bool,
    /// Whether the stream was cut off or is not a stream of events: its end is not the end of the
    /// turn.
    cut: bool,
    /// Whether an event has shown that the stream is not AG-UI (K13).
    native: bool,
    /// The last part, if it is text.
    text: Option<TextSlot>,
}

impl Declared for AgKitFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;
    const END: Option<&'static str> = Some("[DONE]");

    /// Recognizes events with a type and without `object`. An error may have `details` instead of
    /// the type. The `error` of a typed error is not an object, as it is in other protocols.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        match (opening.word("object"), opening.word("type")) {
            (None, Some(name)) if name == "error" => {
                opening.has("error") && !opening.has_object("error")
            }
            (None, Some(_)) => EVENTS.contains_event(opening),
            (None, None) => opening.has("error") && opening.member("details").is_some(),
            (Some(_), _) => false,
        }
    }

    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        let is_error = reading.named("error").is_some();
        reading.row.is_some()
            && (!is_error || ErrorMessage::is_in_form(reading.json, &ErrorMessage::TEXTS[1..]))
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        let (message, details) = (Some(&*failure.message), failure.code.as_deref());
        Translated::new(ErrorMessage::event_of(&[
            ("type", Some("error")),
            ("error", message),
            ("details", details),
        ]))
    }

    /// K13: a rule of this protocol is about AG-UI. Another protocol with such types has
    /// `reply_id`.
    fn judges(opening: &Opening<'_, '_>) -> bool {
        let is_in_capitals =
            || opening.word("type").is_some_and(|name| detect::is_in_capitals(&name.to_str()));
        Self::opens(opening) || !opening.has("reply_id") && is_in_capitals()
    }
}

impl Fold for AgKitFold {
    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        if self.life.turn == TurnState::Done {
            // K6: nothing after the end is read.
            cx.record(&rules::AFTER_DONE, Observed::Text(event.data));
            return false;
        }
        cx.check_framing(event, &rules::FRAMING_FIELD);
        let is_done = detect::is_done(event.data);
        if is_done {
            self.done(cx);
        }
        !is_done
    }

    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let wire = Wire::of(event);
        self.native |= event.row.is_some();
        match wire {
            Wire::Text { content } => {
                if self.apply("text", None, cx).is_some() {
                    self.append_text(content, cx);
                }
            }
            Wire::ToolCallStart { tool_call_id, tool_call_name } => {
                self.start_call(&tool_call_id.to_str(), &tool_call_name.to_str(), cx);
            }
            Wire::ToolCallArgs { tool_call_id, delta } => {
                self.call_args(&tool_call_id.to_str(), delta, cx)
            }
            Wire::ToolCallEnd { tool_call_id } => self.end_call(&tool_call_id.to_str(), cx),
            Wire::ToolResult { tool_call_id, result } => {
                self.call_result(&tool_call_id.to_str(), &result.to_str(), cx);
            }
            Wire::Interrupt { id, reason, payload } => self.interrupt(id, reason, payload, cx),
            Wire::Error { message, details } => self.error(&message, details.as_deref(), cx),
            Wire::UntypedError { message, details } => {
                cx.record(&rules::UNTYPED_ERROR, Observed::Text(&message));
                self.error(&message, details.as_deref(), cx);
            }
            Wire::Other { name, .. } => self.unknown(name, cx),
        }
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        self.stop(aborted, cx);
    }

    fn framing(&mut self, rule: &'static Rule) {
        self.cut |= *rule == rules::UNKNOWN_PROTOCOL;
    }

    fn has_ended(&self) -> bool {
        matches!(self.life.turn, TurnState::Failed | TurnState::Done)
    }

    #[cfg(feature = "hub")]
    fn cut_off(&mut self) {
        self.cut = true;
    }
}

impl AgKitFold {
    /// Reports an unknown type (K10). The first event with a type decides about the dialect (K13).
    fn unknown(&mut self, name: Option<Str<'_>>, cx: &mut Context<'_>) {
        let name = name.map(Str::to_str);
        if !self.native && name.as_deref().is_some_and(detect::is_in_capitals) {
            cx.record(&rules::DIALECT_AG_UI, Observed::Name(name.as_deref().unwrap_or_default()));
            cx.end(EndReason::Refused);
            return;
        }
        self.native |= name.is_some();
        let name = name.unwrap_or_default();
        cx.unknown(&name);
        cx.record(&rules::UNKNOWN_TYPE, Observed::Name(&name));
    }

    /// Applies an event of that type, of the call with that id, and reports violations. Returns
    /// `None` if the event has no effect.
    fn apply(
        &mut self,
        name: &'static str,
        call: Option<&str>,
        cx: &mut Context<'_>,
    ) -> Option<CallTransition> {
        let (event, call_event) = lifecycle::effect(name);
        let Ok(step) = self.life.apply(event, call.zip(call_event), |rule, id| {
            match id {
                Some(id) => cx.record_of(rule, id, Observed::Name(name)),
                None => cx.record(rule, Observed::Name(name)),
            }
            Ok::<_, Infallible>(())
        });
        step
    }

    /// Returns the calls that the client has to answer.
    fn pending(&self) -> impl Iterator<Item = &CallObject> {
        let called = self.life.calls.iter().filter(|call| call.state == CallState::Called);
        called.map(|call| &call.data).filter(|call| call.is_clients)
    }

    /// Opens a part at the end of the turn, unless there are too many.
    fn open(&mut self, kind: ObjectKind, owner: Subject, cx: &mut Context<'_>) -> Option<ObjectId> {
        self.end_text(cx);
        cx.open(kind, TURN, Snapshot::parts, ObjectLimit::Messages, owner)
    }

    /// Continues the text of the turn (K1). Text after another part is a new part.
    fn append_text(&mut self, content: Str<'_>, cx: &mut Context<'_>) {
        if self.text.is_none() {
            let node = self.open(TextPart::KIND, Subject::NONE, cx);
            self.text = node.map(|node| cx.text(node, TextPart::text, Subject::NONE));
        }
        if let Some(text) = self.text {
            cx.append(text, content);
        }
    }

    /// Ends the text before another part or the end of the stream. Half a character at its end
    /// stays incomplete.
    fn end_text(&mut self, cx: &mut Context<'_>) {
        if let Some(text) = self.text.take() {
            cx.end_text(text);
        }
    }

    /// Pauses the turn (K5). A missing reason and a missing payload are null.
    fn interrupt(
        &mut self,
        id: Str<'_>,
        reason: Option<Str<'_>>,
        payload: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        if self.apply("interrupt", None, cx).is_none() {
            return;
        }
        let Some(node) = self.open(Interrupt::KIND, Subject::NONE, cx) else { return };
        cx.set_short(node, Interrupt::id, &id.to_str());
        if let Some(reason) = reason {
            cx.set_text(node, Interrupt::reason, &reason.to_str());
        }
        if let Some(payload) = payload {
            cx.set_json(node, Interrupt::payload, payload.raw().as_str());
        }
    }

    /// Ends the turn with an error (K8, K9). The answer so far stays.
    fn error(&mut self, message: &str, details: Option<&str>, cx: &mut Context<'_>) {
        if self.apply("error", None, cx).is_none() {
            return;
        }
        self.failed = true;
        cx.end(EndReason::ErrorFrame);
        if let Some(node) = self.open(ErrorPart::KIND, Subject::NONE, cx) {
            cx.set_text(node, ErrorPart::message, message);
            if let Some(details) = details {
                cx.set_text(node, ErrorPart::details, details);
            }
        }
        let error = ErrorInfo { message: message.into(), details: details.map(Into::into) };
        cx.set_json(TURN, Snapshot::error, &object_to_json(&error));
        self.conclude(Status::Failed, cx);
    }

    fn start_call(&mut self, id: &str, name: &str, cx: &mut Context<'_>) {
        let step = self.apply("tool-call-start", Some(id), cx);
        let Some((None, ..)) = step else { return };
        let Some(node) = self.open(ToolCall::KIND, cx.next_owner(), cx) else { return };
        let owner = cx.own(id);
        cx.set_short(node, ToolCall::tool_call_id, id);
        cx.set_text(node, ToolCall::tool_call_name, name);
        let tools = self.choices.client_tools.as_ref();
        let is_clients = tools.is_none_or(|tools| tools.iter().any(|tool| tool == name));
        let arguments = cx.kept_text(node, ToolCall::arguments, owner);
        self.life.add(id, CallObject { owner, is_clients, opened: cx.at(), node, arguments });
    }

    fn call_args(&mut self, id: &str, delta: Str<'_>, cx: &mut Context<'_>) {
        let step = self.apply("tool-call-args", Some(id), cx);
        if let Some((Some(at), _, CallState::Streaming)) = step {
            cx.append(self.life.calls[at].data.arguments, delta);
        }
    }

    fn end_call(&mut self, id: &str, cx: &mut Context<'_>) {
        let step = self.apply("tool-call-end", Some(id), cx);
        let Some((Some(at), from, to)) = step else { return };
        if from != to {
            let call = self.life.calls[at].data;
            call.settle(cx);
            cx.set(call.node, ToolCall::state, ToolState::InputAvailable.value());
        }
    }

    /// Adds a result to the call with its id (K4). A later one replaces an earlier one.
    fn call_result(&mut self, id: &str, result: &str, cx: &mut Context<'_>) {
        let step = self.apply("tool-result", Some(id), cx);
        let Some((Some(at), from, to)) = step else { return };
        let call = self.life.calls[at].data;
        if from == CallState::Streaming {
            call.settle(cx);
        }
        cx.set_text(call.node, ToolCall::result, result);
        if from != to {
            cx.set(call.node, ToolCall::state, ToolState::OutputAvailable.value());
        }
    }

    /// Handles `[DONE]` (K6).
    fn done(&mut self, cx: &mut Context<'_>) {
        self.native = true;
        let from = self.life.turn;
        self.apply(lifecycle::DONE, None, cx);
        cx.end(EndReason::Terminal);
        self.end_well(from, cx);
    }

    /// Handles the end of the stream.
    fn stop(&mut self, aborted: bool, cx: &mut Context<'_>) {
        // The violation of a refused stream is reported already, and the rest of the stream is not
        // known.
        let is_refused = cx.report().end_reason == EndReason::Refused;
        let excused = aborted || is_refused;
        self.end_text(cx);
        for call in &self.life.calls {
            cx.end_text(call.data.arguments);
        }
        let in_call = self.life.streaming > 0;
        if let Err(rule) = lifecycle::stop(self.life.turn, in_call).legal(self.life.turn) {
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            if !excused && !self.cut && (in_call || !self.choices.done_is_optional) {
                cx.record(rule, Observed::Words("the end of the stream"));
            }
            if excused || in_call || self.cut {
                self.conclude(Status::Truncated, cx);
            } else {
                self.end_well(self.life.turn, cx);
            }
        }
        self.report_unfinished_calls(excused, cx);
    }

    /// Concludes a turn that ended legally in that state.
    fn end_well(&mut self, from: TurnState, cx: &mut Context<'_>) {
        match from {
            TurnState::Open if self.pending().next().is_some() => {
                self.conclude(Status::AwaitingToolResults, cx);
            }
            TurnState::Open => self.conclude(Status::Completed, cx),
            TurnState::Interrupted => self.conclude(Status::Interrupted, cx),
            // The error has concluded the turn.
            TurnState::Failed | TurnState::Done => {}
        }
    }

    /// Sets the status, and the calls that the client has to answer (K4).
    fn conclude(&mut self, status: Status, cx: &mut Context<'_>) {
        cx.set(TURN, Snapshot::status, status.value());
        if self.pending().next().is_some() {
            let mut json = String::new();
            write_list(self.pending(), &mut json, |call, out| write_string(cx.id(call.owner), out));
            cx.set_json(TURN, Snapshot::pending_tool_call_ids, &json);
        }
    }

    /// Reports the calls without an end (K3) and the calls of server tools without a result (K17).
    /// An error excuses both.
    fn report_unfinished_calls(&mut self, excused: bool, cx: &mut Context<'_>) {
        for call in &self.life.calls {
            if call.state == CallState::Streaming {
                let id = cx.id(call.data.owner).into();
                cx.unfinished(id);
            }
            if excused || self.failed {
                continue;
            }
            let step = lifecycle::end_of_turn(call.state).legal(call.state);
            let (rule, got) = match (step, call.state, call.data.is_clients) {
                (Err(rule), ..) => (rule, "the end of the turn"),
                (Ok(_), CallState::Called, false) => (&rules::RESULT_MISSING, "none"),
                _ => continue,
            };
            cx.record_at(rule, call.data.opened, call.data.owner, Observed::Words(got));
        }
    }
}

impl CallObject {
    /// Parses the final arguments (K3). Empty arguments are absent.
    fn settle(&self, cx: &mut Context<'_>) {
        let arguments = cx.end_text(self.arguments);
        match json::read_any(&arguments, cx.options().limits.json_depth) {
            Ok(None) => {}
            Ok(Some(value)) => {
                cx.set(self.node, ToolCall::parsed_arguments, FieldValue::Free(value.root()));
            }
            Err(error) => {
                let mut sentence = String::new();
                error.write(&mut sentence);
                cx.set_short(self.node, ToolCall::arguments_error, &sentence);
            }
        }
    }
}
