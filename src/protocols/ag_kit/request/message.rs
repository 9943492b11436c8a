//! Messages of requests.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::core::id::IdSource;
use crate::core::request::Fault;
use crate::core::request::read::{self, Diagnostics, Fields};
use crate::json::{Member, Value};

/// One message of a request, by its `role` (A.3).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputMessage {
    /// Instructions.
    System {
        /// The text.
        content: String,
    },
    /// What the user says.
    User {
        /// The text; a list of text parts is read as their concatenation.
        content: String,
    },
    /// What a tool of the client came to (K15).
    Tool {
        /// The result: text, often JSON text.
        content: String,
        /// The call that it answers.
        tool_call_id: String,
    },
    /// What the agent said, for conversations that the server does not have.
    Assistant {
        /// Required by the server, absent in the TypeScript documentation; [`identify`](Self::identify) makes one.
        id: Option<String>,
        /// The text.
        content: Option<String>,
        /// What it called.
        tool_calls: Vec<AssistantToolCall>,
    },
}

/// A tool call of an assistant message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AssistantToolCall {
    /// The call's id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// JSON text.
    pub arguments: String,
}

impl AssistantToolCall {
    /// A call of the tool of that name with these arguments, which are JSON text.
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        AssistantToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
    }

    fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let mut fields = Fields::open(value, &["id", "function"], Fault::ModelAttributesType, diagnostics)?;
        let id = fields.required("id", read::string);
        let (name, arguments) = fields.required("function", |value, diagnostics| {
            let required = ["name", "arguments"];
            let mut fields = Fields::open(value, &required, Fault::ModelAttributesType, diagnostics)?;
            Some((fields.required("name", read::string), fields.required("arguments", read::string)))
        });
        Some(AssistantToolCall { id, name, arguments })
    }
}

impl InputMessage {
    /// Gives an assistant message without an id one: the server wants it (K14).
    pub fn identify(&mut self, ids: &mut impl IdSource) {
        if let InputMessage::Assistant { id: id @ None, .. } = self {
            *id = Some(ids.next_id("msg_"));
        }
    }

    pub(super) fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let value = camel(value, &[("tool_call_id", "toolCallId"), ("tool_calls", "toolCalls")]);
        let role = value.get("role").cloned();
        let required: &[&str] = match role.as_ref().and_then(Value::as_str) {
            Some("tool") => &["role", "content", "toolCallId"],
            Some("assistant") => &["role"],
            _ => &["role", "content"],
        };
        let mut fields = Fields::open(value, required, Fault::ModelAttributesType, diagnostics)?;
        let role = fields.required("role", self::role);
        Some(match role {
            Role::Assistant => InputMessage::Assistant {
                id: fields.optional("id", read::string),
                content: fields.optional("content", content),
                tool_calls: fields.optional("toolCalls", tool_calls).unwrap_or_default(),
            },
            Role::System => InputMessage::System { content: fields.required("content", content) },
            Role::User => InputMessage::User { content: fields.required("content", content) },
            Role::Tool => InputMessage::Tool {
                content: fields.required("content", content),
                tool_call_id: fields.required("toolCallId", read::string),
            },
        })
    }

    pub(super) fn validate(&self, diagnostics: &mut Diagnostics) {
        if let InputMessage::Assistant { id: None, .. } = self {
            let whole = Value::from([("role", "assistant".into())]);
            diagnostics.inside("id", |diagnostics| diagnostics.report::<()>(Fault::Missing, whole));
        }
    }
}

#[derive(Clone, Copy, Default)]
enum Role {
    System,
    /// What stands for a role that could not be read; the diagnostics say so.
    #[default]
    User,
    Tool,
    Assistant,
}

fn role(value: Value, diagnostics: &mut Diagnostics) -> Option<Role> {
    match value.as_str() {
        Some("system") => Some(Role::System),
        Some("user") => Some(Role::User),
        Some("tool") => Some(Role::Tool),
        Some("assistant") => Some(Role::Assistant),
        _ => diagnostics.report(Fault::Role, value),
    }
}

fn tool_calls(value: Value, diagnostics: &mut Diagnostics) -> Option<Vec<AssistantToolCall>> {
    read::list(value, diagnostics, AssistantToolCall::read)
}

/// A string, or a list of parts with `text`.
fn content(value: Value, diagnostics: &mut Diagnostics) -> Option<String> {
    if let Value::Array(parts) = &value {
        let texts = parts.iter().map(|part| part.get("text").and_then(Value::as_str));
        if let Some(text) = texts.collect::<Option<String>>() {
            return Some(text);
        }
    }
    read::string(value, diagnostics)
}

/// Members under their own names, where the caller used the other spelling; the protocol's own wins.
pub(super) fn camel(mut value: Value, names: &[(&str, &str)]) -> Value {
    if let Value::Object(members) = &mut value {
        for (snake, camel) in names {
            if !members.iter().any(|member| member.key == *camel)
                && let Some(Member { key, .. }) = members.iter_mut().find(|member| member.key == *snake)
            {
                *key = (*camel).to_owned();
            }
        }
    }
    value
}
