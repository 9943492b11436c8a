//! The messages of a session of AgentScope, made from the stored turns of its conversation, which
//! can also be those of another protocol.

use std::borrow::ToOwned as _;
use std::collections::HashSet;
use std::mem;
use std::string::String;
use std::vec::Vec;

use super::ending::snapshot_as;
use super::turn::{TurnRow, is_question, turns_in};
use crate::convert::{RequestOptions, convert_request};
use crate::core::id::RandomIds;
use crate::hub::Losses;
use crate::json::{Member, Value};
use crate::protocols::ProtocolKind;
use crate::protocols::agentscope::request::ChatRequest;
use crate::threads::parsed;

/// A reply: its turns, each with the messages of the Agent API.
#[derive(Default)]
struct StoredReply {
    id: String,
    is_cut: bool,
    at: Option<String>,
    turns: Vec<(String, Vec<Value>)>,
    /// The ids of the questions and calls that the client has answered.
    answered: HashSet<String>,
}

/// Returns the messages for the rows of turns, and the id of the last turn.
pub(super) fn messages_of_rows(rows: &[String]) -> (Vec<Value>, Option<String>) {
    let turns = turns_in(rows);
    let last = turns.last().and_then(|turn| Some(turn.first()?.turn.clone()));
    let mut messages = Vec::new();
    let mut reply = StoredReply::default();
    for row in turns.into_iter().flatten() {
        if row.is_input && is_question(&row.message) {
            messages.extend(mem::take(&mut reply).into_message());
            messages.extend(messages_of_user(row));
        } else {
            reply.append(row);
        }
    }
    messages.extend(reply.into_message());
    (messages, last)
}

/// Returns the messages of the body of a request.
pub(super) fn messages_of_input(body: &str) -> Vec<Value> {
    let body = parsed(body);
    let inputs = body.get("input").map(ChatRequest::inputs).unwrap_or_default();
    inputs.iter().filter(|message| message.get("role").is_some()).cloned().collect()
}

fn messages_of_user(TurnRow { turn, at, message, .. }: TurnRow) -> Vec<Value> {
    let id = message.text("id").filter(|id| !id.is_empty()).unwrap_or(&turn).to_owned();
    let request =
        Value::from([("session_id", turn.into()), ("input", Value::Array([message].into()))]);
    let converted = convert_request(
        ProtocolKind::AgentApi,
        &request.to_json(),
        ProtocolKind::AgentScope,
        &RequestOptions::default(),
        &mut RandomIds,
        &mut Losses::default(),
    );
    let request = converted.map(|converted| parsed(&converted.json)).unwrap_or_default();
    let inputs = request.get("input").map(ChatRequest::inputs).unwrap_or_default();
    let named = |message: &Value| {
        let mut message = message.clone();
        message.insert("id", id.as_str().into());
        if let Some(at) = &at {
            message.insert("created_at", at.as_str().into());
        }
        message
    };
    inputs.iter().filter(|message| matches!(message, Value::Object(_))).map(named).collect()
}

impl StoredReply {
    fn append(&mut self, row: TurnRow) {
        let TurnRow { turn, is_input, answer, at, is_cut, message, .. } = row;
        (self.is_cut, self.at) = (is_cut, at);
        if let Some(id) = answer {
            self.id = id;
        } else if self.turns.is_empty() {
            self.id.clone_from(&turn);
        }
        if is_input {
            let content = message.get("content").map(Value::items).unwrap_or_default();
            let data = content.first().and_then(|part| part.get("data"));
            let id = |name| data.and_then(|data| data.text(name));
            self.answered.extend(id("approval_request_id").or(id("call_id")).map(String::from));
        }
        // A result belongs to the turn of its call.
        let known = match is_input {
            true => self.turns.last_mut(),
            false => self.turns.iter_mut().find(|(known, _)| *known == turn),
        };
        match known {
            Some((_, messages)) => messages.push(message),
            None => self.turns.push((turn, [message].into())),
        }
    }

    /// Returns the message; `None` for a reply without turns.
    fn into_message(self) -> Option<Value> {
        let StoredReply { id, is_cut, at, turns, answered } = self;
        let status = if is_cut { "canceled" } else { "completed" };
        let reply_of = |output: Vec<Value>| {
            let response = Value::from([
                ("object", "response".into()),
                ("id", id.as_str().into()),
                ("status", status.into()),
                ("output", Value::Array(output)),
            ]);
            let frame = ["data: ", &response.to_json(), "\n\n"].concat();
            let (from, to) = (ProtocolKind::AgentApi, ProtocolKind::AgentScope);
            snapshot_as(from, [&*frame], to, |write| write.response_id(id.as_str()))
        };
        let replies: Vec<Value> = turns.into_iter().map(|(_, output)| reply_of(output)).collect();
        let shown = |block: &Value| {
            let mut shown = with_time(block.members(), at.as_deref());
            let is_answered = block.text("id").is_some_and(|id| answered.contains(id));
            if block.text("type") == Some("tool_call") && is_answered {
                shown.insert("state", "finished".into());
            }
            shown
        };
        let contents = replies.iter().filter_map(|reply| reply.get("content"));
        let content = contents.flat_map(Value::items).map(shown).collect();
        let is_own = |member: &&Member| !OF_REPLY.contains(&&*member.key);
        let mut message = with_time(replies.last()?.members().iter().filter(is_own), at.as_deref());
        message.insert("content", Value::Array(content));
        Some(message)
    }
}

/// The members of a reply that a message does not have.
const OF_REPLY: [&str; 4] = ["status", "session_id", "model", "custom"];
/// The members with times.
const TIMES: [&str; 2] = ["created_at", "finished_at"];

/// Returns a message or a block with the time at which it was stored, in place of that of now.
fn with_time<'m>(members: impl IntoIterator<Item = &'m Member>, at: Option<&str>) -> Value {
    let mut timed = Value::Object(Vec::new());
    for Member { key, value } in members {
        match at {
            _ if !TIMES.contains(&&**key) => timed.insert(key, value.clone()),
            Some(at) if !value.is_null() => timed.insert(key, at.into()),
            _ => {}
        }
    }
    timed
}
