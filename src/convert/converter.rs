//! A conversion, from its first byte to its last.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use super::endpoint::{Endpoint, Source};
use super::lines::StepPipe;
use super::pipe::Pipe;
use super::target::Target;
use crate::core::error::UsageError;
use crate::core::report::Report;
use crate::engine::Discard;
use crate::hub::{FoldSource, Losses};
use crate::protocols::agent_api::builder::BuilderOptions;
use crate::protocols::{Built, ProtocolKind, registry};
use crate::read::StreamDecoder;
use crate::read::any::AnyOptions;
use crate::read::detect::{Detecting, Found};

/// How a conversion reads and writes.
#[derive(Debug)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// How the source is read, whatever it is. Its report is [`Converter::report`].
    pub read: AnyOptions,
    /// How the target is written: ids, clock, and the response and session id if the source's should not be taken over.
    /// A2A is written in the version and the binding that `read` names for A2A, with its request id.
    pub write: BuilderOptions,
}

/// Random ids and the clock of the system.
#[cfg(all(feature = "uuid", not(all(target_family = "wasm", target_os = "unknown"))))]
impl Default for ConvertOptions {
    fn default() -> Self {
        Self::new(BuilderOptions::default())
    }
}

impl ConvertOptions {
    /// Creates options for a target that is written with the given ones.
    pub fn new(write: BuilderOptions) -> Self {
        ConvertOptions { read: AnyOptions::default(), write }
    }
}

/// Converts a stream, whatever its chunks.
///
/// Bytes go in, cut anywhere, and server-sent events come out as soon as they can be said. Nothing fails: a source that
/// breaks rules is read as a [`Reader`](crate::Reader) reads it, and the target is legal in any case and always ends with its
/// protocol's terminal event. Comments stay comments, and heartbeats become some. From a protocol to itself, a
/// conversion repairs.
///
/// The answer is kept while it is converted, as by a reader, within the same [`Limits`](crate::Limits).
pub struct Converter {
    state: Detecting<ConvertOptions, State>,
    target: Endpoint,
}

/// A conversion whose source is known.
#[allow(clippy::large_enum_variant, reason = "there is one per stream")]
enum State {
    Steps(StepPipe),
    Stream(ProtocolKind, Box<StreamDecoder<Pipe>>),
}

macro_rules! state {
    (
        read { $($Kind:ident $name:literal $folder:ident [$($on:tt)*] $doc:literal;)* }
        recognised $recognised:tt
    ) => {
        impl State {
            /// Returns a conversion of that source at its start.
            fn new(from: From, options: ConvertOptions, to: Endpoint) -> Self {
                let ConvertOptions { read, write } = options;
                let target = Target::answering(to, write, &read);
                let options = read.options;
                let found = match from {
                    From::Stream(found) => found,
                    From::Steps => return State::Steps(StepPipe::new(target, &options.limits)),
                };
                let (protocol, source) = match found.read_as() {
                    $(
                        #[cfg($($on)*)]
                        Built::$Kind => (ProtocolKind::$Kind, FoldSource::new(read.$folder, &options)),
                    )*
                };
                State::Stream(protocol, Box::new(found.decoder(Pipe::new(source, target), &options)))
            }
        }

        /// The remedy in the error about a protocol that is not converted.
        const READABLE: &str = concat!("use one of" $(, " `", $name, "`")*);
    };
}
registry!(state);

impl Converter {
    /// Creates a conversion from a source to a protocol or to the lines of the hub.
    ///
    /// # Errors
    ///
    /// `protocol-not-converted` for a protocol that this build does not read or write.
    pub fn new(
        from: impl Into<Source>,
        to: impl Into<Endpoint>,
        options: ConvertOptions,
    ) -> Result<Self, UsageError> {
        Self::between(from.into(), to.into(), options)
    }

    fn between(from: Source, to: Endpoint, options: ConvertOptions) -> Result<Self, UsageError> {
        for side in [from, to.into()] {
            if let Source::Protocol(kind) = side
                && !kind.is_readable()
            {
                return Err(UsageError::new(
                    "protocol-not-converted",
                    ["Converter::new() was given the protocol `", kind.as_str(), "`"].concat(),
                    READABLE,
                ));
            }
        }
        let state = match from {
            Source::Protocol(from) => {
                Detecting::Decided(State::new(From::Stream(Found::One(from)), options, to))
            }
            Source::Steps => Detecting::Decided(State::new(From::Steps, options, to)),
            Source::Auto => Detecting::waiting(&options.read.options.clone(), options),
        };
        Ok(Converter { state, target: to })
    }

    /// Takes the next bytes, and appends what they become to `out`. After the end that is nothing.
    pub fn push(&mut self, chunk: &[u8], out: &mut String) {
        /// What is written is about as long as what is read.
        const MOST: usize = 1 << 14;
        out.reserve(chunk.len().min(MOST));
        if let Some(state) = self.state.decided_mut() {
            return state.push(chunk, out);
        }
        let to = self.target;
        let make = |found, options| State::new(From::Stream(found), options, to);
        if let Some(held) = self.state.push(chunk, make) {
            self.push(&held, out);
        }
    }

    /// Ends the conversion because the source is over, and appends the end to `out`. Later calls append nothing.
    pub fn finish(&mut self, out: &mut String) {
        self.end(false, out);
    }

    /// Ends the conversion before the source is over, and appends the end to `out`. Later calls append nothing.
    pub fn abort(&mut self, out: &mut String) {
        self.end(true, out);
    }

    fn end(&mut self, aborted: bool, out: &mut String) {
        self.settle(aborted, out);
        if let Some(state) = self.state.decided_mut() {
            state.end(aborted, out);
        }
    }

    /// The source broke off, for example with its connection: as [`finish`](Self::finish), but a run that has not ended is
    /// incomplete, also where the source's protocol knows no other end than that of the stream.
    pub fn cut_off(&mut self, out: &mut String) {
        self.settle(false, out);
        if let Some(State::Stream(_, stream)) = self.state.decided_mut() {
            stream.fold_mut().cut_off();
        }
        self.end(false, out);
    }

    /// The stream is over, so what is read is known now. A stream that was stopped is not looked at again.
    fn settle(&mut self, aborted: bool, out: &mut String) {
        let to = self.target;
        let make = |found, options| State::new(From::Stream(found), options, to);
        let held = match aborted {
            true => self.state.decide(Found::Nothing, make),
            false => self.state.finish(make),
        };
        if let Some(held) = held {
            self.push(&held, out);
        }
    }

    /// Whether the source has ended: nothing that comes would be converted any more.
    pub fn has_ended(&self) -> bool {
        self.state.decided().is_some_and(|state| match state {
            State::Steps(lines) => lines.has_ended(),
            State::Stream(_, stream) => stream.has_ended(),
        })
    }

    /// What is read; `None` while no event has told it.
    pub fn source(&self) -> Option<Endpoint> {
        self.state.decided().map(|state| match state {
            State::Steps(_) => Endpoint::Steps,
            State::Stream(protocol, _) => Endpoint::Protocol(*protocol),
        })
    }

    /// What is written.
    pub fn target(&self) -> Endpoint {
        self.target
    }

    /// What could not be carried so far; `None` while it is not known what is read.
    pub fn losses(&self) -> Option<&Losses> {
        self.state.decided().map(|state| match state {
            State::Steps(lines) => lines.losses(),
            State::Stream(_, stream) => stream.fold().losses(),
        })
    }

    /// What has been found out about the source so far; `None` while it is not known what it is.
    pub fn report(&self) -> Option<&Report> {
        self.state.decided().map(|state| match state {
            State::Steps(lines) => lines.report(),
            State::Stream(_, stream) => stream.report(),
        })
    }
}

/// What is converted.
enum From {
    Stream(Found),
    Steps,
}

impl State {
    fn push(&mut self, chunk: &[u8], out: &mut String) {
        match self {
            State::Steps(lines) => lines.push(chunk, out),
            State::Stream(_, stream) => {
                stream.fold_mut().swap(out);
                stream.push(chunk, &mut Discard);
                stream.fold_mut().heartbeats();
                stream.fold_mut().swap(out);
            }
        }
    }

    fn end(&mut self, aborted: bool, out: &mut String) {
        match self {
            State::Steps(lines) => lines.finish(aborted, out),
            State::Stream(_, stream) => {
                stream.fold_mut().swap(out);
                stream.end(aborted, &mut Discard);
                stream.fold_mut().swap(out);
            }
        }
    }
}

impl fmt::Debug for Converter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Converter")
            .field("source", &self.source())
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}
