//! The events of one task: the task itself, and its updates. (A1 to A7.)
//!
//! Each method returns an event in the dialect and binding of the [`Reply`], or `None` for one that
//! a reader could not read, and then changes nothing.
//!
//! Text is sent as parts that are appended. Stores keep each of them as a part (A5), so
//! [`complete`](TaskWriter::complete) sends an artifact of at most 512 KiB once more as a whole,
//! which replaces them. An artifact that is complete from the beginning is one event:
//! [`whole`](TaskWriter::whole).

mod artifacts;

use alloc::{string::String, vec::Vec};

use crate::bytes::string_map::StringMap;
use crate::core::id::iso8601;
use crate::core::{Clock, WireEvent};
use crate::json::Value;
use crate::protocols::a2a::TaskState;
use crate::protocols::a2a::request::dialect::object;
use crate::protocols::a2a::request::{Message, Part, Reply};
pub(super) use artifacts::{ArtifactInfo, are_readable, is_readable, size};
use artifacts::{Template, WrittenArtifact};

/// Writes the stream of one task.
#[derive(Debug)]
pub(super) struct TaskWriter {
    reply: Reply,
    task_id: String,
    context_id: String,
    /// Whether [`complete`](Self::complete) sends an artifact of at most 512 KiB once more. Of an
    /// artifact that is not sent once more, stores keep a part for each piece (A5), and the last
    /// event has no parts.
    resend: bool,
    /// The clock for the `timestamp` of each status, which has none without a clock.
    clock: Option<Clock>,
    state: TaskProgress,
    artifacts: StringMap<WrittenArtifact>,
    /// The ids of the artifacts, in the order in which they began.
    begun: Vec<String>,
    template: Option<Template>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TaskProgress {
    Nothing,
    Task,
    Ended,
}

impl TaskWriter {
    /// Creates a writer for the stream of a task with these ids of the task and the conversation.
    pub(super) fn new(
        (task_id, context_id): (String, String),
        reply: Reply,
        resend: bool,
        clock: Option<Clock>,
    ) -> Self {
        TaskWriter {
            reply,
            task_id,
            context_id,
            resend,
            clock,
            state: TaskProgress::Nothing,
            artifacts: StringMap::default(),
            begun: Vec::new(),
            template: None,
        }
    }

    /// Returns the first event: the task in the state submitted. For a task that continues,
    /// `so_far` has its `history`, `artifacts` and `metadata` in the form of 1.0.
    pub(super) fn task(&mut self, so_far: Option<&Value>) -> Option<WireEvent> {
        if self.state != TaskProgress::Nothing {
            return None;
        }
        let status = self.status_of(TaskState::Submitted, None);
        let mut task = Value::from([
            ("id", self.task_id.as_str().into()),
            ("contextId", self.context_id.as_str().into()),
            ("status", status),
        ]);
        for key in ["artifacts", "history", "metadata"] {
            if let Some(value) =
                so_far.and_then(|so_far| so_far.get(key)).filter(|value| !value.is_null())
            {
                if !is_readable(value) {
                    return None;
                }
                task.insert(key, value.clone());
            }
        }
        self.state = TaskProgress::Task;
        Some(self.reply.event([("task", task)].into()))
    }

    /// Returns the event with a state of the task, the agent's message about it (its id and parts),
    /// and metadata, which stores merge into that of the task (A8). A terminal state ends the
    /// stream, and so does a state that waits for the client.
    pub(super) fn status(
        &mut self,
        state: TaskState,
        message: Option<(&str, Vec<Part>)>,
        metadata: Option<Value>,
    ) -> Option<WireEvent> {
        let may_have = message.as_ref().is_none_or(|(_, parts)| are_readable(parts))
            && metadata.as_ref().is_none_or(is_readable);
        if !self.is_open() || !may_have {
            return None;
        }
        if state.is_terminal() || state.is_interrupted() {
            self.state = TaskProgress::Ended;
        }
        let message = message.map(|(id, parts)| self.agent_message(id, parts));
        let status = self.status_of(state, message);
        Some(self.update("statusUpdate", [("status", Some(status)), ("metadata", metadata)]))
    }

    /// Ends the stream in any state: completes the open artifacts, and sets the task to failed if
    /// there is an error, otherwise to completed.
    pub(super) fn finish(&mut self, error: Option<&str>) -> Vec<WireEvent> {
        let mut events = Vec::new();
        events.extend(self.task(None));
        for id in core::mem::take(&mut self.begun) {
            // An artifact that is complete already has no event.
            events.extend(self.complete(&id, None));
        }
        let message = error.map(|error| Vec::from([Part::text(error)]));
        let id = [&self.task_id, "_error"].concat();
        let state = if error.is_some() { TaskState::Failed } else { TaskState::Completed };
        events.extend(self.status(state, message.map(|parts| (id.as_str(), parts)), None));
        events
    }

    /// Returns an event with a result that another server has sent. Clients may not recognize it.
    pub(super) fn passed(&self, result: &Value) -> Option<WireEvent> {
        self.is_open().then(|| self.reply.passed(result))
    }

    /// Returns whether the last event was written.
    pub(super) fn is_ended(&self) -> bool {
        self.state == TaskProgress::Ended
    }

    fn is_open(&self) -> bool {
        self.state == TaskProgress::Task
    }

    fn update<const N: usize>(&self, name: &str, members: [(&str, Option<Value>); N]) -> WireEvent {
        let mut update = Value::from([
            ("taskId", self.task_id.as_str().into()),
            ("contextId", self.context_id.as_str().into()),
        ]);
        for (key, value) in members {
            if let Some(value) = value {
                update.insert(key, value);
            }
        }
        self.reply.event([(name, update)].into())
    }

    fn status_of(&self, state: TaskState, message: Option<Value>) -> Value {
        let timestamp = self.clock.map(|clock| iso8601(clock()).into());
        object([
            ("state", Some(state.as_str().into())),
            ("message", message),
            ("timestamp", timestamp),
        ])
    }

    fn agent_message(&self, id: &str, parts: Vec<Part>) -> Value {
        let mut message = Message::user(id, parts);
        message.role = "ROLE_AGENT".into();
        message.context_id = Some(self.context_id.clone());
        message.task_id = Some(self.task_id.clone());
        message.into_value()
    }
}
