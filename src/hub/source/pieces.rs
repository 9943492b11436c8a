//! The sink of a replayed event, which is written without a step.

use super::HubSink;
use crate::core::replay::DeltaBatch;
use crate::engine::{Key, Node, Sink};

/// Writes pieces of a text: all of them as one, and the end of each.
pub(crate) type Write<'w> = dyn FnMut(&str, &[usize]) + 'w;

/// Receives the only effect of a replay: it appends one piece, or several as one.
pub(super) struct PieceSink<'t, 'w> {
    pub adapter: &'t mut dyn HubSink,
    pub write: &'t mut Write<'w>,
    /// The lengths of the pieces of a run, of which the first ones are appended as one; empty for a single piece.
    pub lengths: &'t [usize],
}

impl Sink for PieceSink<'_, '_> {
    fn append(&mut self, node: Node, key: Key, text: &str) {
        self.append_in(node, key, &[], text);
    }

    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str) {
        if !self.adapter.appended(node, key, path, text) {
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
        (self.write)(text, &ends[..count]);
    }
}
