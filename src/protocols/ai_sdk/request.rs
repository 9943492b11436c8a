//! Requests: the body that `useChat` sends, parsed leniently and written strictly.
//!
//! ```
//! use agentwire::ai_sdk::request::UiRequest;
//!
//! let request = UiRequest::user("chat-1", "u1", "hi");
//! assert_eq!(
//!     request.to_json(),
//!     r#"{"id":"chat-1","messages":[{"id":"u1","role":"user","parts":[{"type":"text","text":"hi"}]}],"trigger":"submit-message"}"#,
//! );
//! ```

use alloc::{string::String, vec, vec::Vec};

use crate::core::requests;
use crate::json::Value;

requests! {
    objects {
        /// The request of a client: the body that `DefaultChatTransport` sends. It has the whole
        /// conversation.
        ///
        /// Absent and null are equivalent. Unknown properties are kept.
        UiRequest as "AiSdkRequest" {
            /// The id of the chat.
            id: Option<String>,
            /// The whole conversation.
            messages: Vec<UiMessage>,
            /// The occasion: `submit-message` or `regenerate-message`.
            trigger: Option<String>,
            /// The id of the message to be replaced.
            message_id as "messageId": Option<String>,
            .. extra
        }
        /// A message of the conversation.
        UiMessage as "AiSdkRequestMessage" {
            /// The message's id.
            id: Option<String>,
            /// The role: `user`, `assistant` or `system`.
            role: String,
            /// Metadata of the application.
            metadata: Option<Value>,
            /// The parts, in order.
            parts: Vec<UiPart>,
        }
        /// A part of a message. Its other properties depend on its type.
        UiPart as "AiSdkRequestPart" {
            /// The type: `text`, `reasoning`, `file`, `tool-<name>`, `dynamic-tool`, `data-<name>`,
            /// …
            r#type as "type": String,
            /// A text.
            text: Option<String>,
            /// The call's id.
            tool_call_id as "toolCallId": Option<String>,
            /// The name of a tool that is not known at build time.
            tool_name as "toolName": Option<String>,
            /// The state of a text or a tool call.
            state: Option<String>,
            /// The input of a tool.
            input: Option<Value>,
            /// The output of a tool.
            output: Option<Value>,
            /// The error message of a call.
            error_text as "errorText": Option<String>,
            /// The approval of a call: an object with `id`, `approved` and `reason`.
            approval: Option<Value> [Object],
            /// The URL of a file or a source, or a data URL.
            url: Option<String>,
            /// The media type of a file.
            media_type as "mediaType": Option<String>,
            /// The name of a file.
            filename: Option<String>,
            /// The value of `data-<name>`.
            data: Option<Value>,
            .. extra
        }
    }
    bodies { UiRequest }
    types { UiRequest UiMessage UiPart }
}

impl UiRequest {
    /// Creates a request with the conversation.
    pub fn new(id: impl Into<String>, messages: Vec<UiMessage>) -> Self {
        UiRequest {
            id: Some(id.into()),
            messages,
            trigger: Some("submit-message".into()),
            ..Self::empty()
        }
    }

    /// Creates a request with the text of the user.
    pub fn user(
        id: impl Into<String>,
        message_id: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let message = UiMessage::new("user", vec![UiPart::text(text)]);
        Self::new(id, vec![UiMessage { id: Some(message_id.into()), ..message }])
    }

    /// Returns the request as JSON.
    pub fn to_json(&self) -> String {
        self.normalized_json()
    }
}

impl UiMessage {
    /// Creates a message of a role, without an id.
    pub fn new(role: impl Into<String>, parts: Vec<UiPart>) -> Self {
        UiMessage { id: None, role: role.into(), metadata: None, parts }
    }
}

impl UiPart {
    /// Creates a part of a type, without content.
    pub fn new(r#type: impl Into<String>) -> Self {
        UiPart { r#type: r#type.into(), ..Self::empty() }
    }

    /// Creates a part with a text.
    pub fn text(text: impl Into<String>) -> Self {
        UiPart { text: Some(text.into()), ..Self::new("text") }
    }

    /// Returns the name of the tool, if the part is a call.
    pub fn called_tool(&self) -> Option<&str> {
        match &*self.r#type {
            "dynamic-tool" => self.tool_name.as_deref(),
            name => name.strip_prefix("tool-"),
        }
    }
}
