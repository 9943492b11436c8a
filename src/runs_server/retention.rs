//! The retention of a thread's log. A run that is old, or exceeds the limit, is shortened: pieces
//! of a text are joined. If that is not enough, the logs of the oldest runs are deleted. The
//! messages of the history stay.

use std::string::{String, ToString};
use std::time::Duration;
use std::vec::Vec;

use super::options::{Retention, millis};
use super::store::{LogEntry, RunsStore};
use crate::emit::AnyError;
use crate::protocols::runs::log::{Joining, StoredEvent, without_pieces};

/// The number of entries that are read at once.
const BATCH: usize = 256;

/// Keeps a log within its limits. Returns the time until the next run becomes old, if there is one.
/// The log must not have followers, which would miss the end of a log that is deleted.
pub(super) async fn retain(
    store: &dyn RunsStore,
    thread: &str,
    retention: &Retention,
    now: u64,
) -> Result<Option<Duration>, AnyError> {
    let is_large = async || {
        Ok::<_, AnyError>(
            store.state(thread).await?.is_some_and(|state| state.bytes > retention.log_bytes),
        )
    };
    let keep = millis(retention.log_time);
    let runs = store.ended(thread).await?;
    let mut next = None;
    for run in runs.iter().filter(|run| !run.is_short) {
        let old = run.at.saturating_add(keep);
        if old > now && !is_large().await? {
            next = Some(Duration::from_millis(old - now));
            break;
        }
        let log = joined(store, thread, &run.run_id).await?;
        store.shorten(thread, &run.run_id, log).await?;
    }
    for run in &runs {
        if !is_large().await? {
            break;
        }
        store.expire(thread, &run.run_id).await?;
    }
    Ok(next)
}

/// Returns the log of a run as a reader receives it after the end.
async fn joined(
    store: &dyn RunsStore,
    thread: &str,
    run_id: &str,
) -> Result<Vec<LogEntry>, AnyError> {
    let mut joining = Joining::default();
    for_each(store, thread, run_id, |entry| joining.add(entry)).await?;
    let joined = joining.end().into_iter();
    Ok(joined.map(|(entry, pieces)| LogEntry { entry, pieces: lengths(&pieces) }).collect())
}

/// Calls `take` with each entry of a run.
pub(super) async fn for_each(
    store: &dyn RunsStore,
    thread: &str,
    run_id: &str,
    mut take: impl FnMut(StoredEvent),
) -> Result<(), AnyError> {
    let mut after = 0;
    loop {
        let read = store.read(thread, run_id, after, BATCH).await?;
        let Some(last) = read.last() else { return Ok(()) };
        after = last.entry.number;
        read.into_iter().for_each(|one| take(one.entry));
    }
}

/// Returns an entry of joined pieces, without the pieces up to a place of the log.
pub(super) fn after_pieces(LogEntry { entry, pieces }: LogEntry, after: u64) -> StoredEvent {
    let lengths: Vec<usize> =
        pieces.iter().flat_map(|list| list.split(' ')).flat_map(str::parse).collect();
    let first = entry.number.saturating_sub(lengths.len() as u64);
    let known = after.saturating_sub(first) as usize;
    without_pieces(entry, lengths.iter().take(known).sum())
}

fn lengths(pieces: &[usize]) -> Option<String> {
    let lengths: Vec<_> = pieces.iter().map(ToString::to_string).collect();
    (lengths.len() > 1).then(|| lengths.join(" "))
}
