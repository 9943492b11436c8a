//! The vocabulary of the hub: kinds of messages, roles and ends. The names are the same in lines of steps.

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
type Names<T> = [(&'static str, T)];

const MESSAGE_KINDS: &Names<MessageKind<'static>> = &[
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

const ROLES: &Names<Role<'static>> =
    &[("assistant", Role::Assistant), ("user", Role::User), ("system", Role::System), ("tool", Role::Tool)];

const MEDIA_KINDS: &Names<MediaKind> = &[
    ("image", MediaKind::Image),
    ("audio", MediaKind::Audio),
    ("video", MediaKind::Video),
    ("file", MediaKind::File),
];

const END_STATUSES: &Names<EndStatus> = &[
    ("completed", EndStatus::Completed),
    ("failed", EndStatus::Failed),
    ("canceled", EndStatus::Canceled),
    ("rejected", EndStatus::Rejected),
    ("incomplete", EndStatus::Incomplete),
];

fn named<T: Copy>(names: &Names<T>, name: &str) -> Option<T> {
    names.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

fn name_of<T: Copy + PartialEq>(names: &Names<T>, value: T) -> &'static str {
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
    pub(super) fn without_name(self) -> MessageKind<'static> {
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
