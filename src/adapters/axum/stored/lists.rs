//! The lists of a user: the A2A tasks, and the running answers of chats.

use std::borrow::ToOwned as _;
use std::cmp::Ordering;
use std::string::String;
use std::vec::Vec;

use super::answers::list_of;
use crate::json::Value;
use crate::threads::{hash_of, parsed};

/// An entry of a list: an A2A task, or a running answer of a chat.
#[derive(Clone, Debug)]
pub(super) struct ListedAnswer {
    /// The thread.
    pub thread: String,
    /// The context of a task, or the name of a chat: a hash.
    pub name: String,
    /// The state of a task.
    pub state: String,
    /// The time of its last change, or of its request, in milliseconds since 1970.
    pub at: u64,
}

/// Returns the name of the list with a task. Without a user, the tasks of a context have a list, and
/// the id of the context is its credential.
pub(super) fn list_of_task(user: &str, context: &str) -> String {
    if user.is_empty() { hash_of(&list_of(&["tasks", context])) } else { user.to_owned() }
}

/// Returns the name of the list with the answers of a chat. Without a user, each chat has a list.
pub(super) fn list_of_chat(user: &str, chat: &str) -> String {
    if user.is_empty() { chat } else { user }.to_owned()
}

/// Returns the text of the entry of a task.
pub(super) fn task_entry(context: &str, state: &str, at: u64) -> String {
    let at = i64::try_from(at).unwrap_or(i64::MAX);
    let entry = [("contextId", context.into()), ("state", state.into()), ("at", at.into())];
    Value::from(entry).to_json()
}

/// Returns the text of the entry of a running answer.
pub(super) fn chat_entry(chat: &str, at: u64) -> String {
    let at = i64::try_from(at).unwrap_or(i64::MAX);
    Value::from([("chat", chat.into()), ("at", at.into())]).to_json()
}

/// The order of a list: the last changed first.
pub(super) fn by_change(one: &ListedAnswer, other: &ListedAnswer) -> Ordering {
    (other.at, &one.thread).cmp(&(one.at, &other.thread))
}

/// Returns a place of a list: a task that changed at this time.
pub(super) fn task_at(at: u64, thread: &str) -> ListedAnswer {
    ListedAnswer { thread: thread.to_owned(), name: String::new(), state: String::new(), at }
}

/// Returns the entries of a list with this member, the last changed first.
fn entries(entries: Vec<(String, String)>, member: &str) -> Vec<ListedAnswer> {
    let entry = |(thread, text): (String, String)| {
        let entry = parsed(&text);
        let at = match entry.get("at") {
            Some(Value::Number(digits)) => digits.parse().unwrap_or(0),
            _ => 0,
        };
        let state = entry.text("state").unwrap_or_default().to_owned();
        Some(ListedAnswer { thread, name: entry.text(member)?.to_owned(), state, at })
    };
    let mut all: Vec<ListedAnswer> = entries.into_iter().filter_map(entry).collect();
    all.sort_by(by_change);
    all
}

/// Returns the tasks in a list, the last changed first.
pub(super) fn tasks_in(list: Vec<(String, String)>) -> Vec<ListedAnswer> {
    entries(list, "contextId")
}

/// Returns the answers of a chat in a list, the latest first.
pub(super) fn answers_in(list: Vec<(String, String)>, chat: &str) -> Vec<ListedAnswer> {
    let mut answers = entries(list, "chat");
    answers.retain(|answer| answer.name == chat);
    answers
}
