//! What an OpenAI server refuses, and how requests are made.

use alloc::{string::String, vec, vec::Vec};

use super::{Content, ContentPart, CreateResponse, Input, InputItem, Tool};
use crate::core::Limits;
use crate::core::request::{self, Diagnostics, Fault, Problem};
#[cfg(feature = "hub")]
use crate::json::Member;
use crate::json::Value;
use crate::protocols::responses::request::error::RequestError;

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
            diagnostics.note_member(name, Fault::Missing, &Value::Null);
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

    pub(super) fn check_tool(&self, diagnostics: &mut Diagnostics) {
        if matches!(&*self.r#type, "function" | "custom") && self.name.is_none() {
            diagnostics.note_member("name", Fault::Missing, &Value::Null);
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
    /// A part of that type with nothing in it.
    pub fn new(r#type: impl Into<String>) -> Self {
        ContentPart { r#type: r#type.into(), ..Self::empty() }
    }

    /// A text: `input_text`, `output_text`, `reasoning_text`, `summary_text`.
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
