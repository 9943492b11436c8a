//! What the semantics of a protocol works with.

use alloc::string::String;

use super::meter::Counted;
use super::metered::Metered;
use super::state::{Cell, Owner, State, Target, TextCell};
use crate::core::error::DecodeError;
use crate::core::id::Id;
use crate::core::observed::Observed;
use crate::core::options::ReadOptions;
use crate::core::report::{EndReason, Report};
use crate::core::sink::{Key, Kind, Node, SinkValue};
use crate::core::violation::{Place, Rule};
use crate::json::{Element, Raw, Str, SurrogateHalf};
use crate::sse;

/// What the semantics of a protocol works with: the state that all folds share, and the sink.
#[derive(Debug)]
pub struct Context<'c, 's> {
    pub(super) state: &'c mut State,
    pub(super) sink: &'c mut Metered<'s>,
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
    pub fn report(&self) -> &Report {
        &self.state.report
    }

    /// Notes how the stream has ended, unless the reader has refused it.
    pub fn end(&mut self, ended: EndReason) {
        self.state.report.end(ended);
    }

    /// Names something that never ended.
    pub fn unfinished(&mut self, id: String) {
        self.state.report.unfinished.push(id);
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

    /// What the next [`own`](Self::own) will return: for an object that has to be opened first.
    pub fn next_owner(&self) -> Owner {
        Owner(self.state.owners.len() as u32)
    }

    /// What it is called has become known.
    pub fn rename(&mut self, owner: Owner, id: &str) {
        if let Some(known) = self.state.owners.get_mut(owner.0 as usize) {
            *known = Id::from(id);
        }
    }

    /// The id of an owner.
    pub fn id(&self, owner: Owner) -> &str {
        self.state.owners.get(owner.0 as usize).map_or("", |id| id)
    }

    /// The number that the event at work has, or should have.
    pub fn number(&mut self, value: Option<Element<'_, '_>>) {
        self.state.number(value);
    }

    /// An integer of the event that counts for nothing: the next event may have another one.
    #[cfg(feature = "ag-ui")]
    pub fn passed_by(&mut self, value: Raw<'_>) {
        self.state.passed_by(value);
    }

    /// The same where the number is known.
    pub fn sequence(&mut self, number: Option<i64>) {
        self.state.sequence(number, self.state.rules.sequence_number);
    }

    /// The lines around the event's data, where the protocol has only data.
    pub fn check_framing(&mut self, event: &sse::SseEvent<'_>, rule: &'static Rule) {
        self.state.check_framing(event, rule);
    }

    /// Whether a piece of a member was refused, and none is taken any more.
    pub fn is_full(&self, node: Node, key: Key) -> bool {
        self.sink.is_full(node, key)
    }

    /// The sink, for what is done besides.
    pub fn sink(&mut self) -> &mut Metered<'s> {
        self.state.effects += 1;
        self.sink
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

    /// The sink is told next to append this piece of the event to a member of which the semantics knows more than a text cell
    /// does.
    pub fn appends(&mut self, node: Node, key: Key, piece: Str<'_>) {
        self.state.appends(Target::Member(node, key), piece);
    }

    /// The next piece of a text; false if it was refused.
    pub fn append(&mut self, cell: TextCell, piece: Str<'_>) -> bool {
        self.state.effects += 1;
        self.state.appends(Target::Cell(cell), piece);
        self.state.append(cell, piece, self.sink)
    }

    /// The text so far, if it is kept.
    pub fn kept(&self, cell: TextCell) -> &str {
        self.state.cells.get(cell.0 as usize).and_then(|cell| cell.kept.as_deref()).unwrap_or_default()
    }

    /// Whether half of a character waits in a text for what comes next.
    pub fn is_waiting(&self, cell: TextCell) -> bool {
        self.state.is_waiting(cell)
    }

    /// A text that is kept is this one now, and no half of a character waits any more; false if it was refused.
    pub fn replace_text(&mut self, cell: TextCell, text: &str) -> bool {
        self.state.effects += 1;
        let Some(Cell { node, key, half, kept, .. }) = self.state.cells.get_mut(cell.0 as usize) else {
            return false;
        };
        *half = SurrogateHalf::NONE;
        let told = self.sink.set(*node, *key, SinkValue::Str(text));
        if let (true, Some(kept)) = (told, kept) {
            kept.clear();
            kept.push_str(text);
        }
        told
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
            self.state.breach(self.state.rules.lone_surrogate, owner, Observed::Words("a half at the end"));
        }
        kept.unwrap_or_default()
    }

    /// The sender has said the end of a text.
    pub fn say_end(&mut self, node: Node, key: Key) {
        self.state.effects += 1;
        self.sink.end(node, key);
    }

    /// Notes a breach at the event at work.
    pub fn breach(&mut self, rule: &'static Rule, got: Observed<'_>) {
        self.state.breach(rule, Owner::NONE, got);
    }

    /// Notes a breach that concerns something with an id.
    pub fn breach_of(&mut self, rule: &'static Rule, id: &str, got: Observed<'_>) {
        let (event, offset) = self.state.at;
        self.state.breach_at(rule, Place { event, offset, message_id: Some(id), index: None }, got);
    }

    /// Notes a breach that concerns something that has an id by now, or the content of it with that index.
    #[cold]
    pub fn breach_in(&mut self, rule: &'static Rule, owner: Owner, index: Option<u32>, got: Observed<'_>) {
        self.state.breach_in(rule, owner, index, got);
    }

    /// Notes that a part of the event is none.
    #[cold]
    pub fn malformed(&mut self, error: &DecodeError, what: &str, owner: Owner, index: Option<u32>) {
        self.state.malformed(error, what, owner, index);
    }

    /// How many breaches there were so far.
    pub fn breaches(&self) -> u64 {
        self.state.breaches
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
