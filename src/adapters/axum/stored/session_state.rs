//! The state of a session of AgentScope: its latest messages, and what waits for the client.

use std::borrow::ToOwned as _;
use std::string::String;
use std::vec::Vec;

use super::Stored;
use super::answers::{AnswerCall, is_missing};
use super::request::StoredRequest;
use super::session_events::items_of;
use super::session_messages::{messages_of_input, messages_of_rows};
use crate::json::Value;
use crate::threads::{Refusal, Until};

/// The number of messages in an answer, by default and at most.
const PAGE: (usize, usize) = (50, 200);
/// The number of bytes of the latest turns that are read at first.
const FIRST_READ: usize = 1 << 16;
/// The states of a call that waits: for the permission of the user, and for its execution.
pub(super) const ASKING: &str = "asking";
pub(super) const SUBMITTED: &str = "submitted";

/// The state of a session.
pub(super) struct Session {
    /// The latest messages, or all if less are asked for; those of a reply that is being written
    /// without the reply.
    pub messages: Vec<Value>,
    /// The id of the last run whose messages are among them.
    pub cursor: Option<String>,
    pub is_running: bool,
    /// The id of the last reply, and its calls that wait for the client.
    pub reply: String,
    pub waiting: Vec<Value>,
}

impl Session {
    /// Returns the status, as the service names it.
    pub fn status(&self) -> &'static str {
        let is_asking = || self.waiting.iter().any(|call| call.text("state") == Some(ASKING));
        match self.waiting.is_empty() {
            _ if self.is_running => "running",
            true => "idle",
            false if is_asking() => "awaiting_permission",
            false => "awaiting_external_result",
        }
    }

    /// Returns a page of messages.
    pub fn page(&self, page: &Page) -> Value {
        let all = &self.messages[..page.end(&self.messages).unwrap_or(self.messages.len())];
        let first = all.len().saturating_sub(page.limit);
        let cursor = self.cursor.as_deref().filter(|_| page.before.is_none());
        Value::from([
            ("messages", Value::Array(all[first..].to_vec())),
            ("event_cursor", cursor.map(Value::from).unwrap_or_default()),
            ("is_running", self.is_running.into()),
            ("has_more", (first > 0).into()),
        ])
    }
}

/// The messages that a request asks for, the latest ones by default.
pub(super) struct Page {
    /// The id of the message after them.
    before: Option<String>,
    limit: usize,
}

impl Page {
    pub fn of(call: &AnswerCall) -> Self {
        let limit = call.query("limit").and_then(|limit| limit.parse::<f64>().ok());
        let limit = limit.map(|limit| limit as i64).filter(|limit| *limit != 0);
        let limit = limit.map_or(PAGE.0, |limit| limit.clamp(1, PAGE.1 as i64) as usize);
        Page { before: call.query("before"), limit }
    }

    /// Returns the place of the message after the page; `None` if it is not there.
    fn end(&self, messages: &[Value]) -> Option<usize> {
        let before = self.before.as_deref()?;
        messages.iter().position(|message| message.text("id") == Some(before))
    }

    /// Returns whether messages have the page and one before it.
    pub fn is_in(&self, messages: &[Value]) -> bool {
        let end = match self.before {
            None => Some(messages.len()),
            Some(_) => self.end(messages),
        };
        end.is_some_and(|end| end > self.limit)
    }
}

impl Stored {
    /// Reads a session. One that has not begun is empty. `is_enough` returns whether no messages before
    /// these are needed, of which there is at least one.
    pub(super) async fn load_session(
        &self,
        user: &str,
        name: &str,
        is_enough: impl Fn(&[Value]) -> bool,
    ) -> Result<Session, Refusal> {
        let thread = self.threads.get(name);
        let latest = present(thread.entries(Some(user), None, Until::Now).await)?;
        let mut limit = FIRST_READ;
        let (mut messages, cursor) = loop {
            let read = present(thread.messages(user, limit).await)?.unwrap_or_default();
            let (mut messages, cursor) = messages_of_rows(&read.messages);
            if !read.is_cut {
                break (messages, cursor);
            }
            // A reply before the first message of the user may be there in part.
            let is_user = |message: &Value| message.text("role") == Some("user");
            let begin = messages.iter().position(is_user).unwrap_or(messages.len());
            drop(messages.drain(..begin));
            if !messages.is_empty() && is_enough(&messages) {
                break (messages, cursor);
            }
            limit = limit.saturating_mul(8);
        };
        let running = latest.filter(|latest| !latest.has_ended);
        let running = running.map(|running| StoredRequest::parse(&running.input));
        // A reply that has ended since is among the messages.
        let running = running.filter(|running| running.run_id != cursor);
        let last = messages.last().filter(|last| last.text("role") == Some("assistant"));
        let reply = last.and_then(|last| last.text("id")).unwrap_or_default().to_owned();
        let waiting = match (last, &running) {
            (Some(last), None) => waiting_in(last),
            _ => Vec::new(),
        };
        let is_running = running.is_some();
        if let Some(running) = running {
            messages.extend(messages_of_input(&running.body));
        }
        Ok(Session { messages, cursor, is_running, reply, waiting })
    }
}

/// Returns the calls of a reply that wait for the client.
fn waiting_in(reply: &Value) -> Vec<Value> {
    let of_type =
        |kind| items_of(reply, "content").filter(move |block| block.text("type") == Some(kind));
    let is_done = |call: &Value| {
        of_type("tool_result").any(|result| {
            result.text("state") != Some("running") && result.text("id") == call.text("id")
        })
    };
    let waits =
        |call: &&Value| matches!(call.text("state"), Some(ASKING | SUBMITTED)) && !is_done(call);
    of_type("tool_call").filter(waits).cloned().collect()
}

/// Returns what is there; `None` for a session that has not begun.
pub(super) fn present<T>(read: Result<T, Refusal>) -> Result<Option<T>, Refusal> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(refusal) if is_missing(&refusal) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}
