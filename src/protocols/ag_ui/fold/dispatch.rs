//! Dispatch of events to their handlers.

use super::AgUiMeaning;
use super::check::CheckedEvent;
use super::chunks::Chunk;
use crate::core::Reading;
use crate::engine::Context;
use crate::json::Str;
use crate::protocols::ag_ui::events::EventKind;
use crate::protocols::ag_ui::lifecycle::StreamKind;
use crate::protocols::ag_ui::members::member;

impl AgUiMeaning {
    /// Applies an event that has passed the checks.
    pub(super) fn apply(
        &mut self,
        event: &Reading<'_, '_>,
        checked: &CheckedEvent<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let it = &checked.head();
        self.close_chunks_before(it, cx);
        let text = |name| event.text(name).unwrap_or(Str::plain(""));
        let chunk = |stream, fields| Chunk {
            stream,
            fields,
            delta: event.text("delta"),
            has_raw_event: event.named("rawEvent").is_some(),
        };
        match it.kind {
            EventKind::RunStarted => {
                let optional = [event.text("parentRunId"), event.text("protocolVersion")];
                self.start_run(&text("runId").to_str(), optional, checked, cx);
            }
            EventKind::RunFinished => self.finish_run(event.named("result"), checked, cx),
            EventKind::RunError => self.fail_run(event.text("code"), checked, cx),
            EventKind::StepStarted => self.start_step(it, cx),
            EventKind::StepFinished => self.finish_step(it, cx),
            EventKind::TextMessageStart => self.start_text(it, event.text("role"), event.text("name"), cx),
            EventKind::ReasoningMessageStart => self.start_text(it, None, None, cx),
            EventKind::TextMessageContent | EventKind::ReasoningMessageContent => {
                self.add_text(it, text("delta"), cx);
            }
            EventKind::TextMessageEnd if self.endpoints => self.endpoints_text(it, event.json, cx),
            EventKind::TextMessageEnd | EventKind::ReasoningMessageEnd => self.end_text(it, cx),
            EventKind::TextMessageChunk => {
                let (role, name) = (event.text("role"), event.text("name"));
                let fields = [("role", role.or(Some(Str::plain("assistant"))), role), ("name", name, name)];
                self.chunk(&chunk(StreamKind::Text, fields), checked, cx);
            }
            EventKind::ToolCallStart => self.start_call(it, &text("toolCallName").to_str(), cx),
            EventKind::ToolCallArgs => match event.text("delta") {
                Some(delta) => self.add_arguments(it, delta, cx),
                None => self.endpoints_arguments(it, member(event.json, "args"), cx),
            },
            EventKind::ToolCallEnd => self.end_call(it, cx),
            EventKind::ToolCallChunk => {
                let (name, parent) = (event.text("toolCallName"), event.text("parentMessageId"));
                let fields = [("toolCallName", name, name), ("parentMessageId", parent, parent)];
                self.chunk(&chunk(StreamKind::Call, fields), checked, cx);
            }
            EventKind::ToolCallResult => match (event.text("toolCallId"), event.named("content")) {
                (Some(call), Some(content)) => {
                    self.add_result(it, &call.to_str(), checked.json("content", content), cx);
                }
                _ => self.endpoints_result(it, event.json, cx),
            },
            EventKind::StateSnapshot => self.replace_state(it, event.named("snapshot"), cx),
            EventKind::StateDelta => self.patch_state(event.named("delta"), checked, cx),
            EventKind::MessagesSnapshot => self.replace_messages(event.named("messages"), checked, cx),
            EventKind::ActivitySnapshot => {
                self.replace_activity(it, &text("activityType").to_str(), event.named("content"), cx);
            }
            EventKind::ActivityDelta => {
                self.patch_activity(&text("activityType").to_str(), event.named("patch"), checked, cx);
            }
            EventKind::ReasoningStart => self.start_block(it, cx),
            EventKind::ReasoningMessageChunk => {
                let fields = [("", None, None), ("", None, None)];
                self.chunk(&chunk(StreamKind::Reasoning, fields), checked, cx);
            }
            EventKind::ReasoningEnd => self.end_block(it, cx),
            EventKind::ReasoningEncryptedValue => self.encrypt(it, &text("encryptedValue").to_str(), cx),
            EventKind::SubagentStarted => {
                let parents = ["parentSubagentRunId", "parentToolCallId", "parentMessageId", "description"];
                self.start_subagent(it, &text("name").to_str(), parents.map(|name| event.text(name)), cx);
            }
            EventKind::SubagentFinished => self.finish_subagent(event.named("result"), checked, cx),
            EventKind::SubagentError => {
                self.fail_subagent(it, &text("message").to_str(), event.text("code"), cx);
            }
            EventKind::Raw | EventKind::Custom => {
                if self.life.step(it, cx).is_some() {
                    cx.leaves_no_trace();
                }
            }
            EventKind::ThinkingTextMessageContent
            | EventKind::ThinkingStart
            | EventKind::ThinkingTextMessageStart
            | EventKind::ThinkingTextMessageEnd
            | EventKind::ThinkingEnd => self.think(it, text("delta"), cx),
        }
    }
}
