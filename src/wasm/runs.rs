//! Following a run.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::json::ObjectWriter;
use crate::protocols::runs::follow::{Backoff, FollowSettings, FollowStep, Follower};

/// Follows a run.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawFollower(Follower);

#[wasm_bindgen]
impl RawFollower {
    /// Times are in milliseconds.
    #[wasm_bindgen(constructor)]
    pub fn new(
        run_id: &str,
        after: Option<String>,
        base_delay: u32,
        max_delay: u32,
        attempts: u32,
        seed: u64,
    ) -> RawFollower {
        let (base_delay, max_delay) = (base_delay.into(), max_delay.into());
        let settings =
            FollowSettings { base_delay, max_delay, attempts, seed, ..FollowSettings::default() };
        RawFollower(Follower::new(run_id, after.as_deref(), settings))
    }

    /// Returns the next action as JSON: `to` is `connect` (with `fromStart`, and `lastEventId` if
    /// there is one), `read`, `wait` (with `milliseconds`) or `stop` (with `reason`).
    pub fn step(&self) -> String {
        let mut out = String::new();
        let mut object = ObjectWriter::open(&mut out, true);
        match self.0.next() {
            FollowStep::Connect { last_event_id, from_start } => {
                object.string("to", Some("connect"));
                object.string("lastEventId", last_event_id);
                object.bool("fromStart", Some(from_start));
            }
            FollowStep::Read => object.string("to", Some("read")),
            FollowStep::Wait(milliseconds) => {
                object.string("to", Some("wait"));
                object.integer("milliseconds", Some(milliseconds as i64));
            }
            FollowStep::Stop(stop) => {
                object.string("to", Some("stop"));
                object.string("reason", Some(stop.as_str()));
            }
        }
        object.close();
        out
    }

    /// Processes a response of the server; `retry_after` is 0 without a `Retry-After` header.
    pub fn answered(&mut self, status: u16, body: &str, retry_after: f64) {
        self.0.answered(status, body, retry_after as u64);
    }

    /// Reads the next bytes. Returns those that belong to the run's stream.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.0.push(chunk, &mut out);
        out
    }

    /// Processes the end of a connection, or a failed attempt to connect.
    pub fn closed(&mut self) {
        self.0.closed();
    }

    /// Processes the end of a wait.
    pub fn waited(&mut self) {
        self.0.waited();
    }

    /// Returns the value of `Last-Event-ID` for a reconnection.
    pub fn cursor(&self) -> Option<String> {
        self.0.cursor().map(ToOwned::to_owned)
    }

    /// Returns the counts of connections and events as JSON.
    pub fn counts(&self) -> String {
        let counts = self.0.counts();
        let mut out = String::new();
        let mut object = ObjectWriter::open(&mut out, false);
        for (name, count) in [
            ("connections", counts.connections),
            ("resets", counts.resets),
            ("events", counts.events),
            ("redelivered", counts.redelivered),
            ("foreign", counts.foreign),
            ("withoutId", counts.without_id),
            ("oversize", counts.oversize),
        ] {
            object.integer(name, Some(count as i64));
        }
        object.close();
        out
    }
}

/// Computes the delays between the attempts of one request.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawBackoff(Backoff);

#[wasm_bindgen]
impl RawBackoff {
    /// Times are in milliseconds.
    #[wasm_bindgen(constructor)]
    pub fn new(base_delay: u32, max_delay: u32, attempts: u32, seed: u64) -> RawBackoff {
        RawBackoff(Backoff::new(base_delay.into(), max_delay.into(), attempts, seed))
    }

    /// Returns the delay after a failed attempt, or nothing after the last attempt.
    pub fn next(&mut self, retry_after: f64) -> Option<f64> {
        self.0.next(false, retry_after as u64).map(|milliseconds| milliseconds as f64)
    }
}
