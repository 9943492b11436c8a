//! The fold: what the events of a stream change in the reply. No text is kept.

mod blocks;
mod calls;

use alloc::string::String;

use super::events::{EVENTS, Wire};
use super::lifecycle::{self, ReplyEvent, ReplyState};
use super::model::{CustomEvent, ErrorInfo, Role, Snapshot, Status, Usage};
use super::rules;
use crate::core::declare::model::member::object_to_json;
use crate::core::failure::ErrorMessage;
use crate::core::{EndReason, EventReading, Observed, Opening, Rule};
use crate::engine::{
    AnswerLayout, CommonRules, Context, Declared, EventTable, FieldValue, Fold, ObjectId,
    ObjectLimit, Subject, Translated, protocol,
};
use crate::json::{Element, ObjectWriter, Str};
use crate::sse;
use blocks::Blocks;
use calls::FoldedCalls;

protocol! {
    /// The events of AgentScope 2.
    AgentScope "AgentScope": AgentScopeFold => Snapshot {}
    impl {
        const LAYOUT: AnswerLayout = AnswerLayout::calls_among("content", "tool_call");
    }
}

/// The object of the reply.
const ROOT: ObjectId = 0;

/// The words of the reasons why a reply ended.
const COMPLETED: &str = "completed";

/// The fold of AgentScope's events.
#[derive(Clone, Debug, Default)]
pub struct AgentScopeFold {
    state: ReplyState,
    /// The id of the reply. Empty until an event has one.
    reply: String,
    /// The time of the current event.
    time: String,
    /// The stream continues a reply of an earlier one: calls of that one have results here.
    continues: bool,
    blocks: Blocks,
    calls: FoldedCalls,
    usage: Option<Usage>,
    status: Status,
    /// The stream was cut off or is not a stream of events.
    cut: bool,
}

impl Declared for AgentScopeFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;

    /// Recognizes events of a reply. Other protocols have events of the same names, and custom
    /// events.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        let is_custom = opening.is_one_of("type", &["CUSTOM"]);
        EVENTS.contains_event(opening)
            && opening.has(if is_custom { "created_at" } else { "reply_id" })
    }

    fn json_text(event: &str, member: &str) -> Option<&'static Rule> {
        (event == "TOOL_CALL_DELTA" && member == "delta").then_some(&rules::TOOL_ARGUMENTS)
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        let mut data = String::new();
        let mut event = ObjectWriter::open(&mut data, true);
        for (name, text) in [
            ("type", "REPLY_END"),
            ("reply_id", ""),
            ("session_id", ""),
            ("finished_reason", "error"),
        ] {
            event.string(name, Some(text));
        }
        let mut error = ObjectWriter::open(event.member("error"), true);
        error.string("type", Some(failure.code.as_deref().unwrap_or("unknown")));
        error.string("message", Some(&failure.message));
        error.close();
        event.close();
        Translated::new(data)
    }
}

impl Fold for AgentScopeFold {
    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        cx.check_framing(event, &rules::FRAMING_FIELD);
        true
    }

    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let wire = Wire::of(event);
        self.time = event.text("created_at").map(|time| time.to_str().into()).unwrap_or_default();
        let name = event.name.map(Str::to_str).unwrap_or_default();
        match &wire {
            Wire::Other { .. } => {
                cx.unknown(&name);
                return cx.record(&rules::UNKNOWN_TYPE, Observed::Name(&name));
            }
            // It belongs to the session, not to a reply.
            Wire::Custom { name, value, .. } => return self.custom(*name, *value, cx),
            _ => {}
        }
        let reply = event.text("reply_id").map(Str::to_str).unwrap_or_default();
        let effect = match &wire {
            Wire::ReplyStart { .. } => ReplyEvent::Start,
            Wire::ReplyEnd { .. } => ReplyEvent::End,
            Wire::RequireUserConfirm { .. } | Wire::RequireExternalExecution { .. } => {
                ReplyEvent::Wait
            }
            Wire::UserConfirmResult { .. } | Wire::ExternalExecutionResult { .. } => {
                ReplyEvent::Resume
            }
            _ => ReplyEvent::Content,
        };
        if !self.apply(effect, &reply, &name, cx) {
            return;
        }
        match wire {
            Wire::ReplyStart { session_id, name, role, metadata, .. } => {
                self.start((session_id, name, role), metadata, cx);
            }
            Wire::ReplyEnd { session_id, finished_reason, error, metadata, .. } => {
                self.set_session(session_id, cx);
                self.end(finished_reason, error, metadata, cx);
            }
            Wire::ModelCallStart { model_name, .. } => {
                // A conversion counts tokens in a call without a name.
                let name = model_name.to_str();
                if !name.is_empty() {
                    cx.set_text(ROOT, Snapshot::model, &name);
                }
            }
            Wire::ModelCallEnd {
                input_tokens,
                output_tokens,
                cache_input_tokens,
                cache_creation_input_tokens,
                ..
            } => self.count(
                [input_tokens, output_tokens],
                [cache_input_tokens, cache_creation_input_tokens],
                cx,
            ),
            Wire::TextBlockStart { block_id, .. } => self.start_text(block_id, false, cx),
            Wire::ThinkingBlockStart { block_id, .. } => self.start_text(block_id, true, cx),
            Wire::TextBlockDelta { block_id, delta, .. } => {
                self.text_delta(block_id, false, delta, cx);
            }
            Wire::ThinkingBlockDelta { block_id, delta, .. } => {
                self.text_delta(block_id, true, delta, cx);
            }
            Wire::TextBlockEnd { block_id, text, .. } => self.end_text(block_id, false, text, cx),
            Wire::ThinkingBlockEnd { block_id, .. } => self.end_text(block_id, true, None, cx),
            Wire::DataBlockStart { block_id, media_type, name, .. } => {
                self.start_data(block_id, media_type, name, cx);
            }
            Wire::DataBlockDelta { block_id, media_type, data, url, .. } => {
                self.data_delta(block_id, media_type, (data, url), cx);
            }
            Wire::DataBlockEnd { block_id, .. } => self.end_data(block_id, cx),
            Wire::HintBlock { block_id, source, hint, .. } => self.hint(block_id, source, hint, cx),
            Wire::ToolCallStart { tool_call_id, tool_call_name, .. } => {
                self.start_call(&tool_call_id.to_str(), &tool_call_name.to_str(), cx);
            }
            Wire::ToolCallDelta { tool_call_id, delta, .. } => {
                self.call_delta(&tool_call_id.to_str(), delta, cx);
            }
            Wire::ToolCallEnd { tool_call_id, .. } => self.end_call(&tool_call_id.to_str(), cx),
            Wire::ToolResultStart { tool_call_id, tool_call_name, .. } => {
                self.start_result(&tool_call_id.to_str(), &tool_call_name.to_str(), cx);
            }
            Wire::ToolResultTextDelta { tool_call_id, delta, .. } => {
                self.result_text(&tool_call_id.to_str(), delta, cx);
            }
            Wire::ToolResultDataDelta { tool_call_id, block_id, media_type, data, url, .. } => {
                let block = block_id.map(Str::to_str).unwrap_or_default();
                let id = tool_call_id.to_str();
                self.result_data(&id, &block, media_type, (data, url), cx);
            }
            Wire::ToolResultEnd { tool_call_id, state, metadata, .. } => {
                self.end_result(&tool_call_id.to_str(), &state.to_str(), metadata, cx);
            }
            Wire::RequireUserConfirm { tool_calls, .. } => self.require(tool_calls, true, cx),
            Wire::RequireExternalExecution { tool_calls, .. } => {
                self.require(tool_calls, false, cx);
            }
            Wire::UserConfirmResult { confirm_results, .. } => self.confirmed(confirm_results, cx),
            Wire::ExternalExecutionResult { execution_results, .. } => {
                self.executed(execution_results, cx);
            }
            // The end of the reply has the effect of these two.
            Wire::ExceedMaxIters { .. } | Wire::UserInterrupt { .. } => {}
            Wire::Custom { .. } | Wire::Other { .. } => {}
        }
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        self.blocks.finish(cx);
        self.calls.finish(cx);
        let is_refused = cx.report().end_reason == EndReason::Refused;
        match self.state {
            ReplyState::Ended => {}
            ReplyState::Waiting if !aborted && !self.cut => cx.end(EndReason::Terminal),
            _ => {
                cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
                if !aborted && !is_refused && !self.cut {
                    cx.record(&rules::TRUNCATED, Observed::Words("the end of the stream"));
                }
                self.set_status(Status::Truncated, cx);
            }
        }
    }

    fn framing(&mut self, rule: &'static Rule) {
        self.cut |= *rule == rules::UNKNOWN_PROTOCOL;
    }

    /// A reply that waits can go on: calls beside those that wait have results.
    fn has_ended(&self) -> bool {
        self.state == ReplyState::Ended
    }

    #[cfg(feature = "hub")]
    fn cut_off(&mut self) {
        self.cut = true;
    }
}

impl AgentScopeFold {
    /// Applies an event to the reply, and reports violations. Returns false if the event has no
    /// other effect.
    fn apply(&mut self, event: ReplyEvent, reply: &str, name: &str, cx: &mut Context<'_>) -> bool {
        let before = self.state;
        if before != ReplyState::Ended
            && !reply.is_empty()
            && !self.reply.is_empty()
            && reply != self.reply
        {
            cx.record_of(&rules::OTHER_REPLY, reply, Observed::Name(name));
            return false;
        }
        let step = lifecycle::reply(before, event);
        if let Err(rule) = step.legal(before) {
            cx.record_of(rule, reply, Observed::Name(name));
        }
        self.state = step.phase(before);
        if before == ReplyState::Ended {
            return false;
        }
        if self.reply.is_empty() && !reply.is_empty() {
            self.reply = reply.into();
            cx.set_short(ROOT, Snapshot::id, reply);
        }
        if before == ReplyState::Before && event == ReplyEvent::Resume {
            self.continues = true;
        }
        // A start of the same reply, while it is not waiting.
        !(before == ReplyState::Open && event == ReplyEvent::Start)
    }

    fn set_status(&mut self, status: Status, cx: &mut Context<'_>) {
        if self.status != status {
            self.status = status;
            cx.set(ROOT, Snapshot::status, status.value());
        }
    }

    /// The agent goes on: nothing waits any more.
    fn go_on(&mut self, cx: &mut Context<'_>) {
        self.set_status(Status::Streaming, cx);
    }

    fn set_session(&mut self, session: Str<'_>, cx: &mut Context<'_>) {
        cx.set_short(ROOT, Snapshot::session_id, &session.to_str());
    }

    /// Merges the metadata of the start and of the end.
    fn set_metadata(&mut self, metadata: Option<Option<Element<'_, '_>>>, cx: &mut Context<'_>) {
        let Some(metadata) = metadata.flatten() else { return };
        if metadata.members().next().is_some() {
            cx.set(ROOT, Snapshot::metadata, FieldValue::Free(metadata));
        }
    }

    fn start(
        &mut self,
        (session_id, name, role): (Str<'_>, Str<'_>, Option<Str<'_>>),
        metadata: Option<Option<Element<'_, '_>>>,
        cx: &mut Context<'_>,
    ) {
        self.set_session(session_id, cx);
        cx.set_text(ROOT, Snapshot::name, &name.to_str());
        let role = match role.map(Str::to_str).as_deref() {
            Some("user") => Role::User,
            Some("system") => Role::System,
            _ => Role::Assistant,
        };
        cx.set(ROOT, Snapshot::role, role.value());
        if !self.time.is_empty() && !self.continues {
            cx.set_short(ROOT, Snapshot::created_at, &self.time);
        }
        self.set_metadata(metadata, cx);
        self.go_on(cx);
    }

    fn end(
        &mut self,
        reason: Option<Str<'_>>,
        error: Option<Option<Element<'_, '_>>>,
        metadata: Option<Option<Element<'_, '_>>>,
        cx: &mut Context<'_>,
    ) {
        let reason = reason.map(Str::to_str).unwrap_or(COMPLETED.into());
        let status = match &*reason {
            COMPLETED => Status::Completed,
            "interrupted" => Status::Interrupted,
            "error" => Status::Failed,
            _ => Status::Incomplete,
        };
        if status == Status::Completed {
            self.blocks.report_open(cx);
            self.calls.report_open(cx);
        }
        cx.set_text(ROOT, Snapshot::finished_reason, &reason);
        if !self.time.is_empty() {
            cx.set_short(ROOT, Snapshot::finished_at, &self.time);
        }
        self.set_metadata(metadata, cx);
        if let Some(error) = error.flatten() {
            let text = |name: &str| error.member(name).map(|text| text.words().into());
            let error = ErrorInfo {
                r#type: text("type").unwrap_or_else(|| "unknown".into()),
                message: text("message").unwrap_or_default(),
            };
            cx.set_json(ROOT, Snapshot::error, &object_to_json(&error));
        }
        cx.end(EndReason::Terminal);
        self.set_status(status, cx);
    }

    /// Adds the tokens of a call of the model. (M9.)
    fn count(&mut self, tokens: [i64; 2], cached: [Option<i64>; 2], cx: &mut Context<'_>) {
        let usage = self.usage.get_or_insert_default();
        let sum = |count: &mut i64, more: i64| *count = count.saturating_add(more);
        sum(&mut usage.input_tokens, tokens[0]);
        sum(&mut usage.output_tokens, tokens[1]);
        sum(&mut usage.cache_input_tokens, cached[0].unwrap_or(0));
        sum(&mut usage.cache_creation_input_tokens, cached[1].unwrap_or(0));
        cx.set_json(ROOT, Snapshot::usage, &object_to_json(usage));
    }

    fn custom(
        &mut self,
        name: Str<'_>,
        value: Option<Option<Element<'_, '_>>>,
        cx: &mut Context<'_>,
    ) {
        if self.state == ReplyState::Ended {
            return cx.record(&rules::AFTER_END, Observed::Name(&name.to_str()));
        }
        let (kind, limit) = (CustomEvent::KIND, ObjectLimit::Contents);
        let Some(node) = cx.open(kind, ROOT, Snapshot::custom, limit, Subject::NONE) else {
            return;
        };
        cx.set_text(node, CustomEvent::name, &name.to_str());
        match value.flatten() {
            Some(value) => cx.set(node, CustomEvent::value, FieldValue::Free(value)),
            None => cx.set_json(node, CustomEvent::value, "{}"),
        };
    }
}
