//! A2A 0.3 and 1.0: streams, and the growing answer.
//!
//! A stream is either one **message**, or a **task** and then updates of its status and its **artifacts**, each of which consists
//! of parts. [`A2a`] is the protocol to give to a [`Reader`](crate::Reader). What the official stores hold after a stream, a
//! [`Snapshot`] holds in the form of 1.0, whichever dialect was read; what the official client (`@a2a-js/sdk` 1.3.0) throws on or
//! loses is a violation of severity error.
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

pub mod builder;
pub mod card;
pub mod events;
mod fold;
#[cfg(feature = "hub")]
pub mod hub;
mod model;
pub mod request;
pub mod rules;
#[cfg(feature = "hub")]
pub mod tasks;
mod texts;
mod timestamp;

pub use fold::{A2a, Dialect};
pub use model::{Artifact, Message, Part, Role, RpcError, Snapshot, Task, TaskState, TaskStatus};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};

/// The kinds of the events of 0.3, in the order of the members that 1.0 has for them.
const KINDS: &[&str] = &["task", "message", "status-update", "artifact-update"];
