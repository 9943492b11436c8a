//! Which protocol a stream speaks, told by its first event.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::StreamDecoder;
use crate::core::observed::Observed;
use crate::core::options::ReadOptions;
use crate::engine::Fold;
use crate::protocols::{Built, ProtocolKind, detect};
use crate::sse::{Decoder, Framing, FramingLimits, Item, TrailingEvent};

/// Finds the first event that tells the protocol, in a stream whose bytes arrive cut anywhere, and keeps the bytes until
/// then.
#[derive(Debug)]
pub struct Detector {
    decoder: Decoder,
    found: Option<ProtocolKind>,
    /// There was an event that may be of any protocol.
    has_events: bool,
    held: Vec<u8>,
}

/// What the events of a stream have shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// This protocol, which need not be one that is read.
    One(ProtocolKind),
    /// Events, and none of them is of a protocol that is known.
    Unknown,
    /// No event.
    Nothing,
}

impl Found {
    /// The protocol that the stream is read as.
    pub fn read_as(self) -> Built {
        match self {
            Found::One(protocol) => protocol.read_as(),
            Found::Unknown | Found::Nothing => FALLBACK.read_as(),
        }
    }

    /// The stream at its start. One of a protocol that this build does not read is refused.
    pub fn decoder<F: Fold>(self, fold: F, options: &ReadOptions) -> StreamDecoder<F> {
        let mut stream = StreamDecoder::new(fold, options);
        match self {
            Found::One(protocol) if !protocol.is_readable() => {
                stream.report_unknown(protocol.observed());
                stream.refuse();
            }
            Found::Unknown => stream.report_unknown(Observed::Words("no event of a protocol that is known")),
            Found::One(_) | Found::Nothing => {}
        }
        stream
    }
}

/// The protocol that a stream is read as when no event shows its protocol. [`UNKNOWN_PROTOCOL`] is reported then.
///
/// [`UNKNOWN_PROTOCOL`]: crate::report::UNKNOWN_PROTOCOL
pub const FALLBACK: ProtocolKind = ProtocolKind::FALLBACK;

/// A stream that has not told its protocol in so many bytes is read as the fallback.
const PATIENCE: usize = 1 << 20;

impl Detector {
    /// A detector at the start of a stream of server-sent events.
    pub fn new(limits: impl Into<FramingLimits>) -> Self {
        Self::framed(limits, Framing::Sse)
    }

    /// A detector at the start of a stream that is cut into events in this way.
    pub fn framed(limits: impl Into<FramingLimits>, framing: Framing) -> Self {
        let found = match framing {
            // Its events are bytes, which one protocol has.
            #[cfg(feature = "binary")]
            Framing::LengthPrefixed => ProtocolKind::of_binary(),
            _ => None,
        };
        Detector { decoder: Decoder::framed(limits, framing), found, has_events: false, held: Vec::new() }
    }

    /// Takes the next bytes; returns the protocol once an event has told it. After a megabyte of anything else it is
    /// [`FALLBACK`].
    pub fn push(&mut self, chunk: &[u8]) -> Option<ProtocolKind> {
        self.held.extend_from_slice(chunk);
        let Detector { decoder, found, has_events, .. } = self;
        decoder.push(chunk, &mut looking(found, has_events));
        if self.is_out_of_patience() { Some(self.found.unwrap_or(FALLBACK)) } else { self.found }
    }

    fn is_out_of_patience(&self) -> bool {
        self.held.len() >= PATIENCE
    }

    /// What is known when nothing more is looked at.
    fn conclusion(&self) -> Found {
        match self.found {
            Some(protocol) => Found::One(protocol),
            None if self.has_events => Found::Unknown,
            None => Found::Nothing,
        }
    }

    /// The stream is over: an event without its blank line counts, too.
    pub fn finish(&mut self) -> Option<ProtocolKind> {
        let Detector { decoder, found, has_events, .. } = self;
        decoder.finish(TrailingEvent::Lenient, &mut looking(found, has_events));
        self.found
    }

    /// Hands over the bytes so far: a reader of the protocol is to be given them first.
    pub fn take_held(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.held)
    }
}

/// A value that is made as soon as the first event of a stream has told its protocol.
#[derive(Debug)]
pub(crate) enum Detecting<W, T> {
    /// No event has told it yet; what it is to be made of.
    Waiting(Box<(Detector, Option<W>)>),
    /// The value.
    Decided(T),
}

impl<W, T> Detecting<W, T> {
    /// Waits for an event that tells; `with` is what the thing is to be made of.
    pub fn waiting(options: &ReadOptions, with: W) -> Self {
        Detecting::Waiting(Box::new((Detector::framed(&options.limits, options.framing), Some(with))))
    }

    /// The value.
    pub fn decided(&self) -> Option<&T> {
        match self {
            Detecting::Decided(made) => Some(made),
            Detecting::Waiting(_) => None,
        }
    }

    /// The value, mutable.
    pub fn decided_mut(&mut self) -> Option<&mut T> {
        match self {
            Detecting::Decided(made) => Some(made),
            Detecting::Waiting(_) => None,
        }
    }

    /// Takes the next bytes. If they tell the protocol, the thing is made, and is then to be given the bytes that are
    /// returned: all that came before.
    pub fn push(&mut self, chunk: &[u8], make: impl FnOnce(Found, W) -> T) -> Option<Vec<u8>> {
        let Detecting::Waiting(waiting) = self else { return None };
        waiting.0.push(chunk)?;
        let found = waiting.0.conclusion();
        self.decide(found, make)
    }

    /// The stream is over: what no event has shown is read as [`FALLBACK`].
    pub fn finish(&mut self, make: impl FnOnce(Found, W) -> T) -> Option<Vec<u8>> {
        let Detecting::Waiting(waiting) = self else { return None };
        waiting.0.finish();
        let found = waiting.0.conclusion();
        self.decide(found, make)
    }

    /// What the events show is this.
    #[inline(never)]
    pub fn decide(&mut self, found: Found, make: impl FnOnce(Found, W) -> T) -> Option<Vec<u8>> {
        let Detecting::Waiting(waiting) = self else { return None };
        let held = waiting.0.take_held();
        *self = Detecting::Decided(make(found, waiting.1.take()?));
        Some(held)
    }
}

/// Looks for an event that tells the protocol.
fn looking(found: &mut Option<ProtocolKind>, has_events: &mut bool) -> impl FnMut(Item<'_>) {
    |item| match item {
        Item::Event(event) if found.is_none() => {
            *has_events = true;
            *found = detect(event.data);
        }
        // Data that is no event is given to the fallback's reader, which reports it.
        Item::JsonLine(line) if found.is_none() => *found = detect(line.text),
        _ => {}
    }
}
