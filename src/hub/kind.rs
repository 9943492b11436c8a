//! The hub's words: what a message is, whose it is, how it ends. They are spelled as in lines of steps.

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageKind<'a> {
    /// Text and media.
    Message,
    /// What the model thought.
    Reasoning,
    /// A tool call.
    Call(ToolKind),
    /// What a tool came to.
    Result(ToolKind),
    /// A question that the run waits for.
    Interrupt,
    /// Its answer.
    Answer,
    /// Anything else, by the name that the source has for it.
    Other(&'a str),
}

/// Whose a tool is.
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

/// Who a message is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role<'a> {
    /// The agent.
    Assistant,
    /// The person or program that asks.
    User,
    /// Instructions.
    System,
    /// The result of a tool.
    Tool,
    /// Anybody else, by the name that the source has.
    Other(&'a str),
}

/// What media are that come as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MediaKind {
    /// A picture.
    Image,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
    /// Anything else that has bytes.
    File,
}

/// How a message or run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndStatus {
    /// Finished well.
    Completed,
    /// Ended by an error.
    Failed,
    /// Stopped by the client.
    Canceled,
    /// Refused by the system.
    Rejected,
    /// Ended before it was whole.
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

    /// Whether all that such a message holds is a call, a result, a question or an answer.
    pub fn is_tool(self) -> bool {
        !matches!(self, MessageKind::Message | MessageKind::Reasoning | MessageKind::Other(_))
    }

    /// Who a message of this kind is from, where nothing says so.
    pub fn default_role(self) -> Role<'static> {
        match self {
            MessageKind::Result(_) => Role::Tool,
            MessageKind::Answer => Role::User,
            _ => Role::Assistant,
        }
    }

    /// The same without the name of the source.
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

    /// The kind of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        named(MEDIA_KINDS, name)
    }

    /// What has that media type (`image/png`).
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

/// What is not known to be an end is not whole.
impl From<&str> for EndStatus {
    fn from(name: &str) -> Self {
        named(END_STATUSES, name).unwrap_or(EndStatus::Incomplete)
    }
}
