//! Tasks on a server: the store, the operations on a task, and its form in a response. (A1, A4, 2.1.)
//!
//! A task is JSON of 1.0. The caller decides what to do with a call, and when: no function here waits.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::builder::now;
pub use super::request::dialect::state;
use super::request::dialect::{is_interrupted, is_terminal, object};
use super::request::{ErrorKind, ListTasks, Refusal, SendMessageRequest};
use crate::core::{Clock, IdSource};
use crate::json::{Member, Value, decimal};

/// A store of the tasks of a server. [`list`](Self::list) returns a page as the operation `ListTasks` defines it.
pub trait TaskStore {
    /// Returns the task with this id.
    fn load(&self, id: &str) -> Option<Value>;

    /// Saves a task. It replaces the task with the same id.
    fn save(&self, task: Value);

    /// Returns a page of tasks, the last saved first, with the members `tasks`, `nextPageToken`, `pageSize` and
    /// `totalSize`.
    fn list(&self, query: &ListTasks) -> Value;
}

/// Reports whether a task has ended.
pub fn has_ended(task: &Value) -> bool {
    is_terminal(state(task))
}

/// Reports whether a task waits for its client.
pub fn waits(task: &Value) -> bool {
    is_interrupted(state(task))
}

/// Returns the task, or a refusal with the id if the task does not exist.
pub fn found(task: Option<Value>, id: &str) -> Result<Value, Refusal> {
    task.ok_or_else(|| Refusal::new(ErrorKind::TaskNotFound, ["Task not found: ", id].concat()))
}

/// Refuses to subscribe to a task that has ended. (A1.)
pub fn may_follow(task: &Value) -> Result<(), Refusal> {
    match has_ended(task) {
        true => Err(Refusal::new(
            ErrorKind::UnsupportedOperation,
            "The task has ended and cannot be subscribed to.",
        )),
        false => Ok(()),
    }
}

/// Cancels a task that is not in progress: sets its state, and the time of the clock. A task that was canceled before
/// is returned unchanged; a task that ended in another state is refused.
pub fn canceled(mut task: Value, clock: Clock) -> Result<Value, Refusal> {
    const CANCELED: &str = "TASK_STATE_CANCELED";
    match state(&task) {
        CANCELED => Ok(task),
        state if is_terminal(state) => {
            Err(Refusal::new(ErrorKind::TaskNotCancelable, "The task has ended and cannot be canceled."))
        }
        _ => {
            task.insert("status", [("state", CANCELED.into()), ("timestamp", now(clock))].into());
            Ok(task)
        }
    }
}

/// Returns a task with at most `history_length` messages, the last ones of its history, and with or without its
/// artifacts.
pub fn shown(mut task: Value, history_length: Option<i64>, with_artifacts: bool) -> Value {
    let Value::Object(members) = &mut task else { return task };
    members.retain(|member| match member.key.as_str() {
        "history" => history_length != Some(0),
        "artifacts" => with_artifacts,
        _ => true,
    });
    let history = members.iter_mut().find(|member| member.key == "history");
    if let (Some(most), Some(Member { value: Value::Array(history), .. })) = (history_length, history) {
        let first = history.len().saturating_sub(usize::try_from(most).unwrap_or(usize::MAX));
        history.drain(..first);
    }
    task
}

impl SendMessageRequest {
    /// Takes the message into a task: the task that the message names, as the store has it, or a new one. Sets the ids
    /// of the task and the conversation in the message. Returns the artifacts, the history and the metadata of the
    /// task, including the message, which the stream of the task [begins](super::builder::StreamBuilder::task) with.
    pub fn accept(&mut self, task: Option<&Value>, ids: &mut dyn IdSource) -> Result<Value, Refusal> {
        let message = &mut self.message;
        message.task_id = message.task_id.take().filter(|id| !id.is_empty());
        message.context_id = message.context_id.take().filter(|id| !id.is_empty());
        if let Some(id) = &message.task_id {
            let task = found(task.cloned(), id)?;
            if has_ended(&task) {
                let reason = ["Task ", id, " has ended and accepts no messages."].concat();
                return Err(Refusal::new(ErrorKind::UnsupportedOperation, reason));
            }
            let known = task.get("contextId").and_then(Value::as_str);
            if message.context_id.is_some() && message.context_id.as_deref() != known {
                let reason = ["The task ", id, " is of another `contextId`."].concat();
                return Err(Refusal::new(ErrorKind::InvalidParams, reason));
            }
            message.context_id = known.map(ToOwned::to_owned);
        }
        message.task_id.get_or_insert_with(|| ids.next_id(""));
        message.context_id.get_or_insert_with(|| ids.next_id(""));
        let member = |key: &str| task.and_then(|task| task.get(key)).cloned();
        let mut history = match member("history") {
            Some(Value::Array(history)) => history,
            _ => Vec::new(),
        };
        history.push(message.to_value());
        if let Some(task) = task {
            self.answering(task);
        }
        Ok(object([
            ("artifacts", member("artifacts")),
            ("history", Some(Value::Array(history))),
            ("metadata", member("metadata")),
        ]))
    }
}

/// Reports whether a task has the requested conversation and state.
pub fn is_asked_for(task: &Value, query: &ListTasks) -> bool {
    let context = task.get("contextId").and_then(Value::as_str);
    (query.context_id.is_none() || query.context_id.as_deref() == context)
        && query.status.as_ref().is_none_or(|status| status == state(task))
}

/// The number of tasks on a page if the request does not set it.
pub const PAGE_SIZE: i64 = 50;

/// Returns a page of the tasks that match the request, in the order of `tasks`: the last saved task comes first. The
/// token of a page is the number of tasks before it.
pub fn page<'t>(tasks: impl Iterator<Item = &'t Value>, query: &ListTasks) -> Value {
    let from: usize = query.page_token.as_deref().and_then(|token| token.parse().ok()).unwrap_or(0);
    let size = query.page_size.unwrap_or(PAGE_SIZE);
    let (mut listed, mut total) = (Vec::new(), 0_usize);
    for task in tasks.filter(|task| is_asked_for(task, query)) {
        if total >= from && (listed.len() as i64) < size {
            listed.push(shown(task.clone(), query.history_length, query.include_artifacts));
        }
        total += 1;
    }
    let next = from.saturating_add(listed.len());
    let token = if next < total { decimal(next as i64) } else { String::new() };
    [
        ("tasks", Value::Array(listed)),
        ("nextPageToken", token.into()),
        ("pageSize", size.into()),
        ("totalSize", (total as i64).into()),
    ]
    .into()
}

/// A store in memory, which keeps the tasks that were saved last.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct MemoryTaskStore {
    most: usize,
    /// The ids and the tasks, in the order in which they were saved.
    tasks: std::sync::Mutex<Vec<(String, Value)>>,
}

#[cfg(feature = "std")]
impl MemoryTaskStore {
    /// Creates a store that keeps `most` tasks, but at least one, and drops the task that was saved the longest ago.
    pub fn new(most: usize) -> Self {
        MemoryTaskStore { most: most.max(1), tasks: std::sync::Mutex::default() }
    }

    fn tasks(&self) -> std::sync::MutexGuard<'_, Vec<(String, Value)>> {
        self.tasks.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(feature = "std")]
impl Default for MemoryTaskStore {
    fn default() -> Self {
        const MOST: usize = 1000;
        Self::new(MOST)
    }
}

#[cfg(feature = "std")]
impl TaskStore for MemoryTaskStore {
    fn load(&self, id: &str) -> Option<Value> {
        self.tasks().iter().rev().find(|(known, _)| known == id).map(|(_, task)| task.clone())
    }

    fn save(&self, task: Value) {
        let id = task.get("id").and_then(Value::as_str).unwrap_or("").to_owned();
        let mut tasks = self.tasks();
        tasks.retain(|(known, _)| *known != id);
        if tasks.len() == self.most {
            tasks.remove(0);
        }
        tasks.push((id, task));
    }

    fn list(&self, query: &ListTasks) -> Value {
        page(self.tasks().iter().rev().map(|(_, task)| task), query)
    }
}
