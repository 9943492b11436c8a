//! Messages, tools and history as they are sent to an agent.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::error::RequestError;
use crate::core::request::field::word_fields;
use crate::core::request::{self, Diagnostics, Fault};
use crate::core::{Limits, requests};
use crate::json::{Raw, Value};
use crate::protocols::agent_api::{
    Content, ErrorInfo, Message, MessageType, Payload, Role, RunStatus, Style,
};

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
        /// A content of a message of a request. Everything except the type is optional. (Spec 1.2,
        /// `Content`.)
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
        let value = Value::parse(json, Limits::default().json_depth).map_err(|error| {
            RequestError::new("AgentRequest", vec![request::not_json(json, error)])
        })?;
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

requests! {
    objects {
        /// A tool. (Spec 1.2, `Tool`.)
        ///
        /// The runtime removes undeclared properties from tools. They are kept here, so that
        /// forwarding a request loses nothing.
        Tool as "Tool" of "Tool" {
            /// The type of the tool. Only `"function"` is defined, which is also the meaning of
            /// absent. Null stays null.
            r#type as "type": Option<String> [Default] = Some("function".to_owned()),
            /// The function.
            function: Option<FunctionTool>,
            .. extra
        }
        /// A function that the agent may call. (Spec 1.2, `FunctionTool`; R41.)
        FunctionTool as "FunctionTool" of "FunctionTool" made by new {
            /// The name.
            name: String,
            /// The purpose of the function, for the model. Null is not accepted.
            description: String,
            /// The parameters of the function.
            parameters: ToolParameters,
            .. extra
        }
        /// The schema of a function's parameters. (Spec 1.2, `FunctionParameters`.)
        FunctionParameters as "FunctionParameters" of "FunctionParameters" {
            /// The type of the schema: `"object"`.
            r#type as "type": String = "object".to_owned(),
            /// An object with a schema for each parameter.
            properties: Value [Object],
            /// The names of the required parameters. The property must be present, but can be null.
            required: Option<Vec<String>> [RequiredNullable],
            .. extra
        }
    }
    alternatives {
        /// One entry of `tools`. (Spec 1.2.)
        ///
        /// The runtime tries `Tool` first and keeps any other object unchanged; it never rejects an
        /// object.
        ToolEntry as "ToolEntry" with check_understood {
            /// An object that is a tool by the schema. The runtime treats an empty object as no
            /// tool.
            Tool(Tool) = "Tool" [NonEmpty],
            /// Another object, verbatim.
            Object(Value) = "dict[any,any]" [Object],
        }
        /// The parameters of a function. (Spec 1.2.)
        ToolParameters as "ToolParameters" with check_type {
            /// A JSON Schema with `type`, `properties` and `required`.
            Schema(FunctionParameters) = "FunctionParameters",
            /// Any other object, verbatim: a schema without `required` is one.
            Object(Value) = "dict[str,any]" [Object],
        }
    }
}

impl Tool {
    /// Creates a tool from this function.
    pub fn function(function: FunctionTool) -> Self {
        Tool { function: Some(function), ..Self::empty() }
    }
}

impl FunctionParameters {
    /// Creates the schema of an object with these properties.
    pub fn new(properties: Value, required: Vec<String>) -> Self {
        FunctionParameters { properties, required: Some(required), ..Self::empty() }
    }
}

impl Default for ToolParameters {
    fn default() -> Self {
        ToolParameters::Object(Value::Object(Vec::new()))
    }
}

impl From<FunctionParameters> for ToolParameters {
    fn from(schema: FunctionParameters) -> Self {
        ToolParameters::Schema(schema)
    }
}

/// Converts a value with all members that [`FunctionParameters`] requires into a schema; keeps any
/// other value unchanged.
impl From<Value> for ToolParameters {
    fn from(value: Value) -> Self {
        match request::read(value.clone(), None) {
            Ok(schema) => ToolParameters::Schema(schema),
            Err(_) => ToolParameters::Object(value),
        }
    }
}

impl ToolEntry {
    fn check_understood(&self, diagnostics: &mut Diagnostics) {
        let understood = match self {
            ToolEntry::Tool(tool) => {
                tool.function.is_some() && tool.r#type.as_deref() == Some("function")
            }
            ToolEntry::Object(_) => false,
        };
        if !understood {
            let got = Value::from_raw(Raw(&request::to_json(self, true)));
            diagnostics.note(Fault::UselessTool, &got);
        }
    }
}

impl ToolParameters {
    /// Reports a schema with a `type` other than `object`, because the parameters of a function
    /// form an object. A schema without `type` is accepted.
    fn check_type(&self, diagnostics: &mut Diagnostics) {
        let r#type = match self {
            ToolParameters::Schema(schema) => schema.r#type.as_str().into(),
            ToolParameters::Object(value) => {
                value.get("type").cloned().unwrap_or_else(|| "object".into())
            }
        };
        if r#type.as_str() != Some("object") {
            diagnostics.note_member("type", Fault::OneOf(&["object"]), &r#type);
        }
    }
}

impl From<Message> for InputMessage {
    fn from(message: Message) -> Self {
        InputMessage {
            sequence_number: message.sequence_number,
            object: None,
            status: Some(message.status),
            error: message.error,
            id: Some(message.id.into()),
            r#type: message.r#type,
            role: message.role,
            content: Some(message.content.into_iter().map(Into::into).collect()),
            code: message.code,
            message: message.message,
            usage: message.usage,
            metadata: message.metadata,
            extra: message.extra,
        }
    }
}

impl From<Content> for InputContent {
    fn from(content: Content) -> Self {
        InputContent {
            sequence_number: content.sequence_number,
            object: None,
            status: Some(content.status),
            error: content.error,
            index: Some(content.index.into()),
            delta: Some(false),
            msg_id: Some(content.msg_id.into()),
            payload: content.payload,
            extra: content.extra,
        }
    }
}

impl From<InputMessage> for Message {
    /// Sets defaults for absent members: the status `created`, and for the index of a part its
    /// position in the list.
    fn from(input: InputMessage) -> Self {
        let mut message = Message::new(input.id.unwrap_or_default(), input.r#type, input.role);
        let parts = input.content.unwrap_or_default().into_iter().zip(0..);
        let content = |(part, place): (InputContent, u32)| {
            let index = part.index.and_then(|index| u32::try_from(index).ok()).unwrap_or(place);
            part.stored(index, &message.id, RunStatus::Created)
        };
        message.content = parts.map(content).collect();
        message.sequence_number = input.sequence_number;
        message.status = input.status.unwrap_or(RunStatus::Created);
        message.error = input.error;
        message.code = input.code;
        message.message = input.message;
        message.usage = input.usage;
        message.metadata = input.metadata;
        message.extra = input.extra;
        message
    }
}

impl InputContent {
    /// Converts a part of the message with that id, at that index. `status` is the default.
    pub(in crate::protocols::agent_api) fn stored(
        self,
        index: u32,
        id: &str,
        status: RunStatus,
    ) -> Content {
        let mut content = Content::new(id, index, self.payload);
        content.sequence_number = self.sequence_number;
        content.status = self.status.unwrap_or(status);
        content.error = self.error;
        content.extra = self.extra;
        content
    }
}
