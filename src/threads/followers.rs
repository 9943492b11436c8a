//! The connections that follow the log of a thread.

use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use std::vec::Vec;

use bytes::Bytes;
use futures_core::Stream;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};

use super::kind::RunForm;
use super::thread::Thread;
use crate::emit::AnyError;
use crate::protocols::runs::log::StoredEvent;
use crate::sse;

/// The maximum number of entries that a follower reads at once.
const BATCH: usize = 256;
/// The limits of the last entries in memory, which followers read without the store.
const RECENT_ENTRIES: usize = 1024;
const RECENT_BYTES: usize = 1024 * 1024;
/// The maximum number of encoded pieces of the log that followers share.
const SHARED: usize = 8;
/// The number of keep-alives after which a connection whose client reads nothing is closed. The
/// client resumes with its cursor.
pub(crate) const PATIENCE: u32 = 4;

/// The log of a thread, as its followers read it. Each follower is a place in the log, without a
/// queue: a slow one needs no memory.
#[derive(Debug, Default)]
pub(crate) struct Followers {
    recent: Mutex<Recent>,
    place: watch::Sender<LogEnd>,
}

/// The end of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LogEnd {
    /// The number of the last entry that is stored: later ones are not sent.
    durable: u64,
    /// The number of times that all connections were closed.
    closed: u32,
}

#[derive(Debug, Default)]
struct Recent {
    /// The last entries that are stored, without a gap.
    entries: VecDeque<StoredEvent>,
    bytes: usize,
    /// The pieces that were read since the last change of the log, by form and run, and place.
    shared: HashMap<(String, u64), EncodedPiece>,
}

/// An encoded piece of the log.
#[derive(Clone, Debug)]
struct EncodedPiece {
    bytes: Bytes,
    /// The number of its last entry.
    last: u64,
    is_over: bool,
}

/// A connection to the events of a run.
#[derive(Debug)]
pub(super) struct Connection {
    pub run_id: String,
    pub form: RunForm,
    pub after: u64,
    /// The number of keep-alives in a row after which it is closed.
    pub idle_limit: u32,
    pub keep_alive: Duration,
}

impl Followers {
    pub fn durable(&self) -> u64 {
        self.place.borrow().durable
    }

    /// Reports that these entries, and all before them, are stored.
    pub fn published(&self, entries: &[StoredEvent]) {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return };
        let mut recent = self.recent();
        if first.number != self.durable() + 1 {
            *recent = Recent::default();
        }
        recent.shared.clear();
        recent.bytes += entries.iter().map(|entry| entry.data.len()).sum::<usize>();
        recent.entries.extend(entries.iter().cloned());
        while recent.entries.len() > RECENT_ENTRIES || recent.bytes > RECENT_BYTES {
            let oldest = recent.entries.pop_front();
            recent.bytes -= oldest.map_or(0, |entry| entry.data.len());
        }
        self.place.send_modify(|place| place.durable = last.number);
    }

    /// Discards the entries in memory: the log ends with this number, and was possibly rewritten.
    pub fn reread(&self, durable: u64) {
        let mut recent = self.recent();
        *recent = Recent::default();
        self.place.send_modify(|place| place.durable = durable);
    }

    /// Reports that another process has stored entries up to this number.
    pub fn reached(&self, last: u64) {
        self.place.send_if_modified(|place| {
            let is_later = last > place.durable;
            place.durable = place.durable.max(last);
            is_later
        });
    }

    /// Returns a receiver of the changes of the end of the log.
    pub fn subscribe(&self) -> watch::Receiver<LogEnd> {
        self.place.subscribe()
    }

    /// Closes all connections. Their clients resume.
    pub fn close(&self) {
        self.place.send_modify(|place| place.closed += 1);
    }

    /// Begins to send the events of a run. Returns the frames, and the work that sends them.
    pub fn follow(
        self: Arc<Self>,
        thread: Arc<Thread>,
        connection: Connection,
    ) -> (FollowerBody, impl Future<Output = Result<(), AnyError>> + Send + use<>) {
        let (frames, body) = FollowerBody::open();
        let place = self.place.subscribe();
        (body, self.send(thread, connection, place, frames))
    }

    async fn send(
        self: Arc<Self>,
        thread: Arc<Thread>,
        Connection { run_id, form, mut after, idle_limit, keep_alive }: Connection,
        mut place: watch::Receiver<LogEnd>,
        frames: mpsc::Sender<Bytes>,
    ) -> Result<(), AnyError> {
        let closed = place.borrow().closed;
        let mut idle = 0;
        loop {
            let now = *place.borrow_and_update();
            if now.closed != closed {
                return Ok(());
            }
            let mut bytes = Bytes::new();
            let mut is_over = false;
            if now.durable > after {
                EncodedPiece { bytes, last: after, is_over } =
                    self.piece(&thread, &run_id, &form, after, now.durable).await?;
                idle = 0;
            } else {
                tokio::select! {
                    changed = place.changed() => changed?,
                    () = frames.closed() => return Ok(()),
                    () = sleep(keep_alive) => {
                        let mut comment = String::new();
                        sse::comment(&mut comment, "keep-alive");
                        bytes = comment.into();
                        idle += 1;
                    }
                }
            }
            if !bytes.is_empty() {
                // An error: the client has left, or reads nothing.
                let Ok(Ok(())) =
                    timeout(keep_alive.saturating_mul(PATIENCE), frames.send(bytes)).await
                else {
                    return Ok(());
                };
            }
            if is_over || idle >= idle_limit {
                return Ok(());
            }
        }
    }

    /// Returns the next piece for a connection. Connections at the same place share it.
    async fn piece(
        &self,
        thread: &Thread,
        run_id: &str,
        form: &RunForm,
        after: u64,
        durable: u64,
    ) -> Result<EncodedPiece, AnyError> {
        let key = ([&*form.name, " ", run_id].concat(), after);
        let recent = {
            let recent = self.recent();
            if let Some(piece) = recent.shared.get(&key) {
                return Ok(piece.clone());
            }
            recent.after(run_id, after)
        };
        let entries: Vec<StoredEvent> = match recent {
            Some(entries) => entries,
            None => thread.log.read(run_id, after, durable, BATCH).await?,
        };
        let (out, is_over) = (form.write)(run_id, after, &entries);
        // Without entries of the run, those up to the end are of other runs.
        let last = entries.last().map_or(durable, |entry| entry.number);
        let piece = EncodedPiece { bytes: out.into(), last, is_over };
        let mut recent = self.recent();
        // A later entry may have been published meanwhile: the piece then ends before it, and is
        // valid.
        if recent.shared.len() >= SHARED {
            recent.shared.clear();
        }
        recent.shared.insert(key, piece.clone());
        Ok(piece)
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recent {
    /// Returns the entries of a run after a place, at most a batch; `None` if older ones have to be
    /// read from the store.
    fn after(&self, run_id: &str, after: u64) -> Option<Vec<StoredEvent>> {
        let first =
            self.entries.front().map(|entry| entry.number).filter(|first| after + 1 >= *first)?;
        let later = self.entries.iter().skip((after + 1 - first) as usize);
        Some(later.filter(|entry| entry.run_id == run_id).take(BATCH).cloned().collect())
    }
}

/// The body of a response.
#[derive(Debug)]
pub(crate) struct FollowerBody(mpsc::Receiver<Bytes>);

impl FollowerBody {
    /// Returns a body, and a sender of its bytes.
    pub fn open() -> (mpsc::Sender<Bytes>, Self) {
        let (frames, received) = mpsc::channel(1);
        (frames, FollowerBody(received))
    }

    /// Returns a body that has arrived.
    pub fn whole(text: String) -> Self {
        let (frames, body) = Self::open();
        // The channel has room for it.
        drop(frames.try_send(text.into()));
        body
    }
}

impl Stream for FollowerBody {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(Ok))
    }
}
