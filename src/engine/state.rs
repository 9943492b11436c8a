//! What every fold does alike: counting events, noting breaches, telling the sink, joining texts, replaying deltas.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::Refusal;
use crate::core::declare::events::table::Reading;
use crate::core::declare::rules::CommonRules;
use crate::core::error::DecodeError;
use crate::core::id::Id;
use crate::core::observed::Observed;
use crate::core::options::ReadOptions;
use crate::core::replay::Repeat;
use crate::core::report::{EndReason, Report};
use crate::core::sink::{Key, Node};
use crate::core::violation::{LIMIT_EXCEEDED, Place, Rule};
use crate::json::SurrogateHalf;
use crate::sse;

/// Something of a stream that has an id and that breaches name: the place of that id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(pub(super) u32);

impl Owner {
    /// What has no id.
    pub const NONE: Owner = Owner(u32::MAX);
}

/// A text that comes in pieces: the place of what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextCell(pub(super) u32);

#[derive(Debug)]
pub(super) struct Cell {
    pub node: Node,
    pub key: Key,
    pub owner: Owner,
    /// The first half of a character that the last piece was cut in.
    pub half: SurrogateHalf,
    /// The text so far, where the protocol needs it.
    pub kept: Option<String>,
}

/// What a fold keeps besides the protocol's own state.
#[derive(Debug)]
pub struct State {
    /// How the stream is read.
    pub options: ReadOptions,
    /// What has been found so far.
    pub report: Report,
    /// Number and offset of the event at work.
    pub at: (u64, u64),
    pub(super) owners: Vec<Id>,
    pub(super) cells: Vec<Cell>,
    pub(super) rules: &'static CommonRules,
    /// How many breaches there were, noted or not, and how many there may be if the event at work can be replayed.
    pub(super) breaches: u64,
    pub(super) allowed: u64,
    /// What the next event's number should be.
    next_number: i64,
    /// Where the number of the event at work stands in its data.
    pub(super) number: Option<Range<usize>>,
    /// An `event` or `id` line was met and reported.
    framed: bool,
    /// What the event at work did so far: how many things, and the last piece that it appended.
    pub(super) effects: u64,
    pub(super) appended: Option<(Target, Range<usize>)>,
    /// Where the data of the event at work stands in memory.
    pub(super) data: Range<usize>,
    /// What in the event at work nobody looks at.
    pub(super) unread: Vec<Range<usize>>,
    /// Integers in it that count for nothing.
    pub(super) integers: Vec<Range<usize>>,
    /// What the last event did, if that was to append one piece and nothing else.
    pub(super) learned: Option<(Target, Repeat)>,
    pub(super) scratch: String,
    /// The last event has left no trace in the answer.
    pub(super) traceless: bool,
}

/// Where a piece of text went.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Cell(TextCell),
    /// The semantics knows more of it: it goes on in this member.
    Member(Node, Key),
}

impl State {
    pub(super) fn new(options: &ReadOptions, rules: &'static CommonRules) -> Self {
        State {
            options: options.clone(),
            report: Report::default(),
            at: (0, 0),
            owners: Vec::new(),
            cells: Vec::new(),
            rules,
            breaches: 0,
            allowed: 0,
            next_number: 0,
            number: None,
            framed: false,
            effects: 0,
            appended: None,
            data: 0..0,
            unread: Vec::new(),
            integers: Vec::new(),
            learned: None,
            scratch: String::new(),
            traceless: false,
        }
    }

    /// Whether events are still read.
    #[inline]
    pub(super) fn is_reading(&self) -> bool {
        self.report.end_reason != EndReason::Refused
    }

    /// An event begins.
    #[inline]
    pub(super) fn count(&mut self, offset: u64) {
        self.at = (self.report.events, offset);
        self.report.events += 1;
    }

    pub(super) fn begin(&mut self, data: &str) {
        let start = data.as_ptr() as usize;
        self.data = start..start + data.len();
        self.allowed = self.breaches;
        self.number = None;
        self.effects = 0;
        self.appended = None;
        self.unread.clear();
        self.integers.clear();
        self.learned = None;
    }

    /// The number of an event, which should be one more than the one before. What arrives first is first all the same.
    #[inline]
    pub(super) fn sequence(&mut self, number: Option<i64>) {
        let Some(rule) = self.rules.sequence_number else { return };
        let expected = self.next_number;
        if number != Some(expected) {
            self.out_of_sequence(rule, number);
        }
        self.next_number = number.unwrap_or(expected).saturating_add(1);
    }

    #[cold]
    fn out_of_sequence(&mut self, rule: &'static Rule, number: Option<i64>) {
        let effects = self.effects;
        self.breach(rule, Owner::NONE, Observed::Number(number, self.next_number));
        self.effects = effects;
    }

    /// Reports, once, that the stream has `event` or `id` lines.
    #[inline]
    pub(super) fn check_framing(&mut self, event: &sse::SseEvent<'_>, rule: &'static Rule) {
        if !self.framed && (event.name != "message" || !event.last_event_id.is_empty()) {
            self.framed = true;
            self.breach(rule, Owner::NONE, Observed::Words("an `event` or `id` line"));
        }
    }

    /// Reports a property that is there twice, and one that is null instead of absent.
    pub(super) fn check_members(&mut self, reading: &Reading<'_, '_>, judges_null: bool) {
        if let Some(name) = reading.repeated {
            self.breach(self.rules.duplicate_key, Owner::NONE, Observed::Named("twice", name));
        }
        if let (Some(rule), Some(name), false) = (self.rules.null_member, reading.null, judges_null) {
            self.breach(rule, Owner::NONE, Observed::Named("null for", name));
        }
    }

    pub(super) fn refused(&mut self, refusal: Refusal, index: Option<u32>) {
        let got = Observed::Over(refusal.limit, refusal.allowed);
        self.breach_in(&LIMIT_EXCEEDED, Owner(refusal.owner), index, got);
    }

    /// What is no event, or no part of one.
    #[cold]
    pub(super) fn malformed(&mut self, error: &DecodeError, what: &str, owner: Owner, index: Option<u32>) {
        if error.code == DecodeError::ID_TOO_LONG {
            let most = self.options.limits.id_bytes as u64;
            return self.breach_in(&LIMIT_EXCEEDED, owner, index, Observed::Over("id_bytes", most));
        }
        self.breach_in(self.rules.malformed_event, owner, index, Observed::NoEvent(error, what));
    }

    #[cold]
    pub(super) fn breach(&mut self, rule: &'static Rule, owner: Owner, got: Observed<'_>) {
        self.breach_in(rule, owner, None, got);
    }

    #[cold]
    pub(super) fn breach_in(
        &mut self,
        rule: &'static Rule,
        owner: Owner,
        index: Option<u32>,
        got: Observed<'_>,
    ) {
        let id = self.owners.get(owner.0 as usize).cloned();
        let place = Place { event: self.at.0, offset: self.at.1, message_id: id.as_deref(), index };
        self.breach_at(rule, place, got);
    }

    #[cold]
    pub(super) fn breach_at(&mut self, rule: &'static Rule, place: Place<'_>, got: Observed<'_>) {
        self.effects += 1;
        self.breaches += 1;
        self.report.breach(&self.options, rule, place, got);
    }
}
