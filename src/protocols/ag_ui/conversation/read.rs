//! From requests.

use alloc::string::String;
use alloc::vec::Vec;

use super::marks::Marks;
use super::requirements::{PLACE, SETTINGS};
use super::{FORMAT, MESSAGE, REPEATS, part};
use crate::core::request::decision::decision;
use crate::hub::conversation::members::{into_text, rest, take, take_list, take_string, take_text};
use crate::hub::conversation::tools::read_tool;
use crate::hub::conversation::{
    Call, Content, Conversation, Opaque, Part, RunBy, Sealed, Settings, ToolResult, Turn, TurnRole,
};
use crate::json::{Member, Value};

/// Takes a member that older clients have in another spelling.
pub(super) fn take_either(object: &mut Value, name: &str, older: &str) -> Option<Value> {
    take(object, name).or_else(|| take(object, older))
}

fn take_text_either(object: &mut Value, name: &str, older: &str) -> Option<String> {
    take_either(object, name, older).map(into_text)
}

/// Reads a request.
pub(super) fn read(mut request: Value) -> Conversation {
    let mut conversation = Conversation::new(FORMAT);
    let id = |id: &String| !id.is_empty();
    conversation.id = take_text_either(&mut request, "threadId", "thread_id").filter(id);
    if let Some(props) = take(&mut request, "forwarded_props") {
        request.insert("forwardedProps", props);
    }
    let tools = take_list(&mut request, "tools");
    conversation.tools = tools.into_iter().map(|tool| read_tool(tool, FORMAT)).collect();
    conversation.settings = Settings::read_of_client(&mut request, SETTINGS, PLACE);
    let context = take_list(&mut request, "context");
    if !context.is_empty() {
        conversation.turns.push(Turn::new(TurnRole::System, [instructions(context)].into()));
    }
    let messages = take_list(&mut request, "messages");
    let mut reader = MessageReader { conversation: &mut conversation, is_closed: false };
    messages.into_iter().for_each(|message| reader.message(message));
    let resume = take_list(&mut request, "resume");
    if !resume.is_empty() {
        let answers = resume.into_iter().map(answer).collect();
        conversation.turns.push(Turn::new(TurnRole::User, answers));
    }
    let run = take_text_either(&mut request, "runId", "run_id").filter(id);
    let parent = take_text_either(&mut request, "parentRunId", "parent_run_id").filter(id);
    ["protocolVersion", "protocol_version"].iter().for_each(|name| drop(take(&mut request, name)));
    let is_filled =
        |member: &Member| !matches!(&member.value, Value::Object(members) if members.is_empty());
    let ids = [("id", run), ("parentRunId", parent)];
    let ids =
        ids.into_iter().filter_map(|(key, id)| Some(Member { key: key.into(), value: id?.into() }));
    conversation.more = ids.chain(rest(request).into_iter().filter(is_filled)).collect();
    conversation
}

/// Returns the instructions that say what the client wants the agent to know.
fn instructions(context: Vec<Value>) -> Part {
    let part = Part::text(context_text(&context));
    let repeated = Value::from([("context", Value::Array(context))]);
    part.with_opaque(Opaque::new(FORMAT, [Member { key: REPEATS.into(), value: repeated }].into()))
}

/// Returns the text of the context: a line for each entry.
pub(super) fn context_text(context: &[Value]) -> String {
    let lines = context.iter().map(|entry| {
        let text = |name: &str| entry.get(name).map(Value::to_text).unwrap_or_default();
        [&*text("description"), ": ", &*text("value")].concat()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads the answer to an interrupt.
fn answer(mut entry: Value) -> Part {
    let id = take_text_either(&mut entry, "interruptId", "interrupt_id").unwrap_or_default();
    let payload = take(&mut entry, "payload").unwrap_or_default();
    let is_resolved = entry.text("status") == Some("resolved");
    let approved = if is_resolved { decision(&payload) } else { Some(false) };
    let reason = match is_resolved {
        true => payload.text("reason").map(String::from),
        false => entry.text("status").map(String::from),
    };
    if is_resolved {
        take(&mut entry, "status");
    }
    Part::new(Content::Answer { id, approved, reason, payload }).with_rest(FORMAT, entry)
}

/// Reads messages, one after the other.
pub(super) struct MessageReader<'c> {
    pub conversation: &'c mut Conversation,
    /// Whether the next message of the assistant begins a turn: the last one has its results.
    pub is_closed: bool,
}

impl MessageReader<'_> {
    pub fn message(&mut self, mut message: Value) {
        let marks = Marks::take(&mut message);
        let encrypted = take_text_either(&mut message, "encryptedValue", "encrypted_value");
        let role = take_string(&mut message, "role");
        match &*role {
            "tool" => self.result(message, marks, encrypted),
            "assistant" => self.assistant(message, marks, encrypted),
            "reasoning" => self.reasoning(message, marks, encrypted),
            // What the agent has shown is not sent to agents.
            "activity" => {}
            "system" => self.said(TurnRole::System, message, marks, encrypted),
            "developer" => self.said(TurnRole::Developer, message, marks, encrypted),
            _ => self.said(TurnRole::User, message, marks, encrypted),
        }
    }

    /// Returns the turn of a message: that of the message before it, or a new one.
    fn turn(&mut self, role: TurnRole, marks: Marks) -> &mut Turn {
        let turns = &mut self.conversation.turns;
        let last = turns.len().saturating_sub(1);
        let is_of_role = |at: usize| turns.get(at).is_some_and(|turn| turn.role == role);
        let same = match marks.begins {
            Some(true) => None,
            // Results of the turn can be after it.
            Some(false) if role == TurnRole::Assistant && turns.last().is_some_and(is_results) => {
                last.checked_sub(1).filter(|before| is_of_role(*before))
            }
            Some(false) => Some(last).filter(|last| is_of_role(*last)),
            None => Some(last)
                .filter(|last| role == TurnRole::Assistant && !self.is_closed && is_of_role(*last)),
        };
        self.is_closed &= role != TurnRole::Assistant;
        let at = same.unwrap_or_else(|| {
            turns.push(Turn::new(role, Vec::new()));
            turns.len() - 1
        });
        // It is there.
        &mut turns[at]
    }

    /// Reads instructions and messages of the user.
    fn said(
        &mut self,
        role: TurnRole,
        mut message: Value,
        marks: Marks,
        encrypted: Option<String>,
    ) {
        let mut parts = read_parts(take(&mut message, "content"));
        let turn = self.turn(role, marks);
        if turn.id.is_none() {
            (turn.id, turn.name) = (take_text(&mut message, "id"), take_text(&mut message, "name"));
        }
        if parts.is_empty() && (encrypted.is_some() || !turn.parts.is_empty()) {
            parts.push(Part::text(""));
        }
        give(&mut parts, encrypted, message);
        turn.parts.append(&mut parts);
    }

    fn reasoning(&mut self, mut message: Value, marks: Marks, encrypted: Option<String>) {
        let text = take_string(&mut message, "content");
        let turn = self.turn(TurnRole::Assistant, marks);
        let mut parts =
            Vec::from([Part::new(Content::Reasoning { text, summary: marks.is_summary })]);
        give(&mut parts, encrypted, message);
        turn.parts.append(&mut parts);
    }

    fn assistant(&mut self, mut message: Value, marks: Marks, mut encrypted: Option<String>) {
        let mut parts = read_parts(take(&mut message, "content"));
        parts.retain(|part| part.as_text() != Some("") || part.opaque.is_some());
        let calls = take_either(&mut message, "toolCalls", "tool_calls");
        let calls: Vec<Part> = match calls {
            Some(Value::Array(calls)) => calls.into_iter().map(read_call).collect(),
            _ => Vec::new(),
        };
        let turn = self.turn(TurnRole::Assistant, marks);
        // The first message that is more than reasoning has the id of the turn.
        if turn.id.is_none() {
            (turn.id, turn.name) = (take_text(&mut message, "id"), take_text(&mut message, "name"));
        }
        if parts.is_empty() && calls.is_empty() && encrypted.is_none() {
            return;
        }
        if parts.is_empty() && calls.is_empty() {
            parts.push(Part::text(""));
        }
        parts.extend(calls);
        // The members of a call may be those of its message.
        let named =
            encrypted.as_deref().and_then(Sealed::open).filter(|sealed| sealed.call.is_some());
        if let Some(sealed) = named {
            let is_named =
                |part: &&mut Part| part.as_call().map(|call| &call.id) == sealed.call.as_ref();
            if let Some(part) = parts.iter_mut().find(is_named) {
                drop(sealed.restore(part));
                encrypted = None;
            }
        }
        give(&mut parts, encrypted, message);
        parts.retain(|part| part.as_text() != Some("") || part.opaque.is_some());
        turn.parts.append(&mut parts);
    }

    fn result(&mut self, mut message: Value, marks: Marks, encrypted: Option<String>) {
        let call = take_text_either(&mut message, "toolCallId", "tool_call_id").unwrap_or_default();
        let mut parts = read_parts(take(&mut message, "content"));
        let error = take_text(&mut message, "error");
        if let Some(error) = &error
            && !parts.iter().any(|part| part.as_text() == Some(error))
        {
            parts.retain(|part| part.as_text() != Some(""));
            parts.push(Part::text(error.as_str()));
        }
        let mut result = ToolResult { error: error.is_some(), ..ToolResult::new(call, parts) };
        let sealed = encrypted.as_deref().and_then(Sealed::open);
        let is_providers =
            marks.by == RunBy::Provider || sealed.as_ref().is_some_and(|sealed| sealed.block);
        let mut own = Vec::from([Part::new(Content::Native)]);
        give(&mut own, encrypted, message);
        result.opaque = own.pop().and_then(|part| part.opaque);
        let part = Part::new(Content::Result(result));
        let last = self.conversation.turns.last_mut();
        // The results of a provider are in the middle of an answer.
        match last {
            Some(last) if is_providers && last.role == TurnRole::Assistant => last.parts.push(part),
            Some(last)
                if last.role == TurnRole::User && !marks.begins.unwrap_or(!is_results(last)) =>
            {
                last.parts.push(part);
            }
            _ => self.conversation.turns.push(Turn::new(TurnRole::User, [part].into())),
        }
    }
}

/// Whether a turn ends with a result, so that further ones belong to it.
fn is_results(turn: &Turn) -> bool {
    turn.role == TurnRole::User
        && turn.parts.last().is_some_and(|part| matches!(part.content, Content::Result(_)))
}

/// Reads a content: a string, or parts.
fn read_parts(content: Option<Value>) -> Vec<Part> {
    match content {
        Some(Value::Array(parts)) => parts.into_iter().map(part::read).collect(),
        Some(content) => Vec::from([Part::text(into_text(content))]),
        None => Vec::new(),
    }
}

fn read_call(mut call: Value) -> Part {
    let marks = Marks::take(&mut call);
    let encrypted = take_text_either(&mut call, "encryptedValue", "encrypted_value");
    take(&mut call, "type");
    let id = take_string(&mut call, "id");
    let (name, arguments) =
        (take_string(&mut call, "function.name"), take_string(&mut call, "function.arguments"));
    let read = Call { by: marks.by, ..Call::function(id, name, arguments) };
    let mut part = Part::new(Content::Call(read));
    match encrypted.as_deref().and_then(Sealed::open) {
        Some(sealed) => drop(sealed.restore(&mut part)),
        None => {
            if let Some(value) = encrypted {
                call.insert("encryptedValue", value.into());
            }
            part = part.with_rest(FORMAT, call);
        }
    }
    part
}

/// Gives the first part of a message the opaque members of it: those that were sealed, or those of
/// AG-UI.
fn give(parts: &mut Vec<Part>, encrypted: Option<String>, mut left: Value) {
    let Some(first) = parts.first_mut() else { return };
    if let Some(sealed) = encrypted.as_deref().and_then(Sealed::open) {
        if let Some(block) = sealed.restore(first) {
            parts.insert(1, block);
        }
        return;
    }
    if let Some(value) = encrypted {
        left.insert("encryptedValue", value.into());
    }
    let left = rest(left);
    if left.is_empty() {
        return;
    }
    let member = Member { key: MESSAGE.into(), value: Value::Object(left) };
    match &mut first.opaque {
        Some(own) if own.format == FORMAT => own.members.push(member),
        Some(_) => {}
        None => first.opaque = Opaque::new(FORMAT, [member].into()),
    }
}
