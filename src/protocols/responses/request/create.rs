//! Requests, declared.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::error::RequestError;
use crate::core::declare::requests;
use crate::core::limits::Limits;
use crate::core::request::{self, Diagnostics, Fault, Problem};
use crate::json::{Member, Value};

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
}

/// What paths of problems call the types that were tried, which OpenAI's servers do not name.
pub(super) const LABELS: &[&str] = &["str", "list[InputItem]", "list[ContentPart]", "ConversationObject"];

#[cfg(feature = "typescript")]
crate::core::declare::requests::typescript::request_types!(
    CreateResponse,
    ConversationObject,
    Conversation,
    Tool,
    Input,
    InputItem,
    Content,
    ContentPart,
);

/// What an item of a type has to have. Items of other types are not looked at.
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

/// The same of parts.
const PARTS: &[(&str, &[&str])] = &[
    ("input_text", &["text"]),
    ("output_text", &["text"]),
    ("summary_text", &["text"]),
    ("reasoning_text", &["text"]),
    ("refusal", &["refusal"]),
    ("input_audio", &["input_audio"]),
];

/// Notes what an object of a type should have and has not.
fn missing(
    table: &[(&str, &'static [&'static str])],
    r#type: &str,
    has: impl Fn(&str) -> bool,
    diagnostics: &mut Diagnostics,
) {
    let needs = table.iter().find(|(known, _)| *known == r#type).map(|(_, needs)| *needs);
    for name in needs.unwrap_or_default() {
        if !has(name) {
            diagnostics.note_member(name, Fault::Missing, Value::Null);
        }
    }
}

impl CreateResponse {
    /// A request with this input and nothing else.
    pub fn new(input: Input) -> Self {
        CreateResponse { input: Some(input), ..Self::empty() }
    }

    /// Reads the body of a request, nested at most as deep as [`Limits`] says.
    pub fn parse(json: &str) -> Result<Self, RequestError> {
        Self::parse_within(json, &Limits::default())
    }

    /// Reads the body of a request; of the limits, `event_bytes` and `json_depth` count.
    pub fn parse_within(json: &str, limits: &Limits) -> Result<Self, RequestError> {
        let value = request::json_within(json, limits).map_err(|problem| RequestError::new(vec![problem]))?;
        let asked: CreateResponse = request::read(value, None).map_err(RequestError::new)?;
        match asked.validate() {
            problems if problems.is_empty() => Ok(asked),
            problems => Err(RequestError::new(problems)),
        }
    }

    /// What an OpenAI server refuses: problems, none if it is served.
    pub fn validate(&self) -> Vec<Problem> {
        request::check(self, None)
    }

    /// The request as JSON, without what is not set.
    pub fn to_json(&self) -> String {
        request::to_json(self, true)
    }

    /// A request whose members are these, and what of them it cannot have.
    #[cfg(feature = "hub")]
    pub(in crate::protocols::responses) fn of_members(members: Vec<Member>) -> (Self, Vec<Problem>) {
        use crate::core::request::Field;

        let mut asked = Self::empty();
        let mut diagnostics = Diagnostics::at(None);
        asked.read(Value::Object(members), &mut diagnostics);
        (asked, diagnostics.found)
    }

    fn check_request(&self, diagnostics: &mut Diagnostics) {
        if self.conversation.is_some() && self.previous_response_id.is_some() {
            let fault = Fault::Other(
                "mutually_exclusive_parameters",
                "Mutually exclusive parameters: give only one of 'previous_response_id' and 'conversation'",
            );
            diagnostics.note_member("previous_response_id", fault, Value::Null);
        }
        let ranges = [("temperature", self.temperature, 2.0, 2), ("top_p", self.top_p, 1.0, 1)];
        for (name, number, most, said) in ranges {
            let fault = match number {
                Some(number) if number < 0.0 => Fault::AtLeast(0),
                Some(number) if number > most => Fault::AtMost(said),
                _ => continue,
            };
            diagnostics.note_member(name, fault, Value::Null);
        }
        for (name, number) in
            [("max_output_tokens", self.max_output_tokens), ("max_tool_calls", self.max_tool_calls)]
        {
            if number.is_some_and(|number| number < 1) {
                diagnostics.note_member(name, Fault::AtLeast(1), Value::Null);
            }
        }
    }
}

impl Tool {
    /// A function.
    pub fn function(name: impl Into<String>, description: impl Into<String>, parameters: Value) -> Self {
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
            diagnostics.note_member("name", Fault::Missing, Value::Null);
        }
    }
}

impl InputItem {
    /// An item of that type with nothing in it.
    pub fn new(r#type: impl Into<String>) -> Self {
        InputItem { r#type: Some(r#type.into()), ..Self::empty() }
    }

    /// What somebody says.
    pub fn message(role: impl Into<String>, content: Content) -> Self {
        InputItem { role: Some(role.into()), content: Some(content), ..Self::empty() }
    }

    /// Its type, said or not.
    pub fn item_type(&self) -> &str {
        self.r#type.as_deref().unwrap_or("message")
    }

    fn check_item(&self, diagnostics: &mut Diagnostics) {
        let has = |name: &str| match name {
            "id" => self.id.is_some(),
            "role" => self.role.is_some(),
            "content" => self.content.is_some(),
            "call_id" => self.call_id.is_some(),
            "name" => self.name.is_some(),
            "arguments" => self.arguments.is_some(),
            "input" => self.input.is_some(),
            "output" => self.output.is_some(),
            "approval_request_id" => self.approval_request_id.is_some(),
            _ => self.approve.is_some(),
        };
        missing(ITEMS, self.item_type(), has, diagnostics);
    }
}

impl ContentPart {
    /// A part of that type with nothing in it.
    pub fn new(r#type: impl Into<String>) -> Self {
        ContentPart { r#type: r#type.into(), ..Self::empty() }
    }

    /// A text: `input_text`, `output_text`, `reasoning_text`, `summary_text`.
    pub fn text(r#type: impl Into<String>, text: impl Into<String>) -> Self {
        ContentPart { text: Some(text.into()), ..Self::new(r#type) }
    }

    fn check_part(&self, diagnostics: &mut Diagnostics) {
        let has = |name: &str| match name {
            "text" => self.text.is_some(),
            "refusal" => self.refusal.is_some(),
            _ => self.input_audio.is_some(),
        };
        missing(PARTS, &self.r#type, has, diagnostics);
    }
}
