//! The attributes of spans, without any content of messages.

use opentelemetry::trace::{Span as _, Status};
use opentelemetry::{KeyValue, StringValue, Value};
use opentelemetry_sdk::trace::Span;

use crate::serve::record::{Attempt, Facts, RequestRecord};
use crate::serve::routes::Target;
use crate::serve::semantics;

/// Returns the name of the span of a request to an upstream.
pub fn attempt_name(target: &Target<'_>) -> String {
    let operation = semantics::operation(target.upstream.protocol());
    match &target.model {
        Some(model) => format!("{operation} {model}"),
        None => operation.into(),
    }
}

/// Returns the attributes of a request to an upstream at its begin.
pub fn target(target: &Target<'_>) -> Vec<KeyValue> {
    let upstream = target.upstream;
    let (protocol, host) = (upstream.protocol(), upstream.host());
    let mut attributes = vec![
        KeyValue::new("gen_ai.operation.name", semantics::operation(protocol)),
        KeyValue::new("gen_ai.provider.name", semantics::provider(protocol, host)),
        KeyValue::new("server.address", host.to_owned()),
        KeyValue::new("server.port", i64::from(upstream.port())),
        KeyValue::new("http.request.method", "POST"),
        KeyValue::new("agentwire.upstream.name", upstream.name().to_owned()),
        KeyValue::new("agentwire.upstream.protocol", protocol.as_str()),
    ];
    if let Some(model) = &target.model {
        attributes.push(KeyValue::new("gen_ai.request.model", model.clone()));
    }
    attributes
}

/// Sets how a request to an upstream has ended.
pub fn set_attempt(span: &mut Span, attempt: &Attempt) {
    if let Some(status) = attempt.status {
        span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status)));
    }
    if let Some(code) = &attempt.error {
        fail(span, code);
    }
}

/// Sets the attributes of the answer of an upstream.
pub fn set_answer(span: &mut Span, facts: &Facts) {
    span.set_attribute(KeyValue::new("gen_ai.request.stream", facts.stream));
    if let Some(model) = &facts.response_model {
        let model: String = model.chars().take(250).collect();
        span.set_attribute(KeyValue::new("gen_ai.response.model", model));
    }
    if let Some(usage) = &facts.usage {
        let counts = [
            ("gen_ai.usage.input_tokens", usage.input),
            ("gen_ai.usage.output_tokens", usage.output),
            ("gen_ai.usage.cache_read.input_tokens", usage.cached_input),
            ("gen_ai.usage.reasoning.output_tokens", usage.reasoning),
        ];
        for (name, count) in counts {
            span.set_attribute(KeyValue::new(name, i64::try_from(count).unwrap_or(i64::MAX)));
        }
    }
    if let Some(code) = &facts.error {
        fail(span, code);
    } else if !facts.is_complete {
        fail(span, semantics::DISCONNECTED);
    }
}

/// Sets the attributes of the request of a client.
pub fn set_request(span: &mut Span, record: &RequestRecord, facts: &Facts) {
    let method = semantics::method(&record.method);
    let route = record.route();
    span.update_name(match &route {
        Some(route) => format!("{method} {route}"),
        None if method == "_OTHER" => "HTTP".into(),
        None => method.into(),
    });
    let mut set = |name: &'static str, value: Option<Value>| {
        if let Some(value) = value {
            span.set_attribute(KeyValue::new(name, value));
        }
    };
    let text = |text: &str| Value::from(text.to_owned());
    set("http.request.method", Some(text(method)));
    set("http.route", route.map(Value::from));
    set("url.path", Some(text(&record.path)));
    set("url.scheme", Some("http".into()));
    set("http.response.status_code", facts.status.map(|status| i64::from(status).into()));
    set("user.name", record.client().map(|client| text(client.name())));
    set("agentwire.protocol", record.protocol.map(|protocol| protocol.as_str().into()));
    set("agentwire.losses", losses(facts));
    set("agentwire.cost", facts.cost().map(Value::from));
    let code = facts.error.as_deref().or((!facts.is_complete).then_some(semantics::DISCONNECTED));
    if let Some(code) = code {
        set("error.type", Some(semantics::error_type(code).into()));
    }
    // An error of the client is not one of the server.
    if facts.status.is_some_and(|status| status >= 500) {
        span.set_status(Status::error(facts.error.clone().unwrap_or_default()));
    }
}

fn losses(facts: &Facts) -> Option<Value> {
    let kinds: Vec<StringValue> = facts.losses.iter().map(|(kind, _)| (*kind).into()).collect();
    (!kinds.is_empty()).then(|| Value::Array(kinds.into()))
}

fn fail(span: &mut Span, code: &str) {
    span.set_attribute(KeyValue::new("error.type", semantics::error_type(code)));
    span.set_status(Status::error(code.to_owned()));
}
