//! How many requests a client sends in a minute.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A limit for a minute: so many requests at once, after which each needs its part of a minute.
pub struct Rate {
    per_minute: f64,
    state: Mutex<State>,
}

struct State {
    /// The requests that may be sent now.
    left: f64,
    at: Instant,
}

impl Rate {
    pub fn new(per_minute: NonZeroU32) -> Self {
        let per_minute = f64::from(per_minute.get());
        Rate { per_minute, state: Mutex::new(State { left: per_minute, at: Instant::now() }) }
    }

    /// Counts a request, or returns after how many seconds one is possible.
    pub fn take(&self) -> Result<(), u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = state.at.elapsed();
        state.at += passed;
        let per_second = self.per_minute / 60.0;
        state.left = (state.left + passed.as_secs_f64() * per_second).min(self.per_minute);
        if state.left < 1.0 {
            return Err(((1.0 - state.left) / per_second).ceil() as u64);
        }
        state.left -= 1.0;
        Ok(())
    }
}
