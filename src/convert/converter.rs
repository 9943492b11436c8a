//! The conversion of a stream.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use super::pipe::{Pipe, StepPipe};
use super::target::{ConversionSide, Source, Target};
use crate::core::error::UsageError;
use crate::core::report::Report;
use crate::engine::Discard;
use crate::hub::{FoldSource, Losses};
use crate::protocols::agent_api::builder::BuilderOptions;
use crate::protocols::{Built, ProtocolKind, registry};
use crate::read::StreamDecoder;
use crate::read::any::AnyOptions;
use crate::read::detect::{DetectedProtocol, Detection};

/// The options of a conversion: reading and writing.
#[derive(Debug)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// The options for reading the source, for every protocol. The report is [`Converter::report`].
    pub read: AnyOptions,
    /// The options for writing the target: ids, clock, and the response and session id if they
    /// differ from the source's. A2A is written in the version and the binding that `read` has for
    /// A2A, with its request id.
    pub write: BuilderOptions,
}

/// Creates options with random ids and the clock of the system.
#[cfg(all(feature = "uuid", not(all(target_family = "wasm", target_os = "unknown"))))]
impl Default for ConvertOptions {
    fn default() -> Self {
        Self::new(BuilderOptions::default())
    }
}

impl ConvertOptions {
    /// Creates options with these options for writing the target.
    pub fn new(write: BuilderOptions) -> Self {
        ConvertOptions { read: AnyOptions::default(), write }
    }
}

/// Converts a stream that arrives in chunks of any size.
///
/// Bytes go in, in chunks of any size, and server-sent events come out as early as possible.
/// Nothing fails: a source that breaks rules is read as a [`Reader`](crate::Reader) reads it, and
/// the target is legal in any case and always ends with its protocol's terminal event. Comments
/// stay comments, and heartbeats become comments. A conversion from a protocol to itself repairs
/// the stream.
///
/// The answer is kept during the conversion, as in a reader, within the same
/// [`Limits`](crate::Limits).
pub struct Converter {
    state: Detection<ConvertOptions, ConverterState>,
    target: ConversionSide,
}

/// A conversion whose source is known.
#[allow(clippy::large_enum_variant, reason = "there is one per stream")]
enum ConverterState {
    Steps(StepPipe),
    Stream(ProtocolKind, Box<StreamDecoder<Pipe>>),
}

macro_rules! state {
    (
        read { $($Kind:ident $name:literal $folder:ident [$($on:tt)*] $doc:literal;)* }
        written { $($Written:ident $written:literal $written_folder:ident [$($written_on:tt)*] $written_doc:literal;)* }
    ) => {
        impl ConverterState {
            /// Creates a conversion of that source at its start.
            fn new(from: From, options: ConvertOptions, to: ConversionSide) -> Self {
                let ConvertOptions { read, write } = options;
                let target = Target::answering(to, write, &read);
                let options = read.options.clone();
                let found = match from {
                    From::Stream(found) => found,
                    From::Steps => return ConverterState::Steps(StepPipe::new(target, &options.limits)),
                };
                let (protocol, source) = fold_source(found, read);
                ConverterState::Stream(protocol, Box::new(found.decoder(Pipe::new(source, target), &options)))
            }
        }

        /// Creates the source of a stream at its start.
        pub(crate) fn fold_source(found: DetectedProtocol, read: AnyOptions) -> (ProtocolKind, FoldSource) {
            match found.read_as() {
                $(
                    #[cfg($($on)*)]
                    Built::$Kind => (ProtocolKind::$Kind, FoldSource::new(read.$folder, &read.options)),
                )*
            }
        }

        /// The remedies in the errors about a source and a target that are not converted.
        const READABLE: &str = concat!("use one of" $(, " `", $name, "`")*);
        const WRITABLE: &str = concat!("use one of" $(, " `", $written, "`")*);
    };
}
registry!(state);

impl Converter {
    /// Creates a conversion from a source to a protocol or to the lines of the hub.
    ///
    /// # Errors
    ///
    /// `protocol-not-converted` for a protocol that this build does not read or write; the errors
    /// of
    /// [`Protocol::check`](crate::protocol::Protocol::check).
    pub fn new(
        from: impl Into<Source>,
        to: impl Into<ConversionSide>,
        options: ConvertOptions,
    ) -> Result<Self, UsageError> {
        Self::between(from.into(), to.into(), options)
    }

    fn between(
        from: Source,
        to: ConversionSide,
        options: ConvertOptions,
    ) -> Result<Self, UsageError> {
        let not_converted = |kind: ProtocolKind, role, remedy| {
            let given =
                ["Converter::new() was given the protocol `", kind.as_str(), "` as the ", role];
            UsageError::new("protocol-not-converted", given.concat(), remedy)
        };
        match (from, to) {
            (Source::Protocol(kind), _) if !kind.is_readable() => {
                return Err(not_converted(kind, "source", READABLE));
            }
            (_, ConversionSide::Protocol(kind)) if !kind.is_writable() => {
                return Err(not_converted(kind, "target", WRITABLE));
            }
            _ => {}
        }
        options.read.check()?;
        let state = match from {
            Source::Protocol(from) => Detection::Decided(ConverterState::new(
                From::Stream(DetectedProtocol::One(from)),
                options,
                to,
            )),
            Source::Steps => Detection::Decided(ConverterState::new(From::Steps, options, to)),
            Source::Auto => Detection::waiting(&options.read.options.clone(), options),
        };
        Ok(Converter { state, target: to })
    }

    /// Reads the next bytes, and appends their conversion to `out`. Appends nothing after the end.
    pub fn push(&mut self, chunk: &[u8], out: &mut String) {
        /// The output is about as long as the input.
        const MOST: usize = 1 << 14;
        out.reserve(chunk.len().min(MOST));
        if let Some(state) = self.state.decided_mut() {
            return state.push(chunk, out);
        }
        let to = self.target;
        let make = |found, options| ConverterState::new(From::Stream(found), options, to);
        if let Some(buffered) = self.state.push(chunk, make) {
            self.push(&buffered, out);
        }
    }

    /// Ends the conversion because the source has ended, and appends the end to `out`. Later calls
    /// append nothing.
    pub fn finish(&mut self, out: &mut String) {
        self.end(false, out);
    }

    /// Ends the conversion before the source has ended, and appends the end to `out`. Later calls
    /// append nothing.
    pub fn abort(&mut self, out: &mut String) {
        self.end(true, out);
    }

    fn end(&mut self, aborted: bool, out: &mut String) {
        self.settle(aborted, out);
        if let Some(state) = self.state.decided_mut() {
            state.end(aborted, out);
        }
    }

    /// Ends the conversion because the source was cut off, for example with its connection. Differs
    /// from
    /// [`finish`](Self::finish) in that a run without its end is incomplete, also in protocols where the end of the
    /// stream is the only end.
    pub fn cut_off(&mut self, out: &mut String) {
        self.settle(false, out);
        if let Some(ConverterState::Stream(_, stream)) = self.state.decided_mut() {
            stream.fold_mut().cut_off();
        }
        self.end(false, out);
    }

    /// Settles the protocol of the source at the end of the stream. Detection is skipped for an
    /// aborted stream.
    fn settle(&mut self, aborted: bool, out: &mut String) {
        let to = self.target;
        let make = |found, options| ConverterState::new(From::Stream(found), options, to);
        let buffered = match aborted {
            true => self.state.decide(DetectedProtocol::Nothing, make),
            false => self.state.finish(make),
        };
        if let Some(buffered) = buffered {
            self.push(&buffered, out);
        }
    }

    /// Passes the steps of another answer on to the target, between those of the source. Reports
    /// whether they were one piece of a text, whose further pieces
    /// [`relay_pieces`](Self::relay_pieces) writes.
    #[cfg(feature = "wasm")]
    pub(crate) fn relay(
        &mut self,
        bytes: u64,
        out: &mut String,
        work: &mut dyn FnMut(&mut crate::hub::Hub<'_>),
    ) -> bool {
        match self.state.decided_mut() {
            Some(ConverterState::Stream(_, stream)) => stream.fold_mut().relay(bytes, out, work),
            _ => false,
        }
    }

    /// Calls `work` with the function that writes further pieces of a text.
    #[cfg(feature = "wasm")]
    pub(crate) fn relay_pieces(
        &mut self,
        out: &mut String,
        work: &mut dyn FnMut(&mut crate::hub::source::Write<'_>),
    ) -> bool {
        let Some(ConverterState::Stream(_, stream)) = self.state.decided_mut() else {
            return false;
        };
        stream.fold_mut().relay_pieces(out, work);
        true
    }

    /// Reports whether the source has ended: later bytes are not converted.
    pub fn has_ended(&self) -> bool {
        self.state.decided().is_some_and(|state| match state {
            ConverterState::Steps(lines) => lines.has_ended(),
            ConverterState::Stream(_, stream) => stream.has_ended(),
        })
    }

    /// Returns the source; `None` while no event has shown it.
    pub fn source(&self) -> Option<ConversionSide> {
        self.state.decided().map(|state| match state {
            ConverterState::Steps(_) => ConversionSide::Steps,
            ConverterState::Stream(protocol, _) => ConversionSide::Protocol(*protocol),
        })
    }

    /// Returns the target.
    pub fn target(&self) -> ConversionSide {
        self.target
    }

    /// Returns the losses so far; `None` while the source is not known.
    pub fn losses(&self) -> Option<&Losses> {
        self.state.decided().map(|state| match state {
            ConverterState::Steps(lines) => lines.losses(),
            ConverterState::Stream(_, stream) => stream.fold().losses(),
        })
    }

    /// Returns the report on the source so far; `None` while the source is not known.
    pub fn report(&self) -> Option<&Report> {
        self.state.decided().map(|state| match state {
            ConverterState::Steps(lines) => lines.report(),
            ConverterState::Stream(_, stream) => stream.report(),
        })
    }
}

/// The source of a conversion, once it is known.
enum From {
    Stream(DetectedProtocol),
    Steps,
}

impl ConverterState {
    fn push(&mut self, chunk: &[u8], out: &mut String) {
        match self {
            ConverterState::Steps(lines) => lines.push(chunk, out),
            ConverterState::Stream(_, stream) => {
                stream.fold_mut().swap(out);
                stream.push(chunk, &mut Discard);
                stream.fold_mut().heartbeats();
                stream.fold_mut().swap(out);
            }
        }
    }

    fn end(&mut self, aborted: bool, out: &mut String) {
        match self {
            ConverterState::Steps(lines) => lines.finish(aborted, out),
            ConverterState::Stream(_, stream) => {
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
