//! Reading: bytes in, one growing answer out.
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
//! assert_eq!(outcome.report.ended.as_str(), "eof");
//! ```

pub mod any;
pub mod detect;
pub mod events;
mod native;
mod reader;
#[cfg(feature = "serde")]
mod serde;
mod stream;

pub use crate::core::options::{Mode, ReadOptions};
pub use native::{AnyOutcome, AnyReader, AnySnapshot, AnySnapshotRef};
pub use reader::{Outcome, Reader};
pub use stream::Stream;
