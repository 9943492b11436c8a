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
        /// Absent and null are equivalent unless noted otherwise.
        InputMessage as "InputMessage" of "Message" {
            /// The sequence number of a message that was streamed.
            sequence_number: Option<i64>,
            /// `"message"` when absent; any text is accepted. Null is not.
            object: Option<String> [NotNull, UnsetAs("message")],
            /// `created` when absent. Null is not accepted.
            status: Option<RunStatus> [NotNull, UnsetAs("created")],
            /// The error of a message that failed.
            error: Option<ErrorInfo>,
            /// The message's id. If it is absent, the server generates one. Null is not accepted.
            id: Option<String> [NotNull],
            /// The type of the message; `message` when absent. Null is not accepted.
            r#type as "type": MessageType [Default] = MessageType::Message,
            /// The role of the sender.
            role: Option<Role> [OneOf(&["assistant", "system", "user", "tool"])],
            /// The contents of the message.
            content: Option<Vec<InputContent>>,
            /// The error code of a message of type `error`.
            code: Option<String>,
            /// The error message of a message of type `error`.
            message: Option<String>,
            /// The token usage: an object.
            usage: Option<Value> [Object],
            /// Arbitrary data: an object.
            metadata: Option<Value> [Object],
            .. extra
        }
        /// A content of a message of a request. Everything except the type is optional. (Spec 1.2, `Content`.)
        InputContent as "InputContent" {
            /// The sequence number of a content that was streamed.
            sequence_number: Option<i64>,
            /// `"content"` when absent; any text is accepted. Null is not.
            object: Option<String> [NotNull, UnsetAs("content")],
            /// The status of the content.
            status: Option<RunStatus>,
            /// The error.
            error: Option<ErrorInfo> [FollowedByTag],
            /// The index in the message. By default, the position in the list.
            index: Option<i64>,
            /// Whether the content is a delta. Absent means false; null differs from false.
            delta: Option<bool> [Default, OmitWhenEmpty] = Some(false),
            /// The id of the message that contains it.
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
        /// The payload of a content of a request, by its `type`.
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
    /// Creates a message of type `message` with these parts.
    pub fn new(role: Role, content: Vec<InputContent>) -> Self {
        InputMessage { role: Some(role), content: Some(content), ..Self::empty() }
    }

    /// Creates a message of the user with this text.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![InputContent::text(text)])
    }

    /// Reads one message as the runtime reads the messages of a request.
    pub fn parse(json: &str) -> Result<Self, RequestError> {
        let value = Value::parse(json, Limits::default().json_depth)
            .map_err(|error| RequestError::new("AgentRequest", vec![request::not_json(json, error)]))?;
        request::read(value, None).map_err(|problems| RequestError::new("Message", problems))
    }

    /// Returns the message as JSON.
    pub fn to_json(&self, style: Style) -> String {
        request::to_json(self, style == Style::Compact)
    }
}

impl InputContent {
    /// Creates a part with this payload.
    pub fn new(payload: Payload) -> Self {
        InputContent { payload, ..Self::empty() }
    }

    /// Creates a content with text.
    pub fn text(text: impl Into<String>) -> Self {
        let text = Some(text.into());
        Self::new(Payload::Text { text })
    }

    /// Returns the content as JSON.
    pub fn to_json(&self, style: Style) -> String {
        request::to_json(self, style == Style::Compact)
    }
}
