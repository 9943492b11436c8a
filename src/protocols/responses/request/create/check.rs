//! The checks of an OpenAI server, and the constructors of requests.

use alloc::{string::String, vec, vec::Vec};

use super::{Content, ContentPart, CreateResponse, Input, InputItem, Tool};
use crate::core::Limits;
use crate::core::request::{self, Diagnostics, Fault, Problem};
#[cfg(feature = "hub")]
use crate::json::Member;
use crate::json::Value;
use crate::protocols::responses::request::error::RequestError;

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
    has: impl Fn(&str) -> bool,
    diagnostics: &mut Diagnostics,
) {
    let needs = table.iter().find(|(known, _)| *known == r#type).map(|(_, needs)| *needs);
    for name in needs.unwrap_or_default() {
        if !has(name) {
            diagnostics.note_member(name, Fault::Missing, &Value::Null);
        }
    }
}

impl CreateResponse {
    /// Creates a request with this input and no other members.
    pub fn new(input: Input) -> Self {
        CreateResponse { input: Some(input), ..Self::empty() }
    }

    /// Parses the body of a request within the default [`Limits`].
    pub fn parse(json: &str) -> Result<Self, RequestError> {
        Self::parse_within(json, &Limits::default())
    }

    /// Parses the body of a request. Of the limits, `event_bytes` and `json_depth` apply.
    pub fn parse_within(json: &str, limits: &Limits) -> Result<Self, RequestError> {
        let value = request::json_within(json, limits).map_err(|problem| RequestError::new(vec![problem]))?;
        let asked: CreateResponse = request::read(value, None).map_err(RequestError::new)?;
        match asked.validate() {
            problems if problems.is_empty() => Ok(asked),
            problems => Err(RequestError::new(problems)),
        }
    }

    /// Returns the problems for which an OpenAI server would refuse the request. Empty if it would serve the request.
    pub fn validate(&self) -> Vec<Problem> {
        request::check(self, None)
    }

    /// Returns the request as JSON, without the members that are not set.
    pub fn to_json(&self) -> String {
        request::to_json(self, true)
    }

    /// Creates a request with these members. Returns it with the problems of the members that it cannot have.
    #[cfg(feature = "hub")]
    pub(in crate::protocols::responses) fn of_members(members: Vec<Member>) -> (Self, Vec<Problem>) {
        use crate::core::request::Field;

        let mut asked = Self::empty();
        let mut diagnostics = Diagnostics::at(None);
        asked.read(Value::Object(members), &mut diagnostics);
        (asked, diagnostics.into_problems())
    }

    pub(super) fn check_request(&self, diagnostics: &mut Diagnostics) {
        if self.conversation.is_some() && self.previous_response_id.is_some() {
            let fault = Fault::Other(
                "mutually_exclusive_parameters",
                "Mutually exclusive parameters: give only one of 'previous_response_id' and 'conversation'",
            );
            diagnostics.note_member("previous_response_id", fault, &Value::Null);
        }
        let ranges = [("temperature", self.temperature, 2.0, 2), ("top_p", self.top_p, 1.0, 1)];
        for (name, number, most, said) in ranges {
            let fault = match number {
                Some(number) if number < 0.0 => Fault::AtLeast(0),
                Some(number) if number > most => Fault::AtMost(said),
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
    pub fn function(name: impl Into<String>, description: impl Into<String>, parameters: Value) -> Self {
        Tool {
            r#type: "function".into(),
            name: Some(name.into()),
            description: Some(description.into()),
            parameters: Some(parameters),
            ..Self::empty()
        }
    }

    pub(super) fn check_tool(&self, diagnostics: &mut Diagnostics) {
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

    pub(super) fn check_item(&self, diagnostics: &mut Diagnostics) {
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
    /// Creates a part of that type without other members.
    pub fn new(r#type: impl Into<String>) -> Self {
        ContentPart { r#type: r#type.into(), ..Self::empty() }
    }

    /// Creates a text part of that type: `input_text`, `output_text`, `reasoning_text` or `summary_text`.
    pub fn text(r#type: impl Into<String>, text: impl Into<String>) -> Self {
        ContentPart { text: Some(text.into()), ..Self::new(r#type) }
    }

    pub(super) fn check_part(&self, diagnostics: &mut Diagnostics) {
        let has = |name: &str| match name {
            "text" => self.text.is_some(),
            "refusal" => self.refusal.is_some(),
            _ => self.input_audio.is_some(),
        };
        missing(PARTS, &self.r#type, has, diagnostics);
    }
}
