//! Constructors of requests and their parts, from the required members.

use alloc::{string::String, vec::Vec};

use super::{InputContent, InputMessage, Interrupt, ResumeEntry, RunAgentInput, Tool};
use crate::json::Value;

impl RunAgentInput {
    /// Creates a request with these messages and nothing else.
    pub fn new(thread_id: impl Into<String>, run_id: impl Into<String>, messages: Vec<InputMessage>) -> Self {
        RunAgentInput { thread_id: thread_id.into(), run_id: run_id.into(), messages, ..Self::empty() }
    }
}

impl InputMessage {
    /// Creates a message of the user.
    pub fn user(id: impl Into<String>, text: impl Into<String>) -> Self {
        InputMessage::User {
            id: id.into(),
            content: InputContent::Text(text.into()),
            name: None,
            encrypted_value: None,
            subagent_run_id: None,
            metadata: None,
        }
    }

    /// Creates the result of a tool of the client.
    pub fn tool(id: impl Into<String>, tool_call_id: impl Into<String>, content: impl Into<String>) -> Self {
        InputMessage::Tool {
            id: id.into(),
            content: InputContent::Text(content.into()),
            tool_call_id: tool_call_id.into(),
            error: None,
            encrypted_value: None,
            subagent_run_id: None,
            metadata: None,
        }
    }
}

impl Tool {
    /// Creates a tool with that name, purpose and JSON Schema.
    pub fn new(name: impl Into<String>, description: impl Into<String>, parameters: Value) -> Self {
        Tool {
            name: name.into(),
            description: description.into(),
            parameters: Some(parameters),
            ..Self::empty()
        }
    }
}

impl ResumeEntry {
    /// Creates the answer to the interrupt of that id: any JSON.
    pub fn resolved(interrupt_id: impl Into<String>, payload: Value) -> Self {
        let (interrupt_id, status) = (interrupt_id.into(), "resolved".into());
        ResumeEntry { interrupt_id, status, payload: Some(payload), ..Self::empty() }
    }

    /// Creates an entry that cancels the interrupt of that id.
    pub fn cancelled(interrupt_id: impl Into<String>) -> Self {
        let (interrupt_id, status) = (interrupt_id.into(), "cancelled".into());
        ResumeEntry { interrupt_id, status, ..Self::empty() }
    }
}

impl Interrupt {
    /// Creates an interrupt with that id and reason.
    pub fn new(id: impl Into<String>, reason: impl Into<String>) -> Self {
        Interrupt { id: id.into(), reason: reason.into(), ..Self::empty() }
    }
}
