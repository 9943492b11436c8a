//! What is wrong with a request before it is sent. (R38 to R41.)

use alloc::string::String;
use alloc::vec::Vec;

use super::agent::{AgentRequest, choices_fault};
use super::message::{InputContent, InputMessage};
use super::tool::{Tool, ToolEntry, ToolParameters};
use crate::core::request::read::Diagnostics;
use crate::core::request::{Fault, Problem};
use crate::json::{Value, float};
use crate::protocols::agent_api::{Payload, Role};

impl AgentRequest {
    /// What a careful client should mend before it sends the request; empty when nothing.
    ///
    /// - Roles, content types and the shapes of free members, because one mistake fails the whole request (R38).
    /// - `session_id` and `user_id`, because requests without them collide (R39): codes `session_id_missing` and
    ///   `user_id_missing`.
    /// - Tools that the runtime accepts and then does not understand (R41): code `tool_not_understood`; parameters whose
    ///   `type` is another one than `object`, which the runtime documents and does not check: code `literal_error`.
    /// - `n` from 1 to 5, and numbers that JSON can hold.
    pub fn validate(&self) -> Vec<Problem> {
        let mut diagnostics = Diagnostics::default();
        diagnostics.inside("input", |diagnostics| {
            each(&self.input, diagnostics, InputMessage::validate);
        });
        let numbers = [
            ("top_p", self.top_p),
            ("temperature", self.temperature),
            ("frequency_penalty", self.frequency_penalty),
            ("presence_penalty", self.presence_penalty),
        ];
        for (name, number) in numbers {
            if let Some(number) = number.filter(|number| !number.is_finite()) {
                note(&mut diagnostics, name, Fault::FiniteNumber, float::name(number).into());
            }
        }
        if let Some(n) = self.n
            && let Some(fault) = choices_fault(n)
        {
            note(&mut diagnostics, "n", fault, n.into());
        }
        if let Some(tools) = &self.tools {
            diagnostics.inside("tools", |diagnostics| {
                each(tools, diagnostics, ToolEntry::validate);
            });
        }
        let missing = |id: &Option<String>| id.as_deref().unwrap_or("").is_empty();
        if missing(&self.session_id) {
            note(&mut diagnostics, "session_id", Fault::NoSession, Value::Null);
        }
        if missing(&self.user_id) {
            note(&mut diagnostics, "user_id", Fault::NoUser, Value::Null);
        }
        diagnostics.found
    }
}

impl InputMessage {
    fn validate(&self, diagnostics: &mut Diagnostics) {
        if let Some(Role::Other(name)) = &self.role {
            note(diagnostics, "role", Fault::Role, name.as_str().into());
        }
        if let Some(parts) = &self.content {
            diagnostics.inside("content", |diagnostics| {
                each(parts, diagnostics, InputContent::validate);
            });
        }
        for (name, value) in [("usage", &self.usage), ("metadata", &self.metadata)] {
            object(diagnostics, name, value.as_ref());
        }
    }
}

impl InputContent {
    fn validate(&self, diagnostics: &mut Diagnostics) {
        match &self.payload {
            Payload::Other { r#type } => {
                let whole = Value::from([("type", r#type.as_str().into())]);
                diagnostics.report::<()>(Fault::Tag(r#type.clone()), whole);
            }
            Payload::Data { data } => {
                diagnostics.inside("data", |diagnostics| object(diagnostics, "data", data.as_ref()));
            }
            Payload::Text { .. }
            | Payload::Image { .. }
            | Payload::Audio { .. }
            | Payload::Video { .. }
            | Payload::File { .. }
            | Payload::Refusal { .. } => {}
        }
    }
}

impl ToolEntry {
    fn validate(&self, diagnostics: &mut Diagnostics) {
        let understood = match self {
            ToolEntry::Tool(tool) => tool.function.is_some() && tool.r#type.as_deref() == Some("function"),
            ToolEntry::Object(_) => false,
        };
        if !understood {
            let mut got = String::new();
            self.write(&mut got, crate::protocols::agent_api::Style::Compact);
            let got = Value::parse(&got, u32::MAX).unwrap_or(Value::Null);
            diagnostics.report::<()>(Fault::UselessTool, got);
        }
        if let ToolEntry::Tool(Tool { function: Some(function), .. }) = self {
            diagnostics.inside("function", |diagnostics| {
                diagnostics.inside("parameters", |diagnostics| function.parameters.validate(diagnostics));
            });
        }
    }
}

impl ToolParameters {
    /// The schema of what a function takes is that of an object; one that does not say its type means the same.
    fn validate(&self, diagnostics: &mut Diagnostics) {
        let r#type = match self {
            ToolParameters::Schema(schema) => schema.r#type.as_str().into(),
            ToolParameters::Object(value) => value.get("type").cloned().unwrap_or_else(|| "object".into()),
        };
        if r#type.as_str() != Some("object") {
            note(diagnostics, "type", Fault::ObjectType, r#type);
        }
    }
}

fn each<T>(items: &[T], diagnostics: &mut Diagnostics, check: fn(&T, &mut Diagnostics)) {
    for (at, item) in items.iter().enumerate() {
        diagnostics.inside(at, |diagnostics| check(item, diagnostics));
    }
}

fn object(diagnostics: &mut Diagnostics, name: &'static str, value: Option<&Value>) {
    if let Some(value) = value.filter(|value| !matches!(value, Value::Object(_))) {
        note(diagnostics, name, Fault::DictType, value.clone());
    }
}

fn note(diagnostics: &mut Diagnostics, name: &'static str, fault: Fault, got: Value) {
    diagnostics.inside(name, |diagnostics| diagnostics.report::<()>(fault, got));
}
