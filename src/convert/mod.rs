//! Conversion of the bytes of one protocol to bytes of another: a reader, the [hub](crate::hub) and
//! a writer.
//!
//! ```
//! use agentwire::ProtocolKind;
//! use agentwire::convert::{ConvertOptions, Converter, Source};
//!
//! # fn main() -> Result<(), agentwire::UsageError> {
//! let mut converter = Converter::new(Source::Auto, ProtocolKind::AgKit, ConvertOptions::default())?;
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
//! converter.finish(&mut out); // the stream was cut: it ends all the same
//! assert!(out.contains(r#""type":"error""#) && out.ends_with("data: [DONE]\n\n"));
//! let lost: Vec<_> = converter.losses().unwrap().iter().map(|loss| loss.kind).collect();
//! assert_eq!(lost, ["run-ids", "reasoning", "message-status", "message-status", "status"]);
//! # Ok(())
//! # }
//! ```

mod answer;
mod converter;
mod converting_reader;
mod passed;
mod pipe;
mod request;
mod target;
mod tool_rounds;
mod typed;

pub use answer::Answer;
#[cfg(any(feature = "futures", feature = "wasm"))]
pub(crate) use converter::fold_source;
pub use converter::{ConvertOptions, Converter};
pub use converting_reader::{ConvertedOutcome, ConvertingReader, SnapshotShape};
pub use passed::RequestHead;
#[cfg(any(feature = "futures", feature = "wasm"))]
pub(crate) use pipe::add_thoughts;
pub(crate) use pipe::write;
pub use request::{ConvertError, ConvertedRequest, RequestOptions, convert_request};
pub use target::{ConversionSide, Source};
pub(crate) use target::{Target, TargetOutput};
pub use tool_rounds::{ToolRounds, Waiting, WaitingCall};
pub use typed::{ProtocolRequest, RawRequest, TypedRequest, convert_typed};
