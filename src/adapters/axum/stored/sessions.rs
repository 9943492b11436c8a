//! The sessions of AgentScope, as its own service has them: `POST /chat/` only starts a reply, and
//! the stream of the session has the events of all replies. A session is a conversation.

use std::borrow::ToOwned as _;
use std::string::{String, ToString as _};
use std::sync::Arc;
use std::time::Duration;
use std::vec::Vec;

use axum_core::body::Body;
use axum_core::response::Response;
use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderValue, Method, StatusCode};
use tokio::sync::mpsc;
use tokio::time::timeout;
use uuid::Uuid;

use super::super::{JSON, answer};
use super::answers::{AnswerCall, Begun, IDLE, decoded, missing, no_store, stream};
use super::conversations::{StartOptions, conversation_in};
use super::request::StoredRequest;
use super::session_events::{
    after_first, answered_in, event_frame, is_answer, is_start, results_of, start_of,
};
use super::session_state::{ASKING, Page, SUBMITTED, Session, present};
use super::{Stored, WhileRunning};
use crate::json::Value;
use crate::protocols::agentscope::request::ChatRequest;
use crate::protocols::runs::problem::{Code, RefusedRequest};
use crate::threads::{
    FollowedRun, FollowerBody, NewThreadRun, PATIENCE, Refusal, Thread, Until, hash_of, parsed,
};

/// The path of `POST /chat/`, and that of the sessions.
const CHAT: &str = "/chat/";
pub(super) const PATH: &str = "/sessions/";
/// The actions on a session, and their methods.
const ACTIONS: [(&str, Method); 5] = [
    ("stream", Method::GET),
    ("status", Method::GET),
    ("messages", Method::GET),
    ("interrupt", Method::POST),
    ("", Method::DELETE),
];

/// Whether the answer to a request is a stream: a client that accepts none only starts a reply.
pub(super) fn accepts_stream(call: &AnswerCall) -> bool {
    let accepted = call.header("accept").unwrap_or_default();
    call.prefers_resumable() || accepted.contains("text/event-stream")
}

impl Stored {
    /// Answers a request for sessions.
    pub(super) async fn session(
        self: &Arc<Self>,
        call: AnswerCall,
        body: Body,
    ) -> Result<Response, Response> {
        let below = call.path().strip_prefix(PATH).unwrap_or_default();
        // A plus sign in a path is not a space.
        let part = |part: &str| decoded(&part.replace('+', "%2B"));
        let parts: Vec<String> = below.split('/').map(part).collect();
        let (id, action) = match &parts[..] {
            [id] => (&**id, ""),
            [id, action] => (&**id, &**action),
            _ => return Err(call.refuse(not_found(&parts[0]))),
        };
        if id.is_empty() && action.is_empty() && call.http.method == Method::POST {
            call.read(body).await?;
            return Ok(json(201, [("session_id", Uuid::new_v4().to_string().into())]));
        }
        let known = ACTIONS.iter().find(|(known, _)| *known == action);
        let (Some((_, method)), Some(name)) = (known, call.conversation(id, None)) else {
            return Err(call.refuse(not_found(id)));
        };
        if call.http.method != method {
            let mut response = if call.http.method == Method::OPTIONS {
                empty(StatusCode::NO_CONTENT)
            } else {
                let what = if action.is_empty() { "session" } else { action };
                let detail = ["use ", method.as_str(), " for the ", what].concat();
                let refused = RefusedRequest::new(Code::MethodNotAllowed, detail);
                call.refuse(Refusal::Client(refused))
            };
            let allowed = [method.as_str(), ", OPTIONS"].concat();
            if let Ok(allowed) = HeaderValue::from_str(&allowed) {
                response.headers_mut().insert("allow", allowed);
            }
            return Ok(response);
        }
        if *method == Method::POST {
            call.read(body).await?;
        }
        let (user, session) = (&*call.user, Value::from(id));
        let answered = async {
            Ok(match action {
                "stream" => self.session_stream(&call, &name).await?,
                "interrupt" => {
                    self.interrupt(&call, &name, id).await?;
                    json(202, [("session_id", session)])
                }
                "status" => {
                    let loaded = self.load_session(user, &name, |_| true).await?;
                    let status = loaded.status().into();
                    json(200, [("session_id", session), ("status", status)])
                }
                "messages" => {
                    let page = Page::of(&call);
                    let read = self.load_session(user, &name, |read| page.is_in(read)).await?;
                    answered(200, &read.page(&page))
                }
                _ => {
                    present(self.threads.get(&name).delete(user).await)?;
                    empty(StatusCode::NO_CONTENT)
                }
            })
        };
        answered.await.map_err(|refusal| call.refuse(refusal))
    }

    /// Starts a reply.
    pub(super) async fn start_reply(
        self: &Arc<Self>,
        call: AnswerCall,
        body: Body,
    ) -> Result<Response, Response> {
        let body = call.read(body).await?;
        let members = parsed(&body);
        let id = members.text("session_id").unwrap_or_default();
        let Some(name) = conversation_in(&call, &body) else {
            return Err(call.refuse(not_found(id)));
        };
        let input = members.get("input").cloned().unwrap_or_default();
        let started = async {
            let mut how = StartOptions::default();
            if is_answer(&input) {
                // The events that answer a reply wait for it to be stored.
                how.while_running = WhileRunning::Enqueue;
                // The agent continues when all calls that wait have their answers.
                if self.is_partial(&call.user, &name, &input).await? {
                    how.frames = Some([start_of(&input)].into());
                }
            }
            let run = call.answer_id()?;
            self.start_turn(&call, &body, &name, &run, how).await
        };
        match started.await.map_err(|refusal| call.refuse(refusal))? {
            Begun::Response(response) => Ok(response),
            Begun::Frames { .. } => {
                Ok(json(200, [("status", "started".into()), ("session_id", id.into())]))
            }
        }
    }

    /// Whether calls wait after these answers.
    async fn is_partial(&self, user: &str, name: &str, input: &Value) -> Result<bool, Refusal> {
        let answered = answered_in(input);
        loop {
            let session = self.load_session(user, name, |_| true).await?;
            if !session.is_running {
                let is_answered =
                    |call: &Value| call.text("id").is_some_and(|id| answered.contains(&id));
                return Ok(!session.waiting.iter().all(is_answered));
            }
            present(self.threads.get(name).entries(Some(user), None, Until::End).await)?;
        }
    }

    /// Returns the stream of the session: its latest reply, unless it is known, and the next ones.
    async fn session_stream(
        self: &Arc<Self>,
        call: &AnswerCall,
        name: &str,
    ) -> Result<Response, Refusal> {
        let after = call.query("after");
        let thread = self.threads.get(name);
        let (user, keep_alive) = (call.user.clone(), self.threads.options.limits.keep_alive);
        thread.next(&user, after.as_deref(), Duration::ZERO).await.map_err(missing)?;
        let (frames, body) = FollowerBody::open();
        let stored = self.clone();
        self.threads.spawn(async move {
            let left = frames.clone();
            let to = SessionStream { thread, user, keep_alive, frames };
            tokio::select! {
                () = left.closed() => {}
                sent = to.send(after) => if let Err(Refusal::Store(error) | Refusal::Internal(error)) = sent {
                    stored.service().report(&*error);
                }
            }
        });
        Ok(stream(Body::from_stream(body), None))
    }

    /// Stops the reply, or ends one that waits.
    async fn interrupt(&self, call: &AnswerCall, name: &str, id: &str) -> Result<(), Refusal> {
        let user = &*call.user;
        let session = self.load_session(user, name, |_| true).await?;
        let thread = self.threads.get(name);
        if session.is_running {
            present(thread.cancel(user, None).await)?;
            return Ok(());
        }
        if session.waiting.is_empty() {
            return Ok(());
        }
        let input = canceling(&session);
        let body =
            Value::from([("agent_id", "".into()), ("session_id", id.into()), ("input", input)]);
        let run = hash_of(&Uuid::new_v4().to_string());
        let end = event_frame([
            ("type", "REPLY_END".into()),
            ("reply_id", session.reply.into()),
            ("session_id", id.into()),
            ("finished_reason", "interrupted".into()),
        ]);
        let stored = StoredRequest {
            url: CHAT.to_owned(),
            body: body.to_json(),
            run_id: Some(run.clone()),
            request_id: Some(call.request_id.clone()),
            conversation: Some(name.to_owned()),
            frames: Some([end].into()),
            ..StoredRequest::default()
        };
        let new = NewThreadRun {
            owner: user.to_owned(),
            input: stored.to_json(),
            hash: run.clone(),
            ..NewThreadRun::default()
        };
        thread.create_in_turn(new, WhileRunning::Enqueue).await?;
        present(thread.entries(Some(user), Some(&run), Until::End).await)?;
        Ok(())
    }
}

/// The connection of a client to the events of a session.
struct SessionStream {
    thread: Arc<Thread>,
    user: String,
    keep_alive: Duration,
    frames: mpsc::Sender<Bytes>,
}

/// The end of a stream whose client has left, or reads nothing.
struct Left;

impl SessionStream {
    /// Sends the events of the replies after one.
    async fn send(&self, mut after: Option<String>) -> Result<(), Refusal> {
        let mut idle = 0;
        while idle < IDLE {
            let next = self.thread.next(&self.user, after.as_deref(), self.keep_alive).await?;
            let sent = match next {
                None => {
                    idle += 1;
                    self.push(":\n\n".to_owned()).await
                }
                Some(run) => {
                    idle = 0;
                    let sent = self.reply(&run).await?;
                    after = Some(run);
                    sent
                }
            };
            if sent.is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Sends the events of a reply.
    async fn reply(&self, run: &str) -> Result<Result<(), Left>, Refusal> {
        let user = Some(&*self.user);
        let begun = present(self.thread.entries(user, Some(run), Until::First).await)?;
        let Some(begun) = begun else { return Ok(Ok(())) };
        let stored = StoredRequest::parse(&begun.input);
        let body = parsed(&stored.body);
        let input = body.get("input").filter(|input| is_answer(input));
        let mut results = None;
        match (input, stored.frames) {
            (Some(input), Some(frames)) if is_start(&frames) => {
                // The agent continues when the other calls have their answers, too.
                let told = event_frame([
                    ("type", "REPLY_START".into()),
                    ("session_id", body.get("session_id").cloned().unwrap_or_default()),
                    ("reply_id", ChatRequest::reply_in(input).unwrap_or_default().into()),
                    ("name", "agent".into()),
                    ("role", "assistant".into()),
                ]);
                return Ok(self.push([start_of(input), told, results_of(input)].concat()).await);
            }
            (Some(input), None) => {
                // As the service: what continues a reply, and its results after the start.
                if self.push(start_of(input)).await.is_err() {
                    return Ok(Err(Left));
                }
                results = Some(results_of(input));
            }
            _ => {}
        }
        let followed = FollowedRun {
            owner: Some(self.user.clone()),
            run_id: Some(run.to_owned()),
            after: Some(0),
            idle_limit: IDLE,
            ..FollowedRun::default()
        };
        let Some(Some(mut events)) = present(self.thread.follow(followed).await)? else {
            return Ok(Ok(()));
        };
        while let Some(Ok(chunk)) = next_of(&mut events).await {
            let more = results
                .as_deref()
                .and_then(|more| after_first(&String::from_utf8_lossy(&chunk), more));
            let sent = match more {
                Some(text) => {
                    results = None;
                    self.push(text).await
                }
                None => self.push(chunk).await,
            };
            if sent.is_err() {
                return Ok(Err(Left));
            }
        }
        Ok(Ok(()))
    }

    async fn push(&self, bytes: impl Into<Bytes>) -> Result<(), Left> {
        let sent = self.frames.send(bytes.into());
        match timeout(self.keep_alive.saturating_mul(PATIENCE), sent).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Left),
        }
    }
}

async fn next_of(body: &mut FollowerBody) -> Option<<FollowerBody as Stream>::Item> {
    std::future::poll_fn(|context| std::pin::Pin::new(&mut *body).poll_next(context)).await
}

fn not_found(id: &str) -> Refusal {
    let id: String = id.chars().take(100).collect();
    let detail = ["Session '", &id, "' not found."].concat();
    Refusal::Client(RefusedRequest::new(Code::ThreadNotFound, detail))
}

/// Returns the answers of a user who stops a reply that waits.
fn canceling(session: &Session) -> Value {
    let of = |state: &'static str| {
        session.waiting.iter().filter(move |call| call.text("state") == Some(state))
    };
    let member = |call: &Value, name| call.get(name).cloned().unwrap_or_default();
    let confirmed = |call: &Value| {
        let named = Value::from([
            ("type", "tool_call".into()),
            ("id", member(call, "id")),
            ("name", member(call, "name")),
            ("input", member(call, "input")),
        ]);
        Value::from([("confirmed", false.into()), ("tool_call", named)])
    };
    let text = [("type", "text".into()), ("text", "The user has stopped the call.".into())];
    let executed = |call: &Value| {
        Value::from([
            ("type", "tool_result".into()),
            ("id", member(call, "id")),
            ("name", member(call, "name")),
            ("output", Value::Array([text.clone().into()].into())),
            ("state", "interrupted".into()),
        ])
    };
    let event = |kind: &str, name: &str, results: Vec<Value>| {
        Value::from([
            ("type", kind.into()),
            ("reply_id", session.reply.as_str().into()),
            (name, Value::Array(results)),
        ])
    };
    let (asking, submitted) = (of(ASKING).map(confirmed), of(SUBMITTED).map(executed));
    let events = [
        event("USER_CONFIRM_RESULT", "confirm_results", asking.collect()),
        event("EXTERNAL_EXECUTION_RESULT", "execution_results", submitted.collect()),
    ];
    Value::Array(events.into())
}

fn json<const N: usize>(status: u16, members: [(&str, Value); N]) -> Response {
    answered(status, &members.into())
}

fn answered(status: u16, value: &Value) -> Response {
    let mut response = answer(status, JSON, value.to_json());
    no_store(&mut response);
    response
}

fn empty(status: StatusCode) -> Response {
    let mut response = Response::default();
    *response.status_mut() = status;
    response
}
