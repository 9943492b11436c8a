//! What passes through the hub: the Agent API's own objects, said one step at a time.

use alloc::string::String;

use crate::json::{Member, Value};
use crate::protocols::agent_api::{ErrorInfo, MessageType, Payload, Role, RunStatus};

/// One step of a run.
///
/// A run consists of messages, a message of parts. Both are named by numbers of the source's choice: `message` is unique
/// in the run, `part` is unique in its message. A source need not be careful: what it leaves out (opening a
/// message, ending a part, the end) is put in on the way, and what cannot be (a second result of a call) is left out and
/// noted. So a target gets every run in one order:
///
/// ```text
/// Start  ( Open  ( Text… | Reasoning… | Refusal… | Call Arguments…   EndPart
///                | Result | Interrupt | Whole )*
///          Close )*                                                         End
/// ```
///
/// Messages and parts may overlap; every message and part that begins also ends, and `End` is the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Step<'a> {
    /// The run begins. Ids that the source does not have are `None`, and the target makes them.
    Start {
        /// The run's.
        id: Option<&'a str>,
        /// The conversation's.
        session_id: Option<&'a str>,
    },
    /// A message begins. Without it, a message is what its first part makes of it, from the assistant.
    Open {
        /// Its number.
        message: u32,
        /// What it is.
        r#type: &'a MessageType,
        /// Who it is from.
        role: &'a Role,
        /// Its id, if the source has one.
        id: Option<&'a str>,
    },
    /// A piece of the answer.
    Text {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// Characters; the part's text is all pieces joined.
        piece: &'a str,
    },
    /// A piece of what the model thought.
    Reasoning {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// Characters.
        piece: &'a str,
    },
    /// A piece of why the agent will not answer.
    Refusal {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// Characters.
        piece: &'a str,
    },
    /// A tool call begins.
    Call {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The call's id; unique in the run when a target gets it.
        id: &'a str,
        /// The tool.
        name: &'a str,
        /// What else is said about it.
        more: &'a [Member],
    },
    /// A piece of a call's arguments, which are JSON text.
    Arguments {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// Characters.
        piece: &'a str,
    },
    /// What a tool came to, whole. When a target gets it, its call has begun, and it is the only result of that call.
    Result {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The call's id.
        id: &'a str,
        /// The tool, if it is said here.
        name: Option<&'a str>,
        /// Text, often JSON text.
        output: &'a str,
        /// What else is said about it.
        more: &'a [Member],
    },
    /// The agent asks something, and the run waits for the answer in another request.
    Interrupt {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// What the answer has to name.
        id: &'a str,
        /// Why.
        reason: Option<&'a str>,
        /// What is asked: any JSON.
        payload: &'a Value,
    },
    /// A part that comes whole: media, a file, data.
    Whole {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// What it holds.
        payload: &'a Payload,
    },
    /// A text, refusal or call ends.
    EndPart {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// It is all there; false when it was cut off.
        whole: bool,
    },
    /// A message ends.
    Close {
        /// The message.
        message: u32,
        /// How.
        end: &'a MessageEnd,
    },
    /// The run is alive, and has nothing to say.
    Heartbeat,
    /// The run ends.
    End(&'a RunEnd),
}

/// How a message ends, and what is known of it by then.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MessageEnd {
    /// How.
    pub status: RunStatus,
    /// Why it failed.
    pub error: Option<ErrorInfo>,
    /// Error code of a message of type error.
    pub code: Option<String>,
    /// Error text of a message of type error.
    pub message: Option<String>,
    /// Tokens used: an object.
    pub usage: Option<Value>,
    /// Free: an object.
    pub metadata: Option<Value>,
}

impl MessageEnd {
    /// An end with that status.
    pub fn new(status: RunStatus) -> Self {
        MessageEnd { status, error: None, code: None, message: None, usage: None, metadata: None }
    }
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunEnd {
    /// Completed, failed, canceled, rejected or incomplete; anything else counts as incomplete.
    pub status: RunStatus,
    /// Why it failed or was rejected.
    pub error: Option<RunError>,
    /// Why it is incomplete, in a word.
    pub reason: Option<String>,
    /// Tokens used: an object.
    pub usage: Option<Value>,
}

/// Why a run failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunError {
    /// A name for programs, if the source has one.
    pub code: Option<String>,
    /// A sentence for people.
    pub message: String,
}

impl RunEnd {
    /// The reason of a run whose source stopped before its end.
    pub const CUT_OFF: &'static str = "eof";

    /// An end with that status.
    pub fn new(status: RunStatus) -> Self {
        RunEnd { status, error: None, reason: None, usage: None }
    }

    /// The end of a run that failed.
    pub fn failed(code: Option<&str>, message: impl Into<String>) -> Self {
        let error = RunError { code: code.map(Into::into), message: message.into() };
        RunEnd { error: Some(error), ..Self::new(RunStatus::Failed) }
    }

    /// The end of a run that is not whole, for that reason.
    pub fn incomplete(reason: impl Into<String>) -> Self {
        RunEnd { reason: Some(reason.into()), ..Self::new(RunStatus::Incomplete) }
    }
}
