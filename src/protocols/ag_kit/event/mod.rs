//! Events as they stand on the wire: borrowed, open, read leniently and written strictly. (A.4, A.5.)
//!
//! ```
//! use agentwire::ag_kit::event::Event;
//!
//! let event = Event::decode(r#"{"type": "text", "content": "你"}"#, 128)?;
//! assert_eq!(event, Event::Text { content: "你".into() });
//! assert_eq!(event.to_sse(), "data: {\"type\":\"text\",\"content\":\"你\"}\n\n");
//! assert_eq!(Event::decode("[DONE]\t", 128)?, Event::Done);
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

mod frame;
mod write;

pub(crate) use frame::{Body, Frame};

use alloc::borrow::Cow;
use alloc::string::String;

use crate::core::error::DecodeError;
use crate::json::{Document, Str, Tape, Value};
use crate::read::detect;

/// One event of a stream.
///
/// Texts are characters: half of a surrogate pair that a server cut in two became U+FFFD here. A
/// [`Reader`](crate::Reader) joins the halves.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// `text`: the next piece of the turn's text, which may be empty (K1).
    Text {
        /// The piece.
        content: Cow<'a, str>,
    },
    /// `tool-call-start`: a call begins.
    ToolCallStart {
        /// The call's id.
        tool_call_id: Cow<'a, str>,
        /// The tool.
        tool_call_name: Cow<'a, str>,
    },
    /// `tool-call-args`: the next piece of a call's arguments, which are JSON text (K2).
    ToolCallArgs {
        /// The call's id.
        tool_call_id: Cow<'a, str>,
        /// The piece.
        delta: Cow<'a, str>,
    },
    /// `tool-call-end`: the arguments are whole (K3).
    ToolCallEnd {
        /// The call's id.
        tool_call_id: Cow<'a, str>,
    },
    /// `tool-result`: what a tool came to that the server has called itself (K4).
    ToolResult {
        /// The call's id.
        tool_call_id: Cow<'a, str>,
        /// Its output: text, often JSON text.
        result: Cow<'a, str>,
    },
    /// `interrupt`: the run is paused until the client resumes it (K5).
    Interrupt {
        /// What to name when resuming.
        id: Cow<'a, str>,
        /// Why. Missing and null are the same.
        reason: Option<Cow<'a, str>>,
        /// What the client is asked: any JSON; null where the event has none.
        payload: Value,
    },
    /// The run failed: `{"type":"error","error":…}` (K9), or `{"error":…,"details":…}` without a type (K8).
    Error {
        /// What went wrong.
        message: Cow<'a, str>,
        /// More about it; written in untyped errors only.
        details: Option<Cow<'a, str>>,
        /// The event has a type.
        typed: bool,
    },
    /// `[DONE]`, the end (K6). Not JSON.
    Done,
    /// Any other JSON object, verbatim (K10).
    Other {
        /// Its `type`.
        name: Option<Cow<'a, str>>,
        /// The whole event.
        json: Cow<'a, str>,
    },
}

impl Event<'_> {
    /// The types of the protocol, in the order of its documentation (A.4).
    pub const TYPES: &'static [&'static str] = &detect::AG_KIT;
}

impl<'a> Event<'a> {
    /// Reads the data of one server-sent event; `max_depth` bounds the nesting of its JSON.
    ///
    /// White space around is no matter (K12). Fails when it is neither `[DONE]` nor one JSON object, or when a member of
    /// its type is missing or of a wrong type. Types and members that the protocol does not have are no failures.
    pub fn decode(data: &'a str, max_depth: u32) -> Result<Self, DecodeError> {
        if detect::is_done(data) {
            return Ok(Event::Done);
        }
        let document = Document::read_into(&mut Tape::default(), data, max_depth)?;
        Ok(match Frame::decode(&document)?.body {
            Body::Text { content } => Event::Text { content: content.to_str() },
            Body::ToolCallStart { id, name } => {
                Event::ToolCallStart { tool_call_id: id.to_str(), tool_call_name: name.to_str() }
            }
            Body::ToolCallArgs { id, delta } => {
                Event::ToolCallArgs { tool_call_id: id.to_str(), delta: delta.to_str() }
            }
            Body::ToolCallEnd { id } => Event::ToolCallEnd { tool_call_id: id.to_str() },
            Body::ToolResult { id, result } => {
                Event::ToolResult { tool_call_id: id.to_str(), result: result.to_str() }
            }
            Body::Interrupt { id, reason, payload } => Event::Interrupt {
                id: id.to_str(),
                reason: reason.map(Str::to_str),
                payload: payload.map_or(Value::Null, Value::from_raw),
            },
            Body::Error { message, details, typed } => Event::Error { message, details, typed },
            Body::Other { name } => Event::Other { name: name.map(Str::to_str), json: Cow::Borrowed(data) },
        })
    }

    /// The name of its type on the wire; `None` for an untyped error, the end and objects without a type.
    pub fn name(&self) -> Option<&str> {
        match self {
            Event::Text { .. } => Some("text"),
            Event::ToolCallStart { .. } => Some("tool-call-start"),
            Event::ToolCallArgs { .. } => Some("tool-call-args"),
            Event::ToolCallEnd { .. } => Some("tool-call-end"),
            Event::ToolResult { .. } => Some("tool-result"),
            Event::Interrupt { .. } => Some("interrupt"),
            Event::Error { typed: true, .. } => Some("error"),
            Event::Error { typed: false, .. } | Event::Done => None,
            Event::Other { name, .. } => name.as_deref(),
        }
    }

    /// The same event, borrowing nothing.
    pub fn into_owned(self) -> Event<'static> {
        let own = |text: Cow<'a, str>| Cow::<'static, str>::Owned(String::from(text));
        match self {
            Event::Text { content } => Event::Text { content: own(content) },
            Event::ToolCallStart { tool_call_id, tool_call_name } => {
                Event::ToolCallStart { tool_call_id: own(tool_call_id), tool_call_name: own(tool_call_name) }
            }
            Event::ToolCallArgs { tool_call_id, delta } => {
                Event::ToolCallArgs { tool_call_id: own(tool_call_id), delta: own(delta) }
            }
            Event::ToolCallEnd { tool_call_id } => Event::ToolCallEnd { tool_call_id: own(tool_call_id) },
            Event::ToolResult { tool_call_id, result } => {
                Event::ToolResult { tool_call_id: own(tool_call_id), result: own(result) }
            }
            Event::Interrupt { id, reason, payload } => {
                Event::Interrupt { id: own(id), reason: reason.map(own), payload }
            }
            Event::Error { message, details, typed } => {
                Event::Error { message: own(message), details: details.map(own), typed }
            }
            Event::Done => Event::Done,
            Event::Other { name, json } => Event::Other { name: name.map(own), json: own(json) },
        }
    }
}
