//! The AI SDK UI message stream: requests, streams, and the growing `UIMessage`.
//!
//! A stream transfers one **message** of the assistant as **chunks**: texts, reasoning, tool calls
//! with their inputs and outputs, files, sources and data, in steps. `useChat` sends the whole
//! conversation with each request.
//!
//! [`AiSdk`] is the protocol for a [`Reader`](crate::Reader), and [`request`] has the requests of clients. A [`Snapshot`] has
//! the contents that `readUIMessageStream` of `ai` 7 yields, under the same names; `status`,
//! `finishReason` and `error` are added. While the input of a call is streaming, `rawInput` has its
//! JSON text, and `input` is absent; the official client has there what can be parsed of it. Input
//! at which the client of `ai` 6 stops is a violation of severity error.
//!
//! Streams are written by conversions and by `emit`. They have only chunks that `ai` 6 and 7 read;
//! `ai` 5 stops at questions.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::ai_sdk::{AiSdk, Status};
//!
//! let mut reader = Reader::new(AiSdk::default());
//! for chunk in [
//!     r#"{"type":"start","messageId":"m"}"#,
//!     r#"{"type":"text-start","id":"t"}"#,
//!     r#"{"type":"text-delta","id":"t","delta":"Hello"}"#,
//!     r#"{"type":"text-end","id":"t"}"#,
//!     r#"{"type":"finish","finishReason":"stop"}"#,
//!     "[DONE]",
//! ] {
//!     reader.push(format!("data: {chunk}\n\n").as_bytes());
//! }
//! let outcome = reader.finish();
//! assert_eq!(outcome.snapshot.status, Status::Completed);
//! assert_eq!(outcome.snapshot.text(), "Hello");
//! assert!(outcome.report.violations.is_empty());
//! ```

#[cfg(feature = "hub")]
mod conversation;
pub mod events;
mod fold;
#[cfg(feature = "hub")]
pub mod hub;
mod model;
pub mod request;
pub mod rules;

pub use fold::AiSdk;
#[doc(hidden)]
pub use model::{MODEL, patch_schema};
pub use model::{Part, PartPayload, PartState, PartType, Snapshot, Status};
