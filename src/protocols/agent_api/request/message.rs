//! Messages as they are sent to an agent.

use alloc::{string::String, vec, vec::Vec};

use super::error::RequestError;
use crate::core::request::field::word_fields;
use crate::core::{Limits, request, requests};
use crate::json::Value;
use crate::protocols::agent_api::{ErrorInfo, MessageType, Payload, Role, RunStatus, Style};

requests! {
    objects {
        /// One message of a request. (Spec 1.2, `Message`.)
        ///
        /// Absent and null are the same, unless a member says otherwise.
        InputMessage as "InputMessage" of "Message" {
            /// Where a message that was streamed stood in its stream.
            sequence_number: Option<i64>,
            /// `"message"` when absent; any text is accepted. Null is not.
            object: Option<String> [NotNull, Wire("message")],
            /// `created` when absent. Null is not accepted.
            status: Option<RunStatus> [NotNull, Wire("created")],
            /// Why a message failed.
            error: Option<ErrorInfo>,
            /// The server makes an id when it is absent. Null is not accepted.
            id: Option<String> [NotNull],
            /// What the message is; `message` when absent. Null is not accepted.
            r#type as "type": MessageType [Default] = MessageType::Message,
            /// Who it is from.
            role: Option<Role> [OneOf(&["assistant", "system", "user", "tool"])],
            /// Its parts.
            content: Option<Vec<InputContent>>,
            /// Error code of a message of type error.
            code: Option<String>,
            /// Error text of a message of type error.
            message: Option<String>,
            /// Tokens used: an object.
            usage: Option<Value> [Object],
            /// Free: an object.
            metadata: Option<Value> [Object],
            .. extra
        }
        /// One part of a message of a request: a content with everything optional but its type. (Spec 1.2, `Content`.)
        InputContent as "InputContent" {
            /// Where a content that was streamed stood in its stream.
            sequence_number: Option<i64>,
            /// `"content"` when absent; any text is accepted. Null is not.
            object: Option<String> [NotNull, Wire("content")],
            /// How far the part has come.
            status: Option<RunStatus>,
            /// Why it failed.
            error: Option<ErrorInfo> [ThenTag],
            /// Its place in the message; without one the place in the list counts.
            index: Option<i64>,
            /// Whether this is a piece of the part; false when absent, and null is different from false.
            delta: Option<bool> [Default, Brief] = Some(false),
            /// The message it belongs to.
            msg_id: Option<String>,
            & payload: Payload,
            .. extra
        }
    }
    existing {
        ErrorInfo of "Error" = ErrorInfo::new("", ""), {
            code: String,
            message: String,
        }
    }
    existing_unions {
        /// What a content of a request holds, by its `type`.
        Payload as "InputPayload" by "type" or Other(r#type) {
            Text = "text" { text: Option<String>, }
            Image = "image" { image_url: Option<String>, }
            Data = "data" { data: Option<Value> [Object], }
            Audio = "audio" { data: Option<String>, format: Option<String>, }
            File = "file" {
                file_url: Option<String>,
                file_id: Option<String>,
                filename: Option<String>,
                file_data: Option<String>,
            }
            Refusal = "refusal" { refusal: Option<String>, }
            Video = "video" { video_url: Option<String>, }
        }
    }
}

word_fields!(Role MessageType RunStatus);

impl InputMessage {
    /// A message of type `message` with these parts.
    pub fn new(role: Role, content: Vec<InputContent>) -> Self {
        InputMessage { role: Some(role), content: Some(content), ..Self::empty() }
    }

    /// What the user says.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![InputContent::text(text)])
    }

    /// Reads one message, as the runtime reads those of a request.
    pub fn parse(json: &str) -> Result<Self, RequestError> {
        let value = Value::parse(json, Limits::default().json_depth)
            .map_err(|error| RequestError::new("AgentRequest", vec![request::not_json(json, error)]))?;
        request::read(value, None).map_err(|problems| RequestError::new("Message", problems))
    }

    /// The message as JSON.
    pub fn to_json(&self, style: Style) -> String {
        request::to_json(self, style == Style::Compact)
    }
}

impl InputContent {
    /// A part that holds `payload`.
    pub fn new(payload: Payload) -> Self {
        InputContent { payload, ..Self::empty() }
    }

    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        let text = Some(text.into());
        Self::new(Payload::Text { text })
    }

    /// The content as JSON.
    pub fn to_json(&self, style: Style) -> String {
        request::to_json(self, style == Style::Compact)
    }
}
