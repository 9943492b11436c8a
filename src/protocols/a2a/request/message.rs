//! What a client sends: a message, and how it wants the answer; declared. (2.2.)

use alloc::{string::String, vec::Vec};

use super::dialect::object;
use crate::core::request::{Diagnostics, Fault};
use crate::core::{FreeJsonCheck, IdSource, Limits, UsageError, requests};
use crate::json::Value;

requests! {
    objects {
        /// What a client asks of an A2A agent: the parameters of `SendMessage` and `SendStreamingMessage`, in the form of 1.0.
        SendMessageRequest as "A2aSendMessageRequest" {
            /// What the client says.
            message: Message,
            /// How it wants the answer.
            configuration: Option<SendMessageConfiguration>,
            /// Free: an object.
            metadata: Option<Value> [Object],
        }
        /// How a client wants the answer.
        SendMessageConfiguration as "A2aSendMessageConfiguration" {
            /// The media types that it can show.
            accepted_output_modes as "acceptedOutputModes": Vec<String> [Alias("accepted_output_modes"), NullIsAbsent, Brief],
            /// How many messages the task of the answer has of its history; all where it is absent.
            history_length as "historyLength": Option<i64> [Alias("history_length")],
            /// Whether the answer may be a task that still works. By default it is one that has come to its end, or waits.
            return_immediately as "returnImmediately": Option<bool> [Alias("return_immediately")],
            /// Where to send updates to: refused, there are no push notifications.
            push as "taskPushNotificationConfig": Option<Value> [Alias("task_push_notification_config")],
        }
        /// A message of a client.
        Message as "A2aInputMessage" with check_parts {
            /// Its id, which the client makes.
            message_id as "messageId": String [Alias("message_id")],
            /// The conversation; a new one where it is absent.
            context_id as "contextId": Option<String> [Alias("context_id")],
            /// The task that it goes on with; a new one where it is absent.
            task_id as "taskId": Option<String> [Alias("task_id")],
            /// Who it is from.
            role: String [OneOf(&["ROLE_USER", "ROLE_AGENT"])],
            /// What it says.
            parts: Vec<Part>,
            /// Free: an object.
            metadata: Option<Value> [Object],
            /// The extensions that it uses.
            extensions: Vec<String> [NullIsAbsent, Brief],
            /// Other tasks that it is about.
            reference_task_ids as "referenceTaskIds": Vec<String> [Alias("reference_task_ids"), NullIsAbsent, Brief],
        }
        /// A part of a message: exactly one of `text`, `raw`, `url` and `data`, and what is said about it.
        Part as "A2aInputPart" {
            /// Text.
            text: Option<String>,
            /// Bytes, in base64.
            raw: Option<String>,
            /// Where a file is.
            url: Option<String>,
            /// Any JSON.
            data: Option<Value>,
            /// The file's name.
            filename: Option<String>,
            /// What it is: `image/png`.
            media_type as "mediaType": Option<String> [Alias("media_type")],
            /// Free: an object.
            metadata: Option<Value> [Object],
        }
    }
    bodies { SendMessageRequest }
    typescript { SendMessageRequest SendMessageConfiguration Message Part }
}

impl SendMessageRequest {
    /// A request that says this and nothing else.
    pub fn new(message: Message) -> Self {
        SendMessageRequest { message, ..Self::empty() }
    }

    /// What the user says.
    pub fn user(message_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(Message::user(message_id, [Part::text(text)].into()))
    }

    /// The request as JSON. Refuses what no server takes: a part of no content or of several, JSON that nests too deep.
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
    /// What the user says.
    pub fn user(message_id: impl Into<String>, parts: Vec<Part>) -> Self {
        Message { message_id: message_id.into(), role: "ROLE_USER".into(), parts, ..Self::empty() }
    }

    /// Gives a message without an id one: servers want it.
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

    /// The message as JSON of 1.0.
    pub(crate) fn to_value(&self) -> Value {
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let texts = |texts: &[String]| {
            (!texts.is_empty()).then(|| Value::Array(texts.iter().map(|text| text.as_str().into()).collect()))
        };
        object([
            ("messageId", Some(self.message_id.as_str().into())),
            ("contextId", text(&self.context_id)),
            ("taskId", text(&self.task_id)),
            ("role", Some(self.role.as_str().into())),
            ("parts", Some(Value::Array(self.parts.iter().map(Part::to_value).collect()))),
            ("metadata", self.metadata.clone()),
            ("extensions", texts(&self.extensions)),
            ("referenceTaskIds", texts(&self.reference_task_ids)),
        ])
    }
}

impl Part {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Part { text: Some(text.into()), ..Self::empty() }
    }

    /// Any JSON.
    pub fn data(data: Value) -> Self {
        Part { data: Some(data), ..Self::empty() }
    }

    /// A file: its bytes in base64, or where it is.
    pub fn file(raw: Option<String>, url: Option<String>, media_type: Option<String>) -> Self {
        Part { raw, url, media_type, ..Self::empty() }
    }

    /// Refuses a part that has no content, or several. (A12.)
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

    /// The part as JSON of 1.0.
    pub(crate) fn to_value(&self) -> Value {
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        object([
            ("text", text(&self.text)),
            ("raw", text(&self.raw)),
            ("url", text(&self.url)),
            ("data", self.data.clone()),
            ("filename", text(&self.filename)),
            ("mediaType", text(&self.media_type)),
            ("metadata", self.metadata.clone()),
        ])
    }
}
