//! Which protocol a stream speaks, told by its first event.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::core::options::ReadOptions;
pub use crate::protocols::{ProtocolKind, detect};
use crate::sse::{Decoder, Ending, Framing, FramingLimits, Item};

/// Finds the first event that tells the protocol, in a stream whose bytes arrive cut anywhere, and keeps the bytes until
/// then.
#[derive(Debug)]
pub struct Detector {
    decoder: Decoder,
    found: Option<ProtocolKind>,
    held: Vec<u8>,
}

/// What a stream is read as when no event tells its protocol.
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
        Detector { decoder: Decoder::framed(limits, framing), found, held: Vec::new() }
    }

    /// Takes the next bytes; returns the protocol once an event has told it. After a megabyte of anything else it is
    /// [`FALLBACK`].
    pub fn push(&mut self, chunk: &[u8]) -> Option<ProtocolKind> {
        self.held.extend_from_slice(chunk);
        let found = &mut self.found;
        self.decoder.push(chunk, &mut looking(found));
        if self.held.len() >= PATIENCE {
            self.found.get_or_insert(FALLBACK);
        }
        self.found
    }

    /// The stream is over: an event without its blank line counts, too.
    pub fn finish(&mut self) -> Option<ProtocolKind> {
        let found = &mut self.found;
        self.decoder.finish(Ending::Lenient, &mut looking(found));
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
    pub fn push(&mut self, chunk: &[u8], make: impl FnOnce(ProtocolKind, W) -> T) -> Option<Vec<u8>> {
        let Detecting::Waiting(waiting) = self else { return None };
        let found = waiting.0.push(chunk)?;
        self.decide(found, make)
    }

    /// The stream is over: what is not told is [`FALLBACK`].
    pub fn finish(&mut self, make: impl FnOnce(ProtocolKind, W) -> T) -> Option<Vec<u8>> {
        let Detecting::Waiting(waiting) = self else { return None };
        let found = waiting.0.finish().unwrap_or(FALLBACK);
        self.decide(found, make)
    }

    /// The protocol is this one.
    #[inline(never)]
    pub fn decide(
        &mut self,
        protocol: ProtocolKind,
        make: impl FnOnce(ProtocolKind, W) -> T,
    ) -> Option<Vec<u8>> {
        let Detecting::Waiting(waiting) = self else { return None };
        let held = waiting.0.take_held();
        *self = Detecting::Decided(make(protocol, waiting.1.take()?));
        Some(held)
    }
}

/// Looks for an event that tells the protocol.
fn looking(found: &mut Option<ProtocolKind>) -> impl FnMut(Item<'_>) {
    |item| match item {
        Item::Event(event) if found.is_none() => *found = detect(event.data),
        // Data that is no event is given to the fallback's reader, which reports it.
        Item::JsonLine(line) if found.is_none() => *found = detect(line.text),
        _ => {}
    }
}
