//! The followers of a thread: the events of its runs, and the changes by other processes.

use std::string::String;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::vec::Vec;

use tokio::time::{Instant, timeout_at};

use super::driver;
use super::followers::{Connection, FollowerBody};
use super::kind::RunFailure;
use super::records::RunStatus;
use super::refusal::{Refusal, reject};
use super::thread::{FAILURES, RunContinues, Thread};
use super::users::CountKind;
use super::work::Threads;
use crate::emit::AnyError;
use crate::protocols::runs::cursor::Cursor;
use crate::protocols::runs::log::StoredEvent;
use crate::protocols::runs::problem::Code;

/// A request for the events of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct FollowedRun {
    /// The user; `None` if the request was authorized for the run otherwise.
    pub owner: Option<String>,
    /// The run; `None` for the latest.
    pub run_id: Option<String>,
    /// The `Last-Event-ID`.
    pub cursor: Option<String>,
    /// The number of an entry, in place of the cursor: then the events have no cursors.
    pub after: Option<u64>,
    /// The number of keep-alives in a row after which the connection is closed.
    pub idle_limit: u32,
    /// What the kind of the thread needs to write the events, as the protocol of the request.
    pub reply: Option<String>,
}

/// When the entries of a run are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    Now,
    /// When the first one is stored.
    First,
    /// When the run has ended.
    End,
}

/// The entries of a run, as far as they are stored.
#[derive(Clone, Debug)]
pub(crate) struct RunEntries {
    /// The body of the request.
    pub input: String,
    pub has_ended: bool,
    pub entries: Vec<StoredEvent>,
}

impl Thread {
    /// Returns the events of a run; `None` if none follow the cursor.
    pub async fn follow(
        self: &Arc<Self>,
        followed: FollowedRun,
    ) -> Result<Option<FollowerBody>, Refusal> {
        let (owner, run_id) = (followed.owner.as_deref(), followed.run_id.as_deref());
        self.watch().await?;
        let _open = match self.open().await {
            Ok(open) => open,
            Err(error) => return self.unstored(&followed, error).await.map(Some),
        };
        let (state, run) = self.run(owner, run_id).await?;
        let cursor = followed.cursor.as_deref().filter(|text| !text.is_empty());
        let after = match (followed.after, cursor.map(Cursor::parse).transpose()?) {
            (Some(after), _) if after <= self.followers.durable() => after,
            (None, None) => 0,
            (None, Some(Cursor { generation, number }))
                if generation == state.generation && number <= self.followers.durable() =>
            {
                number
            }
            (Some(_), _) | (None, Some(_)) => {
                return reject(
                    Code::InvalidLastEventId,
                    "the Last-Event-ID is no cursor of this thread",
                );
            }
        };
        if run.terminal.is_some_and(|terminal| terminal - self.kind.unsent() <= after) {
            return Ok(None);
        }
        if run.status == RunStatus::Expired {
            let detail =
                "the events of the run are not kept any more; the history has its messages";
            return reject(Code::RunExpired, detail);
        }
        let Threads { followers, counts, options, .. } = &*self.threads;
        let limits = &options.limits;
        let Some(of_thread) = followers.enter(&self.id, limits.thread_connections) else {
            return too_many_connections();
        };
        let of_user = if state.owner.is_empty() {
            None
        } else {
            let most = limits.user_connections;
            let Some(counted) = counts.enter(CountKind::Connections, &state.owner, most).await?
            else {
                return reject(Code::ConnectionLimit, "the user has too many event connections");
            };
            Some(counted)
        };
        let form = self.kind.form(&self.log, &run, &state.generation, &followed).await?;
        let (idle_limit, keep_alive) = (followed.idle_limit, limits.keep_alive);
        let run_id = run.run_id.clone();
        let connection = Connection { run_id, form, after, idle_limit, keep_alive };
        let (frames, sending) = self.followers.clone().follow(self.clone(), connection);
        let thread = self.clone();
        self.threads.spawn(async move {
            if let Err(error) = sending.await {
                thread.report(&*error);
            }
            drop((of_thread, of_user));
        });
        Ok(Some(frames))
    }

    /// Returns the stored events of a run and its end, if the store has often refused the end;
    /// otherwise returns the error.
    async fn unstored(
        &self,
        followed: &FollowedRun,
        error: AnyError,
    ) -> Result<FollowerBody, Refusal> {
        if self.failures.load(Ordering::Relaxed) < FAILURES {
            return Err(error.into());
        }
        let (state, run) = self.run(followed.owner.as_deref(), followed.run_id.as_deref()).await?;
        if run.terminal.is_some() || run.status == RunStatus::Expired {
            return Err(error.into());
        }
        let place = followed.cursor.as_deref().and_then(|text| Cursor::parse(text).ok());
        let after = followed.after.unwrap_or_else(|| {
            place
                .filter(|place| place.generation == state.generation)
                .map_or(0, |place| place.number)
        });
        let stored = self.log.read(&run.run_id, 0, u64::MAX, usize::MAX).await?;
        let mut script = self.kind.script(&self.log, &run, !stored.is_empty()).await?;
        let ending = driver::ending_of(&mut *script, RunFailure::INTERRUPTED)?;
        let ending = ending.into_iter().enumerate().map(|(at, event)| StoredEvent {
            number: state.last + 1 + at as u64,
            run_id: run.run_id.clone(),
            kind: event.kind,
            data: event.data,
        });
        let stored = stored.into_iter().filter(|entry| entry.number > after);
        let entries: Vec<_> = stored.chain(ending).collect();
        let form = self.kind.form(&self.log, &run, &state.generation, followed).await?;
        Ok(FollowerBody::whole((form.write)(&run.run_id, after, &entries).0))
    }

    /// Returns the entries of a run, the latest without an id: those of now, the first ones when
    /// they are stored, or all of them when the run has ended.
    pub async fn entries(
        self: &Arc<Self>,
        owner: Option<&str>,
        run_id: Option<&str>,
        until: Until,
    ) -> Result<RunEntries, Refusal> {
        self.watch().await?;
        drop(self.open().await?);
        let mut place = self.followers.subscribe();
        loop {
            place.mark_unchanged();
            let (_, run) = self.run(owner, run_id).await?;
            self.refuse_if_closed()?;
            let has_ended = run.terminal.is_some();
            if has_ended || until != Until::End {
                let entries = self.log.read(&run.run_id, 0, u64::MAX, usize::MAX).await?;
                if until != Until::First || has_ended || !entries.is_empty() {
                    let input = self.log.input(&run.run_id).await?;
                    return Ok(RunEntries { input, has_ended, entries });
                }
            }
            drop(place.changed().await);
        }
    }

    /// Returns the id of the run after another one, or of the latest one if there is no such run;
    /// `None` if there is none within this time. A thread that does not exist can begin.
    pub async fn next(
        self: &Arc<Self>,
        owner: &str,
        after: Option<&str>,
        wait: Duration,
    ) -> Result<Option<String>, Refusal> {
        let end = Instant::now() + wait;
        self.watch().await?;
        drop(self.open().await?);
        let mut place = self.followers.subscribe();
        loop {
            place.mark_unchanged();
            match self.owned(Some(owner)).await {
                Err(Refusal::Client(refused)) if refused.code == Code::ThreadNotFound => {}
                owned => drop(owned?),
            }
            self.refuse_if_closed()?;
            let mut runs = self.log.ended().await;
            runs.extend(self.log.active().await);
            let next = match runs.iter().position(|run| Some(&*run.run_id) == after) {
                Some(known) => runs.get(known + 1),
                None => runs.last(),
            };
            if next.is_some() || Instant::now() >= end {
                return Ok(next.map(|run| run.run_id.clone()));
            }
            let Threads { followers, options, .. } = &*self.threads;
            let Some(_waiting) = followers.enter(&self.id, options.limits.thread_connections)
            else {
                return too_many_connections();
            };
            drop(timeout_at(end, place.changed()).await);
        }
    }

    /// Refuses a request if the process is about to end.
    fn refuse_if_closed(&self) -> Result<(), Refusal> {
        match self.threads.is_closed() {
            true => reject(Code::StorageUnavailable, "the process is about to end"),
            false => Ok(()),
        }
    }

    /// Returns when changes by other processes are reported.
    pub(super) async fn watch(self: &Arc<Self>) -> Result<(), AnyError> {
        if !self.log.is_shared() {
            return Ok(());
        }
        let mut watching = self.watching.lock().await;
        if watching.as_ref().is_some_and(|task| !task.is_finished()) {
            return Ok(());
        }
        let mut changes = self.threads.store.watch(&self.id).await?;
        let thread = Arc::downgrade(self);
        *watching = Some(tokio::spawn(async move {
            loop {
                changes.changed().await;
                let Some(thread) = thread.upgrade() else { return };
                if let Err(error) = thread.update().await {
                    thread.report(&*error);
                    // The clients resume, when the store answers again.
                    thread.followers.close();
                }
            }
        }));
        Ok(())
    }

    /// Follows the changes by other processes: later entries of the log, a cancellation, a
    /// deletion.
    async fn update(&self) -> Result<(), AnyError> {
        self.read().await?;
        let driving = self.driver().as_ref().map(|driving| driving.run_id.clone());
        let Some(run_id) = driving else { return Ok(()) };
        let Some(run) = self.log.run(&run_id).await else { return Ok(()) };
        if run.canceled {
            self.cancel_driver(&run_id);
        }
        if self.log.is_taken(&run_id).await
            && let Some(driving) = self.driver().as_ref().filter(|one| one.run_id == run_id)
        {
            // Another process continues the run, because this one did not respond.
            driving.stop.send_replace(RunContinues::Abandoned);
        }
        Ok(())
    }
}

fn too_many_connections<T>() -> Result<T, Refusal> {
    reject(Code::ConnectionLimit, "the thread has too many event connections")
}
