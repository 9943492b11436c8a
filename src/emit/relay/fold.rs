//! The engine of an answer, whose steps are passed on.

use alloc::vec::Vec;
use core::fmt;

use super::RelayOutput;
use super::passed::{AnswerOrigin, PassedAnswer};
use crate::convert::fold_source;
use crate::core::binary::Decoded;
use crate::core::replay::DeltaBatch;
use crate::core::report::Report;
use crate::core::violation::{Observed, Rule};
use crate::engine::{EventReceiver, Recognizer, Repeat, Sink, Translated};
use crate::hub::{FoldSource, ToHub as _};
use crate::json::Str;
use crate::protocols::ProtocolKind;
use crate::read::StreamDecoder;
use crate::read::any::AnyOptions;
use crate::read::detect::DetectedProtocol;
use crate::sse;

/// Reads an answer, and passes its steps on.
pub(crate) struct Relay<O> {
    output: O,
    source: FoldSource,
    passed: PassedAnswer,
    /// The state of the output after the last event, if the next piece of the same text can be
    /// written without a step.
    piece: Option<u64>,
}

impl<O: RelayOutput> Relay<O> {
    /// Creates the decoder of an answer at its start.
    pub fn decoder(
        output: O,
        found: DetectedProtocol,
        read: AnyOptions,
        origin: AnswerOrigin,
    ) -> (ProtocolKind, StreamDecoder<Self>) {
        let shared = read.options.clone();
        let (protocol, source) = fold_source(found, read);
        output.limit_repeats(true);
        let relay = Relay { output, source, passed: PassedAnswer::new(origin), piece: None };
        (protocol, found.decoder(relay, &shared))
    }

    pub fn source_mut(&mut self) -> &mut FoldSource {
        &mut self.source
    }

    /// Returns what has been passed on, and the output.
    pub fn passed(&mut self) -> (&mut PassedAnswer, &O) {
        (&mut self.passed, &self.output)
    }

    /// Runs the source, and passes its steps on.
    fn pass(&mut self, bytes: usize, work: impl FnOnce(&mut FoldSource, &mut crate::hub::Hub<'_>)) {
        let Relay { output, source, passed, piece } = self;
        let event = source.engine().report().events;
        let mut work = Some(work);
        let written = passed.pass(output, event, bytes as u64, &mut |hub| {
            if let Some(work) = work.take() {
                work(source, hub);
            }
        });
        *piece = written.filter(|_| source.repeats());
    }
}

impl<O: RelayOutput> EventReceiver for Relay<O> {
    fn recognize(&mut self, others: Recognizer) {
        self.source.engine_mut().recognize(others);
    }

    fn event(&mut self, event: &sse::SseEvent<'_>, _: &mut dyn Sink) {
        self.pass(event.data.len(), |source, hub| source.feed(event, hub));
    }

    fn frame(&mut self, frame: &sse::Frame<'_>) -> Option<Decoded> {
        self.source.engine_mut().frame(frame)
    }

    fn repeatable(&self) -> Option<&Repeat> {
        self.source.engine().repeatable()
    }

    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, _: &mut dyn Sink) {
        let Relay { output, source, passed, piece } = self;
        let is_written = piece.is_some_and(|state| {
            output.pieces(state, &mut |write| {
                source.repeat_piece(number, text, offset, &mut |pieces, ends| {
                    passed.keep(pieces);
                    write(pieces, ends);
                });
            })
        });
        if !is_written {
            self.pass(0, |source, hub| source.repeat(number, text, offset, hub));
        }
    }

    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut dyn Sink) {
        run.each().for_each(|(piece, text)| self.repeat(piece.number, text, piece.offset, sink));
    }

    fn finish(&mut self, aborted: bool, _: &mut dyn Sink) {
        self.pass(0, |source, hub| source.finish(aborted, hub));
    }

    fn take_translated(&mut self) -> Vec<Translated> {
        self.source.engine_mut().take_translated()
    }

    fn stray_text(&mut self, text: &str) {
        self.source.engine_mut().stray_text(text);
    }

    fn translate_stray_text(&mut self) {
        self.source.engine_mut().translate_stray_text();
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>) {
        self.source.engine_mut().framing(rule, offset, got);
    }

    fn has_ended(&self) -> bool {
        self.source.engine().has_ended()
    }

    fn report(&self) -> &Report {
        self.source.engine().report()
    }

    fn report_mut(&mut self) -> &mut Report {
        self.source.engine_mut().report_mut()
    }
}

impl<O> fmt::Debug for Relay<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay").field("source", &self.source).finish_non_exhaustive()
    }
}
