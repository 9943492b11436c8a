//! What a follower is told at its beginning, and what it says.

use crate::core::Limits;

/// How patient a follower is. Times are in milliseconds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// About how long it waits before it connects again: 250. It doubles with each connection that brings nothing. A
    /// server that asks for more (`retry:`, `Retry-After`) gets it.
    pub base_delay: u64,
    /// The longest that it waits of its own accord: 30 s.
    pub max_delay: u64,
    /// After how many connections in a row that brought no byte it gives up: 10.
    pub attempts: u32,
    /// A number that others do not have: it spreads out clients that lost their connection at the same moment.
    pub seed: u64,
    /// Bounds on one event; what is larger is dropped and counted.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { base_delay: 250, max_delay: 30_000, attempts: 10, seed: 0, limits: Limits::default() }
    }
}

/// What the caller has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'f> {
    /// Ask for the events, with this `Last-Event-ID` header or without one, and tell
    /// [`answered`](super::Follower::answered) or [`closed`](super::Follower::closed).
    Connect {
        /// The cursor.
        last_event_id: Option<&'f str>,
        /// The run will be told from its beginning: what was made of the stream so far is to be forgotten.
        anew: bool,
    },
    /// Read the answer's body: tell each chunk to [`push`](super::Follower::push), and its end or failure to
    /// [`closed`](super::Follower::closed).
    Read,
    /// Wait so many milliseconds, and tell [`waited`](super::Follower::waited).
    Wait(u64),
    /// Nothing more is to be done.
    Stop(Stop),
}

/// Why nothing more is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The run's terminal event was read.
    Ended,
    /// The server has nothing after the cursor, and will not have anything: 204.
    NothingLeft,
    /// The server refuses, and would again.
    Refused,
    /// Too many connections in a row brought nothing.
    GaveUp,
}

impl Stop {
    /// A name for it: `ended`, `nothing-left`, `refused`, `gave-up`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Stop::Ended => "ended",
            Stop::NothingLeft => "nothing-left",
            Stop::Refused => "refused",
            Stop::GaveUp => "gave-up",
        }
    }
}

/// What was read, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Answers with a body that was read.
    pub connections: u64,
    /// Times at which the run was told from its beginning again.
    pub resets: u64,
    /// Events that were given on.
    pub events: u64,
    /// Events that came again and were dropped (E8).
    pub redelivered: u64,
    /// Events of other runs, dropped (E5).
    pub foreign: u64,
    /// Events without a cursor of their own (E11): with them, a lost connection means to begin anew.
    pub without_id: u64,
    /// Events that were too large, dropped.
    pub oversize: u64,
}
