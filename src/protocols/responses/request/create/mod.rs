//! Requests, declared.

mod check;

use alloc::{string::String, vec::Vec};

use crate::core::requests;
use crate::json::Value;

requests! {
    objects {
        /// What a client asks: the body of `POST /responses`.
        ///
        /// Absent and null are the same. Members that OpenAI may add are kept.
        CreateResponse as "CreateResponse" with check_request {
            /// The model to use.
            model: Option<String>,
            /// A text of the user, or items. It may be left out where `prompt` or `conversation` has it.
            input: Option<Input>,
            /// What the model is told before everything else.
            instructions: Option<String>,
            /// Whether the answer is a stream of events; otherwise it is one JSON object.
            stream: Option<bool>,
            /// What the agent may call.
            tools: Vec<Tool> [NullIsAbsent, Brief],
            /// Which tools it has to call: `auto`, `none`, `required`, or an object that names one.
            tool_choice: Option<Value>,
            /// Whether several tools may be called at once.
            parallel_tool_calls: Option<bool>,
            /// The response that this one goes on from.
            previous_response_id: Option<String>,
            /// The conversation that it belongs to.
            conversation: Option<Conversation>,
            /// How random the answer is: 0 to 2.
            temperature: Option<f64>,
            /// Nucleus sampling: 0 to 1.
            top_p: Option<f64>,
            /// How many alternatives of each token are told: 0 to 20.
            top_logprobs: Option<i64> [Within(0, 20)],
            /// Most tokens of the answer, reasoning included.
            max_output_tokens: Option<i64>,
            /// Most calls of built-in tools.
            max_tool_calls: Option<i64>,
            /// `effort`, `summary`: an object.
            reasoning: Option<Value> [Object],
            /// `format`, `verbosity`: an object.
            text: Option<Value> [Object],
            /// `auto` or `disabled`.
            truncation: Option<String> [OneOf(&["auto", "disabled"])],
            /// Whether the server keeps the response.
            store: Option<bool>,
            /// Whether it is made in the background.
            background: Option<bool>,
            /// `include_obfuscation`: an object.
            stream_options: Option<Value> [Object],
            /// What the answer shall have besides.
            include: Option<Vec<String>>,
            /// Free: an object.
            metadata: Option<Value> [Object],
            /// Who asks, as the server's operator calls them.
            user: Option<String>,
            /// The same, made unreadable.
            safety_identifier: Option<String>,
            /// What cached prompts are found by.
            prompt_cache_key: Option<String>,
            /// A prompt that the server keeps: an object.
            prompt: Option<Value> [Object],
            /// `auto`, `default`, `flex`, `priority`.
            service_tier: Option<String>,
            .. extra
        }
        /// A conversation that the server keeps.
        ConversationObject as "ResponsesConversation" made by new {
            /// Its id.
            id: String,
            .. extra
        }
        /// A tool. A function has its members here, where the Agent API has them in `function`.
        Tool as "ResponsesTool" with check_tool {
            /// `function`, `custom`, `mcp`, `web_search`, …
            r#type as "type": String,
            /// Of a function or a custom tool: its name.
            name: Option<String>,
            /// What it does.
            description: Option<String>,
            /// Of a function: the JSON Schema of its arguments.
            parameters: Option<Value>,
            /// Whether the arguments have to keep to it.
            strict: Option<bool>,
            .. extra
        }
        /// One item of the input, whatever its type: what was said, a call, what it came to. What a type has besides stands in
        /// `extra`.
        InputItem as "ResponsesInputItem" with check_item {
            /// `message` when absent.
            r#type as "type": Option<String>,
            /// The item's id.
            id: Option<String>,
            /// Of a message: who said it.
            role: Option<String> [OneOf(&["user", "assistant", "system", "developer"])],
            /// Of a message a text or parts, of reasoning parts.
            content: Option<Content>,
            /// Of reasoning: parts.
            summary: Option<Vec<ContentPart>>,
            /// What calls and what they came to have in common.
            call_id: Option<String>,
            /// Of a call: the tool.
            name: Option<String>,
            /// Of a call: JSON text. A few types have JSON itself.
            arguments: Option<Value>,
            /// Of a call of a custom tool: plain text.
            input: Option<String>,
            /// What a call came to: a text, or whatever its type has.
            output: Option<Value>,
            /// Of the answer to a question: the question's id.
            approval_request_id: Option<String>,
            /// Of the answer to a question: whether it may.
            approve: Option<bool>,
            /// Why.
            reason: Option<String>,
            /// How far the item came.
            status: Option<String>,
            .. extra
        }
        /// A part of what is said.
        ContentPart as "ResponsesContentPart" with check_part {
            /// `input_text`, `input_image`, `input_file`, `output_text`, `refusal`, …
            r#type as "type": String,
            /// A text.
            text: Option<String>,
            /// Why the agent did not answer.
            refusal: Option<String>,
            /// Of an image: its URL or data URL.
            image_url: Option<String>,
            /// Of an image or file: the server's name for it.
            file_id: Option<String>,
            /// Of a file: base64.
            file_data: Option<String>,
            /// Of a file: where it is.
            file_url: Option<String>,
            /// Of a file: its name for people.
            filename: Option<String>,
            /// Of sound: `data` (base64) and `format`.
            input_audio: Option<Value> [Object],
            .. extra
        }
    }
    alternatives {
        /// A text of the user, or items.
        Input as "ResponsesInput" {
            /// The text.
            Text(String) = "str",
            /// The items, in order.
            Items(Vec<InputItem>) = "list[InputItem]",
        }
        /// A text, or parts.
        Content as "ResponsesContent" {
            /// The text.
            Text(String) = "str",
            /// The parts, in order.
            Parts(Vec<ContentPart>) = "list[ContentPart]",
        }
        /// A conversation by its id, or as an object.
        Conversation as "ResponsesConversationParam" {
            /// Its id.
            Id(String) = "str",
            /// The object.
            Object(ConversationObject) = "ConversationObject",
        }
    }
    typescript { CreateResponse ConversationObject Conversation Tool Input InputItem Content ContentPart }
}

/// What paths of problems call the types that were tried, which OpenAI's servers do not name.
pub(super) const LABELS: &[&str] = &["str", "list[InputItem]", "list[ContentPart]", "ConversationObject"];
