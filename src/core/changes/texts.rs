//! The text that a push has added to an answer, however the stream sent it.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::noting::{Growth, Notes, What};
use super::{Located, Path, PathStep};
use crate::core::sink::{Key, Node};

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
    /// The new text replaces an earlier text that differs from it at `from`. False where a text only got longer.
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
    /// The message, item or artifact that the text belongs to: its id, or its place. A text that is sent again in the same
    /// block is not new.
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
pub trait Texts {
    /// The members that hold such a text.
    const TEXTS: &'static [Key] = &[];
    /// The members that hold the objects that such texts are in.
    const HOLDERS: &'static [Key] = &[];

    /// Returns the text that a member of an object holds; `way` leads to the object from the root, outermost step first:
    /// the member of each list and the place in it.
    fn text_at(&self, _way: &[(Key, usize)], _key: Key) -> Option<AgentText<'_>> {
        None
    }
}

/// The texts of a block that were in the answer before the push and that it removed or set again, by block. A part of
/// them that is sent again is not new.
pub(super) type Withdrawn = BTreeMap<(String, TextKind), String>;

impl Notes {
    /// Keeps the previous texts of an object and of the objects inside, before the object is removed.
    pub(super) fn withdraw(&mut self, node: Node, answer: &mut (impl Located + ?Sized)) {
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

    /// Keeps the previous text of a member before it is set, without the text that this push has added.
    pub(super) fn withdraw_text(&mut self, node: Node, key: Key, answer: &mut (impl Located + ?Sized)) {
        let added = match self.growth(node, key) {
            None => 0,
            Some(Some(added)) => added,
            // It was set in this push already.
            Some(None) => return,
        };
        let Some(AgentText { block, kind, text }) = answer.agent_text(node, key) else { return };
        let before = text.len().checked_sub(added).and_then(|length| text.get(..length)).unwrap_or_default();
        if !before.is_empty() {
            self.withdrawn.entry((block, kind)).or_default().push_str(before);
        }
    }

    /// Returns the text that is new since [`Notes::clear`], in the order of the first note about each text.
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
                What::Open => deltas.object(note.node),
                What::Set | What::Grew(_) => {
                    deltas.member(note.node, note.key, growth.of_text(note.node, note.key))
                }
                What::SetExtra(_) => {}
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
    described: BTreeSet<(Node, u8)>,
    list: Vec<TextDelta>,
}

impl Deltas<'_> {
    /// Adds the texts of a new object, and of the objects inside.
    fn object(&mut self, node: Node) {
        for &key in self.answer.text_keys() {
            self.member(node, key, None);
        }
        for child in self.answer.children(node, None) {
            self.object(child);
        }
    }

    /// Adds the new text of a member, which `grew` by so many bytes or was set.
    fn member(&mut self, node: Node, key: Key, grew: Option<usize>) {
        if !self.answer.text_keys().contains(&key) || !self.described.insert((node, key.0)) {
            return;
        }
        let Some(AgentText { block, kind, text }) = self.answer.agent_text(node, key) else { return };
        let (from, replaces) = match grew.and_then(|added| text.len().checked_sub(added)) {
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
        let Some(new) = text.get(from..).filter(|new| !new.is_empty()).map(ToOwned::to_owned) else { return };
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
