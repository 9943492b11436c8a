//! Events as they stand on the wire: borrowed, open, read leniently and written strictly. (A.4, A.5.)
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
    /// Texts are characters: half of a surrogate pair that a server cut in two became U+FFFD here. A
    /// [`Reader`](crate::Reader) joins the halves.
    Event by "type", end "[DONE]";

    /// The next piece of the turn's text, which may be empty (K1).
    Text = "text" {
        /// The piece.
        content: Text,
    }
    /// A call begins.
    ToolCallStart = "tool-call-start" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The tool.
        tool_call_name as "toolCallName": Text,
    }
    /// The next piece of a call's arguments, which are JSON text (K2).
    ToolCallArgs = "tool-call-args" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// The piece.
        delta: Text,
    }
    /// The arguments are whole (K3).
    ToolCallEnd = "tool-call-end" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
    }
    /// What a tool came to that the server has called itself (K4).
    ToolResult = "tool-result" {
        /// The call's id.
        tool_call_id as "toolCallId": Id,
        /// Its output: text, often JSON text.
        result: Text,
    }
    /// The run is paused until the client resumes it (K5).
    Interrupt = "interrupt" {
        /// What to name when resuming.
        id: Id,
        /// Why. Missing and null are the same.
        reason: Optional<Text>,
        /// What the client is asked: any JSON; null where the event has none.
        payload: Json,
    }
    /// The run failed (K9).
    Error = "error" {
        /// What went wrong.
        message as "error": Message,
        /// More about it, from servers that say so in a typed error too.
        details: Optional<Message>,
    }
    /// The run failed, said without a type (K8).
    UntypedError {
        /// What went wrong.
        message as "error": Message,
        /// More about it.
        details: Optional<Message>,
    }
}
