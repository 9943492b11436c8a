//! Answers of Gemini Interactions that go on in another connection if theirs is cut.

use std::boxed::Box;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use reqwest::Url;

use super::call::{CallError, Model, ModelBytes};
use crate::adapters::reqwest::{AnswerBytes, BodyError};
use crate::protocols::interactions::place::Place;

/// The number of connections in a row that may bring no event, as in TypeScript.
const ATTEMPTS: usize = 3;
/// The pause before a connection that follows one without an event.
const PAUSE: Duration = Duration::from_millis(500);

/// Returns an answer that goes on if its connection is cut. `url` is that of its request. JSON is
/// not a stream: it is returned as it is.
pub(super) async fn resumed(model: &Model, url: Url, mut answer: ModelBytes) -> ModelBytes {
    let is_begun = |bytes: &[u8]| !bytes.trim_ascii_start().is_empty();
    let first = answer.bytes.peek(1 << 10, is_begun).await;
    if matches!(first.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return answer;
    }
    let ModelBytes { status, headers, bytes } = answer;
    let bytes = AnswerBytes::of_stream(Resumed {
        model: model.clone(),
        url,
        place: Place::default(),
        state: State::Reading(bytes),
        events: 0,
        failures: 0,
        cause: None,
    });
    ModelBytes { status, headers, bytes }
}

/// The whole events of an interaction, from as many connections as it takes.
struct Resumed {
    model: Model,
    /// The URL of the first request.
    url: Url,
    place: Place,
    state: State,
    /// The number of events at the end of the connection before.
    events: u64,
    /// The number of connections in a row that brought no event.
    failures: usize,
    /// Why the last connection with an event has failed, or the first one after it.
    cause: Option<BodyError>,
}

enum State {
    Reading(AnswerBytes),
    Asking(Pin<Box<dyn Future<Output = Result<AnswerBytes, CallError>> + Send>>),
    Ended,
}

impl Resumed {
    /// The connection has ended, by an error or without one.
    fn cut(&mut self, error: Option<BodyError>) {
        let has_news = self.place.events() > self.events;
        self.events = self.place.events();
        self.failures = if has_news { 0 } else { self.failures + 1 };
        self.cause = match self.cause.take() {
            Some(cause) if !has_news => Some(cause),
            _ => error,
        };
        self.state = match self.place.has_ended() || self.failures >= ATTEMPTS {
            true => State::Ended,
            false => self.ask(),
        };
    }

    /// Requests the events after the last one.
    fn ask(&mut self) -> State {
        let Some((id, last)) = self.place.resumes() else { return State::Ended };
        let url = events_after(&self.url, id, last);
        let (model, is_repeated) = (self.model.clone(), self.failures > 0);
        State::Asking(Box::pin(async move {
            if is_repeated {
                tokio::time::sleep(PAUSE).await;
            }
            model.get(url).await
        }))
    }
}

impl Stream for Resumed {
    type Item = Result<Bytes, BodyError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match &mut self.state {
                State::Reading(bytes) => match ready!(Pin::new(bytes).poll_next(context)) {
                    Some(Ok(chunk)) => {
                        let whole = self.place.push(&chunk);
                        if !whole.is_empty() {
                            return Poll::Ready(Some(Ok(whole.into())));
                        }
                    }
                    Some(Err(error)) => self.cut(Some(error)),
                    None => self.cut(None),
                },
                State::Asking(asked) => match ready!(asked.as_mut().poll(context)) {
                    Ok(bytes) => {
                        self.place.reconnect();
                        self.state = State::Reading(bytes);
                    }
                    Err(error) if is_final(&error) => self.state = State::Ended,
                    Err(_) => self.cut(None),
                },
                State::Ended => {
                    let rest = self.place.rest();
                    return Poll::Ready(match rest.is_empty() {
                        true => self.cause.take().map(Err),
                        false => Some(Ok(rest.into())),
                    });
                }
            }
        }
    }
}

/// Whether the server does not have the interaction any more: another request cannot change that.
fn is_final(error: &CallError) -> bool {
    error.status().is_some_and(|status| (300..500).contains(&status))
}

/// Returns the URL of the events that follow one, for the URL of the request that has begun the
/// interaction.
fn events_after(url: &Url, id: &str, last: &str) -> Url {
    let mut events = url.clone();
    if let Ok(mut path) = events.path_segments_mut() {
        path.pop_if_empty().push(id);
    }
    events.set_query(None);
    let is_own =
        |pair: &&str| matches!(pair.split('=').next(), Some("stream" | "last_event_id" | ""));
    let pairs = url.query().unwrap_or_default().split('&');
    let others: Vec<_> = pairs.filter(|pair| !is_own(pair)).collect();
    if !others.is_empty() {
        events.set_query(Some(&others.join("&")));
    }
    let mut pairs = events.query_pairs_mut();
    pairs.append_pair("stream", "true").append_pair("last_event_id", last);
    drop(pairs);
    events
}
