//! Noting breaches: where, how bad, and what the mode of reading makes of them.

use super::AgentApiFold;
use crate::core::observed::Observed;
use crate::core::violation::{Place, Rule};
use crate::protocols::agent_api::lifecycle::{self, Phase, Transition};

impl AgentApiFold {
    /// Notes a breach at the event at work.
    #[cold]
    pub(super) fn breach(&mut self, rule: &'static Rule, got: Observed<'_>) {
        self.breach_at(rule, Place { event: self.at.0, offset: self.at.1, ..Place::default() }, got);
    }

    /// Notes a breach that concerns a message, or one of its contents.
    #[cold]
    pub(super) fn breach_in(
        &mut self,
        rule: &'static Rule,
        message: usize,
        index: Option<u32>,
        got: Observed<'_>,
    ) {
        self.breaches += 1;
        let message_id = self.messages.get(message).map(|message| message.id.as_str());
        let place = Place { event: self.at.0, offset: self.at.1, message_id, index };
        self.report.breach(&self.options, rule, place, got);
    }

    #[cold]
    pub(super) fn breach_at(&mut self, rule: &'static Rule, at: Place<'_>, got: Observed<'_>) {
        self.breaches += 1;
        self.report.breach(&self.options, rule, at, got);
    }

    /// Takes a step of the lifecycle table: notes the breach if it is one, and returns the new state.
    pub(super) fn step(&mut self, step: Transition, from: Phase, message: Option<usize>, got: &str) -> Phase {
        if let Transition::Illegal(rule, _) = step {
            match message {
                Some(message) => self.breach_in(rule, message, None, Observed::Words(got)),
                None => self.breach(rule, Observed::Words(got)),
            }
        }
        step.phase(from)
    }

    /// R10: messages and contents come inside a started response. Said once, because the response then counts as started.
    pub(super) fn inside_response(&mut self, got: &str) {
        let from = self.phase;
        self.phase = self.step(lifecycle::inside_response(from), from, None, got);
    }
}
