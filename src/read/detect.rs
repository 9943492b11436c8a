//! Detection of the protocol of a stream from its first event.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::StreamDecoder;
use crate::core::options::ReadOptions;
use crate::core::violation::Observed;
use crate::engine::EventReceiver;
use crate::protocols::{Built, ProtocolKind, detect};
use crate::sse::{Decoder, Framing, FramingLimits, StreamItem, TrailingEvent};

/// Finds the first event that shows the protocol, in a stream whose bytes arrive in chunks of any
/// size, and keeps the bytes until then.
#[derive(Debug)]
pub struct Detector {
    decoder: Decoder,
    found: Option<ProtocolKind>,
    /// An event has been read whose protocol is not known.
    has_events: bool,
    buffer: Vec<u8>,
}

/// The result of detection.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DetectedProtocol {
    /// This protocol, which this build may not read.
    One(ProtocolKind),
    /// Events, but not one of a known protocol.
    Unknown,
    /// No event.
    Nothing,
}

impl DetectedProtocol {
    /// Returns the protocol that the stream is read as.
    pub fn read_as(self) -> Built {
        match self {
            DetectedProtocol::One(protocol) => protocol.read_as(),
            DetectedProtocol::Unknown | DetectedProtocol::Nothing => FALLBACK.read_as(),
        }
    }

    /// Creates the stream at its start. Refuses a protocol that this build does not read.
    pub fn decoder<F: EventReceiver>(self, fold: F, options: &ReadOptions) -> StreamDecoder<F> {
        let mut stream = StreamDecoder::new(fold, options);
        match self {
            DetectedProtocol::One(protocol) if !protocol.is_readable() => {
                stream.report_unknown(protocol.observed());
                stream.refuse();
            }
            DetectedProtocol::Unknown => {
                stream.report_unknown(Observed::Words("no event of a protocol that is known"))
            }
            DetectedProtocol::One(_) | DetectedProtocol::Nothing => {}
        }
        stream
    }
}

/// The protocol that a stream is read as when no event shows its protocol. [`UNKNOWN_PROTOCOL`] is
/// reported then.
///
/// [`UNKNOWN_PROTOCOL`]: crate::report::UNKNOWN_PROTOCOL
pub const FALLBACK: ProtocolKind = ProtocolKind::FALLBACK;

/// The number of bytes after which a stream of an unknown protocol is read as the fallback.
const PATIENCE: usize = 1 << 20;

impl Detector {
    /// Creates a detector at the start of a stream of server-sent events.
    pub fn new(limits: impl Into<FramingLimits>) -> Self {
        Self::framed(limits, Framing::Sse)
    }

    /// Creates a detector at the start of a stream with this framing.
    pub fn framed(limits: impl Into<FramingLimits>, framing: Framing) -> Self {
        let found = match framing {
            // Only one protocol has binary events.
            #[cfg(feature = "binary")]
            Framing::LengthPrefixed => ProtocolKind::of_binary(),
            _ => None,
        };
        Detector {
            decoder: Decoder::framed(limits, framing),
            found,
            has_events: false,
            buffer: Vec::new(),
        }
    }

    /// Reads the next bytes; returns the protocol once an event has shown it, or [`FALLBACK`] after
    /// a megabyte without such an event.
    pub fn push(&mut self, chunk: &[u8]) -> Option<ProtocolKind> {
        self.buffer.extend_from_slice(chunk);
        let Detector { decoder, found, has_events, .. } = self;
        decoder.push(chunk, &mut item_handler(found, has_events));
        if self.is_out_of_patience() { Some(self.found.unwrap_or(FALLBACK)) } else { self.found }
    }

    fn is_out_of_patience(&self) -> bool {
        self.buffer.len() >= PATIENCE
    }

    /// Returns the result of detection from the events so far.
    fn conclusion(&self) -> DetectedProtocol {
        match self.found {
            Some(protocol) => DetectedProtocol::One(protocol),
            None if self.has_events => DetectedProtocol::Unknown,
            None => DetectedProtocol::Nothing,
        }
    }

    /// Ends the stream. A last event without its blank line counts, too.
    pub fn finish(&mut self) -> Option<ProtocolKind> {
        let Detector { decoder, found, has_events, .. } = self;
        decoder.finish(TrailingEvent::Lenient, &mut item_handler(found, has_events));
        self.found
    }

    /// Returns the bytes so far, which a reader of the protocol has to receive first.
    pub fn take_held(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.buffer)
    }
}

/// A value that is created as soon as the first event of a stream has shown its protocol.
#[derive(Debug)]
pub(crate) enum Detection<W, T> {
    /// The protocol is not known yet; the argument for creating the value.
    Waiting(Box<(Detector, Option<W>)>),
    /// The value.
    Decided(T),
}

impl<W, T> Detection<W, T> {
    /// Waits for an event that shows the protocol; `with` is the argument for creating the value.
    pub fn waiting(options: &ReadOptions, with: W) -> Self {
        Detection::Waiting(Box::new((
            Detector::framed(&options.limits, options.framing),
            Some(with),
        )))
    }

    /// Returns the value.
    pub fn decided(&self) -> Option<&T> {
        match self {
            Detection::Decided(made) => Some(made),
            Detection::Waiting(_) => None,
        }
    }

    /// Returns the value, mutable.
    pub fn decided_mut(&mut self) -> Option<&mut T> {
        match self {
            Detection::Decided(made) => Some(made),
            Detection::Waiting(_) => None,
        }
    }

    /// Reads the next bytes. If they show the protocol, creates the value and returns all bytes so
    /// far, which the caller passes to it.
    pub fn push(
        &mut self,
        chunk: &[u8],
        make: impl FnOnce(DetectedProtocol, W) -> T,
    ) -> Option<Vec<u8>> {
        let Detection::Waiting(waiting) = self else { return None };
        waiting.0.push(chunk)?;
        let found = waiting.0.conclusion();
        self.decide(found, make)
    }

    /// Ends the stream. Without an event that shows the protocol, the value is created for
    /// [`FALLBACK`].
    pub fn finish(&mut self, make: impl FnOnce(DetectedProtocol, W) -> T) -> Option<Vec<u8>> {
        let Detection::Waiting(waiting) = self else { return None };
        waiting.0.finish();
        let found = waiting.0.conclusion();
        self.decide(found, make)
    }

    /// Creates the value from the result of detection.
    #[inline(never)]
    pub fn decide(
        &mut self,
        found: DetectedProtocol,
        make: impl FnOnce(DetectedProtocol, W) -> T,
    ) -> Option<Vec<u8>> {
        let Detection::Waiting(waiting) = self else { return None };
        let buffer = waiting.0.take_held();
        *self = Detection::Decided(make(found, waiting.1.take()?));
        Some(buffer)
    }
}

/// Returns the handler of items that detects the protocol.
fn item_handler(
    found: &mut Option<ProtocolKind>,
    has_events: &mut bool,
) -> impl FnMut(StreamItem<'_>) {
    |item| match item {
        StreamItem::Event(event) if found.is_none() => {
            *has_events = true;
            *found = detect(event.data);
        }
        StreamItem::Loose(json) if json.is_json && found.is_none() => {
            *has_events = true;
            *found = detect(json.text);
        }
        _ => {}
    }
}
