//! The words of the answer: how far a turn and a tool call have come.

/// How far a turn has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Status {
    /// Events are coming. It stays so when reading was refused: an AG-UI stream (K13), or a strict reader met an error.
    #[default]
    Streaming,
    /// `[DONE]`, and nothing is left to do.
    Completed,
    /// `[DONE]`, and the client has tools to run: see
    /// [`tool_answers`](super::request::SendMessageInput::tool_answers).
    AwaitingToolResults,
    /// The agent asks and waits: see [`resuming`](super::request::SendMessageInput::resuming).
    Interrupted,
    /// The stream said that the run failed.
    Failed,
    /// The stream stopped inside a tool call (K7), the reader stopped it, or it was refused.
    Truncated,
}

/// How far a tool call has come. The words are those of the AG-Kit clients (A.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ToolState {
    /// Its arguments are coming.
    #[default]
    InputStreaming,
    /// Its arguments are final.
    InputAvailable,
    /// Its result is there.
    OutputAvailable,
}

impl Status {
    /// Stable name, kebab-case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Streaming => "streaming",
            Status::Completed => "completed",
            Status::AwaitingToolResults => "awaiting-tool-results",
            Status::Interrupted => "interrupted",
            Status::Failed => "failed",
            Status::Truncated => "truncated",
        }
    }
}

impl ToolState {
    /// Stable name, kebab-case.
    pub const fn as_str(self) -> &'static str {
        match self {
            ToolState::InputStreaming => "input-streaming",
            ToolState::InputAvailable => "input-available",
            ToolState::OutputAvailable => "output-available",
        }
    }
}
