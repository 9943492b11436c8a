//! What the events of a stream mean. (B.4 to B.7.)
//!
//! An event is looked at member by member, chunks become starts, pieces and ends, what the official client's verifier refuses
//! is refused, and the rest is applied.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

mod activity;
mod calls;
mod chunks;
mod endpoints;
mod look;
mod messages;
mod parts;
mod runs;
mod snapshots;
mod state;
mod verify;

use self::chunks::{Chunk, OpenChunk};
use self::look::Looked;
#[cfg(feature = "hub")]
pub(crate) use self::look::kept;
pub(super) use self::look::strict;
pub(crate) use self::look::{check_event, filter_of, needed_by};
use self::messages::Messages;
pub(super) use self::snapshots::{head, member, upgraded};
use super::binary::BINARY;
use super::events::{EVENTS, Wire};
use super::lifecycle::{Lifecycle, Phase, Thing};
use super::model::Snapshot;
use super::rules;
use crate::bytes::string_map::StringMap;
use crate::core::binary::Binary;
use crate::core::declare::events::table::{EventTable, Reading};
use crate::core::detect;
use crate::core::fold::{
    AnswerLayout, CommonRules, Context, Folding, Limited, Node, Protocol, Semantics, Sink,
};
use crate::core::json_patch::{Patched, Tree};
use crate::core::observed::Observed;
use crate::core::options::{OptionShape, OptionValue, OptionValues, ReadOptions, options};
use crate::core::report::Ended;
use crate::json::{Raw, Str, Value};
use crate::sse;

/// The AG-UI protocol, with what the client has before the stream begins.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AgUi {
    /// The messages of the thread, as the client has sent them: an array. Null is none.
    pub messages: Value,
    /// The state that the client has sent. None is an object without members.
    pub state: Option<Value>,
}

/// The state machine of AG-UI.
pub type AgUiFold = Folding<AgUiSemantics>;

impl Protocol for AgUi {
    type Fold = Limited<AgUiFold>;
    type Snapshot = Snapshot;

    const TITLE: &'static str = "AG-UI";

    const OPTIONS: &'static [OptionShape] = options! {
        /// The messages of the thread that the client has sent: a list.
        "messages": OptionValues::Json;
        /// The state that the client has sent. If left out, it is an object without members.
        "state": OptionValues::Json;
    };

    const BINARY: Option<&'static Binary> = AgUiSemantics::BINARY;

    const LAYOUT: AnswerLayout = AnswerLayout {
        snapshot: None,
        tool_calls: Some(("messages", None)),
        calls_inside: Some("toolCalls"),
    };

    fn set_option(&mut self, place: usize, value: OptionValue) {
        match (place, value) {
            (0, OptionValue::Json(messages)) => self.messages = messages,
            (1, OptionValue::Json(state)) => self.state = Some(state),
            _ => {}
        }
    }

    fn fold(self, options: &ReadOptions, sink: &mut dyn Sink) -> Limited<AgUiFold> {
        Limited::new(&options.limits, sink, |sink| {
            let mut fold = Folding::new(AgUiSemantics::default(), options);
            fold.start(sink, |semantics, cx| semantics.begin(&self, cx));
            fold
        })
    }
}

/// The answer's object.
const ROOT: Node = 0;

/// What AG-UI's events mean.
#[derive(Debug, Default)]
pub struct AgUiSemantics {
    life: Lifecycle,
    /// The events are those of the Agent API Endpoints app (C.3).
    endpoints: bool,
    /// What has been reported once.
    reported: StringMap<()>,
    messages: Messages,
    state: Patched,
    chunks: Vec<OpenChunk>,
    /// The calls of the run, and whether they are answered.
    run_calls: StringMap<bool>,
    run_call_ids: Vec<Box<str>>,
    /// Ids of the old events of reasoning, which have none: of the span and of the message.
    thinking: [Option<String>; 2],
    thinking_ids: u32,
    run: Option<Node>,
    usage: Vec<runs::Usage>,
    /// An event was taken that leaves no trace in the answer: conversions pass it on.
    pub(super) aside: bool,
}

impl Semantics for AgUiSemantics {
    const EVENTS: &'static EventTable = &EVENTS;
    const BINARY: Option<&'static Binary> = Some(&BINARY);
    const RULES: CommonRules = CommonRules {
        malformed_event: &rules::MALFORMED_EVENT,
        duplicate_key: &rules::DUPLICATE_KEY,
        // What null means depends on the member: the semantics looks at each.
        null_member: None,
        sequence_number: None,
        lone_surrogate: &rules::LONE_SURROGATE,
    };

    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_, '_>) -> bool {
        if detect::is_done(event.data) {
            cx.breach(&rules::DONE_MARKER, Observed::Words("[DONE]"));
            return false;
        }
        let is_object = event.data.trim_start().starts_with('{');
        if !is_object {
            let said = "Invalid event: the frame is not a JSON object.";
            cx.breach(&rules::MALFORMED_EVENT, Observed::Said(said));
        }
        is_object
    }

    fn event(&mut self, event: &Reading<'_, '_>, cx: &mut Context<'_, '_>) {
        let Some(name) = event.name.map(Str::to_str) else {
            let said = "Invalid event: the frame carries no event type.";
            return cx.breach(&rules::MALFORMED_EVENT, Observed::Said(said));
        };
        if event.row.is_none() {
            cx.unknown(&name);
            if self.is_first(&name) {
                cx.breach(&rules::UNKNOWN_TYPE, Observed::Name(&name));
            }
            return;
        }
        match self.look(&name, event, cx) {
            Ok(looked) if cx.is_reading() => self.on(event, &looked, cx),
            Ok(_) => {}
            Err(error) => {
                cx.breach(&rules::MALFORMED_EVENT, Observed::NoEvent(&error, event.json.raw().as_str()))
            }
        }
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_, '_>) {
        self.stop(aborted, cx);
    }

    fn has_ended(&self) -> bool {
        false
    }
}

impl AgUiSemantics {
    /// What the client has before the stream begins.
    fn begin(&mut self, before: &AgUi, cx: &mut Context<'_, '_>) {
        cx.set_json(ROOT, Snapshot::pending_interrupts, "[]");
        cx.set_json(ROOT, Snapshot::usage, "[]");
        if let Some(state) = &before.state {
            let json = state.to_json();
            cx.set_json(ROOT, Snapshot::state, &json);
            self.state.replace(Tree::from_raw(Raw(&json)));
        }
        if before.messages != Value::Null {
            self.add_unknown_messages(&before.messages.to_json(), cx);
        }
    }

    /// Whether that has not been reported yet.
    fn is_first(&mut self, what: &str) -> bool {
        const MOST: usize = 1_000;
        let first = self.reported.get(what).is_none() && self.reported.len() < MOST;
        if first {
            self.reported.insert(what, ());
        }
        first
    }

    fn on(&mut self, event: &Reading<'_, '_>, looks: &Looked<'_, '_>, cx: &mut Context<'_, '_>) {
        let it = looks.common();
        self.close_chunks_before(&looks.name, it.lane(), cx);
        match Wire::of(event) {
            Wire::RunStarted { thread_id, run_id, protocol_version, parent_run_id, .. } => {
                let optional = [parent_run_id, protocol_version];
                self.start_run(&thread_id.to_str(), &run_id.to_str(), optional, looks, cx);
            }
            Wire::RunFinished { result, .. } => self.finish_run(result.flatten(), looks, cx),
            Wire::RunError { message, code, .. } => self.fail_run(&message.to_str(), code, looks, cx),
            Wire::StepStarted { step_name, .. } => self.start_step(&step_name.to_str(), &it, cx),
            Wire::StepFinished { step_name, .. } => self.finish_step(&step_name.to_str(), &it, cx),
            Wire::TextMessageStart { message_id, role, name, .. } => {
                self.start_text(Thing::Text, &message_id.to_str(), role, name, &it, cx);
            }
            Wire::TextMessageContent { message_id, delta, .. } => {
                self.add_text(Thing::Text, &message_id.to_str(), delta, &it, cx);
            }
            Wire::TextMessageEnd { message_id, .. } if self.endpoints => {
                self.endpoints_text(&message_id.to_str(), event.json, &it, cx);
            }
            Wire::TextMessageEnd { message_id, .. } => {
                self.end_text(Thing::Text, &message_id.to_str(), &it, cx)
            }
            Wire::TextMessageChunk { message_id, role, delta, name, .. } => {
                let fields = [("role", role.or(Some(Str::plain("assistant"))), role), ("name", name, name)];
                self.chunk(Thing::Text, Chunk { id: message_id, fields, delta }, looks, cx);
            }
            Wire::ToolCallStart { tool_call_id, tool_call_name, parent_message_id, .. } => {
                self.start_call(&tool_call_id.to_str(), &tool_call_name.to_str(), parent_message_id, &it, cx);
            }
            Wire::ToolCallArgs { tool_call_id, delta, .. } => match delta {
                Some(delta) => self.add_arguments(&tool_call_id.to_str(), delta, &it, cx),
                None => self.endpoints_arguments(&tool_call_id.to_str(), event.json, &it, cx),
            },
            Wire::ToolCallEnd { tool_call_id, .. } => self.end_call(&tool_call_id.to_str(), &it, cx),
            Wire::ToolCallChunk { tool_call_id, tool_call_name, parent_message_id, delta, .. } => {
                let fields = [
                    ("toolCallName", tool_call_name, tool_call_name),
                    ("parentMessageId", parent_message_id, parent_message_id),
                ];
                self.chunk(Thing::Call, Chunk { id: tool_call_id, fields, delta }, looks, cx);
            }
            Wire::ToolCallResult { message_id, tool_call_id, content, .. } => {
                match (tool_call_id, content.flatten()) {
                    (Some(call), Some(content)) => {
                        let content = looks.json("content", content);
                        self.add_result(&message_id.to_str(), &call.to_str(), &content, &it, cx);
                    }
                    _ => self.endpoints_result(&message_id.to_str(), event.json, &it, cx),
                }
            }
            Wire::StateSnapshot { snapshot, .. } => self.replace_state(snapshot, &it, cx),
            Wire::StateDelta { delta, .. } => self.patch_state(delta, looks, cx),
            Wire::MessagesSnapshot { messages, .. } => self.replace_messages(messages, looks, cx),
            Wire::ActivitySnapshot { message_id, activity_type, content, replace, .. } => {
                let replace = replace.flatten().is_none_or(|replace| replace.bool() != Ok(false));
                self.replace_activity(
                    &message_id.to_str(),
                    &activity_type.to_str(),
                    content,
                    replace,
                    &it,
                    cx,
                );
            }
            Wire::ActivityDelta { message_id, activity_type, patch, .. } => {
                self.patch_activity(&message_id.to_str(), &activity_type.to_str(), patch, looks, cx);
            }
            Wire::ReasoningStart { message_id, .. } => self.start_span(&message_id.to_str(), &it, cx),
            Wire::ReasoningMessageStart { message_id, .. } => {
                self.start_text(Thing::Reasoning, &message_id.to_str(), None, None, &it, cx);
            }
            Wire::ReasoningMessageContent { message_id, delta, .. } => {
                self.add_text(Thing::Reasoning, &message_id.to_str(), delta, &it, cx);
            }
            Wire::ReasoningMessageEnd { message_id, .. } => {
                self.end_text(Thing::Reasoning, &message_id.to_str(), &it, cx);
            }
            Wire::ReasoningMessageChunk { message_id, delta, .. } => {
                let fields = [("", None, None), ("", None, None)];
                self.chunk(Thing::Reasoning, Chunk { id: message_id, fields, delta }, looks, cx);
            }
            Wire::ReasoningEnd { message_id, .. } => self.end_span(&message_id.to_str(), &it, cx),
            Wire::ReasoningEncryptedValue { subtype, entity_id, encrypted_value, .. } => {
                let is_call = subtype == "tool-call";
                self.encrypt(is_call, &entity_id.to_str(), &encrypted_value.to_str(), &it, cx);
            }
            Wire::SubagentStarted {
                subagent_run_id,
                name,
                description,
                parent_subagent_run_id,
                parent_tool_call_id,
                parent_message_id,
                ..
            } => {
                let parents = [parent_subagent_run_id, parent_tool_call_id, parent_message_id, description];
                self.start_subagent(&subagent_run_id.to_str(), &name.to_str(), parents, &it, cx);
            }
            Wire::SubagentFinished { subagent_run_id, result, .. } => {
                self.finish_subagent(&subagent_run_id.to_str(), result.flatten(), looks, cx);
            }
            Wire::SubagentError { subagent_run_id, message, code, .. } => {
                self.fail_subagent(&subagent_run_id.to_str(), &message.to_str(), code, &it, cx);
            }
            Wire::Raw { .. } | Wire::Custom { .. } => {
                self.aside = self.is_alive(&it, cx);
            }
            Wire::ThinkingStart { .. } | Wire::ThinkingTextMessageStart { .. } => {
                self.think(&looks.name, None, &it, cx)
            }
            Wire::ThinkingTextMessageContent { delta, .. } => self.think(&looks.name, Some(delta), &it, cx),
            Wire::ThinkingTextMessageEnd { .. } | Wire::ThinkingEnd { .. } => {
                self.think(&looks.name, None, &it, cx)
            }
            Wire::Other { .. } => {}
        }
    }

    /// Nothing more comes.
    fn stop(&mut self, aborted: bool, cx: &mut Context<'_, '_>) {
        self.messages.end_texts(cx);
        for names in [Thing::Text, Thing::Reasoning, Thing::Call] {
            let open: Vec<String> =
                self.life.open.names(names).all_open().into_iter().map(Into::into).collect();
            cx.report().unfinished.extend(open);
        }
        if cx.report().ended == Ended::Open {
            cx.report().ended = if aborted { Ended::Aborted } else { Ended::Eof };
            if !aborted && self.life.phase != Phase::Before {
                cx.breach(&rules::NO_TERMINAL, Observed::Words("the end of the stream"));
            }
            self.conclude(super::model::Status::Incomplete, cx);
        }
    }
}
