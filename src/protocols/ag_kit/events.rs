//! Events as they stand on the wire: borrowed, open, read leniently and written strictly. (A.4,
//! A.5.)
//!
//! ```
//! use agentwire::ag_kit::events::Event;
//!
//! let event = Event::decode(r#"{"type": "text", "content": "你"}"#, 128)?;
//! assert_eq!(event, Event::Text { content: "你".into() });
//! assert_eq!(event.to_sse(), "data: {\"type\":\"text\",\"content\":\"你\"}\n\n");
//! assert_eq!(Event::decode("[DONE]\t", 128)?, Event::Done);
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use crate::core::events;

events! {
    /// One event of a stream.
    ///
    /// Texts are characters: half of a surrogate pair that a server cut in two became U+FFFD here.
    /// A
    /// [`Reader`](crate::Reader) joins the halves.
    Event by "type", end "[DONE]";

    /// A text delta of the turn, which can be empty. (K1.)
    Text = "text" {
        /// The delta.
        content: Text,
    }
    /// The start of a tool call.
    ToolCallStart = "tool-call-start" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The tool's name.
        tool_call_name as "toolCallName": Text,
    }
    /// A delta of a call's arguments, which are JSON text. (K2.)
    ToolCallArgs = "tool-call-args" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The delta.
        delta: Text,
    }
    /// The end of a call's arguments. (K3.)
    ToolCallEnd = "tool-call-end" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
    }
    /// The result of a tool that the server called. (K4.)
    ToolResult = "tool-result" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The result as text, often JSON text.
        result: Text,
    }
    /// A pause of the run until the client resumes it. (K5.)
    Interrupt = "interrupt" {
        /// The id of the interrupt, which the client sends to resume the run.
        id: Id,
        /// The reason. Absent and null are equivalent.
        reason: Optional<Text>,
        /// The question to the client: any JSON. Null if the event has no payload.
        payload: Json,
    }
    /// The failure of the run. (K9.)
    Error = "error" {
        /// The error message.
        message as "error": Message,
        /// Details of the error. Only some servers send them in a typed error.
        details: Optional<Message>,
    }
    /// The failure of the run, as an event without a type. (K8.)
    UntypedError {
        /// The error message.
        message as "error": Message,
        /// Details of the error.
        details: Optional<Message>,
    }
}
