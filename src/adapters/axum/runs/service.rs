//! The service: requests to the endpoints, and the threads in memory.

use std::borrow::ToOwned;
use std::collections::HashSet;
use std::format;
use std::string::{String, ToString};
use std::sync::Arc;
use std::time::Duration;
use std::vec::Vec;

use axum_core::body::Body;
use axum_core::extract::{DefaultBodyLimit, FromRequest, Request};
use axum_core::response::Response;
use bytes::Bytes;
use form_urlencoded::Serializer;
use http::request::Parts;
use http::{HeaderValue, Method};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;
use uuid::Uuid;

use super::super::foreign::{is_json, reject_foreign};
use super::attachments::{Attachments, OBJECT, secret_of};
use super::messages::shown;
use super::options::{Action, EndpointLimits, Options, Recording};
use super::query::Query;
use super::rejection::{respond, with};
use super::signing::{is_signed, sign};
use super::uploads::{UploadCodes, receive, wav_duration};
use crate::core::limits::Limits;
use crate::emit::AnyError;
use crate::json::{Value, write_list};
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::runs::problem::{Code, RefusedRequest};
use crate::protocols::runs::request::{
    CancelAccepted, CancelQuery, EventsQuery, HistoryQuery, RunCreated, RunInput, Transcript,
    is_uuid,
};
use crate::threads::{
    CountGuard, CountsByName, FollowedRun, HistoryPage, ListedThreads, NewThreadRun, Refusal,
    TITLE, Thread, ThreadChange, Threads, hash_of, object, reject,
};

/// The timeout of a transcription.
const TRANSCRIPTION: Duration = Duration::from_secs(30);
const JSON: &str = "application/json";

/// The endpoints of a service, on its threads.
pub(crate) struct Service {
    options: Arc<Options>,
    threads: Arc<Threads>,
    uploads: Semaphore,
    /// The uploads of users.
    uploading: CountsByName,
}

/// A request to an endpoint, with its user.
struct EndpointCall<'a> {
    request: Request,
    query: Query,
    /// The thread in the path.
    thread: &'a str,
    user: String,
    /// The host of the service.
    host: String,
    /// The URL of the endpoints.
    base: String,
}

/// The maximum number of bytes of the name of a user as JSON: with it, the keys of every database
/// are short enough.
const USER_BYTES: usize = 2048;

impl Service {
    pub fn new(options: Arc<Options>, threads: Arc<Threads>) -> Arc<Self> {
        let uploads = options.endpoints.limits.uploads.min(Semaphore::MAX_PERMITS);
        Arc::new(Service {
            uploads: Semaphore::new(uploads),
            uploading: CountsByName::default(),
            options,
            threads,
        })
    }

    /// Returns whether a path is one of the endpoints.
    pub fn has(&self, path: &str) -> bool {
        self.options.endpoints.have(path)
    }

    /// Responds to a request for an endpoint.
    pub async fn respond(self: &Arc<Self>, request: Request) -> Response {
        let given = request.headers().get("x-request-id").cloned().filter(|id| {
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            (1..=64).contains(&id.len()) && id.as_bytes().iter().all(is_part)
        });
        let answered = self.answer(request).await;
        let mut response = answered
            .unwrap_or_else(|refusal| respond(refusal, |error| self.options.service.report(error)));
        let own = || HeaderValue::try_from(Uuid::new_v4().to_string()).expect("visible characters");
        response.headers_mut().insert("x-request-id", given.unwrap_or_else(own));
        response
    }

    async fn answer(self: &Arc<Self>, request: Request) -> Result<Response, Refusal> {
        if self.threads.is_closed() {
            return reject(Code::StorageUnavailable, "the service is stopping");
        }
        let (parts, body) = request.into_parts();
        let query = Query::parse(parts.uri.query().unwrap_or_default());
        let path = parts.uri.path().to_owned();
        let below = path.strip_prefix(&*self.options.endpoints.path).unwrap_or_default();
        let segments: Vec<_> = below.split('/').skip(1).collect();
        let method = parts.method.clone();
        if below == OBJECT && matches!(method, Method::GET | Method::HEAD) {
            // The signature in the address is the authorization.
            return self.attachments().serve(&method, &parts.headers, &query).await;
        }
        if let ("GET", ["runs", thread, "events"], true) =
            (method.as_str(), &*segments, query.get("signature").is_some())
        {
            let run_id = query.get("runId").unwrap_or_default();
            if !is_signed("EVENTS", &subject_of(thread, run_id), &query, secret_of(&self.options)?)
            {
                return reject(Code::SignatureInvalid, "the address is not signed, or has expired");
            }
            return self
                .follow(&parts, query.without(&["expires", "signature"]), thread, None)
                .await;
        }
        let user = self.options.service.user_of(&parts).await.map_err(Refusal::Internal)?;
        let Some(user) = user.filter(|user| !user.is_empty()) else {
            return reject(Code::Unauthorized, "the request has no valid token");
        };
        if Value::from(&*user).to_json().len() > USER_BYTES {
            return reject(
                Code::PayloadInvalid,
                "the name of the user has more than 2048 bytes as JSON",
            );
        }
        let host = parts.headers.get("host").and_then(|host| host.to_str().ok());
        let host = parts.uri.authority().map(|host| host.as_str()).or(host).unwrap_or("localhost");
        let origin =
            self.options.endpoints.origin.clone().unwrap_or_else(|| ["http://", host].concat());
        let base = [&*origin, &*self.options.endpoints.path].concat();
        let thread = if segments.len() > 1 { segments[1] } else { "" };
        let request = Request::from_parts(parts.clone(), body);
        let call = EndpointCall { request, query, thread, user, host: host.into(), base };
        match (method.as_str(), &*segments) {
            ("POST", ["runs"]) => self.create(call).await,
            ("GET", ["runs", _, "events"]) => {
                self.follow(&parts, call.query, thread, Some(&call.user)).await
            }
            ("GET", ["runs", _, "signed-url"]) => self.signed_events(call).await,
            ("POST", ["runs", _, "cancel"]) => self.cancel(call).await,
            ("DELETE", ["runs", _]) => self.delete(call).await,
            ("GET", ["threads"]) => self.list(call).await,
            ("PATCH", ["threads", _]) => self.change(call).await,
            ("DELETE", ["threads", _]) => self.delete(call).await,
            ("GET", ["history"]) => self.history(call).await,
            ("POST", ["attachments"]) => self.upload(call).await,
            ("GET", ["attachments", "signed-url"]) => {
                let EndpointCall { query, user, base, .. } = call;
                Ok(json(200, self.attachments().sign(&query, &user, &base).await?))
            }
            ("POST", ["transcribe"]) => self.transcript(call).await,
            (_, ["runs" | "attachments" | "transcribe"] | ["runs", _, "cancel"]) => {
                Ok(self.other_method("POST"))
            }
            (_, ["runs", _]) => Ok(self.other_method("DELETE")),
            (_, ["threads", _]) => Ok(self.other_method("PATCH")),
            (
                _,
                ["history" | "threads"]
                | ["runs", _, "events" | "signed-url"]
                | ["attachments", "signed-url" | "object"],
            ) => Ok(self.other_method("GET")),
            _ => reject(Code::NotFound, "there is no such endpoint"),
        }
    }

    async fn create(self: &Arc<Self>, call: EndpointCall<'_>) -> Result<Response, Refusal> {
        self.admitted(&call.user, Action::Run)?;
        let key = call.request.headers().get("idempotency-key").cloned();
        let key = key.map(|key| key.to_str().map(ToOwned::to_owned).unwrap_or_default());
        if key.as_ref().is_some_and(|key| {
            !(1..=256).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic())
        }) {
            return reject(
                Code::PayloadInvalid,
                "an idempotency key has 1 to 256 visible characters",
            );
        }
        let text = self.body_of(call.request, &call.host).await?;
        let input = RunInput::parse(&text)?;
        let body = input.to_json()?;
        // What the service accepts, the agent must be able to read.
        RunAgentInput::parse(&body).map_err(|error| RefusedRequest {
            code: Code::InputInvalid,
            detail: error.to_string().into(),
            problems: error.problems().to_vec(),
        })?;
        let (thread_id, run_id) = (input.thread_id.clone(), input.run_id.clone());
        let thread = self.thread(&thread_id)?;
        let hash = hash_of(&body);
        let run = NewThreadRun { owner: call.user, base: call.base, input: body, hash, key };
        let created = thread.create_in_turn(run, self.options.while_running).await?;
        let (task_id, created) = (created.task_id, created.created);
        Ok(json(202, RunCreated { task_id, thread_id, run_id, created }.to_json()))
    }

    async fn follow(
        self: &Arc<Self>,
        parts: &Parts,
        query: Query,
        thread: &str,
        user: Option<&str>,
    ) -> Result<Response, Refusal> {
        let EventsQuery { run_id, idle_limit } = EventsQuery::parse(&query.to_json())?;
        let cursor = parts
            .headers
            .get("last-event-id")
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let followed = FollowedRun {
            owner: user.map(ToOwned::to_owned),
            run_id: Some(run_id),
            cursor,
            idle_limit: u32::try_from(idle_limit).unwrap_or(u32::MAX),
            ..FollowedRun::default()
        };
        let Some(frames) = self.thread(thread)?.follow(followed).await? else {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = http::StatusCode::NO_CONTENT;
            return Ok(response);
        };
        let mut response = with(200, "text/event-stream; charset=utf-8", String::new());
        response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
        *response.body_mut() = Body::from_stream(frames);
        Ok(response)
    }

    async fn signed_events(self: &Arc<Self>, call: EndpointCall<'_>) -> Result<Response, Refusal> {
        let CancelQuery { run_id } = CancelQuery::parse(&call.query.to_json())?;
        let EndpointCall { thread, user, base, .. } = call;
        self.thread(thread)?.run(Some(&user), Some(&run_id)).await?;
        let address = [&*base, "/runs/", thread, "/events?"].concat();
        let start = address.len();
        let mut query = Serializer::for_suffix(address, start);
        query.append_pair("runId", &run_id);
        sign(&mut query, "EVENTS", &subject_of(thread, &run_id), secret_of(&self.options)?);
        let url = query.finish();
        Ok(json(
            200,
            object(|answer| {
                answer.string("threadId", Some(thread));
                answer.string("runId", Some(&run_id));
                answer.string("url", Some(&url));
            }),
        ))
    }

    async fn cancel(self: &Arc<Self>, call: EndpointCall<'_>) -> Result<Response, Refusal> {
        self.body_of(call.request, &call.host).await?;
        let CancelQuery { run_id } = CancelQuery::parse(&call.query.to_json())?;
        let (thread, id) = (self.thread(call.thread)?, run_id.clone());
        self.threads.completed(async move { thread.cancel(&call.user, Some(&id)).await }).await?;
        Ok(json(
            202,
            CancelAccepted { thread_id: call.thread.into(), run_id, accepted: true }.to_json(),
        ))
    }

    async fn delete(self: &Arc<Self>, call: EndpointCall<'_>) -> Result<Response, Refusal> {
        self.body_of(call.request, &call.host).await?;
        let (service, thread) = (self.clone(), self.thread(call.thread)?);
        let deleting = async move {
            // First, so that the request can be repeated if one of them cannot be deleted.
            let earlier = match service.options.endpoints.blobs {
                Some(_) => thread.messages(&call.user, usize::MAX).await?.messages,
                None => Vec::new(),
            };
            service.attachments().delete(&earlier, &call.user).await?;
            let mut messages = thread.delete(&call.user).await?;
            let known: HashSet<_> = earlier.into_iter().collect();
            messages.retain(|message| !known.contains(message));
            service.attachments().delete(&messages, &call.user).await
        };
        self.threads.completed(deleting).await?;
        Ok(json(
            200,
            object(|answer| {
                answer.string("threadId", Some(call.thread));
                answer.bool("deleted", Some(true));
            }),
        ))
    }

    async fn list(&self, call: EndpointCall<'_>) -> Result<Response, Refusal> {
        let limit = call.query.get("limit").unwrap_or("20").parse().unwrap_or(0);
        let archived = call.query.get("archived").unwrap_or("false");
        if !(1..=999).contains(&limit) || !matches!(archived, "true" | "false") {
            let detail = "`limit` is 1 to 100, `archived` is true or false";
            return reject(Code::PayloadInvalid, detail);
        }
        let which = ListedThreads {
            search: call.query.get("search").unwrap_or_default(),
            archived: archived == "true",
            after: call.query.get("after").unwrap_or_default(),
            limit,
        };
        let (threads, next) = self.threads.users.threads(&call.user, which).await?;
        let body = object(|page| {
            write_list(threads, page.member("threads"), |thread, out| thread.write(out));
            page.value("next", Some(&next.map_or(Value::Null, Value::from)));
        });
        Ok(json(200, body))
    }

    async fn change(self: &Arc<Self>, call: EndpointCall<'_>) -> Result<Response, Refusal> {
        let body = self.body_of(call.request, &call.host).await?;
        let body = Value::parse(&body, Limits::DEEPEST).unwrap_or_default();
        let Some(change) = ThreadChange::parse(&body) else {
            let detail = format!(
                "`title` is a text of {TITLE} characters at most, and `archived` true or false"
            );
            return Err(Refusal::Client(RefusedRequest::new(Code::PayloadInvalid, detail)));
        };
        self.thread(call.thread)?.run(Some(&call.user), None).await?;
        let id = call.thread.to_ascii_lowercase();
        let changed = self.threads.users.change_thread(&call.user, &id, change).await?;
        let mut body = String::new();
        changed.write(&mut body);
        Ok(json(200, body))
    }

    async fn history(self: &Arc<Self>, call: EndpointCall<'_>) -> Result<Response, Refusal> {
        let before_seq =
            call.query.get("beforeSeq").and_then(|text| text.parse().ok()).unwrap_or(u64::MAX);
        let query = HistoryQuery::parse(&call.query.without(&["beforeSeq"]).to_json())?;
        let is_latest = query.thread_id.is_none();
        let id = match query.thread_id {
            Some(id) => Some(id),
            None => self.threads.users.latest_thread(&call.user).await?,
        };
        let before = query.before.as_deref().unwrap_or("9999-99-99");
        let (id, page) = match id {
            None => (None, HistoryPage::default()),
            Some(id) => match self.thread(&id)?.history(&call.user, before, before_seq).await {
                Ok(page) => (Some(id), page),
                // The latest thread may have been deleted, and its id be another user's.
                Err(Refusal::Client(refusal))
                    if is_latest
                        && matches!(refusal.code, Code::ThreadNotFound | Code::Forbidden) =>
                {
                    (None, HistoryPage::default())
                }
                Err(rejection) => return Err(rejection),
            },
        };
        let attachments = self.attachments();
        let renew = attachments.renewing(&call.user, &call.base);
        let body = object(|answer| {
            answer.string("scope", Some("history_day"));
            answer.value("threadId", Some(&id.map_or(Value::Null, Value::from)));
            answer.value("day", Some(&page.day.map_or(Value::Null, Value::from)));
            answer.bool("hasMore", Some(page.has_more));
            write_list(page.messages, answer.member("messages"), |message, out| {
                let mut message = shown(message);
                renew.message(&mut message);
                message.write(out);
            });
            answer.integer("beforeSeq", page.before_seq.map(|seq| seq as i64));
        });
        Ok(json(200, body))
    }

    async fn upload(self: &Arc<Self>, call: EndpointCall<'_>) -> Result<Response, Refusal> {
        self.admitted(&call.user, Action::Upload)?;
        let _place = self.upload_place(&call)?;
        let codes =
            UploadCodes { too_large: Code::AttachmentTooLarge, empty: Code::AttachmentEmpty };
        let form = receive(call.request, "file", codes, &self.options.endpoints.limits).await?;
        let Some((_, thread)) = form.fields.iter().find(|(name, _)| name == "threadId") else {
            return reject(Code::ThreadIdInvalid, "the form has no `threadId`");
        };
        self.thread(thread)?.may_write(&call.user).await?;
        Ok(json(200, self.attachments().store(form, &call.user, &call.base).await?))
    }

    async fn transcript(self: &Arc<Self>, call: EndpointCall<'_>) -> Result<Response, Refusal> {
        self.admitted(&call.user, Action::Transcription)?;
        let _place = self.upload_place(&call)?;
        let codes = UploadCodes { too_large: Code::AudioTooLarge, empty: Code::AudioEmpty };
        let form = receive(call.request, "audio", codes, &self.options.endpoints.limits).await?;
        let Some(duration) = wav_duration(&form.kind, &form.file) else {
            return reject(Code::AudioUnsupported, "a recording is a WAV file");
        };
        if duration.is_zero() {
            return reject(Code::AudioEmpty, "the recording has no sound");
        }
        let error: AnyError = match &self.options.endpoints.transcribe {
            None => "the service has no function `transcribe`".into(),
            Some(transcribe) => {
                let recording = Recording { audio: form.file, duration, user: call.user };
                match timeout(TRANSCRIPTION, transcribe(recording)).await {
                    Ok(Ok(transcript)) => {
                        return Ok(json(200, Transcript { transcript }.to_json()));
                    }
                    Ok(Err(error)) => error,
                    Err(late) => late.into(),
                }
            }
        };
        self.options.service.report(&*error);
        reject(Code::SpeechUnavailable, "the speech service does not answer")
    }

    fn admitted(&self, user: &str, action: Action) -> Result<(), Refusal> {
        match self.options.endpoints.admit.as_ref().is_none_or(|admit| admit(user, action)) {
            true => Ok(()),
            false => reject(Code::RateLimit, "too many requests of this kind in a short time"),
        }
    }

    /// Takes a place for an upload: one user does not occupy all of them.
    fn upload_place(
        &self,
        call: &EndpointCall<'_>,
    ) -> Result<(SemaphorePermit<'_>, CountGuard), Refusal> {
        reject_foreign(call.request.headers(), &call.host)?;
        let Ok(permit) = self.uploads.try_acquire() else {
            return reject(Code::RateLimit, "the service receives too many files at once");
        };
        let EndpointLimits { uploads, user_uploads, .. } = self.options.endpoints.limits;
        match self.uploading.enter(&call.user, user_uploads.min(uploads.saturating_sub(1)).max(1)) {
            Some(counted) => Ok((permit, counted)),
            None => reject(Code::RateLimit, "the user sends too many files at once"),
        }
    }

    /// Reads the body of a request, which is JSON or empty. A page of another origin needs
    /// permission to send JSON, but not to send nothing.
    async fn body_of(&self, mut request: Request, host: &str) -> Result<String, Refusal> {
        let limits = &self.options.endpoints.limits;
        let headers = request.headers().clone();
        DefaultBodyLimit::max(limits.body_bytes).apply(&mut request);
        match timeout(limits.body_time, Bytes::from_request(request, &())).await {
            Err(_) => reject(Code::BodyTimeout, "the body took too long"),
            Ok(Err(error)) if error.status() == 413 => {
                reject(Code::BodyTooLarge, "the body is too large")
            }
            Ok(Err(_)) => reject(Code::InputInvalid, "the body was cut off"),
            Ok(Ok(bytes)) if bytes.is_empty() => {
                reject_foreign(&headers, host).map(|()| String::new())
            }
            Ok(Ok(_)) if !is_json(&headers) => reject(
                Code::MediaTypeUnsupported,
                "the body should be JSON, sent with `content-type: application/json`",
            ),
            Ok(Ok(bytes)) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    fn other_method(&self, allowed: &'static str) -> Response {
        let refusal =
            RefusedRequest::new(Code::MethodNotAllowed, ["this endpoint takes ", allowed].concat());
        let mut response = respond(Refusal::Client(refusal), |_| ());
        response.headers_mut().insert("allow", HeaderValue::from_static(allowed));
        response
    }

    fn attachments(&self) -> Attachments<'_> {
        Attachments(&self.options)
    }

    /// Returns a thread by its name, which is a UUID.
    pub fn thread(self: &Arc<Self>, id: &str) -> Result<Arc<Thread>, Refusal> {
        if !is_uuid(id) {
            return reject(Code::ThreadIdInvalid, "a thread's id is a UUID");
        }
        Ok(self.threads.get(&id.to_ascii_lowercase()))
    }
}

/// Returns the text that is signed for the events of a run.
fn subject_of(thread: &str, run_id: &str) -> String {
    [&*thread.to_ascii_lowercase(), " ", run_id].concat()
}

fn json(status: u16, body: String) -> Response {
    with(status, JSON, body)
}
