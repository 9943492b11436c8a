//! The agent of the gateway: it calls the upstreams of a request, one after the other until one
//! answers, and passes the answer on.

mod attempts;
mod passthrough;
mod stream;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use agentwire::adapters::axum::AgentService;
use agentwire::convert::RawRequest;
use agentwire::emit::{AnyError, ConversationRequest, ForwardError, Out};
use agentwire::json::Member;
use agentwire::model::call_model;
use axum::extract::Request;
use axum::response::Response;
use tokio::sync::watch;

use super::record::RequestRecord;
use super::routes::{Route, Routes, RoutesConfig, Target};
use super::turns_true;
use super::upstream::{ReportedError, UpstreamError, of_response};
use super::usage::Usage;
use crate::input::Unreadable;
pub use attempts::Attempts;
use attempts::Next;

/// How often a comment shows that the connection is alive.
const BEAT: Duration = Duration::from_secs(15);

/// The upstreams behind the protocols of clients.
pub struct Gateway {
    pub routes: Routes,
    /// How long a request waits in all for upstreams that limit the rate of requests.
    wait: Duration,
    /// Whether answers and conversations are stored.
    pub has_store: bool,
    /// Becomes true when answers have to end.
    ends: watch::Receiver<bool>,
}

impl Gateway {
    pub fn new(
        config: &RoutesConfig,
        has_store: bool,
        ends: watch::Receiver<bool>,
    ) -> Result<Self, Unreadable> {
        let wait = Duration::from_secs(config.rate_limit_wait_seconds);
        Ok(Gateway { routes: Routes::new(config)?, wait, has_store, ends })
    }

    /// Responds to a request: by an upstream of its own protocol, whose bytes are passed through,
    /// or by `service`, whose agent is [`answer`](Self::answer).
    pub async fn respond(&self, service: &AgentService, mut request: Request) -> Response {
        let attempts = Arc::new(Attempts::default());
        request.extensions_mut().insert(attempts.clone());
        let mut response = self.responded(service, request, &attempts).await;
        response.headers_mut().extend(attempts.take_headers());
        response
    }

    /// Resolves when answers have to end.
    async fn ended(&self) {
        turns_true(self.ends.clone()).await;
    }

    /// Answers a request in the protocol of its client.
    pub async fn answer(
        self: Arc<Self>,
        out: Out,
        request: ConversationRequest,
        record: Arc<RequestRecord>,
        attempts: Arc<Attempts>,
    ) -> Result<(), AnyError> {
        let has_begun = AtomicBool::new(false);
        let beats = async {
            loop {
                tokio::time::sleep(BEAT).await;
                has_begun.store(true, Relaxed);
                out.heartbeat();
            }
        };
        let call = Call { gateway: &self, record: &record, attempts: &attempts, out: &out };
        let outcome = tokio::select! {
            outcome = call.forward(request, &has_begun) => outcome,
            () = self.ended() => Err(stopping()),
            () = beats => Ok(()),
        };
        record.lost(&out.losses());
        outcome.map_err(|error| {
            if !attempts.is_handed_back() {
                record.failed(&error.code);
                attempts.set_headers(error.headers.clone());
            }
            error.into()
        })
    }

    /// Returns the upstreams of a request, if its client may use the model.
    fn route(
        &self,
        model: Option<&str>,
        record: &RequestRecord,
    ) -> Result<Route<'_>, Box<UpstreamError>> {
        let route = self.routes.route(model).ok_or_else(|| {
            let message = match model {
                Some(name) => format!("the gateway has no model {}", shown(name)),
                None => "the request names no model".into(),
            };
            Box::new(UpstreamError::new(404, "model_not_found", &message))
        })?;
        record.facts().route = Some(route.name.into());
        if let (Some(client), Some(model)) = (record.client(), &route.model)
            && !client.may_use(model)
        {
            let message = format!("the client may not use the model {}", shown(model));
            let error = UpstreamError::new(403, "model_not_allowed", &message);
            return Err(Box::new(error));
        }
        Ok(route)
    }
}

/// Returns the beginning of a name that a client has sent.
fn shown(name: &str) -> String {
    name.chars().take(250).collect()
}

/// Returns the error of an answer that the gateway ends.
fn stopping() -> UpstreamError {
    UpstreamError::new(503, "gateway_stopping", "the gateway stops")
}

/// A request that the agent answers.
struct Call<'c> {
    gateway: &'c Gateway,
    record: &'c RequestRecord,
    attempts: &'c Attempts,
    out: &'c Out,
}

impl Call<'_> {
    async fn forward(
        &self,
        mut request: ConversationRequest,
        has_begun: &AtomicBool,
    ) -> Result<(), UpstreamError> {
        self.record.facts().requested_model = request.model().map(String::from);
        // The request is taken with its losses.
        // With a store, only the first messages of a very long conversation are left out.
        let has_no_history = !self.gateway.has_store && self.out.losses().count("history") > 0;
        let received = request.take_received(self.out);
        let route = self.gateway.route(request.model(), self.record);
        let route = route.map_err(|error| *error)?;
        loop {
            match self.attempts.next(route.targets.len(), self.gateway.wait) {
                Next::Target(at) => {
                    let target = &route.targets[at];
                    if self.attempts.passes_through(target) && !has_begun.load(Relaxed) {
                        return Err(self.attempts.hand_back());
                    }
                    if has_no_history && target.upstream.is_model() {
                        let message = "the message continues a conversation, and the gateway does not store its earlier messages";
                        return Err(UpstreamError::new(400, "history_missing", message));
                    }
                    match self.called(target, &request, received.as_ref()).await {
                        Err(error) if error.is_retryable => self.attempts.failed(error),
                        outcome => return outcome,
                    }
                }
                Next::Wait(pause) => tokio::time::sleep(pause).await,
                Next::Failed(error) => return Err(*error),
            }
        }
    }

    /// Calls an upstream, and passes its answer on.
    async fn called(
        &self,
        target: &Target<'_>,
        request: &ConversationRequest,
        received: Option<&RawRequest>,
    ) -> Result<(), UpstreamError> {
        let Call { record, attempts, out, .. } = self;
        let is_stored = |member: &Member| member.key == "previous_response_id";
        if target.upstream.is_model() && request.as_agent_request().extra.iter().any(is_stored) {
            let message = "the gateway stores no responses: send the whole conversation instead of `previous_response_id`";
            return Err(UpstreamError::new(400, "unsupported", message));
        }
        let headers = record.attempt(target);
        // The request of the client is converted once, and not at all if the upstream has its
        // protocol.
        let model = target.called(headers);
        let called = match received {
            Some(received) => call_model(&model, received).await,
            None => call_model(&model, request).await,
        };
        let mut answer = called.map_err(|error| {
            let failed = UpstreamError::of_call(&error, target, record.protocol);
            record.attempted(error.status(), Some(&failed.code));
            failed
        })?;
        let status = answer.bytes.status();
        if let Err(failed) = stream::begun(&mut answer.bytes, target, record.protocol).await {
            record.attempted(Some(status), Some(&failed.code));
            return Err(failed);
        }
        record.attempted(Some(status), None);
        attempts.set_headers(of_response(&answer.bytes.take_headers()));
        answer.is_kept = false;
        let failed = match out.forward(answer).await {
            Ok(forwarded) => {
                let mut facts = record.facts();
                facts.usage = forwarded.end.usage.as_ref().and_then(Usage::read);
                facts.response_model = forwarded.model;
                drop(facts);
                out.end(forwarded.end);
                return Ok(());
            }
            Err(ForwardError::Failed(shown)) => {
                let reported = ReportedError {
                    message: Some(shown.message),
                    code: shown.code,
                    ..ReportedError::default()
                };
                let mut failed = UpstreamError::of_report(None, &reported, target, record.protocol);
                failed.is_retryable = false;
                failed
            }
            Err(ForwardError::Stream(_)) => UpstreamError::cut_off(),
            Err(other) => UpstreamError::new(400, "unsupported", &other.to_string()),
        };
        record.broke_off(&failed.code);
        Err(failed)
    }
}
