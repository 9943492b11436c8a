//! The delta events of a text.

#[cfg(feature = "hub")]
use alloc::string::String;

use super::{PartKind, StreamBuilder, WireEvent};
use crate::core::PieceTemplate;
use crate::json::Raw;

impl StreamBuilder {
    /// Returns whether the last event was a delta of a text.
    #[cfg(feature = "hub")]
    pub(crate) fn has_said_piece(&self) -> bool {
        self.said_piece
    }

    /// Appends the events of further pieces of the text that the last event belongs to. `ends` are the ends of the
    /// pieces in `text`.
    #[cfg(feature = "hub")]
    pub(crate) fn append_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        let Some(((item, part), template)) = &self.template else { return };
        let item = &mut self.items[*item as usize];
        match *part {
            Some((kind, at)) => item.parts_mut(kind)[at as usize].text.push_str(text),
            None => item.text.push_str(text),
        }
        template.append(Some(self.next), (text, ends), out);
        self.next += ends.len() as i64;
    }

    /// Writes the delta event of a text: that of a part, or of the item itself.
    pub(super) fn piece(
        &mut self,
        item: u32,
        part: Option<(PartKind, u32)>,
        events: &str,
        piece: &str,
    ) -> WireEvent {
        if !matches!(&self.template, Some((of, _)) if *of == (item, part)) {
            let number = core::mem::replace(&mut self.next, 0);
            let event = self.of_item(item, events, "delta", |object| {
                if let Some((kind, at)) = part {
                    object.integer(kind.row().index, Some(at.into()));
                }
                if let Some((PartKind::Text, _)) = part {
                    object.raw("logprobs", Some(Raw("[]")));
                }
                object.string("delta", Some(""));
            });
            self.next = number;
            self.template = Some(((item, part), PieceTemplate::new(&event, Some("sequence_number"))));
        }
        let number = self.next;
        self.next += 1;
        self.said_piece = true;
        match &self.template {
            Some((_, template)) => template.event(Some(number), piece),
            None => self.event(events, |_| {}),
        }
    }
}
