//! Passing on the answer of a model or of another agent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::string::String;
use std::vec::Vec;

use futures_core::Stream;

use super::emission::{AnyError, SharedWriter};
use super::out::Out;
use super::writer::UsedNames;
use crate::convert::fold_source;
use crate::core::binary::Decoded;
use crate::core::error::UsageError;
use crate::core::replay::DeltaBatch;
use crate::core::report::Report;
use crate::core::violation::{Observed, Rule};
use crate::engine::{Fold, Recognizer, Repeat, Sink, Translated};
use crate::hub::conversation::Back;
use crate::hub::{
    Context, EndError, EndStatus, FoldSource, Hub, Losses, MessageEnd, MessageKind, Note, RunEnd, Step,
    ToHub as _, ToolKind,
};
use crate::json::Str;
use crate::protocols::ProtocolKind;
use crate::read::StreamDecoder;
use crate::read::any::AnyOptions;
use crate::read::detect::DetectedProtocol;
use crate::sse;

/// The bytes of an answer that arrives, in chunks of any size, and how to read them.
#[derive(Debug)]
#[non_exhaustive]
pub struct AnswerStream<S> {
    /// The protocol of the bytes.
    pub protocol: ProtocolKind,
    /// The options for reading them.
    pub options: AnyOptions,
    /// The bytes.
    pub bytes: S,
    /// What of the request was lost.
    pub losses: Losses,
    /// How the names of its calls are mapped back to those of the client's tools.
    pub back: Back,
}

impl<S> AnswerStream<S> {
    /// Creates an answer in this protocol, which is read with the default options.
    pub fn new(protocol: ProtocolKind, bytes: S) -> Self {
        let (losses, back) = (Losses::default(), Back::default());
        AnswerStream { protocol, options: AnyOptions::default(), bytes, losses, back }
    }
}

/// How a forwarded answer ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Forwarded {
    /// The end of the run: its status, reason and token usage. It has not been written. [`Out::end`] writes it.
    pub end: RunEnd,
    /// The calls of functions that have no result. The client answers them, or the agent does with [`Out::result`].
    pub calls: Vec<ForwardedCall>,
    /// The losses of the request and of the answer.
    pub losses: Losses,
    /// The violations of the answer's protocol.
    pub report: Report,
}

/// A call in a forwarded answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForwardedCall {
    /// Its id.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments, which are JSON text.
    pub arguments: String,
}

/// The reason why an answer has no successful end. The output that arrived before is passed on.
#[derive(Debug)]
#[non_exhaustive]
pub enum ForwardError {
    /// This build does not read the protocol.
    Usage(UsageError),
    /// The stream of bytes failed.
    Stream(AnyError),
    /// The answer reports that it has failed, or cannot be read.
    Failed(EndError),
}

impl fmt::Display for ForwardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ForwardError::Usage(error) => error.fmt(f),
            ForwardError::Stream(error) => write!(f, "the answer broke off: {error}"),
            ForwardError::Failed(error) => write!(f, "the answer has failed: {}", error.message),
        }
    }
}

impl std::error::Error for ForwardError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ForwardError::Usage(error) => Some(error),
            ForwardError::Stream(error) => Some(&**error),
            ForwardError::Failed(_) => None,
        }
    }
}

impl Out {
    /// Passes an answer on while it arrives: text, reasoning, tool calls and the other steps of its protocol. Its start and
    /// its end are not written, so that other output can precede and follow it.
    ///
    /// The answer is read only while the client reads. If the future is dropped, so is the stream of bytes.
    ///
    /// # Errors
    ///
    /// [`ForwardError`] if the stream of bytes fails, or if the answer reports an error. An answer that ends early
    /// without an error is a success whose status is [`EndStatus::Incomplete`].
    pub async fn forward<S, B, E>(&self, answer: AnswerStream<S>) -> Result<Forwarded, ForwardError>
    where
        S: Stream<Item = Result<B, E>>,
        B: AsRef<[u8]>,
        E: Into<AnyError>,
    {
        Ok(self.forward_turn(answer, false).await?.0)
    }

    /// Like `forward`. Also returns the text of the answer, if it is kept.
    pub(crate) async fn forward_turn<S, B, E>(
        &self,
        answer: AnswerStream<S>,
        keeps_text: bool,
    ) -> Result<(Forwarded, String), ForwardError>
    where
        S: Stream<Item = Result<B, E>>,
        B: AsRef<[u8]>,
        E: Into<AnyError>,
    {
        let AnswerStream { protocol, options, bytes, losses, back: _ } = answer;
        self.add_losses(&losses);
        let room = self.room();
        let mut relay = Relay::decoder(room.clone(), protocol, options, keeps_text)?;
        let mut bytes = pin!(bytes);
        let (mut broken, mut comments) = (None, 0);
        while !relay.has_ended() {
            let chunk = match poll_fn(|context| bytes.as_mut().poll_next(context)).await {
                Some(Ok(chunk)) => chunk,
                Some(Err(error)) => {
                    broken = Some(error.into());
                    relay.fold_mut().source.engine_mut().cut_off();
                    break;
                }
                None => break,
            };
            let mut rest = chunk.as_ref();
            while !rest.is_empty() {
                let taken = relay.push_some(rest, &mut BackpressureSink(room));
                rest = rest.get(taken..).unwrap_or_default();
                poll_fn(|context| room.poll_room(context)).await;
            }
            if std::mem::replace(&mut comments, relay.report().comments) < relay.report().comments {
                self.heartbeat();
            }
        }
        relay.finish(&mut BackpressureSink(room));
        let (mut forwarded, text) = relay.fold_mut().take();
        self.add_losses(&forwarded.losses);
        let of_answer = std::mem::replace(&mut forwarded.losses, losses);
        forwarded.losses.extend(&of_answer);
        match broken {
            Some(error) => Err(ForwardError::Stream(error)),
            None if matches!(forwarded.end.status, EndStatus::Failed | EndStatus::Rejected) => {
                Err(ForwardError::Failed(forwarded.end.error.unwrap_or_default()))
            }
            None => Ok((forwarded, text)),
        }
    }
}

/// A sink that is full while the reader of the output has to read first.
struct BackpressureSink<'r>(&'r SharedWriter);

impl Sink for BackpressureSink<'_> {
    fn is_full(&self) -> bool {
        self.0.is_full()
    }
}

/// Passes the steps of an answer to the hub of an emission.
struct Relay {
    room: SharedWriter,
    source: FoldSource,
    passed: ForwardState,
    /// The state of the writer after the last event, if the next piece of the same text can be written without a step.
    piece: Option<u64>,
}

/// The output that has been passed on.
#[derive(Debug, Default)]
struct ForwardState {
    /// The messages by their number in the answer.
    messages: BTreeMap<u32, ForwardedMessage>,
    /// The ids of the calls in the emission by those in the answer: an earlier answer can have had the same ones.
    ids: BTreeMap<String, String>,
    /// The calls of functions, by the numbers of message and part in the answer.
    calls: BTreeMap<(u32, u32), ForwardedCall>,
    /// The calls by id that the answer itself has a result for.
    answered_ids: BTreeSet<String>,
    /// The text of the main answer, if it is kept.
    text: Option<String>,
    /// The last step was a piece of a text that is not kept.
    is_piece: bool,
    end: Option<RunEnd>,
    losses: Losses,
}

/// A message that has been passed on.
#[derive(Clone, Copy, Debug)]
struct ForwardedMessage {
    /// Its number in the emission.
    number: u32,
    is_open: bool,
    /// Part of the main answer, and not a call of a tool of the upstream itself.
    is_main: bool,
}

impl Relay {
    fn decoder(
        room: SharedWriter,
        protocol: ProtocolKind,
        options: AnyOptions,
        keeps_text: bool,
    ) -> Result<StreamDecoder<Self>, ForwardError> {
        if !protocol.is_readable() {
            return Err(ForwardError::Usage(UsageError::new(
                "protocol-not-converted",
                ["forward() was given the protocol `", protocol.as_str(), "`"].concat(),
                "use a protocol that this version reads",
            )));
        }
        options.check().map_err(ForwardError::Usage)?;
        let shared = options.options.clone();
        let found = DetectedProtocol::One(protocol);
        let (_, source) = fold_source(found, options);
        room.write(|writer| {
            writer.end_message();
            writer.limit_repeats(true);
        });
        let passed = ForwardState { text: keeps_text.then(String::new), ..ForwardState::default() };
        Ok(found.decoder(Relay { room, source, passed, piece: None }, &shared))
    }

    /// Runs the source, and passes its steps on.
    fn pass(&mut self, bytes: usize, work: impl FnOnce(&mut FoldSource, &mut Hub<'_>)) {
        let Relay { room, source, passed, piece } = self;
        let event = source.engine().report().events;
        *piece = room.write(|writer| {
            writer.add_input_bytes(bytes as u64);
            let mut losses = std::mem::take(&mut passed.losses);
            let piece = writer.relay(|hub, taken| {
                let mut emit = |step: &Step<'_>, context: Context<'_>, _: &mut Losses| {
                    passed.step(step, context, hub, taken);
                };
                work(source, &mut Hub::new(&mut emit, &mut losses).at(event));
            });
            passed.losses = losses;
            piece.filter(|_| passed.is_piece && source.repeats())
        });
    }

    /// Closes what the answer has left open, and returns how it ended, and its text.
    fn take(&mut self) -> (Forwarded, String) {
        let mut passed = std::mem::take(&mut self.passed);
        let mut end = passed.end.take().unwrap_or_else(|| RunEnd::incomplete(RunEnd::CUT_OFF));
        let status = MessageEnd::new(end.status);
        self.room.write(|writer| {
            for ForwardedMessage { number, .. } in passed.messages.values().filter(|message| message.is_open)
            {
                writer.step(&Step::Close { message: *number, end: &status });
            }
            writer.limit_repeats(false);
        });
        let report = self.source.engine_mut().report_mut();
        let mut calls: Vec<_> = passed.calls.into_values().collect();
        calls.retain(|call| !passed.answered_ids.contains(&call.id));
        for id in calls.iter_mut().map(|call| &mut call.id).chain(&mut end.pending) {
            if let Some(taken) = passed.ids.get(id) {
                id.clone_from(taken);
            }
        }
        let (losses, report) = (passed.losses, std::mem::take(report));
        (Forwarded { end, calls, losses, report }, passed.text.unwrap_or_default())
    }
}

impl ForwardState {
    fn step(&mut self, step: &Step<'_>, context: Context<'_>, hub: &mut Hub<'_>, taken: &mut UsedNames) {
        match *step {
            // The emission has begun, and goes on.
            Step::Start { .. } | Step::Note(Note::Reopened { .. }) => return self.end = None,
            Step::End(end) => return self.end = Some(end.clone()),
            _ => {}
        }
        self.is_piece = false;
        if let Step::Call { id, .. } = *step
            && !self.ids.contains_key(id)
        {
            self.ids.insert(id.into(), taken.call(id));
        }
        let renumbered = step.renumbered(&mut |number| {
            let next = || ForwardedMessage { number: taken.next_message(), is_open: true, is_main: true };
            self.messages.entry(number).or_insert_with(next).number
        });
        self.keep(step);
        hub.emit_in(context, &renumbered.renamed(&self.ids));
    }

    fn at(&mut self, message: u32) -> Option<&mut ForwardedMessage> {
        self.messages.get_mut(&message)
    }

    /// Keeps what the result of forwarding contains.
    fn keep(&mut self, step: &Step<'_>) {
        match *step {
            Step::Open { message, kind, alternative, .. } => {
                let is_of_server = matches!(kind, MessageKind::Call(tool) if tool != ToolKind::Function);
                let is_main = alternative == 0 && !is_of_server;
                if let Some(passed) = self.at(message) {
                    passed.is_main = is_main;
                }
            }
            Step::Close { message, .. } => {
                if let Some(passed) = self.at(message) {
                    passed.is_open = false;
                }
            }
            Step::Text { message, piece, .. } | Step::Refusal { message, piece, .. } => {
                let is_main = self.text.is_some() && self.at(message).is_some_and(|passed| passed.is_main);
                match &mut self.text {
                    Some(text) if is_main => text.push_str(piece),
                    _ => self.is_piece = true,
                }
            }
            Step::Reasoning { .. } => self.is_piece = true,
            Step::Call { message, part, id, name, .. }
                if self.at(message).is_some_and(|passed| passed.is_main) =>
            {
                let (id, name, arguments) = (id.into(), name.into(), String::new());
                self.calls.insert((message, part), ForwardedCall { id, name, arguments });
            }
            Step::Arguments { message, part, piece } => {
                if let Some(call) = self.calls.get_mut(&(message, part)) {
                    call.arguments.push_str(piece);
                }
            }
            Step::Note(Note::Replace { message, part, text, call: Some(_) }) => {
                if let Some(call) = self.calls.get_mut(&(message, part)) {
                    call.arguments = text.into();
                }
            }
            Step::Result { id, preview: false, .. } | Step::Note(Note::ToolError { id, .. }) => {
                self.answered_ids.insert(id.into());
            }
            _ => {}
        }
    }
}

impl Fold for Relay {
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
        let Relay { room, source, piece, .. } = self;
        let is_written = piece.is_some_and(|state| {
            room.write(|writer| {
                let Some(mut write) = writer.pieces(state) else { return false };
                source.repeat_piece(number, text, offset, &mut write);
                true
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

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay").field("source", &self.source).finish_non_exhaustive()
    }
}
