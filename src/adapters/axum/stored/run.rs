//! The answer of the service to a stored request, as the entries of a log.

use std::boxed::Box;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::string::String;
use std::task::{Context, Poll, ready};
use std::vec::Vec;

use axum_core::body::{Body, BodyDataStream};
use axum_core::extract::Request;
use axum_core::response::Response;
use bytes::Bytes;
use futures_core::Stream;
use http::{Extensions, Method};

use super::super::AgentService;
use super::frames::{AnswerOutcome, with_losses};
use super::items::with_turns;
use super::request::StoredRequest;
use crate::hub::Losses;
use crate::threads::FollowerBody;

type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// The chunks of an answer: frames, or its outcome.
pub(super) enum AnswerChunks {
    /// The head of the response has not been written.
    Head(Answering),
    Frames {
        body: BodyDataStream,
        /// The losses that were known before the first frame, until that is sent.
        losses: Option<String>,
    },
    /// A whole response arrives.
    Whole {
        status: u16,
        headers: Vec<(String, String)>,
        body: BodyDataStream,
        bytes: Vec<u8>,
    },
    End,
}

impl AnswerChunks {
    /// Answers a stored request, which has these extensions.
    pub fn new(
        service: AgentService,
        stored: &StoredRequest,
        extensions: Extensions,
    ) -> Result<Self, http::Error> {
        let mut request = Request::builder().method(Method::POST).uri(&stored.url);
        for (name, value) in &stored.headers {
            request = request.header(name, value);
        }
        let body = with_turns(&stored.body, stored.before.as_deref());
        let mut request = request.body(Body::from(body))?;
        *request.extensions_mut() = extensions;
        Ok(AnswerChunks::Head(Box::pin(async move { service.routed(request).await })))
    }

    fn begin(response: Response) -> Self {
        let (head, body) = response.into_parts();
        let text = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok());
        let body = body.into_data_stream();
        if text("content-type").is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return AnswerChunks::Frames { body, losses: text(Losses::HEADER).map(String::from) };
        }
        let pair = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
            Some((name.as_str().into(), value.to_str().ok()?.into()))
        };
        let headers = head.headers.iter().filter_map(pair).collect();
        AnswerChunks::Whole { status: head.status.as_u16(), headers, body, bytes: Vec::new() }
    }
}

impl Stream for AnswerChunks {
    type Item = String;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<String>> {
        loop {
            match &mut *self {
                AnswerChunks::Head(answering) => {
                    let response = ready!(answering.as_mut().poll(context));
                    *self = AnswerChunks::begin(response);
                }
                AnswerChunks::Frames { body, losses } => {
                    let Some(Ok(chunk)) = ready!(Pin::new(body).poll_next(context)) else {
                        *self = AnswerChunks::End;
                        continue;
                    };
                    let text = String::from_utf8_lossy(&chunk);
                    return Poll::Ready(Some(with_losses(&text, losses.take().as_deref())));
                }
                AnswerChunks::Whole { status, headers, body, bytes } => {
                    if let Some(Ok(chunk)) = ready!(Pin::new(body).poll_next(context)) {
                        bytes.extend_from_slice(&chunk);
                        continue;
                    }
                    let outcome = AnswerOutcome::Response {
                        status: *status,
                        headers: std::mem::take(headers),
                        body: String::from_utf8_lossy(bytes).into_owned(),
                    };
                    *self = AnswerChunks::End;
                    return Poll::Ready(Some(outcome.to_entry()));
                }
                AnswerChunks::End => return Poll::Ready(None),
            }
        }
    }
}

/// Chunks that are known.
pub(super) struct KnownChunks(std::vec::IntoIter<String>);

impl KnownChunks {
    pub fn new(chunks: Vec<String>) -> Self {
        KnownChunks(chunks.into_iter())
    }
}

impl Stream for KnownChunks {
    type Item = String;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<String>> {
        Poll::Ready(self.0.next())
    }
}

/// Frames that follow a text.
pub(super) struct Preceded {
    first: Option<Bytes>,
    body: FollowerBody,
}

impl Preceded {
    pub fn new(first: String, body: FollowerBody) -> Self {
        Preceded { first: Some(first.into()), body }
    }
}

impl Stream for Preceded {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.first.take() {
            Some(first) => Poll::Ready(Some(Ok(first))),
            None => Pin::new(&mut self.body).poll_next(context),
        }
    }
}
