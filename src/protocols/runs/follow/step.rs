//! The settings, steps and counts of a follower, the delay before a retry, and the ids that it has
//! seen.

use crate::core::Limits;
use alloc::collections::BTreeSet;

/// The waits and limits of a follower. Times are in milliseconds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FollowSettings {
    /// The approximate wait before the next connection: 250. It doubles with each connection that
    /// brings no data. A longer wait that the server requests (`retry:`, `Retry-After`) has
    /// precedence.
    pub base_delay: u64,
    /// The longest wait that the server did not request: 30 s.
    pub max_delay: u64,
    /// The number of connections in a row without any data after which the follower gives up: 10.
    pub attempts: u32,
    /// A number that differs from that of other clients: it spreads out clients that lost their
    /// connection at the same moment.
    pub seed: u64,
    /// The limits of one event; larger events are dropped and counted.
    pub limits: Limits,
}

impl Default for FollowSettings {
    fn default() -> Self {
        FollowSettings {
            base_delay: 250,
            max_delay: 30_000,
            attempts: 10,
            seed: 0,
            limits: Limits::default(),
        }
    }
}

/// The next step of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowStep<'f> {
    /// Request the events, with this `Last-Event-ID` header or without one, and call
    /// [`answered`](super::Follower::answered) or [`closed`](super::Follower::closed).
    Connect {
        /// The cursor.
        last_event_id: Option<&'f str>,
        /// Whether the run starts again from its beginning. If so, discard the state of the stream
        /// so far.
        from_start: bool,
    },
    /// Read the answer's body: pass each chunk to [`push`](super::Follower::push), and report its
    /// end or failure to
    /// [`closed`](super::Follower::closed).
    Read,
    /// Wait so many milliseconds, then call [`waited`](super::Follower::waited).
    Wait(u64),
    /// Stop: the follower has finished.
    Stop(FollowEnd),
}

/// The reason why a follower has finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowEnd {
    /// The run's terminal event was read.
    Ended,
    /// The server has nothing after the cursor, and will not have anything: 204.
    NothingLeft,
    /// The server refused the request, and would refuse it again.
    Refused,
    /// Too many connections in a row brought no data.
    GaveUp,
}

impl FollowEnd {
    /// Returns the name: `ended`, `nothing-left`, `refused`, `gave-up`.
    pub const fn as_str(self) -> &'static str {
        match self {
            FollowEnd::Ended => "ended",
            FollowEnd::NothingLeft => "nothing-left",
            FollowEnd::Refused => "refused",
            FollowEnd::GaveUp => "gave-up",
        }
    }
}

/// The counts of the data that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FollowCounts {
    /// Answers whose body was read.
    pub connections: u64,
    /// Restarts from the beginning of the run.
    pub resets: u64,
    /// Events that were passed on.
    pub events: u64,
    /// Repeated events, dropped (E8).
    pub redelivered: u64,
    /// Events of other runs, dropped (E5).
    pub foreign: u64,
    /// Events without a cursor (E11): after them, a lost connection starts the run from its
    /// beginning.
    pub without_id: u64,
    /// Events that were too large, dropped.
    pub oversize: u64,
}

/// The minimum number of cursors that are kept; older ones are forgotten. A server repeats only
/// what it sent shortly before.
const KNOWN: usize = 1 << 18;

/// A set of texts. It keeps a 64-bit hash of each, whatever its length. The set is ordered and not
/// a hash table, so that no choice of ids by a server makes it slow.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenIds {
    recent: BTreeSet<u64>,
    /// The last full set, which is replaced when the recent one is full.
    older: BTreeSet<u64>,
}

impl SeenIds {
    /// Adds an id. Returns whether it is new.
    pub fn add(&mut self, id: &str) -> bool {
        let hash = hash(id);
        if self.older.contains(&hash) || !self.recent.insert(hash) {
            return false;
        }
        if self.recent.len() == KNOWN {
            self.older = core::mem::take(&mut self.recent);
        }
        true
    }
}

/// Returns the FNV-1a hash.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The longest wait, in milliseconds, whatever the server requests.
const LONGEST: u64 = 600_000;

/// The waits between attempts at the same request, in milliseconds. A wait grows with each attempt
/// in a row that brings no data, is random within the upper half of its length, and is never
/// shorter than the server requests.
#[derive(Clone, Debug)]
pub struct Backoff {
    base: u64,
    most: u64,
    attempts: u32,
    /// The number of connections in a row that brought no data.
    fruitless: u32,
    /// The wait that the stream requested (`retry:`), in milliseconds.
    retry: u64,
    state: u64,
}

impl Backoff {
    /// Creates waits of about `base` first and `most` at last, for so many attempts; `seed` is a
    /// number that differs from that of other clients.
    pub fn new(base: u64, most: u64, attempts: u32, seed: u64) -> Self {
        Backoff {
            base: base.max(1),
            most: most.clamp(1, LONGEST),
            attempts,
            fruitless: 0,
            retry: 0,
            state: seed,
        }
    }

    /// Sets the wait that the server requests after each connection.
    pub fn asked(&mut self, milliseconds: u64) {
        self.retry = milliseconds.min(LONGEST);
    }

    /// Returns the next wait, after an attempt that brought data (`has_data`) or none; `None` after
    /// the last attempt. `retry_after` is the wait that the server requests, 0 by default.
    pub fn next(&mut self, has_data: bool, retry_after: u64) -> Option<u64> {
        if has_data {
            self.fruitless = 0;
        } else {
            self.fruitless += 1;
            if self.fruitless >= self.attempts {
                return None;
            }
        }
        let own = self.base.saturating_mul(1 << self.fruitless.min(20)).min(self.most);
        let least = self.retry.max(retry_after.min(LONGEST));
        let length = own.max(least.saturating_add(least / 2));
        let from = least.max(length / 2);
        Some(from + self.random(length - from + 1))
    }

    /// Returns a random number below `below` (SplitMix64).
    fn random(&mut self, below: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    }
}
