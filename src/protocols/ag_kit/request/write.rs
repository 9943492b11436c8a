//! Requests as JSON: camelCase, nothing null, everything as the server wants it (K14).

use alloc::string::String;

use super::input::{Resume, SendMessageInput, Tool};
use super::message::{AssistantToolCall, InputMessage};
use crate::core::error::Misuse;
use crate::core::free_json::FreeJsonCheck;
use crate::core::limits::Limits;
use crate::json::{Document, ErrorKind, Object, Value, write_list};

impl SendMessageInput {
    /// The request as JSON. Refuses what no server takes: an assistant message without an id, parameters that are no
    /// JSON.
    pub fn to_json(&self) -> Result<String, Misuse> {
        const CALL: &str = "to_json()";
        let deepest = Limits::default().json_depth;
        let free = FreeJsonCheck { deepest, call: CALL };
        for tool in &self.tools {
            if let Value::String(text) = &tool.parameters
                && Document::read(text, deepest).is_err()
            {
                return Err(Misuse::new(
                    "parameters-not-json",
                    [CALL, " was given the tool `", &tool.name, "` whose parameters are no JSON text"]
                        .concat(),
                    "give the JSON Schema of the tool's arguments",
                ));
            }
            free.value(&tool.parameters, deepest)?;
        }
        if let Some(resume) = &self.resume {
            free.value(&resume.payload, deepest)?;
        }
        if self.messages.iter().any(|message| matches!(message, InputMessage::Assistant { id: None, .. })) {
            return Err(Misuse::new(
                "message-without-id",
                [CALL, " was given an assistant message without an id"].concat(),
                "call `identify()` of the message first",
            ));
        }
        Ok(self.normalized_json())
    }

    /// The request in the same form, whatever is in it: for servers, which take what they are given.
    pub fn normalized_json(&self) -> String {
        let mut out = String::new();
        let mut object = Object::open(&mut out, true);
        write_list(&self.messages, object.member("messages"), InputMessage::write);
        if !self.tools.is_empty() {
            write_list(&self.tools, object.member("tools"), Tool::write);
        }
        if let Some(resume) = &self.resume {
            resume.write(object.member("resume"));
        }
        object.string("conversationId", Some(&self.conversation_id));
        object.close();
        out
    }
}

impl InputMessage {
    fn write(&self, out: &mut String) {
        let mut object = Object::open(out, true);
        match self {
            InputMessage::System { content } => {
                object.string("role", Some("system"));
                object.string("content", Some(content));
            }
            InputMessage::User { content } => {
                object.string("role", Some("user"));
                object.string("content", Some(content));
            }
            InputMessage::Tool { content, tool_call_id } => {
                object.string("role", Some("tool"));
                object.string("content", Some(content));
                object.string("toolCallId", Some(tool_call_id));
            }
            InputMessage::Assistant { id, content, tool_calls } => {
                object.string("role", Some("assistant"));
                object.string("id", id.as_deref());
                object.string("content", content.as_deref());
                if !tool_calls.is_empty() {
                    write_list(tool_calls, object.member("toolCalls"), AssistantToolCall::write);
                }
            }
        }
        object.close();
    }
}

impl AssistantToolCall {
    fn write(&self, out: &mut String) {
        let mut object = Object::open(out, true);
        object.string("id", Some(&self.id));
        object.string("type", Some("function"));
        let mut function = Object::open(object.member("function"), true);
        function.string("name", Some(&self.name));
        function.string("arguments", Some(&self.arguments));
        function.close();
        object.close();
    }
}

impl Tool {
    fn write(&self, out: &mut String) {
        let mut object = Object::open(out, true);
        object.string("name", Some(&self.name));
        object.string("description", Some(&self.description));
        object.string("parameters", Some(&as_text(&self.parameters)));
        object.close();
    }
}

impl Resume {
    fn write(&self, out: &mut String) {
        let mut object = Object::open(out, true);
        object.string("interruptId", Some(&self.interrupt_id));
        // JSON text is written as it is. What nests too deep to be read here is JSON text, too.
        let is_json = |text: &str| match Document::read(text, Limits::default().json_depth) {
            Ok(_) => true,
            Err(error) => error.kind == ErrorKind::TooDeep,
        };
        match &self.payload {
            Value::String(text) if is_json(text) => object.string("payload", Some(text)),
            other => object.string("payload", Some(&other.to_json())),
        }
        object.close();
    }
}

/// A string as it is, anything else as JSON text.
fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_json(),
    }
}
