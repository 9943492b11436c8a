//! A builder of streams that cannot be invalid: a task and its updates, or one message. (A1 to A7.)
//!
//! Every method for an event returns it as a [`WireEvent`], in the dialect and binding of the
//! [`Reply`]. A call that would make the stream invalid returns a [`UsageError`], which names the call to use instead, and changes nothing.
//! The events must be sent in the order in which they were made;
//! [`sse::comment`](crate::sse::comment) between any two keeps a connection alive.
//!
//! Text is sent as parts that are appended. Stores keep each of them as a part (A5), so
//! [`complete`](StreamBuilder::complete) sends an artifact of at most 512 KiB once more as a whole, which replaces them.
//! [`resend`](StreamBuilder::resend) disables this, which avoids sending the content twice. An artifact that is
//! complete from the beginning is one event: [`whole`](StreamBuilder::whole).
//!
//! ```
//! use agentwire::a2a::TaskState;
//! use agentwire::a2a::builder::StreamBuilder;
//! use agentwire::a2a::request::Reply;
//!
//! # fn main() -> Result<(), agentwire::UsageError> {
//! let mut out = StreamBuilder::new("t", "c", Reply::default());
//! assert_eq!(out.text("a", 0, "Hi", None).unwrap_err().code, "task-missing");
//! let stream = [
//!     out.task(None)?,
//!     out.text("a", 0, "It is ", None)?,
//!     out.text("a", 0, "sunny.", None)?,
//!     out.complete("a", None)?,
//!     out.status(TaskState::Completed, None, None)?,
//! ];
//! assert_eq!(
//!     stream[2].json(),
//!     r#"{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"sunny.","metadata":{"index":0}}]},"append":true}}}"#,
//! );
//! assert_eq!(out.text("a", 0, "!", None).unwrap_err().code, "stream-ended");
//! # Ok(())
//! # }
//! ```

mod artifacts;

use alloc::{string::String, vec::Vec};

use super::model::TaskState;
use super::request::dialect::object;
use super::request::{ErrorKind, Message, Part, Reply};
use crate::bytes::string_map::StringMap;
use crate::core::id::iso8601;
pub(crate) use crate::core::wire::WireEvent;
use crate::core::{Clock, UsageError};
use crate::json::Value;
pub use artifacts::ArtifactInfo;
#[cfg(feature = "hub")]
pub(super) use artifacts::size;
use artifacts::{Artifact, Template, check, free};

/// Builds the stream of one task, or of one message.
#[derive(Debug)]
pub struct StreamBuilder {
    reply: Reply,
    task_id: String,
    context_id: String,
    resend: bool,
    clock: Option<Clock>,
    state: State,
    artifacts: StringMap<Artifact>,
    /// The ids of the artifacts, in the order in which they began.
    begun: Vec<String>,
    template: Option<Template>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Nothing,
    Task,
    Ended,
}

impl StreamBuilder {
    /// Creates a builder for the stream of a task with these ids of the task and the conversation.
    pub fn new(task_id: impl Into<String>, context_id: impl Into<String>, reply: Reply) -> Self {
        StreamBuilder {
            reply,
            task_id: task_id.into(),
            context_id: context_id.into(),
            resend: true,
            clock: None,
            state: State::Nothing,
            artifacts: StringMap::default(),
            begun: Vec::new(),
            template: None,
        }
    }

    /// Sets whether [`complete`](Self::complete) sends an artifact of at most 512 KiB once more as
    /// a whole; true by default. Of an artifact that is not sent once more, stores keep a part for
    /// each piece (A5), and the last event has no parts.
    pub fn resend(mut self, resend: bool) -> Self {
        self.resend = resend;
        self
    }

    /// Sets the clock for the `timestamp` of each status. Without a clock a status has no
    /// timestamp.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Returns the first event: the task in the state submitted. For a task that continues,
    /// `so_far` has its `history`, `artifacts` and `metadata` in the form of 1.0.
    pub fn task(&mut self, so_far: Option<&Value>) -> Result<WireEvent, UsageError> {
        const CALL: &str = "task()";
        if self.state != State::Nothing {
            return Err(self.refuse(CALL, "task-repeated", "send it once, as the first event"));
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
                free(value, CALL)?;
                task.insert(key, value.clone());
            }
        }
        self.state = State::Task;
        Ok(self.reply.event([("task", task)].into()))
    }

    /// Returns the only event of a stream without a task: a whole message of the agent.
    pub fn message(&mut self, message_id: &str, parts: &[Part]) -> Result<WireEvent, UsageError> {
        const CALL: &str = "message()";
        if self.state != State::Nothing {
            return Err(self.refuse(
                CALL,
                "message-after-task",
                "a stream is one message or a task: use artifacts",
            ));
        }
        check(parts, CALL)?;
        self.state = State::Ended;
        let message = self.agent_message(message_id, parts.to_vec(), false);
        Ok(self.reply.event([("message", message)].into()))
    }

    /// Returns the event with a state of the task, the agent's message about it (its id and parts),
    /// and metadata, which stores merge into that of the task (A8). A terminal state ends the
    /// stream, and so does a state that waits for the client.
    pub fn status(
        &mut self,
        state: TaskState,
        message: Option<(&str, &[Part])>,
        metadata: Option<Value>,
    ) -> Result<WireEvent, UsageError> {
        self.status_with(state, message.map(|(id, parts)| (id, parts.to_vec())), metadata)
    }

    /// Does the same without a copy of the parts.
    pub(in crate::protocols::a2a) fn status_with(
        &mut self,
        state: TaskState,
        message: Option<(&str, Vec<Part>)>,
        metadata: Option<Value>,
    ) -> Result<WireEvent, UsageError> {
        const CALL: &str = "status()";
        self.is_open(CALL)?;
        if matches!(state, TaskState::Unspecified | TaskState::Unrecognized) {
            let instead = "use a state that clients recognize: they ignore others";
            return Err(UsageError::new(
                "state-unknown",
                [CALL, " was given `", state.as_str(), "`"].concat(),
                instead,
            ));
        }
        let message = match message {
            Some((id, parts)) => {
                check(&parts, CALL)?;
                Some(self.agent_message(id, parts, true))
            }
            None => None,
        };
        if let Some(metadata) = &metadata {
            free(metadata, CALL)?;
        }
        if state.is_terminal() || state.is_interrupted() {
            self.state = State::Ended;
        }
        let status = self.status_of(state, message);
        Ok(self.update("statusUpdate", [("status", Some(status)), ("metadata", metadata)]))
    }

    /// Ends the stream in any state: completes the open artifacts, and sets the task to failed if
    /// there is an error, otherwise to completed. This method is for aborts, errors and drops: it
    /// cannot fail, and returns no events after the end.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&mut self, error: Option<&str>) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if self.state == State::Nothing {
            events.extend(self.task(None));
        }
        for id in core::mem::take(&mut self.begun) {
            // Artifacts that are complete already are refused.
            events.extend(self.complete(&id, None));
        }
        let message = error.map(|error| Vec::from([Part::text(error)]));
        let id = [&self.task_id, "_error"].concat();
        let state = if error.is_some() { TaskState::Failed } else { TaskState::Completed };
        events.extend(self.status_with(state, message.map(|parts| (id.as_str(), parts)), None));
        events
    }

    /// Returns a JSON-RPC error instead of further events. Clients throw it. (A9.)
    pub fn error(&mut self, kind: ErrorKind, message: &str) -> Result<WireEvent, UsageError> {
        const CALL: &str = "error()";
        if self.state == State::Ended {
            self.is_open(CALL)?;
        }
        self.state = State::Ended;
        Ok(self.reply.error_event(kind, message))
    }

    /// Returns an event with a result that another server has sent. Clients may not recognize it.
    #[cfg(feature = "hub")]
    pub(super) fn passed(&self, result: &Value) -> Result<WireEvent, UsageError> {
        self.is_open("passed()")?;
        Ok(self.reply.passed(result))
    }

    /// Reports whether a status can have these metadata.
    #[cfg(feature = "hub")]
    pub(in crate::protocols::a2a) fn accepts(metadata: &Value) -> bool {
        free(metadata, "status()").is_ok()
    }

    /// Reports whether a message can have this part.
    #[cfg(feature = "hub")]
    pub(in crate::protocols::a2a) fn accepts_part(part: &Part) -> bool {
        check(core::slice::from_ref(part), "status()").is_ok()
    }

    /// Reports whether the last event was made.
    pub fn is_ended(&self) -> bool {
        self.state == State::Ended
    }

    /// Reports whether there is an artifact with this id, complete or not.
    pub(super) fn has(&self, id: &str) -> bool {
        self.artifacts.get(id).is_some()
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
        let timestamp = self.clock.map(now);
        object([
            ("state", Some(state.as_str().into())),
            ("message", message),
            ("timestamp", timestamp),
        ])
    }

    fn agent_message(&self, id: &str, parts: Vec<Part>, of_task: bool) -> Value {
        let mut message = Message::user(id, parts);
        message.role = "ROLE_AGENT".into();
        message.context_id = Some(self.context_id.clone());
        message.task_id = of_task.then(|| self.task_id.clone());
        message.into_value()
    }

    fn is_open(&self, call: &str) -> Result<(), UsageError> {
        match self.state {
            State::Task => Ok(()),
            State::Nothing => Err(self.refuse(call, "task-missing", "call `task()` first")),
            State::Ended => Err(self.refuse(
                call,
                "stream-ended",
                "the task goes on with another message: make a new builder",
            )),
        }
    }

    fn refuse(&self, call: &str, code: &'static str, instead: &'static str) -> UsageError {
        UsageError::new(
            code,
            [call, " breaks A1: a stream is a task, its updates, and an end, or one message"]
                .concat(),
            instead,
        )
    }
}

/// Returns the current time of the clock in ISO 8601.
pub(super) fn now(clock: Clock) -> Value {
    Value::from(iso8601(clock()))
}
