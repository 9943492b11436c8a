//! The ops and texts of one push.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::measure::utf16_length;
use super::op::{LONG, Op};
use crate::core::sink::{Key, Node};

/// From this many bytes on a string is a long one: below, slicing is cheaper than a call to a decoder.
pub(super) const SHORT: usize = 1 << 10;

/// How many bytes of a patch are kept in memory, and how many it may have before whoever reads it should take it up.
pub(super) const KEEP: usize = 1 << 20;

/// Collects what one push decided.
#[derive(Debug, Default)]
pub struct PatchBuffer {
    pub(super) ops: Vec<u32>,
    pub(super) text: String,
    pub(super) long: String,
    /// What the last op appends to, if it may still grow: its last word is the length of what is appended.
    pub(super) growing: Option<Growing>,
}

/// The target of an `Append`, or of an `AppendIn` of one step.
#[derive(Debug)]
pub(super) struct Growing {
    pub(super) node: Node,
    pub(super) key: Key,
    /// Where in the text the step stands.
    pub(super) step: Range<usize>,
}

impl PatchBuffer {
    /// The ops.
    pub fn ops(&self) -> &[u32] {
        &self.ops
    }

    /// The strings that are not long.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same, to put a text there and no patch.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn text_mut(&mut self) -> &mut String {
        &mut self.text
    }

    /// The long strings.
    pub fn long(&self) -> &str {
        &self.long
    }

    /// Forgets everything, keeps the memory up to a bound.
    pub fn clear(&mut self) {
        self.ops.clear();
        self.ops.shrink_to(KEEP / 4);
        for text in [&mut self.text, &mut self.long] {
            text.clear();
            text.shrink_to(KEEP);
        }
        self.growing = None;
    }

    pub(super) fn head(&mut self, op: Op, key: Key, argument: u16, node: Node) {
        self.growing = None;
        self.ops.push(op as u32 | u32::from(key.0) << 8 | u32::from(argument) << 16);
        self.ops.push(node);
    }

    /// Adds a word that belongs to no op.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn word(&mut self, word: u32) {
        self.ops.push(word);
    }

    /// The same of a number in two words, low half first.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn long_word(&mut self, number: u64) {
        self.ops.extend([number as u32, (number >> 32) as u32]);
    }

    /// Adds how much there is of the strings: units of those that are not long, bytes of those that are.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn measure(&mut self) {
        self.ops.extend([utf16_length(&self.text), self.long.len() as u32]);
    }

    /// Adds a string and its length.
    pub(crate) fn string(&mut self, text: &str) {
        if text.len() < SHORT {
            self.text.push_str(text);
            self.ops.push(utf16_length(text));
        } else {
            self.long.push_str(text);
            self.long_string(text.len());
        }
    }

    /// Adds the length of a string that has been put after the long ones.
    pub(super) fn long_string(&mut self, length: usize) {
        self.ops.push(length as u32 | LONG);
    }

    /// Appends to the last op, if that appends to the same place; `step` is empty for a member itself.
    #[inline]
    pub(super) fn grow(&mut self, node: Node, key: Key, step: &str, text: &str) -> bool {
        let same = self.growing.as_ref().is_some_and(|growing| {
            growing.node == node && growing.key == key && self.text.get(growing.step.clone()) == Some(step)
        });
        let grows = same && text.len() < SHORT;
        if grows && let Some(length) = self.ops.last_mut() {
            *length += utf16_length(text);
            self.text.push_str(text);
        }
        grows
    }

    pub(super) fn path(&mut self, op: Op, node: Node, key: Key, path: &[&str], digits: u16) {
        self.head(op, key, path.len() as u16 | digits, node);
        for step in path {
            self.string(step);
        }
    }
}
