//! Dispatch of events to their handlers.

use super::AgUiMeaning;
use super::chunks::Chunk;
use super::look::Looked;
use crate::core::Reading;
use crate::engine::Context;
use crate::json::Str;
use crate::protocols::ag_ui::events::EventKind;
use crate::protocols::ag_ui::lifecycle::Thing;

impl AgUiMeaning {
    /// Applies an event that has passed the checks.
    pub(super) fn on(&mut self, event: &Reading<'_, '_>, looks: &Looked<'_, '_>, cx: &mut Context<'_>) {
        let it = looks.common();
        self.close_chunks_before(&looks.name, it.lane(), cx);
        let Some(kind) = EventKind::of(event) else { return };
        let subject = event.text(subject_of(kind)).map(Str::to_str);
        let id = subject.as_deref().unwrap_or_default();
        let text = |name| event.text(name).unwrap_or(Str::plain(""));
        let delta = || text("delta");
        let chunk = |fields| Chunk { id: subject.as_deref(), fields, delta: event.text("delta") };
        match kind {
            EventKind::RunStarted => {
                let optional = [event.text("parentRunId"), event.text("protocolVersion")];
                self.start_run(id, &text("runId").to_str(), optional, looks, cx);
            }
            EventKind::RunFinished => self.finish_run(event.named("result"), looks, cx),
            EventKind::RunError => self.fail_run(id, event.text("code"), looks, cx),
            EventKind::StepStarted => self.start_step(id, &it, cx),
            EventKind::StepFinished => self.finish_step(id, &it, cx),
            EventKind::TextMessageStart => {
                self.start_text(Thing::Text, id, event.text("role"), event.text("name"), &it, cx);
            }
            EventKind::TextMessageContent => self.add_text(Thing::Text, id, delta(), &it, cx),
            EventKind::TextMessageEnd if self.endpoints => self.endpoints_text(id, event.json, &it, cx),
            EventKind::TextMessageEnd => self.end_text(Thing::Text, id, &it, cx),
            EventKind::TextMessageChunk => {
                let (role, name) = (event.text("role"), event.text("name"));
                let fields = [("role", role.or(Some(Str::plain("assistant"))), role), ("name", name, name)];
                self.chunk(Thing::Text, chunk(fields), looks, cx);
            }
            EventKind::ToolCallStart => {
                let name = text("toolCallName").to_str();
                self.start_call(id, &name, event.text("parentMessageId"), &it, cx);
            }
            EventKind::ToolCallArgs => match event.text("delta") {
                Some(delta) => self.add_arguments(id, delta, &it, cx),
                None => self.endpoints_arguments(id, event.json, &it, cx),
            },
            EventKind::ToolCallEnd => self.end_call(id, &it, cx),
            EventKind::ToolCallChunk => {
                let (name, parent) = (event.text("toolCallName"), event.text("parentMessageId"));
                let fields = [("toolCallName", name, name), ("parentMessageId", parent, parent)];
                self.chunk(Thing::Call, chunk(fields), looks, cx);
            }
            EventKind::ToolCallResult => match (event.text("toolCallId"), event.named("content")) {
                (Some(call), Some(content)) => {
                    let content = looks.json("content", content);
                    self.add_result(id, &call.to_str(), &content, &it, cx);
                }
                _ => self.endpoints_result(id, event.json, &it, cx),
            },
            EventKind::StateSnapshot => self.replace_state(event.named("snapshot"), &it, cx),
            EventKind::StateDelta => self.patch_state(event.named("delta"), looks, cx),
            EventKind::MessagesSnapshot => self.replace_messages(event.named("messages"), looks, cx),
            EventKind::ActivitySnapshot => {
                let replace = event.named("replace").is_none_or(|replace| replace.bool() != Ok(false));
                let kind = text("activityType").to_str();
                self.replace_activity(id, &kind, event.named("content"), replace, &it, cx);
            }
            EventKind::ActivityDelta => {
                let kind = text("activityType").to_str();
                self.patch_activity(id, &kind, event.named("patch"), looks, cx);
            }
            EventKind::ReasoningStart => self.start_span(id, &it, cx),
            EventKind::ReasoningMessageStart => {
                self.start_text(Thing::Reasoning, id, None, None, &it, cx);
            }
            EventKind::ReasoningMessageContent => self.add_text(Thing::Reasoning, id, delta(), &it, cx),
            EventKind::ReasoningMessageEnd => self.end_text(Thing::Reasoning, id, &it, cx),
            EventKind::ReasoningMessageChunk => {
                let fields = [("", None, None), ("", None, None)];
                self.chunk(Thing::Reasoning, chunk(fields), looks, cx);
            }
            EventKind::ReasoningEnd => self.end_span(id, &it, cx),
            EventKind::ReasoningEncryptedValue => {
                let is_call = text("subtype") == "tool-call";
                self.encrypt(is_call, id, &text("encryptedValue").to_str(), &it, cx);
            }
            EventKind::SubagentStarted => {
                let parents = ["parentSubagentRunId", "parentToolCallId", "parentMessageId", "description"];
                let parents = parents.map(|name| event.text(name));
                self.start_subagent(id, &text("name").to_str(), parents, &it, cx);
            }
            EventKind::SubagentFinished => self.finish_subagent(id, event.named("result"), looks, cx),
            EventKind::SubagentError => {
                self.fail_subagent(id, &text("message").to_str(), event.text("code"), &it, cx);
            }
            EventKind::Raw | EventKind::Custom if self.is_alive(&it, cx) => cx.leaves_no_trace(),
            EventKind::Raw | EventKind::Custom => {}
            EventKind::ThinkingTextMessageContent => self.think(&looks.name, Some(delta()), &it, cx),
            EventKind::ThinkingStart
            | EventKind::ThinkingTextMessageStart
            | EventKind::ThinkingTextMessageEnd
            | EventKind::ThinkingEnd => self.think(&looks.name, None, &it, cx),
        }
    }
}

/// Returns the name of the member that has the subject of an event.
fn subject_of(kind: EventKind) -> &'static str {
    use EventKind::*;
    match kind {
        RunStarted | RunFinished => "threadId",
        RunError => "message",
        StepStarted | StepFinished => "stepName",
        ToolCallStart | ToolCallArgs | ToolCallEnd | ToolCallChunk => "toolCallId",
        SubagentStarted | SubagentFinished | SubagentError => "subagentRunId",
        ReasoningEncryptedValue => "entityId",
        _ => "messageId",
    }
}
