//! A state machine within the limits.

use super::meter::{Meter, Refusal};
use super::metered::Metered;
use super::{Fold, Recognizer, Repeat};
#[cfg(feature = "binary")]
use crate::core::binary::Decoded;
use crate::core::limits::Limits;
use crate::core::observed::Observed;
use crate::core::replay::DeltaBatch;
use crate::core::report::Report;
use crate::core::sink::{Key, Node, Sink};
use crate::core::violation::Rule;
use crate::json::Str;
use crate::sse;

/// What is a protocol's own in reading it: a [`Fold`] whose sink enforces the [`Limits`].
///
/// The methods are those of [`Fold`], which says what they do.
pub trait Machine: core::fmt::Debug {
    /// [`Fold::recognize`]
    fn recognize(&mut self, _others: Recognizer) {}

    /// [`Fold::event`]
    fn event(&mut self, event: &sse::SseEvent<'_>, sink: &mut Metered<'_>);

    /// [`Fold::frame`]
    #[cfg(feature = "binary")]
    fn frame(&mut self, _frame: &sse::Frame<'_>) -> Option<Decoded> {
        None
    }

    /// [`Fold::repeatable`]
    fn repeatable(&self) -> Option<&Repeat>;

    /// The object and its member that the texts of a run of repeated events go to as one; none where half a character waits
    /// there for the first of them.
    fn repeats_into(&mut self) -> Option<(Node, Key)>;

    /// [`Fold::repeat`]
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, sink: &mut Metered<'_>);

    /// [`Fold::repeat_run`]: the member takes all their texts as one.
    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut Metered<'_>);

    /// Something that the event at work told was refused. What the event did must not count as clean, and is a breach of
    /// [`LIMIT_EXCEEDED`](crate::core::violation::LIMIT_EXCEEDED).
    fn refused(&mut self, refusal: Refusal);

    /// [`Fold::finish`]
    fn finish(&mut self, aborted: bool, sink: &mut Metered<'_>);

    /// [`Fold::framing`]
    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>);

    /// [`Fold::has_ended`]
    fn has_ended(&self) -> bool;

    /// [`Fold::report`]
    fn report(&self) -> &Report;

    /// [`Fold::report_mut`]
    fn report_mut(&mut self) -> &mut Report;
}

/// The fold that a [`Machine`] makes: everything that it tells is counted, and what passes a limit is dropped and
/// reported.
#[derive(Debug)]
pub struct Limited<M> {
    machine: M,
    meter: Meter,
    finished: bool,
}

impl<M: Machine> Limited<M> {
    /// A fold at the start of a stream; `make` may open objects at once.
    pub fn new(limits: &Limits, sink: &mut dyn Sink, make: impl FnOnce(&mut Metered<'_>) -> M) -> Self {
        let mut meter = Meter::new(limits);
        let machine = make(&mut Metered::new(&mut meter, sink));
        Limited { machine, meter, finished: false }
    }

    #[cfg(any(test, feature = "hub"))]
    pub(crate) fn machine_mut(&mut self) -> &mut M {
        &mut self.machine
    }

    /// Whether the texts of a run are appended as one.
    pub(crate) fn takes_as_one(&mut self, run: DeltaBatch<'_>) -> bool {
        let into = self.machine.repeats_into();
        into.is_some_and(|into| self.meter.takes(into, run.len() as u64))
    }

    /// Lets the machine work on one event, and then hear what was refused.
    #[inline]
    fn with(&mut self, sink: &mut dyn Sink, work: impl FnOnce(&mut M, &mut Metered<'_>)) {
        work(&mut self.machine, &mut Metered::new(&mut self.meter, sink));
        if self.meter.has_refused() {
            self.tell_refusals();
        }
    }

    #[cold]
    fn tell_refusals(&mut self) {
        for refusal in self.meter.take_refusals() {
            self.machine.refused(refusal);
        }
    }
}

impl<M: Machine> Fold for Limited<M> {
    fn recognize(&mut self, others: Recognizer) {
        self.machine.recognize(others);
    }

    fn event(&mut self, event: &sse::SseEvent<'_>, sink: &mut dyn Sink) {
        self.meter.budget.refill(event.data.len());
        self.with(sink, |machine, sink| machine.event(event, sink));
    }

    #[cfg(feature = "binary")]
    fn frame(&mut self, frame: &sse::Frame<'_>) -> Option<Decoded> {
        self.machine.frame(frame)
    }

    fn repeatable(&self) -> Option<&Repeat> {
        self.machine.repeatable()
    }

    #[inline]
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, sink: &mut dyn Sink) {
        self.meter.budget.refill(text.raw().len());
        self.with(sink, |machine, sink| machine.repeat(number, text, offset, sink));
    }

    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut dyn Sink) {
        if self.takes_as_one(run) {
            self.meter.budget.refill(run.len());
            return self.with(sink, |machine, sink| machine.repeat_run(run, sink));
        }
        for (piece, text) in run.each() {
            self.repeat(piece.number, text, piece.offset, sink);
        }
    }

    fn finish(&mut self, aborted: bool, sink: &mut dyn Sink) {
        if core::mem::replace(&mut self.finished, true) {
            return;
        }
        self.with(sink, |machine, sink| machine.finish(aborted, sink));
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>) {
        self.machine.framing(rule, offset, got);
    }

    fn has_ended(&self) -> bool {
        self.machine.has_ended()
    }

    fn report(&self) -> &Report {
        self.machine.report()
    }

    fn report_mut(&mut self) -> &mut Report {
        self.machine.report_mut()
    }
}
