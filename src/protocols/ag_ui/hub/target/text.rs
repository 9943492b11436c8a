//! Text and reasoning: each text of a message of the hub is a message in AG-UI.

use alloc::string::String;

use super::ids::IdUse;
use super::spans::OpenSpans;
use super::writer::{end_of, text};
use super::{ToAgUi, object};
use crate::bytes::string_map::pair;
use crate::core::WireEvent;
use crate::hub::{EndStatus, EventOutput, MessageEnd, MessageKind, Step};
use crate::json::Value;
use crate::protocols::ag_ui::events::{Event, event};
use crate::protocols::ag_ui::hub::usage;
use crate::protocols::ag_ui::lifecycle::StreamKind;

impl ToAgUi {
    /// Writes a piece of text or reasoning. The first piece begins the message, with `kind` in its
    /// metadata.
    pub(super) fn piece(
        &mut self,
        message: u32,
        part: u32,
        piece: &str,
        kind: Option<&str>,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let at = pair(message, part);
        let Some(piece) = self.unlisted(message, piece) else { return };
        if self.parts.get(at).is_none() {
            if let Some(kind) = kind {
                self.pending.set(message, "kind", kind.into());
            }
            self.begin(message, part, out);
        }
        let (Some(id), Some(item)) = (self.parts.get(at), self.items.get(message.into())) else {
            return;
        };
        self.write.piece(stream_of(message, out), (id, item.lane.as_deref()), piece, out);
    }

    /// Returns the part of a piece that the last list of messages does not contain, for a text that
    /// was listed before its own events. Clients append this part to the listed text.
    fn unlisted<'p>(&mut self, message: u32, piece: &'p str) -> Option<&'p str> {
        let Some(item) = self.items.get_mut(message.into()) else { return Some(piece) };
        let Some((text, written)) = &mut item.listed else { return Some(piece) };
        let rest = text.get(*written..).unwrap_or_default();
        if rest.starts_with(piece) {
            *written += piece.len();
            item.has_written = true;
            return None;
        }
        let rest = piece.strip_prefix(rest);
        item.listed = None;
        Some(rest.unwrap_or(piece))
    }

    /// Begins a message of AG-UI: one for each text of a message of the hub (R44).
    pub(super) fn begin(&mut self, message: u32, part: u32, out: &mut EventOutput<'_, WireEvent>) {
        self.end_part(message, None, out);
        let ToAgUi { items, pending, ids, written, parts, spans, write, renamed, .. } = self;
        let Some(item) = items.get_mut(message.into()) else { return };
        let kind = out.kind(message);
        let is_reasoning = kind == MessageKind::Reasoning;
        let own = item.id.clone();
        let id = item.take_id(if is_reasoning { IdUse::Reasoning } else { IdUse::Text }, ids, out);
        let (lane, metadata) = (item.lane.as_deref(), object(pending.take(message)));
        if is_reasoning {
            item.is_span = spans.get(lane.unwrap_or_default()).is_none_or(OpenSpans::is_empty);
            if item.is_span {
                write.send(
                    &id,
                    &event!(ReasoningStart in lane, None; { message_id: text(&id) }),
                    out,
                );
            }
            let start = event!(ReasoningMessageStart in lane, metadata; {
                message_id: text(&id), role: text("reasoning"),
            });
            write.send(&id, &start, out);
            self.turn = None;
        } else {
            let role = if kind.is_tool() { "assistant" } else { &*item.role };
            let is_assistant = role == "assistant";
            let start = event!(TextMessageStart in lane, metadata; {
                message_id: text(&id), role: Some(text(role)), name: item.name.as_deref().map(text),
            });
            // Otherwise the message of that id has begun before, perhaps with another role.
            if write.send(&id, &start, out) {
                self.turn = is_assistant.then(|| (id.clone(), item.lane.clone()));
            }
        }
        if written.get(message.into()).is_none() {
            written.insert(message.into(), id.clone());
        }
        if let Some(own) = own.filter(|own| *own != id && !is_reasoning) {
            renamed.insert(&own, id.clone());
        }
        parts.insert(pair(message, part), id);
    }

    /// Begins a message whose text is empty.
    pub(super) fn begin_empty(&mut self, message: u32, out: &mut EventOutput<'_, WireEvent>) {
        self.begin(message, 0, out);
        self.items.get_mut(message.into()).into_iter().for_each(|item| item.ended = Some(0));
    }

    /// Writes the end of the part that has ended, with metadata.
    pub(super) fn end_part(
        &mut self,
        message: u32,
        metadata: Option<Value>,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let ToAgUi { items, parts, write, values, .. } = self;
        let Some(item) = items.get_mut(message.into()) else { return };
        let Some(at) = item.ended.take().map(|part| pair(message, part)) else { return };
        let Some(id) = parts.remove(at) else { return };
        let lane = item.lane.as_deref();
        write.send(&id, &end_of(stream_of(message, out), &id, lane, metadata), out);
        if item.is_span {
            write.send(&id, &end_of(StreamKind::Block, &id, lane, None), out);
        }
        values.text_ended(at, id);
    }

    /// Ends a message. A message that was cut off ends before the next step, which may be the end
    /// of the run.
    pub(super) fn close(
        &mut self,
        message: u32,
        end: &MessageEnd,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let is_text = !out.kind(message).is_tool();
        if is_text && end.status != EndStatus::Completed && end.error.is_none() {
            self.cut_off.push((message, end.clone()));
            return;
        }
        self.close_message(message, end, out);
    }

    /// Ends the messages that were cut off. If the run ends right after them with the same status,
    /// they do not repeat it.
    pub(super) fn close_cut_off(&mut self, step: &Step<'_>, out: &mut EventOutput<'_, WireEvent>) {
        let status = match step {
            Step::Close { .. } | Step::EndPart { .. } | Step::Heartbeat => return,
            Step::End(end) => Some(end.status),
            _ => None,
        };
        for (message, mut end) in core::mem::take(&mut self.cut_off) {
            if status == Some(end.status) {
                end.status = EndStatus::Completed;
            }
            self.close_message(message, &end, out);
        }
    }

    /// Ends a message, and writes its metadata with the end of its last text.
    fn close_message(
        &mut self,
        message: u32,
        end: &MessageEnd,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let Some(item) = self.items.get(message.into()) else { return };
        let failed = end.code.is_some() || end.message.is_some();
        if !item.has_written && !out.kind(message).is_tool() && !failed {
            self.begin_empty(message, out);
        }
        if let Some(item) = self.items.get_mut(message.into())
            && self.parts.get(pair(message, 0)).is_some()
            && !out.kind(message).is_tool()
        {
            item.ended.get_or_insert(0);
        }
        if failed {
            let text = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
            let error = Value::from([("code", text(&end.code)), ("message", text(&end.message))]);
            self.custom("error", &error, out);
        }
        let mut metadata = self.pending.end(message, end).unwrap_or_default();
        if let Some(usage) = &end.usage {
            metadata.insert("usage", usage::of_message(usage));
        }
        let is_text = self.items.get(message.into()).is_some_and(|item| item.ended.is_some());
        if is_text && end.status != EndStatus::Completed {
            metadata.insert("status", end.status.as_str().into());
        }
        if let Some(error) = &end.error {
            let code = error.code.as_deref().map_or(Value::Null, Value::from);
            metadata.insert(
                "error",
                [("code", code), ("message", error.message.as_str().into())].into(),
            );
        }
        let metadata = Some(metadata)
            .filter(|metadata| matches!(metadata, Value::Object(members) if !members.is_empty()));
        match metadata {
            Some(metadata) if is_text => self.end_part(message, Some(metadata), out),
            Some(_) => out.lose(
                "metadata",
                out.place(message),
                "the message has ended in AG-UI, or does not exist there",
            ),
            None => self.end_part(message, None, out),
        }
        self.items.remove(message.into());
    }
}

/// Returns the kind of stream that a message's texts are.
fn stream_of(message: u32, out: &EventOutput<'_, WireEvent>) -> StreamKind {
    match out.kind(message) {
        MessageKind::Reasoning => StreamKind::Reasoning,
        _ => StreamKind::Text,
    }
}
