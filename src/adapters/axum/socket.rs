//! OpenAI Responses over WebSocket: each `response.create` is a request to a service, and the events
//! of its response are messages. Only the framing differs from HTTP.
//!
//! ```
//! use agentwire::adapters::axum::{AgentService, SocketLimits, responses_socket};
//! use axum::{Router, extract::Request, routing::get};
//!
//! let service = AgentService::new(async |_request, out| {
//!     out.text("Hello").await;
//!     Ok(())
//! });
//! let socket = service.clone();
//! let app: Router = Router::new()
//!     .route("/v1/responses", get(move |request: Request| responses_socket(request, socket, SocketLimits::default())))
//!     .fallback_service(service);
//! ```

use std::borrow::ToOwned;
use std::boxed::Box;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::pin;
use std::string::String;
use std::time::{SystemTime, UNIX_EPOCH};
use std::vec::Vec;

use axum::extract::FromRequestParts as _;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum_core::body::Body;
use axum_core::extract::Request;
use axum_core::response::{IntoResponse as _, Response};
use futures_core::Stream as _;
use http::{HeaderMap, HeaderValue, Method, Uri, header, request::Parts};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tower_service::Service;

use crate::core::Limits;
use crate::hub::conversation::members::{take, take_list, take_text};
use crate::json::Value;
use crate::sse::{Decoder, StreamItem};

/// The limits of a socket.
#[derive(Clone, Copy, Debug)]
pub struct SocketLimits {
    /// The size of a message of the client in bytes: 1 MiB by default. A larger one closes the
    /// socket with 1009.
    pub max_message_bytes: usize,
    /// The number of responses at once, each with a `stream_id` of its own: 8 by default.
    pub max_responses: usize,
}

impl Default for SocketLimits {
    fn default() -> Self {
        SocketLimits { max_message_bytes: 1 << 20, max_responses: 8 }
    }
}

/// The `stream_id` of a request, which all events of its response have.
type Lane = Option<String>;

/// The number of events that wait for the client. The responses are read no faster than it reads.
const WAITING: usize = 16;

/// The number of lanes whose last response is kept.
const KEPT: usize = 16;

/// Answers the request for a WebSocket, and serves it. `service` answers the requests, which have
/// the path and the headers of this one. A request without an upgrade is refused.
///
/// A request can continue the last response of its `stream_id` by `previous_response_id`, also if
/// the service stores none. `response.steer` is refused with `steering_not_supported`.
pub async fn responses_socket<S>(request: Request, service: S, limits: SocketLimits) -> Response
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let (mut parts, _) = request.into_parts();
    let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => upgrade,
        Err(refused) => return refused.into_response(),
    };
    let head = Head::of(parts);
    upgrade
        .max_message_size(limits.max_message_bytes)
        .max_frame_size(limits.max_message_bytes)
        .on_upgrade(move |socket| Served::new(head, limits).serve(socket, service))
}

/// The address and the headers of the requests.
#[derive(Clone)]
struct Head {
    uri: Uri,
    headers: HeaderMap,
}

impl Head {
    fn of(parts: Parts) -> Self {
        let is_own = |name: &str| {
            matches!(name, "connection" | "upgrade" | "content-length" | "transfer-encoding")
                || name.starts_with("sec-websocket-")
        };
        let mut headers: HeaderMap = parts
            .headers
            .iter()
            .filter(|(name, _)| !is_own(name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/event-stream"));
        Head { uri: parts.uri, headers }
    }

    fn request(&self, body: String) -> Request {
        let mut request = Request::new(Body::from(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = self.headers.clone();
        request
    }
}

/// The last response of a lane.
struct Kept {
    id: String,
    items: Vec<Value>,
}

/// What the task of a response sends.
enum Outgoing {
    Event(String),
    Ended(Lane, Option<Kept>),
}

struct Served {
    head: Head,
    limits: SocketLimits,
    running: BTreeSet<Lane>,
    kept: BTreeMap<Lane, Kept>,
}

/// What a message asks for.
enum Asked {
    /// Messages to send at once.
    Replies(Vec<String>),
    /// A response.
    Response(Lane, Box<Value>),
}

impl Served {
    fn new(head: Head, limits: SocketLimits) -> Self {
        Served { head, limits, running: BTreeSet::new(), kept: BTreeMap::new() }
    }

    /// Serves the socket until it is closed. The responses that are in progress then are dropped.
    async fn serve<S>(mut self, mut socket: WebSocket, service: S)
    where
        S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send,
    {
        let (sender, mut outgoing) = mpsc::channel(WAITING);
        let mut tasks = JoinSet::new();
        loop {
            tokio::select! {
                received = socket.recv() => match received {
                    Some(Ok(Message::Text(text))) => match self.receive(&text) {
                        Asked::Replies(replies) => {
                            for reply in replies {
                                if socket.send(Message::Text(reply.into())).await.is_err() {
                                    return;
                                }
                            }
                        }
                        Asked::Response(lane, body) => {
                            let (request, asked) = (self.head.request(body.to_json()), *body);
                            tasks.spawn(respond(service.clone(), request, asked, lane, sender.clone()));
                        }
                    },
                    Some(Ok(Message::Binary(_))) => {
                        return close(&mut socket, 1003, "messages are JSON texts").await;
                    }
                    Some(Err(error)) if error.to_string().contains("too long") => {
                        return close(&mut socket, 1009, "the message is too large").await;
                    }
                    None | Some(Ok(Message::Close(_)) | Err(_)) => return,
                    Some(Ok(_)) => {}
                },
                Some(message) = outgoing.recv() => match message {
                    Outgoing::Event(data) => {
                        if socket.send(Message::Text(data.into())).await.is_err() {
                            return;
                        }
                    }
                    Outgoing::Ended(lane, kept) => self.end(lane, kept),
                },
                Some(_) = tasks.join_next(), if !tasks.is_empty() => {}
            }
        }
    }

    fn end(&mut self, lane: Lane, kept: Option<Kept>) {
        self.running.remove(&lane);
        match kept {
            Some(kept) => drop(self.kept.insert(lane, kept)),
            None => drop(self.kept.remove(&lane)),
        }
        while self.kept.len() > KEPT {
            self.kept.pop_first();
        }
    }

    fn receive(&mut self, text: &str) -> Asked {
        let refuse = |code: &str, message: &str, lane: &Lane| {
            Asked::Replies([refused(400, &invalid(code, message), lane)].into())
        };
        let Ok(mut body) = Value::parse(text, Limits::default().json_depth) else {
            return refuse("invalid_json", "The message is not JSON.", &None);
        };
        let lane = take_text(&mut body, "stream_id");
        match take_text(&mut body, "type").as_deref() {
            Some("response.create") => {}
            Some("response.steer") => return Asked::Replies([steer_refused(body)].into()),
            _ => {
                let message = "Supported events are 'response.create' and 'response.steer'.";
                return refuse("unknown_event", message, &lane);
            }
        }
        if self.running.contains(&lane) {
            let message =
                "A response is in progress. Wait for its end, or use another `stream_id`.";
            return refuse("response_in_progress", message, &lane);
        }
        if self.running.len() >= self.limits.max_responses {
            return refuse("too_many_responses", "Too many responses are in progress.", &lane);
        }
        self.restore(&mut body, &lane);
        if take(&mut body, "generate") == Some(Value::Bool(false)) {
            return Asked::Replies(self.prepare(&mut body, lane));
        }
        body.insert("stream", Value::Bool(true));
        self.running.insert(lane.clone());
        Asked::Response(lane, Box::new(body))
    }

    /// Puts the items of the response that a request continues in front of its input, if that is the
    /// last one of its lane.
    fn restore(&self, body: &mut Value, lane: &Lane) {
        let Some(kept) = self.kept.get(lane) else { return };
        if body.text("previous_response_id") == Some(&*kept.id) {
            take(body, "previous_response_id");
            let mut items = kept.items.clone();
            items.append(&mut input_of(body));
            body.insert("input", Value::Array(items));
        }
    }

    /// Keeps the input of a request that asks for no output. Returns the events of its empty
    /// response.
    fn prepare(&mut self, body: &mut Value, lane: Lane) -> Vec<String> {
        let id = ["resp_", &uuid::Uuid::new_v4().simple().to_string()].concat();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let created = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
        let empty = || Value::Array(Vec::new());
        let event = |name: &str, number: i64, status: &str| {
            let response = Value::from([
                ("id", id.as_str().into()),
                ("object", "response".into()),
                ("created_at", Value::from(created)),
                ("status", status.into()),
                ("model", body.get("model").cloned().unwrap_or_default()),
                ("error", Value::Null),
                ("incomplete_details", Value::Null),
                ("output", empty()),
                ("usage", Value::Null),
                ("parallel_tool_calls", Value::Bool(true)),
                ("tool_choice", "auto".into()),
                ("tools", empty()),
                ("store", Value::Bool(false)),
            ]);
            let event = Value::from([
                ("type", name.into()),
                ("sequence_number", Value::from(number)),
                ("response", response),
            ]);
            in_lane(event.to_json(), &lane)
        };
        let events = [
            event("response.created", 0, "in_progress"),
            event("response.completed", 1, "completed"),
        ];
        let items = input_of(body);
        self.end(lane, Some(Kept { id, items }));
        events.into()
    }
}

/// Sends the events of the response to one request.
async fn respond<S>(
    mut service: S,
    request: Request,
    mut asked: Value,
    lane: Lane,
    sender: mpsc::Sender<Outgoing>,
) where
    S: Service<Request, Response = Response, Error = Infallible> + Send,
    S::Future: Send,
{
    let kept = answer(&mut service, request, &mut asked, &lane, &sender).await;
    drop(sender.send(Outgoing::Ended(lane, kept)).await);
}

async fn answer<S>(
    service: &mut S,
    request: Request,
    asked: &mut Value,
    lane: &Lane,
    sender: &mpsc::Sender<Outgoing>,
) -> Option<Kept>
where
    S: Service<Request, Response = Response, Error = Infallible> + Send,
    S::Future: Send,
{
    let Ok(()) = poll_fn(|cx| service.poll_ready(cx)).await;
    let Ok(response) = service.call(request).await;
    let status = response.status();
    let mut body = pin!(response.into_body().into_data_stream());
    let mut whole = Vec::new();
    let mut decoder = Decoder::new(&Limits::default());
    let mut kept = None;
    while let Some(chunk) = poll_fn(|cx| body.as_mut().poll_next(cx)).await {
        let Ok(chunk) = chunk else { break };
        if !status.is_success() {
            let room = MOST_OF_AN_ERROR.saturating_sub(whole.len());
            whole.extend_from_slice(&chunk[..chunk.len().min(room)]);
            continue;
        }
        let mut events = Vec::new();
        decoder.push(&chunk, &mut |item| {
            if let StreamItem::Event(event) = item
                && event.data != "[DONE]"
            {
                events.push(event.data.to_owned());
            }
        });
        for data in events {
            if may_end(&data) {
                kept = keep(&data, asked);
            }
            // The client has left.
            sender.send(Outgoing::Event(in_lane(data, lane))).await.ok()?;
        }
    }
    if !status.is_success() {
        let event = refused(status.as_u16().into(), &error_of(&whole), lane);
        sender.send(Outgoing::Event(event)).await.ok()?;
    }
    kept
}

/// The bytes of an error response that are read.
const MOST_OF_AN_ERROR: usize = 64 << 10;

/// Returns the error of a response that is no stream.
fn error_of(body: &[u8]) -> Value {
    let text = String::from_utf8_lossy(body);
    let parsed = Value::parse(&text, Limits::default().json_depth).ok();
    let error = parsed.and_then(|parsed| parsed.get("error").cloned());
    error
        .filter(|error| matches!(error, Value::Object(_)))
        .unwrap_or_else(|| invalid("request_failed", &text))
}

fn invalid(code: &str, message: &str) -> Value {
    Value::from([
        ("type", "invalid_request_error".into()),
        ("code", code.into()),
        ("message", message.into()),
        ("param", Value::Null),
    ])
}

/// Returns an `error` event with the status that the response would have.
fn refused(status: i64, error: &Value, lane: &Lane) -> String {
    let event = Value::from([
        ("type", "error".into()),
        ("status", Value::from(status)),
        ("error", error.clone()),
    ]);
    in_lane(event.to_json(), lane)
}

fn steer_refused(mut body: Value) -> String {
    let steer = Value::from([
        ("previous_response_id", take(&mut body, "previous_response_id").unwrap_or_default()),
        ("input", take(&mut body, "input").unwrap_or_default()),
    ]);
    let message = "Responses of this server cannot be steered.";
    let event = Value::from([
        ("type", "response.steer.failed".into()),
        ("sequence_number", Value::from(0)),
        ("steer", steer),
        ("error", invalid("steering_not_supported", message)),
    ]);
    event.to_json()
}

/// Adds the `stream_id` of its request to an event.
fn in_lane(mut data: String, lane: &Lane) -> String {
    if let (Some(lane), Some(end)) = (lane, data.rfind('}')) {
        data.truncate(end);
        data.push_str(",\"stream_id\":");
        data.push_str(&Value::from(lane.as_str()).to_json());
        data.push('}');
    }
    data
}

/// Whether an event may end a response: its type is the first member.
fn may_end(data: &str) -> bool {
    let ends = ["completed", "failed", "incomplete"];
    data.strip_prefix(r#"{"type":"response."#)
        .is_some_and(|rest| ends.iter().any(|end| rest.starts_with(end)))
}

/// Returns the response that an event completes, unless the service stores it.
fn keep(data: &str, asked: &mut Value) -> Option<Kept> {
    let mut event = Value::parse(data, Limits::default().json_depth).ok()?;
    let mut response = take(&mut event, "response")?;
    let is_stored = response.get("store") == Some(&Value::Bool(true));
    if response.text("status") != Some("completed") || is_stored {
        return None;
    }
    let id = take_text(&mut response, "id")?;
    let mut items = input_of(asked);
    items.append(&mut take_list(&mut response, "output"));
    Some(Kept { id, items })
}

/// Takes the input of a request as items.
fn input_of(body: &mut Value) -> Vec<Value> {
    match take(body, "input") {
        Some(Value::Array(items)) => items,
        Some(Value::String(text)) => {
            let message = [
                ("type", "message".into()),
                ("role", "user".into()),
                ("content", Value::String(text)),
            ];
            [Value::from(message)].into()
        }
        _ => Vec::new(),
    }
}

async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame { code, reason: reason.into() };
    drop(socket.send(Message::Close(Some(frame))).await);
}
