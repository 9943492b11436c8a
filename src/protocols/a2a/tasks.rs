//! Tasks on a server: the store, the operations on a task, and its form in a response. (A1, A4,
//! 2.1.)
//!
//! A task is JSON of 1.0. The caller decides what to do with a call, and when: no function here
//! waits.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

pub use super::request::dialect::state;
use super::request::dialect::{is_interrupted, is_terminal, object};
use super::request::{ANSWERS, ErrorKind, ListTasks, Part, RefusedOperation, SendMessageRequest};
use crate::core::id::iso8601;
use crate::core::violation::excerpt;
use crate::core::{Clock, IdSource};
use crate::json::{Member, Value, decimal};

/// A store of the tasks of a server.
///
/// A task belongs to its `owner`: the user of the request that started it, or `None` without a
/// user. The tasks of other owners do not exist for a caller. Without a user, the id of a task, or
/// of its conversation, grants access to it.
pub trait TaskStore {
    /// Returns the task of the owner with this id.
    fn load(&self, owner: Option<&str>, id: &str) -> Option<Value>;

    /// Saves a task of the owner. It replaces the task with the same id.
    fn save(&self, owner: Option<&str>, task: Value);

    /// Returns a page of the tasks of the owner, the last saved first, with the members `tasks`,
    /// `nextPageToken`, `pageSize` and `totalSize`, as the operation `ListTasks` defines it.
    ///
    /// # Errors
    ///
    /// The refusal of [`may_list`].
    fn list(&self, owner: Option<&str>, query: &ListTasks) -> Result<Value, RefusedOperation>;
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
pub fn found(task: Option<Value>, id: &str) -> Result<Value, RefusedOperation> {
    task.ok_or_else(|| {
        RefusedOperation::new(ErrorKind::TaskNotFound, ["Task not found: ", &excerpt(id)].concat())
    })
}

/// Refuses to subscribe to a task that has ended. (A1.)
pub fn may_follow(task: &Value) -> Result<(), RefusedOperation> {
    match has_ended(task) {
        true => Err(RefusedOperation::new(
            ErrorKind::UnsupportedOperation,
            "The task has ended and cannot be subscribed to.",
        )),
        false => Ok(()),
    }
}

/// Cancels a task that is not in progress: sets its state, and the time of the clock. A task that
/// was canceled before is returned unchanged; a task that ended in another state is refused.
pub fn canceled(mut task: Value, clock: Clock) -> Result<Value, RefusedOperation> {
    const CANCELED: &str = "TASK_STATE_CANCELED";
    match state(&task) {
        CANCELED => Ok(task),
        state if is_terminal(state) => Err(RefusedOperation::new(
            ErrorKind::TaskNotCancelable,
            "The task has ended and cannot be canceled.",
        )),
        _ => {
            task.insert(
                "status",
                [("state", CANCELED.into()), ("timestamp", iso8601(clock()).into())].into(),
            );
            Ok(task)
        }
    }
}

/// Returns a task with at most `history_length` messages, the last ones of its history, and with or
/// without its artifacts.
pub fn shown(mut task: Value, history_length: Option<i64>, with_artifacts: bool) -> Value {
    let Value::Object(members) = &mut task else { return task };
    members.retain(|member| match member.key.as_str() {
        "history" => history_length != Some(0),
        "artifacts" => with_artifacts,
        _ => true,
    });
    let history = members.iter_mut().find(|member| member.key == "history");
    if let (Some(most), Some(Member { value: Value::Array(history), .. })) =
        (history_length, history)
    {
        let first = history.len().saturating_sub(usize::try_from(most).unwrap_or(usize::MAX));
        history.drain(..first);
    }
    task
}

impl SendMessageRequest {
    /// Takes the message into a task: the task that the message names, as the store has it, or a
    /// new one. Sets the ids of the task and the conversation in the message. Returns the
    /// artifacts, the history and the metadata of the task, including the message, which the stream
    /// of the task begins with.
    pub fn accept(
        &mut self,
        task: Option<&Value>,
        ids: &mut dyn IdSource,
    ) -> Result<Value, RefusedOperation> {
        let message = &mut self.message;
        message.task_id = message.task_id.take().filter(|id| !id.is_empty());
        message.context_id = message.context_id.take().filter(|id| !id.is_empty());
        if let Some(id) = &message.task_id {
            let task = found(task.cloned(), id)?;
            if has_ended(&task) {
                let reason =
                    ["Task ", &excerpt(id), " has ended and accepts no messages."].concat();
                return Err(RefusedOperation::new(ErrorKind::UnsupportedOperation, reason));
            }
            let known = task.get("contextId").and_then(Value::as_str);
            if message.context_id.is_some() && message.context_id.as_deref() != known {
                let reason = ["The task ", &excerpt(id), " is of another `contextId`."].concat();
                return Err(RefusedOperation::new(ErrorKind::InvalidParams, reason));
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
        history.push(message.clone().into_value());
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

impl SendMessageRequest {
    /// Takes the message as an answer if its task waits for one: the first text or data of the
    /// message answers the first question of the task, unless a part has the id of a question.
    /// `task` has the form of 1.0.
    pub fn answering(&mut self, task: &Value) {
        let message = task.get("status").and_then(|status| status.get("message"));
        let parts = message
            .and_then(|message| message.get("parts"))
            .filter(|_| is_interrupted(state(task)));
        let Some(Value::Array(parts)) = parts else { return };
        let mut ids = parts.iter().filter_map(|part| part.get("data")?.get("id")?.as_str());
        let Some(id) = ids.next() else { return };
        let named =
            |part: &Part| part.data.as_ref().is_some_and(|data| data.get(ANSWERS).is_some());
        if self.message.parts.iter().any(named) {
            return;
        }
        let found =
            self.message.parts.iter_mut().find(|part| part.data.is_some() || part.text.is_some());
        if let Some(part) = found {
            let answer =
                part.data.take().or_else(|| part.text.take().map(word)).unwrap_or_default();
            *part = Part::data([(ANSWERS, id.into()), ("answer", answer)].into());
        }
    }
}

/// Normalizes the text of an approval to the form that the hub recognizes.
fn word(text: String) -> Value {
    text.trim().trim_end_matches(['.', '!']).to_lowercase().into()
}

/// Refuses to list all tasks without a user: they are the tasks of all callers.
pub fn may_list(owner: Option<&str>, query: &ListTasks) -> Result<(), RefusedOperation> {
    match owner.is_none() && query.context_id.is_none() {
        true => Err(RefusedOperation::new(
            ErrorKind::InvalidParams,
            "`contextId` is required: tasks are listed by their context.",
        )),
        false => Ok(()),
    }
}

impl ListTasks {
    /// Reports whether a task of this conversation and with this state is requested.
    pub fn matches(&self, context: &str, state: &str) -> bool {
        self.context_id.as_deref().is_none_or(|wanted| wanted == context)
            && self.status.as_deref().is_none_or(|wanted| wanted == state)
    }
}

/// The number of tasks on a page if the request does not set it.
pub const PAGE_SIZE: i64 = 50;

/// The number of bytes of the tasks on a page. The next page continues with the task that exceeds
/// it; a page has at least one task.
pub const PAGE_BYTES: usize = 4 << 20;

/// Returns a page of the tasks that [match](ListTasks::matches) the request, in the order of
/// `tasks`: the last saved task comes first. `load` reads a task of the page; the others are only
/// counted. The token of a page is the number of tasks before it.
pub fn page<T>(
    tasks: impl Iterator<Item = T>,
    query: &ListTasks,
    load: impl Fn(T) -> Value,
) -> Value {
    let from: usize = query.page_token.as_deref().and_then(|token| token.parse().ok()).unwrap_or(0);
    let size = query.page_size.unwrap_or(PAGE_SIZE);
    let (mut listed, mut total, mut bytes) = (Vec::new(), 0_usize, 0);
    for task in tasks {
        if total >= from && (listed.len() as i64) < size && bytes < PAGE_BYTES {
            let task = shown(load(task), query.history_length, query.include_artifacts);
            bytes += task.to_json().len();
            if listed.is_empty() || bytes <= PAGE_BYTES {
                listed.push(task);
            }
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

/// A store in memory. It keeps the tasks that were saved last, as JSON text.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct MemoryTaskStore {
    max_tasks: usize,
    max_bytes: usize,
    kept: std::sync::Mutex<KeptTasks>,
}

/// The tasks in the order in which they were saved, and the bytes of their texts.
#[cfg(feature = "std")]
#[derive(Debug, Default)]
struct KeptTasks {
    tasks: alloc::collections::VecDeque<KeptTask>,
    bytes: usize,
}

#[cfg(feature = "std")]
#[derive(Debug)]
struct KeptTask {
    owner: Option<String>,
    id: String,
    context: String,
    state: String,
    json: String,
}

#[cfg(feature = "std")]
impl KeptTask {
    fn is(&self, owner: Option<&str>, id: &str) -> bool {
        self.owner.as_deref() == owner && self.id == id
    }

    fn task(&self) -> Value {
        Value::parse(&self.json, u32::MAX).unwrap_or_default()
    }

    fn bytes(&self) -> usize {
        let Self { owner, id, context, state, json } = self;
        size_of::<Self>()
            + [id, context, state, json].map(String::len).iter().sum::<usize>()
            + owner.as_ref().map_or(0, String::len)
    }
}

#[cfg(feature = "std")]
impl MemoryTaskStore {
    /// Creates a store that keeps at most so many tasks, with at most so many bytes. It drops the
    /// task that was saved the longest ago, and does not keep a task that exceeds `max_bytes` by
    /// itself. Default: 1,000 tasks, 64 MiB.
    pub fn new(max_tasks: usize, max_bytes: usize) -> Self {
        MemoryTaskStore { max_tasks, max_bytes, kept: std::sync::Mutex::default() }
    }

    /// Saves a task of the owner whose id, conversation and state are known: its JSON is not
    /// parsed.
    pub fn save_json(
        &self,
        owner: Option<&str>,
        id: &str,
        context: &str,
        state: &str,
        json: String,
    ) {
        let [id, context, state] = [id, context, state].map(ToOwned::to_owned);
        let task = KeptTask { owner: owner.map(ToOwned::to_owned), id, context, state, json };
        let mut kept = self.kept();
        if let Some(at) = kept.tasks.iter().rposition(|kept| kept.is(owner, &task.id)) {
            let before = kept.tasks.remove(at);
            kept.bytes -= before.map_or(0, |before| before.bytes());
        }
        kept.bytes += task.bytes();
        kept.tasks.push_back(task);
        while kept.tasks.len() > self.max_tasks || kept.bytes > self.max_bytes {
            let Some(oldest) = kept.tasks.pop_front() else { break };
            kept.bytes -= oldest.bytes();
        }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, KeptTasks> {
        self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(feature = "std")]
impl Default for MemoryTaskStore {
    fn default() -> Self {
        Self::new(1000, 64 << 20)
    }
}

#[cfg(feature = "std")]
impl TaskStore for MemoryTaskStore {
    fn load(&self, owner: Option<&str>, id: &str) -> Option<Value> {
        self.kept().tasks.iter().rev().find(|task| task.is(owner, id)).map(KeptTask::task)
    }

    fn save(&self, owner: Option<&str>, task: Value) {
        let text = |key: &str| task.get(key).and_then(Value::as_str).unwrap_or_default();
        self.save_json(owner, text("id"), text("contextId"), state(&task), task.to_json());
    }

    fn list(&self, owner: Option<&str>, query: &ListTasks) -> Result<Value, RefusedOperation> {
        may_list(owner, query)?;
        let kept = self.kept();
        let of_owner = kept.tasks.iter().rev().filter(|task| task.owner.as_deref() == owner);
        let matching = of_owner.filter(|task| query.matches(&task.context, &task.state));
        Ok(page(matching, query, KeptTask::task))
    }
}
