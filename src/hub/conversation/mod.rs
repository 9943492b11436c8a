//! Conversations: what the requests of all protocols consist of.
//!
//! A [`Conversation`] is an owned tree of turns and parts. The reader of a protocol takes the
//! members that it knows from a parsed request; the members that are left belong to this protocol
//! and become [`Opaque`]. The result of a tool is inside its [`Call`], wherever a protocol has it.
//! A normaliser makes a conversation valid for a target, which a table of requirements describes;
//! the writer of a protocol then writes it.
//!
//! An answer of a model is appended to the conversation from its snapshot, by the reader of the
//! same protocol: history, answer and tool round are one mapping. The steps of a stream are not a
//! source of history, as they do not have the members that a server expects back.

pub(crate) mod blocks;
#[cfg(test)]
pub(crate) mod checks;
pub(crate) mod client_tools;
mod codec;
pub(crate) mod envelope;
pub(crate) mod google;
pub(crate) mod hosted;
mod media_type;
pub(crate) mod members;
pub(crate) mod models;
mod normalise;
pub(crate) mod openai;
pub(crate) mod requirements;
mod scope;
#[cfg(feature = "serde")]
mod serde_forms;
pub(crate) mod settings;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod tools;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

pub(crate) use codec::RequestCodec;
pub use envelope::{Sealed, is_sealed};
pub(crate) use envelope::{TextHash, may_be_sealed};
#[cfg(any(feature = "futures", feature = "wasm"))]
pub(crate) use normalise::TEXT_ARGUMENT;
pub use normalise::{Back, ToolName};
pub(crate) use normalise::{lack_state, normalise};
pub(crate) use requirements::Requirements;
pub use scope::scope;
pub use settings::{Output, SettingKey, Settings, ToolChoice};

use crate::json::{Member, Value};

/// The name of a protocol, whose members something has: `anthropic`, `responses`.
pub type FormatName = Cow<'static, str>;

/// What a tool of a provider does: `search`, `code`, `mcp`. (With a name, the type is not taken for
/// a borrowed one by the derived implementations.)
pub type PurposeName = &'static str;

/// The messages, tools and settings of a request.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", default)
)]
pub struct Conversation {
    /// The id of the conversation at the server, if the request has one.
    pub id: Option<String>,
    /// The turns, the newest last.
    pub turns: Vec<Turn>,
    /// The tools that the agent can call.
    pub tools: Vec<Tool>,
    /// The settings of the answer.
    pub settings: Settings,
    /// The protocol that it was read from.
    pub format: FormatName,
    /// The members of the request that only this protocol has.
    #[cfg_attr(feature = "serde", serde(with = "serde_forms::members"))]
    pub more: Vec<Member>,
}

/// What one party says before another one does. A turn of the assistant is one answer of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Turn {
    /// The author.
    pub role: TurnRole,
    /// The id of the message, if it has one.
    pub id: Option<String>,
    /// The name of the author, if several have the same role.
    pub name: Option<String>,
    /// The parts, in order.
    pub parts: Vec<Part>,
}

/// The author of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub enum TurnRole {
    /// Instructions.
    System,
    /// Instructions, in the newer spelling of OpenAI.
    Developer,
    /// The user, and the results of the user's tools.
    User,
    /// The agent.
    Assistant,
}

/// A part of a turn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Part {
    /// The content.
    pub content: Content,
    /// The members of it that only one protocol has.
    pub opaque: Option<Opaque>,
    /// A cache breakpoint after this part, in the form of Anthropic's `cache_control`.
    pub cache: Option<Value>,
}

/// The content of a part.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum Content {
    /// Text.
    Text(String),
    /// Reasoning of the model.
    Reasoning {
        /// The text, or its summary. Empty if only the provider can read it.
        text: String,
        /// Whether it is a summary.
        summary: bool,
    },
    /// The reason why the model refused to answer.
    Refusal(String),
    /// An image, a sound, a video or a file.
    Media(Media),
    /// A tool call of the assistant, with its result once there is one.
    Call(Call),
    /// A result whose call is not in the conversation, or not yet.
    Result(ToolResult),
    /// A question of the agent that the user has to answer before it continues: an approval, an
    /// interrupt.
    Question {
        /// Its id.
        id: String,
        /// The call that it is about.
        call: Option<String>,
        /// The question, as the protocol has it.
        payload: Value,
    },
    /// The answer of the user to a question.
    Answer {
        /// The id of the question.
        id: String,
        /// Whether the user agreed, if it is a yes or no.
        approved: Option<bool>,
        /// The reason of the user.
        reason: Option<String>,
        /// The answer, as the protocol has it.
        payload: Value,
    },
    /// Data.
    Data(Value),
    /// Further tools, which the agent can call from here on: those that the client adds, and those
    /// that a search for tools has found.
    Tools(Vec<Tool>),
    /// Nothing but the opaque members, which no other protocol can represent.
    Native,
}

/// An image, a sound, a video or a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Media {
    /// The kind.
    pub kind: MediaForm,
    /// The bytes, or where they are.
    pub source: MediaSource,
    /// The media type: `image/png`.
    pub media_type: Option<String>,
    /// The file name.
    pub name: Option<String>,
    /// The resolution at which a model looks at an image: `low`, `high`, `auto`.
    pub detail: Option<String>,
}

/// The kind of media.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub enum MediaForm {
    /// An image.
    Image,
    /// A sound.
    Audio,
    /// A video.
    Video,
    /// Any other file.
    File,
}

/// The bytes of media, or where they are.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum MediaSource {
    /// A URL.
    Url(String),
    /// Base64.
    Base64(String),
    /// A file that was uploaded to a provider.
    File {
        /// The provider: `openai`, `anthropic`, `google`.
        provider: Cow<'static, str>,
        /// The id of the file there.
        id: String,
    },
    /// A text document.
    Text(String),
}

/// A tool call of the assistant.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Call {
    /// Its id. Empty if the protocol has none.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The namespace of the tool, if it is in one.
    pub namespace: Option<String>,
    /// The arguments.
    pub input: CallInput,
    /// Who runs the tool.
    pub by: RunBy,
    /// The result, once there is one.
    pub result: Option<ToolResult>,
}

/// The arguments of a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub enum CallInput {
    /// JSON text, as the model wrote it.
    Json(String),
    /// The text of a custom tool.
    Text(String),
}

/// Who runs a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub enum RunBy {
    /// The client: it sends the result with its next request.
    #[default]
    Client,
    /// The client, in a form of its own that the provider declares: a shell, a patch, a computer.
    ClientBuiltin,
    /// The provider of the model.
    Provider,
}

/// The result of a call.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", default)
)]
pub struct ToolResult {
    /// The id of the call.
    pub call: String,
    /// The contents.
    pub parts: Vec<Part>,
    /// Whether the tool failed.
    pub error: bool,
    /// A cache breakpoint after this result, in the form of Anthropic's `cache_control`.
    pub cache: Option<Value>,
    /// The members of it that only one protocol has.
    pub opaque: Option<Opaque>,
}

/// A tool that an agent can call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase")
)]
pub enum Tool {
    /// A function.
    Function(Function),
    /// A tool whose input is a text.
    Custom {
        /// The name.
        name: String,
        /// The purpose, for the model.
        description: Option<String>,
        /// The format of the input: a grammar, in the form of OpenAI Responses.
        format: Option<Value>,
    },
    /// Tools with a common name before their own.
    Namespace {
        /// The name.
        name: String,
        /// The purpose, for the model.
        description: Option<String>,
        /// The tools.
        tools: Vec<Tool>,
    },
    /// A tool of the provider.
    Hosted {
        /// What it does, if other providers have such a tool: `search`, `code`, `mcp`.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "serde_forms::purpose"))]
        purpose: Option<PurposeName>,
        /// The protocol in which it is declared.
        format: FormatName,
        /// The declaration.
        value: Value,
    },
}

/// A function that an agent can call.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", default)
)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The purpose, for the model.
    pub description: Option<String>,
    /// The JSON Schema of the arguments.
    pub schema: Option<Value>,
    /// Whether the model follows the schema exactly. `None`: as the protocol has it by default.
    pub strict: Option<bool>,
    /// A cache breakpoint after this tool, in the form of Anthropic's `cache_control`.
    pub cache: Option<Value>,
    /// The members that only tools of the protocol have.
    #[cfg_attr(feature = "serde", serde(with = "serde_forms::members"))]
    pub more: Vec<Member>,
    /// The protocol in which it is declared.
    pub format: FormatName,
}

/// Members of a part that only one protocol has, as they were received: signatures, encrypted
/// reasoning, ids of items. They are sent in no other protocol and to no other
/// [scope](Self::scope).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Opaque {
    /// The protocol. `stale` if the content that they belong to was changed.
    pub format: FormatName,
    /// The server and the family of models that they come from; `None` if the client has them from
    /// its own server.
    pub scope: Option<String>,
    /// The members.
    #[cfg_attr(feature = "serde", serde(with = "serde_forms::members"))]
    pub members: Vec<Member>,
}

impl Part {
    /// Creates a part.
    pub fn new(content: Content) -> Self {
        Part { content, opaque: None, cache: None }
    }

    /// Creates a part with a text.
    pub fn text(text: impl Into<String>) -> Self {
        Part::new(Content::Text(text.into()))
    }

    /// Creates a part with reasoning.
    pub fn reasoning(text: impl Into<String>) -> Self {
        Part::new(Content::Reasoning { text: text.into(), summary: false })
    }

    /// Returns the part with opaque members, if there are any.
    #[must_use]
    pub fn with_opaque(self, opaque: Option<Opaque>) -> Self {
        Part { opaque, ..self }
    }

    /// Returns the call, if this is one.
    pub fn as_call(&self) -> Option<&Call> {
        match &self.content {
            Content::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the call, if this is one.
    pub fn as_call_mut(&mut self) -> Option<&mut Call> {
        match &mut self.content {
            Content::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Media {
    /// Creates media of a kind.
    pub fn new(kind: MediaForm, source: MediaSource) -> Self {
        Media { kind, source, media_type: None, name: None, detail: None }
    }
}

impl Call {
    /// Creates a call of a tool of the client. `arguments` are JSON text.
    pub fn function(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        let input = CallInput::Json(arguments.into());
        Call {
            id: id.into(),
            name: name.into(),
            namespace: None,
            input,
            by: RunBy::Client,
            result: None,
        }
    }
}

impl ToolResult {
    /// Creates the result of a call.
    pub fn new(call: impl Into<String>, parts: Vec<Part>) -> Self {
        ToolResult { call: call.into(), parts, ..Self::default() }
    }
}

impl Opaque {
    /// Creates opaque members of a protocol; `None` if there are none.
    pub fn new(format: impl Into<FormatName>, members: Vec<Member>) -> Option<Self> {
        (!members.is_empty()).then(|| Opaque { format: format.into(), scope: None, members })
    }

    /// Returns a member.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.members.iter().find(|member| member.key == key).map(|member| &member.value)
    }
}

impl Turn {
    /// Creates a turn without an id.
    pub fn new(role: TurnRole, parts: Vec<Part>) -> Self {
        Turn { role, id: None, name: None, parts }
    }

    /// Iterates over the calls.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.parts.iter().filter_map(Part::as_call)
    }

    /// Whether it has instructions for the model.
    pub fn is_instruction(&self) -> bool {
        matches!(self.role, TurnRole::System | TurnRole::Developer)
    }
}

impl Conversation {
    /// Creates an empty conversation of a protocol.
    pub fn new(format: impl Into<FormatName>) -> Self {
        Conversation { format: format.into(), ..Self::default() }
    }

    /// Iterates over the calls that wait for their results: those that a tool loop runs. The tools
    /// of a provider are not among them.
    pub fn pending(&mut self) -> impl Iterator<Item = &mut Call> {
        let calls =
            self.turns.iter_mut().flat_map(|turn| &mut turn.parts).filter_map(Part::as_call_mut);
        calls.filter(|call| call.result.is_none() && call.by != RunBy::Provider)
    }

    /// Returns the last turn if it has this role, and a new one otherwise.
    pub fn turn(&mut self, role: TurnRole) -> &mut Turn {
        if self.turns.last().is_none_or(|last| last.role != role) {
            self.turns.push(Turn::new(role, Vec::new()));
        }
        let last = self.turns.len() - 1;
        // There is a last turn.
        &mut self.turns[last]
    }

    /// Returns the index of the first turn that is new for a server that keeps the conversation:
    /// the one after the last answer.
    pub fn first_new(&self) -> usize {
        self.turns
            .iter()
            .rposition(|turn| turn.role == TurnRole::Assistant)
            .map_or(0, |last| last + 1)
    }
}
