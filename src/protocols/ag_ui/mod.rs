//! AG-UI 1.0: streams, and the growing answer.
//!
//! A stream is a sequence of **runs** of a thread. A run starts and finishes. In between come
//! messages, tool calls, reasoning, activities, the shared state and its patches, steps and
//! subagents, each with an id and in any order.
//!
//! [`AgUi`] is the protocol for a [`Reader`](crate::Reader). A [`Snapshot`] has the data of the official client
//! (`@ag-ui/client` 1.0.0) after a stream, under the same names. An event that the client refuses
//! is a violation of severity error.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::ag_ui::{AgUi, Status};
//!
//! let mut reader = Reader::new(AgUi::default());
//! for event in [
//!     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
//!     r#"{"type":"STATE_SNAPSHOT","snapshot":{"city":"Oslo"}}"#,
//!     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Sunny"}"#,
//!     r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"."}"#,
//!     r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/degrees","value":21}]}"#,
//!     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
//! ] {
//!     reader.push(format!("data: {event}\n\n").as_bytes());
//! }
//! let outcome = reader.finish();
//! assert_eq!(outcome.snapshot.status, Status::Finished);
//! assert_eq!(outcome.snapshot.messages[0].text(), Some("Sunny."));
//! assert_eq!(outcome.snapshot.state.to_json(), r#"{"city":"Oslo","degrees":21}"#);
//! assert!(outcome.report.violations.is_empty());
//! ```

#[cfg(feature = "binary")]
pub mod binary;
mod compact;
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
mod schema;

/// The version of the protocol that is written.
const PROTOCOL_VERSION: &str = "1.0";

pub use compact::Compactor;
pub use fold::AgUi;
pub use model::{
    CallType, FunctionCall, Message, ReasoningSpan, Role, Run, RunError, Snapshot, Status, Step,
    Subagent, ToolCall,
};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};
