//! OpenAI Responses: streams, and the growing answer.
//!
//! A stream transfers one **response**: the response is created, its output grows item by item, and
//! it is completed, failed or incomplete. Items are messages, reasoning, tool calls of many kinds
//! and their results. Items can interleave.
//!
//! [`Responses`] is the protocol for a [`Reader`](crate::Reader). After a stream, a [`Snapshot`] has the contents that
//! the official client (`openai` 7.59.0) has, under the same names. Input that this client refuses
//! is a violation of severity error; input that only its version 6 refuses is a note.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::responses::{Responses, Status};
//!
//! let mut reader = Reader::new(Responses::default());
//! for event in [
//!     r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","status":"in_progress","output":[]}}"#,
//!     r#"{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"c","type":"function_call","call_id":"1","name":"f","arguments":""}}"#,
//!     r#"{"type":"response.function_call_arguments.delta","sequence_number":2,"item_id":"c","output_index":0,"delta":"{}"}"#,
//!     r#"{"type":"response.output_item.done","sequence_number":3,"output_index":0,"item":{"id":"c","type":"function_call","call_id":"1","name":"f","arguments":"{}"}}"#,
//!     r#"{"type":"response.completed","sequence_number":4,"response":{"id":"r","status":"completed"}}"#,
//! ] {
//!     reader.push(format!("data: {event}\n\n").as_bytes());
//! }
//! let outcome = reader.finish();
//! assert_eq!(outcome.snapshot.status, Status::Completed);
//! assert_eq!(outcome.snapshot.output[0].payload.tag(), "function_call");
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

pub use fold::Responses;
pub use model::{Item, ItemPayload, ItemType, Part, PartPayload, PartType, Snapshot, Status};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};

/// Returns the Response object in the data of an event. That of the last event of a stream is the
/// answer to a request without `stream: true`.
///
/// ```
/// let last = r#"{"type":"response.completed","sequence_number":9,"response":{"id":"r","status":"completed"}}"#;
/// assert_eq!(agentwire::responses::response_of(last), Some(r#"{"id":"r","status":"completed"}"#));
/// ```
pub fn response_of(data: &str) -> Option<&str> {
    let document = crate::json::Document::read(data, crate::Limits::default().json_depth).ok()?;
    let mut members = document.root().object().ok()?;
    let (_, response) = members.find(|(key, _)| key.to_str() == "response")?;
    Some(response.raw().as_str())
}
