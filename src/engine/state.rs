//! The state of an engine that is the same for all protocols: the report, ids, open texts, the
//! effects of the last event, and whether that event can be replayed.

use super::RefusedChange;
use crate::core::declare::events::table::EventReading;
use crate::core::declare::rules::CommonRules;
use crate::core::error::{DecodeError, UsageError};
use crate::core::id::Id;
use crate::core::options::ReadOptions;
use crate::core::replay::Repeat;
use crate::core::report::{EndReason, Report};
use crate::core::sink::{Field, ObjectId};
use crate::core::violation::{LIMIT_EXCEEDED, LazyLocation, Observed, Rule};
use crate::json::{Element, Raw, Str, SurrogateHalf, number};
use crate::sse;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Index of an id that violations name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject(pub(super) u32);

impl Subject {
    /// No id.
    pub const NONE: Subject = Subject(u32::MAX);
}

/// Index of a text that arrives in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextSlot(pub(super) u32);

#[derive(Clone, Debug)]
pub(super) struct TextSlotState {
    pub node: ObjectId,
    pub key: Field,
    pub owner: Subject,
    /// The first half of a character at the end of the last piece.
    pub half: SurrogateHalf,
    /// The text so far, if the protocol needs it.
    pub kept: Option<String>,
}

/// The state of an engine that does not depend on the protocol.
#[derive(Clone, Debug)]
pub struct EngineState {
    /// The options of the reader.
    pub options: ReadOptions,
    /// The report so far.
    pub report: Report,
    /// Number and byte offset of the current event.
    pub at: (u64, u64),
    pub(super) owners: Vec<Id>,
    pub(super) cells: Vec<TextSlotState>,
    pub(super) rules: &'static CommonRules,
    /// The number of violations, reported or not, and the number up to which the current event can
    /// be replayed.
    pub(super) violations: u64,
    pub(super) allowed: u64,
    /// The expected number of the next event.
    next_number: i64,
    /// The place of the current event's number in its data.
    pub(super) number: Option<Range<usize>>,
    /// An `event` or `id` line was reported.
    framed: bool,
    /// The number of effects of the current event, and the last piece that it appended.
    pub(super) effects: u64,
    pub(super) appended: Option<(PieceTarget, Range<usize>)>,
    /// The addresses of the current event's data.
    pub(super) data: Range<usize>,
    /// The places of values in it that have no effect.
    pub(super) unread: Vec<Range<usize>>,
    /// The places of integers in it that have no effect.
    pub(super) integers: Vec<Range<usize>>,
    /// The effect of the last event, if that was one appended piece.
    pub(super) learned: Option<(PieceTarget, Repeat)>,
    pub(super) scratch: String,
    /// The last event has left no trace in the answer.
    pub(super) traceless: bool,
    /// The current event is the translation of another one: its number was not received.
    pub(super) is_translated: bool,
    /// The current event is a [piece of a text](super::Context::piece).
    pub(super) is_piece: bool,
    /// The reason why an option is not taken.
    pub(super) refusal: Option<UsageError>,
}

/// The target of a piece of text.
#[derive(Clone, Copy, Debug)]
pub(super) enum PieceTarget {
    Cell(TextSlot),
    /// A property of which the protocol keeps more than a text cell does.
    Member(ObjectId, Field),
}

impl EngineState {
    pub(super) fn new(options: &ReadOptions, rules: &'static CommonRules) -> Self {
        EngineState {
            options: options.clone(),
            report: Report::default(),
            at: (0, 0),
            owners: Vec::new(),
            cells: Vec::new(),
            rules,
            violations: 0,
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
            is_translated: false,
            is_piece: false,
            refusal: None,
        }
    }

    /// Returns whether events are still read.
    #[inline]
    pub(super) fn is_reading(&self) -> bool {
        self.report.end_reason != EndReason::Refused
    }

    /// Counts an event.
    #[inline]
    pub(super) fn count(&mut self, offset: u64) {
        self.at = (self.report.events, offset);
        self.report.events += 1;
    }

    pub(super) fn begin(&mut self, data: &str) {
        let start = data.as_ptr() as usize;
        self.data = start..start + data.len();
        self.allowed = self.violations;
        self.number = None;
        self.effects = 0;
        self.appended = None;
        self.unread.clear();
        self.integers.clear();
        self.learned = None;
        self.traceless = false;
        self.is_piece = false;
    }

    /// Checks the number of an event, which should be one more than the last one. Events keep their
    /// order of arrival.
    #[inline]
    pub(super) fn sequence(&mut self, number: Option<i64>) {
        let Some(rule) = self.rules.sequence_number.filter(|_| !self.is_translated) else { return };
        let expected = self.next_number;
        if number != Some(expected) {
            self.out_of_sequence(rule, number);
        }
        self.next_number = number.unwrap_or(expected).saturating_add(1);
    }

    #[cold]
    fn out_of_sequence(&mut self, rule: &'static Rule, number: Option<i64>) {
        let effects = self.effects;
        self.record(rule, Subject::NONE, Observed::Number(number, self.next_number));
        self.effects = effects;
    }

    /// Reports, once, that the stream has `event` or `id` lines.
    #[inline]
    pub(super) fn check_framing(&mut self, event: &sse::SseEvent<'_>, rule: &'static Rule) {
        if !self.framed
            && (!matches!(event.name, "message" | "") || !event.last_event_id.is_empty())
        {
            self.framed = true;
            self.record(rule, Subject::NONE, Observed::Words("an `event` or `id` line"));
        }
    }

    /// Reports a property that is there twice, and one that is null instead of absent.
    pub(super) fn check_members(&mut self, reading: &EventReading<'_, '_>, judges_null: bool) {
        if let Some(name) = reading.repeated {
            self.record(self.rules.duplicate_key, Subject::NONE, Observed::Named("twice", name));
        }
        if let (Some(rule), Some(name), false) = (self.rules.null_member, reading.null, judges_null)
        {
            self.record(rule, Subject::NONE, Observed::Named("null for", name));
        }
    }

    pub(super) fn record_refusal(&mut self, refusal: RefusedChange, index: Option<u32>) {
        let got = Observed::Over(refusal.limit, refusal.allowed);
        self.record_in(&LIMIT_EXCEEDED, Subject(refusal.owner), index, got);
    }

    /// Reports data that are not an event, or not a part of one.
    #[cold]
    pub(super) fn malformed(
        &mut self,
        error: &DecodeError,
        what: &str,
        owner: Subject,
        index: Option<u32>,
    ) {
        if error.code == DecodeError::ID_TOO_LONG {
            let most = self.options.limits.id_bytes as u64;
            return self.record_in(&LIMIT_EXCEEDED, owner, index, Observed::Over("id_bytes", most));
        }
        self.record_in(self.rules.malformed_event, owner, index, Observed::NoEvent(error, what));
    }

    #[cold]
    pub(super) fn record(&mut self, rule: &'static Rule, owner: Subject, got: Observed<'_>) {
        self.record_in(rule, owner, None, got);
    }

    #[cold]
    pub(super) fn record_in(
        &mut self,
        rule: &'static Rule,
        owner: Subject,
        index: Option<u32>,
        got: Observed<'_>,
    ) {
        let id = self.owners.get(owner.0 as usize).cloned();
        let place =
            LazyLocation { event: self.at.0, offset: self.at.1, message_id: id.as_deref(), index };
        self.record_at(rule, place, got);
    }

    #[cold]
    pub(super) fn record_at(
        &mut self,
        rule: &'static Rule,
        place: LazyLocation<'_>,
        got: Observed<'_>,
    ) {
        self.effects += 1;
        self.violations += 1;
        self.report.record(&self.options, rule, place, got);
    }
}

impl EngineState {
    /// Notes a value of the current event that has no effect.
    pub(super) fn not_read(&mut self, value: Raw<'_>) {
        let place = self.inside(value.as_str());
        self.unread.extend(place);
    }

    /// Notes an integer of the current event that has no effect.
    #[cfg(feature = "ag-ui")]
    pub(super) fn passed_by(&mut self, value: Raw<'_>) {
        let digits = value.as_str();
        match self.inside(digits) {
            Some(place) if number::safe(digits.as_bytes(), 0) == Some(digits.len()) => {
                self.integers.push(place)
            }
            // Another spelling.
            _ => self.effects += 1,
        }
    }

    /// Ends an event. If its only effect was to append one piece, the next one like it can be
    /// replayed.
    pub(super) fn learn(&mut self) {
        if let Some((target, text)) = self.appended.take()
            && self.effects == 1
        {
            let (unread, integers) =
                (core::mem::take(&mut self.unread), core::mem::take(&mut self.integers));
            let number = self.number.take();
            self.learned = Some((target, Repeat { number, text, unread, integers }));
        }
    }

    pub(super) fn learned(&self) -> Option<&Repeat> {
        self.learned.as_ref().map(|(_, repeat)| repeat).filter(|_| self.violations == self.allowed)
    }

    /// Returns the target of a replayed event's text.
    pub(super) fn target(&self) -> Option<PieceTarget> {
        self.learned.as_ref().map(|(target, _)| *target)
    }

    /// Returns the object and the property of that target.
    pub(super) fn replays_into(&self) -> Option<(ObjectId, Field)> {
        match self.target()? {
            PieceTarget::Cell(cell) => {
                self.cells.get(cell.0 as usize).map(|cell| (cell.node, cell.key))
            }
            PieceTarget::Member(node, key) => Some((node, key)),
        }
    }

    /// Returns whether half a character waits in a text for its other half.
    pub(super) fn is_waiting(&self, cell: TextSlot) -> bool {
        self.cells.get(cell.0 as usize).is_some_and(|cell| cell.half.is_waiting())
    }

    /// Counts a replay of the last event with another number. Returns false if nothing is read any
    /// more.
    #[inline]
    pub(super) fn count_replay(&mut self, number: Option<i64>, offset: u64) -> bool {
        let goes_on = self.is_reading();
        if goes_on {
            self.count(offset);
            self.sequence(number);
        }
        goes_on
    }

    /// Checks the number of the current event. A replay may have another one, which is checked each
    /// time.
    pub(super) fn number(&mut self, value: Option<Element<'_, '_>>) {
        let number = value.and_then(|value| value.integer().ok());
        let violations = self.violations;
        self.sequence(number);
        self.allowed += self.violations - violations;
        let (Some(value), Some(_)) = (value, number) else { return };
        let digits = value.raw().as_str();
        if number::count(digits.as_bytes(), 0).is_some_and(|(_, end)| end == digits.len()) {
            self.number = self.inside(digits);
        } else {
            // A string, or some other spelling.
            self.effects += 1;
        }
    }

    /// Returns the place of a slice in the data of the current event.
    fn inside(&self, slice: &str) -> Option<Range<usize>> {
        let start = slice.as_ptr() as usize;
        let end = start + slice.len();
        (self.data.start <= start && end <= self.data.end)
            .then(|| start - self.data.start..end - self.data.start)
    }

    /// Notes that the current event appends a piece.
    #[inline]
    pub(super) fn appends(&mut self, target: PieceTarget, piece: Str<'_>) {
        self.appended = self.inside(piece.raw()).map(|text| (target, text));
    }
}
