//! Methods that end a run in any state.

use alloc::{borrow::Cow, boxed::Box, string::String, vec::Vec};

use super::message::end_of;
use super::{StreamBuilder, WireEvent};
use crate::core::UsageError;
use crate::core::request::to_json;
use crate::json::{Raw, Value, write_list};
use crate::protocols::ag_ui::events::{Event, EventKind, event};
use crate::protocols::ag_ui::lifecycle::{EventHead, Owned, Phase, StreamKind, Subagent};
use crate::protocols::ag_ui::request::Interrupt;

/// The outcome of a run that has not failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The run succeeded. The client has to answer calls without a result.
    Success,
    /// The run waits for answers to at least one interrupt. The next request has to answer all of
    /// them.
    Interrupt(Vec<Interrupt>),
    /// The client has cancelled the run.
    Cancelled,
}

impl Outcome {
    fn to_value(&self) -> Value {
        match self {
            Outcome::Success => Value::from([("type", "success".into())]),
            Outcome::Cancelled => Value::from([("type", "cancelled".into())]),
            Outcome::Interrupt(interrupts) => {
                let mut json = String::from("{\"type\":\"interrupt\",\"interrupts\":");
                write_list(interrupts, &mut json, |interrupt, out| {
                    out.push_str(&to_json(interrupt, true))
                });
                json.push('}');
                Value::from_raw(Raw(&json))
            }
        }
    }
}

/// The message of an error that ends a run inside a tool call, if the caller does not give a
/// reason.
const CUT_OFF: &str = "The run ended inside a tool call.";

impl StreamBuilder {
    /// Ends the run with `RUN_FINISHED`. Open messages, reasoning, steps and subagents end before
    /// it. The caller has to end open calls, because a client would run them with incomplete
    /// arguments.
    pub fn finish(
        &mut self,
        outcome: Outcome,
        result: Option<Value>,
    ) -> Result<Vec<WireEvent>, UsageError> {
        self.finish_as(outcome.to_value(), result)
    }

    /// Ends the run like [`finish`](Self::finish), with the JSON of an outcome.
    pub(crate) fn finish_as(
        &mut self,
        outcome: Value,
        result: Option<Value>,
    ) -> Result<Vec<WireEvent>, UsageError> {
        self.check_phase(EventKind::RunFinished)?;
        let is_suspended = outcome.get("type").and_then(Value::as_str) == Some("interrupt");
        let finished = event!(RunFinished; {
            thread_id: (&self.thread_id).into(),
            run_id: (&self.run_id).into(),
            result: result,
            outcome: Some(outcome),
            usage: self.usage.clone(),
        });
        let finished = finished.to_wire();
        let mut before = |out: &mut Self| {
            out.has_no_open_call()?;
            Ok(out.end_open(is_suspended))
        };
        self.send_after(&mut before, finished)
    }

    /// Ends the run with `RUN_ERROR`. Open messages and reasoning end before it; everything else is
    /// cut off. After it, only another run may start.
    pub fn error(
        &mut self,
        message: &str,
        code: Option<&str>,
    ) -> Result<Vec<WireEvent>, UsageError> {
        self.check_phase(EventKind::RunError)?;
        let (message, code, usage) = (message.into(), code.map(Cow::Borrowed), self.usage.clone());
        let failed = event!(RunError; { message: message, code: code, usage: usage }).to_wire();
        self.send_after(&mut |out| Ok(out.end_texts()), failed)
    }

    /// Ends the run in any state: with an error if one is given, otherwise successfully. It is for
    /// aborts, errors and drops: it cannot fail, and after the end of a run it does nothing. A run
    /// that has not started is started first.
    ///
    /// Open calls are not ended, because a client would run them with incomplete arguments. An
    /// error cuts them off; if none is given, its message is that the run ended inside a tool call.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&mut self, error: Option<&str>) -> Vec<WireEvent> {
        self.end_with(error.map(|message| (message, None)), &Outcome::Success.to_value())
    }

    /// Ends a run that the client has cancelled, like [`finish_with`](Self::finish_with).
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn cancel(&mut self) -> Vec<WireEvent> {
        self.end_with(None, &Outcome::Cancelled.to_value())
    }

    /// Returns whether the run has ended.
    pub fn is_ended(&self) -> bool {
        matches!(self.life.phase, Phase::Finished | Phase::Failed)
    }

    /// Ends the run with an error or an outcome. Each step is legal in its state, so no event is
    /// lost where an `Err` is ignored. Usage and outcomes that are not valid are left out.
    pub(crate) fn end_with(
        &mut self,
        error: Option<(&str, Option<&str>)>,
        outcome: &Value,
    ) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if self.is_ended() {
            return events;
        }
        if self.life.phase == Phase::Before {
            events.extend(self.start().into_iter().flatten());
        }
        let cut_off = self.has_no_open_call().is_err().then_some((CUT_OFF, None));
        let end = |out: &mut Self, outcome: &Value| match error.or(cut_off) {
            Some((message, code)) => out.error(message, code),
            None => out.finish_as(outcome.clone(), None),
        };
        let ended = end(self, outcome).or_else(|_| {
            self.usage = None;
            end(self, outcome).or_else(|_| end(self, &Outcome::Success.to_value()))
        });
        events.extend(ended.into_iter().flatten());
        events
    }

    fn has_no_open_call(&self) -> Result<(), UsageError> {
        let ended: Vec<&str> = self
            .streams
            .iter()
            .filter(|stream| stream.data.ended)
            .map(|stream| &*stream.id)
            .collect();
        let open = self.life.open.names(StreamKind::Call).each_open();
        let unfinished: Vec<&str> = open.filter(|id| !ended.contains(id)).collect();
        match unfinished[..] {
            [] => Ok(()),
            _ => Err(super::usage_error::open_calls(&unfinished)),
        }
    }

    /// Ends all open parts except for calls: the texts, then steps and subagents in the reverse
    /// order of their starts.
    pub(crate) fn end_open(&mut self, suspended: bool) -> Vec<WireEvent> {
        let mut events = self.end_texts();
        let steps: Vec<(Subagent, Box<str>)> = self.life.open.steps.all().collect();
        for (lane, name) in steps.into_iter().rev() {
            let step_name = Cow::Borrowed(&*name);
            let end = event!(StepFinished in lane.as_deref(); { step_name: step_name });
            events.extend(self.send_legal(end.to_wire()));
        }
        for id in self.life.open.subagents.all_open().into_iter().rev() {
            let end = event!(SubagentFinished; {
                subagent_run_id: Cow::Borrowed(&*id),
                result: None,
                outcome: suspended.then(|| Value::from([("type", "suspended".into())])),
            });
            events.extend(self.send_legal(end.to_wire()));
        }
        events
    }

    /// Ends messages, reasoning and its blocks.
    fn end_texts(&mut self) -> Vec<WireEvent> {
        let ended = self.end_streams_before(&EventHead::new(EventKind::RunFinished, "", None));
        let mut events = self.ends_of(&ended);
        for kind in [StreamKind::Text, StreamKind::Reasoning, StreamKind::Block] {
            for id in self.life.open.names(kind).all_open() {
                let lane = self.owner(kind.owned(), &id);
                events.extend(self.send_legal(end_of(kind, &id, lane.as_deref(), None).to_wire()));
            }
        }
        events
    }

    /// Writes an event that is certainly legal.
    fn send_legal(&mut self, event: WireEvent) -> Vec<WireEvent> {
        self.send(event).unwrap_or_default()
    }

    /// Returns the lane that owns an id.
    pub(super) fn owner(&self, owned: Owned, id: &str) -> Subagent {
        self.life.open.owner(owned, id).cloned().flatten()
    }
}
