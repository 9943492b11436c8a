//! Bytes of one protocol to bytes of another: what reads, the [hub](crate::hub) and what writes, joined.
//!
//! ```
//! use agentwire::convert::{Converter, ConvertOptions};
//! use agentwire::agent_api::builder;
//! use agentwire::read::detect::ProtocolKind;
//! use agentwire::core::id::Counter;
//!
//! # fn main() -> Result<(), agentwire::Misuse> {
//! let options = ConvertOptions::new(builder::BuilderOptions::new(Counter::default(), || 1_700_000_000));
//! let mut converter = Converter::new(None, ProtocolKind::AgKit, options)?; // from what the first event tells
//! let mut out = String::new();
//! for chunk in [
//!     "data: {\"object\":\"response\",\"status\":\"created\",\"id\":\"r\"}\n\ndata: {\"object\":\"mess",
//!     "age\",\"id\":\"m\",\"type\":\"reasoning\",\"status\":\"in_progress\"}\n\n",
//!     "data: {\"object\":\"content\",\"msg_id\":\"m\",\"type\":\"text\",\"delta\":true,\"index\":0,\"text\":\"Hm.\"}\n\n",
//!     "data: {\"object\":\"content\",\"msg_id\":\"n\",\"type\":\"text\",\"delta\":true,\"index\":0,\"text\":\"Hi\"}\n\n",
//! ] {
//!     converter.push(chunk.as_bytes(), &mut out);
//! }
//! assert_eq!(out, "data: {\"type\":\"text\",\"content\":\"Hi\"}\n\n");
//!
//! out.clear();
//! converter.finish(false, &mut out); // the stream was cut: it ends all the same
//! assert!(out.contains(r#""type":"error""#) && out.ends_with("data: [DONE]\n\n"));
//! let lost: Vec<_> = converter.losses().unwrap().iter().map(|loss| loss.what).collect();
//! assert_eq!(lost, ["run-ids", "reasoning", "message-status", "message-status", "status"]);
//! # Ok(())
//! # }
//! ```

mod answer;
mod converter;
mod endpoint;
mod lines;
mod pipe;
mod reader_as;
mod target;

pub use answer::Answer;
pub use converter::{ConvertOptions, Converter};
pub use endpoint::Endpoint;
pub(crate) use pipe::write;
pub use reader_as::{ReaderAs, Shape, Shown};
pub(crate) use target::{Sent, Target};
