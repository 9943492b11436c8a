//! What is like the piece before it: said without a step.

use crate::core::fold::{Key, Kind, Node, Sink, SinkValue};
use crate::core::replay::DeltaBatch;
use crate::json::Raw;

/// Writes pieces of a text: all of them as one, and where each ends.
pub(crate) type Write<'w> = dyn FnMut(&str, &[usize]) + 'w;

/// The sink of a replay that says pieces: a replay tells nothing but what it appends, one piece or several as one.
pub(super) struct Again<'t, 'w, A> {
    /// Remembers what was told; false if it is not said.
    pub appended: A,
    pub say: &'t mut Write<'w>,
    /// How long the pieces of a run are, of which the first ones are appended as one; none for a single piece.
    pub lengths: &'t [usize],
}

impl<A: FnMut(Node, Key, &[&str], &str) -> bool> Sink for Again<'_, '_, A> {
    fn append(&mut self, node: Node, key: Key, text: &str) {
        self.append_in(node, key, &[], text);
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        if !(self.appended)(node, key, path, text) {
            return;
        }
        let mut ends = [0; DeltaBatch::PIECES];
        let (mut count, mut end) = (0, 0);
        while let Some(length) = self.lengths.get(count).filter(|_| end < text.len()) {
            end += length;
            ends[count] = end;
            count += 1;
        }
        if count == 0 {
            (count, ends[0]) = (1, text.len());
        }
        (self.say)(text, &ends[..count]);
    }

    fn open(&mut self, _: Kind, _: Node, _: Key) {}
    fn set(&mut self, _: Node, _: Key, _: SinkValue<'_>) {}
    fn set_extra(&mut self, _: Node, _: &str, _: Raw<'_>) {}
    fn set_in(&mut self, _: Node, _: Key, _: &[&str], _: SinkValue<'_>) {}
    fn extend_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>) {}
    fn add_in(&mut self, _: Node, _: Key, _: &[&str], _: Raw<'_>, _: bool) {}
    fn share(&mut self, _: Node, _: Key, _: Node, _: Key) {}
    fn move_last(&mut self, _: Node, _: Key, _: Node, _: usize) {}
    fn remove(&mut self, _: Node, _: Key, _: Node) {}
    fn arrange(&mut self, _: Node, _: Key, _: &[Node]) {}
}
