//! The client's side: the events of one run, through as many connections as it takes. (E3 to E13.)
//!
//! A [`Follower`] has no socket and no clock. It returns the next [`FollowStep`], and the caller
//! reports the result. It makes one stream of the bytes of all connections, and any reader of AG-UI
//! reads this stream as if there had been one connection: it has no incomplete frames, no repeated
//! frames and no frames of other runs.

mod step;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use self::step::SeenIds;
use crate::core::Limits;
use crate::protocols::runs::event::{RunEventHead, is_terminal};
use crate::protocols::runs::problem::{Answered, Code};
use crate::sse;
use crate::sse::{Decoder, SseEvent, StreamItem};
pub use step::{Backoff, FollowCounts, FollowEnd, FollowSettings, FollowStep};

/// Follows one run; with an empty id, all runs of the connection.
#[derive(Clone, Debug)]
pub struct Follower {
    run_id: String,
    limits: Limits,
    decoder: Decoder,
    state: FollowState,
    /// The id of the last frame that was dispatched; empty before the first.
    cursor: String,
    /// Whether all events that were passed on lie at or before the cursor.
    covered: bool,
    /// Whether the next connection starts from the beginning of the run.
    from_start: bool,
    /// Whether events that do not name a run belong to another run.
    foreign: bool,
    /// Whether the current connection has brought any data.
    has_data: bool,
    /// Whether the current connection continues from a cursor.
    goes_on: bool,
    seen: SeenIds,
    backoff: Backoff,
    counts: FollowCounts,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FollowState {
    Ready,
    Reading,
    Waiting(u64),
    Stopped(FollowEnd),
}

impl Follower {
    /// Creates a follower of a run from its beginning, or from the entry after a cursor. With an
    /// empty `run_id` it accepts every event, also those of protocols whose events do not name
    /// runs.
    pub fn new(run_id: impl Into<String>, after: Option<&str>, settings: FollowSettings) -> Self {
        let FollowSettings { base_delay, max_delay, attempts, seed, limits } = settings;
        Follower {
            run_id: run_id.into(),
            decoder: Decoder::new(&limits),
            limits,
            state: FollowState::Ready,
            cursor: after.map(header_value).unwrap_or_default(),
            covered: true,
            from_start: false,
            foreign: false,
            has_data: false,
            goes_on: false,
            seen: SeenIds::default(),
            backoff: Backoff::new(base_delay, max_delay, attempts, seed),
            counts: FollowCounts::default(),
        }
    }

    /// Returns the next step.
    pub fn next(&self) -> FollowStep<'_> {
        match self.state {
            FollowState::Ready => FollowStep::Connect {
                last_event_id: Some(&*self.cursor).filter(|cursor| !cursor.is_empty()),
                from_start: self.from_start,
            },
            FollowState::Reading => FollowStep::Read,
            FollowState::Waiting(milliseconds) => FollowStep::Wait(milliseconds),
            FollowState::Stopped(stop) => FollowStep::Stop(stop),
        }
    }

    /// Returns the cursor, which is the value of `Last-Event-ID` for the next connection. Keep it
    /// to continue later.
    pub fn cursor(&self) -> Option<&str> {
        Some(&*self.cursor).filter(|cursor| !cursor.is_empty())
    }

    /// Returns the counts of the data that was read.
    pub fn counts(&self) -> FollowCounts {
        self.counts
    }

    /// Reports the status of the server's answer. The `body` counts only if the status is not a
    /// success. `retry_after` is the wait that the server requests, in milliseconds, 0 by default.
    pub fn answered(&mut self, status: u16, body: &str, retry_after: u64) {
        if self.state != FollowState::Ready {
            return;
        }
        match status {
            204 => self.state = FollowState::Stopped(FollowEnd::NothingLeft),
            200..=299 => {
                if self.from_start {
                    self.forget();
                }
                self.decoder = Decoder::new(&self.limits);
                self.has_data = false;
                self.goes_on = !self.cursor.is_empty();
                self.counts.connections += 1;
                self.state = FollowState::Reading;
            }
            422 if self.is_about_cursor(body) => {
                self.from_start = true;
                self.cursor.clear();
            }
            408 | 425 | 429 | 500 | 502..=504 => self.back_off(retry_after),
            _ => self.state = FollowState::Stopped(FollowEnd::Refused),
        }
    }

    /// Reads the next bytes of the answer. Appends the new events of the run to `out`, as bytes of
    /// one stream.
    pub fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        if self.state != FollowState::Reading || chunk.is_empty() {
            return;
        }
        self.has_data = true;
        let mut text = String::new();
        let mut at = 0;
        let mut decoder = core::mem::replace(&mut self.decoder, Decoder::new(&self.limits));
        while at < chunk.len() && self.state == FollowState::Reading {
            at = decoder.step(chunk, at, &mut |item| self.take(item, &mut text));
        }
        decoder.advance(chunk.len());
        self.decoder = decoder;
        out.extend_from_slice(text.as_bytes());
    }

    /// Reports that the connection ended or failed. An incomplete frame is dropped (E4), and the
    /// follower connects again unless the run has ended (E7, E9).
    pub fn closed(&mut self) {
        match self.state {
            FollowState::Reading | FollowState::Ready => {}
            FollowState::Waiting(_) | FollowState::Stopped(_) => return,
        }
        if !self.covered {
            // A server without cursors sends the run from its beginning (E11).
            self.restart();
        }
        self.back_off(0);
    }

    /// Reports the end of the wait.
    pub fn waited(&mut self) {
        if matches!(self.state, FollowState::Waiting(_)) {
            self.state = FollowState::Ready;
        }
    }

    fn back_off(&mut self, retry_after: u64) {
        let has_data = core::mem::take(&mut self.has_data);
        self.state = match self.backoff.next(has_data, retry_after) {
            Some(milliseconds) => FollowState::Waiting(milliseconds),
            None => FollowState::Stopped(FollowEnd::GaveUp),
        };
    }

    /// Returns whether a refusal is about the cursor (E10). A refusal of a request without a cursor
    /// is about the run.
    fn is_about_cursor(&self, body: &str) -> bool {
        !self.cursor.is_empty()
            && Answered::read(422, body).known() == Some(Code::InvalidLastEventId)
    }

    /// Resets the state for a run that is sent from its beginning.
    fn forget(&mut self) {
        self.from_start = false;
        self.covered = true;
        self.foreign = false;
        self.seen = SeenIds::default();
        self.counts.resets += 1;
    }

    fn take(&mut self, item: StreamItem<'_>, out: &mut String) {
        match item {
            StreamItem::Event(event) => self.event(&event, out),
            StreamItem::Comment(comment) => sse::comment(out, comment.text),
            StreamItem::Retry(milliseconds) => self.backoff.asked(milliseconds),
            StreamItem::Oversize(_) => self.counts.oversize += 1,
            // Event logs are server-sent events.
            StreamItem::Loose(_) => {}
            #[cfg(feature = "binary")]
            StreamItem::Frame(_) => {}
        }
    }

    fn event(&mut self, event: &SseEvent<'_>, out: &mut String) {
        let head = RunEventHead::of(event.data).unwrap_or_default();
        if event.has_id && !event.last_event_id.is_empty() && !self.seen.add(event.last_event_id) {
            self.counts.redelivered += 1;
            if self.goes_on && head.kind == "RUN_STARTED" && self.is_own(&head) {
                self.restart();
            }
            return;
        }
        let is_foreign = !self.is_own(&head);
        // An event that names its run also determines the run of the next events without a name: a
        // thread has one run at a time.
        self.foreign = is_foreign && !is_terminal(&head.kind);
        self.cursor = header_value(event.last_event_id);
        if is_foreign {
            self.counts.foreign += 1;
            return;
        }
        if !event.has_id {
            self.counts.without_id += 1;
        }
        if !event.has_id || self.cursor.is_empty() {
            self.covered = false;
        }
        self.counts.events += 1;
        let id = event.has_id.then_some(event.last_event_id);
        let name = (event.name != "message").then_some(event.name);
        sse::event(out, id, name, event.data);
        if is_terminal(&head.kind) {
            self.state = FollowState::Stopped(FollowEnd::Ended);
        }
    }

    fn is_own(&self, head: &RunEventHead<'_>) -> bool {
        self.run_id.is_empty()
            || head.run_id.as_deref().map_or(!self.foreign, |id| id == self.run_id)
    }

    /// Requests the run from its beginning. A server that ignored the cursor sends it from there in
    /// any case, and one event can then replace several earlier ones, which the follower cannot
    /// detect.
    fn restart(&mut self) {
        self.from_start = true;
        self.cursor.clear();
        self.state = FollowState::Ready;
    }
}

/// The maximum length of a header in bytes: servers refuse longer ones.
const LONGEST_HEADER: usize = 4096;

/// Returns an id that is valid in a header: printable ASCII that is not too long. Any other id is
/// treated as absent.
fn header_value(id: &str) -> String {
    let may_stand =
        id.len() <= LONGEST_HEADER && id.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if may_stand { id.to_owned() } else { String::new() }
}
