//! Requests for upstreams that have the protocol of the client: the bytes of the request and of its
//! answer are passed on as they are.

use std::sync::Arc;

use agentwire::adapters::axum::AgentService;
use agentwire::convert::{RawRequest, RequestHead};
use agentwire::json::Value;
use agentwire::model::{PassedRequest, pass_request};
use agentwire::{Limits, ProtocolKind};
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest as _, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use super::attempts::{Attempts, Next};
use super::stream::{PassedStream, begun, is_json};
use super::{Gateway, stopping};
use crate::serve::record::{self, RequestRecord};
use crate::serve::routes::Target;
use crate::serve::upstream::{UpstreamError, of_request, of_response, query_of};

const JSON: &str = "application/json";

/// The number of bytes of a JSON answer that are read before it is passed on. Until then, a
/// connection that breaks is an error with a status.
const WHOLE: usize = 32 << 20;

/// The requests of an API beside those for an answer that name a model: the path, and its end below
/// that of the protocol.
const BELOW: [(ProtocolKind, &str, &str); 3] = [
    (ProtocolKind::Anthropic, "/v1/messages/count_tokens", "count_tokens"),
    (ProtocolKind::Responses, "/v1/responses/compact", "compact"),
    (ProtocolKind::Responses, "/v1/responses/input_tokens", "input_tokens"),
];

/// A request whose bytes can be passed on.
struct Passed<'r> {
    raw: RawRequest,
    head: RequestHead,
    parts: &'r Parts,
    below: &'static str,
}

impl Gateway {
    pub(super) async fn responded(
        &self,
        service: &AgentService,
        request: Request,
        attempts: &Attempts,
    ) -> Response {
        let path = request.uri().path();
        let below = BELOW.iter().find(|(_, below, _)| *below == path);
        let protocol = below.map(|below| below.0).or_else(|| AgentService::protocol_of(path));
        let protocol = protocol.filter(|protocol| {
            // The requests of A2A are about tasks, which the gateway keeps.
            *protocol != ProtocolKind::A2a && self.routes.have(*protocol)
        });
        let Some(protocol) = protocol.filter(|_| request.method() == Method::POST) else {
            return service.respond(request).await;
        };
        let (parts, body) = request.into_parts();
        let whole = Request::from_parts(parts.clone(), body);
        let Ok(bytes) = Bytes::from_request(whole, &()).await else {
            let message = "the body cannot be read";
            return UpstreamError::new(400, "body_unreadable", message).response(protocol);
        };
        let again = || Request::from_parts(parts.clone(), bytes.clone().into());
        let passed = Passed::read(protocol, &parts, &bytes, below.map(|below| below.2));
        let Some(passed) = passed.filter(|_| !(self.has_store && is_for_store(&parts, &bytes)))
        else {
            return service.respond(again()).await;
        };
        let record = record::current();
        {
            let mut facts = record.facts();
            facts.requested_model.clone_from(&passed.head.model);
            facts.stream = passed.head.stream.unwrap_or(false);
        }
        let route = match self.route(passed.head.model.as_deref(), &record) {
            Ok(route) => route,
            Err(error) => {
                record.failed(&error.code);
                return error.response(protocol);
            }
        };
        attempts.set_passed(protocol);
        if below.is_some() && !route.targets.iter().any(|target| attempts.passes_through(target)) {
            return service.respond(again()).await;
        }
        loop {
            let failed = match attempts.next(route.targets.len(), self.wait) {
                Next::Target(at) if attempts.passes_through(&route.targets[at]) => {
                    let target = &route.targets[at];
                    let response = tokio::select! {
                        response = passed.send(self, target, &record) => response,
                        () = self.ended() => Err(stopping()),
                    };
                    match response {
                        Ok(response) => return response,
                        Err(error) if error.is_retryable => {
                            attempts.failed(error);
                            continue;
                        }
                        Err(error) => error,
                    }
                }
                Next::Target(_) if below.is_some() => {
                    attempts.failed(UpstreamError::new(404, "unsupported", "not this upstream"));
                    continue;
                }
                Next::Target(_) => {
                    let response = service.respond(again()).await;
                    match attempts.take_handed_back() {
                        true => continue,
                        false => return response,
                    }
                }
                Next::Wait(pause) => tokio::select! {
                    () = tokio::time::sleep(pause) => continue,
                    () = self.ended() => stopping(),
                },
                Next::Failed(error) => *error,
            };
            record.failed(&failed.code);
            return failed.response(protocol);
        }
    }
}

impl<'r> Passed<'r> {
    /// Reads a request; `None` if the protocol's own server answers it, because it is not JSON, or
    /// cannot be passed on as it is.
    fn read(
        protocol: ProtocolKind,
        parts: &'r Parts,
        bytes: &Bytes,
        below: Option<&'static str>,
    ) -> Option<Self> {
        let kind = parts.headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if kind != JSON {
            return None;
        }
        let body = std::str::from_utf8(bytes).ok()?;
        let head = RequestHead::read(protocol, body, &Limits::default())?;
        // Sealed state becomes that of the model again in the tree of the conversation.
        if head.is_sealed && below.is_none() {
            return None;
        }
        let raw = RawRequest { protocol, body: body.into() };
        Some(Passed { raw, head, parts, below: below.unwrap_or_default() })
    }

    /// Sends the request to an upstream.
    async fn send(
        &self,
        gateway: &Gateway,
        target: &Target<'_>,
        record: &Arc<RequestRecord>,
    ) -> Result<Response, UpstreamError> {
        let trace = record.attempt(target);
        let client = self.raw.protocol;
        let query = query_of(self.parts.uri.query());
        let mut request = PassedRequest::new(&self.raw);
        request.headers = of_request(&self.parts.headers);
        if target.upstream.is_model() && self.head.stream != Some(true) {
            request.headers.insert(header::ACCEPT, HeaderValue::from_static(JSON));
        }
        request.query = query.as_deref();
        request.below = self.below;
        let sent = pass_request(&target.called(trace), request).await;
        let failed = |status: Option<u16>, failed: UpstreamError| {
            record.attempted(status, Some(&failed.code));
            failed
        };
        let sent = sent.map_err(|error| {
            failed(error.status(), UpstreamError::of_call(&error, target, Some(client)))
        })?;
        record.lost(&sent.losses);
        let mut answer = sent.bytes;
        let status = answer.status();
        if let Err(error) = begun(&mut answer, target, Some(client)).await {
            return Err(failed(Some(status), error));
        }
        let sent = answer.take_headers();
        let mut headers = of_response(&sent);
        let own = sent.get(header::CONTENT_TYPE).cloned();
        drop(sent);
        let is_json = is_json(answer.peek(1, |_| false).await);
        if is_json {
            let whole = answer.peek(WHOLE, |_| false).await.len() < WHOLE;
            if answer.failure().is_some() {
                return Err(failed(Some(status), UpstreamError::cut_off()));
            }
            if whole {
                let text = answer.peek(0, |_| true).await;
                let value = std::str::from_utf8(text).ok();
                let value = value.and_then(|text| Value::parse(text, 512).ok());
                let Some(value) = value else {
                    let message = "the upstream answered with JSON that is not valid";
                    let error = UpstreamError::new(502, "upstream_invalid", message);
                    return Err(failed(Some(status), error));
                };
                record.answered(&value);
            }
        }
        record.attempted(Some(status), None);
        record.facts().passed_through = true;
        let (fitting, usual) = match is_json {
            true => ("json", JSON),
            false => ("event-stream", "text/event-stream; charset=utf-8"),
        };
        let fits = |kind: &HeaderValue| kind.to_str().is_ok_and(|kind| kind.contains(fitting));
        let kind = own.filter(fits).unwrap_or(HeaderValue::from_static(usual));
        headers.insert(header::CONTENT_TYPE, kind);
        if !is_json {
            keep_unbuffered(&mut headers);
        }
        let body = match is_json {
            true => Body::from_stream(answer),
            false => {
                Body::from_stream(PassedStream::new(answer, client, record, gateway.ends.clone()))
            }
        };
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
        *response.headers_mut() = headers;
        Ok(response)
    }
}

/// Whether only the store can answer a request: with frames that can be resumed, in the background,
/// or as the continuation of a response that the store has.
fn is_for_store(parts: &Parts, bytes: &Bytes) -> bool {
    if AgentService::prefers_resumable(&parts.headers) {
        return true;
    }
    let Ok(body) = std::str::from_utf8(bytes) else { return false };
    if ![r#""background""#, r#""previous_response_id""#].iter().any(|name| body.contains(name)) {
        return false;
    }
    Value::parse(body, 512).is_ok_and(|body| {
        let previous = body.get("previous_response_id").and_then(Value::as_str);
        body.get("background") == Some(&Value::Bool(true))
            || previous.is_some_and(AgentService::is_stored_response)
    })
}

/// Adds headers that keep proxies from buffering or changing events.
fn keep_unbuffered(headers: &mut HeaderMap) {
    let cache = HeaderValue::from_static("no-cache, no-transform");
    headers.insert(header::CACHE_CONTROL, cache);
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
}
