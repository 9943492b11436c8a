//! An upstream in this process, whose answers a test chooses.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt as _, stream};
use serde_json::Value;

/// An answer of the upstream.
pub enum Answer {
    /// A stream, byte by byte.
    Stream(Vec<u8>),
    /// The beginning of a stream whose connection then breaks.
    Broken(Vec<u8>),
    /// A beginning, and then the same event again and again, with so many milliseconds between the
    /// events.
    Endless(Vec<u8>, Vec<u8>, u64),
    /// A status and a body of JSON.
    Status(u16, String),
    /// The same with headers.
    BrokenResponse(Vec<(&'static str, String)>, Vec<u8>),
    /// A status, headers and a body.
    Response(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// A status, and a body of which a byte arrives from time to time.
    Dribble(u16),
    /// No response.
    Silent,
}

/// A request that the upstream received.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub query: Option<String>,
    pub headers: HeaderMap,
    /// The bytes of the body.
    pub text: String,
    pub body: Value,
}

#[derive(Default)]
struct State {
    asked: Mutex<Vec<Asked>>,
    sent: AtomicUsize,
    gone: AtomicUsize,
}

#[derive(Clone)]
pub struct Fake {
    pub url: String,
    state: Arc<State>,
}

/// Counts a stream that is dropped before its end.
struct Running(Arc<State>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.gone.fetch_add(1, SeqCst);
    }
}

impl Fake {
    /// Serves until the test ends.
    pub async fn start(answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let fake = Fake { url, state: Arc::default() };
        let (state, answer) = (fake.state.clone(), Arc::new(answer));
        let app = Router::new().fallback(move |request: Request| {
            let (state, answer) = (state.clone(), answer.clone());
            async move {
                let (path, headers) = (request.uri().path().to_owned(), request.headers().clone());
                let query = request.uri().query().map(str::to_owned);
                let method = request.method().to_string();
                let body = axum::body::to_bytes(request.into_body(), usize::MAX).await.unwrap();
                let text = String::from_utf8(body.into()).unwrap();
                let body = match method.as_str() {
                    "GET" => Value::Null,
                    _ => serde_json::from_str(&text).unwrap(),
                };
                let asked = Asked { method, path, query, headers, text, body };
                let answer = answer(&asked);
                state.asked.lock().unwrap().push(asked);
                if matches!(answer, Answer::Silent) {
                    std::future::pending::<()>().await;
                }
                respond(answer, state)
            }
        });
        tokio::spawn(async { axum::serve(listener, app).await });
        fake
    }

    /// Returns the requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap().clone()
    }

    /// Returns the number of bytes that endless streams have sent.
    pub fn sent(&self) -> usize {
        self.state.sent.load(SeqCst)
    }

    /// Returns the number of endless streams that were canceled.
    pub fn gone(&self) -> usize {
        self.state.gone.load(SeqCst)
    }
}

fn respond(answer: Answer, state: Arc<State>) -> Response {
    let events = [("content-type", "text/event-stream")];
    match answer {
        Answer::Stream(bytes) => {
            (events, Body::from_stream(single(bytes).map(Ok::<_, Infallible>))).into_response()
        }
        Answer::Broken(bytes) => {
            // The server leaves out what it has not written before the error.
            let broken = stream::once(async {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                Err(std::io::Error::other("broken"))
            });
            (events, Body::from_stream(single(bytes).map(Ok).chain(broken))).into_response()
        }
        Answer::BrokenResponse(headers, bytes) => {
            let broken = stream::once(async { Err(std::io::Error::other("broken")) });
            let mut response =
                Response::new(Body::from_stream(single(bytes).map(Ok).chain(broken)));
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        }
        Answer::Endless(start, event, pause) => {
            let running = Running(state.clone());
            let start = stream::iter([Bytes::from(start)]);
            let event = Bytes::from(event);
            let rest = stream::unfold(running, move |running| {
                let event = event.clone();
                async move {
                    match pause {
                        0 => tokio::task::yield_now().await,
                        pause => tokio::time::sleep(std::time::Duration::from_millis(pause)).await,
                    }
                    running.0.sent.fetch_add(event.len(), SeqCst);
                    Some((event, running))
                }
            });
            (events, Body::from_stream(start.chain(rest).map(Ok::<_, Infallible>))).into_response()
        }
        Answer::Response(status, headers, body) => {
            let mut response = Response::new(Body::from(body));
            *response.status_mut() = StatusCode::from_u16(status).unwrap();
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        }
        Answer::Dribble(status) => {
            let bytes = stream::unfold((), |()| async {
                tokio::time::sleep(std::time::Duration::from_millis(300)).await;
                Some((Ok::<_, Infallible>(Bytes::from_static(b" ")), ()))
            });
            (StatusCode::from_u16(status).unwrap(), Body::from_stream(bytes)).into_response()
        }
        Answer::Silent => unreachable!("a silent upstream does not respond"),
        Answer::Status(status, body) => {
            (StatusCode::from_u16(status).unwrap(), [("content-type", "application/json")], body)
                .into_response()
        }
    }
}

/// A stream of single bytes, each of which the server writes by itself.
fn single(bytes: Vec<u8>) -> impl stream::Stream<Item = Bytes> + Send {
    stream::iter(bytes).then(|byte| async move {
        tokio::task::yield_now().await;
        Bytes::from(vec![byte])
    })
}
