//! A sink that records changes and passes them on to the sink that stores the answer.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::{Change, Located, Path, PathStep};
use crate::core::sink::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::json::Raw;

/// The changes since [`ChangeNotes::clear`], as numbers.
#[derive(Debug, Default)]
pub(crate) struct ChangeNotes {
    pub(super) list: Vec<ChangeNote>,
    /// Names of undeclared members.
    names: Vec<String>,
    /// The last object that was opened, or the root.
    last: ObjectId,
    /// Objects after this one are new.
    old: ObjectId,
    /// The growth of the members in the first `indexed` notes. Computed when a text is withdrawn.
    growth: Growth,
    indexed: usize,
    /// The texts that were removed or set again.
    pub(super) withdrawn: WithdrawnTexts,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ChangeNote {
    pub node: ObjectId,
    pub key: Field,
    pub what: ChangeNoteKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ChangeNoteKind {
    /// The object itself is new.
    Open,
    Set,
    /// An undeclared member, by the index of its name.
    SetExtra(u32),
    /// The value grew by so many bytes.
    Grew(u32),
}

/// The growth of each member in bytes; `None` if it was set.
#[derive(Debug, Default)]
pub(super) struct Growth(BTreeMap<(ObjectId, u8), Option<usize>>);

impl Growth {
    pub fn of(notes: &[ChangeNote]) -> Self {
        let mut growth = Growth::default();
        for note in notes {
            growth.add(note);
        }
        growth
    }

    /// Adds a note. Returns whether it is the first one for its member.
    fn add(&mut self, note: &ChangeNote) -> bool {
        let by = match note.what {
            ChangeNoteKind::Open | ChangeNoteKind::SetExtra(_) => return true,
            ChangeNoteKind::Set => None,
            ChangeNoteKind::Grew(by) => Some(by as usize),
        };
        let mut is_first = false;
        let length = self.0.entry((note.node, note.key.0)).or_insert_with(|| {
            is_first = true;
            Some(0)
        });
        *length = length.zip(by).map(|(length, by)| length + by);
        is_first
    }

    /// Returns the growth of a member that was only appended to.
    pub fn of_text(&self, node: ObjectId, key: Field) -> Option<usize> {
        self.0.get(&(node, key.0)).copied().flatten()
    }
}

impl ChangeNotes {
    /// Clears the recorded changes.
    #[inline]
    pub fn clear(&mut self) {
        self.list.clear();
        self.names.clear();
        self.old = self.last;
        if self.indexed > 0 {
            self.growth.0.clear();
            self.indexed = 0;
        }
        // Clearing an empty map constructs an iterator, for each chunk of the stream.
        if !self.withdrawn.is_empty() {
            self.withdrawn.clear();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether an object is not new. Changes inside a new object are not listed separately.
    #[inline]
    pub(super) fn is_old(&self, node: ObjectId) -> bool {
        node <= self.old
    }

    fn note(&mut self, node: ObjectId, key: Field, what: ChangeNoteKind) {
        if self.is_old(node) {
            self.list.push(ChangeNote { node, key, what });
        }
    }

    fn note_extra(&mut self, node: ObjectId, name: &str) {
        if self.is_old(node) {
            let number = self.names.len() as u32;
            self.names.push(name.to_owned());
            self.note(node, Field(0), ChangeNoteKind::SetExtra(number));
        }
    }

    #[inline]
    fn record_growth(&mut self, node: ObjectId, key: Field, by: usize) {
        if !self.is_old(node) {
            return;
        }
        let by = by as u32;
        if self.indexed < self.list.len()
            && let Some(ChangeNote { node: last, key: member, what: ChangeNoteKind::Grew(length) }) =
                self.list.last_mut()
            && *last == node
            && *member == key
            && let Some(longer) = length.checked_add(by)
        {
            *length = longer;
            return;
        }
        self.list.push(ChangeNote { node, key, what: ChangeNoteKind::Grew(by) });
    }

    fn opened(&mut self, parent: ObjectId, list: Field) {
        self.last += 1;
        if self.is_old(parent) {
            self.list.push(ChangeNote { node: self.last, key: list, what: ChangeNoteKind::Open });
        }
    }

    /// Returns the growth of a member so far; `None` if it has not changed.
    pub(super) fn growth(&mut self, node: ObjectId, key: Field) -> Option<Option<usize>> {
        for note in self.list.get(self.indexed..).unwrap_or_default() {
            self.growth.add(note);
        }
        self.indexed = self.list.len();
        self.growth.0.get(&(node, key.0)).copied()
    }

    /// Returns the changes, each member once, in the order of their first notes.
    pub fn describe(&self, answer: &mut dyn Located) -> Vec<Change> {
        let mut growth = Growth::default();
        let first: Vec<&ChangeNote> = self.list.iter().filter(|note| growth.add(note)).collect();
        let described = first.into_iter().filter_map(|note| {
            note.describe(growth.of_text(note.node, note.key), &self.names, answer)
        });
        let mut changes: Vec<Change> = described.collect();
        // Changes inside a replaced value are not listed separately.
        let set: BTreeSet<Vec<PathStep>> = changes.iter().filter_map(Change::set).collect();
        changes.retain(|change| {
            let steps = &change.path().0;
            (0..steps.len()).all(|length| !set.contains(&steps[..length]))
        });
        changes
    }
}

impl ChangeNote {
    fn describe(
        self,
        growth: Option<usize>,
        names: &[String],
        answer: &mut dyn Located,
    ) -> Option<Change> {
        let ChangeNote { node, key, what } = self;
        let path = answer.locate(node)?;
        let name = match what {
            ChangeNoteKind::Open if matches!(path.0.last(), Some(PathStep::Place(_))) => {
                return Some(Change::Add { path });
            }
            ChangeNoteKind::Open => return Some(Change::Set { path }),
            ChangeNoteKind::SetExtra(number) => names.get(number as usize)?.clone().into(),
            ChangeNoteKind::Set | ChangeNoteKind::Grew(_) => answer.member_name(key)?.into(),
        };
        let path = path.with(PathStep::Member(name));
        // A new text does not have a previous length.
        let text = growth.and_then(|by| Some((answer.text(node, key)?, by)));
        let grown = text.and_then(|(text, by)| text.split_at_checked(text.len().checked_sub(by)?));
        Some(match (what, grown) {
            (ChangeNoteKind::Set | ChangeNoteKind::Grew(_), Some((before, piece))) => {
                Change::Append { path, from: before.len(), piece: piece.to_owned() }
            }
            _ => Change::Set { path },
        })
    }
}

/// Passes all changes on to the answer, and records them.
#[derive(Debug, Default)]
pub(crate) struct RecordingSink<S> {
    pub answer: S,
    pub notes: ChangeNotes,
}

impl<S: Located> RecordingSink<S> {
    /// Records that a member is set, and keeps the texts that it replaces.
    #[inline]
    fn set_member(&mut self, node: ObjectId, key: Field) {
        if self.notes.is_old(node) {
            self.withdraw(node, key);
            self.notes.note(node, key, ChangeNoteKind::Set);
        }
    }

    #[inline]
    fn withdraw(&mut self, node: ObjectId, key: Field) {
        if self.answer.text_keys().contains(&key) {
            self.notes.withdraw_text(node, key, &mut self.answer);
        } else if self.answer.holds_texts(key) {
            for child in self.answer.children(node, Some(key)) {
                self.notes.withdraw(child, &mut self.answer);
            }
        }
    }
}

impl<S: Sink + Located> Sink for RecordingSink<S> {
    fn open(&mut self, kind: ObjectKind, parent: ObjectId, list: Field) {
        // A member that is not a list contains one object: the previous one is lost.
        if self.notes.is_old(parent) && self.answer.holds_texts(list) && !self.answer.is_list(list)
        {
            self.withdraw(parent, list);
        }
        self.notes.opened(parent, list);
        self.answer.open(kind, parent, list);
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        self.set_member(node, key);
        self.answer.set(node, key, value);
    }

    fn unset(&mut self, node: ObjectId, key: Field) {
        self.set_member(node, key);
        self.answer.unset(node, key);
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        self.set_member(node, key);
        self.answer.change_in(node, key, path, change);
    }

    #[inline]
    fn append(&mut self, node: ObjectId, key: Field, text: &str) {
        self.notes.record_growth(node, key, text.len());
        self.answer.append(node, key, text);
    }

    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {
        self.notes.note_extra(node, name);
        self.answer.set_extra(node, name, value);
    }

    fn unset_extra(&mut self, node: ObjectId, name: &str) {
        self.notes.note_extra(node, name);
        self.answer.unset_extra(node, name);
    }

    fn share(&mut self, node: ObjectId, key: Field, from: ObjectId, from_key: Field) {
        self.notes.note(node, key, ChangeNoteKind::Set);
        self.answer.share(node, key, from, from_key);
    }

    fn move_last(&mut self, parent: ObjectId, list: Field, node: ObjectId, at: usize) {
        self.notes.note(parent, list, ChangeNoteKind::Set);
        self.answer.move_last(parent, list, node, at);
    }

    fn remove(&mut self, parent: ObjectId, list: Field, node: ObjectId) {
        if self.answer.holds_texts(list) {
            self.notes.withdraw(node, &mut self.answer);
        }
        self.notes.note(parent, list, ChangeNoteKind::Set);
        self.answer.remove(parent, list, node);
    }

    fn arrange(&mut self, parent: ObjectId, list: Field, nodes: &[ObjectId]) {
        if self.notes.is_old(parent) && self.answer.holds_texts(list) {
            let remaining: BTreeSet<ObjectId> = nodes.iter().copied().collect();
            let all = self.answer.children(parent, Some(list));
            for node in all.into_iter().filter(|node| !remaining.contains(node)) {
                self.notes.withdraw(node, &mut self.answer);
            }
        }
        self.notes.note(parent, list, ChangeNoteKind::Set);
        self.answer.arrange(parent, list, nodes);
    }

    fn is_full(&self) -> bool {
        self.answer.is_full()
    }
}

// The text that a push has added to an answer, however the stream sent it.

/// Text that one [`push`](crate::Reader::push) has added to the answer, from
/// [`Changes::text_deltas`](super::Changes::text_deltas).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextDelta {
    /// The string in the answer that holds the text.
    pub path: Path,
    /// The kind of text.
    pub kind: TextKind,
    /// The offset of the new text in that string, in bytes.
    pub from: usize,
    /// The new text; never empty.
    pub text: String,
    /// The new text replaces an earlier text that differs from it at `from`. False where a text
    /// only got longer.
    pub replaces: bool,
}

/// The kind of a text in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TextKind {
    /// The answer for the user: the agent's text, or its refusal.
    Answer,
    /// The model's reasoning, or a summary of it.
    Reasoning,
}

/// A text of an answer, as [`Located::agent_text`] returns it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AgentText<'a> {
    /// The message, item or artifact that the text belongs to: its id, or its place. A text that is
    /// sent again in the same block is not new.
    pub block: String,
    /// The kind of text.
    pub kind: TextKind,
    /// The text so far.
    pub text: &'a str,
}

impl<'a> AgentText<'a> {
    /// A text of a block.
    pub fn new(block: impl Into<String>, kind: TextKind, text: &'a str) -> Self {
        AgentText { block: block.into(), kind, text }
    }
}

/// The texts of the agent in a declared answer. By default, an answer does not have such texts.
pub trait AgentTexts {
    /// The members that hold such a text.
    const TEXTS: &'static [Field] = &[];
    /// The members that hold the objects that such texts are in.
    const HOLDERS: &'static [Field] = &[];

    /// Returns the text that a member of an object holds; `way` leads to the object from the root,
    /// outermost step first: the member of each list and the place in it.
    fn text_at(&self, _way: &[(Field, usize)], _key: Field) -> Option<AgentText<'_>> {
        None
    }
}

/// The texts of a block that were in the answer before the push and that it removed or set again,
/// by block. A part of them that is sent again is not new.
pub(super) type WithdrawnTexts = BTreeMap<(String, TextKind), String>;

impl ChangeNotes {
    /// Keeps the previous texts of an object and of the objects inside, before the object is
    /// removed.
    pub(super) fn withdraw(&mut self, node: ObjectId, answer: &mut (impl Located + ?Sized)) {
        if !self.is_old(node) {
            return;
        }
        for &key in answer.text_keys() {
            self.withdraw_text(node, key, answer);
        }
        for child in answer.children(node, None) {
            self.withdraw(child, answer);
        }
    }

    /// Keeps the previous text of a member before it is set, without the text that this push has
    /// added.
    pub(super) fn withdraw_text(
        &mut self,
        node: ObjectId,
        key: Field,
        answer: &mut (impl Located + ?Sized),
    ) {
        let added = match self.growth(node, key) {
            None => 0,
            Some(Some(added)) => added,
            // It was set in this push already.
            Some(None) => return,
        };
        let Some(AgentText { block, kind, text }) = answer.agent_text(node, key) else { return };
        let before =
            text.len().checked_sub(added).and_then(|length| text.get(..length)).unwrap_or_default();
        if !before.is_empty() {
            self.withdrawn.entry((block, kind)).or_default().push_str(before);
        }
    }

    /// Returns the text that is new since [`ChangeNotes::clear`], in the order of the first note
    /// about each text.
    pub(super) fn text_deltas(&self, answer: &mut dyn Located) -> Vec<TextDelta> {
        let growth = Growth::of(&self.list);
        let mut deltas = Deltas {
            answer,
            left: self.withdrawn.iter().map(|(block, text)| (block.clone(), &**text)).collect(),
            described: BTreeSet::new(),
            list: Vec::new(),
        };
        for note in &self.list {
            match note.what {
                ChangeNoteKind::Open => deltas.object(note.node),
                ChangeNoteKind::Set | ChangeNoteKind::Grew(_) => {
                    deltas.member(note.node, note.key, growth.of_text(note.node, note.key))
                }
                ChangeNoteKind::SetExtra(_) => {}
            }
        }
        deltas.list
    }
}

/// The deltas of a push while they are collected.
struct Deltas<'a> {
    answer: &'a mut dyn Located,
    /// The rest of the withdrawn texts, which later texts have not repeated.
    left: BTreeMap<(String, TextKind), &'a str>,
    described: BTreeSet<(ObjectId, u8)>,
    list: Vec<TextDelta>,
}

impl Deltas<'_> {
    /// Adds the texts of a new object, and of the objects inside.
    fn object(&mut self, node: ObjectId) {
        for &key in self.answer.text_keys() {
            self.member(node, key, None);
        }
        for child in self.answer.children(node, None) {
            self.object(child);
        }
    }

    /// Adds the new text of a member, which was set or has grown by `growth` bytes.
    fn member(&mut self, node: ObjectId, key: Field, growth: Option<usize>) {
        if !self.answer.text_keys().contains(&key) || !self.described.insert((node, key.0)) {
            return;
        }
        let Some(AgentText { block, kind, text }) = self.answer.agent_text(node, key) else {
            return;
        };
        let (from, replaces) = match growth.and_then(|added| text.len().checked_sub(added)) {
            Some(from) => (from, false),
            None => match self.left.get_mut(&(block, kind)) {
                Some(left) => {
                    let same = common(left, text);
                    let rest = left.get(same..).unwrap_or_default();
                    *left = if same == text.len() { rest } else { "" };
                    (same, !rest.is_empty())
                }
                None => (0, false),
            },
        };
        let Some(new) = text.get(from..).filter(|new| !new.is_empty()).map(ToOwned::to_owned)
        else {
            return;
        };
        let Some(path) = self.answer.locate(node) else { return };
        let Some(name) = self.answer.member_name(key) else { return };
        let path = path.with(PathStep::Member(name.into()));
        self.list.push(TextDelta { path, kind, from, text: new, replaces });
    }
}

/// Returns the length of the common beginning of two texts, in bytes.
fn common(one: &str, other: &str) -> usize {
    let pairs = one.char_indices().zip(other.chars());
    let differs = pairs.clone().find(|((_, one), other)| one != other);
    differs.map_or(one.len().min(other.len()), |((at, _), _)| at)
}
