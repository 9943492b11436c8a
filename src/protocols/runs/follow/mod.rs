//! The client's side: the events of one run, through as many connections as it takes. (E3 to E13.)
//!
//! A [`Follower`] has no socket and no clock. It returns the next [`Step`], and the caller reports the result. It makes
//! one stream of the bytes of all connections, and any reader of AG-UI reads this stream as if there had been one
//! connection: it has no incomplete frames, no repeated frames and no frames of other runs.

mod follower;
mod step;

pub use follower::Follower;
pub use step::Backoff;
pub use step::{Counts, Settings, Step, Stop};
