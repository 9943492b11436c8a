//! Noting breaches: where, how bad, and what the mode of reading makes of them.

use super::AgentApiFold;
use crate::agent_api::lifecycle::{self, Phase, Step};
use crate::got::Got;
use crate::violation::{Place, Rule};

impl AgentApiFold {
    /// Notes a breach at the event at work.
    #[cold]
    pub(super) fn breach(&mut self, rule: &'static Rule, got: Got<'_>) {
        self.breach_at(rule, Place { event: self.at.0, offset: self.at.1, ..Place::default() }, got);
    }

    /// Notes a breach that concerns a message, or one of its contents.
    #[cold]
    pub(super) fn breach_in(
        &mut self,
        rule: &'static Rule,
        message: usize,
        index: Option<u32>,
        got: Got<'_>,
    ) {
        self.breaches += 1;
        let message_id = self.messages.get(message).map(|message| message.id.as_str());
        let place = Place { event: self.at.0, offset: self.at.1, message_id, index };
        self.report.breach(&self.options, rule, place, got);
    }

    #[cold]
    pub(super) fn breach_at(&mut self, rule: &'static Rule, at: Place<'_>, got: Got<'_>) {
        self.breaches += 1;
        self.report.breach(&self.options, rule, at, got);
    }

    /// Takes a step of the lifecycle table: notes the breach if it is one, and returns the new state.
    pub(super) fn step(&mut self, step: Step, from: Phase, message: Option<usize>, got: &str) -> Phase {
        if let Step::Illegal(rule, _) = step {
            match message {
                Some(message) => self.breach_in(rule, message, None, Got::Words(got)),
                None => self.breach(rule, Got::Words(got)),
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
