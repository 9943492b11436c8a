//! The declarations of the objects that a client sends: a message, and the settings of the
//! response. (2.2.)

use alloc::{string::String, vec::Vec};

#[cfg(feature = "hub")]
use super::dialect::object;
use crate::core::request::{Diagnostics, Fault};
use crate::core::{FreeJsonCheck, IdSource, Limits, UsageError, requests};
use crate::json::Value;

requests! {
    objects {
        /// The request of a client to an A2A agent: the parameters of `SendMessage` and
        /// `SendStreamingMessage`, in the form of 1.0.
        SendMessageRequest as "A2aSendMessageRequest" {
            /// The client's message.
            message: Message,
            /// The settings of the response.
            configuration: Option<SendMessageConfiguration>,
            /// Arbitrary data: an object.
            metadata: Option<Value> [Object],
        }
        /// The settings of a response.
        SendMessageConfiguration as "A2aSendMessageConfiguration" {
            /// The media types that the client accepts.
            accepted_output_modes as "acceptedOutputModes": Vec<String> [Alias("accepted_output_modes"), NullIsAbsent, OmitWhenEmpty],
            /// The maximum number of history messages in the returned task. All by default.
            history_length as "historyLength": Option<i64> [Alias("history_length")],
            /// Whether the response can be a task that is still running. By default it is a task
            /// that has ended or waits.
            return_immediately as "returnImmediately": Option<bool> [Alias("return_immediately")],
            /// The target of push notifications. It is rejected, because they are not supported.
            push as "taskPushNotificationConfig": Option<Value> [Alias("task_push_notification_config")],
        }
        /// A message of a client.
        Message as "A2aInputMessage" with check_parts {
            /// The message's id, which the client generates.
            message_id as "messageId": String [Alias("message_id")],
            /// The id of the conversation. A new conversation by default.
            context_id as "contextId": Option<String> [Alias("context_id")],
            /// The id of the task to continue. A new task by default.
            task_id as "taskId": Option<String> [Alias("task_id")],
            /// The role of the sender.
            role: String [OneOf(&["ROLE_USER", "ROLE_AGENT"])],
            /// The parts of the message.
            parts: Vec<Part>,
            /// Arbitrary data: an object.
            metadata: Option<Value> [Object],
            /// The extensions that the message uses.
            extensions: Vec<String> [NullIsAbsent, OmitWhenEmpty],
            /// The ids of other tasks that the message refers to.
            reference_task_ids as "referenceTaskIds": Vec<String> [Alias("reference_task_ids"), NullIsAbsent, OmitWhenEmpty],
        }
        /// A part of a message: exactly one of `text`, `raw`, `url` and `data`, and its metadata.
        Part as "A2aInputPart" {
            /// The text.
            text: Option<String>,
            /// The bytes in base64.
            raw: Option<String>,
            /// The URL of a file.
            url: Option<String>,
            /// The data: any JSON.
            data: Option<Value>,
            /// The file's name.
            filename: Option<String>,
            /// The media type, for example `image/png`.
            media_type as "mediaType": Option<String> [Alias("media_type")],
            /// Arbitrary data: an object.
            metadata: Option<Value> [Object],
        }
    }
    bodies { SendMessageRequest }
}

impl SendMessageRequest {
    /// Creates a request with only this message.
    pub fn new(message: Message) -> Self {
        SendMessageRequest { message, ..Self::empty() }
    }

    /// Creates a request with a text of the user.
    pub fn user(message_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(Message::user(message_id, [Part::text(text)].into()))
    }

    /// Returns the request as JSON. Refuses values that no server accepts: a part without content
    /// or with several contents, and JSON that nests too deep.
    pub fn to_json(&self) -> Result<String, UsageError> {
        const CALL: &str = "to_json()";
        let deepest = Limits::default().json_depth;
        for part in &self.message.parts {
            part.check_content(CALL)?;
            if let Some(data) = &part.data {
                FreeJsonCheck { deepest, call: CALL }.value(data, deepest)?;
            }
        }
        Ok(self.normalized_json())
    }
}

impl Message {
    /// Creates a message of the user.
    pub fn user(message_id: impl Into<String>, parts: Vec<Part>) -> Self {
        Message { message_id: message_id.into(), role: "ROLE_USER".into(), parts, ..Self::empty() }
    }

    /// Sets the id of a message without one, because servers require it.
    pub fn identify(&mut self, ids: &mut impl IdSource) {
        if self.message_id.is_empty() {
            self.message_id = ids.next_id("msg_");
        }
    }

    fn check_parts(&self, diagnostics: &mut Diagnostics) {
        if self.parts.is_empty() {
            diagnostics.note_member("parts", Fault::Missing, &Value::Array(Vec::new()));
        }
    }

    /// Converts the message to JSON of 1.0 without a copy of its content.
    #[cfg(feature = "hub")]
    pub(crate) fn into_value(self) -> Value {
        let text = |text: Option<String>| text.map(Value::from);
        let texts = |texts: Vec<String>| {
            (!texts.is_empty()).then(|| Value::Array(texts.into_iter().map(Value::from).collect()))
        };
        object([
            ("messageId", Some(self.message_id.into())),
            ("contextId", text(self.context_id)),
            ("taskId", text(self.task_id)),
            ("role", Some(self.role.into())),
            ("parts", Some(Value::Array(self.parts.into_iter().map(Part::into_value).collect()))),
            ("metadata", self.metadata),
            ("extensions", texts(self.extensions)),
            ("referenceTaskIds", texts(self.reference_task_ids)),
        ])
    }
}

impl Part {
    /// Creates a part with text.
    pub fn text(text: impl Into<String>) -> Self {
        Part { text: Some(text.into()), ..Self::empty() }
    }

    /// Creates a part with JSON data.
    pub fn data(data: Value) -> Self {
        Part { data: Some(data), ..Self::empty() }
    }

    /// Creates a part with a file: its bytes in base64, or its URL.
    pub fn file(raw: Option<String>, url: Option<String>, media_type: Option<String>) -> Self {
        Part { raw, url, media_type, ..Self::empty() }
    }

    /// Refuses a part without content or with several contents. (A12.)
    pub(crate) fn check_content(&self, call: &str) -> Result<(), UsageError> {
        let texts = [&self.text, &self.raw, &self.url].into_iter().filter(|text| text.is_some());
        match texts.count() + usize::from(self.data.is_some()) {
            1 => Ok(()),
            _ => Err(UsageError::new(
                "part-content",
                [call, " was given a part that has no content, or several"].concat(),
                "give each part one of `text`, `raw`, `url` and `data`",
            )),
        }
    }

    /// Converts the part to JSON of 1.0 without a copy of its content.
    #[cfg(feature = "hub")]
    pub(crate) fn into_value(self) -> Value {
        let text = |text: Option<String>| text.map(Value::from);
        object([
            ("text", text(self.text)),
            ("raw", text(self.raw)),
            ("url", text(self.url)),
            ("data", self.data),
            ("filename", text(self.filename)),
            ("mediaType", text(self.media_type)),
            ("metadata", self.metadata),
        ])
    }
}
