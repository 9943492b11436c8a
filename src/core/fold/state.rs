//! What every fold does alike: counting events, noting breaches, telling the sink, joining texts, replaying deltas.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::Refusal;
use super::folding::CommonRules;
use super::metered::Metered;
use crate::core::error::DecodeError;
use crate::core::id::Id;
use crate::core::observed::Observed;
use crate::core::options::ReadOptions;
use crate::core::replay::Repeat;
use crate::core::report::{Ended, Report};
use crate::core::sink::{Key, Node};
use crate::core::violation::{LIMIT_EXCEEDED, Place, Rule};
use crate::json::{Element, Raw, Str, SurrogateHalf, joined, number};
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
    pub(super) rules: CommonRules,
    /// How many breaches there were, noted or not, and how many there may be if the event at work can be replayed.
    pub(super) breaches: u64,
    allowed: u64,
    /// What the next event's number should be.
    next_number: i64,
    /// Where the number of the event at work stands in its data.
    number: Option<Range<usize>>,
    /// An `event` or `id` line was met and reported.
    framed: bool,
    /// What the event at work did so far: how many things, and the last piece that it appended.
    pub(super) effects: u64,
    appended: Option<(Target, Range<usize>)>,
    /// Where the data of the event at work stands in memory.
    data: Range<usize>,
    /// What in the event at work nobody looks at.
    unread: Vec<Range<usize>>,
    /// What the last event did, if that was to append one piece and nothing else.
    learned: Option<(Target, Repeat)>,
    scratch: String,
}

/// Where a piece of text went.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Cell(TextCell),
    /// The semantics knows more of it: it goes on in this member.
    Member(Node, Key),
}

impl State {
    pub(super) fn new(options: &ReadOptions, rules: CommonRules) -> Self {
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
            learned: None,
            scratch: String::new(),
        }
    }

    /// Whether events are still read.
    #[inline]
    pub(super) fn is_reading(&self) -> bool {
        self.report.ended != Ended::Refused
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
        self.learned = None;
    }

    /// A value of the event at work that nobody looks at.
    pub(super) fn not_read(&mut self, value: Raw<'_>) {
        let place = self.inside(value.as_str());
        self.unread.extend(place);
    }

    /// The event has been read: if all that it did was to append one piece, the next one like it can be replayed.
    pub(super) fn learn(&mut self) {
        if let Some((target, text)) = self.appended.take()
            && self.effects == 1
        {
            let (number, unread) = (self.number.take(), core::mem::take(&mut self.unread));
            self.learned = Some((target, Repeat { number, text, unread }));
        }
    }

    pub(super) fn learned(&self) -> Option<&Repeat> {
        self.learned.as_ref().map(|(_, repeat)| repeat).filter(|_| self.breaches == self.allowed)
    }

    /// Where the text of a replayed event goes.
    pub(super) fn target(&self) -> Option<Target> {
        self.learned.as_ref().map(|(target, _)| *target)
    }

    /// The same, as the sink knows it.
    pub(super) fn replays_into(&self) -> Option<(Node, Key)> {
        match self.target()? {
            Target::Cell(cell) => self.cells.get(cell.0 as usize).map(|cell| (cell.node, cell.key)),
            Target::Member(node, key) => Some((node, key)),
        }
    }

    /// Whether half a character waits in a text for what comes next.
    pub(super) fn is_waiting(&self, cell: TextCell) -> bool {
        self.cells.get(cell.0 as usize).is_some_and(|cell| cell.half.is_waiting())
    }

    /// The event before comes again with another number and another text, unless nothing is read any more.
    #[inline]
    pub(super) fn comes_again(
        &mut self,
        number: Option<i64>,
        offset: u64,
        rule: Option<&'static Rule>,
    ) -> bool {
        let goes_on = self.is_reading();
        if goes_on {
            self.count(offset);
            self.sequence(number, rule);
        }
        goes_on
    }

    /// The number of an event, which should be one more than the one before. What arrives first is first all the same.
    #[inline]
    pub(super) fn sequence(&mut self, number: Option<i64>, rule: Option<&'static Rule>) {
        let Some(rule) = rule else { return };
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

    /// The event at work has this number. It may be replayed with another one: that is looked at each time.
    pub(super) fn number(&mut self, value: Option<Element<'_, '_>>) {
        let number = value.and_then(|value| value.integer().ok());
        let breaches = self.breaches;
        self.sequence(number, self.rules.sequence_number);
        self.allowed += self.breaches - breaches;
        let (Some(value), Some(_)) = (value, number) else { return };
        let digits = value.raw().as_str();
        if number::count(digits.as_bytes(), 0).is_some_and(|(_, end)| end == digits.len()) {
            self.number = self.inside(digits);
        } else {
            // A string, or some other spelling.
            self.effects += 1;
        }
    }

    /// Where a slice of the data of the event at work stands in it.
    fn inside(&self, slice: &str) -> Option<Range<usize>> {
        let start = slice.as_ptr() as usize;
        let end = start + slice.len();
        (self.data.start <= start && end <= self.data.end)
            .then(|| start - self.data.start..end - self.data.start)
    }

    /// The event at work appends a piece.
    #[inline]
    pub(super) fn appends(&mut self, target: Target, piece: Str<'_>) {
        self.appended = self.inside(piece.raw()).map(|text| (target, text));
    }

    /// Reports, once, that the stream has `event` or `id` lines.
    #[inline]
    pub(super) fn check_framing(&mut self, event: &sse::SseEvent<'_>, rule: &'static Rule) {
        if !self.framed && (event.name != "message" || !event.last_event_id.is_empty()) {
            self.framed = true;
            self.breach(rule, Owner::NONE, Observed::Words("an `event` or `id` line"));
        }
    }

    /// False if the sink refused it.
    pub(super) fn append(&mut self, cell: TextCell, piece: Str<'_>, sink: &mut Metered<'_>) -> bool {
        let Some(Cell { node, key, owner, half, kept }) = self.cells.get_mut(cell.0 as usize) else {
            return false;
        };
        let (characters, lone) = joined(piece, half, &mut self.scratch);
        if !sink.append(*node, *key, characters) {
            return false;
        }
        if let Some(kept) = kept {
            kept.push_str(characters);
        }
        if lone > 0 {
            let owner = *owner;
            self.breach(self.rules.lone_surrogate, owner, Observed::Count(lone.into()));
        }
        true
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
