//! The settings, steps and counts of a follower.

use crate::core::Limits;

/// The waits and limits of a follower. Times are in milliseconds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The approximate wait before the next connection: 250. It doubles with each connection that brings no data. A
    /// longer wait that the server requests (`retry:`, `Retry-After`) has precedence.
    pub base_delay: u64,
    /// The longest wait that the server did not request: 30 s.
    pub max_delay: u64,
    /// The number of connections in a row without any data after which the follower gives up: 10.
    pub attempts: u32,
    /// A number that differs from that of other clients: it spreads out clients that lost their connection at the same
    /// moment.
    pub seed: u64,
    /// The limits of one event; larger events are dropped and counted.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { base_delay: 250, max_delay: 30_000, attempts: 10, seed: 0, limits: Limits::default() }
    }
}

/// The next step of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'f> {
    /// Request the events, with this `Last-Event-ID` header or without one, and call
    /// [`answered`](super::Follower::answered) or [`closed`](super::Follower::closed).
    Connect {
        /// The cursor.
        last_event_id: Option<&'f str>,
        /// Whether the run starts again from its beginning. If so, discard the state of the stream so far.
        anew: bool,
    },
    /// Read the answer's body: pass each chunk to [`push`](super::Follower::push), and report its end or failure to
    /// [`closed`](super::Follower::closed).
    Read,
    /// Wait so many milliseconds, then call [`waited`](super::Follower::waited).
    Wait(u64),
    /// Stop: the follower has finished.
    Stop(Stop),
}

/// The reason why a follower has finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The run's terminal event was read.
    Ended,
    /// The server has nothing after the cursor, and will not have anything: 204.
    NothingLeft,
    /// The server refused the request, and would refuse it again.
    Refused,
    /// Too many connections in a row brought no data.
    GaveUp,
}

impl Stop {
    /// Returns the name: `ended`, `nothing-left`, `refused`, `gave-up`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Stop::Ended => "ended",
            Stop::NothingLeft => "nothing-left",
            Stop::Refused => "refused",
            Stop::GaveUp => "gave-up",
        }
    }
}

/// The counts of the data that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
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
    /// Events without a cursor (E11): after them, a lost connection starts the run from its beginning.
    pub without_id: u64,
    /// Events that were too large, dropped.
    pub oversize: u64,
}
