//! The interface between the engine and a protocol.

use core::any::Any;
use core::fmt;

use alloc::vec::Vec;

use super::Refusal;
use super::context::Context;
#[cfg(feature = "binary")]
use crate::core::binary::Binary;
use crate::core::declare::events::table::{EventTable, Reading};
use crate::core::declare::rules::CommonRules;
use crate::core::detect::Opening;
use crate::core::error::DecodeError;
use crate::core::violation::Rule;
use crate::json::{Document, Element, Skip, Str};
use crate::sse;

/// The state of one stream of a protocol, and the effects of its events on the answer.
///
/// The engine counts events, enforces limits, writes the report and replays deltas: an event that only appends a piece to a
/// text may be replayed, and the next event that differs only in that piece is not read. So the effect of an event must not
/// depend on the piece in any other way, and the same event once more must have the same effect.
pub trait Meaning: Any + Send + Sync {
    /// Opens the objects that the answer has before the first event.
    fn start(&mut self, _cx: &mut Context<'_>) {}

    /// Looks at an event before its data are parsed. Returns false if they are not to be parsed.
    fn before(&mut self, _event: &sse::SseEvent<'_>, _cx: &mut Context<'_>) -> bool {
        true
    }

    /// Applies an event whose properties are those that its type declares.
    fn event(&mut self, _event: &Reading<'_, '_>, _cx: &mut Context<'_>) {}

    /// Handles the end of the stream: its last byte, or (`aborted`) the reader stopped it.
    fn finish(&mut self, _aborted: bool, _cx: &mut Context<'_>) {}

    /// Returns whether nothing can change the answer any more.
    fn has_ended(&self) -> bool;

    /// Is called for a violation of the framing, below the events.
    fn framing(&mut self, _rule: &'static Rule) {}

    /// Is called when a limit has refused a part of the answer. Returns the index of the content concerned.
    fn refused(&mut self, _refusal: &Refusal) -> Option<u32> {
        None
    }

    /// Adds the parts of the data of an event that need not be parsed, because they repeat known values.
    #[doc(hidden)]
    fn find_known(&self, _data: &str, _skips: &mut Vec<Skip>) {}

    /// Returns whether the skipped parts are where they were expected. Otherwise the event is parsed again as a whole.
    #[doc(hidden)]
    fn is_known(&self, _event: &Reading<'_, '_>, _cx: &Context<'_>) -> bool {
        true
    }

    /// Appends a text where the last event [did](Context::appends).
    #[doc(hidden)]
    fn append_again(&mut self, _text: Str<'_>, _cx: &mut Context<'_>) {}

    /// Returns whether half a character waits there for its other half.
    #[doc(hidden)]
    fn is_waiting(&mut self) -> bool {
        false
    }

    /// Is called where the stream breaks off before its end, for protocols whose streams have no other end than their last
    /// byte.
    #[doc(hidden)]
    fn cut_off(&mut self) {}
}

// Not a supertrait: it would link the formatting code into every module.
impl fmt::Debug for dyn Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Meaning")
    }
}

/// The parts of a protocol that are the same for every stream.
pub(crate) trait Declared: Meaning {
    /// The events.
    const EVENTS: &'static EventTable;

    /// The rules that all protocols have.
    const RULES: CommonRules;

    /// The messages of binary streams, if the protocol has such streams.
    #[cfg(feature = "binary")]
    const BINARY: Option<&'static Binary> = None;

    /// Whether the meaning of null depends on the property, and the protocol looks at each by itself.
    const JUDGES_NULL: bool = false;

    /// Returns whether a stream with this first event is one of this protocol. By default it is one if the type is known.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        Self::EVENTS.knows(opening)
    }

    /// Returns whether the protocol itself judges a stream with this first event.
    fn judges(opening: &Opening<'_, '_>) -> bool {
        Self::opens(opening)
    }

    /// Checks one event by itself.
    fn check(document: &Document<'_>) -> Result<(), DecodeError> {
        Self::read(document.root()).map(drop)
    }

    /// Reads an event.
    fn read<'d, 'a>(json: Element<'d, 'a>) -> Result<Reading<'d, 'a>, DecodeError> {
        Self::EVENTS.read(json)
    }
}

/// The table of the parts of a protocol that are the same for every stream.
#[derive(Debug)]
pub struct Declaration {
    pub(super) rules: CommonRules,
    #[cfg(feature = "binary")]
    pub(crate) binary: Option<&'static Binary>,
    pub(super) judges_null: bool,
    pub(super) judges: fn(&Opening<'_, '_>) -> bool,
    pub(super) read: for<'d, 'a> fn(Element<'d, 'a>) -> Result<Reading<'d, 'a>, DecodeError>,
}

impl Declaration {
    /// Returns the table of a protocol.
    pub(crate) const fn of<M: Declared>() -> Self {
        Declaration {
            rules: M::RULES,
            #[cfg(feature = "binary")]
            binary: M::BINARY,
            judges_null: M::JUDGES_NULL,
            judges: M::judges,
            read: M::read,
        }
    }

    /// Returns the table of a protocol that reads its events itself, in [`Meaning::before`]. `malformed` is the rule of
    /// events that cannot be read.
    pub const fn untyped(malformed: &'static Rule) -> Self {
        Declaration {
            rules: CommonRules::of(malformed),
            #[cfg(feature = "binary")]
            binary: None,
            judges_null: false,
            judges: |_| true,
            read: |json| Ok(Reading::new(json, "")),
        }
    }
}
