//! The retention of a thread's log. A run that is old, or exceeds the limit, is shortened: pieces
//! of a text are joined. If that is not enough, the logs of the oldest runs are deleted. The
//! messages of the history stay.

use std::time::Duration;
use std::vec::Vec;

use super::options::Options;
use crate::emit::AnyError;
use crate::protocols::runs::log::{Joining, StoredEvent};
use crate::threads::{NewEvent, ThreadLog, millis};

/// The number of entries that are read at once.
const BATCH: usize = 256;

/// Keeps a log within its limits. Returns the time until the next run becomes old, if there is one.
/// The log must not have followers, which would miss the end of a log that is deleted.
pub(super) async fn retain(
    log: &ThreadLog,
    options: &Options,
    now: u64,
) -> Result<Option<Duration>, AnyError> {
    let is_large = async || {
        Ok::<_, AnyError>(
            log.state().await?.is_some_and(|state| state.bytes > options.endpoints.log_bytes),
        )
    };
    let keep = millis(options.log_time);
    let runs = log.ended().await;
    let mut next = None;
    for run in runs.iter().filter(|run| !run.is_short) {
        let old = run.at.saturating_add(keep);
        if old > now && !is_large().await? {
            next = Some(Duration::from_millis(old - now));
            break;
        }
        log.shorten(&run.run_id, &joined(log, &run.run_id).await?).await?;
    }
    for run in &runs {
        if !is_large().await? {
            break;
        }
        log.expire(&run.run_id).await?;
    }
    Ok(next)
}

/// Returns the log of a run as a reader receives it after the end.
async fn joined(log: &ThreadLog, run_id: &str) -> Result<Vec<NewEvent>, AnyError> {
    let mut joining = Joining::default();
    for_each(log, run_id, |entry| joining.add(entry)).await?;
    let joined = joining.end().into_iter();
    Ok(joined
        .map(|(StoredEvent { kind, data, .. }, pieces)| NewEvent {
            kind,
            data,
            pieces: if pieces.len() > 1 { pieces } else { Vec::new() },
        })
        .collect())
}

/// Calls `take` with each entry of a run.
pub(super) async fn for_each(
    log: &ThreadLog,
    run_id: &str,
    mut take: impl FnMut(StoredEvent),
) -> Result<(), AnyError> {
    let mut after = 0;
    loop {
        let read = log.read(run_id, after, u64::MAX, BATCH).await?;
        let Some(last) = read.last() else { return Ok(()) };
        after = last.number;
        read.into_iter().for_each(&mut take);
    }
}
