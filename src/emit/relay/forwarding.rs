//! An answer that is passed on while its bytes arrive, for callers that push them.

use alloc::boxed::Box;
use core::fmt;

use super::passed::{AnswerOrigin, PassedAnswer, PassedEnd};
use super::{Relay, RelayOutput};
use crate::convert::Source;
use crate::core::error::UsageError;
use crate::core::report::{EndReason, Report};
use crate::engine::Discard;
use crate::hub::steps::{FromSteps, Lines};
use crate::hub::{EndStatus, MessageEnd, MessageKind, Role, Step, ToHub as _, ToolKind};
use crate::protocols::ProtocolKind;
use crate::read::StreamDecoder;
use crate::read::any::AnyOptions;
use crate::read::detect::{DetectedProtocol, Detection};

/// How an answer is read and passed on.
#[derive(Debug)]
pub(crate) struct ForwardOptions {
    pub read: AnyOptions,
    pub origin: AnswerOrigin,
}

/// Passes an answer on.
pub(crate) struct Forwarding<O> {
    output: O,
    state: Detection<ForwardOptions, ForwardingState<O>>,
}

/// An answer whose protocol is known.
enum ForwardingState<O> {
    Steps(Box<StepRelay>),
    /// With its protocol, if an event has shown it.
    Stream(Option<ProtocolKind>, Box<StreamDecoder<Relay<O>>>),
}

impl<O: RelayOutput + Clone> Forwarding<O> {
    /// Starts passing an answer on.
    ///
    /// # Errors
    ///
    /// Those of the options of the reader.
    pub fn new(from: Source, options: ForwardOptions, output: O) -> Result<Self, UsageError> {
        options.read.check()?;
        let state = match from {
            Source::Protocol(protocol) => Detection::Decided(ForwardingState::new(
                DetectedProtocol::One(protocol),
                options,
                &output,
            )),
            Source::Steps => Detection::Decided(ForwardingState::Steps(Box::new(StepRelay::new(
                options, &output,
            )))),
            Source::Auto => Detection::waiting(&options.read.options.clone(), options),
        };
        Ok(Forwarding { output, state })
    }

    /// Reads the next bytes.
    pub fn push(&mut self, chunk: &[u8]) {
        let Forwarding { output, state } = self;
        if let Some(state) = state.decided_mut() {
            return state.push(chunk, output);
        }
        if let Some(buffered) =
            state.push(chunk, |found, options| ForwardingState::new(found, options, output))
        {
            self.push(&buffered);
        }
    }

    /// Ends the answer because its bytes have ended.
    pub fn finish(&mut self) {
        self.settle();
        match self.state.decided_mut() {
            Some(ForwardingState::Steps(steps)) => steps.finish(&self.output),
            Some(ForwardingState::Stream(_, stream)) => stream.finish(&mut Discard),
            None => {}
        }
    }

    /// Ends an answer that was cut off: it is incomplete, also in protocols where the end of the
    /// stream is the only end.
    pub fn cut_off(&mut self) {
        self.settle();
        if let Some(ForwardingState::Stream(_, stream)) = self.state.decided_mut() {
            stream.fold_mut().source_mut().engine_mut().cut_off();
        }
        self.finish();
    }

    fn settle(&mut self) {
        let Forwarding { output, state } = self;
        if let Some(buffered) =
            state.finish(|found, options| ForwardingState::new(found, options, output))
        {
            self.push(&buffered);
        }
    }

    /// Returns the protocol of the answer; `None` if no event has shown it.
    pub fn protocol(&self) -> Option<ProtocolKind> {
        self.state.decided().and_then(|state| match state {
            ForwardingState::Steps(_) => None,
            ForwardingState::Stream(protocol, _) => *protocol,
        })
    }

    /// Closes what the answer has left open, and returns how it ended.
    pub fn take(&mut self) -> Option<PassedEnd> {
        match self.state.decided_mut()? {
            ForwardingState::Steps(steps) => Some(steps.passed.take(&self.output)),
            ForwardingState::Stream(_, stream) => {
                let (passed, output) = stream.fold_mut().passed();
                Some(passed.take(output))
            }
        }
    }

    pub fn output(&self) -> &O {
        &self.output
    }
}

impl<O: RelayOutput + Clone> ForwardingState<O> {
    fn new(found: DetectedProtocol, options: ForwardOptions, output: &O) -> Self {
        let ForwardOptions { read, origin } = options;
        let (protocol, decoder) = Relay::decoder(output.clone(), found, read, origin);
        let is_shown = matches!(found, DetectedProtocol::One(_));
        ForwardingState::Stream(is_shown.then_some(protocol), Box::new(decoder))
    }

    fn push(&mut self, chunk: &[u8], output: &O) {
        match self {
            ForwardingState::Steps(steps) => steps.push(chunk, output),
            ForwardingState::Stream(_, stream) => stream.push(chunk, &mut Discard),
        }
    }
}

impl<O: fmt::Debug> fmt::Debug for Forwarding<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forwarding").field("output", &self.output).finish_non_exhaustive()
    }
}

/// Writes the result of a call that has been passed on.
pub(crate) fn write_result(output: &impl RelayOutput, call: &str, kind: ToolKind, result: &str) {
    output.relay(0, &mut |hub, taken| {
        let message = taken.next_message();
        hub.emit(&Step::open(message, MessageKind::Result(kind), Role::Tool, None));
        hub.emit(&Step::result(message, 0, call, result));
        hub.emit(&Step::Close { message, end: &MessageEnd::new(EndStatus::Completed) });
    });
}

/// Passes on the steps of a protocol of the application, which are lines.
struct StepRelay {
    passed: PassedAnswer,
    lines: Lines,
    report: Report,
}

impl StepRelay {
    fn new(ForwardOptions { read, origin }: ForwardOptions, output: &impl RelayOutput) -> Self {
        output.limit_repeats(true);
        let lines = Lines::new(&read.options.limits);
        StepRelay { passed: PassedAnswer::new(origin), lines, report: Report::default() }
    }

    fn push(&mut self, chunk: &[u8], output: &impl RelayOutput) {
        let StepRelay { passed, lines, report } = self;
        lines.push(chunk, &mut |line| pass(line, passed, report, output));
    }

    fn finish(&mut self, output: &impl RelayOutput) {
        if core::mem::replace(&mut self.report.end_reason, EndReason::Eof) == EndReason::Open {
            let StepRelay { passed, lines, report } = self;
            lines.finish(&mut |line| pass(line, passed, report, output));
        }
    }
}

fn pass(line: &str, passed: &mut PassedAnswer, report: &mut Report, output: &impl RelayOutput) {
    let event = report.events;
    report.events += 1;
    passed.pass(output, event, line.len() as u64, &mut |hub| FromSteps.feed(line, hub));
}
