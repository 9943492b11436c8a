//! The upstreams that a request was sent to: which one is next, and what the client receives if
//! none has answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agentwire::ProtocolKind;
use agentwire::adapters::axum::AgentContext;
use axum::http::HeaderMap;

use crate::serve::routes::Target;
use crate::serve::upstream::UpstreamError;

/// The attempts of one request.
#[derive(Default)]
pub struct Attempts(Mutex<State>);

#[derive(Default)]
struct State {
    /// The protocol whose bytes are passed through, if the client has one.
    passed: Option<ProtocolKind>,
    /// The place of the next upstream.
    next: usize,
    failed: Vec<UpstreamError>,
    /// How long the request has waited.
    waited: Duration,
    /// The next upstream has the protocol of the client, and the agent has stopped.
    is_handed_back: bool,
    /// Headers of the upstream that has answered.
    headers: HeaderMap,
}

/// What happens next to a request.
pub enum Next {
    /// It is sent to the upstream at this place.
    Target(usize),
    /// It waits, because the upstreams limit the rate of requests.
    Wait(Duration),
    /// No upstream has answered.
    Failed(Box<UpstreamError>),
}

/// The least time that counts as a pause, so that the number of rounds is bounded.
const PAUSE: Duration = Duration::from_millis(250);

impl Attempts {
    /// Returns the attempts of the request that an agent answers: new ones for an answer of the store
    /// that has started without its request.
    pub fn of(context: &AgentContext) -> Arc<Self> {
        context.http.extensions.get::<Arc<Self>>().cloned().unwrap_or_default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the protocol of the client, whose bytes can be passed through.
    pub fn set_passed(&self, protocol: ProtocolKind) {
        self.state().passed = Some(protocol);
    }

    /// Whether the bytes of a request are passed through to an upstream.
    pub fn passes_through(&self, target: &Target<'_>) -> bool {
        self.state().passed == Some(target.upstream.protocol())
    }

    /// Returns what happens next to a request with so many upstreams, which may wait so long.
    pub fn next(&self, targets: usize, most: Duration) -> Next {
        let mut state = self.state();
        if state.next < targets {
            return Next::Target(state.next);
        }
        let limited = state.failed.iter().filter(|error| error.http.status == 429);
        let pause = limited.filter_map(|error| error.retry_after).min().map(|it| it.max(PAUSE));
        match pause.filter(|pause| state.waited + *pause <= most) {
            Some(pause) => {
                state.waited += pause;
                state.next = 0;
                state.failed.clear();
                Next::Wait(pause)
            }
            None => Next::Failed(Box::new(most_useful(&state.failed))),
        }
    }

    /// The upstream that was next has not answered.
    pub fn failed(&self, error: UpstreamError) {
        let mut state = self.state();
        state.next += 1;
        state.failed.push(error);
    }

    /// Stops the agent, because the bytes of the next upstream are passed through. Returns the error
    /// that ends it, which no client receives.
    pub fn hand_back(&self) -> UpstreamError {
        self.state().is_handed_back = true;
        UpstreamError::new(502, "handed_back", "the upstream has the protocol of the client")
    }

    /// Whether the agent has stopped without a response.
    pub fn is_handed_back(&self) -> bool {
        self.state().is_handed_back
    }

    /// As [`is_handed_back`](Self::is_handed_back), once.
    pub fn take_handed_back(&self) -> bool {
        std::mem::take(&mut self.state().is_handed_back)
    }

    /// Sets headers of the response.
    pub fn set_headers(&self, headers: HeaderMap) {
        self.state().headers = headers;
    }

    /// Takes the headers of the response.
    pub fn take_headers(&self) -> HeaderMap {
        std::mem::take(&mut self.state().headers)
    }
}

/// Returns the error by which a client can do the most: of those with the smallest rank the last,
/// with the smallest `Retry-After` of all.
fn most_useful(failed: &[UpstreamError]) -> UpstreamError {
    let rank = |error: &&UpstreamError| match error.http.status {
        429 => 0,
        503 | 529 => 1,
        _ if error.code.starts_with("upstream_5") => 2,
        504 => 3,
        _ => 4,
    };
    // `min_by_key` returns the first of equal ones.
    let Some(best) = failed.iter().rev().min_by_key(rank) else {
        return UpstreamError::new(502, "upstream_missing", "the model has no upstream");
    };
    let mut best = best.clone();
    let with_value =
        |error: &&UpstreamError| error.retry_after.is_some() && error.http.retry_after.is_some();
    let soonest = failed.iter().filter(with_value).min_by_key(|error| error.retry_after);
    if let Some(soonest) = soonest {
        best.retry_after = soonest.retry_after;
        best.http.retry_after.clone_from(&soonest.http.retry_after);
        if failed.len() > 1 {
            // The milliseconds are those of one upstream only.
            best.headers.remove("retry-after-ms");
        }
    }
    best
}
