//! The vocabulary of the hub: kinds of messages, roles and ends. The names are the same in lines of
//! steps.

use alloc::string::String;
use alloc::vec::Vec;

use crate::core::report::Report;
use crate::core::violation::Severity;
use crate::json::Value;

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageKind<'a> {
    /// Text and media.
    Message,
    /// The model's reasoning.
    Reasoning,
    /// A tool call.
    Call(ToolKind),
    /// The result of a tool.
    Result(ToolKind),
    /// A question that the run waits for.
    Interrupt,
    /// The answer to an interrupt.
    Answer,
    /// Any other kind, with the source's name for it.
    Other(&'a str),
}

/// The owner of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolKind {
    /// A function of the client or of the agent.
    Function,
    /// A tool of the server.
    Plugin,
    /// A component.
    Component,
    /// A tool of an MCP server.
    Mcp,
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role<'a> {
    /// The agent.
    Assistant,
    /// The person or program that sends the request.
    User,
    /// Instructions.
    System,
    /// The result of a tool.
    Tool,
    /// Any other role, with the source's name for it.
    Other(&'a str),
}

/// The kind of media that are sent as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MediaKind {
    /// A picture.
    Image,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
    /// Any other bytes.
    File,
}

/// How a message or run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndStatus {
    /// Completed.
    Completed,
    /// Failed with an error.
    Failed,
    /// Stopped by the client.
    Canceled,
    /// Rejected by the system.
    Rejected,
    /// Ended before it was complete.
    Incomplete,
}

/// Values and their names.
type NameTable<T> = [(&'static str, T)];

const MESSAGE_KINDS: &NameTable<MessageKind<'static>> = &[
    ("message", MessageKind::Message),
    ("reasoning", MessageKind::Reasoning),
    ("function_call", MessageKind::Call(ToolKind::Function)),
    ("function_call_output", MessageKind::Result(ToolKind::Function)),
    ("plugin_call", MessageKind::Call(ToolKind::Plugin)),
    ("plugin_call_output", MessageKind::Result(ToolKind::Plugin)),
    ("component_call", MessageKind::Call(ToolKind::Component)),
    ("component_call_output", MessageKind::Result(ToolKind::Component)),
    ("mcp_call", MessageKind::Call(ToolKind::Mcp)),
    ("mcp_call_output", MessageKind::Result(ToolKind::Mcp)),
    ("mcp_approval_request", MessageKind::Interrupt),
    ("mcp_approval_response", MessageKind::Answer),
];

const ROLES: &NameTable<Role<'static>> = &[
    ("assistant", Role::Assistant),
    ("user", Role::User),
    ("system", Role::System),
    ("tool", Role::Tool),
];

const MEDIA_KINDS: &NameTable<MediaKind> = &[
    ("image", MediaKind::Image),
    ("audio", MediaKind::Audio),
    ("video", MediaKind::Video),
    ("file", MediaKind::File),
];

const END_STATUSES: &NameTable<EndStatus> = &[
    ("completed", EndStatus::Completed),
    ("failed", EndStatus::Failed),
    ("canceled", EndStatus::Canceled),
    ("rejected", EndStatus::Rejected),
    ("incomplete", EndStatus::Incomplete),
];

fn named<T: Copy>(names: &NameTable<T>, name: &str) -> Option<T> {
    names.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

fn name_of<T: Copy + PartialEq>(names: &NameTable<T>, value: T) -> &'static str {
    names.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}

impl<'a> MessageKind<'a> {
    /// The name in lines of steps.
    pub fn as_str(self) -> &'a str {
        match self {
            MessageKind::Other(name) => name,
            known => name_of(MESSAGE_KINDS, known),
        }
    }

    /// Whether such a message contains only a call, a result, a question or an answer.
    pub fn is_tool(self) -> bool {
        !matches!(self, MessageKind::Message | MessageKind::Reasoning | MessageKind::Other(_))
    }

    /// Returns the role of a message of this kind if the source does not give one.
    pub fn default_role(self) -> Role<'static> {
        match self {
            MessageKind::Result(_) => Role::Tool,
            MessageKind::Answer => Role::User,
            _ => Role::Assistant,
        }
    }

    /// Returns the kind without the source's name.
    pub(crate) fn without_name(self) -> MessageKind<'static> {
        named(MESSAGE_KINDS, self.as_str()).unwrap_or(MessageKind::Other(""))
    }
}

impl<'a> Role<'a> {
    /// The name in lines of steps.
    pub fn as_str(self) -> &'a str {
        match self {
            Role::Other(name) => name,
            known => name_of(ROLES, known),
        }
    }
}

impl MediaKind {
    /// The name in lines of steps.
    pub fn as_str(self) -> &'static str {
        name_of(MEDIA_KINDS, self)
    }

    /// Returns the kind with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        named(MEDIA_KINDS, name)
    }

    /// Returns the kind for a media type (`image/png`).
    pub(crate) fn of_type(media_type: &str) -> Self {
        media_type.split('/').next().and_then(Self::named).unwrap_or(MediaKind::File)
    }
}

impl EndStatus {
    /// The name in lines of steps.
    pub fn as_str(self) -> &'static str {
        name_of(END_STATUSES, self)
    }
}

impl<'a> From<&'a str> for MessageKind<'a> {
    fn from(name: &'a str) -> Self {
        named(MESSAGE_KINDS, name).unwrap_or(MessageKind::Other(name))
    }
}

impl<'a> From<&'a str> for Role<'a> {
    fn from(name: &'a str) -> Self {
        named(ROLES, name).unwrap_or(Role::Other(name))
    }
}

/// An unknown name becomes `Incomplete`.
impl From<&str> for EndStatus {
    fn from(name: &str) -> Self {
        named(END_STATUSES, name).unwrap_or(EndStatus::Incomplete)
    }
}

// How messages and runs end.

/// How a message ends, with the fields that are known only then.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MessageEnd {
    /// The status.
    pub status: EndStatus,
    /// The error of a message that failed.
    pub error: Option<EndError>,
    /// Error code of a message of type error.
    pub code: Option<String>,
    /// Error text of a message of type error.
    pub message: Option<String>,
    /// Tokens used: an object.
    pub usage: Option<Value>,
    /// Free metadata: an object.
    pub metadata: Option<Value>,
}

impl MessageEnd {
    /// Creates an end with a status.
    pub fn new(status: EndStatus) -> Self {
        MessageEnd { status, error: None, code: None, message: None, usage: None, metadata: None }
    }
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunEnd {
    /// The status.
    pub status: EndStatus,
    /// The error of a run that failed or was rejected.
    pub error: Option<EndError>,
    /// The short reason of a run that is incomplete.
    pub reason: Option<String>,
    /// The result of the run: any JSON.
    pub result: Option<Value>,
    /// The calls that wait for the client, where the source names them.
    pub pending: Vec<String>,
    /// Tokens used: an object.
    pub usage: Option<Value>,
}

/// Why a message or run failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EndError {
    /// An error code, if the source has one.
    pub code: Option<String>,
    /// A text for people.
    pub message: String,
}

impl RunEnd {
    /// The reason of a run whose source stopped before its end.
    pub const CUT_OFF: &'static str = "eof";

    /// Creates an end with a status.
    pub fn new(status: EndStatus) -> Self {
        RunEnd { status, error: None, reason: None, result: None, pending: Vec::new(), usage: None }
    }

    /// Whether the run may wait for answers to its questions. A run that failed does not wait, and
    /// a run that was cut off may have had more questions.
    pub(crate) fn may_ask(&self) -> bool {
        matches!(self.status, EndStatus::Completed | EndStatus::Incomplete) && !self.is_cut_off()
    }

    /// Whether the run has ended to wait for an answer, where a question is open.
    pub(crate) fn waits(&self) -> bool {
        const WAITS: [&str; 3] = ["interrupt", "input-required", "auth-required"];
        self.status == EndStatus::Incomplete
            && self.reason.as_deref().is_none_or(|reason| WAITS.contains(&reason))
    }

    /// Whether the source stopped before its end.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.status == EndStatus::Incomplete && self.reason.as_deref() == Some(Self::CUT_OFF)
    }

    /// Returns the calls that wait for the client as a list, or `None` if the list is empty.
    pub(crate) fn pending_list(&self) -> Option<Value> {
        (!self.pending.is_empty()).then(|| Value::list_of(&self.pending))
    }

    /// Creates the end of a run that failed.
    pub fn failed(code: Option<&str>, message: impl Into<String>) -> Self {
        let error = EndError { code: code.map(Into::into), message: message.into() };
        RunEnd { error: Some(error), ..Self::new(EndStatus::Failed) }
    }

    /// Creates the end of an incomplete run with a reason.
    pub fn incomplete(reason: impl Into<String>) -> Self {
        RunEnd { reason: Some(reason.into()), ..Self::new(EndStatus::Incomplete) }
    }

    /// Creates the end of a run whose source stopped before its end: it was aborted or cut off.
    pub(super) fn stopped(is_aborted: bool) -> Self {
        if is_aborted { Self::new(EndStatus::Canceled) } else { Self::incomplete(Self::CUT_OFF) }
    }

    /// Creates the end of a stream that its reader has refused.
    pub(super) fn unreadable(report: &Report) -> Self {
        let gravest =
            report.violations.iter().find(|violation| violation.rule.severity == Severity::Error);
        let mut message = String::from("The upstream could not be read: ");
        message += gravest.map_or("it broke its protocol", |violation| violation.rule.recovery);
        message.push('.');
        Self::failed(Some("UPSTREAM_REFUSED"), message)
    }
}
