//! The growing snapshot: the task as the official stores hold it, in the form of 1.0 for both
//! dialects. (A4 to A8.)

use alloc::{format, string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::declare::model::member::Absent;
use crate::core::model;
use crate::core::sink::Field;
use crate::json::Value;

model! {
    words {
        /// The state of a task.
        TaskState as "A2aTaskState" {
            /// Unspecified. It is omitted in JSON.
            Unspecified = "TASK_STATE_UNSPECIFIED",
            /// Submitted, not started.
            Submitted = "TASK_STATE_SUBMITTED",
            /// In progress.
            Working = "TASK_STATE_WORKING",
            /// Completed successfully.
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
        /// The role of the sender of a message.
        Role as "A2aRole" {
            /// Unspecified. It is omitted in JSON.
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
        /// The snapshot of an A2A stream: a task, one message, or an error. It is plain data;
        /// unchanged parts keep their identity between updates.
        Snapshot as "A2aSnapshot" {
            /// The task with its artifacts.
            task: Option<Task>,
            /// The message, if the stream contains a message instead of a task.
            message: Option<Message>,
            /// The JSON-RPC error that ended the stream.
            error: Option<RpcError>,
        }
    }
    objects {
        /// The JSON-RPC error of a failed request.
        RpcError as "A2aError" {
            /// The error code, for example `-32001`.
            code: i64,
            /// The error message.
            message: String,
            /// Details of the error. In version 1.0, a list of objects with `@type`.
            data: Absent<Value>,
        }
    }
    open objects {
        /// A task. Properties that the stream has not set are absent.
        Task as "A2aTask" {
            /// The id.
            id: Absent<String>,
            /// The id of the conversation.
            context_id as "contextId": Absent<String>,
            /// The status of the task.
            status: Absent<TaskStatus>,
            /// The artifacts of the task, in order.
            artifacts: Absent<Vec<Artifact>>,
            /// The messages of the conversation, including those of the statuses.
            history: Absent<Vec<Message>>,
            /// Further data, including that of updates: an object.
            metadata: Absent<Value>,
        }
        /// The status of a task.
        TaskStatus as "A2aTaskStatus" {
            /// The state.
            state: Absent<TaskState>,
            /// The agent's message about the status.
            message: Absent<Message>,
            /// The time, in ISO 8601.
            timestamp: Absent<String>,
        }
        /// An artifact of a task.
        Artifact as "A2aArtifact" {
            /// The artifact's id, unique in the task.
            artifact_id as "artifactId": Absent<String>,
            /// The display name.
            name: Absent<String>,
            /// The description.
            description: Absent<String>,
            /// The parts. Each delta of a text is a separate part.
            parts: Absent<Vec<Part>>,
            /// Further data: an object.
            metadata: Absent<Value>,
            /// The extensions that are required to process it.
            extensions: Absent<Vec<String>>,
        }
        /// A message.
        Message as "A2aMessage" {
            /// The message's id.
            message_id as "messageId": Absent<String>,
            /// The id of the conversation.
            context_id as "contextId": Absent<String>,
            /// The id of the task.
            task_id as "taskId": Absent<String>,
            /// The role of the sender.
            role: Absent<Role>,
            /// The parts.
            parts: Absent<Vec<Part>>,
            /// Further data: an object.
            metadata: Absent<Value>,
            /// The extensions that are required to process it.
            extensions: Absent<Vec<String>>,
            /// The ids of the tasks that the message refers to.
            reference_task_ids as "referenceTaskIds": Absent<Vec<String>>,
        }
        /// A part of an artifact or a message. It has exactly one of the first four properties.
        Part as "A2aPart" {
            /// The text.
            text: Absent<String>,
            /// The bytes of a file in base64.
            raw: Absent<String>,
            /// The URL of a file.
            url: Absent<String>,
            /// The data: any JSON.
            data: Absent<Value>,
            /// Further data: an object.
            metadata: Absent<Value>,
            /// The name of the file.
            filename: Absent<String>,
            /// The media type.
            media_type as "mediaType": Absent<String>,
        }
    }
}

impl TaskState {
    /// Reports whether a task in this state has ended.
    pub const fn is_terminal(self) -> bool {
        matches!(
            self,
            TaskState::Completed | TaskState::Failed | TaskState::Canceled | TaskState::Rejected
        )
    }

    /// Reports whether a task in this state waits for the client.
    pub const fn is_interrupted(self) -> bool {
        matches!(self, TaskState::InputRequired | TaskState::AuthRequired)
    }
}

/// Returns the joined text of the parts.
fn text_of(parts: &Absent<Vec<Part>>) -> String {
    parts.iter().flatten().filter_map(|part| part.text.as_deref()).collect()
}

impl Artifact {
    /// Returns the joined text of all parts.
    pub fn text(&self) -> String {
        text_of(&self.parts)
    }
}

impl Message {
    /// Returns the joined text of all parts.
    pub fn text(&self) -> String {
        text_of(&self.parts)
    }
}

impl Task {
    /// Returns the state of the task.
    pub fn state(&self) -> TaskState {
        self.status.as_ref().and_then(|status| *status.state).unwrap_or_default()
    }
}

/// The texts of the agent: in the artifacts of its task, in the messages of the history, or in the
/// only message of a stream.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] = &[Part::text];
    const HOLDERS: &'static [Field] = &[
        Snapshot::task,
        Snapshot::message,
        Task::artifacts,
        Task::history,
        Artifact::parts,
        Message::parts,
    ];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let (block, parts, at) = match *way {
            [(Snapshot::task, _), (Task::artifacts, at), (Artifact::parts, part)] => {
                let artifact = self.task.as_ref()?.artifacts.as_ref()?.get(at)?;
                let id = artifact.artifact_id.as_deref().unwrap_or_default();
                (format!("artifact {id}"), &artifact.parts, part)
            }
            // The message of a status is in the history, too.
            [(Snapshot::task, _), (Task::history, at), (Message::parts, part)] => {
                let message = self.task.as_ref()?.history.as_ref()?.get(at)?;
                (of(message)?, &message.parts, part)
            }
            [(Snapshot::message, _), (Message::parts, part)] => {
                let message = self.message.as_ref()?;
                (of(message)?, &message.parts, part)
            }
            _ => return None,
        };
        let text = parts.as_ref()?.get(at)?.text.as_deref().filter(|_| key == Part::text)?;
        Some(AgentText::new(block, TextKind::Answer, text))
    }
}

/// Returns the name of the block of a message, or `None` for a message of the user.
fn of(message: &Message) -> Option<String> {
    let is_users = message.role.as_ref().is_some_and(|role| *role == Role::User);
    (!is_users).then(|| format!("message {}", message.message_id.as_deref().unwrap_or_default()))
}
