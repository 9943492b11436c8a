//! Gemini: the streams of `streamGenerateContent?alt=sse`, and the growing response. The protocol
//! is read, not written.
//!
//! A stream transfers one **response** in chunks, which are responses themselves. It has one
//! **candidate**, or several: alternative answers with a content each. A content consists of
//! **parts**: texts, thoughts, function calls, executed code and media. Texts arrive in pieces, all
//! other parts whole; only Vertex AI can send the arguments of a function call in pieces. The
//! stream ends with the connection, after the finish reason of every candidate.
//!
//! [`Gemini`] is the protocol for a [`Reader`](crate::Reader), and [`request`] has the requests of clients. After a stream, a
//! [`Snapshot`] has the property names of the official client (`@google/genai` 3.3.0), which returns the chunks one by one, and
//! all their parts, where texts that follow each other are joined; `status` and `error` are added.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::gemini::{Gemini, Status};
//!
//! let mut reader = Reader::new(Gemini::default());
//! for chunk in [
//!     r#"{"candidates":[{"content":{"parts":[{"text":"Hel"}],"role":"model"}}],"responseId":"r"}"#,
//!     r#"{"candidates":[{"content":{"parts":[{"text":"lo"}],"role":"model"},"finishReason":"STOP"}],"responseId":"r"}"#,
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

pub use fold::Gemini;
pub use model::{Candidate, Content, FunctionCall, Part, Snapshot, Status};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};
