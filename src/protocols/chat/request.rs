//! Requests: the body of `POST /chat/completions`, parsed leniently and written strictly.
//!
//! ```
//! use agentwire::chat::request::ChatRequest;
//!
//! let request = ChatRequest::user("m", "hi");
//! assert_eq!(
//!     request.to_json(),
//!     r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true}}"#,
//! );
//! ```

use alloc::{string::String, vec, vec::Vec};

use crate::core::requests;
#[cfg(feature = "hub")]
use crate::json::Member;
use crate::json::Value;

/// The names in paths of problems for the types that were tried.
const LABELS: &[&str] = &["str", "list[ContentPart]"];

requests! {
    objects {
        /// The request of a client: the body of `POST /chat/completions`.
        ///
        /// Absent and null are equivalent. Unknown properties are kept.
        ChatRequest as "ChatRequest" {
            /// The model to use.
            model: Option<String>,
            /// The whole conversation: at least one message.
            messages: Vec<RequestMessage> [SomeItems],
            /// The tools that the model can call.
            tools: Vec<Tool> [NullIsAbsent, OmitWhenEmpty],
            /// The tool choice: `auto`, `none`, `required`, or an object that names a tool.
            tool_choice: Option<Value>,
            /// Whether several tools can be called in parallel.
            parallel_tool_calls: Option<bool>,
            /// Whether the answer is a stream of chunks. Otherwise it is one JSON object.
            stream: Option<bool>,
            /// The options of the stream, such as `include_usage`: an object.
            stream_options: Option<Value> [Object],
            /// The number of choices.
            n: Option<i64>,
            /// The sampling temperature, 0 to 2.
            temperature: Option<f64>,
            /// The probability mass for nucleus sampling, 0 to 1.
            top_p: Option<f64>,
            /// The maximum number of output tokens, including reasoning.
            max_completion_tokens: Option<i64>,
            /// The same in the older spelling, which most servers other than OpenAI's have.
            max_tokens: Option<i64>,
            /// The texts that end the answer: a string or a list.
            stop: Option<Value>,
            /// The effort of reasoning: `minimal`, `low`, `medium` or `high`.
            reasoning_effort: Option<String>,
            /// The format of the answer: an object.
            response_format: Option<Value> [Object],
            /// The seed of sampling.
            seed: Option<i64>,
            /// Whether log probabilities are returned.
            logprobs: Option<bool>,
            /// The number of alternatives that are returned per token, 0 to 20.
            top_logprobs: Option<i64>,
            /// The penalty for tokens by their frequency so far.
            frequency_penalty: Option<f64>,
            /// The penalty for tokens that have occurred.
            presence_penalty: Option<f64>,
            /// The output modalities: `text`, `audio`.
            modalities: Option<Vec<String>>,
            /// The settings of audio answers: an object.
            audio: Option<Value> [Object],
            /// Arbitrary data: an object.
            metadata: Option<Value> [Object],
            /// Whether the server stores the completion.
            store: Option<bool>,
            /// A stable id of your end user.
            user: Option<String>,
            /// The service tier.
            service_tier: Option<String>,
            .. extra
        }
        /// A message of the conversation.
        RequestMessage as "ChatRequestMessage" {
            /// The role: `system`, `developer`, `user`, `assistant` or `tool`.
            role: String,
            /// The text, or parts. Optional in messages of the assistant.
            content: Option<Content>,
            /// The name of the participant.
            name: Option<String>,
            /// The refusal of the assistant.
            refusal: Option<String>,
            /// The tool calls of the assistant.
            tool_calls: Option<Vec<RequestToolCall>>,
            /// The id of the call whose result a message of a tool has.
            tool_call_id: Option<String>,
            .. extra
        }
        /// A tool call of the assistant.
        RequestToolCall as "ChatRequestToolCall" {
            /// The call's id.
            id: String,
            /// The type: `function` or `custom`.
            r#type as "type": String,
            /// The function.
            function: Option<RequestFunction>,
            /// The custom tool: `name` and `input`.
            custom: Option<Value> [Object],
            .. extra
        }
        /// The function of a tool call.
        RequestFunction as "ChatRequestFunction" {
            /// The name.
            name: String,
            /// The arguments as JSON text.
            arguments: String,
        }
        /// A tool.
        Tool as "ChatTool" {
            /// The type: `function` or `custom`.
            r#type as "type": String,
            /// The function.
            function: Option<ToolFunction>,
            .. extra
        }
        /// A function that the model can call.
        ToolFunction as "ChatToolFunction" {
            /// The name.
            name: String,
            /// The purpose of the function, for the model.
            description: Option<String>,
            /// The JSON Schema of the arguments.
            parameters: Option<Value>,
            .. extra
        }
        /// A part of a message.
        ContentPart as "ChatContentPart" {
            /// The type: `text`, `image_url`, `input_audio`, `file` or `refusal`.
            r#type as "type": String,
            /// A text.
            text: Option<String>,
            /// The refusal of the assistant.
            refusal: Option<String>,
            /// An image: `url` (a URL or data URL) and `detail`.
            image_url: Option<Value> [Object],
            /// A sound: `data` (base64) and `format`.
            input_audio: Option<Value> [Object],
            /// A file: `file_id`, or `file_data` (a data URL) and `filename`.
            file: Option<Value> [Object],
            .. extra
        }
    }
    alternatives {
        /// A string, or parts.
        Content as "ChatContent" {
            /// The text.
            Text(String) = "str",
            /// The parts, in order.
            Parts(Vec<ContentPart>) = "list[ContentPart]",
        }
    }
    openai_bodies { ChatRequest: LABELS }
    types { ChatRequest RequestMessage RequestToolCall RequestFunction Tool ToolFunction Content ContentPart }
}

impl ChatRequest {
    /// Creates a request of a stream with these messages, which also asks for the token usage.
    pub fn new(model: impl Into<String>, messages: Vec<RequestMessage>) -> Self {
        let usage = Value::from([("include_usage", true.into())]);
        let (stream, stream_options) = (Some(true), Some(usage));
        ChatRequest { model: Some(model.into()), messages, stream, stream_options, ..Self::empty() }
    }

    /// Creates a request with the text of the user.
    pub fn user(model: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(model, vec![RequestMessage::text("user", text)])
    }
}

#[cfg(feature = "hub")]
impl ChatRequest {
    /// Returns what the writer of the answer needs of this request: the model, whether the answer
    /// is a stream and has its token usage, the number of choices, and the names of the client's tools. Pass it in the
    /// [options](crate::hub::WriteOptions::echo) of that writer.
    ///
    /// ```
    /// use agentwire::chat::request::{ChatRequest, Tool};
    /// use agentwire::json::Value;
    ///
    /// let mut asked = ChatRequest::user("m", "hi");
    /// asked.tools.push(Tool::function("f", "Reads a file.", Value::Null));
    /// assert_eq!(
    ///     asked.echo().to_json(),
    ///     r#"{"model":"m","stream":true,"stream_options":{"include_usage":true},"tools":[{"function":{"name":"f"}}]}"#,
    /// );
    /// ```
    pub fn echo(&self) -> Value {
        let of = |kind: &'static str, name: &str| {
            Value::from([(kind, Value::from([("name", name.into())]))])
        };
        let custom = |tool: &Tool| {
            let custom = tool.extra.iter().find(|member| member.key == "custom")?;
            Some(of("custom", custom.value.text("name")?))
        };
        let named = |tool: &Tool| match &tool.function {
            Some(function) => Some(of("function", &function.name)),
            None => custom(tool),
        };
        // The older spelling of tools.
        let older = self.extra.iter().find(|member| member.key == "functions");
        let older = older.map(|member| member.value.items()).unwrap_or_default().iter();
        let older = older.filter_map(|function| Some(of("function", function.text("name")?)));
        let members = [
            ("model", self.model.as_deref().map(Value::from)),
            ("stream", Some(self.stream.unwrap_or_default().into())),
            ("stream_options", self.stream_options.clone()),
            ("n", self.n.map(Value::from)),
            (
                "tools",
                Some(Value::Array(self.tools.iter().filter_map(named).chain(older).collect())),
            ),
        ];
        let set = members.into_iter().filter_map(|(key, value)| Some((key, value?)));
        Value::Object(set.map(|(key, value)| Member::new(key, value)).collect())
    }
}

impl RequestMessage {
    /// Creates a message of a role, without content.
    pub fn new(role: impl Into<String>) -> Self {
        RequestMessage { role: role.into(), ..Self::empty() }
    }

    /// Creates a message of a role with a text.
    pub fn text(role: impl Into<String>, text: impl Into<String>) -> Self {
        RequestMessage { content: Some(Content::Text(text.into())), ..Self::new(role) }
    }

    /// Creates a message with the result of a tool.
    pub fn result(tool_call_id: impl Into<String>, output: impl Into<String>) -> Self {
        RequestMessage { tool_call_id: Some(tool_call_id.into()), ..Self::text("tool", output) }
    }
}

impl RequestToolCall {
    /// Creates the call of a function. `arguments` are JSON text.
    pub fn function(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        let function = RequestFunction { name: name.into(), arguments: arguments.into() };
        RequestToolCall {
            id: id.into(),
            r#type: "function".into(),
            function: Some(function),
            ..Self::empty()
        }
    }
}

impl Tool {
    /// Creates a function with its name, purpose and the JSON Schema of its arguments.
    pub fn function(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: Value,
    ) -> Self {
        let (description, parameters) = (Some(description.into()), Some(parameters));
        let function =
            ToolFunction { name: name.into(), description, parameters, ..ToolFunction::empty() };
        Tool { r#type: "function".into(), function: Some(function), ..Self::empty() }
    }
}

impl ContentPart {
    /// Creates a part of a type, without content.
    pub fn new(r#type: impl Into<String>) -> Self {
        ContentPart { r#type: r#type.into(), ..Self::empty() }
    }

    /// Creates a part with a text.
    pub fn text(text: impl Into<String>) -> Self {
        ContentPart { text: Some(text.into()), ..Self::new("text") }
    }
}
