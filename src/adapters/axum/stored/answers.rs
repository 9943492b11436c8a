//! The operations on stored answers that all protocols share: starting one, reading its frames, and
//! refusals.

use std::borrow::ToOwned as _;
use std::string::{String, ToString as _};
use std::sync::Arc;
use std::vec::Vec;

use axum_core::body::Body;
use axum_core::extract::Request;
use axum_core::response::{IntoResponse as _, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

use super::super::AgentService;
use super::super::{EVENTS, HttpRefusal, answer, read_body};
use super::frames::{AnswerOutcome, losses_in};
use super::request::StoredRequest;
use super::task_frames::refuse_task;
use super::{Stored, responses};
use crate::hub::Losses;
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::runs::problem::{Code, RefusedRequest};
use crate::threads::{
    FollowedRun, FollowerBody, NewThreadRun, Refusal, Thread, Until, hash_of, reject,
};

/// The id of the one run of an answer that is not a task.
pub(super) const ANSWER: &str = "answer";
/// The maximum number of bytes of a stored request, with its earlier items or its task.
pub(super) const MAX_STORED_REQUEST_BYTES: usize = 8 * 1024 * 1024;
/// The number of keep-alives of an idle connection before it is closed.
pub(super) const IDLE: u32 = 300;
/// The least number of characters of the id of a chat or a conversation without a user: the id is
/// the credential of its answers, and must not be guessable.
const LEAST: usize = 16;
/// The headers of a request that are stored with it.
const STORED_HEADERS: [&str; 3] = ["content-type", "a2a-version", "user-agent"];

/// A request to a service with a store.
pub(super) struct AnswerCall {
    pub http: Parts,
    /// The protocol at the path; `None` for a stored answer.
    pub protocol: Option<ProtocolKind>,
    /// Empty if the service has no users.
    pub user: String,
    pub request_id: String,
}

/// A request that has begun to be answered.
pub(super) enum Begun {
    /// With frames.
    Frames { losses: Option<String> },
    /// With a whole response.
    Response(Response),
}

/// Returns the text of a list, whose hash is a name.
pub(super) fn list_of(texts: &[&str]) -> String {
    Value::Array(texts.iter().map(|text| Value::from(*text)).collect()).to_json()
}

impl AgentService {
    /// Returns whether a request has the preference `resumable`: a service with a store answers it
    /// with frames that can be resumed.
    pub fn prefers_resumable(headers: &HeaderMap) -> bool {
        let preferences = headers.get("prefer").and_then(|value| value.to_str().ok());
        let names = preferences.unwrap_or_default().split(',');
        let mut names = names.map(|one| one.split(';').next().unwrap_or_default().trim());
        names.any(|name| name.eq_ignore_ascii_case("resumable"))
    }

    /// Returns whether an id is one that services with a store give to OpenAI responses.
    pub fn is_stored_response(id: &str) -> bool {
        responses::name_of(id).is_some()
    }
}

impl AnswerCall {
    pub fn path(&self) -> &str {
        self.http.uri.path()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.http.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Returns the value of a parameter of the query.
    pub fn query(&self, name: &str) -> Option<String> {
        let query = self.http.uri.query().unwrap_or_default();
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let value = pairs.into_iter().find(|(key, _)| *key == name)?.1;
        Some(decoded(value))
    }

    /// Whether the client asks for an answer that can be resumed.
    pub fn prefers_resumable(&self) -> bool {
        AgentService::prefers_resumable(&self.http.headers)
    }

    /// Returns the idempotency key of a request.
    pub fn key(&self) -> Result<Option<&str>, Refusal> {
        let Some(key) = self.http.headers.get("idempotency-key") else { return Ok(None) };
        let least = if self.user.is_empty() { LEAST } else { 1 };
        let key = key.to_str().unwrap_or_default();
        let is_visible = key.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_visible || !(least..=256).contains(&key.len()) {
            let detail = "an idempotency key has 1 to 256 visible characters; at least 16 without a user, because it must not be guessable";
            return reject(Code::PayloadInvalid, detail);
        }
        Ok(Some(key))
    }

    /// Returns the id of the answer to a request: the same for the same idempotency key of a user.
    pub fn answer_id(&self) -> Result<String, Refusal> {
        // Without a user the id is the only credential of an answer, so it is as hard to guess as
        // the key.
        let key = self.key()?.map_or_else(|| Uuid::new_v4().to_string(), ToOwned::to_owned);
        Ok(hash_of(&list_of(&[&self.user, self.path(), &key])))
    }

    /// Whether the id of a conversation or a chat can be its name: without a user it is its
    /// credential, and must not be guessable.
    fn is_credential(&self, id: &str) -> bool {
        let least = if self.user.is_empty() { LEAST } else { 1 };
        id.chars().count() >= least
    }

    /// Returns the name of a conversation with this id, within what the ids are of.
    pub fn conversation(&self, id: &str, within: Option<&str>) -> Option<String> {
        let mut names = Vec::from(["conversation", &*self.user, id]);
        names.extend(within);
        self.is_credential(id).then(|| hash_of(&list_of(&names)))
    }

    /// Returns the name of a chat at a path.
    pub fn chat(&self, path: &str, id: &str) -> Option<String> {
        let names = ["chat", &*self.user, path, id];
        self.is_credential(id).then(|| hash_of(&list_of(&names)))
    }

    /// Returns the request as it is stored.
    pub fn stored(&self, body: &str) -> StoredRequest {
        let header = |name: &&str| Some(((*name).to_owned(), self.header(name)?.to_owned()));
        StoredRequest {
            url: self.http.uri.path_and_query().map(ToString::to_string).unwrap_or_default(),
            headers: STORED_HEADERS.iter().filter_map(header).collect(),
            body: body.to_owned(),
            request_id: Some(self.request_id.clone()),
            ..StoredRequest::default()
        }
    }

    /// Returns the request with a body that was read.
    pub fn request(self, body: String) -> Request {
        Request::from_parts(self.http, body.into())
    }

    /// Reads the body, which is JSON or empty.
    ///
    /// # Errors
    ///
    /// The response to a request whose body cannot be read.
    pub async fn read(&self, body: Body) -> Result<String, Response> {
        let request = Request::from_parts(self.http.clone(), body);
        let text = read_body(request, &()).await.map_err(|refusal| self.response(&refusal))?;
        if text.is_empty() && self.http.method != http::Method::GET && self.is_foreign() {
            let detail = "a page of another origin has sent the request";
            let refused = RefusedRequest::new(Code::Forbidden, detail);
            return Err(self.refuse(Refusal::Client(refused)));
        }
        Ok(text)
    }

    /// Whether a page of another origin could have sent the request without permission.
    fn is_foreign(&self) -> bool {
        let host = self.header("host").or(self.http.uri.host()).unwrap_or_default();
        super::super::foreign::reject_foreign(&self.http.headers, host).is_err()
    }

    fn response(&self, refusal: &HttpRefusal) -> Response {
        refusal.response(self.protocol.unwrap_or(ProtocolKind::AgentApi))
    }

    /// Returns a refusal in the form of the protocol.
    pub fn refuse(&self, refusal: Refusal) -> Response {
        self.refuse_call(refusal, "")
    }

    /// Returns a refusal in the form of the protocol. That of JSON-RPC has the id of the call in
    /// the body.
    pub fn refuse_call(&self, refusal: Refusal, body: &str) -> Response {
        let refused = refused_of(refusal);
        let RefusedRequest { code, detail, .. } = &refused;
        let status = code.status();
        let name = match (self.protocol, status) {
            (Some(ProtocolKind::Responses), 429) => "rate_limit_exceeded",
            _ => code.as_str(),
        };
        let mut response = match self.protocol {
            Some(
                kind @ (ProtocolKind::Responses | ProtocolKind::Chat | ProtocolKind::Anthropic),
            ) => HttpRefusal::new(status, name, detail.clone()).response(kind),
            Some(ProtocolKind::A2a) => refuse_task(self, status, detail, body),
            _ => answer(status, "application/problem+json", refused.body()),
        };
        let header = match *code {
            Code::Unauthorized => ("www-authenticate", "Bearer"),
            Code::RunActive => ("retry-after", "1"),
            _ if matches!(status, 429 | 503) => ("retry-after", "5"),
            _ => ("vary", "authorization"),
        };
        response.headers_mut().insert(header.0, HeaderValue::from_static(header.1));
        no_store(&mut response);
        response
    }
}

/// Keeps caches from storing a response.
pub(super) fn no_store(response: &mut Response) {
    response.headers_mut().insert("cache-control", HeaderValue::from_static("no-store"));
}

/// Returns the refusal that a client receives.
fn refused_of(refusal: Refusal) -> RefusedRequest {
    match refusal {
        Refusal::Client(refused) => refused,
        Refusal::Store(_) => {
            let detail = "the storage is not available, or is full";
            RefusedRequest::new(Code::StorageUnavailable, detail)
        }
        Refusal::Internal(_) => RefusedRequest::new(Code::Internal, "something went wrong"),
    }
}

/// Whether a refusal means that there is no such answer: one that does not exist, and one of another
/// user, are not distinguished.
pub(super) fn is_missing(refusal: &Refusal) -> bool {
    let Refusal::Client(refused) = refusal else { return false };
    matches!(
        refused.code,
        Code::ThreadNotFound
            | Code::RunNotFound
            | Code::Forbidden
            | Code::RunExpired
            | Code::NotFound
    )
}

/// Returns the refusal of an answer.
pub(super) fn missing(refusal: Refusal) -> Refusal {
    if is_missing(&refusal) { no_answer() } else { refusal }
}

pub(super) fn no_answer() -> Refusal {
    let detail = "there is no such answer, or not any more";
    Refusal::Client(RefusedRequest::new(Code::NotFound, detail))
}

/// Returns a response with frames.
pub(super) fn stream(body: Body, losses: Option<&str>) -> Response {
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert("content-type", HeaderValue::from_static(EVENTS));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    if let Some(Ok(losses)) = losses.map(HeaderValue::from_str) {
        headers.insert(HeaderName::from_static(Losses::HEADER), losses);
    }
    no_store(&mut response);
    response
}

/// Decodes a part of a URL.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(if *first == b'+' { b' ' } else { *first });
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

impl Stored {
    /// Creates a run, also if the client leaves meanwhile.
    pub(super) async fn create(
        &self,
        thread: &Arc<Thread>,
        run: NewThreadRun,
    ) -> Result<(), Refusal> {
        let thread = thread.clone();
        self.threads.completed(async move { thread.create(run).await }).await.map(drop)
    }

    /// Starts an answer, unless it exists, and waits for its first entry.
    pub(super) async fn ask(
        &self,
        call: &AnswerCall,
        id: &str,
        stored: &StoredRequest,
    ) -> Result<Begun, Refusal> {
        let thread = self.threads.get(id);
        let run = NewThreadRun {
            owner: call.user.clone(),
            input: stored.to_json(),
            hash: hash_of(&[call.path(), "\n", &stored.body].concat()),
            ..NewThreadRun::default()
        };
        self.create(&thread, run).await?;
        let (user, run) = (Some(&*call.user), Some(ANSWER));
        let first = thread.entries(user, run, Until::First).await?;
        let data = first.entries.first().map(|entry| &*entry.data).unwrap_or_default();
        let Some(outcome) = AnswerOutcome::of_entry(data) else {
            return Ok(Begun::Frames { losses: losses_in(data).map(ToOwned::to_owned) });
        };
        let is_failure = match &outcome {
            AnswerOutcome::Response { status, .. } => *status >= 400,
            AnswerOutcome::Failure { .. } => true,
        };
        if is_failure {
            // The request may be sent again.
            thread.entries(user, run, Until::End).await?;
            thread.delete(&call.user).await?;
        }
        Ok(Begun::Response(response_of(call, outcome)?))
    }

    /// Returns the frames of an answer after the cursor of the request.
    pub(super) async fn frames(
        &self,
        call: &AnswerCall,
        id: &str,
        run: Option<&str>,
        losses: Option<&str>,
    ) -> Result<Response, Refusal> {
        let followed = FollowedRun {
            owner: Some(call.user.clone()),
            run_id: run.map(ToOwned::to_owned),
            cursor: call.header("last-event-id").map(ToOwned::to_owned),
            idle_limit: IDLE,
            ..FollowedRun::default()
        };
        let body = self.threads.get(id).follow(followed).await.map_err(missing)?;
        let mut response = followed_response(body, losses);
        let turn = run.map(|run| ["?turn=", run].concat()).unwrap_or_default();
        let location = ["/answers/", id, &turn].concat();
        let headers = response.headers_mut();
        if let Ok(location) = HeaderValue::from_str(&location) {
            headers.insert("content-location", location);
        }
        headers.insert("preference-applied", HeaderValue::from_static("resumable"));
        Ok(response)
    }
}

/// Returns the response with frames; 204 if none follow.
pub(super) fn followed_response(body: Option<FollowerBody>, losses: Option<&str>) -> Response {
    match body {
        Some(body) => stream(Body::from_stream(body), losses),
        None => {
            let mut response = Response::default();
            *response.status_mut() = http::StatusCode::NO_CONTENT;
            no_store(&mut response);
            response
        }
    }
}

/// Returns the response for an outcome in place of frames.
pub(super) fn response_of(call: &AnswerCall, outcome: AnswerOutcome) -> Result<Response, Refusal> {
    match outcome {
        AnswerOutcome::Failure { code, message } => {
            let code = Code::named(&code).unwrap_or(Code::Internal);
            Ok(call.refuse(Refusal::Client(RefusedRequest::new(code, message))))
        }
        AnswerOutcome::Response { status, headers, body } => {
            let mut response = Body::from(body).into_response();
            *response.status_mut() = status.try_into().unwrap_or_default();
            for (name, value) in headers {
                if let (Ok(name), Ok(value)) =
                    (HeaderName::try_from(name), HeaderValue::try_from(value))
                {
                    response.headers_mut().insert(name, value);
                }
            }
            Ok(response)
        }
    }
}
