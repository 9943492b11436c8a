//! An agent behind axum: the builders make the events, a channel carries them, and whatever happens the stream ends
//! legally.
//!
//! ```text
//! cargo run --example serve
//! curl -N -H 'content-type: application/json' http://127.0.0.1:8788/process \
//!     -d '{"session_id":"s1","user_id":"u1","input":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}' \
//!     | cargo run --features cli -- check -
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agentwire::Misuse;
use agentwire::agent_api::RunStatus;
use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder, WireEvent};
use agentwire::agent_api::request::AgentRequest;
use agentwire::core::id::RandomIds;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tokio::sync::mpsc::{Receiver, Sender, channel};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let app = Router::new().route("/process", post(process));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8788").await?;
    println!("http://{}/process", listener.local_addr()?);
    axum::serve(listener, app).with_graceful_shutdown(async { drop(tokio::signal::ctrl_c().await) }).await
}

async fn process(body: String) -> Response {
    let mut request = match AgentRequest::parse(&body) {
        Ok(request) => request,
        // As the runtime answers: no JSON object is a 422, a bad request is an error frame in a stream.
        Err(error) if error.status() == 200 => {
            return ([(CONTENT_TYPE, "text/event-stream; charset=utf-8")], error.to_sse()).into_response();
        }
        Err(error) => {
            let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
            return (status, [(CONTENT_TYPE, "application/json")], error.detail()).into_response();
        }
    };
    request.ensure_session(&mut RandomIds);
    let (send, receive) = channel(16);
    tokio::spawn(async move {
        let session = request.session_id.unwrap_or_default();
        let response = ResponseBuilder::new(BuilderOptions::new(RandomIds, now).session_id(session));
        let ended = answer(&response, &send).await;
        // However it ended: what is open is closed in the right order, and the terminal event is the last.
        let status = if ended.is_ok() { RunStatus::Completed } else { RunStatus::Canceled };
        for event in response.finish_with(status, None) {
            let _ = send.send(event).await;
        }
    });
    let headers =
        [(CONTENT_TYPE, "text/event-stream; charset=utf-8"), (CACHE_CONTROL, "no-cache, no-transform")];
    (headers, Body::from_stream(Events(receive))).into_response()
}

/// The agent. A closed channel means that the client has gone.
async fn answer(response: &ResponseBuilder, out: &Sender<WireEvent>) -> Result<(), Stopped> {
    out.send(response.created()?).await?;
    out.send(response.in_progress()?).await?;
    let message = response.create_message_builder("assistant", "message")?;
    out.send(message.in_progress()?).await?;
    let text = message.create_content_builder("text")?;
    for token in ["Hello", ", ", "this", " is ", "Rust", "."] {
        tokio::time::sleep(Duration::from_millis(50)).await;
        out.send(text.add_text_delta(token)?).await?;
    }
    Ok(())
}

#[derive(Debug)]
struct Stopped;

impl From<Misuse> for Stopped {
    fn from(misuse: Misuse) -> Self {
        eprintln!("{misuse}");
        Stopped
    }
}

impl<T> From<tokio::sync::mpsc::error::SendError<T>> for Stopped {
    fn from(_: tokio::sync::mpsc::error::SendError<T>) -> Self {
        Stopped
    }
}

/// The receiving end as the stream that axum wants.
struct Events(Receiver<WireEvent>);

impl futures_core::Stream for Events {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(|event| Ok(event.to_sse().into())))
    }
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}
