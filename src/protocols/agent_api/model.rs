//! Responses, messages and contents as they are kept: whole, owned, in order.
//!
//! These are what a fold ends in and what a builder holds. On the wire every member may be missing or null
//! ([`event`](super::event)); here what is known is there.

use alloc::string::String;
use alloc::vec::Vec;

use super::enums::{ContentType, MessageType, Role, RunStatus};
use crate::core::id::Id;
use crate::json::{Member, Value};

/// Why something failed. (Spec 1.2, `Error`.)
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ErrorInfo {
    /// A name for programs.
    pub code: String,
    /// A sentence for people.
    pub message: String,
}

impl ErrorInfo {
    /// An error of that code with that message.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        ErrorInfo { code: code.into(), message: message.into() }
    }
}

/// One run's answer. (Spec 1.2, `AgentResponse`.)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Response {
    /// Number of the event that said this last.
    pub sequence_number: Option<i64>,
    /// How far the run has come.
    pub status: RunStatus,
    /// Why it failed.
    pub error: Option<ErrorInfo>,
    /// Empty until the stream has named it.
    pub id: String,
    /// Seconds since 1970.
    pub created_at: Option<i64>,
    /// Seconds since 1970.
    pub completed_at: Option<i64>,
    /// The messages, in the order of their first appearance; once the response has ended, in the order it lists them,
    /// those it does not list after them.
    pub output: Vec<Message>,
    /// Tokens used, as the server counts them.
    pub usage: Option<Value>,
    /// The conversation the run belongs to.
    pub session_id: Option<String>,
    /// Members the protocol does not declare, verbatim.
    pub extra: Vec<Member>,
}

/// One message of a response. (Spec 1.2, `Message`.)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Message {
    /// Number of the event that said this last.
    pub sequence_number: Option<i64>,
    /// How far the message has come; not terminal at the end of a stream means it was cut off.
    pub status: RunStatus,
    /// Why it failed.
    pub error: Option<ErrorInfo>,
    /// Unique in its response.
    pub id: Id,
    /// What the message is.
    pub r#type: MessageType,
    /// Who it is from.
    pub role: Option<Role>,
    /// Its parts, sorted by `index`.
    pub content: Vec<Content>,
    /// Error code of a message of type error.
    pub code: Option<String>,
    /// Error text of a message of type error.
    pub message: Option<String>,
    /// Tokens used by this message.
    pub usage: Option<Value>,
    /// Free.
    pub metadata: Option<Value>,
    /// Members the protocol does not declare, verbatim.
    pub extra: Vec<Member>,
}

/// One part of a message. (Spec 1.2, `Content` and its seven classes.)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Content {
    /// Number of the event that said this whole value last; null while it is only pieces.
    pub sequence_number: Option<i64>,
    /// How far the part has come.
    pub status: RunStatus,
    /// Why it failed.
    pub error: Option<ErrorInfo>,
    /// Its place in the message.
    pub index: u32,
    /// The message it belongs to.
    pub msg_id: Id,
    /// What it holds.
    pub payload: Payload,
    /// Members the protocol does not declare, verbatim.
    pub extra: Vec<Member>,
}

/// What a content holds, by its `type`. Absent and null are the same: `None`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Payload {
    /// `text`
    Text {
        /// The text so far.
        text: Option<String>,
    },
    /// `image`
    Image {
        /// A URL or data URL.
        image_url: Option<String>,
    },
    /// `data`
    Data {
        /// A JSON object.
        data: Option<Value>,
    },
    /// `audio`
    Audio {
        /// Base64 or a URL.
        data: Option<String>,
        /// For example `wav`.
        format: Option<String>,
    },
    /// `video`
    Video {
        /// A URL or data URL.
        video_url: Option<String>,
    },
    /// `file`
    File {
        /// Where the file is.
        file_url: Option<String>,
        /// The server's name for it.
        file_id: Option<String>,
        /// Its name for people.
        filename: Option<String>,
        /// Base64.
        file_data: Option<String>,
    },
    /// `refusal`
    Refusal {
        /// Why the agent will not answer.
        refusal: Option<String>,
    },
    /// A type this version does not know; its members are in `extra`.
    Other {
        /// The type's name.
        r#type: String,
    },
}

impl Payload {
    /// Nothing yet, of that type.
    pub fn empty(kind: &ContentType) -> Payload {
        match kind {
            ContentType::Text => Payload::Text { text: None },
            ContentType::Data => Payload::Data { data: None },
            ContentType::Image => Payload::Image { image_url: None },
            ContentType::Audio => Payload::Audio { data: None, format: None },
            ContentType::File => {
                Payload::File { file_url: None, file_id: None, filename: None, file_data: None }
            }
            ContentType::Refusal => Payload::Refusal { refusal: None },
            ContentType::Video => Payload::Video { video_url: None },
            ContentType::Other(name) => Payload::Other { r#type: name.clone() },
        }
    }

    /// The `type` member.
    pub fn content_type(&self) -> ContentType {
        match self {
            Payload::Text { .. } => ContentType::Text,
            Payload::Data { .. } => ContentType::Data,
            Payload::Image { .. } => ContentType::Image,
            Payload::Audio { .. } => ContentType::Audio,
            Payload::File { .. } => ContentType::File,
            Payload::Refusal { .. } => ContentType::Refusal,
            Payload::Video { .. } => ContentType::Video,
            Payload::Other { r#type } => ContentType::Other(r#type.clone()),
        }
    }
}

impl Response {
    /// A response that has just been created.
    pub fn new(id: impl Into<String>) -> Self {
        Response {
            sequence_number: None,
            status: RunStatus::Created,
            error: None,
            id: id.into(),
            created_at: None,
            completed_at: None,
            output: Vec::new(),
            usage: None,
            session_id: None,
            extra: Vec::new(),
        }
    }
}

impl Message {
    /// A message in progress with nothing in it.
    pub fn new(id: impl Into<Id>, kind: MessageType, role: Option<Role>) -> Self {
        Message {
            sequence_number: None,
            status: RunStatus::InProgress,
            error: None,
            id: id.into(),
            r#type: kind,
            role,
            content: Vec::new(),
            code: None,
            message: None,
            usage: None,
            metadata: None,
            extra: Vec::new(),
        }
    }

    /// All text parts, one after the other: what the message says.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(Content::text);
        texts.fold(String::new(), |all, text| all + text)
    }
}

impl Content {
    /// A content in progress.
    pub fn new(msg_id: impl Into<Id>, index: u32, payload: Payload) -> Self {
        Content {
            sequence_number: None,
            status: RunStatus::InProgress,
            error: None,
            index,
            msg_id: msg_id.into(),
            payload,
            extra: Vec::new(),
        }
    }

    /// The text, when this is a text.
    pub fn text(&self) -> Option<&str> {
        match &self.payload {
            Payload::Text { text } => text.as_deref(),
            _ => None,
        }
    }

    /// The data, when this is data.
    pub fn data(&self) -> Option<&Value> {
        match &self.payload {
            Payload::Data { data } => data.as_ref(),
            _ => None,
        }
    }
}
