//! What is wrong with a request before it is sent. (R38 to R41.)

use alloc::string::String;
use alloc::vec::Vec;

use super::agent::{AgentRequest, choices_fault};
use super::message::{InputContent, InputMessage};
use super::tool::{Tool, ToolEntry, ToolParameters};
use crate::agent_api::{Payload, Role};
use crate::json::{Value, float};
use crate::request::read::Findings;
use crate::request::{Fault, Problem};

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
        let mut findings = Findings::default();
        findings.inside("input", |findings| {
            each(&self.input, findings, InputMessage::validate);
        });
        let numbers = [
            ("top_p", self.top_p),
            ("temperature", self.temperature),
            ("frequency_penalty", self.frequency_penalty),
            ("presence_penalty", self.presence_penalty),
        ];
        for (name, number) in numbers {
            if let Some(number) = number.filter(|number| !number.is_finite()) {
                note(&mut findings, name, Fault::FiniteNumber, float::name(number).into());
            }
        }
        if let Some(n) = self.n
            && let Some(fault) = choices_fault(n)
        {
            note(&mut findings, "n", fault, n.into());
        }
        if let Some(tools) = &self.tools {
            findings.inside("tools", |findings| {
                each(tools, findings, ToolEntry::validate);
            });
        }
        let missing = |id: &Option<String>| id.as_deref().unwrap_or("").is_empty();
        if missing(&self.session_id) {
            note(&mut findings, "session_id", Fault::NoSession, Value::Null);
        }
        if missing(&self.user_id) {
            note(&mut findings, "user_id", Fault::NoUser, Value::Null);
        }
        findings.found
    }
}

impl InputMessage {
    fn validate(&self, findings: &mut Findings) {
        if let Some(Role::Other(name)) = &self.role {
            note(findings, "role", Fault::Role, name.as_str().into());
        }
        if let Some(parts) = &self.content {
            findings.inside("content", |findings| {
                each(parts, findings, InputContent::validate);
            });
        }
        for (name, value) in [("usage", &self.usage), ("metadata", &self.metadata)] {
            object(findings, name, value.as_ref());
        }
    }
}

impl InputContent {
    fn validate(&self, findings: &mut Findings) {
        match &self.payload {
            Payload::Other { r#type } => {
                let whole = Value::from([("type", r#type.as_str().into())]);
                findings.report::<()>(Fault::Tag(r#type.clone()), whole);
            }
            Payload::Data { data } => {
                findings.inside("data", |findings| object(findings, "data", data.as_ref()));
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
    fn validate(&self, findings: &mut Findings) {
        let understood = match self {
            ToolEntry::Tool(tool) => tool.function.is_some() && tool.r#type.as_deref() == Some("function"),
            ToolEntry::Object(_) => false,
        };
        if !understood {
            let mut got = String::new();
            self.write(&mut got, crate::agent_api::Style::Compact);
            let got = Value::parse(&got, u32::MAX).unwrap_or(Value::Null);
            findings.report::<()>(Fault::UselessTool, got);
        }
        if let ToolEntry::Tool(Tool { function: Some(function), .. }) = self {
            findings.inside("function", |findings| {
                findings.inside("parameters", |findings| function.parameters.validate(findings));
            });
        }
    }
}

impl ToolParameters {
    /// The schema of what a function takes is that of an object; one that does not say its type means the same.
    fn validate(&self, findings: &mut Findings) {
        let r#type = match self {
            ToolParameters::Schema(schema) => schema.r#type.as_str().into(),
            ToolParameters::Object(value) => value.get("type").cloned().unwrap_or_else(|| "object".into()),
        };
        if r#type.as_str() != Some("object") {
            note(findings, "type", Fault::ObjectType, r#type);
        }
    }
}

fn each<T>(items: &[T], findings: &mut Findings, check: fn(&T, &mut Findings)) {
    for (at, item) in items.iter().enumerate() {
        findings.inside(at, |findings| check(item, findings));
    }
}

fn object(findings: &mut Findings, name: &'static str, value: Option<&Value>) {
    if let Some(value) = value.filter(|value| !matches!(value, Value::Object(_))) {
        note(findings, name, Fault::DictType, value.clone());
    }
}

fn note(findings: &mut Findings, name: &'static str, fault: Fault, got: Value) {
    findings.inside(name, |findings| findings.report::<()>(fault, got));
}
