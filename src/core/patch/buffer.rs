//! The ops and texts of one push.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::op::utf16_length;
use super::op::{LONG, Op};
use crate::core::sink::{Key, Node};

/// The minimum number of bytes of a long string. For shorter ones, slicing is cheaper than a call to a decoder.
pub(super) const SHORT: usize = 1 << 10;

/// The number of patch bytes that are kept in memory, and the size from which the caller should read the patch.
pub(super) const KEEP: usize = 1 << 20;

/// Collects the ops of one push.
#[derive(Debug, Default)]
pub struct PatchBuffer {
    pub(super) ops: Vec<u32>,
    pub(super) text: String,
    pub(super) long: String,
    /// The target of the last op if it can still grow: its last word is the length of the appended text.
    pub(super) growing: Option<Growing>,
}

/// The target of an `Append`, or of an `AppendIn` of one step.
#[derive(Debug)]
pub(super) struct Growing {
    pub(super) node: Node,
    pub(super) key: Key,
    /// The range of the step in the text.
    pub(super) step: Range<usize>,
}

impl PatchBuffer {
    /// Returns the ops.
    pub fn ops(&self) -> &[u32] {
        &self.ops
    }

    /// Returns the short strings.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the short strings, for a text without a patch.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn text_mut(&mut self) -> &mut String {
        &mut self.text
    }

    /// Returns the long strings.
    pub fn long(&self) -> &str {
        &self.long
    }

    /// Clears the buffer, and keeps its memory up to a bound.
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

    /// Adds a word that does not belong to an op.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn word(&mut self, word: u32) {
        self.ops.push(word);
    }

    /// Adds a number as two words, low half first.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn long_word(&mut self, number: u64) {
        self.ops.extend([number as u32, (number >> 32) as u32]);
    }

    /// Adds the lengths of the strings: the short ones in UTF-16 units, the long ones in bytes.
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

    /// Adds the length of a string that was appended to the long ones.
    pub(super) fn long_string(&mut self, length: usize) {
        self.ops.push(length as u32 | LONG);
    }

    /// Appends to the last op if it has the same target; `step` is empty for the member itself.
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
