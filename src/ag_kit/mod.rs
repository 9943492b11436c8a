//! AG-Kit's send-message protocol: requests, streams, and the growing answer.
//!
//! A **turn** is the answer to one request; it consists of text, tool calls and interrupts, one event each per piece,
//! and ends with `[DONE]`. Nothing has an id but calls and interrupts, and nothing is numbered.
//!
//! What may follow what is in [`lifecycle`], and only there.

pub mod builder;
pub mod event;
pub mod lifecycle;
pub mod rules;
mod vocab;

pub use event::Event;
pub use vocab::{Status, ToolState};
