//! The declaration of requests.

mod check;

use alloc::{string::String, vec::Vec};

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
            /// The user's text, or items. Optional if `prompt` or `conversation` contains the input.
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
        /// A tool. The properties of a function are in this object; the Agent API has them in `function`.
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
        /// An item of the input, of any type: a message, a call or an output. Further properties are in `extra`.
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

/// The names in paths of problems for the types that were tried. OpenAI's servers do not include them.
pub(super) const LABELS: &[&str] = &["str", "list[InputItem]", "list[ContentPart]", "ConversationObject"];
