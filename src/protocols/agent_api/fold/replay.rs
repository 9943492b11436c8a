//! Replaying a delta: doing what the event before did with another text.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::AgentApiFold;
use super::event::{START, numbered};
use super::outline::Outline;
use super::part::{field_key, main_field};
use crate::core::fold::{Key, Metered, Node, Repeat};
use crate::core::replay::DeltaBatch;
use crate::core::report::Ended;
use crate::json::Str;
use crate::protocols::agent_api::event::ContentEvent;

/// Where the text of the event at work went, if that was all it did.
#[derive(Debug, Default)]
pub(super) struct Replay {
    target: Option<Target>,
    repeat: Option<Repeat>,
    /// The event's JSON: its address, for finding strings in it, and where its number stands.
    json: Range<usize>,
    number: Option<Range<usize>>,
    /// The number is where it is looked for, or there is none.
    located: bool,
    /// The key that a piece of data was appended under.
    pub key: String,
    /// Breaches when the event began: one that broke a rule is never repeated, except that of its number.
    breaches: u64,
}

/// What a text was appended to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// The main member of a content: message and place.
    Text(usize, usize),
    /// A member of a content's data: message and place; the key is in [`Replay`].
    Data(usize, usize),
}

impl Replay {
    /// An event begins.
    pub fn clear(&mut self, breaches: u64) {
        self.target = None;
        self.repeat = None;
        self.breaches = breaches;
    }

    /// The event's number broke a rule so often. [`AgentApiFold::again`] looks at the number too, so that is no hindrance.
    pub fn numbered(&mut self, breaches: u64) {
        self.breaches += breaches;
    }

    /// The event is a content: notes where its number stands. Only the runtime's own order of members, which has it
    /// first, can be repeated, and what has no number at all.
    pub fn locate(&mut self, event: &ContentEvent<'_>) {
        let json = event.json().raw().as_str();
        let start = json.as_ptr() as usize;
        self.json = start..start + json.len();
        let number = numbered(json).filter(|(number, rest)| number.is_some() && rest.starts_with(','));
        self.number = number.map(|(_, rest)| START.len()..json.len() - rest.len());
        self.located = self.number.is_some() || event.sequence_number().is_none();
    }

    /// All that the event does is to append `text`, which is a slice of its JSON, to `target`.
    pub fn appended(&mut self, target: Target, text: Str<'_>) {
        let start = text.raw().as_ptr() as usize;
        let end = start + text.raw().len();
        if self.located && self.json.start <= start && end <= self.json.end {
            self.target = Some(target);
            self.repeat = Some(Repeat {
                number: self.number.clone(),
                text: start - self.json.start..end - self.json.start,
                unread: Vec::new(),
            });
        }
    }

    pub fn get(&self, breaches: u64) -> Option<&Repeat> {
        self.repeat.as_ref().filter(|_| self.breaches == breaches)
    }
}

impl AgentApiFold {
    /// The event before, with another number and text.
    #[inline]
    pub(super) fn replay(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, sink: &mut Metered<'_>) {
        if self.counts(number, offset) {
            self.append_again(text, sink);
        }
    }

    /// A run of events like the one before. Their texts are appended as one where that is the same: where no half of a
    /// character waits for the first of them.
    pub(super) fn replay_batch(&mut self, run: DeltaBatch<'_>, sink: &mut Metered<'_>) {
        if !self.takes_at_once() {
            return run.each().for_each(|(piece, text)| self.replay(piece.number, text, piece.offset, sink));
        }
        let counted = run.pieces().iter().take_while(|piece| self.counts(piece.number, piece.offset));
        let end = counted.last().map_or(0, |piece| piece.end);
        self.append_again(run.text(end), sink);
    }

    /// Counts an event, unless the stream was refused before.
    #[inline]
    fn counts(&mut self, number: Option<i64>, offset: u64) -> bool {
        let goes_on = self.report.ended != Ended::Refused;
        if goes_on {
            self.at = (self.report.events, offset);
            self.report.events += 1;
            self.number(number);
        }
        goes_on
    }

    #[inline]
    fn append_again(&mut self, text: Str<'_>, sink: &mut Metered<'_>) {
        match self.repeat.target {
            Some(Target::Text(at, place)) => self.append(at, place, text, sink),
            Some(Target::Data(at, place)) => self.append_data(at, place, text, sink),
            None => {}
        }
    }

    /// Where the text of a repeated event goes.
    pub(super) fn replays_into(&self) -> Option<(Node, Key)> {
        let (Target::Text(at, place) | Target::Data(at, place)) = self.repeat.target?;
        let part = &self.messages[at].parts[place];
        Some((part.node, field_key(main_field(&part.kind))))
    }

    fn takes_at_once(&self) -> bool {
        match self.repeat.target {
            Some(Target::Text(at, place)) => !self.messages[at].parts[place].half.is_waiting(),
            Some(Target::Data(at, place)) => {
                let shape = self.messages[at].parts[place].shape.as_deref();
                let Some(Outline::Object(members)) = shape else { return true };
                !matches!(members.get(&self.repeat.key), Some(Outline::Text(_, half)) if half.is_waiting())
            }
            None => true,
        }
    }
}
