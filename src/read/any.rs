//! A stream whose protocol is known at run time only.

use alloc::boxed::Box;

use crate::core::error::UsageError;
#[cfg(feature = "wasm-reader")]
use crate::core::options::OptionValue;
use crate::core::report::Report;
use crate::engine::{Engine, Protocol, Sink};
use crate::protocols::{self, Built, ProtocolKind, registry};
use crate::read::detect::{DetectedProtocol, Detection};
use crate::read::{ReadOptions, StreamDecoder};

macro_rules! any {
    (
        read { $($Kind:ident $name:literal $folder:ident [$($on:tt)*] $doc:literal;)* }
        written $written:tt
    ) => {
        /// The options of the readers of each protocol.
        #[derive(Clone, Debug, Default)]
        #[non_exhaustive]
        pub struct AnyOptions {
            $(
                #[doc = concat!("For `", $name, "`.")]
                #[cfg($($on)*)]
                pub $folder: protocols::$folder::$Kind,
            )*
            /// The options that all protocols share.
            pub options: ReadOptions,
        }

        impl AnyOptions {
            /// Checks the options of every protocol, as [`Protocol::check`] does.
            pub fn check(&self) -> Result<(), UsageError> {
                $(
                    #[cfg($($on)*)]
                    self.$folder.check(&self.options)?;
                )*
                Ok(())
            }

            /// Sets an option of a protocol. Does nothing for a protocol that this build does not
            /// have.
            #[cfg(feature = "wasm-reader")]
            pub(crate) fn set(&mut self, protocol: ProtocolKind, place: usize, value: OptionValue) {
                match protocol {
                    $(
                        #[cfg($($on)*)]
                        ProtocolKind::$Kind => self.$folder.set_option(place, value),
                    )*
                    #[allow(unreachable_patterns, reason = "a build may have all protocols")]
                    _ => {}
                }
            }
        }

        impl DetectedProtocol {
            /// Creates the stream of the protocol at its start.
            fn stream(self, choices: AnyOptions, sink: &mut dyn Sink) -> KnownStream {
                let options = choices.options;
                let (protocol, engine) = match self.read_as() {
                    $(
                        #[cfg($($on)*)]
                        Built::$Kind => (ProtocolKind::$Kind, choices.$folder.engine(&options, sink)),
                    )*
                };
                KnownStream { protocol, stream: Box::new(self.decoder(engine, &options)) }
            }
        }

        impl AnyOptions {
            /// Creates the engine of a protocol at the start of a stream.
            pub(crate) fn engine(
                self,
                protocol: ProtocolKind,
                options: &ReadOptions,
                sink: &mut dyn Sink,
            ) -> Engine {
                match protocol.read_as() {
                    $(
                        #[cfg($($on)*)]
                        Built::$Kind => self.$folder.engine(options, sink),
                    )*
                }
            }
        }
    };
}
registry!(any);

/// A stream whose protocol is known.
#[derive(Debug)]
struct KnownStream {
    protocol: ProtocolKind,
    stream: Box<StreamDecoder<Engine>>,
}

/// Reads a stream of any protocol into a sink, which receives the numbers of the tables of that
/// [`protocol`](Self::protocol).
#[derive(Debug)]
pub struct AnyStream {
    stream: Detection<AnyOptions, KnownStream>,
    /// The report while the protocol is not known: empty.
    nothing: Report,
}

impl AnyStream {
    /// Creates a stream of a protocol, or with `None` one that detects the protocol from the first
    /// event.
    pub fn new(protocol: Option<ProtocolKind>, choices: AnyOptions, sink: &mut dyn Sink) -> Self {
        let stream = match Built::ONLY.or(protocol) {
            Some(protocol) => {
                Detection::Decided(DetectedProtocol::One(protocol).stream(choices, sink))
            }
            None => Detection::waiting(&choices.options.clone(), choices),
        };
        AnyStream { stream, nothing: Report::default() }
    }

    /// Returns the protocol; `None` while it is not known.
    pub fn protocol(&self) -> Option<ProtocolKind> {
        self.stream.decided().map(|known| known.protocol)
    }

    /// Reads the next bytes. Never fails. Does nothing after the end.
    pub fn push(&mut self, chunk: &[u8], sink: &mut dyn Sink) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let taken = self.push_some(rest, sink);
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    /// Reads the next bytes until the sink is full, as [`StreamDecoder::push_some`] does; returns
    /// the number of bytes read.
    pub fn push_some(&mut self, chunk: &[u8], sink: &mut dyn Sink) -> usize {
        if let Some(known) = self.stream.decided_mut() {
            return known.stream.push_some(chunk, sink);
        }
        if Built::ONLY.is_some() {
            return chunk.len();
        }
        let buffered = self.stream.push(chunk, make(sink));
        if let Some(buffered) = buffered {
            self.push(&buffered, sink);
        }
        chunk.len()
    }

    /// Ends the stream because its source has ended. Only the first call of this or of
    /// [`abort`](Self::abort) has an effect.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        self.end(false, sink);
    }

    /// Ends the stream before its source has ended.
    pub fn abort(&mut self, sink: &mut dyn Sink) {
        self.end(true, sink);
    }

    pub(crate) fn end(&mut self, aborted: bool, sink: &mut dyn Sink) {
        if Built::ONLY.is_none()
            && let Some(buffered) = self.stream.finish(make(sink))
        {
            self.push(&buffered, sink);
        }
        if let Some(known) = self.stream.decided_mut() {
            known.stream.end(aborted, sink);
        }
    }

    /// Reports whether the terminal event has been read: later bytes cannot change the answer.
    pub fn has_ended(&self) -> bool {
        self.stream.decided().is_some_and(|known| known.stream.has_ended())
    }

    /// Returns the report so far.
    pub fn report(&self) -> &Report {
        self.stream.decided().map_or(&self.nothing, |known| known.stream.report())
    }

    /// Returns the value of `Last-Event-ID` for a reconnection now.
    pub fn last_event_id(&self) -> &str {
        self.stream.decided().map_or("", |known| known.stream.last_event_id())
    }
}

/// Returns the function that creates the stream once its protocol is known.
fn make(sink: &mut dyn Sink) -> impl FnOnce(DetectedProtocol, AnyOptions) -> KnownStream {
    |found, choices| found.stream(choices, sink)
}
