//! A fold, made of what a protocol declares and what its events mean.

use alloc::vec::Vec;

use super::Refusal;
use super::context::Context;
use super::limited::Machine;
use super::metered::Metered;
use super::state::{Owner, State, Target};
#[cfg(feature = "binary")]
use crate::core::binary::{self, Binary, Decoded};
use crate::core::declare::events::table::{EventTable, Reading};
use crate::core::declare::rules::CommonRules;
use crate::core::detect::{Opening, Recognizer};
use crate::core::error::DecodeError;
use crate::core::framing_rules::UNKNOWN_PROTOCOL;
use crate::core::observed::Observed;
use crate::core::options::ReadOptions;
use crate::core::replay::DeltaBatch;
use crate::core::replay::Repeat;
use crate::core::report::{EndReason, Report};
use crate::core::sink::{Key, Node};
use crate::core::violation::{Place, Rule};
use crate::json::{Document, Element, Skip, Str, Tape};
use crate::sse;

/// What the events of a protocol mean.
///
/// An event that only appends a piece to a text may be replayed: the next event that differs in nothing but that piece is
/// not read, and its piece goes to the same text. So what an event does may depend on the piece in no other way, and the same
/// event once more must do the same.
pub(crate) trait Semantics: Declared + core::fmt::Debug {
    /// The messages that the events are in binary streams, if there are such.
    #[cfg(feature = "binary")]
    const BINARY: Option<&'static Binary> = None;

    /// What null means depends on the member: the semantics looks at each by itself.
    const JUDGES_NULL: bool = false;

    /// Whether a stream that opens so is one of this protocol. Without more, it is by a type that the protocol has.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        Self::EVENTS.knows(opening)
    }

    /// Whether the semantics itself judges a stream that opens so.
    fn judges(opening: &Opening<'_, '_>) -> bool {
        Self::opens(opening)
    }

    /// Whether this is an event of the protocol, by itself.
    fn check(document: &Document<'_>) -> Result<(), DecodeError> {
        Self::read(document.root()).map(drop)
    }

    /// Reads an event.
    fn read<'d, 'a>(json: Element<'d, 'a>) -> Result<Reading<'d, 'a>, DecodeError> {
        Self::EVENTS.read(json)
    }

    /// Finds what in the data of an event need not be read, because it says again what is known.
    fn find_known(&self, _data: &str, _skips: &mut Vec<Skip>) {}

    /// Whether what was skipped stands where it was expected. Otherwise the event is read again with it.
    fn is_known(&self, _event: &Reading<'_, '_>, _cx: &Context<'_, '_>) -> bool {
        true
    }

    /// Appends a text where the event before [has appended one](Context::appends).
    fn append_again(&mut self, _text: Str<'_>, _cx: &mut Context<'_, '_>) {}

    /// Whether half a character waits there for what comes next.
    fn is_waiting(&mut self) -> bool {
        false
    }

    /// Something was not told: what it belonged to is not as it was said. Returns the index of the content concerned.
    fn refused(&mut self, _refusal: &Refusal) -> Option<u32> {
        None
    }

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

    /// The stream breaks off before its end. For protocols whose streams have no other end than their last byte.
    #[cfg(feature = "hub")]
    fn cut_off(&mut self) {}
}

/// What a protocol declares, for its semantics: `protocol!` says it.
pub(crate) trait Declared {
    /// The events that are read.
    const EVENTS: &'static EventTable;
    /// The rules that all protocols have.
    const RULES: CommonRules;
}

/// The state machine that the semantics of a protocol makes.
#[derive(Debug)]
pub struct Folding<S> {
    pub(crate) semantics: S,
    state: State,
    tape: Tape,
    skips: Vec<Skip>,
    /// What recognizes other protocols, until an event is one of its own. Events of others are not read.
    others: Option<Recognizer>,
}

#[expect(private_bounds, reason = "protocols are this crate's")]
impl<S: Semantics> Folding<S> {
    pub(crate) fn new(semantics: S, options: &ReadOptions) -> Self {
        let state = State::new(options, S::RULES);
        Folding { semantics, state, tape: Tape::default(), skips: Vec::new(), others: None }
    }

    /// What the answer has before anything of the stream has come.
    #[cfg(feature = "ag-ui")]
    pub(crate) fn start(&mut self, sink: &mut Metered<'_>, work: impl FnOnce(&mut S, &mut Context<'_, '_>)) {
        work(&mut self.semantics, &mut Context::new(&mut self.state, sink));
    }

    #[inline(never)]
    fn read(&mut self, data: &str, sink: &mut Metered<'_>) {
        self.skips.clear();
        self.semantics.find_known(data, &mut self.skips);
        if !self.read_once(data, sink) {
            self.skips.clear();
            self.read_once(data, sink);
        }
    }

    /// Returns whether the event was taken: it was not if something in it was skipped that belongs elsewhere.
    fn read_once(&mut self, data: &str, sink: &mut Metered<'_>) -> bool {
        let Folding { semantics, state, tape, skips, others } = self;
        let mut document = match Document::read_skipping(tape, data, state.options.limits.json_depth, skips) {
            Ok(document) => document,
            Err(refused) => {
                state.malformed(&refused.into(), data, Owner::NONE, None);
                return true;
            }
        };
        document.id_bytes = state.options.limits.id_bytes;
        if let Some(Recognizer(recognize)) = *others
            && let Some(opening) = Opening::of(data, Some(&document))
        {
            if S::judges(&opening) {
                *others = None;
            } else if let Some(other) = recognize(&opening).filter(|_| !opening.is_error()) {
                if state.report.count(UNKNOWN_PROTOCOL.id) == 0 {
                    semantics.framing(&UNKNOWN_PROTOCOL);
                    state.breach(&UNKNOWN_PROTOCOL, Owner::NONE, other);
                }
                document.give_back(tape);
                return true;
            }
        }
        let reading = S::read(document.root());
        if document.has_skipped()
            && !reading.as_ref().is_ok_and(|reading| semantics.is_known(reading, &Context::new(state, sink)))
        {
            document.give_back(tape);
            return false;
        }
        match reading {
            Ok(reading) => {
                let rules = S::RULES;
                if let Some(name) = reading.repeated.filter(|_| reading.row.is_some()) {
                    state.breach(rules.duplicate_key, Owner::NONE, Observed::Named("twice", name));
                }
                let null_member = rules.null_member.filter(|_| !S::JUDGES_NULL);
                if let (Some(rule), Some(name), Some(_)) = (null_member, reading.null, reading.row) {
                    state.breach(rule, Owner::NONE, Observed::Named("null for", name));
                }
                reading.unread().for_each(|value| state.not_read(value.raw()));
                semantics.event(&reading, &mut Context::new(state, sink));
            }
            Err(error) => state.malformed(&error, data, Owner::NONE, None),
        }
        document.give_back(tape);
        true
    }

    /// Appends a text where the event before did.
    #[inline]
    fn append_again(&mut self, text: Str<'_>, sink: &mut Metered<'_>) {
        match self.state.target() {
            Some(Target::Cell(cell)) => {
                self.state.append(cell, text, sink);
            }
            Some(Target::Member(..)) => {
                self.semantics.append_again(text, &mut Context::new(&mut self.state, sink));
            }
            None => {}
        }
    }

    fn is_waiting(&mut self) -> bool {
        match self.state.target() {
            Some(Target::Cell(cell)) => self.state.is_waiting(cell),
            Some(Target::Member(..)) => self.semantics.is_waiting(),
            None => false,
        }
    }
}

impl<S: Semantics> Machine for Folding<S> {
    fn recognize(&mut self, others: Recognizer) {
        self.others = Some(others);
    }

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

    #[cfg(feature = "binary")]
    #[cold]
    fn frame(&mut self, frame: &sse::Frame<'_>) -> Option<Decoded> {
        if !self.state.is_reading() {
            return None;
        }
        let message = Some(frame.message).filter(|_| !frame.is_cut);
        let decoded = binary::read(S::BINARY, message, &self.state.options.limits);
        if let Err(error) = &decoded {
            self.state.count(frame.offset);
            self.state.begin("");
            self.state.malformed(error, "a frame", Owner::NONE, None);
            self.state.learn();
        }
        decoded.ok()
    }

    fn repeatable(&self) -> Option<&Repeat> {
        self.state.learned()
    }

    fn repeats_into(&mut self) -> Option<(Node, Key)> {
        if self.is_waiting() { None } else { self.state.replays_into() }
    }

    #[inline]
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, sink: &mut Metered<'_>) {
        if self.state.comes_again(number, offset, S::RULES.sequence_number) {
            self.append_again(text, sink);
        }
    }

    fn repeat_run(&mut self, batch: DeltaBatch<'_>, sink: &mut Metered<'_>) {
        let mut end = 0;
        for piece in batch.pieces() {
            if self.state.comes_again(piece.number, piece.offset, S::RULES.sequence_number) {
                end = piece.end;
            }
        }
        self.append_again(batch.text(end), sink);
    }

    fn refused(&mut self, refusal: Refusal) {
        let index = self.semantics.refused(&refusal);
        self.state.refused(refusal, index);
    }

    fn finish(&mut self, aborted: bool, sink: &mut Metered<'_>) {
        self.state.at.0 = self.state.report.events.saturating_sub(1);
        self.semantics.finish(aborted, &mut Context::new(&mut self.state, sink));
        let ended = &mut self.state.report.end_reason;
        if *ended == EndReason::Open {
            *ended = match (self.semantics.has_ended(), aborted) {
                (true, _) => EndReason::Terminal,
                (false, true) => EndReason::Aborted,
                (false, false) => EndReason::Eof,
            };
        }
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>) {
        if !self.state.is_reading() {
            return;
        }
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
