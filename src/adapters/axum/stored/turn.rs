//! The turns of a conversation whose client sends only its new messages. A turn has the messages of
//! a request and those of its answer, in the form of the Agent API, so that a conversation can be
//! continued in another protocol.

use std::borrow::ToOwned as _;
use std::string::String;
use std::vec::Vec;

use crate::json::{Member, Value};
use crate::threads::{LatestMessages, StoredMessage, iso8601_of, now, parsed};

/// The maximum number of bytes of the earlier messages that an agent receives.
pub(super) const HISTORY: usize = 4 * 1024 * 1024;

/// The sides of a turn: the messages of its request, and those of its answer.
const INPUT: &str = "input";
const OUTPUT: &str = "output";

/// A turn that is being written.
#[derive(Debug, Default)]
pub(super) struct ConversationTurn {
    id: String,
    /// The rows of the earlier turns.
    earlier: LatestMessages,
    input: Option<Vec<Value>>,
    /// What the turn replaces: the whole conversation, or the turn before it.
    replaces: Option<&'static str>,
    answer: Option<Value>,
}

impl ConversationTurn {
    pub fn new(id: &str, earlier: LatestMessages) -> Self {
        ConversationTurn { id: id.to_owned(), earlier, ..Self::default() }
    }

    /// Returns the messages for the agent: the earlier ones, and those of the request.
    pub fn begin(&mut self, messages: Vec<Value>) -> Vec<Value> {
        let (instructions, own): (Vec<Value>, Vec<Value>) =
            messages.iter().cloned().partition(is_instruction);
        if own.iter().any(is_of_agent) {
            // The client sends its history itself.
            (self.input, self.replaces) = (Some(own), Some("all"));
            return messages;
        }
        let mut turns = turns_in(&self.earlier.messages);
        let is_fresh = |message: &&Value| turns.last().is_none_or(|last| !repeats(message, last));
        let fresh: Vec<Value> = own.iter().filter(is_fresh).cloned().collect();
        let is_repeated = !turns.is_empty() && !own.is_empty() && fresh.is_empty();
        if is_repeated {
            turns.pop();
        }
        let input = if is_repeated { own } else { fresh };
        self.replaces = is_repeated.then_some("last");
        let before = turns.into_iter().flatten().map(|row| row.message);
        let before = before.skip_while(|message| !is_question(message));
        let all = instructions.into_iter().chain(before).chain(input.iter().cloned()).collect();
        self.input = Some(input);
        all
    }

    /// Receives the answer, a response of the Agent API, also one that was cut off.
    pub fn end(&mut self, answer: Value) {
        self.answer = Some(answer);
    }

    /// Whether messages are left out.
    pub fn is_cut(&self) -> bool {
        self.replaces != Some("all") && self.earlier.is_cut
    }

    pub fn has_begun(&self) -> bool {
        self.input.is_some()
    }

    pub fn has_ended(&self) -> bool {
        self.answer.is_some()
    }

    /// Returns the rows of the turn, as JSON.
    pub fn rows(&self) -> Vec<String> {
        let answer = self.answer.as_ref();
        let status = answer.and_then(|answer| answer.text("status")).unwrap_or_default();
        let is_cut = !matches!(status, "completed" | "incomplete");
        let output = answer.and_then(|answer| answer.get("output")).map(Value::items);
        let at = iso8601_of(now());
        let id = answer.and_then(|answer| answer.text("id")).filter(|id| !id.is_empty());
        let row = |side: &str, message: Value| {
            let mut row = Value::from([
                ("turn", Value::from(&*self.id)),
                ("side", side.into()),
                ("isCut", is_cut.into()),
                ("at", at.as_str().into()),
                ("message", message),
            ]);
            if let (OUTPUT, Some(id)) = (side, id) {
                row.insert("answer", id.into());
            }
            if let Some(replaces) = self.replaces {
                row.insert("replaces", replaces.into());
            }
            row.to_json()
        };
        let input = self.input.iter().flatten().map(|message| row(INPUT, message.clone()));
        let output = output.unwrap_or_default().iter().filter_map(repeatable);
        input.chain(output.map(|message| row(OUTPUT, message))).collect()
    }
}

/// Returns the messages that are stored for the rows of a turn.
pub(super) fn messages_of_turn(rows: &[String], at: u64) -> Vec<StoredMessage> {
    let message = |text: &String| {
        let row = TurnRow::parse(text);
        let id = row.message.text("id").filter(|id| !id.is_empty()).map(ToOwned::to_owned);
        let role = row.message.text("role").map(ToOwned::to_owned);
        let usual = if row.is_input { "user" } else { "assistant" };
        StoredMessage {
            id: id.unwrap_or(row.turn),
            role: role.unwrap_or_else(|| usual.to_owned()),
            extra: "{}".to_owned(),
            message: text.clone(),
            at,
            ..StoredMessage::default()
        }
    };
    rows.iter().map(message).collect()
}

/// A stored message.
#[derive(Debug)]
pub(super) struct TurnRow {
    pub turn: String,
    pub is_input: bool,
    /// The id of the answer; `None` in what an earlier version has stored.
    pub answer: Option<String>,
    /// The time at which the turn was stored, in ISO 8601; `None` like `answer`.
    pub at: Option<String>,
    /// Whether the answer was cut off, has failed or was canceled.
    pub is_cut: bool,
    replaces: Option<String>,
    pub message: Value,
}

impl TurnRow {
    fn parse(row: &str) -> Self {
        let row = parsed(row);
        TurnRow {
            turn: row.text("turn").unwrap_or_default().to_owned(),
            is_input: row.text("side") == Some(INPUT),
            answer: row.text("answer").map(ToOwned::to_owned),
            at: row.text("at").map(ToOwned::to_owned),
            is_cut: row.get("isCut") == Some(&Value::Bool(true)),
            replaces: row.text("replaces").map(ToOwned::to_owned),
            message: row.get("message").cloned().unwrap_or_default(),
        }
    }
}

/// Returns the turns in rows, without those that were replaced.
pub(super) fn turns_in(rows: &[String]) -> Vec<Vec<TurnRow>> {
    let mut turns: Vec<Vec<TurnRow>> = Vec::new();
    for row in rows.iter().map(|row| TurnRow::parse(row)) {
        let last = turns.last_mut().filter(|last| last.iter().any(|known| known.turn == row.turn));
        if let Some(last) = last {
            last.push(row);
            continue;
        }
        match row.replaces.as_deref() {
            Some("all") => turns.clear(),
            Some(_) => drop(turns.pop()),
            None => {}
        }
        turns.push(Vec::from([row]));
    }
    turns
}

/// Returns whether a message repeats one of the last turn.
fn repeats(message: &Value, last: &[TurnRow]) -> bool {
    let (key, content) = (key_of(message), text_of(message.get("content")));
    last.iter().any(|row| {
        let is_same = row.is_input
            && key == key_of(&row.message)
            && content == text_of(row.message.get("content"));
        // Without an id, the same text can be a new message, unless its answer was cut off.
        is_same && (key.is_some() || row.is_cut)
    })
}

fn text_of(content: Option<&Value>) -> String {
    content.map(Value::to_json).unwrap_or_default()
}

/// Returns the name of a message that identifies it in its conversation.
fn key_of(message: &Value) -> Option<String> {
    let content = message.get("content").map(Value::items).unwrap_or_default();
    let call = content.first().and_then(|part| part.get("data")?.text("call_id"));
    match call {
        Some(call) => Some(["call ", call].concat()),
        None => message.text("id").filter(|id| !id.is_empty()).map(ToOwned::to_owned),
    }
}

fn is_instruction(message: &Value) -> bool {
    matches!(message.text("role"), Some("system" | "developer"))
}

/// Returns whether a message is one of the user, with which a history can begin.
pub(super) fn is_question(message: &Value) -> bool {
    matches!(message.text("type"), None | Some("message"))
        && matches!(message.text("role"), None | Some("user"))
}

/// The types of messages that only an agent writes.
const AGENTS: [&str; 6] = [
    "reasoning",
    "function_call",
    "plugin_call",
    "component_call",
    "mcp_call",
    "mcp_approval_request",
];

fn is_of_agent(message: &Value) -> bool {
    message.text("role") == Some("assistant")
        || message.text("type").is_some_and(|kind| AGENTS.contains(&kind))
}

/// The members of a content of a stream.
const OF_STREAM: [&str; 7] =
    ["sequence_number", "object", "status", "error", "delta", "msg_id", "index"];

/// Returns a message of an answer as a later request repeats it; `None` for one that is not sent
/// back.
fn repeatable(message: &Value) -> Option<Value> {
    if matches!(message.text("type"), Some("error" | "heartbeat")) {
        return None;
    }
    let mut repeated = Value::Object(Vec::new());
    for key in ["id", "type", "role", "content", "metadata"] {
        let Some(value) = message.get(key).filter(|value| !value.is_null()) else { continue };
        let value = match value {
            Value::Array(contents) => Value::Array(contents.iter().map(without_stream).collect()),
            other => other.clone(),
        };
        repeated.insert(key, value);
    }
    Some(repeated)
}

fn without_stream(content: &Value) -> Value {
    let is_kept = |member: &&Member| !OF_STREAM.contains(&&*member.key);
    Value::Object(content.members().iter().filter(is_kept).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(text: &str) -> Value {
        parsed(&std::format!(r#"{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}}"#))
    }

    fn answer(status: &str, text: &str) -> Value {
        parsed(&std::format!(
            r#"{{"status":"{status}","output":[{{"id":"m","type":"message","role":"assistant","status":"completed",
                "content":[{{"type":"text","text":"{text}","index":0,"delta":false}}]}}]}}"#
        ))
    }

    /// Returns the texts that the agent receives, and the rows after the turn.
    fn turn(id: &str, rows: Vec<String>, input: Vec<Value>, end: Value) -> (String, Vec<String>) {
        let mut turn =
            ConversationTurn::new(id, LatestMessages { messages: rows.clone(), is_cut: false });
        let text = |message: &Value| {
            let part = message.get("content").map(Value::items).unwrap_or_default();
            part.first().and_then(|part| part.text("text")).unwrap_or_default().to_owned()
        };
        let texts: Vec<String> = turn.begin(input).iter().map(text).collect();
        turn.end(end);
        (texts.join("|"), rows.into_iter().chain(turn.rows()).collect())
    }

    #[test]
    fn an_agent_receives_the_earlier_turns() {
        let (first, rows) = turn("1", Vec::new(), vec![user("a")], answer("completed", "A"));
        let (second, rows) = turn("2", rows, vec![user("b")], answer("completed", "B"));
        assert_eq!((&*first, &*second), ("a", "a|A|b"));
        // The same text is another message, unless its answer was cut off.
        let (third, rows) = turn("3", rows, vec![user("b")], answer("failed", "C"));
        assert_eq!(third, "a|A|b|B|b");
        let (again, rows) = turn("4", rows, vec![user("b")], answer("completed", "D"));
        assert_eq!(again, "a|A|b|B|b");
        let (last, _) = turn("5", rows, vec![user("e")], answer("completed", "E"));
        assert_eq!(last, "a|A|b|B|b|D|e");
    }

    #[test]
    fn a_client_that_sends_its_history_replaces_the_stored_one() {
        let (_, rows) = turn("1", Vec::new(), vec![user("a")], answer("completed", "A"));
        let mut own = user("B");
        own.insert("role", "assistant".into());
        let input = vec![user("b"), own, user("c")];
        let (texts, rows) = turn("2", rows, input, answer("completed", "C"));
        assert_eq!(texts, "b|B|c");
        let (texts, _) = turn("3", rows, vec![user("d")], answer("completed", "D"));
        assert_eq!(texts, "b|B|c|C|d");
    }
}
