//! Tool calls and their results. (B.7, U11, U12.)

use alloc::{boxed::Box, vec::Vec};

use super::messages::{IdIndex, ObjectMetadata};
use super::{AgUiFold, ROOT};
use crate::core::Observed;
use crate::engine::{Context, ObjectId, ObjectLimit, TextSlot};
use crate::json::Str;
use crate::protocols::ag_ui::lifecycle::EventHead;
use crate::protocols::ag_ui::{FunctionCall, Message, Role, Snapshot, ToolCall, rules};

/// All calls, including removed ones.
#[derive(Clone, Debug, Default)]
pub(super) struct FoldedCalls {
    pub all: Vec<FoldedCall>,
    pub ids: IdIndex,
}

#[derive(Clone, Debug)]
pub(super) struct FoldedCall {
    pub id: Box<str>,
    pub node: ObjectId,
    function: ObjectId,
    name: Box<str>,
    pub arguments: TextSlot,
    /// The number of the call's message.
    message: usize,
    pub metadata: ObjectMetadata,
}

impl AgUiFold {
    pub(super) fn start_call(&mut self, head: &EventHead<'_>, name: &str, cx: &mut Context<'_>) {
        if self.run_calls.get(head.id).is_none() {
            self.run_calls.insert(head.id, false);
            self.run_call_ids.push(head.id.into());
        }
        let at = match self.messages.calls.ids.find(head.id) {
            Some(at) => self.rename_call(at, head.id, name, cx),
            None => {
                let Some(message) = self.message_for_call(head, cx) else { return };
                let Some(at) = self.open_call(message, head.id, name, "", cx) else { return };
                at
            }
        };
        self.messages.calls.all[at].metadata.add(head.metadata, cx);
    }

    /// Adds a new call to a message, and creates the list of calls if it does not exist.
    pub(super) fn open_call(
        &mut self,
        message: usize,
        id: &str,
        name: &str,
        arguments: &str,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let parent_message = self.messages.all.get_mut(message)?;
        if parent_message.calls.is_empty() {
            cx.set_json(parent_message.node, Message::tool_calls, "[]");
        }
        let owner = cx.own(id);
        let node = cx.open(
            ToolCall::KIND,
            parent_message.node,
            Message::tool_calls,
            ObjectLimit::ToolCalls,
            owner,
        )?;
        cx.set_short(node, ToolCall::id, id);
        let function =
            cx.open(FunctionCall::KIND, node, ToolCall::function, ObjectLimit::Once, owner)?;
        cx.set_text(function, FunctionCall::name, name);
        if !arguments.is_empty() {
            cx.set_text(function, FunctionCall::arguments, arguments);
        }
        let arguments = cx.text(function, FunctionCall::arguments, owner);
        let FoldedCalls { all, ids } = &mut self.messages.calls;
        let (at, metadata) = (all.len(), ObjectMetadata::of(node));
        all.push(FoldedCall {
            id: id.into(),
            node,
            function,
            name: name.into(),
            arguments,
            message,
            metadata,
        });
        ids.add(id, at);
        parent_message.calls.push(at);
        Some(at)
    }

    /// Renames a call that starts again under another name. It keeps its arguments (U12).
    fn rename_call(&mut self, at: usize, id: &str, name: &str, cx: &mut Context<'_>) -> usize {
        let Some(call) = self.messages.calls.all.get_mut(at).filter(|call| *call.name != *name)
        else {
            return at;
        };
        let text = [
            "TOOL_CALL_START: tool call '",
            id,
            "' already exists with name '",
            &call.name,
            "' — updating it to '",
            name,
            "'",
        ];
        cx.record_of(&rules::CALL_RENAMED, id, Observed::ClientMessage(&text.concat()));
        cx.set_text(call.function, FunctionCall::name, name);
        call.name = name.into();
        at
    }

    /// Returns the assistant message for a new call: its parent, or a new message.
    fn message_for_call(&mut self, head: &EventHead<'_>, cx: &mut Context<'_>) -> Option<usize> {
        let (id, parent) = (head.id, head.parent);
        let parent = parent.filter(|parent| !parent.is_empty());
        let known = parent.and_then(|parent| self.messages.ids.find(parent));
        let parent_message = known.and_then(|at| self.messages.all.get(at));
        match parent_message {
            Some(parent_message) if parent_message.role == Role::Assistant => return known,
            Some(parent_message) => {
                let text = [
                    "TOOL_CALL_START: parentMessageId '",
                    &parent_message.id,
                    "' matches a '",
                    parent_message.role.as_str(),
                    "' message, not assistant — falling back to toolCallId",
                ];
                cx.record_of(&rules::ID_COLLISION, id, Observed::ClientMessage(&text.concat()));
            }
            None => {}
        }
        let new_id = if parent_message.is_some() { id } else { parent.unwrap_or(id) };
        let is_new = self.messages.ids.find(new_id).is_none();
        let at = self.messages.open(new_id, Role::Assistant, cx)?;
        if is_new && head.subagent.is_some() {
            self.messages.set_subagent(at, head.subagent, cx);
        }
        Some(at)
    }

    pub(super) fn add_arguments(
        &mut self,
        head: &EventHead<'_>,
        delta: Str<'_>,
        cx: &mut Context<'_>,
    ) {
        if let Some(at) = self.messages.calls.ids.find(head.id) {
            let arguments = self.messages.calls.all[at].arguments;
            cx.append(arguments, delta);
            self.messages.calls.all[at].metadata.add(head.metadata, cx);
        }
    }

    pub(super) fn end_call(&mut self, head: &EventHead<'_>, cx: &mut Context<'_>) {
        if let Some(at) = self.messages.calls.ids.find(head.id) {
            cx.end_text(self.messages.calls.all[at].arguments);
            self.messages.calls.all[at].metadata.add(head.metadata, cx);
            cx.note_text_end(self.messages.calls.all[at].function, FunctionCall::arguments);
        }
    }

    /// Returns the calls of the run that do not have a result.
    pub(super) fn pending_calls(&self) -> impl Iterator<Item = &str> {
        self.run_call_ids.iter().filter(|id| self.run_calls.get(id) == Some(&false)).map(|id| &**id)
    }

    /// Adds a result after the message of its call and the results that already follow that message
    /// (U11).
    pub(super) fn add_result(
        &mut self,
        head: &EventHead<'_>,
        call: &str,
        content: &str,
        cx: &mut Context<'_>,
    ) {
        let id = head.id;
        self.run_calls.insert(call, true);
        let FoldedCalls { all, ids } = &self.messages.calls;
        let message = ids.find(call).map(|call| all[call].message);
        let order = &self.messages.order;
        let owner = message.and_then(|message| order.iter().rposition(|at| *at == message));
        let place = owner.map_or(order.len(), |owner| {
            let is_tool = |at: &&usize| self.messages.all[**at].role == Role::Tool;
            owner + 1 + order[owner + 1..].iter().take_while(is_tool).count()
        });
        let known = self.messages.ids.find(id);
        let is_first = known.is_none_or(|known| order[place..].contains(&known));
        self.life.work += owner.map_or(0, |owner| (order.len() - owner) as u64);
        let Some(at) = self.messages.make(id, Role::Tool, cx) else { return };
        let node = self.messages.all[at].node;
        cx.set_short(node, Message::tool_call_id, call);
        cx.set_json(node, Message::content, content);
        self.messages.set_subagent(at, head.subagent, cx);
        self.messages.all[at].metadata.add(head.metadata, cx);
        if place < self.messages.order.len() {
            cx.move_last(ROOT, Snapshot::messages, node, place);
        }
        self.messages.order.insert(place, at);
        if is_first {
            self.messages.ids.set(id, at);
        }
    }
}
