//! Folding: events become a growing answer. One state machine per protocol, several places to put its decisions.

mod context;
mod digest;
mod folding;
mod learning;
mod limited;
mod lists;
mod meter;
mod metered;
#[cfg(feature = "ag-ui")]
mod patches;
pub(crate) mod protocol;
mod state;

pub use crate::core::detect::Recognizer;
pub use crate::core::replay::Repeat;
pub use crate::core::sink::{Discard, Key, Kind, Node, Sink, SinkValue};
pub use context::Context;
pub(crate) use digest::{Digest, Keys};
pub use folding::Folding;
pub(crate) use folding::{Declared, Semantics};
pub use limited::{Limited, Machine};
pub use meter::{Counted, Refusal};
pub use metered::Metered;
pub(crate) use protocol::protocol;
pub use state::{Owner, TextCell};

#[cfg(feature = "binary")]
use crate::core::binary::{Binary, Decoded};
use crate::core::changes::Located;
use crate::core::observed::Observed;
use crate::core::options::{OptionShape, OptionValue, ReadOptions};
use crate::core::replay::DeltaBatch;
use crate::core::report::Report;
use crate::core::violation::Rule;
use crate::json::Str;
use crate::sse;

/// A protocol that can be read: its own choices as a value, its state machine and its answer as types.
///
/// Implementing this for a protocol of your own gives it [`Reader`](crate::Reader), chunk-independent reading, limits and
/// reports.
pub trait Protocol {
    /// The state machine.
    type Fold: Fold;
    /// The native answer.
    type Snapshot: Sink + Located + Default + core::fmt::Debug;

    /// Its own choices, by name.
    const OPTIONS: &'static [OptionShape] = &[];

    /// The messages that its events are in binary streams, if there are such.
    #[cfg(feature = "binary")]
    const BINARY: Option<&'static Binary> = None;

    /// What people call it.
    const TITLE: &'static str;

    /// Where in the root object the answer is, and its tool calls.
    const LAYOUT: AnswerLayout = AnswerLayout::ROOT;

    /// A state machine at the start of a stream; it may open objects in the sink at once.
    fn fold(self, options: &ReadOptions, sink: &mut dyn Sink) -> Self::Fold;

    /// Sets the choice of that place in [`OPTIONS`](Self::OPTIONS).
    fn set_option(&mut self, _place: usize, _value: OptionValue) {}
}

/// A protocol of this crate: `protocol!` declares it.
pub(crate) trait Registered: Protocol<Fold = Limited<Folding<Self::Semantics>>> {
    /// What its events mean.
    type Semantics: Semantics;
}

/// Where in the root object of a sink users find what they look at.
#[derive(Clone, Copy, Debug)]
pub struct AnswerLayout {
    /// The member that is the answer; without one the root is.
    pub snapshot: Option<&'static str>,
    /// The member that lists the tool calls, and if other things are in that list, what the `type` of a call says.
    pub tool_calls: Option<(&'static str, Option<&'static str>)>,
    /// The member that holds the calls, where what is in that list only has them.
    pub calls_inside: Option<&'static str>,
}

impl AnswerLayout {
    /// The root is the answer, and no list of it is one of tool calls.
    pub(crate) const ROOT: AnswerLayout =
        AnswerLayout { snapshot: None, tool_calls: None, calls_inside: None };

    /// The root is the answer, and this list of it has the tool calls.
    pub(crate) const fn calls_in(list: &'static str) -> AnswerLayout {
        AnswerLayout { tool_calls: Some((list, None)), ..Self::ROOT }
    }

    /// The same where only what is of this type in the list is a call.
    pub(crate) const fn calls_among(list: &'static str, r#type: &'static str) -> AnswerLayout {
        AnswerLayout { tool_calls: Some((list, Some(r#type))), ..Self::ROOT }
    }
}

/// The state machine of a protocol.
pub trait Fold: core::fmt::Debug {
    /// Takes what recognizes events of other protocols, which are not read: the first of them is reported.
    fn recognize(&mut self, _others: Recognizer) {}

    /// Takes one event and tells the sink what it means. Never fails: what is wrong goes into the report.
    fn event(&mut self, event: &sse::SseEvent<'_>, sink: &mut dyn Sink);

    /// The event that a frame of a binary stream is, to be given to [`Fold::event`]. What is no event is noted. A protocol
    /// whose events are never bytes has none.
    #[cfg(feature = "binary")]
    fn frame(&mut self, _frame: &sse::Frame<'_>) -> Option<Decoded> {
        None
    }

    /// Where the text and the number of the event just taken stand in its data, if all that it did was to append that
    /// text: a further event that differs in nothing else, except that its id may be another, may then be given to
    /// [`Fold::repeat`] instead.
    ///
    /// A fold that never says so is right, only slower.
    fn repeatable(&self) -> Option<&Repeat> {
        None
    }

    /// Takes an event that is the one before it with another number and text.
    fn repeat(&mut self, _number: Option<i64>, _text: Str<'_>, _offset: u64, _sink: &mut dyn Sink) {}

    /// Takes a run of such events. None of their texts has a character by its number (`\u…`).
    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut dyn Sink) {
        for (piece, text) in run.each() {
            self.repeat(piece.number, text, piece.offset, sink);
        }
    }

    /// Nothing more comes: the stream has ended, or (`aborted`) the reader has stopped it.
    fn finish(&mut self, aborted: bool, sink: &mut dyn Sink);

    /// Notes a breach that was found below the events.
    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>);

    /// Whether nothing that comes can change the answer any more.
    fn has_ended(&self) -> bool;

    /// What has been found so far.
    fn report(&self) -> &Report;

    /// The same, to add to it.
    fn report_mut(&mut self) -> &mut Report;
}
