//! Bytes of one protocol to bytes of another.

use alloc::boxed::Box;
use alloc::string::String;

use super::loss::Losses;
use super::pipe::{Pipe, Target};
use super::source::Source;
use super::steps::StepPipe;
use crate::core::error::Misuse;
use crate::core::fold::Discard;
use crate::core::report::Report;
use crate::protocols::ag_kit::AgKit;
use crate::protocols::ag_kit::hub::FromAgKit;
use crate::protocols::agent_api::AgentApi;
use crate::protocols::agent_api::builder;
use crate::protocols::agent_api::hub::FromAgentApi;
use crate::read::detect::{Detector, FALLBACK, ProtocolKind};
use crate::read::{self, Stream};
use core::fmt;

/// How a conversion reads and writes.
#[derive(Debug)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// How the source is read. Its report is [`Converter::report`].
    pub read: read::ReadOptions,
    /// What a reader of an Agent API source is told.
    pub agent_api: AgentApi,
    /// What a reader of an AG-Kit source is told.
    pub ag_kit: AgKit,
    /// How an Agent API target is written: ids, clock, and the response and session id if the source's should not be
    /// taken over.
    pub write: builder::BuilderOptions,
}

impl ConvertOptions {
    /// ConvertOptions for a target that is written like this.
    pub fn new(write: builder::BuilderOptions) -> Self {
        ConvertOptions {
            read: read::ReadOptions::default(),
            agent_api: AgentApi::default(),
            ag_kit: AgKit::default(),
            write,
        }
    }
}

/// Converts a stream, whatever its chunks.
///
/// Bytes go in, cut anywhere, and server-sent events come out as soon as they can be said. Nothing fails: a source that
/// breaks rules is read as a [`Reader`](crate::Reader) reads it, and the target is legal in any case and always ends with its
/// protocol's terminal event. Comments stay comments, and heartbeats become some. From a protocol to itself, a
/// conversion repairs.
///
/// The answer is kept while it is converted, as by a reader, within the same [`Limits`](crate::Limits).
pub struct Converter {
    state: State,
    options: Option<ConvertOptions>,
    target: Endpoint,
}

#[allow(clippy::large_enum_variant, reason = "there is one per stream")]
enum State {
    /// No event has told the protocol yet.
    Undecided(Detector),
    AgentApi(Box<Stream<Pipe<FromAgentApi>>>),
    AgKit(Box<Stream<Pipe<FromAgKit>>>),
    Steps(StepPipe),
}

/// What stands on one side of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Endpoint {
    /// A protocol of this crate.
    Protocol(ProtocolKind),
    /// The hub itself, as [lines](super::steps) of JSON.
    Steps,
}

impl Converter {
    /// A conversion from a protocol, or from the one that the first event tells, to another one. Refused for protocols
    /// that this version does not read or write.
    pub fn new(
        from: Option<ProtocolKind>,
        to: ProtocolKind,
        options: ConvertOptions,
    ) -> Result<Self, Misuse> {
        Self::between(from.map(Endpoint::Protocol), Endpoint::Protocol(to), options)
    }

    /// The same where one side, or each, may be the hub itself.
    pub fn between(from: Option<Endpoint>, to: Endpoint, options: ConvertOptions) -> Result<Self, Misuse> {
        for side in from.into_iter().chain([to]) {
            if let Endpoint::Protocol(kind) = side
                && !kind.is_readable()
            {
                return Err(Misuse::new(
                    "protocol-not-converted",
                    ["Converter::new() was given the protocol `", kind.as_str(), "`"].concat(),
                    "use `agent-api` or `ag-kit`",
                ));
            }
        }
        let detector = Detector::framed(options.read.limits.clone(), options.read.framing);
        let undecided = State::Undecided(detector);
        let mut converter = Converter { state: undecided, options: Some(options), target: to };
        if let Some(from) = from {
            converter.decide(from);
        }
        Ok(converter)
    }

    /// Takes the next bytes, and appends what they become to `out`. Behind the end that is nothing.
    pub fn push(&mut self, chunk: &[u8], out: &mut String) {
        match &mut self.state {
            State::Undecided(detector) => {
                if let Some(found) = detector.push(chunk) {
                    let held = detector.take_held();
                    self.decide(Endpoint::Protocol(found));
                    self.push(&held, out);
                }
            }
            State::AgentApi(stream) => push(stream, chunk, out),
            State::AgKit(stream) => push(stream, chunk, out),
            State::Steps(pipe) => pipe.push(chunk, out),
        }
    }

    /// The stream is over, or (`aborted`) its reader has stopped it: appends the end to `out`. Anything after that says
    /// nothing.
    pub fn finish(&mut self, aborted: bool, out: &mut String) {
        self.settle(aborted, out);
        match &mut self.state {
            State::Undecided(_) => {}
            State::AgentApi(stream) => finish(stream, aborted, out),
            State::AgKit(stream) => finish(stream, aborted, out),
            State::Steps(pipe) => pipe.finish(aborted, out),
        }
    }

    /// The source broke off, for example with its connection: as [`finish`](Self::finish), but a run that has not ended is
    /// incomplete, also where the source's protocol knows no other end than that of the stream.
    pub fn cut_off(&mut self, out: &mut String) {
        self.settle(false, out);
        if let State::AgKit(stream) = &mut self.state {
            stream.fold_mut().source_mut().fold_mut().machine_mut().cut_off();
        }
        self.finish(false, out);
    }

    /// The stream is over, so what is read is known now.
    fn settle(&mut self, aborted: bool, out: &mut String) {
        if let State::Undecided(detector) = &mut self.state {
            let found = if aborted { None } else { detector.finish() };
            let held = detector.take_held();
            self.decide(Endpoint::Protocol(found.unwrap_or(FALLBACK)));
            self.push(&held, out);
        }
    }

    /// Whether the source has ended: nothing that comes would be converted any more.
    pub fn has_ended(&self) -> bool {
        match &self.state {
            State::Undecided(_) => false,
            State::Steps(pipe) => pipe.has_ended(),
            State::AgentApi(stream) => stream.has_ended(),
            State::AgKit(stream) => stream.has_ended(),
        }
    }

    /// What is read; `None` while no event has told it.
    pub fn source(&self) -> Option<Endpoint> {
        match &self.state {
            State::Undecided(_) => None,
            State::AgentApi(_) => Some(Endpoint::Protocol(ProtocolKind::AgentApi)),
            State::AgKit(_) => Some(Endpoint::Protocol(ProtocolKind::AgKit)),
            State::Steps(_) => Some(Endpoint::Steps),
        }
    }

    /// What is written.
    pub fn target(&self) -> Endpoint {
        self.target
    }

    /// What could not be carried so far; `None` while it is not known what is read.
    pub fn losses(&self) -> Option<&Losses> {
        match &self.state {
            State::Undecided(_) => None,
            State::AgentApi(stream) => Some(stream.fold().losses()),
            State::AgKit(stream) => Some(stream.fold().losses()),
            State::Steps(pipe) => Some(pipe.losses()),
        }
    }

    /// What has been found out about the source so far; `None` while it is not known what it is.
    pub fn report(&self) -> Option<&Report> {
        match &self.state {
            State::Undecided(_) => None,
            State::AgentApi(stream) => Some(stream.report()),
            State::AgKit(stream) => Some(stream.report()),
            State::Steps(pipe) => Some(pipe.report()),
        }
    }

    fn decide(&mut self, from: Endpoint) {
        let Some(options) = self.options.take() else { return };
        let ConvertOptions { read, agent_api, ag_kit, write } = options;
        let target = Target::new(self.target, write);
        self.state = match from {
            // AG-UI comes from AG-Kit's servers, too, and that reader says what it is.
            Endpoint::Protocol(ProtocolKind::AgKit | ProtocolKind::AgUi) => {
                let source = FromAgKit::new(ag_kit, &read);
                State::AgKit(Box::new(Stream::new(Pipe::new(source, target), &read)))
            }
            Endpoint::Steps => State::Steps(StepPipe::new(target, &read.limits)),
            Endpoint::Protocol(ProtocolKind::AgentApi) => {
                let source = FromAgentApi::new(agent_api, &read);
                State::AgentApi(Box::new(Stream::new(Pipe::new(source, target), &read)))
            }
        };
    }
}

fn push<S: Source>(stream: &mut Stream<Pipe<S>>, chunk: &[u8], out: &mut String) {
    stream.fold_mut().swap(out);
    stream.push(chunk, &mut Discard);
    stream.fold_mut().heartbeats();
    stream.fold_mut().swap(out);
}

fn finish<S: Source>(stream: &mut Stream<Pipe<S>>, aborted: bool, out: &mut String) {
    stream.fold_mut().swap(out);
    stream.finish(aborted, &mut Discard);
    stream.fold_mut().swap(out);
}

impl fmt::Debug for Converter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Converter")
            .field("source", &self.source())
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}
