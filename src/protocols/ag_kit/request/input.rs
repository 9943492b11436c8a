//! The request itself.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::error::RequestError;
use super::message::{InputMessage, camel};
use crate::core::limits::Limits;
use crate::core::request::read::{self, Diagnostics, Fields};
use crate::core::request::{self, Fault, Problem};
use crate::json::Value;
use crate::protocols::ag_kit::AgKit;

/// What a client asks an agent (A.3).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SendMessageInput {
    /// Names the conversation, whose messages the server keeps.
    pub conversation_id: String,
    /// What is new in it. Absent and null mean nothing.
    pub messages: Vec<InputMessage>,
    /// What the agent may ask the client to call. Absent and null mean nothing.
    pub tools: Vec<Tool>,
    /// The answer to an interrupt.
    pub resume: Option<Resume>,
}

/// A tool of the client.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tool {
    /// What calls name it.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// JSON Schema of its arguments: as the text that the protocol wants, or as the JSON itself, which is written as that
    /// text.
    pub parameters: Value,
}

/// The answer to an interrupt (K5).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Resume {
    /// The interrupt's `id`.
    pub interrupt_id: String,
    /// As it is sent: JSON text, because the server takes nothing but a string and the official client sends
    /// `JSON.stringify(answer)`. Text that is no JSON, and any other JSON, are written as JSON text.
    /// [`answer`](Self::answer) says what it means.
    pub payload: Value,
}

impl Tool {
    /// A tool with that name, purpose and JSON Schema (text or JSON).
    pub fn new(name: impl Into<String>, description: impl Into<String>, parameters: Value) -> Self {
        Tool { name: name.into(), description: description.into(), parameters }
    }

    fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let required = ["name", "description", "parameters"];
        let mut fields = Fields::open(value, &required, Fault::ModelAttributesType, diagnostics)?;
        Some(Tool {
            name: fields.required("name", read::string),
            description: fields.required("description", read::string),
            parameters: fields.required("parameters", read::any),
        })
    }
}

impl Resume {
    /// The answer to the interrupt of that id: any JSON.
    pub fn new(interrupt_id: impl Into<String>, answer: Value) -> Self {
        // A text that happens to be JSON would be read as that JSON.
        let payload = match answer {
            text @ Value::String(_) => Value::String(text.to_json()),
            other => other,
        };
        Resume { interrupt_id: interrupt_id.into(), payload }
    }

    /// What the payload says, whether it came as JSON text (`"\"yes\""`), as plain text (`"yes"`) or as other JSON.
    pub fn answer(&self) -> Value {
        match &self.payload {
            Value::String(text) => {
                Value::parse(text, Limits::default().json_depth).unwrap_or_else(|_| text.as_str().into())
            }
            other => other.clone(),
        }
    }

    fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let value = camel(value, &[("interrupt_id", "interruptId")]);
        let required = ["interruptId", "payload"];
        let mut fields = Fields::open(value, &required, Fault::ModelAttributesType, diagnostics)?;
        Some(Resume {
            interrupt_id: fields.required("interruptId", read::string),
            payload: fields.required("payload", read::any),
        })
    }
}

impl SendMessageInput {
    /// A request with these new messages and nothing else.
    pub fn new(conversation_id: impl Into<String>, messages: Vec<InputMessage>) -> Self {
        SendMessageInput {
            conversation_id: conversation_id.into(),
            messages,
            tools: Vec::new(),
            resume: None,
        }
    }

    /// What the user says next.
    pub fn user(conversation_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(conversation_id, vec![InputMessage::User { content: text.into() }])
    }

    /// Reads the body of a request, nested at most as deep as [`Limits`] says.
    pub fn parse(json: &str) -> Result<Self, RequestError> {
        Self::parse_within(json, &Limits::default())
    }

    /// Reads the body of a request; of the limits, `event_bytes` and `json_depth` count.
    pub fn parse_within(json: &str, limits: &Limits) -> Result<Self, RequestError> {
        let refused = |problem: Problem| RequestError::new(vec![problem]);
        if json.len() > limits.event_bytes {
            let fault = Fault::TooLong(limits.event_bytes);
            return Err(refused(Problem { place: vec!["body".into()], fault, got: Value::Null }));
        }
        let value =
            Value::parse(json, limits.json_depth).map_err(|error| refused(request::not_json(json, error)))?;
        let mut diagnostics = Diagnostics::default();
        match diagnostics.inside("body", |diagnostics| Self::read(value, diagnostics)) {
            Some(input) if diagnostics.found.is_empty() => Ok(input),
            _ => Err(RequestError::new(diagnostics.found)),
        }
    }

    /// What the server refuses of what this reader takes: problems, none if it is served. `to_json` mends what can be
    /// mended.
    pub fn validate(&self) -> Vec<Problem> {
        let mut diagnostics = Diagnostics::default();
        diagnostics.inside("body", |diagnostics| {
            diagnostics.inside("messages", |diagnostics| {
                for (at, message) in self.messages.iter().enumerate() {
                    diagnostics.inside(at, |diagnostics| message.validate(diagnostics));
                }
            });
            if let Some(resume) = &self.resume
                && resume.payload.as_str().is_none()
            {
                let payload = resume.payload.clone();
                diagnostics.inside("resume", |diagnostics| {
                    diagnostics.inside("payload", |f| f.report::<()>(Fault::StringType, payload));
                });
            }
        });
        diagnostics.found
    }

    /// The protocol for reading the answer: it knows which tools are the client's (K17).
    pub fn protocol(&self) -> AgKit {
        let names = self.tools.iter().map(|tool| tool.name.clone()).collect();
        AgKit { client_tools: Some(names), ..AgKit::default() }
    }

    fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let value = camel(value, &[("conversation_id", "conversationId")]);
        let mut fields = Fields::open(value, &["conversationId"], Fault::ModelAttributesType, diagnostics)?;
        Some(SendMessageInput {
            conversation_id: fields.required("conversationId", read::string),
            messages: fields.optional("messages", messages).unwrap_or_default(),
            tools: fields.optional("tools", tools).unwrap_or_default(),
            resume: fields.optional("resume", Resume::read),
        })
    }
}

fn messages(value: Value, diagnostics: &mut Diagnostics) -> Option<Vec<InputMessage>> {
    read::list(value, diagnostics, InputMessage::read)
}

fn tools(value: Value, diagnostics: &mut Diagnostics) -> Option<Vec<Tool>> {
    read::list(value, diagnostics, Tool::read)
}
