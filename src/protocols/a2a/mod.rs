//! A2A 0.3 and 1.0: streams, and the growing snapshot.
//!
//! A stream is either one **message**, or a **task** followed by updates of its status and its
//! **artifacts**, each of which consists of parts. [`A2a`] is the protocol for a
//! [`Reader`](crate::Reader). A [`Snapshot`] holds the data that the official stores hold after the stream, in the form of 1.0 for both dialects. A violation has the severity error
//! if the official client (`@a2a-js/sdk` 1.3.0) throws on it or loses data.
//!
//! ```
//! use agentwire::Reader;
//! use agentwire::a2a::{A2a, TaskState};
//!
//! let mut reader = Reader::new(A2a::default());
//! for result in [
//!     r#"{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}"#,
//!     r#"{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"Hel"}]}}}"#,
//!     r#"{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"lo"}]},"append":true}}"#,
//!     // The same in 0.3.
//!     r#"{"kind":"status-update","taskId":"t","contextId":"c","status":{"state":"completed"},"final":true}"#,
//! ] {
//!     reader.push(format!("data: {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{result}}}\n\n").as_bytes());
//! }
//! let outcome = reader.finish();
//! let task = outcome.snapshot.task.expect("a task");
//! assert_eq!(task.state(), TaskState::Completed);
//! let texts: Vec<_> = task.artifacts.iter().flatten().map(|artifact| artifact.text()).collect();
//! assert_eq!(texts, ["Hello"]);
//! assert_eq!(outcome.report.count("dialect"), 1); // two of them in one stream
//! ```

pub mod card;
#[cfg(feature = "hub")]
mod conversation;
pub mod events;
mod fold;
#[cfg(feature = "hub")]
pub mod hub;
mod model;
pub mod request;
pub mod rules;
#[cfg(feature = "hub")]
pub mod tasks;

pub use fold::{A2a, Dialect};
pub use model::{Artifact, Message, Part, Role, RpcError, Snapshot, Task, TaskState, TaskStatus};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};

/// The values of `kind` in the events of 0.3, in the order of the corresponding members of 1.0.
const KINDS: &[&str] = &["task", "message", "status-update", "artifact-update"];
