//! What every fold does alike: counting events, noting breaches, telling the sink, joining texts, replaying deltas.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::meter::Counted;
use super::metered::Metered;
use super::sink::{Key, Kind, Node, SinkValue};
use super::{Refusal, Repeat};
use crate::core::id::Id;
use crate::core::observed::Observed;
use crate::core::options::ReadOptions;
use crate::core::replay::DeltaBatch;
use crate::core::report::{Ended, Report};
use crate::core::violation::{LIMIT_EXCEEDED, Place, Rule};
use crate::json::{Raw, Str, SurrogateHalf, joined};

/// Something of a stream that has an id and that breaches name: the place of that id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(u32);

impl Owner {
    /// What has no id.
    pub const NONE: Owner = Owner(u32::MAX);
}

/// A text that comes in pieces: the place of what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextCell(u32);

#[derive(Debug)]
struct Cell {
    node: Node,
    key: Key,
    owner: Owner,
    /// The first half of a character that the last piece was cut in.
    half: SurrogateHalf,
    /// The text so far, where the protocol needs it.
    kept: Option<String>,
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
    owners: Vec<Id>,
    cells: Vec<Cell>,
    /// The rule that half a character breaks.
    lone_surrogate: &'static Rule,
    /// Nothing about the event at work was a breach.
    clean: bool,
    /// What the event at work did so far: how many things, and the last piece that it appended.
    effects: u32,
    appended: Option<(TextCell, Range<usize>)>,
    /// Where the data of the event at work stands in memory.
    data: Range<usize>,
    /// What the last event did, if that was to append one piece and nothing else.
    learned: Option<(TextCell, Repeat)>,
    scratch: String,
}

/// What the semantics of a protocol works with: the state that all folds share, and the sink.
#[derive(Debug)]
pub struct Context<'c, 's> {
    state: &'c mut State,
    sink: &'c mut Metered<'s>,
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
        self.learned = None;
    }

    /// The event has been read: if all that it did was to append one piece, the next one like it can be replayed.
    pub(super) fn learn(&mut self) {
        if let Some((cell, text)) = self.appended.take()
            && self.effects == 1
        {
            self.learned = Some((cell, Repeat { number: None, text }));
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
    fn append(&mut self, cell: TextCell, piece: Str<'_>, sink: &mut Metered<'_>) -> bool {
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

    fn breach_of(&mut self, rule: &'static Rule, id: Option<&str>, got: Observed<'_>) {
        let place = Place { event: self.at.0, offset: self.at.1, message_id: id, index: None };
        self.breach_at(rule, place, got);
    }

    pub(super) fn breach_at(&mut self, rule: &'static Rule, place: Place<'_>, got: Observed<'_>) {
        self.effects += 1;
        self.clean = false;
        self.report.breach(&self.options, rule, place, got);
    }
}

impl<'c, 's> Context<'c, 's> {
    pub(super) fn new(state: &'c mut State, sink: &'c mut Metered<'s>) -> Self {
        Context { state, sink }
    }

    /// How the stream is read.
    pub fn options(&self) -> &ReadOptions {
        &self.state.options
    }

    /// What has been found so far.
    pub fn report(&mut self) -> &mut Report {
        &mut self.state.report
    }

    /// Number and offset of the event at work.
    pub fn at(&self) -> (u64, u64) {
        self.state.at
    }

    /// Counts an event of a kind that the protocol does not have.
    pub fn unknown(&mut self, name: &str) {
        let State { report, options, .. } = &mut *self.state;
        report.unknown(&options.limits, name);
    }

    /// Something has this id from now on; breaches name it.
    pub fn own(&mut self, id: &str) -> Owner {
        self.state.effects += 1;
        self.state.owners.push(Id::from(id));
        Owner(self.state.owners.len() as u32 - 1)
    }

    /// The id of an owner.
    pub fn id(&self, owner: Owner) -> &str {
        self.state.owners.get(owner.0 as usize).map_or("", |id| id)
    }

    /// A new object; `None` if there are too many of what it counts as.
    pub fn open(
        &mut self,
        kind: Kind,
        parent: Node,
        list: Key,
        counted: Counted,
        owner: Owner,
    ) -> Option<Node> {
        self.state.effects += 1;
        self.sink.open(kind, parent, list, counted, owner.0)
    }

    /// A member has this value now; false if that was refused.
    pub fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) -> bool {
        self.state.effects += 1;
        self.sink.set(node, key, value)
    }

    /// A member is this text now.
    pub fn set_text(&mut self, node: Node, key: Key, text: &str) -> bool {
        self.set(node, key, SinkValue::Str(text))
    }

    /// A member is this JSON now.
    pub fn set_json(&mut self, node: Node, key: Key, json: &str) -> bool {
        self.set(node, key, SinkValue::Json(Raw(json)))
    }

    /// A member is this text now, whose length is bounded already: an id, a sentence of this crate.
    pub fn set_short(&mut self, node: Node, key: Key, text: &str) {
        self.state.effects += 1;
        self.sink.set_short(node, key, text);
    }

    /// A member will come in pieces.
    pub fn text(&mut self, node: Node, key: Key, owner: Owner) -> TextCell {
        self.state.effects += 1;
        self.state.cells.push(Cell { node, key, owner, half: SurrogateHalf::NONE, kept: None });
        TextCell(self.state.cells.len() as u32 - 1)
    }

    /// The same, and its text is kept until it is [taken](Self::end_text).
    pub fn kept_text(&mut self, node: Node, key: Key, owner: Owner) -> TextCell {
        let cell = self.text(node, key, owner);
        if let Some(cell) = self.state.cells.last_mut() {
            cell.kept = Some(String::new());
        }
        cell
    }

    /// The next piece of a text; false if it was refused.
    pub fn append(&mut self, cell: TextCell, piece: Str<'_>) -> bool {
        let start = piece.raw().as_ptr() as usize;
        let end = start + piece.raw().len();
        let State { data, effects, appended, .. } = &mut *self.state;
        *effects += 1;
        let is_inside = data.start <= start && end <= data.end;
        *appended = is_inside.then(|| (cell, start - data.start..end - data.start));
        self.state.append(cell, piece, self.sink)
    }

    /// The text is over; returns it if it was kept.
    pub fn end_text(&mut self, cell: TextCell) -> String {
        self.state.effects += 1;
        let Some(Cell { node, key, owner, half, kept }) = self.state.cells.get_mut(cell.0 as usize) else {
            return String::new();
        };
        let mut kept = kept.take();
        if core::mem::take(half).is_waiting() {
            let owner = *owner;
            if self.sink.append(*node, *key, "\u{fffd}")
                && let Some(kept) = &mut kept
            {
                kept.push('\u{fffd}');
            }
            self.state.breach(self.state.lone_surrogate, owner, Observed::Words("a half at the end"));
        }
        kept.unwrap_or_default()
    }

    /// Notes a breach at the event at work.
    pub fn breach(&mut self, rule: &'static Rule, got: Observed<'_>) {
        self.state.breach_of(rule, None, got);
    }

    /// Notes a breach that concerns something with an id.
    pub fn breach_of(&mut self, rule: &'static Rule, id: &str, got: Observed<'_>) {
        self.state.breach_of(rule, Some(id), got);
    }

    /// Notes a breach of something that came at an earlier event.
    pub fn breach_at(
        &mut self,
        rule: &'static Rule,
        (event, offset): (u64, u64),
        owner: Owner,
        got: Observed<'_>,
    ) {
        let id = self.state.owners.get(owner.0 as usize).cloned();
        self.state.breach_at(rule, Place { event, offset, message_id: id.as_deref(), index: None }, got);
    }
}
