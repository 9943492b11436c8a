//! The effect of each event: whether it may come, and the open entries and owners after it. (B.6.)

use super::{Allowed, Lifecycle, Owned, Phase, Said, Thing};
use crate::json::Element;
use crate::protocols::ag_ui::members::{head, member};
use crate::protocols::ag_ui::{Event, Role};

impl Lifecycle {
    /// Accepts an event, or refuses it without a change. `json` is the same event. Chunks are passed as the events
    /// that they become, and events from before 1.0 under their names of 1.0: both do not have steps of their own.
    pub fn step(&mut self, event: &Event<'_>, json: Element<'_, '_>) -> Allowed {
        let name = event.name().unwrap_or_default();
        self.may_come(name)?;
        let it = |lane| Said { name, lane };
        match event {
            Event::RunStarted { .. } => {
                self.run_started();
                let messages = member(json, "input").and_then(|input| member(input, "messages"));
                self.own_messages(messages, false);
            }
            Event::RunFinished { .. } => {
                self.may_finish()?;
                self.phase = Phase::Finished;
            }
            Event::RunError { .. } => self.phase = Phase::Failed,
            Event::StepStarted { step_name, subagent_run_id: lane, .. } => {
                self.may_start_step(step_name, it(lane.as_deref()))?;
                self.open.steps.open(lane.as_deref(), step_name, None);
            }
            Event::StepFinished { step_name, subagent_run_id: lane, .. } => {
                self.may_finish_step(step_name, it(lane.as_deref()))?;
                self.open.steps.close(lane.as_deref(), step_name);
            }
            Event::TextMessageStart { message_id, subagent_run_id: lane, .. } => {
                self.start(Thing::Text, message_id, it(lane.as_deref()))?;
            }
            Event::TextMessageContent { message_id, subagent_run_id: lane, .. } => {
                self.may_go_on(Thing::Text, message_id, it(lane.as_deref()))?;
            }
            Event::TextMessageEnd { message_id, subagent_run_id: lane, .. } => {
                self.end(Thing::Text, message_id, it(lane.as_deref()))?;
            }
            Event::ToolCallStart { tool_call_id, parent_message_id, subagent_run_id: lane, .. } => {
                self.start_call(tool_call_id, parent_message_id.as_deref(), it(lane.as_deref()))?;
            }
            Event::ToolCallArgs { tool_call_id, subagent_run_id: lane, .. } => {
                self.may_go_on(Thing::Call, tool_call_id, it(lane.as_deref()))?;
            }
            Event::ToolCallEnd { tool_call_id, subagent_run_id: lane, .. } => {
                self.end(Thing::Call, tool_call_id, it(lane.as_deref()))?;
            }
            Event::ToolCallResult { message_id, subagent_run_id: lane, .. } => {
                self.open.own(Owned::Message, message_id, lane.as_deref());
            }
            Event::MessagesSnapshot { .. } => self.own_messages(member(json, "messages"), true),
            Event::ActivitySnapshot { message_id, replace, subagent_run_id: lane, .. } => {
                let replaces = replace.as_ref().and_then(crate::json::Value::as_bool) != Some(false);
                if replaces || self.open.owner(Owned::Activity, message_id).is_none() {
                    self.open.own(Owned::Activity, message_id, lane.as_deref());
                }
            }
            Event::ActivityDelta { message_id, subagent_run_id: lane, .. } => {
                self.is_in_lane(Owned::Activity, message_id, it(lane.as_deref()))?;
            }
            Event::ReasoningStart { message_id, subagent_run_id: lane, .. } => {
                self.start(Thing::Span, message_id, it(lane.as_deref()))?;
            }
            Event::ReasoningEnd { message_id, subagent_run_id: lane, .. } => {
                self.end(Thing::Span, message_id, it(lane.as_deref()))?;
            }
            Event::ReasoningMessageStart { message_id, subagent_run_id: lane, .. } => {
                self.start(Thing::Reasoning, message_id, it(lane.as_deref()))?;
            }
            Event::ReasoningMessageContent { message_id, subagent_run_id: lane, .. } => {
                self.may_go_on(Thing::Reasoning, message_id, it(lane.as_deref()))?;
            }
            Event::ReasoningMessageEnd { message_id, subagent_run_id: lane, .. } => {
                self.end(Thing::Reasoning, message_id, it(lane.as_deref()))?;
            }
            Event::ReasoningEncryptedValue { subtype, entity_id, subagent_run_id: lane, .. } => {
                self.may_encrypt(*subtype == *"tool-call", entity_id, it(lane.as_deref()))?;
            }
            Event::SubagentStarted { subagent_run_id: id, parent_subagent_run_id: parent, .. } => {
                self.may_start_subagent(id, parent.as_deref())?;
                self.open.subagents.open(id, None);
            }
            Event::SubagentFinished { subagent_run_id: id, .. }
            | Event::SubagentError { subagent_run_id: id, .. } => {
                self.may_end_subagent(id, name)?;
                self.open.subagents.close(id);
            }
            Event::StateSnapshot { .. }
            | Event::StateDelta { .. }
            | Event::Raw { .. }
            | Event::Custom { .. }
            | Event::TextMessageChunk { .. }
            | Event::ToolCallChunk { .. }
            | Event::ReasoningMessageChunk { .. }
            | Event::ThinkingStart { .. }
            | Event::ThinkingEnd { .. }
            | Event::ThinkingTextMessageStart { .. }
            | Event::ThinkingTextMessageContent { .. }
            | Event::ThinkingTextMessageEnd { .. }
            | Event::Other { .. } => {}
        }
        Ok(())
    }

    pub fn start(&mut self, thing: Thing, id: &str, it: Said<'_>) -> Allowed {
        self.may_start(thing, id)?;
        self.is_in_lane(thing.words().owned, id, it)?;
        self.started(thing, id, it.lane, None);
        Ok(())
    }

    pub fn start_call(&mut self, id: &str, parent: Option<&str>, it: Said<'_>) -> Allowed {
        self.may_start(Thing::Call, id)?;
        self.is_of_its_parent(id, parent, it)?;
        self.call_started(id, parent, it.lane);
        Ok(())
    }

    /// Checks whether a text, span or call may continue or end.
    pub fn may_go_on(&self, thing: Thing, id: &str, it: Said<'_>) -> Allowed {
        self.is_open(thing, id, it.name)?;
        self.is_in_lane(thing.words().owned, id, it)
    }

    fn end(&mut self, thing: Thing, id: &str, it: Said<'_>) -> Allowed {
        self.may_go_on(thing, id, it)?;
        self.open.names_mut(thing).close(id);
        Ok(())
    }

    fn own_messages(&mut self, messages: Option<Element<'_, '_>>, for_sure: bool) {
        let messages = messages.and_then(|messages| messages.array().ok()).into_iter().flatten();
        for (id, role, message) in messages.filter_map(head) {
            self.own_message(&id, role, message, for_sure);
        }
    }

    /// Records the lanes of a message and its calls. Those of a snapshot are certain; those of a request are not.
    pub fn own_message(&mut self, id: &str, role: Role, message: Element<'_, '_>, for_sure: bool) {
        let owned = match role {
            Role::Reasoning => Owned::Reasoning,
            Role::Activity => Owned::Activity,
            _ => Owned::Message,
        };
        let lane =
            member(message, "subagentRunId").and_then(|lane| lane.string().ok()).map(|lane| lane.to_str());
        let mut own = |owned, id: &str| match for_sure {
            true => self.open.own(owned, id, lane.as_deref()),
            false => self.open.own_new(owned, id, lane.as_deref()),
        };
        own(owned, id);
        for call in member(message, "toolCalls").and_then(|calls| calls.array().ok()).into_iter().flatten() {
            if let Some(id) = member(call, "id").and_then(|id| id.string().ok()) {
                own(Owned::Call, &id.to_str());
            }
        }
    }
}
