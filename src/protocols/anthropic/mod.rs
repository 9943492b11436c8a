//! Anthropic Messages: streams of a model, and the growing message.
//!
//! A stream transfers one **message**: `message_start`, then for each content **block** its start,
//! its deltas and its stop, then `message_delta` with the stop reason and the token usage, and
//! `message_stop`. Blocks are text, thinking, and calls and results of tools; they can interleave.
//!
//! [`Anthropic`] is the protocol for a [`Reader`](crate::Reader), and [`request`] has the requests of clients. After a
//! stream, a [`Snapshot`] has the contents that the official client (`@anthropic-ai/sdk` 1.14.0)
//! has, under the same names; `status`, `error` and the `partial_json` of blocks are added. Input
//! that this client refuses is a violation of severity error.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::anthropic::{Anthropic, Status};
//!
//! let mut reader = Reader::new(Anthropic::default());
//! for event in [
//!     r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[]}}"#,
//!     r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
//!     r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}"#,
//!     r#"{"type":"content_block_stop","index":0}"#,
//!     r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#,
//!     r#"{"type":"message_stop"}"#,
//! ] {
//!     reader.push(format!("data: {event}\n\n").as_bytes());
//! }
//! let outcome = reader.finish();
//! assert_eq!(outcome.snapshot.status, Status::Completed);
//! assert_eq!(outcome.snapshot.text(), "Hello");
//! ```

#[cfg(feature = "hub")]
mod carrier;
#[cfg(feature = "hub")]
mod conversation;
mod error;
pub mod events;
mod fold;
#[cfg(feature = "hub")]
pub mod hub;
mod model;
pub mod request;
pub mod rules;

pub use error::{error_response, error_status, is_too_long};
pub use fold::Anthropic;
pub use model::{Block, BlockPayload, BlockType, Snapshot, Status};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};
