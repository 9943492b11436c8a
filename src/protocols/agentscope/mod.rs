//! AgentScope 2: the events of its service, the growing reply, and the requests of clients.
//!
//! A **reply** is the message of an agent. It consists of blocks: texts, reasoning, media, hints,
//! tool calls and results, each with an id, a start, deltas and an end. A reply that has to wait for
//! the user or for the client does not end: a later stream continues it under the same id.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::agentscope::{AgentScope, CallState, Status};
//!
//! let mut reader = Reader::new(AgentScope::default());
//! for event in [
//!     r#"{"type":"REPLY_START","session_id":"s","reply_id":"r","name":"Friday"}"#,
//!     r#"{"type":"TEXT_BLOCK_START","reply_id":"r","block_id":"t"}"#,
//!     r#"{"type":"TEXT_BLOCK_DELTA","reply_id":"r","block_id":"t","delta":"I delete it."}"#,
//!     r#"{"type":"TEXT_BLOCK_END","reply_id":"r","block_id":"t"}"#,
//!     r#"{"type":"TOOL_CALL_START","reply_id":"r","tool_call_id":"c","tool_call_name":"delete"}"#,
//!     r#"{"type":"TOOL_CALL_DELTA","reply_id":"r","tool_call_id":"c","delta":"{\"path\":\"a\"}"}"#,
//!     r#"{"type":"TOOL_CALL_END","reply_id":"r","tool_call_id":"c"}"#,
//!     r#"{"type":"REQUIRE_USER_CONFIRM","reply_id":"r","tool_calls":[{"id":"c","name":"delete","input":"{}"}]}"#,
//! ] {
//!     reader.push(format!("data: {event}\n\n").as_bytes());
//! }
//! let reply = reader.finish().snapshot;
//! assert_eq!((reply.text().as_str(), reply.status), ("I delete it.", Status::Waiting));
//! assert_eq!(reply.pending().next().map(|call| call.state), Some(CallState::Asking));
//! ```

#[cfg(feature = "hub")]
mod conversation;
pub mod events;
mod fold;
#[cfg(feature = "hub")]
pub mod hub;
mod lifecycle;
mod model;
pub mod request;
pub mod rules;

pub use fold::AgentScope;
pub use model::{
    Block, CallState, CustomEvent, DataBlock, ErrorInfo, HintBlock, OutputBlock, OutputData,
    OutputText, ResultState, Role, Snapshot, Status, TextBlock, ThinkingBlock, ToolCallBlock,
    ToolResultBlock, Usage,
};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};
