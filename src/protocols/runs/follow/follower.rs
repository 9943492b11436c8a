//! The state of a follower, and what changes it.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::seen::Seen;
use super::{Backoff, Counts, Settings, Step, Stop};
use crate::core::Limits;
use crate::protocols::runs::event::{Head, is_terminal};
use crate::protocols::runs::problem::{Answered, Code};
use crate::sse::{self, Decoder, Item, SseEvent};

/// Follows one run; without the name of one, whatever run the connection is of.
#[derive(Clone, Debug)]
pub struct Follower {
    run_id: String,
    limits: Limits,
    decoder: Decoder,
    state: State,
    /// The id of the last frame that was dispatched; empty as long as there is none.
    cursor: String,
    /// Whether everything that was given on lies at or before the cursor.
    covered: bool,
    /// The next connection begins anew.
    anew: bool,
    /// The events that come now, where they name no run, belong to another one.
    foreign: bool,
    /// Whether the present connection has brought anything.
    heard: bool,
    /// Whether it was asked to go on from a cursor.
    goes_on: bool,
    seen: Seen,
    backoff: Backoff,
    counts: Counts,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Ready,
    Reading,
    Waiting(u64),
    Stopped(Stop),
}

impl Follower {
    /// Follows a run from its beginning, or from what came after a cursor. With an empty `run_id` every event counts, also
    /// those of protocols whose events name no run.
    pub fn new(run_id: impl Into<String>, after: Option<&str>, settings: Settings) -> Self {
        let Settings { base_delay, max_delay, attempts, seed, limits } = settings;
        Follower {
            run_id: run_id.into(),
            decoder: Decoder::new(&limits),
            limits,
            state: State::Ready,
            cursor: after.map(header_value).unwrap_or_default(),
            covered: true,
            anew: false,
            foreign: false,
            heard: false,
            goes_on: false,
            seen: Seen::default(),
            backoff: Backoff::new(base_delay, max_delay, attempts, seed),
            counts: Counts::default(),
        }
    }

    /// What is to be done now.
    pub fn next(&self) -> Step<'_> {
        match self.state {
            State::Ready => Step::Connect {
                last_event_id: Some(&*self.cursor).filter(|cursor| !cursor.is_empty()),
                anew: self.anew,
            },
            State::Reading => Step::Read,
            State::Waiting(milliseconds) => Step::Wait(milliseconds),
            State::Stopped(stop) => Step::Stop(stop),
        }
    }

    /// The cursor: what `Last-Event-ID` would say now. To be kept by whoever wants to go on later.
    pub fn cursor(&self) -> Option<&str> {
        Some(&*self.cursor).filter(|cursor| !cursor.is_empty())
    }

    /// What was read, in numbers.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The server has answered the request, with this status. Of an answer that is no success also its `body` counts.
    /// `retry_after` is how many milliseconds the server asks to wait, 0 if it does not.
    pub fn answered(&mut self, status: u16, body: &str, retry_after: u64) {
        if self.state != State::Ready {
            return;
        }
        match status {
            204 => self.state = State::Stopped(Stop::NothingLeft),
            200..=299 => {
                if self.anew {
                    self.forget();
                }
                self.decoder = Decoder::new(&self.limits);
                self.heard = false;
                self.goes_on = !self.cursor.is_empty();
                self.counts.connections += 1;
                self.state = State::Reading;
            }
            422 if self.is_about_cursor(body) => {
                self.anew = true;
                self.cursor.clear();
            }
            408 | 425 | 429 | 500 | 502..=504 => self.back_off(retry_after),
            _ => self.state = State::Stopped(Stop::Refused),
        }
    }

    /// Reads the next bytes of the answer. What belongs to the run and is new is appended to `out`, as bytes of one stream.
    pub fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        if self.state != State::Reading || chunk.is_empty() {
            return;
        }
        self.heard = true;
        let mut text = String::new();
        let mut at = 0;
        let mut decoder = core::mem::replace(&mut self.decoder, Decoder::new(&self.limits));
        while at < chunk.len() && self.state == State::Reading {
            at = decoder.step(chunk, at, &mut |item| self.take(item, &mut text));
        }
        decoder.advance(chunk.len());
        self.decoder = decoder;
        out.extend_from_slice(text.as_bytes());
    }

    /// The connection is over, or did not come about. What it left unfinished is forgotten (E4), and so is the connection
    /// unless the run was at its end (E7, E9).
    pub fn closed(&mut self) {
        match self.state {
            State::Reading | State::Ready => {}
            State::Waiting(_) | State::Stopped(_) => return,
        }
        if !self.covered {
            // A server that gives no cursors tells the run from its beginning (E11).
            self.begin_anew();
        }
        self.back_off(0);
    }

    /// The time to wait is over.
    pub fn waited(&mut self) {
        if matches!(self.state, State::Waiting(_)) {
            self.state = State::Ready;
        }
    }

    fn back_off(&mut self, retry_after: u64) {
        let heard = core::mem::take(&mut self.heard);
        self.state = match self.backoff.next(heard, retry_after) {
            Some(milliseconds) => State::Waiting(milliseconds),
            None => State::Stopped(Stop::GaveUp),
        };
    }

    /// E10. A server that also refuses a request without a cursor refuses the run.
    fn is_about_cursor(&self, body: &str) -> bool {
        !self.cursor.is_empty() && Answered::read(422, body).known() == Some(Code::InvalidLastEventId)
    }

    /// The run is told from its beginning.
    fn forget(&mut self) {
        self.anew = false;
        self.covered = true;
        self.foreign = false;
        self.seen = Seen::default();
        self.counts.resets += 1;
    }

    fn take(&mut self, item: Item<'_>, out: &mut String) {
        match item {
            Item::Event(event) => self.event(&event, out),
            Item::Comment(comment) => sse::comment(out, comment.text),
            Item::Retry(milliseconds) => self.backoff.asked(milliseconds),
            Item::Oversize(_) => self.counts.oversize += 1,
            // An event log is read as server-sent events.
            Item::JsonLine(_) => {}
            #[cfg(feature = "binary")]
            Item::Frame(_) => {}
        }
    }

    fn event(&mut self, event: &SseEvent<'_>, out: &mut String) {
        let head = Head::of(event.data).unwrap_or_default();
        if event.has_id && !event.last_event_id.is_empty() && !self.seen.add(event.last_event_id) {
            self.counts.redelivered += 1;
            if self.goes_on && head.kind == "RUN_STARTED" && self.is_own(&head) {
                self.begin_anew();
            }
            return;
        }
        let is_foreign = !self.is_own(&head);
        // An event that names its run tells whose the next ones are that name none: a thread has one run at a time.
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
            self.state = State::Stopped(Stop::Ended);
        }
    }

    fn is_own(&self, head: &Head<'_>) -> bool {
        self.run_id.is_empty() || head.run_id.as_deref().map_or(!self.foreign, |id| id == self.run_id)
    }

    /// The cursor did not reach the server: the run is being told from its beginning, and what was several events before may
    /// be one now, which could not be told apart. So it is asked for from its beginning, and read as that.
    fn begin_anew(&mut self) {
        self.anew = true;
        self.cursor.clear();
        self.state = State::Ready;
    }
}

/// No header is longer: servers refuse requests that are.
const LONGEST_HEADER: usize = 4096;

/// An id that may stand in a header: printable ASCII that is not too long. One that may not is as good as none.
fn header_value(id: &str) -> String {
    let may_stand = id.len() <= LONGEST_HEADER && id.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if may_stand { id.to_owned() } else { String::new() }
}
