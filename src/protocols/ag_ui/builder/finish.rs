//! TrailingEvent a run, from wherever it is.

use alloc::{borrow::Cow, boxed::Box, string::String, vec::Vec};

use super::{StreamBuilder, WireEvent, event};
use crate::core::UsageError;
use crate::core::request::to_json;
use crate::json::{Raw, Value, write_list};
use crate::protocols::ag_ui::events::Event;
use crate::protocols::ag_ui::lifecycle::{Lane, Owned, Phase, Thing};

use crate::protocols::ag_ui::request::Interrupt;

/// How a run that has not failed ends.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// All is done. Calls without a result are the client's to answer.
    Success,
    /// The agent asks and waits: at least one question. The next request has to answer all of them.
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
                write_list(interrupts, &mut json, |interrupt, out| out.push_str(&to_json(interrupt, true)));
                json.push('}');
                Value::from_raw(Raw(&json))
            }
        }
    }
}

/// What an error says that nobody gave a reason for: the run was ended inside a tool call.
const CUT_OFF: &str = "The run ended inside a tool call.";

impl StreamBuilder {
    /// `RUN_FINISHED`. What is open ends before it: messages, reasoning, steps, subagents. Calls have to be ended by whoever began
    /// them, because a client would run them with the arguments they have.
    pub fn finish(&mut self, outcome: Outcome, result: Option<Value>) -> Result<Vec<WireEvent>, UsageError> {
        self.finish_as(outcome.to_value(), result)
    }

    /// The same of an outcome as it stands on the wire.
    pub(crate) fn finish_as(
        &mut self,
        outcome: Value,
        result: Option<Value>,
    ) -> Result<Vec<WireEvent>, UsageError> {
        self.may_come("RUN_FINISHED")?;
        let is_suspended = outcome.get("type").and_then(Value::as_str) == Some("interrupt");
        let finished = event!(RunFinished {
            thread_id: self.thread_id.clone().into(),
            run_id: self.run_id.clone().into(),
            result: result,
            outcome: Some(outcome),
            usage: self.usage.clone(),
        });
        self.check(&finished).map(drop)?;
        self.has_no_open_call()?;
        let mut events = self.end_texts();
        events.extend(self.end_parts(is_suspended));
        events.extend(self.event(&finished)?);
        Ok(events)
    }

    /// `RUN_ERROR`: the run has failed. Messages and reasoning end before it with what they have; everything else is cut off. After
    /// it only another run may start.
    pub fn error(&mut self, message: &str, code: Option<&str>) -> Result<Vec<WireEvent>, UsageError> {
        self.may_come("RUN_ERROR")?;
        let failed = event!(RunError {
            message: message.into(),
            code: code.map(Cow::Borrowed),
            usage: self.usage.clone(),
        });
        self.check(&failed).map(drop)?;
        let mut events = self.end_texts();
        events.extend(self.event(&failed)?);
        Ok(events)
    }

    /// Ends the run from wherever it is: with an error if there is one to tell, otherwise successfully. For aborts, errors and
    /// drops; it cannot fail, and after an end it does nothing. A run that has not started starts before.
    ///
    /// Calls that are open are not ended, because a client would run them with the arguments they have; they are cut off by an
    /// error, which says so if no other is given.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&mut self, error: Option<&str>) -> Vec<WireEvent> {
        self.end_with(error.map(|message| (message, None)), &Outcome::Success.to_value())
    }

    /// The same of a run that the client has cancelled.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn cancel(&mut self) -> Vec<WireEvent> {
        self.end_with(None, &Outcome::Cancelled.to_value())
    }

    /// Whether the run has ended.
    pub fn is_ended(&self) -> bool {
        matches!(self.life.phase, Phase::Finished | Phase::Failed)
    }

    /// Every step below is legal in the state it is taken in, so nothing is lost where an `Err` would yield no event. Tokens and an
    /// outcome that cannot be told are left out.
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

    /// Ends what is open but for calls, as [`finish`](Self::finish) does.
    #[cfg(feature = "hub")]
    pub(crate) fn end_open(&mut self, suspended: bool) -> Vec<WireEvent> {
        let mut events = self.end_texts();
        events.extend(self.end_parts(suspended));
        events
    }

    fn has_no_open_call(&mut self) -> Result<(), UsageError> {
        let ended: Vec<Box<str>> = self.streams.ended_calls();
        let open = self.life.open.names(Thing::Call).all_open();
        let unfinished: Vec<&str> =
            open.into_iter().filter(|id| !ended.iter().any(|ended| **ended == **id)).collect();
        match unfinished[..] {
            [] => Ok(()),
            _ => Err(super::refuse::open_calls(&unfinished)),
        }
    }

    /// The ends of messages, of reasoning and of its spans.
    fn end_texts(&mut self) -> Vec<WireEvent> {
        let ended = self.streams.end_before("RUN_FINISHED", None, &mut self.life);
        let mut events = self.streams.ends_of(&ended, self.chunks);
        for thing in [Thing::Text, Thing::Reasoning, Thing::Span] {
            for id in boxed(&self.life.open.names(thing).all_open()) {
                let lane = self.life.open.owner(thing.words().owned, &id).cloned().flatten();
                let (lane, message_id) = (lane.as_deref(), Cow::Borrowed(&*id));
                events.extend(self.made(&match thing {
                    Thing::Text => event!(TextMessageEnd in lane, { message_id: message_id }),
                    Thing::Reasoning => event!(ReasoningMessageEnd in lane, { message_id: message_id }),
                    Thing::Call | Thing::Span => event!(ReasoningEnd in lane, { message_id: message_id }),
                }));
            }
        }
        events
    }

    /// The ends of steps and of subagents, those that were started last first.
    fn end_parts(&mut self, suspended: bool) -> Vec<WireEvent> {
        let mut events = Vec::new();
        let steps: Vec<(Lane, Box<str>)> = self.life.open.steps.all().collect();
        for (lane, name) in steps.into_iter().rev() {
            let step_name = Cow::Borrowed(&*name);
            events.extend(self.made(&event!(StepFinished in lane.as_deref(), { step_name: step_name })));
        }
        for id in boxed(&self.life.open.subagents.all_open()).into_iter().rev() {
            events.extend(self.made(&event!(SubagentFinished {
                subagent_run_id: Cow::Borrowed(&*id),
                result: None,
                outcome: suspended.then(|| Value::from([("type", "suspended".into())])),
            })));
        }
        events
    }

    /// An event that is legal for certain.
    fn made(&mut self, event: &Event<'_>) -> Vec<WireEvent> {
        self.event(event).unwrap_or_default()
    }

    /// The lane that a thing belongs to.
    pub(super) fn owner(&self, owned: Owned, id: &str) -> Lane {
        self.life.open.owner(owned, id).cloned().flatten()
    }
}

fn boxed(ids: &[&str]) -> Vec<Box<str>> {
    ids.iter().map(|id| Box::from(*id)).collect()
}
