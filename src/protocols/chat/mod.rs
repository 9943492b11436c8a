//! OpenAI Chat Completions: streams of a model, and the growing completion.
//!
//! A stream transfers one **completion** in chunks. It has one **choice**, or several: alternative
//! answers with a message each. A message is text, a refusal, reasoning and tool calls, and grows
//! piece by piece until its choice has a finish reason. `[DONE]` ends the stream.
//!
//! [`Chat`] is the protocol for a [`Reader`](crate::Reader), and [`request`] has the requests of clients. After a stream, a
//! [`Snapshot`] has the contents that the official client (`openai` 7.59.0) has, under the same names; `status` and
//! `error` are added. Input that this client refuses is a violation of severity error.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::chat::{Chat, Status};
//!
//! let mut reader = Reader::new(Chat::default());
//! for chunk in [
//!     r#"{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}"#,
//!     r#"{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"lo"}}]}"#,
//!     r#"{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
//!     "[DONE]",
//! ] {
//!     reader.push(format!("data: {chunk}\n\n").as_bytes());
//! }
//! let outcome = reader.finish();
//! assert_eq!(outcome.snapshot.status, Status::Completed);
//! assert_eq!(outcome.snapshot.text(), "Hello");
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

pub use fold::Chat;
pub use model::{Audio, Choice, Custom, Function, Message, Snapshot, Status, ToolCall};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};

/// Whether the data of an event, or the body of an answer, is an error.
///
/// ```
/// assert!(agentwire::chat::is_error(r#"{"error":{"message":"no","type":"server_error"}}"#));
/// assert!(!agentwire::chat::is_error(r#"{"id":"c","object":"chat.completion","choices":[]}"#));
/// ```
pub fn is_error(data: &str) -> bool {
    let document = crate::json::Document::read(data, crate::Limits::default().json_depth);
    document
        .is_ok_and(|document| document.root().member("error").is_some_and(|error| !error.is_null()))
}

#[cfg(test)]
mod tests;
