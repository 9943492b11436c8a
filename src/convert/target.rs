//! The sources and targets of conversions: any protocol, or the hub's own lines.

use alloc::string::String;

use crate::core::wire::WireEvent;
use crate::hub::conversion::WritableConversion;
use crate::hub::steps::ToSteps;
use crate::hub::{EventOutput, FromHub, Step, WriteOptions};
use crate::protocols::agent_api::builder::BuilderOptions;
use crate::protocols::{self, ProtocolKind, registry};
use crate::read::any::AnyOptions;

/// The output of a target.
pub(crate) enum TargetOutput {
    Event(WireEvent),
    Line(String),
    Heartbeat,
}

macro_rules! target {
    (
        read $read:tt
        written { $($Kind:ident $name:literal $folder:ident [$($on:tt)*] $doc:literal;)* }
    ) => {
        /// The targets of this crate.
        #[derive(Debug)]
        #[allow(clippy::large_enum_variant, reason = "there is one per stream")]
        pub(crate) enum Target {
            $(
                #[cfg($($on)*)]
                $Kind(<protocols::$folder::$Kind as WritableConversion>::Target),
            )*
            Steps(ToSteps),
        }

        impl Target {
            /// Creates the target of an endpoint: steps for a protocol that is not written, which
            /// callers refuse. Not inlined: it is large, and moving it member by member takes a lot
            /// of code.
            #[cfg_attr(target_family = "wasm", inline(never))]
            pub fn new(side: ConversionSide, write: BuilderOptions) -> Self {
                match side {
                    $(
                        #[cfg($($on)*)]
                        ConversionSide::Protocol(ProtocolKind::$Kind) => {
                            Target::$Kind(<protocols::$folder::$Kind as WritableConversion>::target(write.into()))
                        }
                    )*
                    _ => Target::Steps(ToSteps),
                }
            }
        }

        impl Target {
            /// Creates the target of an endpoint for the answer to a request, whose options are in
            /// `choices`.
            pub fn answering(side: ConversionSide, mut write: BuilderOptions, choices: &AnyOptions) -> Self {
                match side {
                    $(
                        #[cfg($($on)*)]
                        ConversionSide::Protocol(ProtocolKind::$Kind) => {
                            <protocols::$folder::$Kind as WritableConversion>::echo_choices(&choices.$folder, &mut write.echo);
                        }
                    )*
                    _ => {}
                }
                Self::new(side, write)
            }

            /// Returns what shows that the stream is alive.
            fn heartbeat(&self) -> TargetOutput {
                let event = match self {
                    Target::Steps(_) => None,
                    $(
                        #[cfg($($on)*)]
                        Target::$Kind(target) => <protocols::$folder::$Kind as WritableConversion>::heartbeat(target),
                    )*
                };
                event.map_or(TargetOutput::Heartbeat, TargetOutput::Event)
            }

            /// [`WritableConversion::can_write_pieces`]
            pub fn can_write_pieces(&mut self) -> bool {
                match self {
                    Target::Steps(_) => false,
                    $(
                        #[cfg($($on)*)]
                        Target::$Kind(target) => <protocols::$folder::$Kind as WritableConversion>::can_write_pieces(target),
                    )*
                }
            }

            /// [`WritableConversion::write_pieces`]
            #[inline]
            pub fn write_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
                match self {
                    Target::Steps(_) => {}
                    $(
                        #[cfg($($on)*)]
                        Target::$Kind(target) => {
                            <protocols::$folder::$Kind as WritableConversion>::write_pieces(target, text, ends, out);
                        }
                    )*
                }
            }
        }

        impl FromHub for Target {
            type Event = TargetOutput;

            fn feed(&mut self, event: &Step<'_>, out: &mut EventOutput<'_, TargetOutput>) {
                match self {
                    Target::Steps(target) => out.map(TargetOutput::Line, |out| target.feed(event, out)),
                    _ if matches!(event, Step::Heartbeat) => out.emit(self.heartbeat()),
                    $(
                        #[cfg($($on)*)]
                        Target::$Kind(target) => out.map(TargetOutput::Event, |out| target.feed(event, out)),
                    )*
                }
            }

            fn can_reopen(&self) -> bool {
                match self {
                    Target::Steps(target) => target.can_reopen(),
                    $(
                        #[cfg($($on)*)]
                        Target::$Kind(target) => target.can_reopen(),
                    )*
                }
            }

            fn has_lists(&self) -> bool {
                match self {
                    Target::Steps(target) => target.has_lists(),
                    $(
                        #[cfg($($on)*)]
                        Target::$Kind(target) => target.has_lists(),
                    )*
                }
            }

            fn takes_listed(&self) -> bool {
                matches!(self, Target::Steps(_))
            }
        }
    };
}
registry!(target);

/// For the targets that have no options.
impl From<BuilderOptions> for () {
    fn from(_: BuilderOptions) {}
}

impl From<BuilderOptions> for WriteOptions {
    fn from(options: BuilderOptions) -> Self {
        options.shared()
    }
}

/// The source of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The protocol that the first event shows.
    Auto,
    /// A protocol of this crate.
    Protocol(ProtocolKind),
    /// The hub itself, as [lines](crate::hub::steps) of JSON.
    Steps,
}

impl From<ProtocolKind> for Source {
    fn from(protocol: ProtocolKind) -> Self {
        Source::Protocol(protocol)
    }
}

/// `None` is [`Source::Auto`].
impl From<Option<ProtocolKind>> for Source {
    fn from(protocol: Option<ProtocolKind>) -> Self {
        protocol.map_or(Source::Auto, Source::Protocol)
    }
}

impl From<ConversionSide> for Source {
    fn from(side: ConversionSide) -> Self {
        match side {
            ConversionSide::Protocol(protocol) => Source::Protocol(protocol),
            ConversionSide::Steps => Source::Steps,
        }
    }
}

impl From<ProtocolKind> for ConversionSide {
    fn from(protocol: ProtocolKind) -> Self {
        ConversionSide::Protocol(protocol)
    }
}

/// One side of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConversionSide {
    /// A protocol of this crate.
    Protocol(ProtocolKind),
    /// The hub itself, as [lines](crate::hub::steps) of JSON.
    Steps,
}
