//! An engine that converts: from the decoder to the converted text.

use alloc::string::String;
use alloc::vec::Vec;

use super::target::{Target, TargetOutput};
use crate::core::binary::Decoded;
use crate::core::limits::Limits;
use crate::core::replay::DeltaBatch;
use crate::core::report::{EndReason, Report};
use crate::core::violation::{Observed, Rule};
use crate::engine::{EventReceiver, Recognizer, Repeat, Sink, Translated};
use crate::hub::conversation::TextHash;
use crate::hub::steps::{FromSteps, Lines};
use crate::hub::{FoldSource, Losses, Then, ToHub as _};
#[cfg(feature = "wasm")]
use crate::hub::{Hub, source::Write};
use crate::json::Str;
use crate::sse;

/// A source, a target, and the converted text.
#[derive(Debug)]
pub(super) struct Pipe {
    then: Then<FoldSource, Target>,
    out: String,
    /// The number of comments that have become heartbeats.
    comments: u64,
    /// The last replay emitted one piece, which became one event: the next one goes straight to the
    /// target.
    is_piece: bool,
}

impl Pipe {
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn new(source: FoldSource, target: Target) -> Self {
        Pipe {
            then: Then::new(source, target).bounded(),
            out: String::new(),
            comments: 0,
            is_piece: false,
        }
    }

    /// Exchanges the text with that of the caller: converted text is appended to it.
    pub fn swap(&mut self, out: &mut String) {
        core::mem::swap(&mut self.out, out);
    }

    /// Writes a heartbeat for each comment since the last event.
    #[inline]
    pub fn heartbeats(&mut self) {
        let comments = self.then.source().engine().report().comments;
        while self.comments < comments {
            self.comments += 1;
            let Pipe { then, out, .. } = self;
            then.heartbeat(|sent| write(out, sent));
        }
    }

    /// Sets the number of the next event: violations of it have the same number.
    fn count(&mut self) {
        let events = self.then.source().engine().report().events;
        self.then.at(events);
    }

    /// Replays an event through source, hub and target.
    fn repeat_step(&mut self, number: Option<i64>, text: Str<'_>, offset: u64) {
        self.count();
        let Pipe { then, out, is_piece, .. } = self;
        let mut events = 0;
        let mut emit = |sent| {
            events += 1;
            write(out, sent);
        };
        let one = then.piece(&mut emit, |source, hub| source.repeat(number, text, offset, hub));
        *is_piece =
            then.source().repeats() && one && events == 1 && then.sides().1.can_write_pieces();
    }

    /// Passes the steps of another answer on. Reports whether they were one piece of a text, which
    /// became one event.
    #[cfg(feature = "wasm")]
    pub fn relay(
        &mut self,
        bytes: u64,
        out: &mut String,
        work: &mut dyn FnMut(&mut Hub<'_>),
    ) -> bool {
        self.count();
        self.is_piece = false;
        let Pipe { then, .. } = self;
        then.add_input_bytes(bytes);
        let mut events = 0;
        let mut emit = |sent| {
            events += 1;
            write(out, sent);
        };
        let is_piece = then.piece(&mut emit, |_, hub| work(hub));
        is_piece && events == 1 && then.sides().1.can_write_pieces()
    }

    /// Calls `work` with the function that writes further pieces of that text.
    #[cfg(feature = "wasm")]
    pub fn relay_pieces(&mut self, out: &mut String, work: &mut dyn FnMut(&mut Write<'_>)) {
        let (_, target, mut thoughts) = self.then.sides();
        work(&mut |text, ends| {
            add_thoughts(&mut thoughts, text);
            target.write_pieces(text, ends, out);
        });
    }

    /// Reports to the engine that the source was cut off.
    pub fn cut_off(&mut self) {
        self.is_piece = false;
        self.then.source_mut().engine_mut().cut_off();
    }

    pub fn losses(&self) -> &Losses {
        self.then.losses()
    }
}

pub(crate) fn write(out: &mut String, sent: TargetOutput) {
    match sent {
        TargetOutput::Event(event) => out.push_str(event.as_sse()),
        TargetOutput::Line(line) => {
            out.push_str(&line);
            out.push('\n');
        }
        TargetOutput::Heartbeat => sse::comment(out, "heartbeat"),
    }
}

/// Adds a piece that bypasses the hub to the hash of its reasoning.
pub(crate) fn add_thoughts(thoughts: &mut Option<&mut TextHash>, text: &str) {
    if let Some(thoughts) = thoughts {
        thoughts.add(text);
    }
}

impl EventReceiver for Pipe {
    fn recognize(&mut self, others: Recognizer) {
        self.then.source_mut().engine_mut().recognize(others);
    }

    fn event(&mut self, event: &sse::SseEvent<'_>, _: &mut dyn Sink) {
        self.heartbeats();
        self.count();
        self.is_piece = false;
        let Pipe { then, out, .. } = self;
        then.add_input_bytes(event.data.len() as u64);
        then.feed(event, |sent| write(out, sent));
    }

    fn frame(&mut self, frame: &sse::Frame<'_>) -> Option<Decoded> {
        self.then.source_mut().engine_mut().frame(frame)
    }

    fn repeatable(&self) -> Option<&Repeat> {
        self.then.source().engine().repeatable()
    }

    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, _: &mut dyn Sink) {
        self.heartbeats();
        let Pipe { then, out, is_piece, .. } = self;
        if *is_piece {
            let (source, target, mut thoughts) = then.sides();
            let mut write = |text: &str, ends: &[usize]| {
                add_thoughts(&mut thoughts, text);
                target.write_pieces(text, ends, out);
            };
            return source.repeat_piece(number, text, offset, &mut write);
        }
        self.repeat_step(number, text, offset);
    }

    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut dyn Sink) {
        if !self.is_piece || run.each().any(|(_, text)| text.is_empty()) {
            return run
                .each()
                .for_each(|(piece, text)| self.repeat(piece.number, text, piece.offset, sink));
        }
        self.heartbeats();
        let Pipe { then, out, .. } = self;
        let (source, target, mut thoughts) = then.sides();
        source.repeat_pieces(run, &mut |text, ends| {
            add_thoughts(&mut thoughts, text);
            target.write_pieces(text, ends, out);
        });
    }

    fn finish(&mut self, aborted: bool, _: &mut dyn Sink) {
        self.heartbeats();
        self.count();
        self.is_piece = false;
        let Pipe { then, out, .. } = self;
        then.finish(aborted, |sent| write(out, sent));
    }

    fn take_translated(&mut self) -> Vec<Translated> {
        self.then.source_mut().engine_mut().take_translated()
    }

    fn stray_text(&mut self, text: &str) {
        self.then.source_mut().engine_mut().stray_text(text);
    }

    fn translate_stray_text(&mut self) {
        self.then.source_mut().engine_mut().translate_stray_text();
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>) {
        self.then.source_mut().engine_mut().framing(rule, offset, got);
    }

    fn has_ended(&self) -> bool {
        self.then.source().engine().has_ended()
    }

    fn report(&self) -> &Report {
        self.then.source().engine().report()
    }

    fn report_mut(&mut self) -> &mut Report {
        self.then.source_mut().engine_mut().report_mut()
    }
}

// The conversion of a source of lines, which arrive in chunks of any size.

/// A conversion whose source is lines.
#[derive(Debug)]
pub(super) struct StepPipe {
    then: Then<FromSteps, Target>,
    lines: Lines,
    report: Report,
}

impl StepPipe {
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn new(target: Target, limits: &Limits) -> Self {
        StepPipe {
            then: FromSteps.then(target),
            lines: Lines::new(limits),
            report: Report::default(),
        }
    }

    pub fn push(&mut self, chunk: &[u8], out: &mut String) {
        if self.report.end_reason != EndReason::Open {
            return;
        }
        self.report.bytes += chunk.len() as u64;
        let StepPipe { then, lines, report, .. } = self;
        lines.push(chunk, &mut |line| take(then, report, line, out));
    }

    pub fn finish(&mut self, aborted: bool, out: &mut String) {
        if self.report.end_reason != EndReason::Open {
            return;
        }
        let StepPipe { then, lines, report, .. } = self;
        lines.finish(&mut |line| take(then, report, line, out));
        self.report.end_reason = match (self.has_ended(), aborted) {
            (true, _) => EndReason::Terminal,
            (false, true) => EndReason::Aborted,
            (false, false) => EndReason::Eof,
        };
        self.then.finish(aborted, |sent| write(out, sent));
    }

    pub fn has_ended(&self) -> bool {
        self.then.has_ended()
    }

    pub fn losses(&self) -> &Losses {
        self.then.losses()
    }

    pub fn report(&self) -> &Report {
        &self.report
    }
}

fn take(then: &mut Then<FromSteps, Target>, report: &mut Report, line: &str, out: &mut String) {
    report.events += 1;
    then.feed(line, |sent| write(out, sent));
}
