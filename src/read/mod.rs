//! Reading: a stream of bytes becomes one growing answer.
//!
//! ```
//! use agentwire::{Reader, agent_api::AgentApi};
//!
//! let mut reader = Reader::new(AgentApi::default());
//! for chunk in [&b"data: {\"object\":\"response\",\"status\":\"created\",\"id\":\"r\"}\n\ndata: {\"obj"[..], b"ect\":"] {
//!     reader.push(chunk); // never fails, however the bytes are cut
//! }
//! let outcome = reader.finish();
//! assert_eq!(outcome.snapshot.response.id, "r");
//! assert_eq!(outcome.report.end_reason.as_str(), "eof");
//! ```

pub(crate) mod any;
pub(crate) mod detect;
mod events;
pub(crate) mod native;
pub(crate) mod reader;
#[cfg(feature = "serde")]
mod serde;
mod stream;

pub use crate::core::options::{Mode, ReadOptions};
pub use crate::protocols::detect;
pub use any::{AnyOptions, AnyStream};
pub use detect::{Detector, FALLBACK};
pub use events::{CommentEntry, EventReader, StreamEntry, StreamEvent};
pub use native::{AnyOutcome, AnySnapshotRef};
pub use stream::StreamDecoder;
