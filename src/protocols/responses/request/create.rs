//! The declaration of requests, the checks of an OpenAI server, and constructors.

use alloc::{string::String, vec::Vec};

use crate::core::request::{self, Diagnostics, Fault, FieldView};
use crate::core::requests;
use crate::json::Value;

requests! {
    objects {
        /// The request of a client: the body of `POST /responses`.
        ///
        /// Absent and null are equivalent. Unknown properties are kept.
        CreateResponse as "CreateResponse" with check_request {
            /// The model to use.
            model: Option<String>,
            /// The user's text, or items. Optional if `prompt` or `conversation` contains the
            /// input.
            input: Option<Input>,
            /// The system instructions for the model.
            instructions: Option<String>,
            /// Whether the response is a stream of events. Otherwise it is one JSON object.
            stream: Option<bool>,
            /// The tools that the agent can call.
            tools: Vec<Tool> [NullIsAbsent, OmitWhenEmpty],
            /// The tool choice: `auto`, `none`, `required`, or an object that names a tool.
            tool_choice: Option<Value>,
            /// Whether several tools can be called in parallel.
            parallel_tool_calls: Option<bool>,
            /// The id of the previous response of the conversation.
            previous_response_id: Option<String>,
            /// The id of the conversation.
            conversation: Option<Conversation>,
            /// The sampling temperature, 0 to 2.
            temperature: Option<f64>,
            /// The probability mass for nucleus sampling, 0 to 1.
            top_p: Option<f64>,
            /// The number of alternatives that are returned per token, 0 to 20.
            top_logprobs: Option<i64> [Within(0, 20)],
            /// The maximum number of output tokens, including reasoning.
            max_output_tokens: Option<i64>,
            /// The maximum number of calls of built-in tools.
            max_tool_calls: Option<i64>,
            /// The settings of reasoning, such as `effort` and `summary`: an object.
            reasoning: Option<Value> [Object],
            /// The settings of the text, such as `format` and `verbosity`: an object.
            text: Option<Value> [Object],
            /// The truncation of input that is too long: `auto` or `disabled`.
            truncation: Option<String> [OneOf(&["auto", "disabled"])],
            /// Whether the server stores the response.
            store: Option<bool>,
            /// Whether the response is created in the background.
            background: Option<bool>,
            /// The options of the stream, such as `include_obfuscation`: an object.
            stream_options: Option<Value> [Object],
            /// Further data to include in the response.
            include: Option<Vec<String>>,
            /// Arbitrary data: an object.
            metadata: Option<Value> [Object],
            /// A stable id of your end user.
            user: Option<String>,
            /// A hashed id of your end user.
            safety_identifier: Option<String>,
            /// The key for the prompt cache.
            prompt_cache_key: Option<String>,
            /// A prompt that the server stores: an object.
            prompt: Option<Value> [Object],
            /// The service tier: `auto`, `default`, `flex` or `priority`.
            service_tier: Option<String>,
            .. extra
        }
        /// A conversation that the server stores.
        ConversationObject as "ResponsesConversation" made by new {
            /// The id.
            id: String,
            .. extra
        }
        /// A tool. The properties of a function are in this object; the Agent API has them in
        /// `function`.
        Tool as "ResponsesTool" with check_tool {
            /// The type: `function`, `custom`, `mcp`, `web_search`, …
            r#type as "type": String,
            /// The name of a function or a custom tool.
            name: Option<String>,
            /// The purpose of the tool, for the model.
            description: Option<String>,
            /// The JSON Schema of a function's arguments.
            parameters: Option<Value>,
            /// Whether the arguments must match the schema.
            strict: Option<bool>,
            .. extra
        }
        /// An item of the input, of any type: a message, a call or an output. Further properties
        /// are in `extra`.
        InputItem as "ResponsesInputItem" with check_item {
            /// The type of the item. `message` when absent.
            r#type as "type": Option<String>,
            /// The item's id.
            id: Option<String>,
            /// The role of the sender of a message.
            role: Option<String> [OneOf(&["user", "assistant", "system", "developer"])],
            /// The content: a string or parts of a message, or parts of reasoning.
            content: Option<Content>,
            /// The parts of a summary of reasoning.
            summary: Option<Vec<ContentPart>>,
            /// The id that a call and its output have in common.
            call_id: Option<String>,
            /// The tool's name, in a call.
            name: Option<String>,
            /// The arguments of a call as JSON text. A few types have a JSON value.
            arguments: Option<Value>,
            /// The input of a custom tool, in its call: plain text.
            input: Option<String>,
            /// The output of a call: a string, or JSON that depends on the type.
            output: Option<Value>,
            /// The id of the question, in an answer.
            approval_request_id: Option<String>,
            /// Whether the tool may be called, in an answer.
            approve: Option<bool>,
            /// The reason.
            reason: Option<String>,
            /// The status of the item.
            status: Option<String>,
            .. extra
        }
        /// A part of a message.
        ContentPart as "ResponsesContentPart" with check_part {
            /// The type: `input_text`, `input_image`, `input_file`, `output_text`, `refusal`, …
            r#type as "type": String,
            /// A text.
            text: Option<String>,
            /// The refusal of the model.
            refusal: Option<String>,
            /// The URL or data URL of an image.
            image_url: Option<String>,
            /// The server's id of an image or a file.
            file_id: Option<String>,
            /// The bytes of a file in base64.
            file_data: Option<String>,
            /// The URL of a file.
            file_url: Option<String>,
            /// The display name of a file.
            filename: Option<String>,
            /// The audio: `data` (base64) and `format`.
            input_audio: Option<Value> [Object],
            .. extra
        }
    }
    alternatives {
        /// The user's text, or items.
        Input as "ResponsesInput" {
            /// The text.
            Text(String) = "str",
            /// The items, in order.
            Items(Vec<InputItem>) = "list[InputItem]",
        }
        /// A string, or parts.
        Content as "ResponsesContent" {
            /// The text.
            Text(String) = "str",
            /// The parts, in order.
            Parts(Vec<ContentPart>) = "list[ContentPart]",
        }
        /// A conversation by its id, or as an object.
        Conversation as "ResponsesConversationParam" {
            /// The id.
            Id(String) = "str",
            /// The object.
            Object(ConversationObject) = "ConversationObject",
        }
    }
}

/// The names in paths of problems for the types that were tried. OpenAI's servers do not include
/// them.
pub(super) const LABELS: &[&str] =
    &["str", "list[InputItem]", "list[ContentPart]", "ConversationObject"];

/// The required members of items, by type. Items of other types are not checked.
const ITEMS: &[(&str, &[&str])] = &[
    ("message", &["role", "content"]),
    ("function_call", &["call_id", "name", "arguments"]),
    ("function_call_output", &["call_id", "output"]),
    ("custom_tool_call", &["call_id", "name", "input"]),
    ("custom_tool_call_output", &["call_id", "output"]),
    ("mcp_call", &["id", "name", "arguments"]),
    ("mcp_approval_request", &["id", "name", "arguments"]),
    ("mcp_approval_response", &["approval_request_id", "approve"]),
    ("item_reference", &["id"]),
];

/// The required members of parts, by type.
const PARTS: &[(&str, &[&str])] = &[
    ("input_text", &["text"]),
    ("output_text", &["text"]),
    ("summary_text", &["text"]),
    ("reasoning_text", &["text"]),
    ("refusal", &["refusal"]),
    ("input_audio", &["input_audio"]),
];

/// Notes the required members that an object of a type does not have.
fn missing(
    table: &[(&str, &'static [&'static str])],
    r#type: &str,
    object: &dyn request::object::RequestObject,
    diagnostics: &mut Diagnostics,
) {
    let needs = table.iter().find(|(known, _)| *known == r#type).map(|(_, needs)| *needs);
    for name in needs.unwrap_or_default() {
        let mut members = object.rows().iter().zip(object.fields());
        if members.any(|(row, field)| row.name == *name && matches!(field.view(), FieldView::None))
        {
            diagnostics.note_member(name, Fault::Missing, &Value::Null);
        }
    }
}

impl CreateResponse {
    /// Creates a request with this input and no other members.
    pub fn new(input: Input) -> Self {
        CreateResponse { input: Some(input), ..Self::empty() }
    }

    fn check_request(&self, diagnostics: &mut Diagnostics) {
        if self.conversation.is_some() && self.previous_response_id.is_some() {
            let fault = Fault::Other(
                "mutually_exclusive_parameters",
                "Mutually exclusive parameters: give only one of 'previous_response_id' and 'conversation'",
            );
            diagnostics.note_member("previous_response_id", fault, &Value::Null);
        }
        let ranges = [("temperature", self.temperature, 2.0, 2), ("top_p", self.top_p, 1.0, 1)];
        for (name, number, most, bound) in ranges {
            let fault = match number {
                Some(number) if number < 0.0 => Fault::AtLeast(0),
                Some(number) if number > most => Fault::AtMost(bound),
                _ => continue,
            };
            diagnostics.note_member(name, fault, &Value::Null);
        }
        for (name, number) in
            [("max_output_tokens", self.max_output_tokens), ("max_tool_calls", self.max_tool_calls)]
        {
            if number.is_some_and(|number| number < 1) {
                diagnostics.note_member(name, Fault::AtLeast(1), &Value::Null);
            }
        }
    }
}

impl Tool {
    /// Creates a function tool.
    pub fn function(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: Value,
    ) -> Self {
        Tool {
            r#type: "function".into(),
            name: Some(name.into()),
            description: Some(description.into()),
            parameters: Some(parameters),
            ..Self::empty()
        }
    }

    fn check_tool(&self, diagnostics: &mut Diagnostics) {
        if matches!(&*self.r#type, "function" | "custom") && self.name.is_none() {
            diagnostics.note_member("name", Fault::Missing, &Value::Null);
        }
    }
}

impl InputItem {
    /// Creates an item of that type without other members.
    pub fn new(r#type: impl Into<String>) -> Self {
        InputItem { r#type: Some(r#type.into()), ..Self::empty() }
    }

    /// Creates a message.
    pub fn message(role: impl Into<String>, content: Content) -> Self {
        InputItem { role: Some(role.into()), content: Some(content), ..Self::empty() }
    }

    /// Returns the type of the item: `message` if it is absent.
    pub fn item_type(&self) -> &str {
        self.r#type.as_deref().unwrap_or("message")
    }

    fn check_item(&self, diagnostics: &mut Diagnostics) {
        missing(ITEMS, self.item_type(), self, diagnostics);
    }
}

impl ContentPart {
    /// Creates a part of that type without other members.
    pub fn new(r#type: impl Into<String>) -> Self {
        ContentPart { r#type: r#type.into(), ..Self::empty() }
    }

    /// Creates a text part of that type: `input_text`, `output_text`, `reasoning_text` or
    /// `summary_text`.
    pub fn text(r#type: impl Into<String>, text: impl Into<String>) -> Self {
        ContentPart { text: Some(text.into()), ..Self::new(r#type) }
    }

    fn check_part(&self, diagnostics: &mut Diagnostics) {
        missing(PARTS, &self.r#type, self, diagnostics);
    }
}
