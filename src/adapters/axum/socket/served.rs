//! A socket that is served: the messages of the client, and the events of the responses.

use std::boxed::Box;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::pin::Pin;
use std::string::String;
use std::time::Duration;
use std::vec::Vec;

use axum_core::extract::Request;
use axum_core::response::Response;
use futures_core::Stream as _;
use futures_util::SinkExt as _;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Bytes, Error, Message};
use tower_service::Service;

use super::super::HttpRefusal;
use super::answer::{Asked, Outgoing, answer};
use super::lane::Lane;
use super::previous::Previous;
use super::{Head, SocketLimits};
use crate::core::Limits;
use crate::core::violation::excerpt;
use crate::hub::conversation::members::{take, take_text};
use crate::json::Value;

/// The number of events that wait for the client. A response is read no faster than that.
const WAITING: usize = 16;

/// The time between two pings, which show that the connection is alive.
const PING: Duration = Duration::from_secs(30);

/// The number of pings without an answer after which the client is gone.
const UNANSWERED: u32 = 4;

/// How long the client may take to close a socket that the server closes.
const CLOSING: Duration = Duration::from_secs(5);

type Connection = TokioIo<Upgraded>;

pub struct Served {
    socket: WebSocketStream<Connection>,
    head: Head,
    limits: SocketLimits,
    closes: watch::Receiver<bool>,
    /// The lanes whose response is in progress.
    running: BTreeSet<Lane>,
    previous: Previous,
    /// The pings since the last message of the client.
    unanswered: u32,
}

/// Why a socket ends.
enum End {
    /// The connection has broken.
    Gone,
    /// The client closes it.
    Left,
    /// The server closes it.
    Close(CloseCode, &'static str),
    /// The server closes it, and the rest of what the client sends is not read as messages.
    Cut(CloseCode, &'static str),
}

/// What a message asks for.
enum Reply {
    /// Events that are sent at once.
    Events(Vec<String>),
    /// A response.
    Answer(Box<Asked>),
}

impl Served {
    pub fn new(
        socket: WebSocketStream<Connection>,
        head: Head,
        limits: SocketLimits,
        closes: watch::Receiver<bool>,
    ) -> Self {
        Served {
            socket,
            head,
            limits,
            closes,
            running: BTreeSet::new(),
            previous: Previous::default(),
            unanswered: 0,
        }
    }

    /// Serves the socket until it is closed. The responses that are in progress then are dropped.
    pub async fn serve<S>(mut self, service: S)
    where
        S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send,
    {
        let ended = self.messages(service).await;
        drop(timeout(CLOSING, self.close(ended)).await);
    }

    async fn close(mut self, ended: End) {
        let (frame, is_cut) = match ended {
            End::Gone => return,
            End::Left => (None, false),
            End::Close(code, reason) => (Some((code, reason)), false),
            End::Cut(code, reason) => (Some((code, reason)), true),
        };
        if let Some((code, reason)) = frame {
            let frame = CloseFrame { code, reason: reason.into() };
            if self.socket.send(Message::Close(Some(frame))).await.is_err() {
                return;
            }
        }
        if !is_cut {
            // The frame of the client, or the answer to it.
            while self.received().await.is_some_and(|message| message.is_ok()) {}
            return;
        }
        // A connection with bytes that were not read is reset, and the client could lose the frame.
        let mut connection = self.socket.into_inner();
        let mut rest = Vec::with_capacity(super::BUFFER);
        if connection.shutdown().await.is_ok() {
            while connection.read_buf(&mut rest).await.is_ok_and(|bytes| bytes > 0) {
                rest.clear();
            }
        }
    }

    /// Answers messages until the socket ends.
    async fn messages<S>(&mut self, service: S) -> End
    where
        S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send,
    {
        let (sender, mut outgoing) = mpsc::channel(WAITING);
        let mut answers = JoinSet::new();
        let mut pings = interval(PING);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pings.reset();
        let mut closes = self.closes.clone();
        loop {
            let is_closing = *self.closes.borrow();
            if is_closing && self.running.is_empty() {
                return End::Close(CloseCode::Away, "the server stops");
            }
            let done = tokio::select! {
                message = self.received() => match self.text(message) {
                    Err(end) => Err(end),
                    Ok(None) => Ok(()),
                    Ok(Some(text)) => match self.receive(&text, is_closing) {
                        Reply::Events(events) => self.send(events).await,
                        Reply::Answer(asked) => {
                            answers.spawn(answer(service.clone(), *asked, sender.clone()));
                            Ok(())
                        }
                    },
                },
                Some(first) = outgoing.recv() => {
                    let mut events = Vec::from([self.event(first)]);
                    while events.len() < WAITING && let Ok(next) = outgoing.try_recv() {
                        events.push(self.event(next));
                    }
                    self.send(events).await
                }
                Some(ended) = answers.join_next(), if !answers.is_empty() => match ended {
                    Ok(()) => Ok(()),
                    Err(_) => Err(End::Close(CloseCode::Error, "the response failed")),
                },
                _ = pings.tick() => self.ping().await,
                () = turns_true(&mut closes), if !is_closing => Ok(()),
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    /// Waits for a message of the client.
    async fn received(&mut self) -> Option<Result<Message, Error>> {
        std::future::poll_fn(|context| Pin::new(&mut self.socket).poll_next(context)).await
    }

    /// Returns the text of a message; `None` of one that is no request.
    fn text(&mut self, message: Option<Result<Message, Error>>) -> Result<Option<String>, End> {
        self.unanswered = 0;
        match message {
            Some(Ok(Message::Text(text))) => Ok(Some(text.as_str().into())),
            Some(Ok(Message::Binary(_))) => {
                Err(End::Close(CloseCode::Unsupported, "messages are JSON texts"))
            }
            Some(Ok(Message::Close(_))) => Err(End::Left),
            Some(Ok(_)) => Ok(None),
            Some(Err(Error::Capacity(_))) => {
                Err(End::Cut(CloseCode::Size, "the message is too large"))
            }
            Some(Err(Error::Utf8(_))) => Err(End::Cut(CloseCode::Invalid, "a text is not UTF-8")),
            Some(Err(Error::Protocol(_))) => {
                Err(End::Cut(CloseCode::Protocol, "a frame is not valid"))
            }
            Some(Err(_)) | None => Err(End::Gone),
        }
    }

    /// Takes an event of a response. After the last one, its lane is free.
    fn event(&mut self, outgoing: Outgoing) -> String {
        match outgoing {
            Outgoing::Event(data) => data,
            Outgoing::Last(data, lane, kept) => {
                self.running.remove(&lane);
                self.previous.set(lane, kept);
                data
            }
        }
    }

    async fn send(&mut self, events: Vec<String>) -> Result<(), End> {
        let sending = async {
            for event in events {
                self.socket.feed(Message::Text(event.into())).await?;
            }
            self.socket.flush().await
        };
        match timeout(self.limits.write_timeout, sending).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => Err(End::Close(CloseCode::Again, "the client does not read")),
        }
    }

    async fn ping(&mut self) -> Result<(), End> {
        if self.unanswered >= UNANSWERED {
            return Err(End::Gone);
        }
        self.unanswered += 1;
        let sending = self.socket.send(Message::Ping(Bytes::new()));
        match timeout(self.limits.write_timeout, sending).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Gone),
        }
    }

    fn receive(&mut self, text: &str, is_closing: bool) -> Reply {
        let refuse = |status, code: &str, message: &str, lane: &Lane| {
            Reply::Events([lane.refused(&HttpRefusal::new(status, code, message))].into())
        };
        let Ok(mut body) = Value::parse(text, Limits::default().json_depth) else {
            return refuse(400, "invalid_json", "The message is not JSON.", &Lane(None));
        };
        let lane = Lane(body.text("stream_id").map(String::from));
        take(&mut body, "stream_id");
        match take_text(&mut body, "type").as_deref() {
            Some("response.create") => {}
            Some("response.steer") => return Reply::Events([steer_refused(body)].into()),
            other => {
                let name = excerpt(other.unwrap_or_default());
                let message = ["Unknown event '", &name, "'. ", SUPPORTED].concat();
                return refuse(400, "unknown_event", &message, &lane);
            }
        }
        if is_closing {
            return refuse(503, "server_stopping", "The server stops.", &lane);
        }
        if self.running.contains(&lane) {
            let message =
                "A response is in progress. Wait for its end, or use another `stream_id`.";
            return refuse(400, "response_in_progress", message, &lane);
        }
        if self.running.len() >= self.limits.max_responses {
            let message = "Too many responses are in progress.";
            return refuse(400, "too_many_responses", message, &lane);
        }
        self.previous.restore(&mut body, &lane);
        if take(&mut body, "generate") == Some(Value::Bool(false)) {
            return Reply::Events(self.previous.prepare(body, lane).into());
        }
        body.insert("stream", Value::Bool(true));
        self.running.insert(lane.clone());
        let request = self.head.request(body.to_json());
        let input = take(&mut body, "input");
        Reply::Answer(Box::new(Asked { request, input, lane }))
    }
}

async fn turns_true(value: &mut watch::Receiver<bool>) {
    if value.wait_for(|value| *value).await.is_err() {
        std::future::pending::<()>().await;
    }
}

const SUPPORTED: &str = "Supported are 'response.create' and 'response.steer'.";

fn steer_refused(mut body: Value) -> String {
    let mut given = |name| take(&mut body, name).unwrap_or_else(|| "".into());
    let steer = Value::from([
        ("previous_response_id", given("previous_response_id")),
        ("input", given("input")),
    ]);
    let error = Value::from([
        ("type", "invalid_request_error".into()),
        ("code", "steering_not_supported".into()),
        ("message", "Responses of this server cannot be steered.".into()),
    ]);
    let event = Value::from([
        ("type", "response.steer.failed".into()),
        ("sequence_number", Value::from(0)),
        ("steer", steer),
        ("error", error),
    ]);
    event.to_json()
}
