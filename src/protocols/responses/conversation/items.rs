//! Reads items.

use alloc::string::String;
use alloc::vec::Vec;

use super::carried::Carried;
use super::content::{is_of_message, read_content};
use super::hosted::{read_call, read_output, whole};
use super::read::tool;
use super::{FORMAT, MESSAGE};
use crate::hub::approval::{TEXT, decision, question_payload};
use crate::hub::conversation::members::{rest, take, take_list, take_string, take_text};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Opaque, Part, Sealed, SettingKey, ToolResult, Turn,
    TurnRole,
};
use crate::json::{Member, Value};

/// Reads items, and adds them as turns.
#[derive(Debug)]
pub(super) struct ItemReader<'c> {
    conversation: &'c mut Conversation,
    carried: Carried,
    /// The first turn that can have items of this reader.
    first_turn: usize,
    /// Whether the server stores items: only then it finds reasoning by its id.
    is_stored: bool,
}

impl<'c> ItemReader<'c> {
    pub fn new(conversation: &'c mut Conversation) -> Self {
        let first_turn = conversation.turns.len().saturating_sub(1);
        let store = conversation.settings.get(SettingKey::Store).and_then(Value::as_bool);
        ItemReader {
            conversation,
            carried: Carried::default(),
            first_turn,
            is_stored: store != Some(false),
        }
    }

    /// Ends the reading.
    pub fn end(self) {
        self.carried.restore(self.conversation, self.first_turn);
    }

    /// Adds an item.
    pub fn read(&mut self, mut item: Value) {
        if let Value::String(text) = item {
            return self
                .conversation
                .turns
                .push(Turn::new(TurnRole::User, [Part::text(text)].into()));
        }
        let kind = take_text(&mut item, "type").unwrap_or_else(|| MESSAGE.into());
        match &*kind {
            MESSAGE => self.message(item),
            "reasoning" => self.reasoning(item),
            "function_call" | "custom_tool_call" => self.answer(tool_call(&kind, item)),
            "function_call_output" | "custom_tool_call_output" => {
                self.result(tool_output(&kind, item))
            }
            "mcp_approval_request" => {
                // For people: OpenAI's server takes no such member.
                take(&mut item, TEXT);
                let id = item.text("id").unwrap_or_default().into();
                let members = ["name", "arguments", "server_label"];
                let payload: Value =
                    members.map(|key| (key, item.get(key).cloned().unwrap_or_default())).into();
                // A question of an agent that was written as the call of a tool.
                let payload = question_payload(&payload).unwrap_or(payload);
                let question = Content::Question { id, call: None, payload };
                self.answer(Part::new(question).with_opaque(whole(&kind, item)));
            }
            "mcp_approval_response" => {
                let text = |key: &str| item.text(key).map(String::from);
                let answer = Content::Answer {
                    id: text("approval_request_id").unwrap_or_default(),
                    approved: decision(&item),
                    reason: text("reason"),
                    payload: item.get("approve").cloned().unwrap_or_default(),
                };
                let part = Part::new(answer).with_opaque(whole(&kind, item));
                self.conversation.turn(TurnRole::User).parts.push(part);
            }
            "additional_tools" => {
                let role = message_role(item.text("role"));
                let tools = take_list(&mut item.clone(), "tools").into_iter().map(tool).collect();
                let part = Part::new(Content::Tools(tools)).with_opaque(whole(&kind, item));
                self.conversation.turns.push(Turn::new(role, [part].into()));
            }
            kind => {
                let item = match read_output(kind, item) {
                    Ok(result) => return self.result(result),
                    Err(item) => item,
                };
                let part = read_call(kind, item);
                self.answer(part.unwrap_or_else(|item| {
                    Part::new(Content::Native).with_opaque(whole(kind, item))
                }));
            }
        }
    }

    /// Adds a part of an answer.
    fn answer(&mut self, part: Part) {
        self.conversation.turn(TurnRole::Assistant).parts.push(part);
    }

    fn result(&mut self, result: ToolResult) {
        self.conversation.turn(TurnRole::User).parts.push(Part::new(Content::Result(result)));
    }

    fn message(&mut self, mut item: Value) {
        let role = message_role(take_text(&mut item, "role").as_deref());
        let mut parts = read_content(take(&mut item, "content"));
        let id = item.text("id").filter(|id| !id.is_empty()).map(String::from);
        // It is that of the answer: requests have whole messages.
        take(&mut item, "status");
        let members = rest(item);
        let last = self.conversation.turns.last();
        let continues = role == TurnRole::Assistant && last.is_some_and(|turn| turn.role == role);
        let is_next =
            continues && last.is_some_and(|turn| turn.parts.last().is_some_and(is_of_message));
        // Without its own message, an instruction in front would be the member `instructions`.
        let is_marked = !members.is_empty() || is_next || role == TurnRole::System;
        if let Some(first) = parts.first_mut().filter(|_| is_marked) {
            let marker = Member { key: MESSAGE.into(), value: Value::Object(members) };
            match &mut first.opaque {
                Some(opaque) => opaque.members.push(marker),
                None => first.opaque = Opaque::new(FORMAT, [marker].into()),
            }
        }
        if !continues {
            self.conversation.turns.push(Turn { id: id.clone(), ..Turn::new(role, Vec::new()) });
        }
        let at = self.conversation.turns.len() - 1;
        if let Some(turn) = self.conversation.turns.last_mut() {
            self.carried.message = Some((at, turn.parts.len()));
            turn.id = turn.id.take().or(id);
            turn.parts.append(&mut parts);
        }
    }

    fn reasoning(&mut self, mut item: Value) {
        let list = |key: &str| match item.get(key) {
            Some(Value::Array(list)) => list.iter().filter_map(|part| part.text("text")).collect(),
            _ => Vec::new(),
        };
        let mut texts: Vec<&str> = list("summary");
        let summary = !texts.is_empty();
        if !summary {
            texts = list("content");
        }
        let text = texts.join("\n\n");
        let Some(sealed) = item.text("encrypted_content").and_then(Sealed::open) else {
            let is_readable =
                item.text("encrypted_content").is_some_and(|content| !content.is_empty());
            let is_known =
                self.is_stored && item.text("id").is_some_and(|id| id.starts_with("rs_"));
            let part = Part::new(Content::Reasoning { text, summary });
            if !is_readable && !is_known {
                return self.answer(part);
            }
            // Requests with them are refused.
            ["content", "status"].iter().for_each(|key| drop(take(&mut item, key)));
            return self.answer(part.with_opaque(whole("reasoning", Value::Object(rest(item)))));
        };
        // What is sealed may be of the texts without anything between them.
        let joined = Content::Reasoning { text: texts.concat(), summary };
        let content = Content::Reasoning { text, summary };
        let is_joined = !sealed.is_of(&content) && sealed.is_of(&joined);
        let mut part = Part::new(if is_joined { joined } else { content });
        match self.carried.take(sealed) {
            Some(sealed) => drop(sealed.restore(&mut part)),
            // The item had nothing else.
            None if texts.is_empty() => return,
            None => {}
        }
        self.answer(part);
    }
}

fn message_role(name: Option<&str>) -> TurnRole {
    match name {
        Some("assistant") => TurnRole::Assistant,
        Some("system") => TurnRole::System,
        Some("developer") => TurnRole::Developer,
        _ => TurnRole::User,
    }
}

fn tool_call(kind: &str, mut item: Value) -> Part {
    let id = take_text(&mut item, "call_id").or_else(|| item.text("id").map(String::from));
    let mut call =
        Call::function(id.unwrap_or_default(), take_string(&mut item, "name"), String::new());
    call.namespace = take_text(&mut item, "namespace");
    call.input = match kind {
        "function_call" => CallInput::Json(take_string(&mut item, "arguments")),
        _ => CallInput::Text(take_string(&mut item, "input")),
    };
    take(&mut item, "status");
    Part::new(Content::Call(call)).with_rest(FORMAT, item)
}

fn tool_output(kind: &str, mut item: Value) -> ToolResult {
    let call = take_string(&mut item, "call_id");
    let parts = read_content(take(&mut item, "output"));
    // The ids are those of a server that stores the items.
    ["id", "status"].iter().for_each(|key| drop(take(&mut item, key)));
    if kind != "function_call_output" {
        item.insert("type", kind.into());
    }
    ToolResult { opaque: Opaque::new(FORMAT, rest(item)), ..ToolResult::new(call, parts) }
}
