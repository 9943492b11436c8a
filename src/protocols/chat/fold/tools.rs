//! The tool calls of a message. (C1, C2.)

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::choice::Choice;
use super::{INDEXES, Repeated};
use crate::bytes::Balance;
use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::Observed;
use crate::engine::{Context, Field, ObjectId, ObjectKind, ObjectLimit, Subject, TextSlot};
use crate::json::{Element, Str};
use crate::protocols::chat::events::{CustomDelta, FunctionDelta, ToolCallDelta};
use crate::protocols::chat::model::made_up_id;
use crate::protocols::chat::{Custom, Function, Message, ToolCall, rules};

/// The calls of a message.
#[derive(Clone, Debug, Default)]
pub(super) struct FoldedCalls {
    /// In the order in which they began.
    calls: Vec<FoldedCall>,
    /// The last call of each index.
    latest: Numbers<usize>,
    ids: StringMap<usize>,
    /// The indexes, as they are in the answer.
    indexes: Vec<i64>,
}

impl FoldedCalls {
    pub fn iter(&self) -> impl Iterator<Item = &FoldedCall> {
        self.calls.iter()
    }

    /// Returns the index of a delta without one: that of the call with its id, of a new call, or of
    /// the last call.
    fn index_of(&self, id: Option<&str>) -> i64 {
        let known = id.and_then(|id| self.ids.get(id)).and_then(|at| self.calls.get(*at));
        match (known, self.indexes.last()) {
            (Some(tool), _) => tool.index,
            (None, Some(last)) => last + i64::from(id.is_some()),
            (None, None) => 0,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct FoldedCall {
    index: i64,
    node: ObjectId,
    owner: Subject,
    /// Number and offset of the event that opened it.
    opened: (u64, u64),
    /// The number of the last event that changed it.
    changed: u64,
    id: String,
    name: String,
    progress: Progress,
    has_type: bool,
    function: Option<FunctionCall>,
    custom: Option<FunctionCall>,
    known: Repeated,
}

/// What a delta with the index of a call is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Next {
    /// A piece of the call.
    Piece,
    /// The whole call once more.
    Repetition,
    /// The beginning of another call.
    Call,
}

/// How far the arguments of a call are.
#[derive(Clone, Debug, Default)]
struct Progress {
    balance: Balance,
    /// The length of the arguments that were looked at.
    seen: usize,
    /// The JSON object has ended, and nothing but white space is after it.
    is_whole: bool,
}

/// A function or a custom tool: its name, and the pieces of its arguments or of its input.
#[derive(Clone, Debug)]
pub(super) struct FunctionCall {
    node: ObjectId,
    has_name: bool,
    pub arguments: TextSlot,
    known: Repeated,
}

/// Where a function or custom tool is in the answer: its kind, its parent and the member.
type CallPlace = (ObjectKind, ObjectId, Field, Subject);

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
            true => CustomDelta::decode(json).map(|delta| (delta.name(), delta.input(), None)),
            false => FunctionDelta::decode(json).map(|delta| {
                let arguments = delta.arguments();
                let piece = arguments.and_then(|arguments| arguments.string().ok());
                (delta.name(), piece, arguments.filter(|_| piece.is_none()))
            }),
        };
        let (name, piece, value) = match delta {
            Ok(delta) => delta,
            Err(error) => return cx.malformed(&error, json.raw().as_str(), owner, None),
        };
        if call.is_none() {
            let Some(node) = cx.open(kind, parent, member, ObjectLimit::Once, owner) else {
                return;
            };
            let arguments = match is_custom {
                true => cx.text(node, Custom::input, owner),
                false => cx.kept_text(node, Function::arguments, owner),
            };
            *call =
                Some(FunctionCall { node, has_name: false, arguments, known: Repeated::default() });
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
        if let Some(value) = value {
            let json = value.raw().as_str();
            cx.record_in(&rules::TOOL_ARGUMENTS, owner, None, Observed::Text(json));
            cx.append_json(call.arguments, json);
        }
    }
}

impl Choice {
    /// Applies a delta of the call with its index, or of a new one. `place` is its place in a whole
    /// message, where calls have no index.
    pub(super) fn tool_call(
        &mut self,
        place: Option<usize>,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let message = self.message;
        let delta = match ToolCallDelta::decode(json) {
            Ok(delta) => delta,
            Err(error) => return cx.malformed(&error, json.raw().as_str(), self.owner, None),
        };
        let id = delta.id().map(Str::to_str).filter(|id| !id.is_empty());
        let place = place.map(|place| place as i64);
        let index = delta.index().or(place).unwrap_or_else(|| self.tools.index_of(id.as_deref()));
        if delta.index().or(place).is_none() || !INDEXES.contains(&index) {
            cx.record_in(&rules::TOOL_INDEX, self.owner, None, Observed::Text(json.raw().as_str()));
            if !INDEXES.contains(&index) {
                return;
            }
        }
        let FoldedCalls { calls, latest, ids, indexes } = &mut self.tools;
        // Each call has an id of its own: one of another call does not count.
        let mut id = id.filter(|id| ids.get(id).is_none_or(|at| calls[*at].index == index));
        let of_id = id.as_deref().and_then(|id| ids.get(id)).copied();
        let last = of_id.or_else(|| latest.get(index as u64).copied());
        let next = last.map(|last| calls[last].next(id.as_deref(), &delta, cx));
        let at = match (last, next) {
            (_, Some(Next::Repetition)) => return,
            (Some(at), Some(Next::Piece)) => at,
            _ => {
                id = id.filter(|_| of_id.is_none());
                if calls.is_empty() {
                    cx.set_json(message, Message::tool_calls, "[]");
                }
                let owner = cx.next_owner();
                let Some(node) = cx.open(
                    ToolCall::KIND,
                    message,
                    Message::tool_calls,
                    ObjectLimit::ToolCalls,
                    owner,
                ) else {
                    return;
                };
                let owner = cx.own(id.as_deref().unwrap_or_default());
                let at = indexes.partition_point(|other| *other <= index);
                if at < indexes.len() {
                    cx.move_last(message, Message::tool_calls, node, at);
                }
                if at > 0 && indexes[at - 1] == index {
                    cx.record_in(
                        &rules::TOOL_CHANGED,
                        owner,
                        None,
                        Observed::Text(json.raw().as_str()),
                    );
                }
                indexes.insert(at, index);
                latest.insert(index as u64, calls.len());
                calls.push(FoldedCall::new(index, node, owner, cx.at()));
                calls.len() - 1
            }
        };
        if let Some(id) = &id {
            ids.insert(id, at);
        }
        calls[at].apply(id.as_deref(), &delta, cx);
    }

    /// Gives the calls without an id one that is made of the completion's, so that their results
    /// can be told apart.
    pub(super) fn name_calls(&mut self, completion: &str, cx: &mut Context<'_>) {
        for (number, tool) in
            self.tools.calls.iter_mut().enumerate().filter(|(_, tool)| tool.id.is_empty())
        {
            cx.record_at(&rules::TOOL_ID, tool.opened, tool.owner, Observed::Words("no id"));
            tool.id = made_up_id(completion, self.index, number);
            cx.rename(tool.owner, &tool.id);
            cx.set_short(tool.node, ToolCall::id, &tool.id);
        }
    }

    /// Applies a delta of the only call, in the older spelling.
    pub(super) fn call_function(
        &mut self,
        message: ObjectId,
        json: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let place = (Function::KIND, message, Message::function_call, self.owner);
        FunctionCall::apply(&mut self.function_call, place, json, cx);
    }
}

impl FoldedCall {
    fn new(index: i64, node: ObjectId, owner: Subject, opened: (u64, u64)) -> Self {
        FoldedCall {
            index,
            node,
            owner,
            opened,
            changed: opened.0,
            id: String::new(),
            name: String::new(),
            progress: Progress::default(),
            has_type: false,
            function: None,
            custom: None,
            known: Repeated::default(),
        }
    }

    /// Returns the meaning of a delta with the index or the id of this call. Servers that give
    /// every call the index 0, or the same id, begin another call by its name or its id where the
    /// arguments so far are complete.
    fn next(&mut self, id: Option<&str>, delta: &ToolCallDelta<'_>, cx: &Context<'_>) -> Next {
        let (name, piece) = name_and_piece(delta);
        let piece = piece.unwrap_or_default();
        let has_id = id.is_some() && !self.id.is_empty();
        let (is_same, is_other) =
            (has_id && id == Some(&*self.id), has_id && id != Some(&*self.id));
        let begins = piece.trim_ascii_start().starts_with('{');
        if is_same && begins && self.has_whole(cx) {
            let known = self.function.as_ref().map_or("", |function| cx.kept(function.arguments));
            return if known == piece { Next::Repetition } else { Next::Call };
        }
        let is_call = match name {
            Some(_) if is_same => false,
            Some(_) if is_other || cx.at().0 == self.changed => self.has_no_part(cx),
            Some(name) => self.has_whole(cx) && (begins || name != self.name),
            None => is_other && begins && self.has_whole(cx),
        };
        if is_call { Next::Call } else { Next::Piece }
    }

    /// Returns whether the arguments are not in the middle of JSON.
    fn has_no_part(&mut self, cx: &Context<'_>) -> bool {
        let function = self.function.as_ref();
        function.is_none_or(|function| cx.kept(function.arguments).is_empty()) || self.has_whole(cx)
    }

    /// Returns whether the arguments are a whole JSON object. Looks at each byte once.
    fn has_whole(&mut self, cx: &Context<'_>) -> bool {
        let Some(function) = &self.function else { return self.custom.is_some() };
        let Progress { balance, seen, is_whole } = &mut self.progress;
        let arguments = cx.kept(function.arguments).as_bytes();
        let mut rest = arguments.get(*seen..).unwrap_or_default();
        while !rest.trim_ascii_start().is_empty() {
            let end = balance.end(rest).unwrap_or(rest.len());
            *is_whole = !balance.is_inside() && rest.ends_with(b"}");
            rest = &rest[end..];
        }
        *seen = arguments.len();
        *is_whole
    }

    fn apply(&mut self, id: Option<&str>, delta: &ToolCallDelta<'_>, cx: &mut Context<'_>) {
        self.changed = cx.at().0;
        if let Some(name) = name_and_piece(delta).0 {
            self.name = name.into_owned();
        }
        if let Some(id) = id.filter(|id| *id != self.id) {
            if !self.id.is_empty() {
                cx.record_in(
                    &rules::TOOL_CHANGED,
                    self.owner,
                    None,
                    Observed::Instead(id, &self.id),
                );
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
    pub fn texts(&self) -> impl Iterator<Item = TextSlot> {
        self.function.iter().chain(&self.custom).map(|call| call.arguments)
    }

    /// Reports what is missing at the end of the completion. (C3.)
    pub fn judge(&self, cx: &mut Context<'_>) {
        let has_name = self.function.iter().chain(&self.custom).any(|call| call.has_name);
        for (is_there, got) in [(self.has_type, "no type"), (has_name, "no name")] {
            if !is_there {
                cx.record_at(
                    &rules::TOOL_INCOMPLETE,
                    self.opened,
                    self.owner,
                    Observed::Words(got),
                );
            }
        }
    }
}

/// Returns the name of the function or custom tool in a delta, unless it is empty, and the piece of
/// its arguments.
fn name_and_piece<'a>(delta: &ToolCallDelta<'a>) -> (Option<Cow<'a, str>>, Option<Cow<'a, str>>) {
    let json = delta.function().and_then(|function| function.json());
    let json = json.or_else(|| delta.custom().and_then(|custom| custom.json()));
    let text =
        |name| Some(json?.member(name)?.words()).filter(|text: &Cow<'_, str>| !text.is_empty());
    (text("name"), text("arguments").or_else(|| text("input")))
}
