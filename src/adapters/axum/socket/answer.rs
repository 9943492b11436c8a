//! The response to one request of a socket.

use std::borrow::ToOwned;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::pin;
use std::string::String;
use std::time::Duration;
use std::vec::Vec;

use axum_core::extract::Request;
use axum_core::response::Response;
use futures_core::Stream as _;
use tokio::sync::mpsc;
use tower_service::Service;

use super::super::HttpRefusal;
use super::lane::{EventKind, Lane};
use super::previous::{Kept, items_of};
use crate::core::Limits;
use crate::json::Value;
use crate::sse::{Decoder, StreamItem};

/// What a response sends to the client.
pub enum Outgoing {
    /// An event.
    Event(String),
    /// The last event. The lane is free when the client receives it.
    Last(String, Lane, Option<Kept>),
}

/// A request of a socket.
pub struct Asked {
    pub request: Request,
    /// The input, which the next request can continue.
    pub input: Option<Value>,
    pub lane: Lane,
}

/// The bytes of an error response that are read.
const MOST_OF_AN_ERROR: usize = 64 << 10;

/// How long a response may take to end after its last event.
const ENDING: Duration = Duration::from_secs(10);

/// Answers a request. Returns early if the socket is closed.
pub async fn answer<S>(mut service: S, asked: Asked, sender: mpsc::Sender<Outgoing>)
where
    S: Service<Request, Response = Response, Error = Infallible> + Send,
    S::Future: Send,
{
    let Asked { request, input, lane } = asked;
    let Ok(()) = poll_fn(|context| service.poll_ready(context)).await;
    let Ok(response) = service.call(request).await;
    let status = response.status();
    let mut body = pin!(response.into_body().into_data_stream());
    let mut next = async || poll_fn(|context| body.as_mut().poll_next(context)).await;
    if !status.is_success() {
        let mut whole = Vec::new();
        while let Some(Ok(chunk)) = next().await {
            let room = MOST_OF_AN_ERROR.saturating_sub(whole.len());
            whole.extend_from_slice(&chunk[..chunk.len().min(room)]);
        }
        let event = lane.error(status.as_u16(), &String::from_utf8_lossy(&whole));
        drop(sender.send(Outgoing::Last(event, lane, None)).await);
        return;
    }
    let mut events = Events { input, lane: Some(lane), error: None, sender };
    let mut decoder = Decoder::new(Limits::default());
    while let Some(Ok(chunk)) = next().await {
        let mut received = Vec::new();
        let mut is_lost = false;
        decoder.push(&chunk, &mut |item| match item {
            StreamItem::Event(event) if event.data != "[DONE]" => {
                received.push((EventKind::of(event.name, event.data), event.data.to_owned()));
            }
            StreamItem::Oversize(_) => is_lost = true,
            _ => {}
        });
        for (kind, data) in received {
            if events.send(kind, data).await.is_none() {
                return;
            }
            if events.lane.is_none() {
                // Nothing more is sent. The service ends by itself, which is the end of its request.
                let rest = async { while let Some(Ok(_)) = next().await {} };
                drop(tokio::time::timeout(ENDING, rest).await);
                return;
            }
        }
        if is_lost {
            break;
        }
    }
    events.end().await;
}

/// The events of a response on their way to the client.
struct Events {
    input: Option<Value>,
    /// `None` after the last event.
    lane: Option<Lane>,
    /// An error that is sent with the next event, or as the last one: after the last event, the lane
    /// is free.
    error: Option<String>,
    sender: mpsc::Sender<Outgoing>,
}

impl Events {
    /// Sends an event; `None` if the socket is closed.
    async fn send(&mut self, kind: EventKind, data: String) -> Option<()> {
        let lane = self.lane.as_ref()?;
        if let Some(error) = self.error.take() {
            self.sender.send(Outgoing::Event(error)).await.ok()?;
        }
        match kind {
            EventKind::Progress => self.sender.send(Outgoing::Event(lane.event(data))).await.ok(),
            EventKind::Error => {
                self.error = Some(lane.event(data));
                Some(())
            }
            EventKind::End => {
                let input = self.input.take().map(items_of).unwrap_or_default();
                let kept = Kept::of(&data, input);
                self.last(|lane| lane.event(data), kept).await
            }
        }
    }

    /// Ends a response whose body has ended, with an error if its last event is missing.
    async fn end(mut self) {
        let failed = HttpRefusal::new(500, "server_error", "The response failed.");
        let error = self.error.take();
        self.last(|lane| error.unwrap_or_else(|| lane.refused(&failed)), None).await;
    }

    async fn last(&mut self, data: impl FnOnce(&Lane) -> String, kept: Option<Kept>) -> Option<()> {
        let lane = self.lane.take()?;
        self.sender.send(Outgoing::Last(data(&lane), lane, kept)).await.ok()
    }
}
