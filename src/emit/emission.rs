//! A running agent as the stream that it writes.

use std::boxed::Box;
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::vec::Vec;

use futures_core::Stream;

use super::answer::IntoAnswer;
use super::failure::{AnyError, Failure, FailureReporter, NoOutput, OnRunError};
use super::out::Out;
use super::writer::Writer;
use crate::core::error::UsageError;
use crate::core::id::IdSource;
use crate::hub::{EndError, Losses};
use crate::protocols::ProtocolKind;
use crate::protocols::agent_api::builder::BuilderOptions;

/// Ends a run.
type Stop = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Receives an answer as a response of the Agent API.
#[cfg(feature = "axum")]
type OnAnswer = Box<dyn FnOnce(crate::json::Value) + Send>;

/// Receives the losses of a request and its answer.
type OnLosses = Box<dyn FnOnce(&Losses) + Send>;

/// The failure of an agent that has written nothing: see [`Emission::begin`].
#[derive(Debug)]
#[non_exhaustive]
pub struct EarlyFailure {
    /// The error that the agent returned.
    pub error: AnyError,
    /// The id of the error.
    pub id: String,
    /// The result of the function of [`EmitOptions::on_error`]; `None` if the client receives the
    /// id alone.
    pub shown: Option<EndError>,
}

/// The options of emitting an answer.
pub struct EmitOptions {
    protocol: ProtocolKind,
    write: BuilderOptions,
    errors: Box<dyn IdSource>,
    on_error: Option<OnRunError>,
    on_losses: Option<OnLosses>,
    beats: Option<Pin<Box<dyn Stream<Item = ()> + Send>>>,
    stop: Option<Stop>,
    #[cfg(feature = "axum")]
    on_answer: Option<OnAnswer>,
}

impl EmitOptions {
    /// Creates options for an answer in this protocol. `write` has the source of ids, the clock,
    /// and the ids of the run and the conversation; `errors` creates the ids that a client receives
    /// instead of an error.
    pub fn new(
        protocol: ProtocolKind,
        write: BuilderOptions,
        errors: impl IdSource + 'static,
    ) -> Self {
        EmitOptions {
            protocol,
            write,
            errors: Box::new(errors),
            on_error: None,
            on_losses: None,
            beats: None,
            stop: None,
            #[cfg(feature = "axum")]
            on_answer: None,
        }
    }

    /// Creates options for an answer in this protocol, with random ids and the time of the system.
    #[cfg(feature = "uuid")]
    pub fn random(protocol: ProtocolKind, clock: crate::core::id::Clock) -> Self {
        use crate::core::id::RandomIds;
        Self::new(protocol, BuilderOptions::new(RandomIds, clock), RandomIds)
    }

    /// Changes how an Agent API answer is written: its session, and the id that the client requests
    /// for the response.
    pub fn write(mut self, change: impl FnOnce(BuilderOptions) -> BuilderOptions) -> Self {
        self.write = change(self.write);
        self
    }

    /// Sets the function that receives the error of the agent, and those of the tools of
    /// `run_tools`. The client receives the result of the function; without it, an id. The function
    /// also receives [`NoOutput`], whose result is ignored.
    pub fn on_error(
        mut self,
        handler: impl FnMut(Failure<'_>) -> Option<EndError> + Send + 'static,
    ) -> Self {
        self.on_error = Some(Box::new(handler));
        self
    }

    /// Sets the function that receives the losses of the request and the answer when the agent has
    /// ended, if there are any.
    pub fn on_losses(mut self, handler: impl FnOnce(&Losses) + Send + 'static) -> Self {
        self.on_losses = Some(Box::new(handler));
        self
    }

    /// Ends the run as canceled when this future is ready: the agent is dropped where it waits, and
    /// the stream has the end of its protocol.
    pub fn until(mut self, stop: impl Future<Output = ()> + Send + 'static) -> Self {
        self.stop = Some(Box::pin(stop));
        self
    }

    /// Sets the function that receives the answer, also one that was cut off, as a response of the
    /// Agent API.
    #[cfg(feature = "axum")]
    pub(crate) fn on_answer(
        mut self,
        on_answer: impl FnOnce(crate::json::Value) + Send + 'static,
    ) -> Self {
        self.on_answer = Some(Box::new(on_answer));
        self
    }

    /// Sends a comment for each item of this stream, for example every 15 seconds: intermediaries
    /// close connections that are idle.
    pub fn heartbeat(mut self, beats: impl Stream<Item = ()> + Send + 'static) -> Self {
        self.beats = Some(Box::pin(beats));
        self
    }
}

impl fmt::Debug for EmitOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmitOptions").field("protocol", &self.protocol).finish_non_exhaustive()
    }
}

/// Runs an agent while its answer is read. Returns the stream of server-sent events that it writes,
/// in chunks of whole events. The agent may also return its answer ([`IntoAnswer`]).
///
/// The agent is a part of the stream. It runs when the stream is polled, waits while the stream is
/// not read, and is dropped with the stream, which is how it is notified that the client has gone.
/// The stream always ends legally: an error that the agent returns, or a panic, becomes the
/// protocol's failure, and the client only receives an id.
///
/// # Errors
///
/// [`UsageError`] for protocols that this build cannot write.
pub fn emit<F, A, R>(
    options: EmitOptions,
    agent: F,
) -> Result<Emission<impl Future<Output = Result<(), AnyError>> + use<F, A, R>>, UsageError>
where
    F: FnOnce(Out) -> A,
    A: Future<Output = Result<R, AnyError>>,
    R: IntoAnswer,
{
    emit_written(options, |out| {
        let running = agent(out.clone());
        async move { running.await?.write_to(&out).await }
    })
}

/// As [`emit`], for agents that write all of their answer.
pub(crate) fn emit_written<F, A>(options: EmitOptions, agent: F) -> Result<Emission<A>, UsageError>
where
    F: FnOnce(Out) -> A,
    A: Future<Output = Result<(), AnyError>>,
{
    let failures = FailureReporter::new(options.errors, options.on_error);
    #[cfg_attr(not(feature = "axum"), allow(unused_mut, reason = "only services record answers"))]
    let mut writer = Writer::new(options.protocol, options.write)?;
    #[cfg(feature = "axum")]
    if options.on_answer.is_some() {
        writer.record();
    }
    let room = SharedWriter::new(writer, failures);
    let started = room.started();
    let agent = Some(Box::pin(agent(Out::new(room.clone()))));
    Ok(Emission {
        agent,
        room,
        started,
        early: None,
        on_losses: options.on_losses,
        beats: options.beats,
        stop: options.stop,
        #[cfg(feature = "axum")]
        on_answer: options.on_answer,
    })
}

/// An answer that is being emitted: see [`emit`].
pub struct Emission<A> {
    /// `None` when it has ended.
    agent: Option<Pin<Box<A>>>,
    room: SharedWriter,
    /// The length of the start of the answer.
    started: usize,
    /// The failure of an agent that has written nothing.
    early: Option<EarlyFailure>,
    on_losses: Option<OnLosses>,
    beats: Option<Pin<Box<dyn Stream<Item = ()> + Send>>>,
    stop: Option<Stop>,
    #[cfg(feature = "axum")]
    on_answer: Option<OnAnswer>,
}

impl<A: Future<Output = Result<(), AnyError>>> Emission<A> {
    /// Runs the agent until it has written something or has ended. Call it before the stream is
    /// read.
    ///
    /// Returns the failure of an agent that has written nothing. Nothing has been sent then, so
    /// that a server can respond with an HTTP status. The stream contains the failure, too.
    pub async fn begin(&mut self) -> Option<EarlyFailure> {
        poll_fn(|context| {
            self.poll_agent(context);
            if self.agent.is_some() {
                self.poll_beats(context);
            }
            match self.agent.is_none() || self.room.has_grown(self.started, context) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
        self.early.take()
    }

    /// Returns the losses of the request and the answer so far.
    pub fn losses(&self) -> Losses {
        self.room.losses()
    }

    fn poll_agent(&mut self, context: &mut Context<'_>) {
        let Some(agent) = &mut self.agent else { return };
        if self.stop.as_mut().is_some_and(|stop| stop.as_mut().poll(context).is_ready()) {
            self.agent = None;
            let losses = self.losses();
            if let Some(on_losses) = self.on_losses.take_if(|_| !losses.is_empty()) {
                on_losses(&losses);
            }
            self.room.write(Writer::cancel);
            self.answered();
            return;
        }
        let polled = catch_unwind(AssertUnwindSafe(|| agent.as_mut().poll(context)));
        let ended = match polled {
            Ok(Poll::Pending) if !self.room.read(Writer::has_ended) => return,
            // The agent has ended the run itself: later results of it are ignored.
            Ok(Poll::Pending | Poll::Ready(Ok(()))) => Ok(()),
            Ok(Poll::Ready(Err(error))) => Err(error),
            Err(_) => Err("the agent panicked".into()),
        };
        self.agent = None;
        let losses = self.losses();
        if let Some(on_losses) = self.on_losses.take_if(|_| !losses.is_empty()) {
            on_losses(&losses);
        }
        let has_output = self.room.read(Writer::has_output);
        match ended {
            Ok(()) => {
                self.room.write(Writer::complete);
                if !has_output {
                    self.room.failures.report(&NoOutput, None);
                }
            }
            Err(error) => {
                let (id, shown) = self.room.failures.report(&*error, None);
                let code =
                    shown.as_ref().and_then(|shown| shown.code.as_deref()).unwrap_or(UNKNOWN);
                let masked = std::format!("an internal error happened, its id is {id}");
                let message = shown.as_ref().map_or(&*masked, |shown| &shown.message);
                self.room.write(|out| out.fail(code, message));
                self.early = (!has_output).then_some(EarlyFailure { error, id, shown });
            }
        }
        self.answered();
    }

    fn poll_beats(&mut self, context: &mut Context<'_>) {
        while let Some(beats) = &mut self.beats {
            match beats.as_mut().poll_next(context) {
                Poll::Ready(Some(())) => self.room.write(Writer::heartbeat),
                Poll::Ready(None) => self.beats = None,
                Poll::Pending => return,
            }
        }
    }
}

/// The code of AgentScope's runtime for unknown errors.
const UNKNOWN: &str = "AGENT_UNKNOWN_ERROR";

impl<A: Future<Output = Result<(), AnyError>>> Stream for Emission<A> {
    type Item = String;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<String>> {
        let this = self.get_mut();
        this.poll_agent(context);
        if this.agent.is_some() {
            this.poll_beats(context);
        }
        match this.room.take(context) {
            Some(text) => Poll::Ready(Some(text)),
            None if this.agent.is_none() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

impl<A> Emission<A> {
    /// Passes on the answer, once.
    fn answered(&mut self) {
        #[cfg(feature = "axum")]
        if let Some(on_answer) = self.on_answer.take()
            && let Some(answer) = self.room.write(Writer::recorded)
        {
            on_answer(answer);
        }
    }
}

/// Handles of the output that other tasks have write nothing more.
impl<A> Drop for Emission<A> {
    fn drop(&mut self) {
        self.room.abandon();
        self.answered();
    }
}

impl<A> fmt::Debug for Emission<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Emission").field("ended", &self.agent.is_none()).finish_non_exhaustive()
    }
}

// State that an agent and its reader share: the text between them, and the tasks that wait.

/// The number of bytes that may wait for the reader before the agent has to wait. The start of the
/// answer, which is there before the agent runs, does not count: it can repeat a long request.
const BUFFER_LIMIT: usize = 16 << 10;

/// The writer, shared by all handles of one run.
#[derive(Clone, Debug)]
pub(super) struct SharedWriter {
    state: Arc<Mutex<WriterState>>,
    /// Reports the errors of the run.
    pub failures: FailureReporter,
}

#[derive(Debug)]
struct WriterState {
    writer: Writer,
    /// The length of the start of the answer while it waits for the reader.
    started: usize,
    /// Agents that wait for the reader.
    writers: Vec<Waker>,
    /// The reader, if it waits for text.
    reader: Option<Waker>,
    /// The losses so far.
    losses: Losses,
}

impl WriterState {
    fn is_full(&self) -> bool {
        self.writer.len() >= BUFFER_LIMIT + self.started && !self.writer.has_ended()
    }
}

impl SharedWriter {
    pub fn new(writer: Writer, failures: FailureReporter) -> Self {
        let (started, writers, reader) = (writer.len(), Vec::new(), None);
        let state = WriterState { writer, started, writers, reader, losses: Losses::default() };
        SharedWriter { state: Arc::new(Mutex::new(state)), failures }
    }

    /// Locks the state. The lock stays usable after a panic of a caller, which leaves the state
    /// consistent.
    fn lock(&self) -> MutexGuard<'_, WriterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` and wakes the reader.
    pub fn write<T>(&self, work: impl FnOnce(&mut Writer) -> T) -> T {
        let mut inside = self.lock();
        let done = work(&mut inside.writer);
        let reader = inside.reader.take();
        drop(inside);
        if let Some(reader) = reader {
            reader.wake();
        }
        done
    }

    /// Calls `work`, which changes nothing.
    fn read<T>(&self, work: impl FnOnce(&Writer) -> T) -> T {
        work(&self.lock().writer)
    }

    /// Returns the length of the start of the answer while it waits for the reader.
    fn started(&self) -> usize {
        self.lock().started
    }

    /// Ends the run without a reader: later output is ignored, and no agent waits.
    fn abandon(&self) {
        let mut inside = self.lock();
        inside.writer.cancel();
        inside.writer.take();
        let writers = std::mem::take(&mut inside.writers);
        drop(inside);
        writers.into_iter().for_each(Waker::wake);
    }

    pub fn forget_losses(&self) {
        self.lock().losses = Losses::default();
    }

    pub fn losses(&self) -> Losses {
        self.lock().losses.clone()
    }

    pub fn add_losses(&self, losses: &Losses) {
        self.lock().losses.extend(losses);
    }

    /// Reports whether an agent has to wait for the reader.
    pub fn is_full(&self) -> bool {
        self.lock().is_full()
    }

    /// Is ready when less than [`BUFFER_LIMIT`] bytes wait for the reader.
    pub fn poll_room(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut inside = self.lock();
        if !inside.is_full() {
            return Poll::Ready(());
        }
        if !inside.writers.iter().any(|waker| waker.will_wake(context.waker())) {
            inside.writers.push(context.waker().clone());
        }
        Poll::Pending
    }

    /// Reports whether more than this number of bytes have been written and not taken. Otherwise
    /// registers the reader to be woken at the next write.
    fn has_grown(&self, bytes: usize, context: &mut Context<'_>) -> bool {
        let mut inside = self.lock();
        let has_grown = inside.writer.len() > bytes;
        if !has_grown {
            inside.reader = Some(context.waker().clone());
        }
        has_grown
    }

    /// Returns the text that has been written, if any. Otherwise registers the reader to be woken
    /// at the next write.
    pub fn take(&self, context: &mut Context<'_>) -> Option<String> {
        let mut inside = self.lock();
        if inside.writer.is_empty() {
            inside.reader = Some(context.waker().clone());
            return None;
        }
        inside.started = 0;
        let text = inside.writer.take();
        let writers = std::mem::take(&mut inside.writers);
        drop(inside);
        writers.into_iter().for_each(Waker::wake);
        Some(text)
    }
}
