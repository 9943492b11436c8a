//! OpenAI Responses that are stored: created by POST, read by id, whole or after an event,
//! continued, canceled and deleted.

use std::borrow::ToOwned as _;
use std::format;
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;

use axum_core::body::Body;
use axum_core::response::{IntoResponse as _, Response};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use uuid::Uuid;

use super::super::service::RunAddition;
use super::super::{HttpRefusal, JSON, answer};
use super::Stored;
use super::answers::{
    ANSWER, AnswerCall, Begun, IDLE, MAX_STORED_REQUEST_BYTES, is_missing, no_answer, no_store,
    stream,
};
use super::ending::snapshot_of;
use super::frames::{data_in, frames_in};
use super::items::{input_items, page_of, with_turns};
use super::request::StoredRequest;
use crate::core::violation::excerpt;
use crate::hub::Losses;
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::runs::problem::Code;
use crate::threads::{FollowedRun, Refusal, Until, hash_of, is_answer_id, parsed};

/// The path of responses.
pub(super) const PATH: &str = "/v1/responses";
const KIND: ProtocolKind = ProtocolKind::Responses;

/// A response in its present state.
struct StoredResponse {
    request: StoredRequest,
    has_ended: bool,
    frames: Vec<String>,
}

/// Returns a refusal in OpenAI's form.
fn refuse(status: u16, message: impl Into<String>, code: &str, param: Option<&str>) -> Response {
    let mut refusal = HttpRefusal::new(status, code, message);
    refusal.param = param.map(ToOwned::to_owned);
    let mut response = refusal.response(KIND);
    no_store(&mut response);
    response
}

/// Returns the name of the thread of a response.
pub(super) fn name_of(id: &str) -> Option<&str> {
    id.strip_prefix("resp_").filter(|name| is_answer_id(name))
}

fn not_found(id: &str) -> Response {
    refuse(404, format!("Response with id '{}' not found.", excerpt(id)), "not_found", None)
}

impl Stored {
    /// Answers a request that creates a response.
    pub(super) async fn create_response(
        self: &Arc<Self>,
        mut call: AnswerCall,
        body: Body,
    ) -> Result<Response, Response> {
        let body = call.read(body).await?;
        let members = parsed(&body);
        let is = |member: &str, value: bool| members.get(member) == Some(&Value::Bool(value));
        let (is_stored, is_background) = (!is("store", false), is("background", true));
        if !is_stored && is_background {
            let message = "background responses are stored: leave `store` out, or set it to true";
            return Err(refuse(400, message, "invalid_value", Some("background")));
        }
        let before = self.earlier_items(&call, &body, &members).await?;
        let is_resumable = call.prefers_resumable();
        if !is_stored && !is_resumable {
            // The turns before it are in its body now.
            call.http.extensions.insert(RunAddition::default());
            let body = with_turns(&body, before.as_deref());
            return Ok(self.service().routed(call.request(body)).await);
        }
        if body.len() > MAX_STORED_REQUEST_BYTES {
            let message = "the request of a stored response has 8388608 bytes at most; with `store: false` it may have more";
            return Err(refuse(413, message, "body_too_long", None));
        }
        // Without a user the id is the only credential of a response, so it must not be guessable.
        let id = match is_resumable {
            true => call.answer_id().map_err(|refusal| call.refuse(refusal))?,
            false => hash_of(&Uuid::new_v4().simple().to_string()),
        };
        let mut stored = call.stored(&body);
        stored.before = before;
        stored.response_id = is_stored.then(|| ["resp_", &id].concat());
        let begun = self.ask(&call, &id, &stored).await;
        let losses = match begun.map_err(|refusal| call.refuse(refusal))? {
            Begun::Response(response) => return Ok(response),
            Begun::Frames { losses } => losses,
        };
        if is_stored && !is("stream", true) {
            let until = if is_background { Until::First } else { Until::End };
            let read = self.response(&id, &call, until).await;
            let mut response = result(read, &id);
            if let Some(Ok(losses)) = losses.as_deref().map(HeaderValue::from_str) {
                let name = HeaderName::from_static(Losses::HEADER);
                response.headers_mut().insert(name, losses);
            }
            return Ok(response);
        }
        match is_resumable {
            true => {
                let frames = self.frames(&call, &id, None, losses.as_deref()).await;
                frames.map_err(|refusal| call.refuse(refusal))
            }
            false => self.response_events(&call, &id, 0, losses.as_deref()).await,
        }
    }

    /// Answers a request below the path of responses.
    pub(super) async fn below_responses(
        self: &Arc<Self>,
        call: AnswerCall,
        body: Body,
    ) -> Result<Response, Response> {
        let path = call.path().to_owned();
        let below = path.strip_prefix(PATH).unwrap_or_default().trim_start_matches('/');
        let mut parts = below.split('/');
        let (id, operation) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (methods, allow): (&[Method], &str) = match operation {
            "" => (&[Method::GET, Method::HEAD, Method::DELETE], "GET, HEAD, DELETE"),
            "cancel" => (&[Method::POST], "POST"),
            "input_items" => (&[Method::GET, Method::HEAD], "GET, HEAD"),
            _ => (&[], ""),
        };
        if id.is_empty() || methods.is_empty() || parts.next().is_some() {
            let message =
                format!("there is nothing at {}: responses are at {PATH}", excerpt(&path));
            return Err(refuse(404, message, "not_found", None));
        }
        if !methods.contains(&call.http.method) {
            let message = format!("this path takes {allow}");
            let mut response = refuse(405, message, "method_not_allowed", None);
            response.headers_mut().insert("allow", HeaderValue::from_static(allow));
            return Err(response);
        }
        if !matches!(call.http.method, Method::GET | Method::HEAD) {
            call.read(body).await?;
        }
        let Some(name) = name_of(id) else { return Err(not_found(id)) };
        match operation {
            "cancel" => Ok(result(self.stop_response(name, &call).await, name)),
            "input_items" => {
                let read = self.response(name, &call, Until::Now).await;
                let StoredResponse { request, .. } = read.map_err(|error| refused(error, name))?;
                let items = input_items(&request.body, request.before.as_deref(), name);
                page_of(items, &call).map(|page| json(page.to_json())).map_err(|wrong| {
                    let message = format!("`{wrong}` of a list: `limit` is 1 to 100, `order` is asc or desc, `after` is the id of an item");
                    refuse(400, message, "invalid_value", Some(wrong))
                })
            }
            _ => self.one_response(name, &call).await,
        }
    }

    /// Returns a response in its present state, or its events; or deletes it.
    async fn one_response(&self, name: &str, call: &AnswerCall) -> Result<Response, Response> {
        if call.http.method == Method::DELETE {
            let stopped = self.stop_response(name, call).await;
            stopped.map_err(|error| refused(error, name))?;
            let deleted = self.threads.get(name).delete(&call.user).await;
            deleted.map_err(|error| refused(error, name))?;
            let deleted = Value::from([
                ("id", ["resp_", name].concat().into()),
                ("object", "response".into()),
                ("deleted", true.into()),
            ]);
            return Ok(json(deleted.to_json()));
        }
        if call.query("stream").as_deref() != Some("true") {
            return Ok(result(self.response(name, call, Until::Now).await, name));
        }
        let after = match call.query("starting_after") {
            None => Some(-1),
            Some(after) => after.parse::<i64>().ok().filter(|after| (-1..1 << 50).contains(after)),
        };
        match after.and_then(|after| u64::try_from(after + 1).ok()) {
            Some(after) => self.response_events(call, name, after, None).await,
            None => {
                let message = "`starting_after` is the `sequence_number` of an event";
                Err(refuse(400, message, "invalid_value", Some("starting_after")))
            }
        }
    }

    /// Stops the agent of a response; returns the response after its end.
    async fn stop_response(
        &self,
        name: &str,
        call: &AnswerCall,
    ) -> Result<StoredResponse, Refusal> {
        self.response(name, call, Until::Now).await?;
        self.threads.get(name).cancel(&call.user, Some(ANSWER)).await?;
        self.response(name, call, Until::End).await
    }

    async fn response_events(
        &self,
        call: &AnswerCall,
        name: &str,
        after: u64,
        losses: Option<&str>,
    ) -> Result<Response, Response> {
        let read = self.response(name, call, Until::First).await;
        read.map_err(|error| refused(error, name))?;
        // The numbers of a response's events start at 0, those of the log at 1, and each event is
        // an entry.
        let followed = FollowedRun {
            owner: Some(call.user.clone()),
            run_id: Some(ANSWER.to_owned()),
            after: Some(after),
            idle_limit: IDLE,
            ..FollowedRun::default()
        };
        let body = self.threads.get(name).follow(followed).await;
        let body = body.map_err(|error| refused(error, name))?;
        // The stream after the last event is empty.
        Ok(stream(body.map_or_else(Body::empty, Body::from_stream), losses))
    }

    /// Reads a response. Other answers are not responses.
    async fn response(
        &self,
        name: &str,
        call: &AnswerCall,
        until: Until,
    ) -> Result<StoredResponse, Refusal> {
        let thread = self.threads.get(name);
        let user = Some(&*call.user);
        let mut read = thread.entries(user, Some(ANSWER), until).await?;
        loop {
            let request = StoredRequest::parse(&read.input);
            let entries = read.entries.iter().map(|entry| &*entry.data);
            let frames: Vec<String> = frames_in(entries).into_iter().map(String::from).collect();
            if request.response_id.is_none() || frames.is_empty() && read.has_ended {
                return Err(no_answer());
            }
            if !frames.is_empty() {
                return Ok(StoredResponse { request, has_ended: read.has_ended, frames });
            }
            // A response exists when its first event is stored.
            read = thread.entries(user, Some(ANSWER), Until::First).await?;
        }
    }

    /// Returns the items before a request as a JSON list, if it continues a response.
    async fn earlier_items(
        &self,
        call: &AnswerCall,
        body: &str,
        members: &Value,
    ) -> Result<Option<String>, Response> {
        let previous = members.text("previous_response_id").filter(|id| !id.is_empty());
        let Some(id) = previous else { return Ok(None) };
        let refuse =
            |message: String, code: &str| refuse(400, message, code, Some("previous_response_id"));
        let unknown = || {
            let message = format!("Previous response with id '{}' not found.", excerpt(id));
            refuse(message, "previous_response_not_found")
        };
        let Some(name) = name_of(id) else { return Err(unknown()) };
        let read = match self.response(name, call, Until::Now).await {
            Ok(read) => read,
            Err(refusal) if is_missing(&refusal) => return Err(unknown()),
            Err(refusal) => return Err(refused(refusal, name)),
        };
        if !read.has_ended {
            let message =
                format!("Previous response with id '{}' is still in progress.", excerpt(id));
            return Err(refuse(message, "previous_response_in_progress"));
        }
        let StoredRequest { body: earlier, before, .. } = &read.request;
        let mut items = input_items(earlier, before.as_deref(), name);
        let response = response_in(&read.frames);
        items.extend(response.get("output").map(Value::items).unwrap_or_default().iter().cloned());
        let items = Value::Array(items).to_json();
        let bytes = body.len() + items.len();
        if bytes > MAX_STORED_REQUEST_BYTES {
            let message = format!(
                "The earlier turns and this request have {bytes} bytes together, of {MAX_STORED_REQUEST_BYTES} at most."
            );
            return Err(refuse(message, "context_length_exceeded"));
        }
        Ok(Some(items))
    }
}

/// Returns the Response object after these frames.
fn response_in(frames: &[String]) -> Value {
    let last = frames.last().map(|last| data_in(last)).unwrap_or_default();
    // Lifecycle events contain the whole object.
    match last.get("response") {
        Some(response) => response.clone(),
        None => snapshot_of(KIND, frames.iter().map(String::as_str)),
    }
}

fn result(read: Result<StoredResponse, Refusal>, name: &str) -> Response {
    match read {
        Ok(read) => json(response_in(&read.frames).to_json()),
        Err(refusal) => refused(refusal, name),
    }
}

fn json(body: String) -> Response {
    let mut response = answer(StatusCode::OK.as_u16(), JSON, body).into_response();
    no_store(&mut response);
    response
}

fn refused(refusal: Refusal, name: &str) -> Response {
    if is_missing(&refusal) {
        return not_found(&["resp_", name].concat());
    }
    let (status, code, message, param) = match &refusal {
        Refusal::Client(one) if one.code == Code::InvalidLastEventId => {
            let message = "there is no event of that number yet";
            (400, "invalid_value", message, Some("starting_after"))
        }
        Refusal::Client(one) => (429, "rate_limit_exceeded", &*one.detail, None),
        Refusal::Store(_) => {
            (503, "server_error", "the storage is not available, or is full", None)
        }
        Refusal::Internal(_) => (500, "server_error", "something went wrong", None),
    };
    let mut response = refuse(status, message, code, param);
    if matches!(status, 429 | 503) {
        response.headers_mut().insert("retry-after", HeaderValue::from_static("5"));
    }
    response
}
