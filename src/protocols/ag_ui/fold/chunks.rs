//! Events that stand for others: chunks, which begin and end by themselves, and the events of
//! reasoning from before version 1.0. (B.4, B.5.)

use alloc::borrow::Cow;

use super::check::CheckedEvent;
use super::open_chunks::OpenChunk;
use super::{AgUiFold, ContentPiece};
use crate::core::{Observed, Rule};
use crate::engine::Context;
use crate::json::{Str, decimal};
use crate::protocols::ag_ui::events::EventKind;
use crate::protocols::ag_ui::lifecycle::{EventHead, StreamKind, Subagent, filled, subagent_name};
use crate::protocols::ag_ui::rules;

/// A chunk, with the fields that all chunks of its text or call have in common.
struct Chunk<'a> {
    stream: StreamKind,
    fields: [(&'static str, Option<Str<'a>>); 2],
}

impl AgUiFold {
    /// Ends the chunks that an event ends.
    pub(super) fn close_chunks_before(&mut self, head: &EventHead<'_>, cx: &mut Context<'_>) {
        if !self.chunks.is_empty() {
            let ended = self.chunks.end_before(head.kind, head.subagent);
            ended.into_iter().for_each(|stream| self.end_chunk(&stream, head, cx));
        }
    }

    fn end_chunk(&mut self, stream: &OpenChunk, head: &EventHead<'_>, cx: &mut Context<'_>) {
        let subagent = stream.named.as_deref();
        let head = &EventHead {
            kind: stream.kind.end(),
            id: &stream.id,
            subagent,
            metadata: None,
            parent: None,
            ..*head
        };
        self.apply_stream(head, ContentPiece::default(), cx);
    }

    /// Handles a chunk: continues the open text or call of its subagent, or opens a new one.
    pub(super) fn chunk(&mut self, checked: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        let (head, event) = (checked.head(), checked.event);
        let (stream, names) = match head.kind {
            EventKind::TextMessageChunk => (StreamKind::Text, ["role", "name"]),
            EventKind::ToolCallChunk => (StreamKind::Call, ["toolCallName", "parentMessageId"]),
            _ => (StreamKind::Reasoning, [""; 2]),
        };
        let chunk = &Chunk { stream, fields: names.map(|name| (name, event.text(name))) };
        let delta = event.text("delta");
        let id = checked.members.id.as_deref();
        let Some(subagent) = self.subagent_of(stream, id, &head, cx) else { return };
        let is_same = |open: &OpenChunk| open.kind == stream && id.is_none_or(|id| *open.id == *id);
        let known = self.chunks.of(subagent.as_deref());
        let known = known.filter(|&at| self.chunks.get(at).is_some_and(is_same));
        let at = match known {
            Some(at) if self.matches_first(at, chunk, cx) => Some(at),
            Some(_) => None,
            None => self.open_chunk(id, subagent, chunk, &head, cx),
        };
        let Some(open) = at.and_then(|at| self.chunks.get(at)) else { return };
        // The start has taken the metadata.
        let metadata = head.metadata.filter(|_| known.is_some());
        if delta.is_none() && event.named("rawEvent").is_none() && metadata.is_none() {
            return;
        }
        let (id, named) = (open.id.clone(), open.named.clone());
        let subagent = head.subagent.or(named.as_deref());
        let head = &EventHead { kind: stream.content(), id: &id, subagent, metadata, ..head };
        self.apply_stream(head, ContentPiece { delta, ..ContentPiece::default() }, cx);
    }

    /// Reports a chunk that is not applied.
    #[cold]
    #[inline(never)]
    fn refuse_chunk(rule: &'static Rule, sentence: &str, values: &[&str], cx: &mut Context<'_>) {
        cx.record(rule, Observed::ClientMessage(&filled(sentence, values)));
    }

    /// Returns the subagent that a chunk belongs to, or `None`, after a violation, if that is
    /// ambiguous or wrong.
    fn subagent_of(
        &mut self,
        stream: StreamKind,
        id: Option<&str>,
        head: &EventHead<'_>,
        cx: &mut Context<'_>,
    ) -> Option<Subagent> {
        if let Some(id) = id {
            let at = self.chunks.with_id(stream, id);
            let Some(holder) = at.and_then(|at| self.chunks.get(at)) else {
                return Some(head.subagent.map(Into::into));
            };
            if head.subagent.is_none() || head.subagent == holder.subagent.as_deref() {
                return Some(holder.subagent.clone());
            }
            let (subagent, owner) =
                (head.subagent.unwrap_or_default(), subagent_name(holder.subagent.as_deref()));
            Self::refuse_chunk(
                &rules::CHUNK_DISAGREES,
                "Cannot continue {} '{}': chunk subagentRunId '{}' does not match the open stream's subagent '{}'.",
                &[stream.noun(), id, subagent, owner],
                cx,
            );
            return None;
        }
        if head.subagent.is_some() {
            return Some(head.subagent.map(Into::into));
        }
        let main = self.chunks.of(None).and_then(|at| self.chunks.get(at));
        if main.is_some_and(|main| main.kind == stream) {
            return Some(None);
        }
        match self.chunks.count(stream) {
            0 => Some(None),
            1 => self.chunks.only(stream).map(|open| open.subagent.clone()),
            count => {
                let count = decimal(count as i64);
                let id = if stream == StreamKind::Call { "toolCallId" } else { "messageId" };
                Self::refuse_chunk(
                    &rules::CHUNK_AMBIGUOUS,
                    "Ambiguous {}: it carries neither a {} nor a subagentRunId, but {} lanes have an open {}. Attribute the chunk to the subagent it belongs to.",
                    &[head.kind.name(), id, &count, stream.noun()],
                    cx,
                );
                None
            }
        }
    }

    /// Reports whether the fields of a chunk equal those of the first chunk.
    fn matches_first(&mut self, at: usize, chunk: &Chunk<'_>, cx: &mut Context<'_>) -> bool {
        let Some(open) = self.chunks.get(at) else { return false };
        for ((name, value), first) in chunk.fields.iter().zip(&open.fields) {
            let Some(value) = value.map(Str::to_str) else { continue };
            if first.as_deref() != Some(&*value) {
                let quoted = |first| Cow::Owned(["'", first, "'"].concat());
                let first = first.as_deref().map_or(Cow::Borrowed("(absent)"), quoted);
                Self::refuse_chunk(
                    &rules::CHUNK_DISAGREES,
                    "Cannot continue {} '{}': chunk {} '{}' does not match the open stream's {} {}.",
                    &[open.kind.noun(), &open.id, name, &value, name, &first],
                    cx,
                );
                return false;
            }
        }
        true
    }

    fn open_chunk(
        &mut self,
        id: Option<&str>,
        subagent: Subagent,
        chunk: &Chunk<'_>,
        head: &EventHead<'_>,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let stream = chunk.stream;
        let is_call = stream == StreamKind::Call;
        let [(_, first), (_, second)] = chunk.fields;
        let missing = match (id, first) {
            (None, _) => Some(if is_call { "toolCallId" } else { "messageId" }),
            (Some(_), None) if is_call => Some("toolCallName"),
            _ => None,
        };
        if let Some(missing) = missing {
            let values = [head.kind.name(), missing];
            Self::refuse_chunk(&rules::CHUNK_INCOMPLETE, "First {} must have a {}", &values, cx);
        }
        let id = id.filter(|_| missing.is_none())?;
        if let Some(ended) = self.chunks.end(subagent.as_deref()) {
            self.end_chunk(&ended, head, cx);
        }
        let most = cx.options().limits.contents;
        if self.chunks.len() >= most {
            cx.record(&rules::LIMIT_EXCEEDED, Observed::Over("contents", most as u64));
            return None;
        }
        let opens = |field: Option<Str<'_>>| field.map(|field| field.to_str().into());
        let role = (stream == StreamKind::Text).then_some(Str::plain("assistant"));
        let fields = [opens(first.or(role)), opens(second)];
        let named = head.subagent.map(Into::into);
        let at =
            self.chunks.push(OpenChunk { subagent, kind: stream, id: id.into(), fields, named });
        let kind = stream.start();
        let (parent, name) =
            if is_call { (second.map(Str::to_str), first) } else { (None, second) };
        let piece = ContentPiece { delta: None, role: first, name };
        self.apply_stream(&EventHead { kind, parent: parent.as_deref(), ..*head }, piece, cx);
        cx.is_reading().then_some(at)
    }

    /// Applies an event of reasoning from before version 1.0, which has no id (B.4).
    pub(super) fn apply_thinking(
        &mut self,
        head: &EventHead<'_>,
        piece: ContentPiece<'_>,
        cx: &mut Context<'_>,
    ) {
        let name = head.kind.name();
        if self.is_first(name) {
            cx.record(&rules::LEGACY_THINKING, Observed::Name(name));
        }
        let is_message = name.starts_with("THINKING_TEXT_");
        let starts = name.ends_with("_START");
        let id = match self.thinking[usize::from(is_message)].take() {
            Some(id) if !starts => id,
            _ => {
                self.thinking_ids += 1;
                ["thinking-", &decimal(self.thinking_ids.into())].concat()
            }
        };
        if !name.ends_with("_END") {
            self.thinking[usize::from(is_message)] = Some(id.clone());
        }
        let kind = match head.kind {
            EventKind::ThinkingStart => EventKind::ReasoningStart,
            EventKind::ThinkingTextMessageStart => EventKind::ReasoningMessageStart,
            EventKind::ThinkingTextMessageContent => EventKind::ReasoningMessageContent,
            EventKind::ThinkingTextMessageEnd => EventKind::ReasoningMessageEnd,
            _ => EventKind::ReasoningEnd,
        };
        self.apply_stream(&EventHead { kind, id: &id, ..*head }, piece, cx);
    }
}
