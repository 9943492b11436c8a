//! The binary form of AG-UI: each event is a message of Protocol Buffers with its length before it.
//! (B.10.)
//!
//! A [`Reader`](crate::Reader) reads this form if its options have
//! [`Framing::LengthPrefixed`](crate::sse::Framing::LengthPrefixed).
//!
//! ```
//! use agentwire::ag_ui::{AgUi, binary};
//! use agentwire::read::ReadOptions;
//! use agentwire::sse::Framing;
//! use agentwire::{Limits, Reader};
//!
//! let mut options = ReadOptions::default();
//! options.framing = Framing::LengthPrefixed;
//! let mut reader = Reader::with_options(AgUi::default(), options);
//! for event in [
//!     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
//!     r#"{"type":"STATE_SNAPSHOT","snapshot":{"large":9007199254740993}}"#,
//! ] {
//!     let encoded = binary::encode(event, Limits::DEEPEST)?;
//!     reader.push(&encoded.frame);
//!     if event.contains("large") {
//!         assert_eq!(encoded.lost, ["/snapshot/large"]); // numbers are floating point numbers there
//!     }
//! }
//! assert_eq!(reader.finish().snapshot.state.to_json(), r#"{"large":9007199254740992}"#);
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use super::events::EVENTS;
use crate::core::DecodeError;
pub use crate::core::binary::EncodedEvent;
use crate::core::binary::{self, Binary};

/// The media type for `Accept` and `Content-Type`.
pub const MEDIA_TYPE: &str = "application/vnd.ag-ui.event+proto";

pub(crate) static BINARY: Binary = Binary { media_type: MEDIA_TYPE, events: &EVENTS, type_of };

/// Returns the type number of the event in that field. The enumeration of types is older than the
/// fields and has another order.
fn type_of(event: u32) -> u32 {
    match event {
        17 | 18 => event + 2,
        19..=21 => event - 3,
        _ => event - 1,
    }
}

/// Writes an event, given as its JSON object in a stream of server-sent events. `max_depth` limits
/// its nesting.
///
/// Fails if the JSON is not an event, and for the events from before 1.0, which do not have a
/// binary form.
pub fn encode(event: &str, max_depth: u32) -> Result<EncodedEvent, DecodeError> {
    binary::write(&BINARY, event, max_depth)
}
