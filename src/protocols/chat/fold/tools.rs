//! The tool calls of a message. (C1, C2.)

use alloc::string::String;

use super::choice::Choice;
use super::{INDEXES, Repeated};
use crate::core::Observed;
use crate::engine::{Context, Counted, Key, Kind, Node, Owner, TextCell};
use crate::json::{Element, Str};
use crate::protocols::chat::events::{CustomDelta, FunctionDelta, ToolCallDelta};
use crate::protocols::chat::{Custom, Function, Message, ToolCall, rules};

#[derive(Debug)]
pub(super) struct Tool {
    index: i64,
    node: Node,
    owner: Owner,
    /// Number and offset of the event that opened it.
    opened: (u64, u64),
    id: String,
    has_type: bool,
    function: Option<FunctionCall>,
    custom: Option<FunctionCall>,
    known: Repeated,
}

/// A function or a custom tool: its name, and the pieces of its arguments or of its input.
#[derive(Debug)]
pub(super) struct FunctionCall {
    node: Node,
    has_name: bool,
    pub arguments: TextCell,
    known: Repeated,
}

/// Where a function or custom tool is in the answer: its kind, its parent and the member.
type CallPlace = (Kind, Node, Key, Owner);

impl FunctionCall {
    /// Applies a delta of a function or custom tool, which the first delta opens.
    fn apply(
        call: &mut Option<Self>,
        (kind, parent, member, owner): CallPlace,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let is_custom = kind == Custom::KIND;
        let delta = match is_custom {
            true => CustomDelta::decode(json).map(|delta| (delta.name(), delta.input())),
            false => FunctionDelta::decode(json).map(|delta| (delta.name(), delta.arguments())),
        };
        let (name, piece) = match delta {
            Ok(delta) => delta,
            Err(error) => return cx.malformed(&error, json.raw().as_str(), owner, None),
        };
        if call.is_none() {
            let Some(node) = cx.open(kind, parent, member, Counted::Once, owner) else { return };
            let arguments = cx.text(node, if is_custom { Custom::input } else { Function::arguments }, owner);
            *call = Some(FunctionCall { node, has_name: false, arguments, known: Repeated::default() });
        }
        let Some(call) = call else { return };
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            call.has_name = true;
            // Both have the same key for it.
            call.known.set_text(call.node, Function::name, "name", name, cx);
        }
        if let Some(piece) = piece {
            cx.append(call.arguments, piece);
        }
    }
}

impl Choice {
    /// Applies a delta of the call with its index, or of a new one.
    pub(super) fn tool_call(&mut self, message: Node, json: Element<'_, '_>, cx: &mut Context<'_>) {
        let delta = match ToolCallDelta::decode(json) {
            Ok(delta) => delta,
            Err(error) => return cx.malformed(&error, json.raw().as_str(), self.owner, None),
        };
        let id = delta.id().map(Str::to_str).filter(|id| !id.is_empty());
        let index = delta.index().unwrap_or_else(|| self.index_of(id.as_deref()));
        if delta.index().is_none() || !INDEXES.contains(&index) {
            cx.record_in(&rules::TOOL_INDEX, self.owner, None, Observed::Text(json.raw().as_str()));
            if !INDEXES.contains(&index) {
                return;
            }
        }
        let at = match self.tools.binary_search_by_key(&index, |tool| tool.index) {
            Ok(at) => at,
            Err(at) => {
                if self.tools.is_empty() {
                    cx.set_json(message, Message::tool_calls, "[]");
                }
                let owner = cx.next_owner();
                let Some(node) =
                    cx.open(ToolCall::KIND, message, Message::tool_calls, Counted::ToolCalls, owner)
                else {
                    return;
                };
                let owner = cx.own(id.as_deref().unwrap_or_default());
                if at < self.tools.len() {
                    cx.move_last(message, Message::tool_calls, node, at);
                }
                self.tools.insert(at, Tool::new(index, node, owner, cx.at()));
                at
            }
        };
        self.tools[at].apply(id.as_deref(), &delta, cx);
    }

    /// Returns the index of a delta without one: that of the call with its id, of a new call, or of the last call.
    fn index_of(&self, id: Option<&str>) -> i64 {
        let known = id.and_then(|id| self.tools.iter().find(|tool| tool.id == id));
        match (known, self.tools.last()) {
            (Some(tool), _) => tool.index,
            (None, Some(last)) => last.index + i64::from(id.is_some()),
            (None, None) => 0,
        }
    }

    /// Applies a delta of the only call, in the older spelling.
    pub(super) fn call_function(&mut self, message: Node, json: Element<'_, '_>, cx: &mut Context<'_>) {
        let place = (Function::KIND, message, Message::function_call, self.owner);
        FunctionCall::apply(&mut self.function_call, place, json, cx);
    }
}

impl Tool {
    fn new(index: i64, node: Node, owner: Owner, opened: (u64, u64)) -> Self {
        Tool {
            index,
            node,
            owner,
            opened,
            id: String::new(),
            has_type: false,
            function: None,
            custom: None,
            known: Repeated::default(),
        }
    }

    fn apply(&mut self, id: Option<&str>, delta: &ToolCallDelta<'_>, cx: &mut Context<'_>) {
        if let Some(id) = id.filter(|id| *id != self.id) {
            if !self.id.is_empty() {
                cx.record_in(&rules::TOOL_CHANGED, self.owner, None, Observed::Instead(id, &self.id));
            }
            cx.rename(self.owner, id);
            cx.set_short(self.node, ToolCall::id, id);
            self.id = id.into();
        }
        if let Some(r#type) = delta.r#type().filter(|name| !name.is_empty()) {
            self.has_type = true;
            self.known.set_text(self.node, ToolCall::r#type, "type", r#type, cx);
        }
        if let Some(json) = delta.function().and_then(|function| function.json()) {
            let place = (Function::KIND, self.node, ToolCall::function, self.owner);
            FunctionCall::apply(&mut self.function, place, json, cx);
        }
        if let Some(json) = delta.custom().and_then(|custom| custom.json()) {
            let place = (Custom::KIND, self.node, ToolCall::custom, self.owner);
            FunctionCall::apply(&mut self.custom, place, json, cx);
        }
        self.known.set_extra(self.node, ToolCall::SHAPE, delta.undeclared(), cx);
    }

    /// Returns the texts that arrive in pieces.
    pub fn texts(&self) -> impl Iterator<Item = TextCell> {
        self.function.iter().chain(&self.custom).map(|call| call.arguments)
    }

    /// Reports what is missing at the end of the completion. (C3.)
    pub fn judge(&self, cx: &mut Context<'_>) {
        let has_name = self.function.iter().chain(&self.custom).any(|call| call.has_name);
        for (is_there, rule, got) in [
            (!self.id.is_empty(), &rules::TOOL_ID, "no id"),
            (self.has_type, &rules::TOOL_INCOMPLETE, "no type"),
            (has_name, &rules::TOOL_INCOMPLETE, "no name"),
        ] {
            if !is_there {
                cx.record_at(rule, self.opened, self.owner, Observed::Words(got));
            }
        }
    }
}
