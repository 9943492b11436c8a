//! Builds streams that are always legal.
//!
//! Every method for an event returns it as a [`WireEvent`], ready to be sent. A call that would make the stream illegal
//! returns a [`UsageError`], which names the call to make instead, and changes nothing. The tables in [`lifecycle`]
//! decide which events are legal. Events must be sent in the order in which they were made;
//! [`sse::comment`](crate::sse::comment) between any two of them keeps a connection alive.
//!
//! ```
//! use agentwire::ag_kit::builder::StreamBuilder;
//!
//! # fn main() -> Result<(), agentwire::UsageError> {
//! let mut out = StreamBuilder::new();
//! let mut stream = vec![out.text("I look it up.")?];
//! stream.push(out.tool_call_start("c1", "get_weather")?);
//! stream.push(out.tool_call_args("c1", "{\"city\":\"北京\"}")?);
//! assert_eq!(out.done().unwrap_err().code, "call-not-ended");
//! stream.push(out.tool_call_end("c1")?);
//! stream.push(out.tool_result("c1", "晴")?);
//!
//! // Whatever happens now (an abort, an error, a drop), one call ends the stream legally.
//! stream.extend(out.finish_with(None));
//! assert_eq!(stream.last().map(|event| event.to_sse()).as_deref(), Some("data: [DONE]\n\n"));
//! # Ok(())
//! # }
//! ```

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::events::Event;
use super::lifecycle::{self, CallEvent, CallState, TurnEvent, TurnState};
use super::rules;
use crate::bytes::string_map::StringMap;
use crate::core::{FreeJsonCheck, Limits, PieceTemplate, Rule, UsageError};
use crate::json::Value;

pub(crate) use crate::core::wire::WireEvent;

/// Builds the stream of one turn.
#[derive(Debug, Default)]
pub struct StreamBuilder {
    turn: TurnState,
    /// The calls, each with the number of results before its start.
    calls: StringMap<(CallState, usize)>,
    /// The number of calls that have not ended.
    open: usize,
    /// The number of results.
    results: usize,
    /// The template of the last piece's event; the id is that of the call, `None` for the turn's text.
    template: Option<(Option<String>, PieceTemplate)>,
}

const TEXT: &str = "text()";

/// The default reason of an interrupt.
const WAITS: &str = "The agent waits for an answer.";

/// The default message of the error that ends a turn inside a tool call.
const CUT_OFF: &str = "The run ended inside a tool call.";

impl StreamBuilder {
    /// Creates a builder for a turn without events.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the next piece of the turn's text; an empty one is sent, too (K1).
    pub fn text(&mut self, content: &str) -> Result<WireEvent, UsageError> {
        self.advance(TurnEvent::Content, TEXT)?;
        Ok(self.piece(None, content))
    }

    /// Starts a tool call. Several calls can be open at once (K2); an id is used once.
    pub fn tool_call_start(&mut self, id: &str, name: &str) -> Result<WireEvent, UsageError> {
        self.call(id, CallEvent::Start, "tool_call_start()")?;
        Ok(Event::ToolCallStart { tool_call_id: id.into(), tool_call_name: name.into() }.to_wire())
    }

    /// Returns the next piece of a call's arguments, which together are JSON text (K2). Refused if the result of
    /// another call came after the start of this one: the official client looks for the call in its last message, which
    /// is then the result, and throws.
    pub fn tool_call_args(&mut self, id: &str, delta: &str) -> Result<WireEvent, UsageError> {
        self.may_have_args(id)?;
        Ok(self.piece(Some(id), delta))
    }

    fn may_have_args(&mut self, id: &str) -> Result<(), UsageError> {
        const CALL: &str = "tool_call_args()";
        if let Some((CallState::Streaming, results)) = self.calls.get(id)
            && *results != self.results
            && self.turn == TurnState::Open
        {
            return Err(UsageError::new(
                "args-after-result",
                [CALL, " is for a call that began before the last `tool_result()`"].concat(),
                "send the results of calls that overlap when the last of them has ended",
            ));
        }
        self.call(id, CallEvent::Args, CALL)
    }

    /// Ends the arguments of a call (K3).
    pub fn tool_call_end(&mut self, id: &str) -> Result<WireEvent, UsageError> {
        self.call(id, CallEvent::End, "tool_call_end()")?;
        Ok(Event::ToolCallEnd { tool_call_id: id.into() }.to_wire())
    }

    /// Returns the result of a tool that the server has called (K4). The client answers calls without a result.
    pub fn tool_result(&mut self, id: &str, result: &str) -> Result<WireEvent, UsageError> {
        self.call(id, CallEvent::Result, "tool_result()")?;
        Ok(Event::ToolResult { tool_call_id: id.into(), result: result.into() }.to_wire())
    }

    /// Asks the client, which resumes the run with its answer (K5). Only further interrupts, an error or the end can
    /// follow. `payload` is any JSON.
    ///
    /// The official client shows an interrupt only if it has a reason, so a default one is written if `reason` is
    /// `None`. It shows only the last of several interrupts, and only in a turn with text or a call: an empty text is
    /// enough.
    pub fn interrupt(
        &mut self,
        id: &str,
        reason: Option<&str>,
        payload: Value,
    ) -> Result<WireEvent, UsageError> {
        const CALL: &str = "interrupt()";
        // The event itself is one level.
        let deepest = Limits::default().json_depth - 1;
        FreeJsonCheck { deepest, call: CALL }.value(&payload, deepest)?;
        self.advance(TurnEvent::Interrupt, CALL)?;
        let reason = Some(reason.unwrap_or(WAITS).into());
        Ok(Event::Interrupt { id: id.into(), reason, payload }.to_wire())
    }

    /// Fails the run (K9). The error cuts off open tool calls; only [`done`](Self::done) can follow.
    pub fn error(&mut self, message: &str) -> Result<WireEvent, UsageError> {
        self.advance(TurnEvent::Error, "error()")?;
        Ok(Event::Error { message: message.into(), details: None }.to_wire())
    }

    /// Returns `[DONE]`, the last event (K6). Open tool calls must end first, unless an error has cut them off.
    pub fn done(&mut self) -> Result<WireEvent, UsageError> {
        const CALL: &str = "done()";
        if self.open > 0 && matches!(self.turn, TurnState::Open | TurnState::Interrupted) {
            lifecycle::end_of_turn(CallState::Streaming)
                .legal(CallState::Streaming)
                .map_err(|r| refuse(r, CALL))?;
        }
        self.advance(TurnEvent::Done, CALL)?;
        Ok(Event::Done.to_wire())
    }

    /// Ends the stream in any state: with an error if there is one, then with `[DONE]`. For aborts, errors and drops;
    /// it cannot fail, and after an end it does nothing.
    ///
    /// Open calls are not ended, because a client would run them with incomplete arguments. An error cuts them off; it
    /// has a default message if `error` is `None`.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&mut self, error: Option<&str>) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if let Some(message) = error.or_else(|| (self.open > 0).then_some(CUT_OFF)) {
            // Refused after an error and after the end: the stream has its end already.
            events.extend(self.error(message));
        }
        events.extend(self.done());
        events
    }

    /// Returns whether `[DONE]` was made.
    pub fn is_ended(&self) -> bool {
        self.turn == TurnState::Done
    }

    fn piece(&mut self, call: Option<&str>, piece: &str) -> WireEvent {
        if let Some((of, template)) = &self.template
            && of.as_deref() == call
        {
            return template.event(None, piece);
        }
        let template = template(call);
        let event = template.event(None, piece);
        self.template = Some((call.map(ToOwned::to_owned), template));
        event
    }

    /// Returns the lines of the [`PieceTemplate`] for a caller that writes this piece and the next ones itself, until
    /// it calls another method: pieces do not change the state of the builder, so all of them are as legal as the
    /// first.
    #[cfg(feature = "wasm")]
    pub(crate) fn piece_template(&mut self, call: Option<&str>) -> Result<String, UsageError> {
        match call {
            Some(id) => self.may_have_args(id)?,
            None => self.advance(TurnEvent::Content, TEXT)?,
        }
        Ok(template(call).lines(0))
    }

    fn advance(&mut self, said: TurnEvent, call: &str) -> Result<(), UsageError> {
        self.turn = lifecycle::turn(self.turn, said).legal(self.turn).map_err(|rule| refuse(rule, call))?;
        Ok(())
    }

    fn call(&mut self, id: &str, piece: CallEvent, call: &str) -> Result<(), UsageError> {
        let (from, results) = self.calls.get(id).copied().unwrap_or((CallState::Absent, self.results));
        self.advance(TurnEvent::Content, call)?;
        let to = lifecycle::call(from, piece).legal(from).map_err(|rule| refuse(rule, call))?;
        self.open += usize::from(to == CallState::Streaming);
        self.open -= usize::from(from == CallState::Streaming);
        if from != to {
            self.calls.insert(id, (to, results));
        }
        self.results += usize::from(piece == CallEvent::Result);
        Ok(())
    }
}

/// Returns the template for pieces of the text, or of a call's arguments.
fn template(call: Option<&str>) -> PieceTemplate {
    let empty = match call {
        Some(id) => Event::ToolCallArgs { tool_call_id: id.into(), delta: "".into() },
        None => Event::Text { content: "".into() },
    };
    PieceTemplate::new(&empty.to_wire(), None)
}

fn refuse(rule: &'static Rule, call: &str) -> UsageError {
    UsageError::of_rule(rule, call, INSTEAD)
}

/// The call to make instead, for each rule of the lifecycle.
const INSTEAD: &[(&str, &str)] = &[
    (rules::AFTER_DONE.id, "the turn has ended: make a new builder for the next one"),
    (rules::AFTER_ERROR.id, "call `done()`: the turn has failed"),
    (rules::AFTER_INTERRUPT.id, "call `done()`, and go on when the client has resumed the run"),
    (rules::CALL_NOT_STARTED.id, "call `tool_call_start()` with that id first"),
    (rules::CALL_STARTED_TWICE.id, "give every call an id of its own"),
    (rules::ARGS_AFTER_END.id, "the arguments are final: start another call"),
    (rules::CALL_ENDED_TWICE.id, "leave it out: the call has ended already"),
    (rules::RESULT_BEFORE_END.id, "call `tool_call_end()` first"),
    (rules::RESULT_TWICE.id, "leave it out: the call has its result"),
    (rules::CALL_NOT_ENDED.id, "end the open calls first, or call `finish_with()`, which cuts them off"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_of_the_lifecycle_says_what_to_call() {
        let mut refused = Vec::new();
        for from in [TurnState::Open, TurnState::Interrupted, TurnState::Failed, TurnState::Done] {
            for said in [TurnEvent::Content, TurnEvent::Interrupt, TurnEvent::Error, TurnEvent::Done] {
                refused.extend(lifecycle::turn(from, said).legal(from).err());
            }
        }
        for from in [CallState::Absent, CallState::Streaming, CallState::Called, CallState::Answered] {
            for piece in [CallEvent::Start, CallEvent::Args, CallEvent::End, CallEvent::Result] {
                refused.extend(lifecycle::call(from, piece).legal(from).err());
            }
            refused.extend(lifecycle::end_of_turn(from).legal(from).err());
        }
        assert_eq!(refused.len(), 8 + 12 + 1);
        for rule in refused {
            assert!(INSTEAD.iter().any(|(id, _)| *id == rule.id), "{}", rule.id);
        }
    }
}
