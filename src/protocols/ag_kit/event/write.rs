//! Events as text: compact, camelCase, nothing that is not there. (A.5, E.)

use alloc::string::String;

use super::Event;
use crate::json::{Object, put_json};
use crate::sse;

/// The end marker.
pub(crate) const DONE: &str = "[DONE]";

impl Event<'_> {
    /// The data of the event: one JSON object on one line, or `[DONE]`.
    pub fn to_data(&self) -> String {
        /// Room for a piece of text: the usual event is written without growing.
        const USUAL: usize = 96;
        let mut out = String::with_capacity(USUAL);
        self.write(&mut out);
        out
    }

    /// The event as one server-sent event, blank line included.
    pub fn to_sse(&self) -> String {
        let mut out = String::new();
        sse::event(&mut out, None, None, &self.to_data());
        out
    }

    /// Appends the data of the event. What an optional member does not have is left out; an interrupt's `payload` is
    /// required and may be null.
    pub fn write(&self, out: &mut String) {
        match self {
            Event::Done => return out.push_str(DONE),
            Event::Other { json, .. } => return put_json(out, json),
            _ => {}
        }
        let mut object = Object::open(out, true);
        object.string("type", self.name());
        match self {
            Event::Text { content } => object.string("content", Some(content)),
            Event::ToolCallStart { tool_call_id, tool_call_name } => {
                object.string("toolCallId", Some(tool_call_id));
                object.string("toolCallName", Some(tool_call_name));
            }
            Event::ToolCallArgs { tool_call_id, delta } => {
                object.string("toolCallId", Some(tool_call_id));
                object.string("delta", Some(delta));
            }
            Event::ToolCallEnd { tool_call_id } => object.string("toolCallId", Some(tool_call_id)),
            Event::ToolResult { tool_call_id, result } => {
                object.string("toolCallId", Some(tool_call_id));
                object.string("result", Some(result));
            }
            Event::Interrupt { id, reason, payload } => {
                object.string("id", Some(id));
                object.string("reason", reason.as_deref());
                payload.write(object.member("payload"));
            }
            Event::Error { message, details, typed } => {
                object.string("error", Some(message));
                object.string("details", details.as_deref().filter(|_| !typed));
            }
            Event::Done | Event::Other { .. } => {}
        }
        object.close();
    }
}
