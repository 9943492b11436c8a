//! The connection of a protocol with the hub.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use super::conversation::RequestCodec;
use super::source::SourceWithSink;
use super::transducer::FromHub;
use crate::core::id::{Clock, IdSource};
use crate::core::options::ReadOptions;
use crate::core::wire::WireEvent;
use crate::engine::Registered;
use crate::json::Value;

/// A protocol of the registry, with its name.
pub trait ProtocolName {
    /// The name of the protocol.
    const NAME: &'static str;
}

/// A protocol that can be converted to the hub.
pub(crate) trait Conversion: Registered + ProtocolName {
    /// Converts the changes of its answer to steps.
    type Source: SourceWithSink + Default + 'static;

    /// Returns the source at the start of a stream that is read with these options.
    fn source(_protocol: &mut Self, _options: &ReadOptions) -> Self::Source {
        Self::Source::default()
    }

    /// How its requests are read and written; `None` if they are not.
    fn requests() -> Option<&'static RequestCodec> {
        None
    }
}

/// A protocol that can also be written from the hub.
pub(crate) trait WritableConversion: Conversion {
    /// The target that writes the protocol.
    type Target: FromHub<Event = WireEvent> + fmt::Debug;
    /// The options of the target.
    type WriteOptions;

    /// Returns a target at the start of a stream.
    fn target(options: Self::WriteOptions) -> Self::Target;

    /// Returns the event by which the stream shows that it is alive; `None` if a comment does.
    fn heartbeat(_target: &Self::Target) -> Option<WireEvent> {
        None
    }

    /// Adds the request parameters that the reader has to the members that the answer repeats: a
    /// conversion answers the same request.
    fn echo_choices(_choices: &Self, _echo: &mut Value) {}

    /// Whether a target that has just written the event of a piece can [write](Self::write_pieces)
    /// the next ones of that text without a step.
    fn can_write_pieces(_target: &mut Self::Target) -> bool {
        false
    }

    /// Appends the events of further pieces: their texts as one, and the end of each.
    fn write_pieces(_target: &mut Self::Target, _text: &str, _ends: &[usize], _out: &mut String) {}
}

/// Connects a protocol: its source and, unless the protocol is only read, its target and the
/// target's options, if any.
macro_rules! conversion {
    (
        $Protocol:ident: $Source:ty $({ $($source_items:item)* })? => hub
        $(=> $Target:ident $(($WriteOptions:ident))? $({ $($items:item)* })?)?
    ) => {
        impl $crate::hub::conversion::Conversion for $Protocol {
            type Source = $Source;

            $($($source_items)*)?
        }

        $(impl $crate::hub::conversion::WritableConversion for $Protocol {
            type Target = $Target;
            type WriteOptions = $crate::hub::conversion::conversion!(@options $($WriteOptions)?);

            fn target(_options: Self::WriteOptions) -> $Target {
                $crate::hub::conversion::conversion!(@new $Target $((_options as $WriteOptions))?)
            }

            $($($items)*)?
        })?
    };
    (@options) => { () };
    (@options $WriteOptions:ident) => { $WriteOptions };
    (@new $Target:ident) => { $Target::default() };
    (@new $Target:ident ($options:ident as $WriteOptions:ident)) => { $Target::new($options) };
}
pub(crate) use conversion;

// Options for writing a stream, the same for all protocols.

/// Options for writing a stream.
pub struct WriteOptions {
    pub(crate) ids: Box<dyn IdSource>,
    pub(crate) run_id: Option<String>,
    pub(crate) session_id: Option<String>,
    pub(crate) clock: Clock,
    pub(crate) echo: Value,
}

impl WriteOptions {
    /// Creates options. `ids` creates the ids that the source does not have.
    pub fn new(ids: impl IdSource + 'static) -> Self {
        WriteOptions {
            ids: Box::new(ids),
            run_id: None,
            session_id: None,
            clock: || 0,
            echo: Value::Null,
        }
    }

    /// Sets the clock, for protocols whose runs have a start time that the source did not send.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the members of the request that the answer repeats: an object with members of the
    /// protocol that is written.
    pub fn echo(mut self, echo: Value) -> Self {
        self.echo = echo;
        self
    }

    /// Sets the run's id instead of the source's.
    pub fn run_id(mut self, id: impl Into<String>) -> Self {
        self.run_id = Some(id.into()).filter(|id| !id.is_empty());
        self
    }

    /// Sets the conversation's id instead of the source's.
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.session_id = Some(id.into()).filter(|id| !id.is_empty());
        self
    }
}

impl fmt::Debug for WriteOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WriteOptions { run_id, session_id, echo, .. } = self;
        let mut shown = f.debug_struct("WriteOptions");
        shown.field("run_id", run_id).field("session_id", session_id).field("echo", echo);
        shown.finish_non_exhaustive()
    }
}
