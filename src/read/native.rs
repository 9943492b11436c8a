//! The native answer of a stream whose protocol is known at run time only.

use alloc::boxed::Box;
use alloc::string::String;

use super::any::AnyOptions;
use super::detect::{DetectedProtocol, Detection};
use super::reader::Reader;
use crate::core::changes::Changes;
use crate::core::declare::model::member::DeclaredAnswer;
use crate::core::report::Report;
use crate::engine::Protocol;
#[cfg(feature = "serde")]
use crate::json::Value;
use crate::protocols::{self, Built, ProtocolKind, registry};

/// Reads a stream of any protocol and keeps the growing answer.
///
/// ```
/// use agentwire::{AnyReader, AnySnapshot};
///
/// let mut reader = AnyReader::new(); // detects the protocol from the first event
/// reader.push(b"data: {\"type\":\"text\",\"content\":\"Hi\"}\n\ndata: [DONE]\n\n");
/// let outcome = reader.finish();
/// let AnySnapshot::AgKit(turn) = &outcome.snapshot else { panic!("a turn") };
/// assert_eq!(turn.text(), "Hi");
/// ```
#[derive(Debug)]
pub struct AnyReader(Detection<AnyOptions, Native>);

/// The result of reading a stream of any protocol.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AnyOutcome {
    /// The answer.
    pub snapshot: AnySnapshot,
    /// The violations, unknown names and unfinished parts, and how the stream ended.
    pub report: Report,
}

macro_rules! native {
    (
        read { $($Kind:ident $name:literal $folder:ident [$($on:tt)*] $doc:literal;)* }
        written $written:tt
    ) => {
        /// The answer of a stream of any protocol.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum AnySnapshot {
            $(
                #[doc = concat!("Of `", $name, "`.")]
                #[cfg($($on)*)]
                $Kind(Box<<protocols::$folder::$Kind as Protocol>::Snapshot>),
            )*
        }

        /// The growing answer of a stream of any protocol.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum AnySnapshotRef<'a> {
            $(
                #[doc = concat!("Of `", $name, "`.")]
                #[cfg($($on)*)]
                $Kind(&'a <protocols::$folder::$Kind as Protocol>::Snapshot),
            )*
        }

        impl AnySnapshotRef<'_> {
            /// Returns the protocol.
            pub const fn protocol(&self) -> ProtocolKind {
                match self {
                    $(#[cfg($($on)*)] AnySnapshotRef::$Kind(_) => ProtocolKind::$Kind,)*
                }
            }

            /// Copies the answer.
            pub fn to_owned(&self) -> AnySnapshot {
                match *self {
                    $(#[cfg($($on)*)] AnySnapshotRef::$Kind(snapshot) => AnySnapshot::$Kind(Box::new(snapshot.clone())),)*
                }
            }
        }

        impl AnySnapshot {
            /// Returns the protocol.
            pub const fn protocol(&self) -> ProtocolKind {
                match self {
                    $(#[cfg($($on)*)] AnySnapshot::$Kind(_) => ProtocolKind::$Kind,)*
                }
            }

            fn answer(&self) -> &dyn DeclaredAnswer {
                match self {
                    $(#[cfg($($on)*)] AnySnapshot::$Kind(snapshot) => &**snapshot,)*
                }
            }

            /// Returns the whole answer, with tool calls that are not part of its JSON.
            #[cfg(feature = "serde")]
            pub(super) fn whole(&self) -> Value {
                let json = match self {
                    $(#[cfg($($on)*)] AnySnapshot::$Kind(snapshot) => snapshot.to_json(),)*
                };
                Value::parse(&json, u32::MAX).unwrap_or_default()
            }

            /// Creates the answer of a protocol from the output of [`whole`](Self::whole).
            #[cfg(feature = "serde")]
            pub(super) fn of(protocol: ProtocolKind, whole: Value) -> Result<Self, serde::de::value::Error> {
                match protocol.read_as() {
                    $(
                        #[cfg($($on)*)]
                        Built::$Kind => {
                            let read = serde::Deserialize::deserialize(whole);
                            read.map(|snapshot| AnySnapshot::$Kind(Box::new(snapshot)))
                        }
                    )*
                }
            }
        }

        #[derive(Debug)]
        enum Native {
            $(#[cfg($($on)*)] $Kind(Box<Reader<protocols::$folder::$Kind>>),)*
        }

        impl Native {
            fn new(found: DetectedProtocol, choices: AnyOptions) -> Self {
                match found.read_as() {
                    $(
                        #[cfg($($on)*)]
                        Built::$Kind => Native::$Kind(Box::new(Reader::of(choices.$folder, choices.options, found))),
                    )*
                }
            }

            fn push(&mut self, chunk: &[u8]) -> Changes<'_> {
                match self {
                    $(#[cfg($($on)*)] Native::$Kind(reader) => reader.push(chunk),)*
                }
            }

            fn changes(&mut self) -> Changes<'_> {
                match self {
                    $(#[cfg($($on)*)] Native::$Kind(reader) => reader.changes(),)*
                }
            }

            fn snapshot(&self) -> AnySnapshotRef<'_> {
                match self {
                    $(#[cfg($($on)*)] Native::$Kind(reader) => AnySnapshotRef::$Kind(reader.snapshot()),)*
                }
            }

            fn report(&self) -> &Report {
                match self {
                    $(#[cfg($($on)*)] Native::$Kind(reader) => reader.report(),)*
                }
            }

            fn has_ended(&self) -> bool {
                match self {
                    $(#[cfg($($on)*)] Native::$Kind(reader) => reader.has_ended(),)*
                }
            }

            fn last_event_id(&self) -> &str {
                match self {
                    $(#[cfg($($on)*)] Native::$Kind(reader) => reader.last_event_id(),)*
                }
            }

            fn end(self, aborted: bool) -> AnyOutcome {
                match self {
                    $(
                        #[cfg($($on)*)]
                        Native::$Kind(reader) => {
                            let outcome = if aborted { reader.abort() } else { reader.finish() };
                            let snapshot = AnySnapshot::$Kind(Box::new(outcome.snapshot));
                            AnyOutcome { snapshot, report: outcome.report }
                        }
                    )*
                }
            }
        }
    };
}
registry!(native);

impl Default for AnyReader {
    fn default() -> Self {
        Self::new()
    }
}

impl AnyReader {
    /// Creates a reader that detects the protocol from the first event, with the default options.
    pub fn new() -> Self {
        Self::with_options(None, AnyOptions::default())
    }

    /// Creates a reader of a protocol, or with `None` one that detects the protocol from the first
    /// event.
    pub fn with_options(protocol: impl Into<Option<ProtocolKind>>, choices: AnyOptions) -> Self {
        AnyReader(match protocol.into() {
            Some(protocol) => {
                Detection::Decided(Native::new(DetectedProtocol::One(protocol), choices))
            }
            None => Detection::waiting(&choices.options.clone(), choices),
        })
    }

    /// Reads the next bytes. Never fails. The changes are only computed when they are read.
    pub fn push(&mut self, chunk: &[u8]) -> Changes<'_> {
        // The bytes from before the protocol was known.
        let buffered = self.0.push(chunk, Native::new);
        match self.0.decided_mut() {
            Some(reader) => reader.push(buffered.as_deref().unwrap_or(chunk)),
            None => Changes::none(),
        }
    }

    /// Returns the changes of the last [`push`](Self::push).
    pub fn changes(&mut self) -> Changes<'_> {
        self.0.decided_mut().map_or(Changes::none(), Native::changes)
    }

    /// Returns the protocol; `None` while no event has shown it.
    pub fn protocol(&self) -> Option<ProtocolKind> {
        self.snapshot().map(|snapshot| snapshot.protocol())
    }

    /// Returns the answer so far; `None` while the protocol is not known.
    pub fn snapshot(&self) -> Option<AnySnapshotRef<'_>> {
        self.0.decided().map(Native::snapshot)
    }

    /// Returns the report so far; `None` while the protocol is not known.
    pub fn report(&self) -> Option<&Report> {
        self.0.decided().map(Native::report)
    }

    /// Reports whether the terminal event has been read: later bytes cannot change the answer.
    pub fn has_ended(&self) -> bool {
        self.0.decided().is_some_and(Native::has_ended)
    }

    /// Returns the value of `Last-Event-ID` for a reconnection now; empty if the stream has no ids.
    pub fn last_event_id(&self) -> &str {
        self.0.decided().map_or("", Native::last_event_id)
    }

    /// Ends the stream because its source has ended.
    pub fn finish(self) -> AnyOutcome {
        self.end(false)
    }

    /// Ends the stream before its source has ended. This is an outcome, not an error.
    pub fn abort(self) -> AnyOutcome {
        self.end(true)
    }

    fn end(mut self, aborted: bool) -> AnyOutcome {
        if let Some(buffered) = self.0.finish(Native::new)
            && let Some(reader) = self.0.decided_mut()
        {
            reader.push(&buffered);
        }
        match self.0 {
            Detection::Decided(reader) => reader.end(aborted),
            Detection::Waiting(_) => {
                Native::new(DetectedProtocol::Nothing, AnyOptions::default()).end(aborted)
            }
        }
    }
}

impl AnySnapshot {
    /// Returns the answer as a JSON object.
    pub fn to_json(&self) -> String {
        self.answer().answer_json()
    }

    /// Returns the tool calls as a JSON array; `None` if they are part of the answer.
    pub fn calls_to_json(&self) -> Option<String> {
        self.answer().calls_json()
    }
}
