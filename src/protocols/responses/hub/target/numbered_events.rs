//! Writes events with their numbers, and those of the pieces of a text from a template.

use alloc::string::String;

use super::WireOutput;
use super::item::WrittenItem;
use super::types::PartKind;
use crate::core::{PieceTemplate, WireEvent};
use crate::json::{ObjectWriter, Raw};

/// The numbers of the events.
#[derive(Debug, Default)]
pub(super) struct NumberedEvents {
    next: i64,
    /// The latest text that had a piece, and the template of its events.
    template: Option<(TextPosition, PieceTemplate)>,
    /// The last event was a piece of that text.
    is_piece: bool,
}

/// A text: the index of its item, and its part, or `None` for the item's own text.
type TextPosition = (usize, Option<PartIndex>);

/// A part of an item: its kind, and its index in the list for its kind.
type PartIndex = (PartKind, usize);

impl NumberedEvents {
    /// Writes an event.
    pub fn write(
        &mut self,
        name: &str,
        out: &mut WireOutput<'_>,
        members: impl FnOnce(&mut ObjectWriter<'_>),
    ) {
        self.is_piece = false;
        out.emit(event(name, self.next, members));
        self.next += 1;
    }

    /// Writes an event of an item. Its name is `events`, a dot and `word`.
    pub fn write_of(
        &mut self,
        item: &WrittenItem,
        [events, word]: [&str; 2],
        out: &mut WireOutput<'_>,
        members: impl FnOnce(&mut ObjectWriter<'_>),
    ) {
        self.write(&[events, ".", word].concat(), out, |object| {
            write_place(item, object);
            members(object);
        });
    }

    /// Writes a piece of a text: that of a part, or of the item itself.
    pub fn piece(
        &mut self,
        item: &WrittenItem,
        part: Option<PartIndex>,
        piece: &str,
        out: &mut WireOutput<'_>,
    ) {
        let text = (item.index, part);
        if self.template.as_ref().is_none_or(|(of, _)| *of != text) {
            self.template = template(item, part).map(|template| (text, template));
        }
        let Some((_, template)) = &self.template else { return };
        self.is_piece = true;
        out.emit(template.event(Some(self.next), piece));
        self.next += 1;
    }

    /// Returns the text that the last event is a piece of.
    pub fn latest_text(&self) -> Option<TextPosition> {
        self.template.as_ref().filter(|_| self.is_piece).map(|(text, _)| *text)
    }

    /// Appends the events of further pieces of that text. `ends` are the ends of the pieces in
    /// `text`.
    pub fn append_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        if let Some((_, template)) = &self.template {
            template.append(Some(self.next), (text, ends), out);
            self.next += ends.len() as i64;
        }
    }
}

/// Returns the template of the pieces of a text.
fn template(item: &WrittenItem, part: Option<PartIndex>) -> Option<PieceTemplate> {
    let streamed = match part {
        Some((kind, _)) => &kind.row().streamed,
        None => item.row.streamed?,
    };
    let empty = event(&[streamed.events, ".delta"].concat(), 0, |object| {
        write_place(item, object);
        if let Some((kind, part)) = part {
            object.integer(kind.row().index, Some(part as i64));
            if kind == PartKind::Text {
                object.raw("logprobs", Some(Raw("[]")));
            }
        }
        object.string("delta", Some(""));
    });
    Some(PieceTemplate::new(&empty, Some("sequence_number")))
}

fn write_place(item: &WrittenItem, object: &mut ObjectWriter<'_>) {
    object.string("item_id", Some(&item.id));
    object.integer("output_index", Some(item.index as i64));
}

fn event(name: &str, number: i64, members: impl FnOnce(&mut ObjectWriter<'_>)) -> WireEvent {
    /// The capacity, in bytes, for the members of most events.
    const USUAL: usize = 192;
    WireEvent::named(name, USUAL, Some(number), |frame| {
        let mut object = ObjectWriter::open(frame, false);
        object.string("type", Some(name));
        object.integer("sequence_number", Some(number));
        members(&mut object);
        object.close();
    })
}
