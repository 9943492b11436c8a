//! The requests of clients to an agent, read leniently and written strictly. (B.2, B.8, U23.)
//!
//! [`RunAgentInput::parse`] accepts both spellings of members (`threadId`, `thread_id`), null for optional members, and
//! the parts of older versions; its error lists all problems. [`RunAgentInput::to_json`] writes the
//! form that the official client sends.
//!
//! A request has the whole thread. The next request is made from the snapshot of a stream:
//! [`RunAgentInput::after`] continues the thread, [`RunAgentInput::tool_answers`] answers the calls that are left to the client, and
//! [`RunAgentInput::resuming`] answers the interrupts of the agent.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::ag_ui::request::{InputMessage, RunAgentInput};
//! use agentwire::builder::Counter;
//!
//! let input = RunAgentInput::new("t", "r1", vec![InputMessage::user("m1", "What is the weather?")]);
//! let mut reader = Reader::new(input.protocol());
//! for event in [
//!     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1"}"#,
//!     r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"position","delta":"{}"}"#,
//!     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}"#,
//! ] {
//!     reader.push(format!("data: {event}\n\n").as_bytes());
//! }
//! let next = input.tool_answers("r2", &reader.finish().snapshot, [("c1", "Oslo")], &mut Counter::default())?;
//! assert_eq!(next.messages.len(), 3);
//! assert_eq!(next.messages[2], InputMessage::tool("msg_1", "c1", "Oslo"));
//! # Ok::<(), agentwire::UsageError>(())
//! ```

mod follow;
mod input;

pub use input::{
    ContentPart, ContextEntry, InputContent, InputMessage, InputToolCall, Interrupt, ResumeEntry,
    RunAgentInput, Source, Tool,
};

use crate::core::requests;

requests! {
    types {
        RunAgentInput InputMessage InputToolCall InputContent ContentPart Source Tool ContextEntry
        ResumeEntry Interrupt
    }
}
