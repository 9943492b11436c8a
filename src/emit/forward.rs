//! Passing on the answer of a model or of another agent.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::string::String;
use std::vec::Vec;

use futures_core::Stream;

use super::emission::SharedWriter;
use super::failure::AnyError;
use super::out::Out;
use super::relay::{
    AnswerOrigin, ForwardedCall, PassedCall, PassedEnd, Relay, RelayOutput, RelayWork,
};
use super::writer::Writer;
use crate::core::error::UsageError;
use crate::core::report::Report;
use crate::engine::{EventReceiver as _, Sink};
use crate::hub::conversation::Back;
use crate::hub::source::Write;
use crate::hub::{EndError, EndStatus, Losses, RunEnd};
use crate::protocols::ProtocolKind;
use crate::read::StreamDecoder;
use crate::read::any::AnyOptions;
use crate::read::detect::DetectedProtocol;

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
    /// The tools that the model knows in another form than the client, which receives the calls of
    /// its own tools.
    pub back: Back,
    /// The [scope](crate::hub::conversation::scope) of what only the server understands: it is sent
    /// back to no other one.
    pub scope: Option<String>,
    /// The result of [`Out::forward`] has the text of the answer and the arguments of its calls.
    /// Default: true. Without them, a long answer takes no more memory than a short one, unless the
    /// protocol of the client repeats texts at their end.
    pub is_kept: bool,
}

impl<S> AnswerStream<S> {
    /// Creates an answer in this protocol, which is read with the default options.
    pub fn new(protocol: ProtocolKind, bytes: S) -> Self {
        let (options, losses, back) = (AnyOptions::default(), Losses::default(), Back::default());
        AnswerStream { protocol, options, bytes, losses, back, scope: None, is_kept: true }
    }
}

/// How a forwarded answer ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Forwarded {
    /// The end of the run: its status, reason and token usage. It has not been written.
    /// [`Out::end`] writes it.
    pub end: RunEnd,
    /// The name of the model that has answered, if its server has sent one.
    pub model: Option<String>,
    /// The text of the answer, without reasoning; empty if the answer
    /// [is not kept](AnswerStream::is_kept).
    pub text: String,
    /// The calls of functions that have no result. The client answers them, or the agent does with
    /// [`Out::result`]. They have no arguments if the answer is not kept.
    pub calls: Vec<ForwardedCall>,
    /// The losses of the request and of the answer.
    pub losses: Losses,
    /// The violations of the answer's protocol.
    pub report: Report,
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
    /// Passes an answer on while it arrives: text, reasoning, tool calls and the other steps of its
    /// protocol. Its start and its end are not written, so that other output can precede and follow
    /// it.
    ///
    /// The answer is read only while the client reads. If the future is dropped, so is the stream
    /// of bytes.
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
        let AnswerStream { protocol, options, bytes, mut losses, back, scope, is_kept } = answer;
        self.add_losses(&losses);
        let room = self.room();
        let mut relay =
            decoder(room, protocol, options, AnswerOrigin { back, scope, is_dropped: !is_kept })?;
        let mut bytes = pin!(bytes);
        let (mut broken, mut comments) = (None, 0);
        while !relay.has_ended() {
            let chunk = match poll_fn(|context| bytes.as_mut().poll_next(context)).await {
                Some(Ok(chunk)) => chunk,
                Some(Err(error)) => {
                    broken = Some(error.into());
                    relay.fold_mut().source_mut().engine_mut().cut_off();
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
        let report = std::mem::take(relay.fold_mut().report_mut());
        let (passed, output) = relay.fold_mut().passed();
        let PassedEnd { end, model, text, calls, losses: of_answer, .. } = passed.take(output);
        self.add_losses(&of_answer);
        losses.extend(&of_answer);
        let calls = calls.into_iter().filter(PassedCall::waits).map(|passed| passed.call).collect();
        let forwarded = Forwarded { end, model, text, calls, losses, report };
        match broken {
            Some(error) => Err(ForwardError::Stream(error)),
            None if matches!(forwarded.end.status, EndStatus::Failed | EndStatus::Rejected) => {
                Err(ForwardError::Failed(forwarded.end.error.unwrap_or_default()))
            }
            None => Ok(forwarded),
        }
    }
}

/// Returns the decoder of an answer.
fn decoder(
    room: &SharedWriter,
    protocol: ProtocolKind,
    options: AnyOptions,
    origin: AnswerOrigin,
) -> Result<StreamDecoder<Relay<SharedWriter>>, ForwardError> {
    if !protocol.is_readable() {
        return Err(ForwardError::Usage(UsageError::new(
            "protocol-not-converted",
            ["forward() was given the protocol `", protocol.as_str(), "`"].concat(),
            "use a protocol that this version reads",
        )));
    }
    options.check().map_err(ForwardError::Usage)?;
    room.write(Writer::end_message);
    Ok(Relay::decoder(room.clone(), DetectedProtocol::One(protocol), options, origin).1)
}

/// A sink that is full while the reader of the output has to read first.
struct BackpressureSink<'r>(&'r SharedWriter);

impl Sink for BackpressureSink<'_> {
    fn is_full(&self) -> bool {
        self.0.is_full()
    }
}

/// The writer of an emission.
impl RelayOutput for SharedWriter {
    fn relay(&self, bytes: u64, work: &mut RelayWork<'_>) -> Option<u64> {
        self.write(|writer| {
            writer.add_input_bytes(bytes);
            writer.relay(work)
        })
    }

    fn pieces(&self, state: u64, work: &mut dyn FnMut(&mut Write<'_>)) -> bool {
        self.write(|writer| writer.pieces(state).map(|mut write| work(&mut write)).is_some())
    }

    fn limit_repeats(&self, is_limited: bool) {
        self.write(|writer| writer.limit_repeats(is_limited));
    }
}
