//! The client's side: the events of one run, through as many connections as it takes. (E3 to E13.)
//!
//! A [`Follower`] has no socket and no clock. It says what is to be done next ([`Step`]) and is told what came of it. Of what
//! the connections bring, it makes the bytes of one stream, which any reader of AG-UI reads as if nothing had happened:
//! frames that were not finished, that came before or that belong to another run are not in it.

mod backoff;
mod follower;
mod seen;
mod step;

pub use backoff::Backoff;
pub use follower::Follower;
pub use step::{Counts, Settings, Step, Stop};
