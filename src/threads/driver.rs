//! Drives one run: receives the entries that the agent sends, stores them in batches, and publishes
//! those that are stored.

use std::boxed::Box;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::string::String;
use std::vec::Vec;

use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep};

use super::kind::{RunFailure, RunScript, Started};
use super::records::StoredRun;
use super::run_log::NewEvent;
use super::thread::{RunContinues, Thread};
use super::thread_log::ThreadState;
use crate::core::limits::Limits;
use crate::emit::AnyError;
use crate::protocols::runs::log::StoredEvent;
use crate::stores::StoreFuture;

/// The limits of a batch: the number of events and of bytes.
const EVENTS: usize = 128;
const BYTES: usize = 64 * 1024;
/// The time within which an agent must end after it received a request to stop, if it waits for
/// that.
const GRACE: Duration = Duration::from_secs(5);
/// The maximum number of bytes of one entry, which stores accept.
const MAX_EVENT_BYTES: usize = 1_900_000;

/// The entries of a run that are not stored yet.
struct Batch<'a> {
    thread: &'a Thread,
    run_id: &'a str,
    script: Box<dyn RunScript>,
    entries: Vec<NewEvent>,
    bytes: usize,
}

impl<'a> Batch<'a> {
    /// Adds an entry, if it is allowed here.
    fn take(&mut self, data: String) -> Result<(), AnyError> {
        if data.len() > Limits::default().event_bytes.min(MAX_EVENT_BYTES) {
            return Err("the agent has sent an event that is larger than readers accept".into());
        }
        let kind = self.script.append(&data)?;
        self.bytes += data.len();
        self.entries.push(NewEvent::new(kind, data));
        Ok(())
    }

    /// Ends the run, unless it is over.
    fn end(&mut self, failure: Option<RunFailure>, has_ended: bool) -> Result<(), AnyError> {
        if !self.script.is_over() {
            for data in self.script.ending(failure, has_ended) {
                self.take(data)?;
            }
        }
        Ok(())
    }

    /// Returns the work that stores the batch, and publishes it when it is stored; the end of a run
    /// with its messages, if it `has_messages`.
    fn store(
        &mut self,
        has_messages: bool,
    ) -> impl Future<Output = Result<(), AnyError>> + Send + use<'a> {
        self.bytes = 0;
        let entries = core::mem::take(&mut self.entries);
        // The end is the last entry, so it is in this batch.
        let (thread, run_id, is_last) = (self.thread, self.run_id, self.script.is_over());
        async move {
            let log = &thread.log;
            let messages = match is_last {
                true if has_messages => Some(thread.kind.messages_of(log, run_id, &entries).await?),
                true => Some(Vec::new()),
                false => None,
            };
            let last = log.append(run_id, &entries, messages.as_deref()).await?;
            let before = last - entries.len() as u64;
            let entries = entries.into_iter().enumerate().map(|(at, event)| StoredEvent {
                number: before + 1 + at as u64,
                run_id: run_id.into(),
                kind: event.kind,
                data: event.data,
            });
            thread.followers.published(&entries.collect::<Vec<_>>());
            Ok(())
        }
    }
}

/// Returns the entries that end a run with a failure, without storing them.
pub(super) fn ending_of(
    script: &mut dyn RunScript,
    failure: RunFailure,
) -> Result<Vec<NewEvent>, AnyError> {
    let mut entries = Vec::new();
    for data in script.ending(Some(failure), false) {
        entries.push(NewEvent::new(script.append(&data)?, data));
    }
    Ok(entries)
}

/// Ends a run whose process was killed; `has_begun` is set if its log has events. With `may_lose`,
/// the run ends without its messages if they cannot be stored.
pub(super) async fn interrupt(
    thread: &Thread,
    run: &StoredRun,
    has_begun: bool,
    may_lose: bool,
) -> Result<(), AnyError> {
    end(thread, run, has_begun, RunFailure::INTERRUPTED, may_lose).await
}

async fn end(
    thread: &Thread,
    run: &StoredRun,
    has_begun: bool,
    failure: RunFailure,
    may_lose: bool,
) -> Result<(), AnyError> {
    let ended = async |has_messages| {
        let script = thread.kind.script(&thread.log, run, has_begun).await?;
        let run_id = &*run.run_id;
        let mut batch = Batch { thread, run_id, script, entries: Vec::new(), bytes: 0 };
        batch.end(Some(failure), false)?;
        batch.store(has_messages).await
    };
    let Err(error) = ended(true).await else { return Ok(()) };
    if !may_lose {
        return Err(error);
    }
    ended(false).await?;
    thread.report(&*error);
    Ok(())
}

/// Runs an agent. Returns when the end is stored, or when the run was abandoned.
pub(super) async fn drive(
    thread: &Thread,
    state: &ThreadState,
    run: &StoredRun,
    mut stop: watch::Receiver<RunContinues>,
) -> Result<(), AnyError> {
    let Started { chunks, stop: stop_request } =
        match thread.kind.start(&thread.log, run, state).await? {
            Ok(started) => started,
            Err(error) => {
                thread.report(&*error);
                return end(thread, run, false, RunFailure::FAILED, false).await;
            }
        };
    let script = thread.kind.script(&thread.log, run, false).await?;
    let mut batch = Batch { thread, run_id: &run.run_id, script, entries: Vec::new(), bytes: 0 };
    let mut chunks = Some(chunks);
    let mut timer = pin!(sleep(thread.threads.options.limits.run_time));
    let mut failure = None;
    let mut storing: Option<StoreFuture<'_, ()>> = None;
    loop {
        if storing.is_none() && !batch.entries.is_empty() {
            storing = Some(Box::pin(batch.store(true)));
        }
        if storing.is_none() && chunks.is_none() {
            return Ok(());
        }
        let is_running = chunks.is_some();
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
                Ok(RunContinues::Canceled) => stops_with = Some(RunFailure::CANCELED),
                Ok(RunContinues::Abandoned) | Err(_) => {
                    chunks = None;
                    batch.entries.clear();
                }
            },
            () = &mut timer, if is_running => match failure {
                None => stops_with = Some(RunFailure::LATE),
                Some(_) => {
                    batch.end(failure, false)?;
                    chunks = None;
                }
            },
            chunk = poll_fn(|context| chunks.as_mut().expect("the condition").as_mut().poll_next(context)),
                if is_running && has_room =>
            {
                let Some(chunk) = chunk else {
                    batch.end(failure, true)?;
                    chunks = None;
                    continue;
                };
                for data in batch.script.split(chunk) {
                    if let Err(error) = batch.take(data) {
                        thread.report(&*error);
                        batch.end(Some(RunFailure::FAILED), false)?;
                    }
                    if batch.script.is_over() {
                        chunks = None;
                        break;
                    }
                }
            }
        }
        if stops_with.is_some() && failure.is_none() && chunks.is_some() {
            failure = stops_with;
            // An agent that does not wait for it is dropped where it waits for something else.
            timer
                .as_mut()
                .reset(Instant::now() + if stop_request.send() { GRACE } else { Duration::ZERO });
        }
    }
}
