//! What every fold does alike: counting events, noting breaches, telling the sink, joining texts, replaying deltas.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::Refusal;
use super::metered::Metered;
use crate::core::id::Id;
use crate::core::observed::Observed;
use crate::core::options::ReadOptions;
use crate::core::replay::DeltaBatch;
use crate::core::replay::Repeat;
use crate::core::report::{Ended, Report};
use crate::core::sink::{Key, Node};
use crate::core::violation::{LIMIT_EXCEEDED, Place, Rule};
use crate::json::{Raw, Str, SurrogateHalf, joined};

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
    /// The rule that half a character breaks.
    pub(super) lone_surrogate: &'static Rule,
    /// Nothing about the event at work was a breach.
    clean: bool,
    /// What the event at work did so far: how many things, and the last piece that it appended.
    pub(super) effects: u32,
    pub(super) appended: Option<(TextCell, Range<usize>)>,
    /// Where the data of the event at work stands in memory.
    pub(super) data: Range<usize>,
    /// What in the event at work nobody looks at.
    unread: Vec<Range<usize>>,
    /// What the last event did, if that was to append one piece and nothing else.
    learned: Option<(TextCell, Repeat)>,
    scratch: String,
}

impl State {
    pub(super) fn new(options: &ReadOptions, lone_surrogate: &'static Rule) -> Self {
        State {
            options: options.clone(),
            report: Report::default(),
            at: (0, 0),
            owners: Vec::new(),
            cells: Vec::new(),
            lone_surrogate,
            clean: true,
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
        self.clean = true;
        self.effects = 0;
        self.appended = None;
        self.unread.clear();
        self.learned = None;
    }

    /// A value of the event at work that nobody looks at.
    pub(super) fn not_read(&mut self, value: Raw<'_>) {
        let start = value.as_str().as_ptr() as usize - self.data.start;
        self.unread.push(start..start + value.as_str().len());
    }

    /// The event has been read: if all that it did was to append one piece, the next one like it can be replayed.
    pub(super) fn learn(&mut self) {
        if let Some((cell, text)) = self.appended.take()
            && self.effects == 1
        {
            self.learned =
                Some((cell, Repeat { number: None, text, unread: core::mem::take(&mut self.unread) }));
        }
    }

    pub(super) fn learned(&self) -> Option<&Repeat> {
        self.learned.as_ref().map(|(_, repeat)| repeat).filter(|_| self.clean)
    }

    /// Where the text of a replayed event goes.
    pub(super) fn replays_into(&self) -> Option<(Node, Key)> {
        let (cell, _) = self.learned.as_ref()?;
        self.cells.get(cell.0 as usize).map(|cell| (cell.node, cell.key))
    }

    /// The event before, with another text.
    #[inline]
    pub(super) fn replay(&mut self, text: Str<'_>, offset: u64, sink: &mut Metered<'_>) {
        if let Some((cell, _)) = self.learned
            && self.is_reading()
        {
            self.count(offset);
            self.append(cell, text, sink);
        }
    }

    /// Many such events. Their texts are appended as one where that is the same: where no half of a character waits.
    pub(super) fn replay_batch(&mut self, batch: DeltaBatch<'_>, sink: &mut Metered<'_>) {
        let cell = self.learned.as_ref().and_then(|(cell, _)| self.cells.get(cell.0 as usize));
        match batch.pieces().last() {
            Some(last) if self.is_reading() && cell.is_some_and(|cell| !cell.half.is_waiting()) => {
                self.report.events += batch.pieces().len() as u64 - 1;
                self.replay(batch.text(last.end), last.offset, sink);
            }
            _ => batch.each().for_each(|(piece, text)| self.replay(text, piece.offset, sink)),
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
            self.breach(self.lone_surrogate, owner, Observed::Count(lone.into()));
        }
        true
    }

    pub(super) fn refused(&mut self, refusal: Refusal) {
        self.breach(&LIMIT_EXCEEDED, Owner(refusal.owner), Observed::Over(refusal.limit, refusal.allowed));
    }

    pub(super) fn breach(&mut self, rule: &'static Rule, owner: Owner, got: Observed<'_>) {
        let id = self.owners.get(owner.0 as usize).cloned();
        self.breach_of(rule, id.as_deref(), got);
    }

    pub(super) fn breach_of(&mut self, rule: &'static Rule, id: Option<&str>, got: Observed<'_>) {
        let place = Place { event: self.at.0, offset: self.at.1, message_id: id, index: None };
        self.breach_at(rule, place, got);
    }

    pub(super) fn breach_at(&mut self, rule: &'static Rule, place: Place<'_>, got: Observed<'_>) {
        self.effects += 1;
        self.clean = false;
        self.report.breach(&self.options, rule, place, got);
    }
}
