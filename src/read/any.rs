//! A stream whose protocol is known at run time only.

use alloc::boxed::Box;

use crate::core::fold::{Fold, Limited, Protocol as _, Repeat, Sink};
use crate::core::observed::Observed;
use crate::core::replay::DeltaBatch;
use crate::core::report::Report;
use crate::core::violation::Rule;
use crate::json::Str;
#[cfg(feature = "ag-kit")]
use crate::protocols::ag_kit::{AgKit, AgKitFold};
use crate::protocols::agent_api::{AgentApi, AgentApiFold};
use crate::read::detect::{Detector, FALLBACK, ProtocolKind};
use crate::read::{ReadOptions, Stream};
use crate::sse;

/// What readers of each protocol are told.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AnyOptions {
    /// For the Agent API.
    pub agent_api: AgentApi,
    /// For AG-Kit.
    #[cfg(feature = "ag-kit")]
    pub ag_kit: AgKit,
    /// For all of them.
    pub options: ReadOptions,
}

/// Reads a stream of any protocol into whatever sink it is given. The numbers that the sink gets are those of the
/// protocol's own tables, so whoever looks at them asks for [`protocol`](Self::protocol) first.
#[derive(Debug)]
pub struct AnyStream {
    reading: Reading,
}

#[derive(Debug)]
enum Reading {
    /// No event has told it yet.
    Undecided(Box<(Detector, AnyOptions, Report)>),
    Decided(Box<Stream<AnyFold>>),
}

impl AnyStream {
    /// Reads a stream of that protocol; of the one that its first event tells, if there is none.
    pub fn new(protocol: Option<ProtocolKind>, choices: AnyOptions, sink: &mut dyn Sink) -> Self {
        let reading = match protocol {
            Some(protocol) => Reading::of(protocol, choices, sink),
            None => {
                let options = &choices.options;
                let detector = Detector::framed(options.limits.clone(), options.framing);
                Reading::Undecided(Box::new((detector, choices, Report::default())))
            }
        };
        AnyStream { reading }
    }

    /// The protocol, once it is known. AG-UI is not read yet; AG-Kit's reader says so.
    pub fn protocol(&self) -> Option<ProtocolKind> {
        self.stream().map(|stream| match stream.fold() {
            AnyFold::AgentApi(_) => ProtocolKind::AgentApi,
            #[cfg(feature = "ag-kit")]
            AnyFold::AgKit(_) => ProtocolKind::AgKit,
        })
    }

    /// Reads the next bytes. Never fails. Behind the end it does nothing.
    pub fn push(&mut self, chunk: &[u8], sink: &mut dyn Sink) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let taken = self.push_some(rest, sink);
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    /// Reads the next bytes until the sink is full, as [`Stream::push_some`] does; returns how many.
    pub fn push_some(&mut self, chunk: &[u8], sink: &mut dyn Sink) -> usize {
        match &mut self.reading {
            Reading::Decided(stream) => return stream.push_some(chunk, sink),
            Reading::Undecided(undecided) => {
                if let Some(found) = undecided.0.push(chunk) {
                    self.decide(found, sink);
                }
            }
        }
        chunk.len()
    }

    /// Ends the stream: it is over, or the reader (`aborted`) stopped it. Only the first call does anything.
    pub fn finish(&mut self, aborted: bool, sink: &mut dyn Sink) {
        if let Reading::Undecided(undecided) = &mut self.reading {
            let found = undecided.0.finish().unwrap_or(FALLBACK);
            self.decide(found, sink);
        }
        if let Reading::Decided(stream) = &mut self.reading {
            stream.finish(aborted, sink);
        }
    }

    /// Whether nothing that comes can change the answer any more: the terminal event has been read.
    pub fn has_ended(&self) -> bool {
        self.stream().is_some_and(Stream::has_ended)
    }

    /// What has been found so far.
    pub fn report(&self) -> &Report {
        match &self.reading {
            Reading::Decided(stream) => stream.report(),
            Reading::Undecided(undecided) => &undecided.2,
        }
    }

    /// What `Last-Event-ID` should say when reconnecting now.
    pub fn last_event_id(&self) -> &str {
        self.stream().map_or("", Stream::last_event_id)
    }

    fn stream(&self) -> Option<&Stream<AnyFold>> {
        match &self.reading {
            Reading::Decided(stream) => Some(stream),
            Reading::Undecided(_) => None,
        }
    }

    fn decide(&mut self, found: ProtocolKind, sink: &mut dyn Sink) {
        if let Reading::Undecided(undecided) = &mut self.reading {
            let (detector, choices, _) = &mut **undecided;
            let (held, choices) = (detector.take_held(), core::mem::take(choices));
            self.reading = Reading::of(found, choices, sink);
            self.push(&held, sink);
        }
    }
}

impl Reading {
    fn of(protocol: ProtocolKind, choices: AnyOptions, sink: &mut dyn Sink) -> Self {
        let options = choices.options;
        let fold = match protocol {
            // AG-UI comes from AG-Kit's servers, too, and that reader says what it is.
            #[cfg(feature = "ag-kit")]
            ProtocolKind::AgKit | ProtocolKind::AgUi => AnyFold::AgKit(choices.ag_kit.fold(&options, sink)),
            _ => AnyFold::AgentApi(choices.agent_api.fold(&options, sink)),
        };
        Reading::Decided(Box::new(Stream::new(fold, &options)))
    }
}

/// The state machine of one of the protocols: one stream in front of it, whichever it is.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one per stream, and that is in a box")]
enum AnyFold {
    AgentApi(Limited<AgentApiFold>),
    #[cfg(feature = "ag-kit")]
    AgKit(Limited<AgKitFold>),
}

/// Does the same with the state machine, whatever it is.
macro_rules! fold {
    ($any:expr, $fold:ident => $work:expr) => {
        match $any {
            AnyFold::AgentApi($fold) => $work,
            #[cfg(feature = "ag-kit")]
            AnyFold::AgKit($fold) => $work,
        }
    };
}

impl Fold for AnyFold {
    fn event(&mut self, event: &sse::SseEvent<'_>, sink: &mut dyn Sink) {
        fold!(self, fold => fold.event(event, sink));
    }

    fn repeatable(&self) -> Option<&Repeat> {
        fold!(self, fold => fold.repeatable())
    }

    #[inline]
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, sink: &mut dyn Sink) {
        fold!(self, fold => fold.repeat(number, text, offset, sink));
    }

    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut dyn Sink) {
        fold!(self, fold => fold.repeat_run(run, sink));
    }

    fn finish(&mut self, aborted: bool, sink: &mut dyn Sink) {
        fold!(self, fold => fold.finish(aborted, sink));
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>) {
        fold!(self, fold => fold.framing(rule, offset, got));
    }

    fn has_ended(&self) -> bool {
        fold!(self, fold => fold.has_ended())
    }

    fn report(&self) -> &Report {
        fold!(self, fold => fold.report())
    }

    fn report_mut(&mut self) -> &mut Report {
        fold!(self, fold => fold.report_mut())
    }
}
