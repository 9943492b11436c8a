//! Parts of messages and of reasoning, and their deltas.

use super::item::Part;
use super::{PartKind, StreamBuilder, WireEvent};
use crate::core::{PieceTemplate, UsageError};
use crate::json::{Raw, Value};
use crate::protocols::responses::rules;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

impl StreamBuilder {
    /// Adds a part to an item: texts and refusals to a message, thoughts and summaries to reasoning. Returns the index
    /// of the part and the event. (O7.)
    pub fn part(&mut self, item: u32, kind: PartKind) -> Result<(u32, WireEvent), UsageError> {
        const CALL: &str = "part()";
        let row = kind.row();
        let open = self.open_item(CALL, item)?;
        if open.row.name != row.item {
            return Err(self.refuse(
                &rules::ITEM_MISMATCH,
                CALL,
                "give it to an item that has such parts (O6)",
            ));
        }
        let parts = open.parts_mut(kind);
        let at = parts.len() as u32;
        parts.push(Part::new(kind));
        Ok((at, self.around(item, kind, at, "added")))
    }

    /// Appends a piece to a part.
    pub fn delta(
        &mut self,
        item: u32,
        kind: PartKind,
        at: u32,
        piece: &str,
    ) -> Result<WireEvent, UsageError> {
        self.open_part("delta()", item, kind, at)?.text.push_str(piece);
        Ok(self.piece(item, Some((kind, at)), kind.row().streamed.events, piece))
    }

    /// Adds an annotation to a text. (An object in OpenAI's format: `{"type":"url_citation",…}`.)
    pub fn annotation(&mut self, item: u32, at: u32, annotation: &Value) -> Result<WireEvent, UsageError> {
        const CALL: &str = "annotation()";
        if annotation.is_null() {
            return Err(self.refuse(&rules::MALFORMED_EVENT, CALL, "give an object (O18)"));
        }
        self.check_free(CALL, annotation)?;
        let annotations = &mut self.open_part(CALL, item, PartKind::Text, at)?.annotations;
        let number = annotations.len() as i64;
        annotations.push(annotation.clone());
        Ok(self.of_item(item, PartKind::Text.row().streamed.events, "annotation.added", |object| {
            object.integer("content_index", Some(at.into()));
            object.integer("annotation_index", Some(number));
            object.value("annotation", Some(annotation));
        }))
    }

    /// Replaces the text of a part. Clients receive the new text when the part ends, or its item. (O9.)
    pub fn replace(&mut self, item: u32, kind: PartKind, at: u32, all: &str) -> Result<(), UsageError> {
        self.part_of("replace()", item, kind, at)?.text = all.to_owned();
        Ok(())
    }

    /// Ends a part.
    pub fn end_part(&mut self, item: u32, kind: PartKind, at: u32) -> Result<Vec<WireEvent>, UsageError> {
        let part = self.open_part("end_part()", item, kind, at)?;
        part.is_open = false;
        let text = part.text.clone();
        let row = kind.row();
        let done = self.of_item(item, row.streamed.events, "done", |object| {
            object.integer(row.index, Some(at.into()));
            object.string(row.streamed.member, Some(&text));
            if kind == PartKind::Text {
                object.raw("logprobs", Some(Raw("[]")));
            }
        });
        Ok([done, self.around(item, kind, at, "done")].into())
    }

    /// Retracts a part: the item does not contain it at its end. Clients may show it until then.
    pub fn retract_part(&mut self, item: u32, kind: PartKind, at: u32) -> Result<(), UsageError> {
        self.part_of("retract_part()", item, kind, at)?.is_dropped = true;
        Ok(())
    }

    /// Ends the open parts of an item.
    pub(super) fn end_parts(&mut self, item: u32) -> Vec<WireEvent> {
        let mut open = Vec::new();
        for kind in [PartKind::Summary, PartKind::Text] {
            let parts = self.items[item as usize].parts(kind).iter().enumerate();
            open.extend(parts.filter(|(_, part)| part.is_open).map(|(at, part)| (part.kind, at as u32)));
        }
        open.into_iter().flat_map(|(kind, at)| self.end_part(item, kind, at).unwrap_or_default()).collect()
    }

    fn open_part(&mut self, call: &str, item: u32, kind: PartKind, at: u32) -> Result<&mut Part, UsageError> {
        match self.part_of(call, item, kind, at)?.is_open {
            true => Ok(&mut self.items[item as usize].parts_mut(kind)[at as usize]),
            false => Err(self.refuse(&rules::PART_MISSING, call, "the part has ended: begin another one")),
        }
    }

    /// Returns a part of an item that has not ended.
    fn part_of(&mut self, call: &str, item: u32, kind: PartKind, at: u32) -> Result<&mut Part, UsageError> {
        let found = self.open_item(call, item)?.parts(kind).get(at as usize);
        if !found.is_some_and(|part| part.kind == kind) {
            return Err(self.refuse(&rules::PART_MISSING, call, "call `part()` first, and give its place"));
        }
        Ok(&mut self.items[item as usize].parts_mut(kind)[at as usize])
    }

    /// Writes the event that begins or ends a part.
    fn around(&mut self, item: u32, kind: PartKind, at: u32, word: &str) -> WireEvent {
        let row = kind.row();
        let mut part = String::new();
        self.items[item as usize].parts(kind)[at as usize].write(&mut part);
        self.of_item(item, row.events, word, |object| {
            object.integer(row.index, Some(at.into()));
            object.raw("part", Some(Raw(&part)));
        })
    }
}

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
