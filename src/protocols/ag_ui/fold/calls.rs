//! Tool calls and their results. (B.7, U11, U12.)

use alloc::{boxed::Box, vec::Vec};

use super::AgUiMeaning;
use super::look::Looks;
use super::messages::add_metadata;
use crate::bytes::string_map::StringMap;
use crate::core::Observed;
use crate::engine::{Context, Counted, Node, TextCell};
use crate::json::Str;
use crate::protocols::ag_ui::lifecycle::Thing;
use crate::protocols::ag_ui::{FunctionCall, Message, Role, ToolCall, rules};

/// All calls, including removed ones.
#[derive(Debug, Default)]
pub(super) struct Calls {
    all: Vec<Call>,
    by_id: StringMap<Option<usize>>,
}

#[derive(Debug)]
struct Call {
    id: Box<str>,
    node: Node,
    function: Node,
    name: Box<str>,
    arguments: TextCell,
    /// The number of the call's message.
    message: usize,
    has_metadata: bool,
}

impl Calls {
    /// Removes the entry of a call whose message is removed.
    pub fn forget(&mut self, at: usize) {
        let Some(Call { id, .. }) = self.all.get(at) else { return };
        if self.find(id) == Some(at) {
            self.by_id.insert(id, None);
        }
    }

    /// Registers a call as the first one with its id.
    pub fn know(&mut self, at: usize) {
        let Some(Call { id, .. }) = self.all.get(at) else { return };
        self.by_id.insert(id, Some(at));
    }

    /// Returns the number of the message that a call belongs to.
    pub fn message_of(&self, id: &str) -> Option<usize> {
        self.all.get(self.find(id)?).map(|call| call.message)
    }

    pub fn texts(&self) -> impl Iterator<Item = TextCell> {
        self.all.iter().map(|call| call.arguments)
    }

    /// Adds a new call at the end of a message's list, which already exists.
    pub fn open(
        &mut self,
        (message, parent): (usize, Node),
        id: &str,
        name: &str,
        arguments: &str,
        cx: &mut Context<'_>,
    ) -> Option<(usize, Node)> {
        let owner = cx.own(id);
        let node = cx.open(ToolCall::KIND, parent, Message::tool_calls, Counted::ToolCalls, owner)?;
        cx.set_short(node, ToolCall::id, id);
        let function = cx.open(FunctionCall::KIND, node, ToolCall::function, Counted::Once, owner)?;
        cx.set_text(function, FunctionCall::name, name);
        if !arguments.is_empty() {
            cx.set_text(function, FunctionCall::arguments, arguments);
        }
        let arguments = cx.text(function, FunctionCall::arguments, owner);
        let at = self.all.len();
        self.all.push(Call {
            id: id.into(),
            node,
            function,
            name: name.into(),
            arguments,
            message,
            has_metadata: false,
        });
        if self.find(id).is_none() {
            self.by_id.insert(id, Some(at));
        }
        Some((at, node))
    }

    pub fn add_metadata(
        &mut self,
        at: usize,
        metadata: Option<crate::json::Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        if let (Some(call), Some(metadata)) = (self.all.get_mut(at), metadata) {
            add_metadata(call.node, ToolCall::metadata, &mut call.has_metadata, metadata, cx);
        }
    }

    /// Returns the number of the first call that has this id.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied().flatten()
    }

    pub fn encrypt(&self, at: usize, value: &str, cx: &mut Context<'_>) {
        if let Some(call) = self.all.get(at) {
            cx.set_text(call.node, ToolCall::encrypted_value, value);
        }
    }
}

impl AgUiMeaning {
    pub(super) fn start_call(
        &mut self,
        id: &str,
        name: &str,
        parent: Option<Str<'_>>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        let parent = parent.map(Str::to_str);
        let parent = parent.as_deref();
        if !self.may_start(Thing::Call, id, it, cx)
            || !self.allows(self.life.is_of_its_parent(id, parent, it.said()), cx)
        {
            return;
        }
        self.life.call_started(id, parent, it.lane);
        if self.run_calls.get(id).is_none() {
            self.run_calls.insert(id, false);
            self.run_call_ids.push(id.into());
        }
        let at = match self.messages.calls.find(id) {
            Some(at) => self.rename_call(at, id, name, cx),
            None => {
                let Some(message) = self.message_for_call(id, parent, it, cx) else { return };
                let Some(at) = self.open_call(message, id, name, "", cx) else { return };
                at
            }
        };
        self.messages.calls.add_metadata(at, it.metadata, cx);
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
        let held = self.messages.all.get_mut(message)?;
        if held.calls.is_empty() {
            cx.set_json(held.node, Message::tool_calls, "[]");
        }
        let place = (message, held.node);
        let (at, _) = self.messages.calls.open(place, id, name, arguments, cx)?;
        self.messages.all.get_mut(message)?.calls.push(at);
        Some(at)
    }

    /// Renames a call that starts again under another name. It keeps its arguments (U12).
    fn rename_call(&mut self, at: usize, id: &str, name: &str, cx: &mut Context<'_>) -> usize {
        let Some(call) = self.messages.calls.all.get_mut(at).filter(|call| *call.name != *name) else {
            return at;
        };
        let said = [
            "TOOL_CALL_START: tool call '",
            id,
            "' already exists with name '",
            &call.name,
            "' — updating it to '",
            name,
            "'",
        ];
        cx.breach_of(&rules::CALL_RENAMED, id, Observed::Said(&said.concat()));
        cx.set_text(call.function, FunctionCall::name, name);
        call.name = name.into();
        at
    }

    /// Returns the assistant message for a new call: its parent, or a new message.
    fn message_for_call(
        &mut self,
        id: &str,
        parent: Option<&str>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let parent = parent.filter(|parent| !parent.is_empty());
        let known = parent.and_then(|parent| self.messages.find(parent));
        let held = known.and_then(|at| self.messages.all.get(at));
        match held {
            Some(held) if held.role == Role::Assistant => return known,
            Some(held) => {
                let said = [
                    "TOOL_CALL_START: parentMessageId '",
                    &held.id,
                    "' matches a '",
                    held.role.as_str(),
                    "' message, not assistant — falling back to toolCallId",
                ];
                cx.breach_of(&rules::ID_COLLISION, id, Observed::Said(&said.concat()));
            }
            None => {}
        }
        let new_id = if held.is_some() { id } else { parent.unwrap_or(id) };
        let is_new = self.messages.find(new_id).is_none();
        let at = self.messages.open(new_id, Role::Assistant, cx)?;
        if is_new && it.lane.is_some() {
            self.messages.set_lane(at, it.lane, cx);
        }
        Some(at)
    }

    pub(super) fn add_arguments(&mut self, id: &str, delta: Str<'_>, it: &Looks<'_>, cx: &mut Context<'_>) {
        if !self.may_go_on(Thing::Call, id, it, cx) {
            return;
        }
        if !self.life.open.names(Thing::Call).is_open(id) {
            let start = &Looks { name: "TOOL_CALL_START", metadata: None, ..it.clone() };
            self.start_call(id, "", None, start, cx);
        }
        if let Some(at) = self.messages.calls.find(id) {
            let arguments = self.messages.calls.all[at].arguments;
            cx.append(arguments, delta);
            self.messages.calls.add_metadata(at, it.metadata, cx);
        }
    }

    pub(super) fn end_call(&mut self, id: &str, it: &Looks<'_>, cx: &mut Context<'_>) {
        if !self.may_go_on(Thing::Call, id, it, cx) {
            return;
        }
        self.life.open.names_mut(Thing::Call).close(id);
        if let Some(at) = self.messages.calls.find(id) {
            cx.end_text(self.messages.calls.all[at].arguments);
            self.messages.calls.add_metadata(at, it.metadata, cx);
            cx.say_end(self.messages.calls.all[at].function, FunctionCall::arguments);
        }
    }

    pub(super) fn unknown_call(&self, id: &str) -> bool {
        self.messages.calls.find(id).is_none()
    }

    /// Returns the calls of the run that do not have a result.
    pub(super) fn pending_calls(&self) -> impl Iterator<Item = &str> {
        self.run_call_ids.iter().filter(|id| self.run_calls.get(id) == Some(&false)).map(|id| &**id)
    }
}
