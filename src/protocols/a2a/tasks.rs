//! Tasks on a server: where they are kept, what one takes, and how one is shown. (A1, A4, 2.1.)
//!
//! A task is JSON of 1.0. What to do with a call, and when, is its caller's: nothing here waits.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::request::dialect::{is_interrupted, is_terminal, object};
use super::request::{ErrorKind, ListTasks, Refusal, SendMessageRequest};
use super::timestamp;
use crate::core::{Clock, IdSource};
use crate::json::{Value, decimal};

/// Where the tasks of a server are. A page of [`list`](Self::list) is that of the operation `ListTasks`.
pub trait TaskStore {
    /// The task of that id.
    fn load(&self, id: &str) -> Option<Value>;

    /// Keeps a task, in place of the one of that id.
    fn save(&self, task: Value);

    /// Tasks, those that were saved last first: `tasks`, `nextPageToken`, `pageSize` and `totalSize`.
    fn list(&self, asked: &ListTasks) -> Value;
}

/// The state of a task: `TASK_STATE_WORKING`.
pub fn state(task: &Value) -> &str {
    task.get("status").and_then(|status| status.get("state")).and_then(Value::as_str).unwrap_or("")
}

/// Whether a task has come to its end.
pub fn has_ended(task: &Value) -> bool {
    is_terminal(state(task))
}

/// Whether a task waits for its client.
pub fn waits(task: &Value) -> bool {
    is_interrupted(state(task))
}

/// The task of that id, or that there is none.
pub fn found(task: Option<Value>, id: &str) -> Result<Value, Refusal> {
    task.ok_or_else(|| Refusal::new(ErrorKind::TaskNotFound, ["Task not found: ", id].concat()))
}

/// Whether a task can be followed: one that has ended cannot. (A1.)
pub fn may_follow(task: &Value) -> Result<(), Refusal> {
    match has_ended(task) {
        true => Err(Refusal::new(
            ErrorKind::UnsupportedOperation,
            "The task has ended and cannot be subscribed to.",
        )),
        false => Ok(()),
    }
}

/// The task as it is after it was canceled while nothing works at it, at that time. One that was canceled before stays as it is.
pub fn canceled(mut task: Value, clock: Clock) -> Result<Value, Refusal> {
    const CANCELED: &str = "TASK_STATE_CANCELED";
    match state(&task) {
        CANCELED => Ok(task),
        state if is_terminal(state) => {
            Err(Refusal::new(ErrorKind::TaskNotCancelable, "The task has ended and cannot be canceled."))
        }
        _ => {
            task.insert("status", [("state", CANCELED.into()), ("timestamp", timestamp::now(clock))].into());
            Ok(task)
        }
    }
}

/// A task with at most so many messages of its history, and with its artifacts or without.
pub fn shown(mut task: Value, history_length: Option<i64>, with_artifacts: bool) -> Value {
    if let Value::Object(members) = &mut task {
        members.retain(|member| {
            let is_left_out = member.key == "history" && history_length == Some(0)
                || member.key == "artifacts" && !with_artifacts;
            !is_left_out
        });
        for member in members.iter_mut() {
            if let (true, Some(most), Value::Array(history)) =
                (member.key == "history", history_length, &mut member.value)
            {
                let first = history.len().saturating_sub(usize::try_from(most).unwrap_or(usize::MAX));
                history.drain(..first);
            }
        }
    }
    task
}

impl SendMessageRequest {
    /// Takes the message into a task: the one that it names, as the store has it, or a new one. Afterwards the message has the ids
    /// of its task and its conversation. Gives what the task has so far, the message included, which is what its stream
    /// [begins](super::builder::StreamBuilder::task) with.
    pub fn accept(&mut self, task: Option<&Value>, ids: &mut dyn IdSource) -> Result<Value, Refusal> {
        let message = &mut self.message;
        message.task_id = message.task_id.take().filter(|id| !id.is_empty());
        message.context_id = message.context_id.take().filter(|id| !id.is_empty());
        if let Some(id) = &message.task_id {
            let task = found(task.cloned(), id)?;
            if has_ended(&task) {
                let why = ["Task ", id, " has ended and takes no messages."].concat();
                return Err(Refusal::new(ErrorKind::UnsupportedOperation, why));
            }
            let known = task.get("contextId").and_then(Value::as_str);
            if message.context_id.is_some() && message.context_id.as_deref() != known {
                let why = ["The task ", id, " is of another `contextId`."].concat();
                return Err(Refusal::new(ErrorKind::InvalidParams, why));
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

/// Whether a task is one of those that are asked for.
pub fn is_asked_for(task: &Value, asked: &ListTasks) -> bool {
    let context = task.get("contextId").and_then(Value::as_str);
    (asked.context_id.is_none() || asked.context_id.as_deref() == context)
        && asked.status.as_ref().is_none_or(|status| status == state(task))
}

/// How many tasks a page has that does not say.
pub const PAGE_SIZE: i64 = 50;

/// A page of tasks: all that are asked for, those that were saved last first. Where a page begins is how many are before it.
pub fn page<'t>(tasks: impl Iterator<Item = &'t Value>, asked: &ListTasks) -> Value {
    let from: usize = asked.page_token.as_deref().and_then(|token| token.parse().ok()).unwrap_or(0);
    let size = asked.page_size.unwrap_or(PAGE_SIZE);
    let (mut listed, mut total) = (Vec::new(), 0_usize);
    for task in tasks.filter(|task| is_asked_for(task, asked)) {
        if total >= from && (listed.len() as i64) < size {
            listed.push(shown(task.clone(), asked.history_length, asked.include_artifacts));
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

/// Tasks in memory: the last ones that were saved.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct MemoryTaskStore {
    most: usize,
    /// In the order in which they were saved.
    tasks: std::sync::Mutex<Vec<(String, Value)>>,
}

#[cfg(feature = "std")]
impl MemoryTaskStore {
    /// A store that keeps so many tasks, and forgets those that were saved longest ago.
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

    fn list(&self, asked: &ListTasks) -> Value {
        page(self.tasks().iter().rev().map(|(_, task)| task), asked)
    }
}
