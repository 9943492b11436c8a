//! Server-sent events, framed exactly as WHATWG specifies; also [newline-delimited
//! JSON](Framing::Ndjson) and length-prefixed frames.
//!
//! [`Decoder`] turns bytes, in chunks of any size, into [`StreamItem`]s that borrow from the chunk if they are whole in it;
//! [`event`] and [`comment`] write them. This module is independent of JSON and the protocols.
//!
//! ```
//! use agentwire::sse::{Decoder, TrailingEvent, StreamItem};
//!
//! let mut seen = Vec::new();
//! let mut decoder = Decoder::new(agentwire::Limits::default());
//! for chunk in [&b"data: one\n\nda"[..], b"ta: two\r", b"\n\r\n: ping\n"] {
//!     decoder.push(chunk, &mut |item: StreamItem<'_>| {
//!         if let StreamItem::Event(event) = item {
//!             seen.push(event.data.to_string());
//!         }
//!     });
//! }
//! decoder.finish(TrailingEvent::Strict, &mut |_: StreamItem<'_>| ());
//! assert_eq!(seen, ["one", "two"]);
//! ```

mod decode;
mod encode;
mod event;
mod fast_path;
#[cfg(feature = "binary")]
mod frames;
mod loose;
mod ndjson;

#[cfg(feature = "binary")]
pub(crate) use decode::text as characters;
pub use decode::{Decoder, FramingLimits, LimitExceeded};
pub use encode::{comment, event};
#[cfg(feature = "binary")]
pub use event::Frame;
pub use event::{Comment, Framing, Loose, SseEvent, StreamItem, TrailingEvent};
