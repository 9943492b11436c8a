//! Messages of the hub and their texts: an item for all texts of a message, which begins at the
//! first of them.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::citations::{self, WrittenAnnotation};
use super::item::{PartPlace, WrittenPart};
use super::readable::is_readable;
use super::types::PartKind;
use super::{ToResponses, UNREADABLE, WireOutput, WrittenPlace};
use crate::bytes::string_map::pair;
use crate::hub::{EndStatus, MessageEnd, MessageKind, Step, message_id};
use crate::json::{Raw, Value, decimal};

/// A message of the hub that has not ended.
#[derive(Debug, Default)]
pub(super) struct WrittenMessage {
    pub id: Option<String>,
    /// Its data is a list of an MCP server's tools.
    pub lists_tools: bool,
    /// The item of its texts, or of the result of a tool of the server.
    pub item: Option<usize>,
    /// The number of its items.
    pub items: u32,
    /// The members of its item that are known at its end.
    pub own: Value,
    /// The sealed members of its parts, which follow it.
    pub carriers: Vec<String>,
    /// Further members of the result of a tool of the server.
    pub more: Value,
}

const LESS: &str = "a citation has an address, a title and a place in the text";

impl ToResponses {
    pub(super) fn open(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Open { message, kind, id, .. } = *step else { return };
        let open = WrittenMessage {
            id: message_id(id, out).map(ToOwned::to_owned),
            lists_tools: kind == MessageKind::Other("mcp_list_tools"),
            ..WrittenMessage::default()
        };
        self.messages.insert(message.into(), open);
    }

    pub(super) fn close(&mut self, message: u32, end: &MessageEnd, out: &mut WireOutput<'_>) {
        let is_tool = out.kind(message).is_tool();
        if end.metadata.is_some() {
            out.lose("metadata", "", "items of Responses have no metadata");
        }
        if end.usage.is_some() {
            out.lose("usage", "", "Responses counts the tokens of the response, not of items");
        }
        let Some(open) = self.messages.get(message.into()) else { return };
        let is_empty = open.items == 0 && open.item.is_none() && !is_tool;
        let item = if is_empty { self.text_item(message, out) } else { open.item };
        let Some(open) = self.messages.remove(message.into()) else { return };
        if !matches!(open.more, Value::Null) {
            out.lose("metadata", "", "items of Responses have no metadata");
        }
        let status = match end.status {
            EndStatus::Completed => "completed",
            EndStatus::Incomplete => "incomplete",
            EndStatus::Failed if is_tool => "failed",
            _ => {
                if item.is_some() {
                    let reason =
                        "items of Responses are completed or incomplete: it became incomplete";
                    out.lose("message-status", "", reason);
                }
                "incomplete"
            }
        };
        if let Some(item) = item {
            self.end_item(item, status, open.own, out);
        }
        self.carriers(open.carriers, out);
    }

    /// Returns the id of the next item of a message: the message's own id, or one that is made of
    /// it.
    pub(super) fn next_id(&mut self, message: u32) -> Option<String> {
        let message = self.messages.get_mut(message.into())?;
        let id = message.id.as_deref()?;
        message.items += 1;
        Some(match message.items {
            1 => id.to_owned(),
            more => [id, "_", &decimal(i64::from(more) - 1)].concat(),
        })
    }

    /// Counts an item of a message that has an id of its own, or is not written.
    pub(super) fn count_item(&mut self, message: u32) {
        self.messages.get_mut(message.into()).into_iter().for_each(|open| open.items += 1);
    }

    /// Returns the item of a message's texts. Begins it if necessary.
    fn text_item(&mut self, message: u32, out: &mut WireOutput<'_>) -> Option<usize> {
        let open = self.messages.get(message.into())?;
        if let Some(item) = open.item {
            return Some(item);
        }
        let r#type =
            if out.kind(message) == MessageKind::Reasoning { "reasoning" } else { "message" };
        let id = self.next_id(message);
        let item = self.item(r#type, id.as_deref(), Value::Null, out)?;
        self.messages.get_mut(message.into())?.item = Some(item);
        Some(item)
    }

    /// Writes a piece of text. Begins its part if necessary.
    pub(super) fn piece(
        &mut self,
        (message, part): (u32, u32),
        kind: PartKind,
        piece: &str,
        out: &mut WireOutput<'_>,
    ) {
        let place = match self.parts.get(pair(message, part)) {
            Some(place) => Some(*place),
            None => self.begin_part((message, part), kind, out),
        };
        let Some(WrittenPlace::Text(PartPlace { item, kind, index })) = place else { return };
        let item = &mut self.items[item];
        if let Some(part) = item.parts_mut(kind).get_mut(index) {
            part.text.push_str(piece);
            self.events.piece(item, Some((kind, index)), piece, out);
        }
    }

    fn begin_part(
        &mut self,
        (message, part): (u32, u32),
        kind: PartKind,
        out: &mut WireOutput<'_>,
    ) -> Option<WrittenPlace> {
        let item = self.text_item(message, out)?;
        let kind = match (out.kind(message) == MessageKind::Reasoning, kind) {
            (true, PartKind::Text | PartKind::Refusal) => PartKind::Reasoning,
            (false, PartKind::Reasoning | PartKind::Summary) => PartKind::Text,
            (_, kind) => kind,
        };
        if self.items[item].row.name != kind.row().item {
            // The result of a tool of the server has no texts. (O6.)
            out.lose("refused", out.place(message), UNREADABLE);
            return None;
        }
        let parts = self.items[item].parts_mut(kind);
        let place = PartPlace { item, kind, index: parts.len() };
        parts.push(WrittenPart::new(kind));
        self.parts.insert(pair(message, part), WrittenPlace::Text(place));
        self.part_event(place, "added", out);
        Some(WrittenPlace::Text(place))
    }

    /// Ends a part of an item if it is open.
    pub(super) fn end_text(&mut self, place: PartPlace, out: &mut WireOutput<'_>) {
        self.end_citations(place, out);
        let PartPlace { item, kind, index } = place;
        let part = self.items[item].parts_mut(kind).get_mut(index);
        if !part.is_some_and(|part| core::mem::take(&mut part.is_open)) {
            return;
        }
        let (item, row) = (&self.items[item], kind.row());
        self.events.write_of(item, [row.streamed.events, "done"], out, |object| {
            object.integer(row.index, Some(index as i64));
            object.string(row.streamed.member, Some(&item.parts(kind)[index].text));
            if kind == PartKind::Text {
                object.raw("logprobs", Some(Raw("[]")));
            }
        });
        self.part_event(place, "done", out);
    }

    /// Writes the event that begins or ends a part.
    fn part_event(
        &mut self,
        PartPlace { item, kind, index }: PartPlace,
        word: &str,
        out: &mut WireOutput<'_>,
    ) {
        let (item, row) = (&self.items[item], kind.row());
        self.events.write_of(item, [row.events, word], out, |object| {
            object.integer(row.index, Some(index as i64));
            item.parts(kind)[index].write(object.member("part"));
        });
    }

    /// Returns the text that a part of a message is, and its place; `None` if it is not a text, or
    /// its item has ended.
    fn text(&mut self, message: u32, part: u32) -> Option<(PartPlace, &mut WrittenPart)> {
        let WrittenPlace::Text(place) = *self.parts.get(pair(message, part))? else { return None };
        Some((place, self.items[place.item].parts_mut(place.kind).get_mut(place.index)?))
    }

    /// Adds an annotation to an open text. Begins its part if necessary: Anthropic cites before the
    /// text.
    pub(super) fn annotate(
        &mut self,
        (message, part): (u32, u32),
        annotation: &Value,
        out: &mut WireOutput<'_>,
    ) {
        let Some(written) = citations::annotation(annotation) else {
            let reason = "a citation has the address of a page";
            return out.lose("annotation", out.place(message), reason);
        };
        let is_written = !annotation.is_null() && is_readable(annotation);
        let is_early = self.parts.get(pair(message, part)).is_none()
            && out.kind(message) == MessageKind::Message
            && self.messages.get(message.into()).is_some();
        if is_written && is_early {
            self.begin_part((message, part), PartKind::Text, out);
        }
        let text = self
            .text(message, part)
            .filter(|(place, text)| is_written && place.kind == PartKind::Text && text.is_open);
        let Some((place, text)) = text else {
            let reason = match annotation {
                Value::Null => "null is not an annotation",
                _ => "no text is open",
            };
            return out.lose("annotation", out.place(message), reason);
        };
        match written {
            WrittenAnnotation::Whole(written) => {
                if written != *annotation && citations::is_more_than_cited(annotation) {
                    out.lose("annotation", out.place(message), LESS);
                }
                self.write_annotation(place, &written, out);
            }
            WrittenAnnotation::OfText(written) => {
                text.citations.push(written);
                if citations::is_more_than_cited(annotation) {
                    out.lose("annotation", out.place(message), LESS);
                }
            }
        }
    }

    /// Replaces a text. Clients receive the new one when the part ends, or its item. (O9.)
    pub(super) fn replace_text(
        &mut self,
        (message, part): (u32, u32),
        all: &str,
        out: &mut WireOutput<'_>,
    ) {
        match self.text(message, part) {
            Some((_, text)) => text.text = all.to_owned(),
            None => out.lose("text-replaced", out.place(message), "its item has ended"),
        }
    }

    /// Retracts a text from its item, or the item from the response. Clients may show it until the
    /// end of the item or of the response. A text whose item has ended stays.
    pub(super) fn retract(&mut self, message: u32, part: Option<u32>) {
        match part {
            Some(part) => {
                self.text(message, part).into_iter().for_each(|(_, text)| text.is_dropped = true);
            }
            None => {
                let item = self.messages.get(message.into()).and_then(|open| open.item);
                item.into_iter().for_each(|item| self.items[item].is_dropped = true);
            }
        }
    }
}
