//! Writing single events: the reader of the protocol judges each event before it is written.
//!
//! A writer refuses an event that violates a rule of the protocol, and then is as it was before:
//! the next event is judged as if the refused one had not been tried.
//!
//! ```
//! use agentwire::write::EventWriter;
//! use agentwire::ag_kit::AgKit;
//! use agentwire::ag_kit::events::Event;
//!
//! let mut out = EventWriter::new(AgKit::default())?;
//! let mut stream = out.write(&Event::Text { content: "Hi".into() })?.into_sse();
//! assert_eq!(stream, "data: {\"type\":\"text\",\"content\":\"Hi\"}\n\n");
//!
//! // A refused event is not written, and changes nothing.
//! let end = r#"{"type": "tool-call-end", "toolCallId": "c1"}"#;
//! assert_eq!(out.write_json(end).unwrap_err().violation.rule.id, "call-not-started");
//!
//! stream += &out.write_json(r#"{"type": "tool-call-start", "toolCallId": "c1", "toolCallName": "f"}"#)?.into_sse();
//! assert_eq!(out.finish().unwrap_err().violation.rule.id, "call-not-ended");
//! stream += &out.write_json(end)?.into_sse();
//! stream.extend(out.finish()?.map(|event| event.into_sse()));
//! assert!(stream.ends_with("data: [DONE]\n\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod judge;

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;

use crate::core::error::UsageError;
use crate::core::options::ReadOptions;
use crate::core::violation::Violation;
use crate::core::wire::WireEvent;
use crate::engine::Protocol;
use crate::protocols::{self, ProtocolKind, registry};
use crate::read::AnyOptions;
pub use judge::AFTER_FINISH;
use judge::EventJudge;

/// Writes the events of one stream.
///
/// Each event is judged by the reader of the protocol, with its limits: an event that violates a
/// rule, other than a note, is a [`EventError`]. A writer keeps the state of two readers that
/// keep no answer: with the last event, and without it.
#[derive(Debug)]
pub struct EventWriter<P: Protocol> {
    judge: EventJudge,
    protocol: PhantomData<fn() -> P>,
}

impl<P: Protocol> EventWriter<P> {
    /// Creates a writer at the start of a stream.
    ///
    /// # Errors
    ///
    /// Those of [`Protocol::check`].
    pub fn new(protocol: P) -> Result<Self, UsageError> {
        Self::with_options(protocol, ReadOptions::default())
    }

    /// Creates a writer with the limits and the seed of these options. The others have no effect.
    ///
    /// # Errors
    ///
    /// Those of [`Protocol::check`].
    pub fn with_options(protocol: P, options: ReadOptions) -> Result<Self, UsageError> {
        protocol.check(&options)?;
        let judge = EventJudge::new(options, |options, sink| protocol.engine(options, sink));
        Ok(EventWriter { judge, protocol: PhantomData })
    }

    /// Writes an event.
    ///
    /// # Errors
    ///
    /// The first violation of a rule. The writer does not change.
    pub fn write(&mut self, event: &impl EventOf<P>) -> Result<WireEvent, EventError> {
        self.judge.write(&event.data())
    }

    /// Writes an event that is given as its data: JSON, or the end marker of the protocol.
    /// Properties that the protocol does not declare are written, too.
    ///
    /// # Errors
    ///
    /// The first violation of a rule. The writer does not change.
    pub fn write_json(&mut self, data: &str) -> Result<WireEvent, EventError> {
        self.judge.write(data)
    }

    /// Ends the stream: returns the end marker, if the protocol requires one and it was not
    /// written. No event can be written afterwards.
    ///
    /// # Errors
    ///
    /// The first violation by a stream that ends here. The writer does not change: the missing
    /// events can be written.
    pub fn finish(&mut self) -> Result<Option<WireEvent>, EventError> {
        self.judge.finish()
    }
}

/// Writes the events of one stream of a protocol that is known at run time only.
#[derive(Debug)]
pub struct AnyEventWriter(EventJudge);

impl AnyEventWriter {
    /// Creates a writer at the start of a stream, with the options that
    /// [`EventWriter::with_options`] has.
    ///
    /// # Errors
    ///
    /// Those of [`Protocol::check`].
    pub fn new(protocol: ProtocolKind, choices: AnyOptions) -> Result<Self, UsageError> {
        choices.check()?;
        let options = choices.options.clone();
        Ok(AnyEventWriter(EventJudge::new(options, |options, sink| {
            choices.engine(protocol, options, sink)
        })))
    }

    /// Writes an event, as [`EventWriter::write_json`] does.
    ///
    /// # Errors
    ///
    /// The first violation of a rule. The writer does not change.
    pub fn write_json(&mut self, data: &str) -> Result<WireEvent, EventError> {
        self.0.write(data)
    }

    /// Ends the stream, as [`EventWriter::finish`] does.
    ///
    /// # Errors
    ///
    /// The first violation by a stream that ends here. The writer does not change.
    pub fn finish(&mut self) -> Result<Option<WireEvent>, EventError> {
        self.0.finish()
    }
}

/// An event of a protocol, built from the types of its `events` module. Those of the Agent API are
/// views of JSON: [`EventWriter::write_json`] writes it.
pub trait EventOf<P> {
    /// Returns the data of the event.
    fn data(&self) -> String;
}

macro_rules! events_of {
    (
        read { $($Kind:ident $name:literal $folder:ident [$($on:tt)*] $doc:literal;)* }
        written $written:tt
    ) => {
        $(
            #[cfg($($on)*)]
            event_of! { $folder $Kind }
        )*
    };
}

macro_rules! event_of {
    // Its events are views of JSON that was read.
    (agent_api $Kind:ident) => {};
    ($folder:ident $Kind:ident) => {
        impl EventOf<protocols::$folder::$Kind> for protocols::$folder::events::Event<'_> {
            fn data(&self) -> String {
                self.to_data()
            }
        }
    };
}
registry!(events_of);

/// An event that was not written, because it violates a rule of the protocol.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EventError {
    /// The rule, what it expects and what was found instead. The number of the event counts the
    /// events that were written.
    pub violation: Violation,
    /// The data of the event, without what exceeds a thousand characters; empty for the end of the
    /// stream.
    pub event: String,
}

impl EventError {
    /// Returns the displayed text without the formatting machinery, which wasm leaves out.
    pub(crate) fn text(&self) -> String {
        let Violation { rule, got, .. } = &self.violation;
        let what = if self.event.is_empty() { "the end of the stream" } else { "the event" };
        let remedy = match rule.expected {
            "" => String::new(),
            expected => ["; expected ", expected].concat(),
        };
        [rule.id, ": ", what, " was not written: got ", got, &remedy].concat()
    }
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl core::error::Error for EventError {}
