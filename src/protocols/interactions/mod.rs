//! Gemini Interactions: streams of a model or an agent, and the growing interaction. The protocol
//! is read, not written.
//!
//! A stream transfers one **interaction**: `interaction.created`, then for each **step** its start,
//! its deltas and its stop, and `interaction.completed` with the status and the token usage. Steps
//! are outputs of the model, thoughts, and calls and results of tools; they can interleave. Events
//! can have an `event_id`, from which a stream that was cut off is resumed.
//!
//! [`Interactions`] is the protocol for a [`Reader`](crate::Reader), and [`request`] has the requests of clients. After a
//! stream, a [`Snapshot`] has the interaction with the property names of the official client
//! (`@google/genai` 3.3.0); `error`, `last_event_id`, and `partial_arguments` and `step_usage` of
//! steps are added.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::interactions::{Interactions, Status};
//!
//! let mut reader = Reader::new(Interactions::default());
//! for event in [
//!     r#"{"interaction":{"id":"v1_a","status":"in_progress","model":"x"},"event_type":"interaction.created"}"#,
//!     r#"{"index":0,"step":{"type":"model_output"},"event_type":"step.start"}"#,
//!     r#"{"index":0,"delta":{"text":"Hello","type":"text"},"event_type":"step.delta"}"#,
//!     r#"{"index":0,"event_type":"step.stop"}"#,
//!     r#"{"interaction":{"id":"v1_a","status":"completed"},"event_type":"interaction.completed"}"#,
//! ] {
//!     reader.push(format!("data: {event}\n\n").as_bytes());
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
#[cfg(feature = "model")]
pub(crate) mod place;
pub mod request;
pub mod rules;

pub use fold::Interactions;
pub use model::{
    Content, ContentPayload, ContentType, Snapshot, Status, Step, StepPayload, StepType,
};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};
