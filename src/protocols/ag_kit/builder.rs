//! A builder of streams that violate no rule.
//!
//! Methods that write an event return it as a [`WireEvent`], ready to be sent. A call that would
//! make the stream illegal returns a [`UsageError`] with the call to make instead, and changes
//! nothing: the builder and the readers apply events by the same function, which uses the tables of
//! [`lifecycle`]. Events have to be sent in the order in which they were made;
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
#[cfg(doc)]
use super::lifecycle;
use super::lifecycle::{CallEvent, CallState, Lifecycle, TurnEvent, TurnState};
use super::rules;
use crate::core::{FreeJsonCheck, Limits, PieceTemplate, Rule, UsageError};
use crate::json::Value;

pub(crate) use crate::core::wire::WireEvent;

/// Builds the stream of one turn.
#[derive(Debug, Default)]
pub struct StreamBuilder {
    /// The state of the turn, and for each call the number of results before its start.
    life: Lifecycle<usize>,
    /// The number of results.
    results: usize,
    /// The template of the last piece: of the text, or of the arguments of the call with that id.
    template: Option<(Option<String>, PieceTemplate)>,
}

const TEXT: &str = "text()";

/// The reason of an interrupt if the caller gives none.
const WAITS: &str = "The agent waits for an answer.";

/// The message of an error that ends a turn inside a tool call, if the caller gives none.
const CUT_OFF: &str = "The run ended inside a tool call.";

impl StreamBuilder {
    /// Creates the builder of an empty turn.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes the next piece of the turn's text. An empty piece is an event, too (K1).
    pub fn text(&mut self, content: &str) -> Result<WireEvent, UsageError> {
        self.apply(TurnEvent::Content, None, TEXT)?;
        Ok(self.piece(None, content))
    }

    /// Begins a tool call. Several may be open at once (K2), and each id is used once.
    pub fn tool_call_start(&mut self, id: &str, name: &str) -> Result<WireEvent, UsageError> {
        self.apply(TurnEvent::Content, Some((id, CallEvent::Start)), "tool_call_start()")?;
        self.life.add(id, self.results);
        Ok(Event::ToolCallStart { tool_call_id: id.into(), tool_call_name: name.into() }.to_wire())
    }

    /// Writes the next piece of a call's arguments. All pieces together are JSON text (K2). A piece
    /// is refused if a result was written after the start of the call: the official client looks
    /// for the call in its last message, which is then the result, and throws.
    pub fn tool_call_args(&mut self, id: &str, delta: &str) -> Result<WireEvent, UsageError> {
        self.may_have_args(id)?;
        Ok(self.piece(Some(id), delta))
    }

    fn may_have_args(&mut self, id: &str) -> Result<(), UsageError> {
        const CALL: &str = "tool_call_args()";
        if let Some(call) = self.life.find(id)
            && (call.state, self.life.turn) == (CallState::Streaming, TurnState::Open)
            && call.data != self.results
        {
            return Err(UsageError::new(
                "args-after-result",
                [CALL, " is for a call that began before the last `tool_result()`"].concat(),
                "send the results of calls that overlap when the last of them has ended",
            ));
        }
        self.apply(TurnEvent::Content, Some((id, CallEvent::Args)), CALL)
    }

    /// Ends the arguments of a call (K3).
    pub fn tool_call_end(&mut self, id: &str) -> Result<WireEvent, UsageError> {
        self.apply(TurnEvent::Content, Some((id, CallEvent::End)), "tool_call_end()")?;
        Ok(Event::ToolCallEnd { tool_call_id: id.into() }.to_wire())
    }

    /// Writes the result of a tool that the server has called (K4). The client has to answer calls
    /// without a result.
    pub fn tool_result(&mut self, id: &str, result: &str) -> Result<WireEvent, UsageError> {
        self.apply(TurnEvent::Content, Some((id, CallEvent::Result)), "tool_result()")?;
        self.results += 1;
        Ok(Event::ToolResult { tool_call_id: id.into(), result: result.into() }.to_wire())
    }

    /// Pauses the run until the client resumes it (K5). Only further interrupts, an error or the
    /// end may follow. `payload` is any JSON.
    ///
    /// The official client shows an interrupt only if it has a reason, so a general one is written
    /// if none is given. It shows only the last of several, and only beside a text or a call: an
    /// empty text is enough.
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
        self.apply(TurnEvent::Interrupt, None, CALL)?;
        let reason = Some(reason.unwrap_or(WAITS).into());
        Ok(Event::Interrupt { id: id.into(), reason, payload }.to_wire())
    }

    /// Writes an error, which ends the run (K9) and cuts off open tool calls. Only
    /// [`done`](Self::done) may follow.
    pub fn error(&mut self, message: &str) -> Result<WireEvent, UsageError> {
        self.apply(TurnEvent::Error, None, "error()")?;
        Ok(Event::Error { message: message.into(), details: None }.to_wire())
    }

    /// Writes `[DONE]`, the last event (K6). Open tool calls have to end before it, unless an error
    /// has cut them off.
    pub fn done(&mut self) -> Result<WireEvent, UsageError> {
        const CALL: &str = "done()";
        if self.life.streaming > 0
            && matches!(self.life.turn, TurnState::Open | TurnState::Interrupted)
        {
            return Err(refuse(&rules::CALL_NOT_ENDED, CALL));
        }
        self.apply(TurnEvent::Done, None, CALL)?;
        Ok(Event::Done.to_wire())
    }

    /// Ends the stream in any state: with an error if one is given, then with `[DONE]`. It is for
    /// aborts, errors and drops: it cannot fail, and after the end it does nothing.
    ///
    /// Open calls are not ended, because a client would run them with incomplete arguments. An
    /// error cuts them off; if none is given, its message is that the run ended inside a tool call.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&mut self, error: Option<&str>) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if let Some(message) = error.or_else(|| (self.life.streaming > 0).then_some(CUT_OFF)) {
            // Refused after an error and after the end.
            events.extend(self.error(message));
        }
        events.extend(self.done());
        events
    }

    /// Returns whether `[DONE]` was written.
    pub fn is_ended(&self) -> bool {
        self.life.turn == TurnState::Done
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

    /// Returns the lines of a [`PieceTemplate`] for a caller that writes pieces itself, until the
    /// next call of another method: these pieces do not change the state.
    #[cfg(feature = "wasm")]
    pub(crate) fn piece_template(&mut self, call: Option<&str>) -> Result<String, UsageError> {
        match call {
            Some(id) => self.may_have_args(id)?,
            None => self.apply(TurnEvent::Content, None, TEXT)?,
        }
        Ok(template(call).lines(0))
    }

    /// Applies an event. `call` is the method that writes it.
    fn apply(
        &mut self,
        event: TurnEvent,
        of_call: Option<(&str, CallEvent)>,
        call: &str,
    ) -> Result<(), UsageError> {
        self.life.apply(event, of_call, |rule, _| Err(refuse(rule, call))).map(drop)
    }
}

/// Returns the template of the pieces of the text, or of the arguments of a call.
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

/// The advice for each rule of the lifecycle.
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
    (
        rules::CALL_NOT_ENDED.id,
        "end the open calls first, or call `finish_with()`, which cuts them off",
    ),
];

#[cfg(test)]
mod tests {
    use super::super::lifecycle;
    use super::*;

    #[test]
    fn every_lifecycle_error_names_the_correct_call() {
        let mut violations = Vec::new();
        for from in [TurnState::Open, TurnState::Interrupted, TurnState::Failed, TurnState::Done] {
            for event in
                [TurnEvent::Content, TurnEvent::Interrupt, TurnEvent::Error, TurnEvent::Done]
            {
                violations.extend(lifecycle::turn(from, event).legal(from).err());
            }
        }
        for from in
            [CallState::Absent, CallState::Streaming, CallState::Called, CallState::Answered]
        {
            for piece in [CallEvent::Start, CallEvent::Args, CallEvent::End, CallEvent::Result] {
                violations.extend(lifecycle::call(from, piece).legal(from).err());
            }
            violations.extend(lifecycle::end_of_turn(from).legal(from).err());
        }
        assert_eq!(violations.len(), 8 + 12 + 1);
        for rule in violations {
            assert!(INSTEAD.iter().any(|(id, _)| *id == rule.id), "{}", rule.id);
        }
    }
}
