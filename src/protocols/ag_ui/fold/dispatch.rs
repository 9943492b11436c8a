//! The way of an event: the lifecycle accepts it, and its effect is applied.

use super::AgUiMeaning;
use super::check::CheckedEvent;
use super::chunks::Chunk;
use crate::engine::Context;
use crate::json::Str;
use crate::protocols::ag_ui::events::EventKind;
use crate::protocols::ag_ui::lifecycle::{EventHead, Phase, StreamKind};
use crate::protocols::ag_ui::members::MessageHead;

/// The content of an event of a text, a reasoning block or message, or a call.
#[derive(Clone, Copy, Default)]
pub(super) struct Piece<'p> {
    pub delta: Option<Str<'p>>,
    /// The role of a text.
    pub role: Option<Str<'p>>,
    /// The name of a call, or of the sender of a text.
    pub name: Option<Str<'p>>,
}

impl AgUiMeaning {
    /// Applies an event that has passed the checks.
    pub(super) fn apply(&mut self, checked: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        use EventKind::*;
        self.close_chunks_before(&checked.head(), cx);
        let event = checked.event;
        let messages = match checked.members.kind {
            RunStarted => checked.value("input").and_then(|input| input.member("messages")),
            MessagesSnapshot => checked.value("messages"),
            _ => None,
        };
        let messages = MessageHead::all(messages);
        let it = &checked.members.head(checked.metadata, &messages);
        let optional = |name| event.text(name);
        let text = |name| event.text(name).unwrap_or(Str::plain(""));
        let piece = Piece { delta: optional("delta"), role: optional("role"), name: optional("name") };
        let chunk = |stream, fields| Chunk {
            stream,
            fields,
            delta: piece.delta,
            has_raw_event: event.named("rawEvent").is_some(),
        };
        match it.kind {
            TextMessageChunk => {
                let role = piece.role.or(Some(Str::plain("assistant")));
                let fields = [("role", role, piece.role), ("name", piece.name, piece.name)];
                return self.chunk(&chunk(StreamKind::Text, fields), checked, cx);
            }
            ToolCallChunk => {
                let (name, parent) = (optional("toolCallName"), optional("parentMessageId"));
                let fields = [("toolCallName", name, name), ("parentMessageId", parent, parent)];
                return self.chunk(&chunk(StreamKind::Call, fields), checked, cx);
            }
            ReasoningMessageChunk => {
                let fields = [("", None, None), ("", None, None)];
                return self.chunk(&chunk(StreamKind::Reasoning, fields), checked, cx);
            }
            ThinkingStart
            | ThinkingEnd
            | ThinkingTextMessageStart
            | ThinkingTextMessageContent
            | ThinkingTextMessageEnd => return self.think(it, piece, cx),
            TextMessageEnd if self.endpoints => return self.endpoints_text(it, event.json, cx),
            ToolCallArgs if piece.delta.is_none() => {
                return self.endpoints_arguments(it, event.json.member("args"), cx);
            }
            ToolCallResult if event.named("toolCallId").is_none() || event.named("content").is_none() => {
                return self.endpoints_result(it, event.json, cx);
            }
            ActivitySnapshot if event.named("content").is_none() => return,
            ToolCallStart => {
                return self.apply_stream(it, Piece { name: optional("toolCallName"), ..piece }, cx);
            }
            kind if StreamKind::of(kind).is_some() => return self.apply_stream(it, piece, cx),
            _ => {}
        }
        let is_first_run = self.life.phase == Phase::Before;
        let Some(effect) = self.life.step(it, cx) else { return };
        match it.kind {
            RunStarted => {
                let optional = [optional("parentRunId"), optional("protocolVersion")];
                self.start_run(it, &text("runId").to_str(), optional, is_first_run, cx);
            }
            RunFinished => self.finish_run(checked, cx),
            RunError => self.fail_run(it, optional("code"), checked, cx),
            StepStarted => self.start_step(it, cx),
            StepFinished => Self::finish_step(effect, cx),
            ToolCallResult => {
                let content = checked.value("content").map_or("", |content| content.raw().as_str());
                self.add_result(it, &text("toolCallId").to_str(), content, cx);
            }
            StateSnapshot => self.replace_state(event.named("snapshot"), cx),
            StateDelta => self.patch_state(checked.value("delta"), cx),
            MessagesSnapshot => self.replace_messages(it, cx),
            ActivitySnapshot => {
                self.replace_activity(it, &text("activityType").to_str(), event.named("content"), cx);
            }
            ActivityDelta => {
                self.patch_activity(it, &text("activityType").to_str(), checked.value("patch"), cx);
            }
            ReasoningEncryptedValue => self.encrypt(it, &text("encryptedValue").to_str(), cx),
            SubagentStarted => {
                let members = ["parentSubagentRunId", "parentToolCallId", "parentMessageId", "description"];
                self.start_subagent(it, &text("name").to_str(), members.map(optional), cx);
            }
            SubagentFinished => Self::finish_subagent(effect, checked, cx),
            SubagentError => {
                Self::fail_subagent(effect, &text("message").to_str(), optional("code"), cx);
            }
            _ => cx.leaves_no_trace(),
        }
    }

    /// Applies an event of a text, a reasoning block or message, or a call.
    pub(super) fn apply_stream(&mut self, it: &EventHead<'_>, piece: Piece<'_>, cx: &mut Context<'_>) {
        use EventKind::*;
        let Some(effect) = self.life.step(it, cx) else { return };
        let delta = piece.delta.unwrap_or(Str::plain(""));
        match it.kind {
            TextMessageStart | ReasoningMessageStart => self.open_text(it, piece, cx),
            ToolCallStart => self.start_call(it, &piece.name.unwrap_or(Str::plain("")).to_str(), cx),
            TextMessageContent | ReasoningMessageContent => self.add_text(it, effect, delta, cx),
            ToolCallArgs => self.add_arguments(it, effect, delta, cx),
            ToolCallEnd => self.end_call(it, cx),
            ReasoningStart => self.start_block(it, cx),
            ReasoningEnd => Self::end_block(effect, cx),
            _ => self.end_text(it, cx),
        }
    }
}
