//! AG-Kit's send-message protocol: requests, streams, and the growing answer.
//!
//! A **turn** is the answer to one request; it consists of text, tool calls and interrupts, one event each per piece,
//! and ends with `[DONE]`. Nothing has an id but calls and interrupts, and nothing is numbered.
//!
//! What may follow what is in [`lifecycle`], and only there. [`AgKit`] is the protocol to give to a
//! [`Reader`](crate::Reader); [`builder`] writes streams.

pub mod builder;
pub mod event;
mod fold;
pub mod lifecycle;
pub mod rules;
pub(crate) mod schema;
mod snapshot;
#[cfg(feature = "wasm")]
mod typescript;
mod vocab;

pub use event::Event;
pub use fold::{AgKit, AgKitFold};
pub use schema::patch_schema;
pub use snapshot::{ErrorInfo, Interrupt, Part, Snapshot, ToolCall};
pub use vocab::{Status, ToolState};
