//! The growing answer: the task as the official stores hold it, in the form of 1.0, whichever dialect was read. (A4 to A8.)

use alloc::{string::String, vec::Vec};

use crate::core::declare::model::absent::Absent;
use crate::core::model;
use crate::json::Value;

model! {
    words {
        /// How far a task has come.
        TaskState as "A2aTaskState" {
            /// Not said. It is left out in JSON.
            Unspecified = "TASK_STATE_UNSPECIFIED",
            /// Taken, not begun.
            Submitted = "TASK_STATE_SUBMITTED",
            /// At work.
            Working = "TASK_STATE_WORKING",
            /// Finished well.
            Completed = "TASK_STATE_COMPLETED",
            /// Ended by an error.
            Failed = "TASK_STATE_FAILED",
            /// Stopped by the client.
            Canceled = "TASK_STATE_CANCELED",
            /// The agent waits for an answer.
            InputRequired = "TASK_STATE_INPUT_REQUIRED",
            /// Refused by the agent.
            Rejected = "TASK_STATE_REJECTED",
            /// The agent waits for credentials.
            AuthRequired = "TASK_STATE_AUTH_REQUIRED",
            /// Any other name.
            Unrecognized = "UNRECOGNIZED",
        }
        /// Who speaks in a message.
        Role as "A2aRole" {
            /// Not said. It is left out in JSON.
            Unspecified = "ROLE_UNSPECIFIED",
            /// The client.
            User = "ROLE_USER",
            /// The agent.
            Agent = "ROLE_AGENT",
            /// Any other name.
            Unrecognized = "UNRECOGNIZED",
        }
    }
    root {
        /// What an A2A stream comes to: a task, or one message, or an error. Plain data; what did not change keeps its identity
        /// from one update to the next.
        Snapshot as "A2aSnapshot" {
            /// The task with its artifacts.
            task: Option<Task>,
            /// The message, if the stream has one in the place of a task.
            message: Option<Message>,
            /// The JSON-RPC error that ended the stream.
            error: Option<RpcError>,
        }
    }
    objects {
        /// Why a request failed: a JSON-RPC error.
        RpcError as "A2aError" {
            /// Which error it is: `-32001`.
            code: i64,
            /// What went wrong.
            message: String,
            /// More about it: in 1.0 a list of objects with `@type`.
            data: Absent<Value>,
        }
    }
    open objects {
        /// A task. What was not said is absent.
        Task as "A2aTask" {
            /// Its id.
            id: Absent<String>,
            /// The conversation that it belongs to.
            context_id as "contextId": Absent<String>,
            /// How far it is.
            status: Absent<TaskStatus>,
            /// What it has made, in order.
            artifacts: Absent<Vec<Artifact>>,
            /// The messages of the conversation, those of its statuses too.
            history: Absent<Vec<Message>>,
            /// Anything more, that of its updates too: an object.
            metadata: Absent<Value>,
        }
        /// How far a task is.
        TaskStatus as "A2aTaskStatus" {
            /// The state.
            state: Absent<TaskState>,
            /// What the agent says about it.
            message: Absent<Message>,
            /// When.
            timestamp: Absent<String>,
        }
        /// Something that a task has made.
        Artifact as "A2aArtifact" {
            /// Its id, unique in the task.
            artifact_id as "artifactId": Absent<String>,
            /// What people call it.
            name: Absent<String>,
            /// What it is.
            description: Absent<String>,
            /// What it consists of. A text that came in pieces is as many parts.
            parts: Absent<Vec<Part>>,
            /// Anything more: an object.
            metadata: Absent<Value>,
            /// The extensions that it needs.
            extensions: Absent<Vec<String>>,
        }
        /// A message.
        Message as "A2aMessage" {
            /// Its id.
            message_id as "messageId": Absent<String>,
            /// The conversation that it belongs to.
            context_id as "contextId": Absent<String>,
            /// The task that it belongs to.
            task_id as "taskId": Absent<String>,
            /// Who speaks.
            role: Absent<Role>,
            /// What it consists of.
            parts: Absent<Vec<Part>>,
            /// Anything more: an object.
            metadata: Absent<Value>,
            /// The extensions that it needs.
            extensions: Absent<Vec<String>>,
            /// The tasks that it refers to.
            reference_task_ids as "referenceTaskIds": Absent<Vec<String>>,
        }
        /// A part of an artifact or a message. Of the first four members it has one.
        Part as "A2aPart" {
            /// Text.
            text: Absent<String>,
            /// The bytes of a file in base64.
            raw: Absent<String>,
            /// Where a file is.
            url: Absent<String>,
            /// Any JSON.
            data: Absent<Value>,
            /// Anything more: an object.
            metadata: Absent<Value>,
            /// The name of the file.
            filename: Absent<String>,
            /// Its media type.
            media_type as "mediaType": Absent<String>,
        }
    }
}

impl TaskState {
    /// Whether a task that is in it has ended.
    pub const fn is_terminal(self) -> bool {
        matches!(self, TaskState::Completed | TaskState::Failed | TaskState::Canceled | TaskState::Rejected)
    }

    /// Whether a task that is in it waits for the client.
    pub const fn is_interrupted(self) -> bool {
        matches!(self, TaskState::InputRequired | TaskState::AuthRequired)
    }
}

/// The text of parts, joined.
fn text_of(parts: &Absent<Vec<Part>>) -> String {
    parts.iter().flatten().filter_map(|part| part.text.as_deref()).collect()
}

impl Artifact {
    /// Its text, however many pieces it came in.
    pub fn text(&self) -> String {
        text_of(&self.parts)
    }
}

impl Message {
    /// Its text.
    pub fn text(&self) -> String {
        text_of(&self.parts)
    }
}

impl Task {
    /// How far it is.
    pub fn state(&self) -> TaskState {
        self.status.as_ref().and_then(|status| *status.state).unwrap_or_default()
    }
}
