//! A fold, made of what a protocol declares and what its events mean.

use super::Refusal;
use super::context::Context;
use super::limited::Machine;
use super::metered::Metered;
use super::state::{Owner, State};
use crate::core::declare::table::{EventTable, Reading};
use crate::core::error::DecodeError;
use crate::core::observed::Observed;
use crate::core::options::ReadOptions;
use crate::core::replay::DeltaBatch;
use crate::core::replay::Repeat;
use crate::core::report::{Ended, Report};
use crate::core::sink::{Key, Node};
use crate::core::violation::{LIMIT_EXCEEDED, Place, Rule};
use crate::json::{Document, Str, Tape};
use crate::sse;

/// What the events of a protocol mean.
///
/// An event that only appends a piece to a text may be replayed: the next event that differs in nothing but that piece is
/// not read, and its piece goes to the same text. So what an event does may depend on the piece in no other way, and the same
/// event once more must do the same.
pub(crate) trait Semantics: core::fmt::Debug {
    /// The events that are read.
    const EVENTS: &'static EventTable;
    /// The rules that all protocols have.
    const RULES: CommonRules;

    /// Looks at an event before its data are read as JSON; false if they are not to be.
    fn before(&mut self, _event: &sse::SseEvent<'_>, _cx: &mut Context<'_, '_>) -> bool {
        true
    }

    /// Takes an event that is one.
    fn event(&mut self, event: &Reading<'_, '_>, cx: &mut Context<'_, '_>);

    /// Nothing more comes: the stream has ended, or (`aborted`) the reader has stopped it.
    fn finish(&mut self, _aborted: bool, _cx: &mut Context<'_, '_>) {}

    /// A breach was found below the events.
    fn framing(&mut self, _rule: &'static Rule) {}

    /// Whether nothing that comes can change the answer any more.
    fn has_ended(&self) -> bool;
}

/// A protocol's own texts of the rules that are about events of any kind.
#[derive(Debug)]
pub(crate) struct CommonRules {
    pub malformed_event: &'static Rule,
    pub duplicate_key: &'static Rule,
    pub null_member: &'static Rule,
    pub lone_surrogate: &'static Rule,
}

/// The state machine that the semantics of a protocol makes.
#[derive(Debug)]
pub struct Folding<S> {
    pub(crate) semantics: S,
    state: State,
    tape: Tape,
}

#[expect(private_bounds, reason = "protocols are this crate's")]
impl<S: Semantics> Folding<S> {
    pub(crate) fn new(semantics: S, options: &ReadOptions) -> Self {
        let state = State::new(options, S::RULES.lone_surrogate);
        Folding { semantics, state, tape: Tape::default() }
    }

    #[inline(never)]
    fn read(&mut self, data: &str, sink: &mut Metered<'_>) {
        let Folding { semantics, state, tape } = self;
        let mut document = match Document::read_into(tape, data, state.options.limits.json_depth) {
            Ok(document) => document,
            Err(refused) => return Self::malformed(state, &refused.into(), data),
        };
        document.id_bytes = state.options.limits.id_bytes;
        match S::EVENTS.read(document.root()) {
            Ok(reading) => {
                let rules = S::RULES;
                if let Some(name) = reading.repeated.filter(|_| reading.row.is_some()) {
                    state.breach(rules.duplicate_key, Owner::NONE, Observed::Named("twice", name));
                }
                if let Some(name) = reading.null.filter(|_| reading.row.is_some()) {
                    state.breach(rules.null_member, Owner::NONE, Observed::Named("null for", name));
                }
                reading.unread().for_each(|value| state.not_read(value.raw()));
                semantics.event(&reading, &mut Context::new(state, sink));
            }
            Err(error) => Self::malformed(state, &error, data),
        }
        document.give_back(tape);
    }

    #[cold]
    fn malformed(state: &mut State, error: &DecodeError, data: &str) {
        if error.code == DecodeError::ID_TOO_LONG {
            let most = state.options.limits.id_bytes as u64;
            return state.breach(&LIMIT_EXCEEDED, Owner::NONE, Observed::Over("id_bytes", most));
        }
        state.breach(S::RULES.malformed_event, Owner::NONE, Observed::NoEvent(error, data));
    }
}

impl<S: Semantics> Machine for Folding<S> {
    #[inline(never)]
    fn event(&mut self, event: &sse::SseEvent<'_>, sink: &mut Metered<'_>) {
        if !self.state.is_reading() {
            return;
        }
        self.state.count(event.offset);
        self.state.begin(event.data);
        if self.semantics.before(event, &mut Context::new(&mut self.state, sink)) {
            self.read(event.data, sink);
        }
        self.state.learn();
    }

    fn repeatable(&self) -> Option<&Repeat> {
        self.state.learned()
    }

    fn repeats_into(&self) -> Option<(Node, Key)> {
        self.state.replays_into()
    }

    fn repeat(&mut self, _: Option<i64>, text: Str<'_>, offset: u64, sink: &mut Metered<'_>) {
        self.state.replay(text, offset, sink);
    }

    fn repeat_run(&mut self, batch: DeltaBatch<'_>, sink: &mut Metered<'_>) {
        self.state.replay_batch(batch, sink);
    }

    fn refused(&mut self, refusal: Refusal) {
        self.state.refused(refusal);
    }

    fn finish(&mut self, aborted: bool, sink: &mut Metered<'_>) {
        self.state.at.0 = self.state.report.events.saturating_sub(1);
        self.semantics.finish(aborted, &mut Context::new(&mut self.state, sink));
        let ended = &mut self.state.report.ended;
        if *ended == Ended::Open {
            *ended = match (self.semantics.has_ended(), aborted) {
                (true, _) => Ended::Terminal,
                (false, true) => Ended::Aborted,
                (false, false) => Ended::Eof,
            };
        }
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>) {
        self.semantics.framing(rule);
        let place = Place { event: self.state.report.events, offset, ..Place::default() };
        self.state.breach_at(rule, place, got);
    }

    fn has_ended(&self) -> bool {
        self.semantics.has_ended() || !self.state.is_reading()
    }

    fn report(&self) -> &Report {
        &self.state.report
    }

    fn report_mut(&mut self) -> &mut Report {
        &mut self.state.report
    }
}
