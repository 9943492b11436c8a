//! From requests, and from answers.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::requirements::SETTINGS;
use super::{FORMAT, MESSAGE, part, tool};
use crate::hub::conversation::members::{gathered, rest, take, take_list, take_text};
use crate::hub::conversation::tools::read_tool;
use crate::hub::conversation::{
    Call, Conversation, Opaque, Part, RunBy, Sealed, Settings, Tool, Turn, TurnRole,
};
use crate::json::{Member, Value};

/// The members of a snapshot that are not those of a message.
const OF_SNAPSHOT: [&str; 3] = ["status", "finishReason", "error"];

/// Reads a request.
pub(super) fn read(mut request: Value) -> Conversation {
    let mut conversation = Conversation::new(FORMAT);
    conversation.id = take_text(&mut request, "id").filter(|id| !id.is_empty());
    for message in take_list(&mut request, "messages") {
        read_message(&mut conversation, message);
    }
    conversation.settings = Settings::read_of_client(&mut request, SETTINGS, "");
    conversation.tools = match take(&mut request, "tools") {
        Some(Value::Array(tools)) => {
            tools.into_iter().map(|tool| read_tool(tool, FORMAT)).collect()
        }
        Some(Value::Object(tools)) => tools.into_iter().map(named_tool).collect(),
        _ => Vec::new(),
    };
    conversation.more = rest(request);
    conversation
}

/// Reads a tool of a record: its name is the key.
fn named_tool(Member { key, mut value }: Member) -> Tool {
    if value.get("name").is_none() && value.get("function").is_none() {
        value.insert("name", key.into());
    }
    read_tool(value, FORMAT)
}

/// Reads a message, or the snapshot of a reader. A message that goes on replaces what was known of
/// it.
pub(super) fn append(conversation: &mut Conversation, mut message: Value) {
    OF_SNAPSHOT.iter().for_each(|name| drop(take(&mut message, name)));
    if let Some(id) = message.text("id").filter(|id| !id.is_empty()) {
        let turns = &mut conversation.turns;
        let is_message =
            |turn: &Turn| turn.role == TurnRole::Assistant && turn.id.as_deref() == Some(id);
        if let Some(first) = turns.iter().rposition(is_message) {
            turns.truncate(first);
        }
    }
    read_message(conversation, message);
}

fn read_message(conversation: &mut Conversation, mut message: Value) {
    let id = take_text(&mut message, "id").filter(|id| !id.is_empty());
    let role = match take_text(&mut message, "role").as_deref() {
        Some("assistant") => TurnRole::Assistant,
        Some("system") => TurnRole::System,
        _ => TurnRole::User,
    };
    let mut parts = take_list(&mut message, "parts");
    // Messages of older versions.
    if parts.is_empty()
        && let Some(Value::String(text)) = take(&mut message, "content")
    {
        parts.push(Value::from([("type", "text".into()), ("text", Value::from(text))]));
    }
    let first = conversation.turns.len();
    let has_steps = parts.iter().any(is_step);
    let turn = Turn::new(role, Vec::new());
    let mut reader = MessageReader {
        first,
        turns: &mut conversation.turns,
        turn,
        answers: Vec::new(),
        has_result: false,
    };
    let mut carried = Vec::new();
    for part in parts {
        if is_step(&part) {
            reader.close(false);
            continue;
        }
        match tool::name_of(&part).map(String::from) {
            Some(name) => {
                let tool::ReadCall { call, question, answer } = tool::read(name, part);
                let is_result = |call: &Call| call.result.is_some() && call.by != RunBy::Provider;
                reader.has_result |= call.as_call().is_some_and(is_result);
                reader.turn.parts.push(call);
                reader.turn.parts.extend(question);
                reader.answers.extend(answer);
            }
            None => {
                if !has_steps && reader.has_result {
                    reader.close(false);
                }
                let part::ReadPart { part, block, carried: named } = part::read(part);
                if let Some(named) = named {
                    carried.push(named);
                    continue;
                }
                let is_empty =
                    block.is_some() && part.as_text() == Some("") && part.opaque.is_none();
                reader.turn.parts.extend(Some(part).filter(|_| !is_empty));
                reader.turn.parts.extend(block);
            }
        }
    }
    reader.close(true);
    let turns = conversation.turns.get_mut(first..).unwrap_or_default();
    restore(carried, turns);
    if let Some(turn) = turns.first_mut() {
        turn.id = id;
        keep(turn.parts.first_mut(), message);
    }
}

fn is_step(part: &Value) -> bool {
    part.text("type") == Some("step-start")
}

/// The turns of a message, one for each step.
struct MessageReader<'t> {
    /// The number of the first one.
    first: usize,
    turns: &'t mut Vec<Turn>,
    turn: Turn,
    /// The answers to the questions of the turn.
    answers: Vec<Part>,
    /// Whether a tool of the client has its result: the model was asked again.
    has_result: bool,
}

impl MessageReader<'_> {
    /// Ends a turn. One without parts is a turn only if the message has nothing else.
    fn close(&mut self, is_last: bool) {
        self.has_result = false;
        let next = Turn::new(self.turn.role, Vec::new());
        let turn = core::mem::replace(&mut self.turn, next);
        let is_only = is_last && self.turns.len() == self.first;
        if !turn.parts.is_empty() || is_only {
            self.turns.push(turn);
        }
        if !self.answers.is_empty() {
            self.turns.push(Turn::new(TurnRole::User, core::mem::take(&mut self.answers)));
        }
    }
}

/// Gives calls and results the members that other parts carry.
fn restore(carried: Vec<Sealed>, turns: &mut [Turn]) {
    if carried.is_empty() {
        return;
    }
    let parts = turns.iter_mut().flat_map(|turn| &mut turn.parts);
    let mut calls: BTreeMap<String, &mut Part> =
        gathered(parts.filter_map(|part| Some((part.as_call()?.id.clone(), part))));
    for sealed in carried {
        let call = sealed.call.as_ref().and_then(|call| calls.get_mut(call));
        if let Some(part) = call {
            tool::restore(sealed, part);
        }
    }
}

/// Keeps the members of a message at its first part, unless this has those of another protocol.
fn keep(first: Option<&mut Part>, message: Value) {
    let left = rest(message);
    let Some(first) = first.filter(|_| !left.is_empty()) else { return };
    let member = Member { key: MESSAGE.into(), value: Value::Object(left) };
    match &mut first.opaque {
        Some(own) if own.format == FORMAT => own.members.push(member),
        Some(_) => {}
        None => first.opaque = Opaque::new(FORMAT, [member].into()),
    }
}
