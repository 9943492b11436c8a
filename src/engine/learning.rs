//! Learns whether an event can be replayed with another text. Protocols do not declare it.

use core::ops::Range;

use super::state::{State, Target, TextCell};
use crate::core::replay::Repeat;
use crate::core::sink::{Key, Node};
use crate::json::{Element, Raw, Str, number};

impl State {
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

    /// Ends an event. If its only effect was to append one piece, the next one like it can be replayed.
    pub(super) fn learn(&mut self) {
        if let Some((target, text)) = self.appended.take()
            && self.effects == 1
        {
            let (unread, integers) = (core::mem::take(&mut self.unread), core::mem::take(&mut self.integers));
            let number = self.number.take();
            self.learned = Some((target, Repeat { number, text, unread, integers }));
        }
    }

    pub(super) fn learned(&self) -> Option<&Repeat> {
        self.learned.as_ref().map(|(_, repeat)| repeat).filter(|_| self.breaches == self.allowed)
    }

    /// Returns the target of a replayed event's text.
    pub(super) fn target(&self) -> Option<Target> {
        self.learned.as_ref().map(|(target, _)| *target)
    }

    /// Returns the object and the property of that target.
    pub(super) fn replays_into(&self) -> Option<(Node, Key)> {
        match self.target()? {
            Target::Cell(cell) => self.cells.get(cell.0 as usize).map(|cell| (cell.node, cell.key)),
            Target::Member(node, key) => Some((node, key)),
        }
    }

    /// Returns whether half a character waits in a text for its other half.
    pub(super) fn is_waiting(&self, cell: TextCell) -> bool {
        self.cells.get(cell.0 as usize).is_some_and(|cell| cell.half.is_waiting())
    }

    /// Counts a replay of the last event with another number. Returns false if nothing is read any more.
    #[inline]
    pub(super) fn comes_again(&mut self, number: Option<i64>, offset: u64) -> bool {
        let goes_on = self.is_reading();
        if goes_on {
            self.count(offset);
            self.sequence(number);
        }
        goes_on
    }

    /// Checks the number of the current event. A replay may have another one, which is checked each time.
    pub(super) fn number(&mut self, value: Option<Element<'_, '_>>) {
        let number = value.and_then(|value| value.integer().ok());
        let breaches = self.breaches;
        self.sequence(number);
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

    /// Returns the place of a slice in the data of the current event.
    fn inside(&self, slice: &str) -> Option<Range<usize>> {
        let start = slice.as_ptr() as usize;
        let end = start + slice.len();
        (self.data.start <= start && end <= self.data.end)
            .then(|| start - self.data.start..end - self.data.start)
    }

    /// Notes that the current event appends a piece.
    #[inline]
    pub(super) fn appends(&mut self, target: Target, piece: Str<'_>) {
        self.appended = self.inside(piece.raw()).map(|text| (target, text));
    }
}
