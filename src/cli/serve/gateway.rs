//! The agent of the gateway: it calls the upstreams of a request and passes the answer on.

use std::time::Duration;

use agentwire::agent_api::request::AgentRequest;
use agentwire::emit::{AnyError, ForwardError, Out};
use agentwire::json::{Member, Value};
use agentwire::model::call_model;

use super::record::{self, RequestRecord, Usage};
use super::routes::{Routes, RoutesConfig, Target};
use super::upstream::UpstreamError;
use crate::input::Unreadable;

/// How often a comment shows that the connection is alive.
const BEAT: Duration = Duration::from_secs(15);

/// The upstreams behind the protocols of clients.
pub struct Gateway {
    pub routes: Routes,
}

impl Gateway {
    pub fn new(config: &RoutesConfig) -> Result<Self, Unreadable> {
        Ok(Gateway { routes: Routes::new(config)? })
    }

    /// Answers a request, until `ends` is ready.
    pub async fn answer(
        &self,
        request: AgentRequest,
        out: Out,
        ends: impl Future<Output = ()>,
    ) -> Result<(), AnyError> {
        let record = record::current();
        let beats = async {
            loop {
                tokio::time::sleep(BEAT).await;
                out.heartbeat();
            }
        };
        let outcome = tokio::select! {
            outcome = self.forward(request, &out, &record) => outcome,
            () = ends => Err(UpstreamError::new(503, "gateway_stopping", "the gateway stops")),
            () = beats => Ok(()),
        };
        record.lost(&out.losses());
        outcome.map_err(|error| {
            record.failed(error.code());
            error.into()
        })
    }

    async fn forward(
        &self,
        request: AgentRequest,
        out: &Out,
        record: &RequestRecord,
    ) -> Result<(), UpstreamError> {
        record.facts().requested_model.clone_from(&request.model);
        let Some(route) = self.routes.route(request.model.as_deref()) else {
            let message = match &request.model {
                Some(name) => format!("the gateway has no model {name}"),
                None => "the request names no model".into(),
            };
            return Err(UpstreamError::new(404, "model_not_found", &message));
        };
        record.facts().route = Some(route.name.into());
        if let (Some(client), Some(model)) = (record.client(), &route.model)
            && !client.may_use(model)
        {
            let message = format!("the client may not use the model {model}");
            return Err(UpstreamError::new(403, "model_not_allowed", &message));
        }
        let (received, mut failed) = (out.take_received(), None);
        for target in &route.targets {
            match self.called(target, &request, received.as_ref(), out, record).await {
                Err(error) if error.is_retryable => failed = Some(error),
                outcome => return outcome,
            }
        }
        Err(failed.unwrap_or_else(|| {
            UpstreamError::new(500, "upstream_missing", "the model has no upstream")
        }))
    }

    /// Calls an upstream, and passes its answer on.
    async fn called(
        &self,
        target: &Target<'_>,
        request: &AgentRequest,
        received: Option<&agentwire::convert::RawRequest>,
        out: &Out,
        record: &RequestRecord,
    ) -> Result<(), UpstreamError> {
        let is_stored = |member: &Member| member.key == "previous_response_id";
        if target.upstream.is_model() && request.extra.iter().any(is_stored) {
            let message = "the gateway stores no responses: send the whole conversation instead of `previous_response_id`";
            return Err(UpstreamError::new(400, "unsupported", message));
        }
        if target.upstream.is_model() && out.losses().count("history") > 0 {
            let message = "the message continues a conversation, and the gateway does not store its earlier messages";
            return Err(UpstreamError::new(400, "history_missing", message));
        }
        let headers = record.attempt(target);
        // The request of the client is converted once, and not at all if the upstream has its
        // protocol.
        let model = target.called(headers);
        let called = match received {
            Some(received) => call_model(&model, received).await,
            None => call_model(&model, request).await,
        };
        let answer = called.map_err(|error| {
            let mut failed = UpstreamError::not_called(&error);
            failed.shown.message = target.upstream.without_key(&failed.shown.message);
            record.attempted(error.status(), Some(failed.code()));
            failed
        })?;
        record.attempted(Some(answer.bytes.status()), None);
        let failed = match out.forward(answer).await {
            Ok(forwarded) => {
                record.facts().usage = forwarded.end.usage.as_ref().and_then(usage);
                out.end(forwarded.end);
                return Ok(());
            }
            Err(ForwardError::Failed(mut shown)) => {
                shown.code.get_or_insert_with(|| "upstream_failed".into());
                shown.message = target.upstream.without_key(&shown.message);
                UpstreamError { http: None, shown, is_retryable: false }
            }
            Err(ForwardError::Stream(_)) => {
                UpstreamError::new(502, "upstream_cut_off", "the answer of the upstream broke off")
            }
            Err(other) => UpstreamError::new(400, "unsupported", &other.to_string()),
        };
        record.attempted(Some(200), Some(failed.code()));
        Err(failed)
    }
}

/// Returns the numbers of a token usage of the hub.
fn usage(usage: &Value) -> Option<Usage> {
    let count = |value: Option<&Value>| match value {
        Some(Value::Number(digits)) => digits.as_str().parse().ok(),
        _ => None,
    };
    let detail =
        |object: &str, member: &str| count(usage.get(object).and_then(|it| it.get(member)));
    let (input, output) = (count(usage.get("input_tokens")), count(usage.get("output_tokens")));
    if input.is_none() && output.is_none() {
        return None;
    }
    Some(Usage {
        input: input.unwrap_or(0),
        cached_input: count(usage.get("cached_input_tokens"))
            .or(detail("input_tokens_details", "cached_tokens"))
            .unwrap_or(0),
        output: output.unwrap_or(0),
        reasoning: count(usage.get("reasoning_tokens"))
            .or(detail("output_tokens_details", "reasoning_tokens"))
            .unwrap_or(0),
    })
}
