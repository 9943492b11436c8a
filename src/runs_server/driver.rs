//! Drives one run: receives the agent's events, stores them in batches, and publishes those that
//! are stored.

use std::boxed::Box;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use futures_core::Stream;
use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep};

use super::messages::{messages_of, object};
use super::options::{StopRequest, now};
use super::store::StoreFuture;
use super::thread::{RunContinues, Thread};
use crate::core::limits::Limits;
use crate::emit::AnyError;
use crate::protocols::runs::log::{LogWriter, StoredEvent, run_error};

/// The limits of a batch: the number of events and of bytes.
const EVENTS: usize = 128;
const BYTES: usize = 64 * 1024;
/// The time within which an agent must end after it received a request to stop, if it waits for
/// that.
const GRACE: Duration = Duration::from_secs(5);

/// The code and the message of the end of a run from outside.
type RunFailure = (&'static str, &'static str);
const LATE: RunFailure = ("AGENT_TIMEOUT", "the run took too long");
const CANCELED: RunFailure = ("AGENT_RUN_CANCELLED", "the run was cancelled");
const TRUNCATED: RunFailure = ("AGENT_TRUNCATED", "the agent has stopped before its end");
pub(super) const FAILED: RunFailure = ("AGENT_FAILED", "the agent has failed");
pub(super) const INTERRUPTED: RunFailure = ("AGENT_RUN_INTERRUPTED", "the run was interrupted");

/// The events of a run that are not stored yet.
struct Batch<'a> {
    thread: &'a Thread,
    writer: LogWriter,
    entries: Vec<StoredEvent>,
    bytes: usize,
    /// The number of the last entry.
    last: u64,
}

impl<'a> Batch<'a> {
    /// The first entry follows the end of the log.
    fn new(thread: &'a Thread, writer: LogWriter) -> Self {
        Batch { thread, writer, entries: Vec::new(), bytes: 0, last: thread.log.durable() }
    }

    /// Adds an event, if it is allowed here.
    fn take(&mut self, data: String) -> Result<(), AnyError> {
        if data.len() > Limits::default().event_bytes {
            return Err("the agent has sent an event that is larger than readers accept".into());
        }
        let kind = self.writer.append(&data)?;
        self.bytes += data.len();
        self.last += 1;
        self.entries.push(StoredEvent {
            number: self.last,
            run_id: self.writer.run_id().into(),
            kind,
            data,
        });
        Ok(())
    }

    /// Ends the run, unless it is over.
    fn end(&mut self, (code, message): RunFailure) {
        let start = object(|event| {
            event.string("type", Some("RUN_STARTED"));
            event.string("threadId", Some(&self.thread.id));
            event.string("runId", Some(self.writer.run_id()));
        });
        if !self.writer.has_begun() {
            self.take(start).expect("the beginning of a run");
        }
        if !self.writer.is_over() {
            self.take(run_error(code, message))
                .expect("an error is allowed in every state of a run");
        }
    }

    /// Returns the work that stores the batch, and publishes it when it is stored; the end of a run
    /// with its messages, if it `has_messages`.
    fn store(
        &mut self,
        has_messages: bool,
    ) -> impl Future<Output = Result<(), AnyError>> + use<'a> {
        self.bytes = 0;
        let entries: Arc<[StoredEvent]> = core::mem::take(&mut self.entries).into();
        // The end is the last entry, so it is in this batch.
        let (thread, run_id, is_last) =
            (self.thread, self.writer.run_id().to_owned(), self.writer.is_over());
        async move {
            let store = thread.store();
            let messages = match is_last {
                true if has_messages => {
                    Some(messages_of(store, &thread.id, &run_id, &entries, now()).await?)
                }
                true => Some(Vec::new()),
                false => None,
            };
            store.append(&thread.id, entries.clone(), messages).await?;
            thread.log.published(&entries);
            Ok(())
        }
    }
}

/// Returns the end of a run: `has_begun` is set if its log has events.
fn ending<'a>(thread: &'a Thread, run_id: &str, has_begun: bool, failure: RunFailure) -> Batch<'a> {
    let writer = if has_begun { LogWriter::running(run_id) } else { LogWriter::new(run_id) };
    let mut batch = Batch::new(thread, writer);
    batch.end(failure);
    batch
}

/// Returns the entries that end a run, without storing them.
pub(super) fn end_entries(
    thread: &Thread,
    run_id: &str,
    has_begun: bool,
    failure: RunFailure,
) -> Vec<StoredEvent> {
    ending(thread, run_id, has_begun, failure).entries
}

/// Ends a run without its agent: `has_begun` is set if its log has events. With `may_lose`, the run
/// ends without its messages if they cannot be stored.
pub(super) async fn end(
    thread: &Thread,
    run_id: &str,
    has_begun: bool,
    failure: RunFailure,
    may_lose: bool,
) -> Result<(), AnyError> {
    let stored = ending(thread, run_id, has_begun, failure).store(true).await;
    let Err(error) = stored else { return Ok(()) };
    if !may_lose {
        return Err(error);
    }
    ending(thread, run_id, has_begun, failure).store(false).await?;
    thread.report(&*error);
    Ok(())
}

/// Runs an agent, whose `events` are frames of AG-UI. Returns when the end is stored, or when the
/// run was abandoned.
pub(super) async fn drive(
    thread: &Thread,
    run_id: &str,
    events: impl Stream<Item = String> + Send,
    mut stop: watch::Receiver<RunContinues>,
    stop_request: &StopRequest,
    time: Duration,
) -> Result<(), AnyError> {
    let mut batch = Batch::new(thread, LogWriter::new(run_id));
    let mut events = Some(Box::pin(events));
    let mut timer = pin!(sleep(time));
    let mut failure = None;
    let mut storing: Option<StoreFuture<'_, ()>> = None;
    loop {
        if storing.is_none() && !batch.entries.is_empty() {
            storing = Some(Box::pin(batch.store(true)));
        }
        if storing.is_none() && events.is_none() {
            return Ok(());
        }
        let is_running = events.is_some();
        let has_room = batch.entries.len() < EVENTS && batch.bytes < BYTES;
        // The reason to end the run now, or to ask its agent to end.
        let mut stops_with = None;
        tokio::select! {
            stored = async { storing.as_mut().expect("the condition").await }, if storing.is_some() => {
                storing = None;
                stored?;
            }
            changed = stop.changed(), if is_running => match changed.map(|()| *stop.borrow_and_update()) {
                Ok(RunContinues::Not) => {}
                Ok(RunContinues::Canceled) => stops_with = Some(CANCELED),
                Ok(RunContinues::Abandoned) | Err(_) => {
                    events = None;
                    batch.entries.clear();
                }
            },
            () = &mut timer, if is_running => match failure {
                None => stops_with = Some(LATE),
                Some(failure) => {
                    batch.end(failure);
                    events = None;
                }
            },
            chunk = poll_fn(|context| events.as_mut().expect("the condition").as_mut().poll_next(context)),
                if is_running && has_room =>
            {
                let Some(chunk) = chunk else {
                    batch.end(failure.unwrap_or(TRUNCATED));
                    events = None;
                    continue;
                };
                for data in chunk.lines().filter_map(|line| line.strip_prefix("data: ")) {
                    if let Err(error) = batch.take(data.into()) {
                        thread.report(&*error);
                        batch.end(FAILED);
                    }
                    if batch.writer.is_over() {
                        events = None;
                        break;
                    }
                }
            }
        }
        if stops_with.is_some() && failure.is_none() && events.is_some() {
            failure = stops_with;
            // An agent that does not wait for it is dropped where it waits for something else.
            timer
                .as_mut()
                .reset(Instant::now() + if stop_request.send() { GRACE } else { Duration::ZERO });
        }
    }
}
