//! Requests: the body of `POST /v1/messages`, parsed leniently and written strictly.
//!
//! ```
//! use agentwire::anthropic::request::MessagesRequest;
//!
//! let request = MessagesRequest::user("m", "hi");
//! assert_eq!(
//!     request.to_json(),
//!     r#"{"model":"m","max_tokens":4096,"messages":[{"role":"user","content":"hi"}],"stream":true}"#,
//! );
//! ```

use alloc::{string::String, vec, vec::Vec};

pub use super::error::RequestError;
use crate::core::requests;
use crate::json::Value;

requests! {
    objects {
        /// The request of a client: the body of `POST /v1/messages`.
        ///
        /// Absent and null are equivalent. Unknown properties are kept.
        MessagesRequest as "MessagesRequest" {
            /// The model to use.
            model: Option<String>,
            /// The maximum number of output tokens. The server requires it.
            max_tokens: Option<i64>,
            /// The system instructions: a string, or blocks.
            system: Option<Content>,
            /// The whole conversation: at least one message.
            messages: Vec<RequestMessage> [SomeItems],
            /// The tools that the model can call.
            tools: Vec<Tool> [NullIsAbsent, OmitWhenEmpty],
            /// The tool choice: an object with `type` (`auto`, `any`, `tool`, `none`).
            tool_choice: Option<Value> [Object],
            /// Whether the answer is a stream of events. Otherwise it is one JSON object.
            stream: Option<bool>,
            /// The settings of thinking: `type` and `budget_tokens`.
            thinking: Option<Value> [Object],
            /// The sampling temperature, 0 to 1.
            temperature: Option<f64>,
            /// The probability mass for nucleus sampling, 0 to 1.
            top_p: Option<f64>,
            /// The number of tokens that sampling selects from.
            top_k: Option<i64>,
            /// The texts that end the answer.
            stop_sequences: Option<Vec<String>>,
            /// Data about the request: `user_id`.
            metadata: Option<Value> [Object],
            /// The service tier.
            service_tier: Option<String>,
            .. extra
        }
        /// A message of the conversation.
        RequestMessage as "AnthropicRequestMessage" {
            /// The role: `user` or `assistant`.
            role: String,
            /// The text, or blocks.
            content: Content,
        }
        /// A tool. Tools of the server have further properties.
        Tool as "AnthropicTool" {
            /// The type of a tool of the server, such as `web_search_20250305`. Absent or `custom`
            /// for a function.
            r#type as "type": Option<String>,
            /// The name. A set of tools of an MCP server has none.
            name: Option<String>,
            /// The purpose of the tool, for the model.
            description: Option<String>,
            /// The JSON Schema of the input.
            input_schema: Option<Value>,
            .. extra
        }
        /// A block of a message. Its other properties depend on its type.
        RequestBlock as "AnthropicRequestBlock" {
            /// The type: `text`, `image`, `document`, `tool_use`, `tool_result`, `thinking`, …
            r#type as "type": String,
            /// A text.
            text: Option<String>,
            /// The source of an image or a document: an object with `type` (`base64`, `url`,
            /// `file`).
            source: Option<Value> [Object],
            /// The call's id.
            id: Option<String>,
            /// The name of the tool.
            name: Option<String>,
            /// The input of the tool.
            input: Option<Value>,
            /// The id of the call whose result the block has.
            tool_use_id: Option<String>,
            /// The result: a string, or blocks.
            content: Option<Value>,
            /// Whether the tool failed.
            is_error: Option<bool>,
            .. extra
        }
    }
    alternatives {
        /// A string, or blocks.
        Content as "AnthropicContent" {
            /// The text.
            Text(String) = "str",
            /// The blocks, in order.
            Blocks(Vec<RequestBlock>) = "list[RequestBlock]",
        }
    }
    bodies { MessagesRequest }
    types { MessagesRequest RequestMessage Tool RequestBlock Content }
}

/// The maximum number of output tokens of a request that does not have one: the server requires it.
pub(super) const MAX_TOKENS: i64 = 4096;

impl MessagesRequest {
    /// Creates a request of a stream with these messages, and at most 4096 output tokens.
    pub fn new(model: impl Into<String>, messages: Vec<RequestMessage>) -> Self {
        let (model, max_tokens, stream) = (Some(model.into()), Some(MAX_TOKENS), Some(true));
        MessagesRequest { model, max_tokens, messages, stream, ..Self::empty() }
    }

    /// Creates a request with the text of the user.
    pub fn user(model: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(model, vec![RequestMessage::new("user", Content::Text(text.into()))])
    }

    /// Returns the request as JSON.
    pub fn to_json(&self) -> String {
        self.normalized_json()
    }

    /// Parses the body of a request as a server of the API does.
    ///
    /// # Errors
    ///
    /// [`RequestError`] for a request that such a server refuses, and for one that continues a
    /// thread of a server which stores messages: clients repeat it with the whole conversation.
    pub fn parse_as_server(json: &str) -> Result<Self, RequestError> {
        let request = Self::parse(json)?;
        let thread = request.extra.iter().find(|member| member.key == "thread");
        match thread.and_then(|thread| thread.value.get("previous_message_id")) {
            Some(id) if !id.is_null() => Err(RequestError::thread_not_found(id)),
            _ => Ok(request),
        }
    }

    /// Returns the members of the request that the writer of its answer needs
    /// ([`WriteOptions::echo`](crate::hub::WriteOptions::echo)): the model, whether the answer is a
    /// stream, and the names of the tools that the client runs.
    ///
    /// ```
    /// use agentwire::anthropic::request::MessagesRequest;
    ///
    /// let asked = MessagesRequest::parse(
    ///     r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"name":"f","input_schema":{}}]}"#,
    /// )?;
    /// assert_eq!(asked.echo().to_json(), r#"{"model":"m","stream":false,"tools":[{"name":"f"}]}"#);
    /// # Ok::<(), agentwire::request::InvalidRequest>(())
    /// ```
    pub fn echo(&self) -> Value {
        let named = |tool: &Tool| Some(Value::from([("name", tool.name.as_deref()?.into())]));
        let mut echo = Value::Object(Vec::new());
        if let Some(model) = &self.model {
            echo.insert("model", model.as_str().into());
        }
        echo.insert("stream", self.stream.unwrap_or_default().into());
        echo.insert("tools", Value::Array(self.tools.iter().filter_map(named).collect()));
        echo
    }

    /// Returns an estimate of the number of input tokens: a token for four bytes of the texts, and
    /// 1,600 for an image. Models count differently, by up to a third for texts in other languages
    /// than English.
    pub fn estimated_tokens(&self) -> u64 {
        let body = Value::parse(&self.normalized_json(), crate::json::DEEPEST).unwrap_or_default();
        let parts = ["system", "messages", "tools"];
        parts.iter().filter_map(|name| body.get(name)).map(estimated_bytes).sum::<u64>().div_ceil(4)
    }
}

/// Returns the number of bytes that a value counts as.
fn estimated_bytes(value: &Value) -> u64 {
    /// The bytes for which an image counts.
    const IMAGE: u64 = 1_600 * 4;
    match value {
        Value::String(text) => text.len() as u64,
        Value::Array(list) => list.iter().map(estimated_bytes).sum(),
        Value::Object(members) if value.text("type") == Some("base64") => {
            // The size of a document is that of its text, about a third of the bytes.
            match value.text("media_type").is_some_and(|kind| kind.starts_with("image/")) {
                true => IMAGE,
                false => {
                    members.iter().map(|member| estimated_bytes(&member.value)).sum::<u64>() / 4
                }
            }
        }
        Value::Object(members) => members
            .iter()
            .map(|member| member.key.len() as u64 + estimated_bytes(&member.value))
            .sum(),
        Value::Number(digits) => digits.len() as u64,
        Value::Bool(_) | Value::Null => 4,
    }
}

impl RequestMessage {
    /// Creates a message of a role.
    pub fn new(role: impl Into<String>, content: Content) -> Self {
        RequestMessage { role: role.into(), content }
    }
}

impl Tool {
    /// Creates a function with its name, purpose and the JSON Schema of its input.
    pub fn function(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
    ) -> Self {
        let (description, input_schema) = (Some(description.into()), Some(input_schema));
        Tool { name: Some(name.into()), description, input_schema, ..Self::empty() }
    }
}

impl RequestBlock {
    /// Creates a block of a type, without content.
    pub fn new(r#type: impl Into<String>) -> Self {
        RequestBlock { r#type: r#type.into(), ..Self::empty() }
    }

    /// Creates a block with a text.
    pub fn text(text: impl Into<String>) -> Self {
        RequestBlock { text: Some(text.into()), ..Self::new("text") }
    }
}
