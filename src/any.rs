//! A stream whose protocol is known at run time only.

use alloc::boxed::Box;

use crate::ag_kit::{AgKit, AgKitFold};
use crate::agent_api::{AgentApi, AgentApiFold};
use crate::detect::{Detector, FALLBACK, ProtocolKind};
use crate::fold::{Protocol as _, Sink};
use crate::read::{Options, Stream};
use crate::report::Report;

/// What readers of each protocol are told.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Choices {
    /// For the Agent API.
    pub agent_api: AgentApi,
    /// For AG-Kit.
    pub ag_kit: AgKit,
    /// For all of them.
    pub options: Options,
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
    Undecided(Box<(Detector, Choices, Report)>),
    AgentApi(Box<Stream<AgentApiFold>>),
    AgKit(Box<Stream<AgKitFold>>),
}

/// Does the same with the stream, whatever it is; something else where there is none yet.
macro_rules! stream {
    ($reading:expr, $stream:ident => $work:expr, $undecided:pat => $else:expr) => {
        match $reading {
            Reading::Undecided($undecided) => $else,
            Reading::AgentApi($stream) => $work,
            Reading::AgKit($stream) => $work,
        }
    };
}

impl AnyStream {
    /// Reads a stream of that protocol; of the one that its first event tells, if there is none.
    pub fn new(protocol: Option<ProtocolKind>, choices: Choices, sink: &mut impl Sink) -> Self {
        let reading = match protocol {
            Some(protocol) => Reading::of(protocol, choices, sink),
            None => {
                let detector = Detector::new(choices.options.limits.clone());
                Reading::Undecided(Box::new((detector, choices, Report::default())))
            }
        };
        AnyStream { reading }
    }

    /// The protocol, once it is known. AG-UI is not read yet; AG-Kit's reader says so.
    pub fn protocol(&self) -> Option<ProtocolKind> {
        match self.reading {
            Reading::Undecided(_) => None,
            Reading::AgentApi(_) => Some(ProtocolKind::AgentApi),
            Reading::AgKit(_) => Some(ProtocolKind::AgKit),
        }
    }

    /// Reads the next bytes. Never fails.
    pub fn push(&mut self, chunk: &[u8], sink: &mut impl Sink) {
        stream!(&mut self.reading, stream => stream.push(chunk, sink), undecided => {
            if let Some(found) = undecided.0.push(chunk) {
                self.decide(found, sink);
            }
        });
    }

    /// Ends the stream: it is over, or the reader (`aborted`) stopped it.
    pub fn finish(&mut self, aborted: bool, sink: &mut impl Sink) {
        if let Reading::Undecided(undecided) = &mut self.reading {
            let found = undecided.0.finish().unwrap_or(FALLBACK);
            self.decide(found, sink);
        }
        stream!(&mut self.reading, stream => stream.finish(aborted, sink), _ => {});
    }

    /// Whether nothing that comes can change the answer any more: the terminal event has been read.
    pub fn has_ended(&self) -> bool {
        stream!(&self.reading, stream => stream.has_ended(), _ => false)
    }

    /// What has been found so far.
    pub fn report(&self) -> &Report {
        stream!(&self.reading, stream => stream.report(), undecided => &undecided.2)
    }

    /// What `Last-Event-ID` should say when reconnecting now.
    pub fn last_event_id(&self) -> &str {
        stream!(&self.reading, stream => stream.last_event_id(), _ => "")
    }

    fn decide(&mut self, found: ProtocolKind, sink: &mut impl Sink) {
        if let Reading::Undecided(undecided) = &mut self.reading {
            let (detector, choices, _) = &mut **undecided;
            let held = detector.take_held();
            self.reading = Reading::of(found, choices.clone(), sink);
            self.push(&held, sink);
        }
    }
}

impl Reading {
    fn of(protocol: ProtocolKind, choices: Choices, sink: &mut impl Sink) -> Self {
        let Choices { agent_api, ag_kit, options } = choices;
        match protocol {
            ProtocolKind::AgentApi => {
                Reading::AgentApi(Box::new(Stream::new(agent_api.fold(&options, sink), &options)))
            }
            // AG-UI comes from AG-Kit's servers, too, and that reader says what it is.
            ProtocolKind::AgKit | ProtocolKind::AgUi => {
                Reading::AgKit(Box::new(Stream::new(ag_kit.fold(&options, sink), &options)))
            }
        }
    }
}
