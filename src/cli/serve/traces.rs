//! The traces of requests, exported by OTLP over HTTP. The standard variables of OpenTelemetry
//! configure the exporter.

mod export;
mod spans;

use std::env;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{
    Span as _, SpanContext, SpanKind, TraceContextExt as _, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{HeaderExtractor, HeaderInjector};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span};

use super::record::{Attempt, RequestRecord};
use super::routes::Target;
use crate::input::Unreadable;
use export::ExportClient;

/// How long the last spans may take at the end of the program.
const FLUSH: Duration = Duration::from_secs(5);

/// Makes spans, and exports them in the background: a queue of limited length, from which spans are
/// dropped when the collector is slower than requests.
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Traces {
    /// Returns the exporter, if the environment names a collector.
    pub fn from_environment() -> Result<Option<Self>, Unreadable> {
        if collector()?.is_none() {
            return Ok(None);
        }
        let unusable = |error: &dyn std::fmt::Display| {
            Unreadable(format!("traces cannot be exported: {error}"))
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_http_client(ExportClient::new().map_err(|error| unusable(&error))?)
            .build()
            .map_err(|error| unusable(&error))?;
        // `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` precede the usual name.
        let mut resource = Resource::builder()
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        if !is_set("OTEL_SERVICE_NAME")
            && !variable("OTEL_RESOURCE_ATTRIBUTES").contains("service.name=")
        {
            resource = resource.with_service_name("agentwire");
        }
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource.build())
            .build();
        let tracer = provider.tracer("agentwire");
        Ok(Some(Traces { provider, tracer }))
    }

    /// Exports the spans that have ended.
    pub fn flush(&self) {
        if let Err(error) = self.provider.shutdown_with_timeout(FLUSH) {
            eprintln!("agentwire: the last traces are not exported: {error}");
        }
    }
}

/// Returns the URL of the collector, if traces are exported.
pub fn collector() -> Result<Option<String>, Unreadable> {
    let is_off = variable("OTEL_SDK_DISABLED").eq_ignore_ascii_case("true")
        || variable("OTEL_TRACES_EXPORTER").eq_ignore_ascii_case("none");
    let named = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
    let Some(name) = named.into_iter().find(|name| is_set(name)).filter(|_| !is_off) else {
        return Ok(None);
    };
    let protocols = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];
    if let Some(set) = protocols.into_iter().find(|name| is_set(name))
        && variable(set) != "http/protobuf"
    {
        let (value, only) = (variable(set), "only http/protobuf is supported");
        return Err(Unreadable(format!("{set} is {value}: {only}")));
    }
    Ok(Some(variable(name)))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default().trim().into()
}

fn is_set(name: &str) -> bool {
    !variable(name).is_empty()
}

/// The trace of a request: a span of the server, and one of the client for each request to an
/// upstream.
pub struct RequestTrace {
    /// The headers of the client.
    incoming: HeaderMap,
    parent: SpanContext,
    server: Option<Span>,
    /// The last one is open.
    attempts: Vec<Span>,
}

/// The headers by which traces continue in another server.
const PROPAGATED: [HeaderName; 2] =
    [HeaderName::from_static("traceparent"), HeaderName::from_static("tracestate")];

impl RequestTrace {
    /// Begins the span of the server, if traces are exported.
    pub fn begin(traces: Option<&Traces>, headers: &HeaderMap) -> Self {
        let incoming: HeaderMap = PROPAGATED
            .iter()
            .filter_map(|name| Some((name.clone(), headers.get(name)?.clone())))
            .collect();
        let context = TraceContextPropagator::new()
            .extract_with_context(&Context::new(), &HeaderExtractor(&incoming));
        let parent = context.span().span_context().clone();
        let server = traces.map(|traces| {
            let span = traces.tracer.span_builder("HTTP").with_kind(SpanKind::Server);
            span.start_with_context(&traces.tracer, &context)
        });
        RequestTrace { incoming, parent, server, attempts: Vec::new() }
    }

    /// Returns the id of the trace, if there is one.
    pub fn id(&self) -> Option<String> {
        let context = self.server.as_ref().map_or(&self.parent, |span| span.span_context());
        context.is_valid().then(|| context.trace_id().to_string())
    }

    /// Begins the span of a request to an upstream. Returns the headers by which the upstream
    /// continues the trace: those of the client, if no traces are exported.
    pub fn attempt(&mut self, traces: Option<&Traces>, target: &Target<'_>) -> HeaderMap {
        let (Some(traces), Some(server)) = (traces, &self.server) else {
            return self.incoming.clone();
        };
        let context = Context::new().with_remote_span_context(server.span_context().clone());
        let span = traces.tracer.span_builder(spans::attempt_name(target));
        let span = span.with_kind(SpanKind::Client).with_attributes(spans::target(target));
        let span = span.start_with_context(&traces.tracer, &context);
        let context = Context::new().with_remote_span_context(span.span_context().clone());
        let mut headers = HeaderMap::new();
        TraceContextPropagator::new().inject_context(&context, &mut HeaderInjector(&mut headers));
        // A trace without a state has an empty header.
        if headers.get(&PROPAGATED[1]).is_some_and(HeaderValue::is_empty) {
            headers.remove(&PROPAGATED[1]);
        }
        self.attempts.push(span);
        headers
    }

    /// Ends the span of the last request to an upstream, before that to another one.
    pub fn end_attempt(&mut self, attempt: &Attempt) {
        if let Some(span) = self.attempts.last_mut() {
            spans::set_attempt(span, attempt);
            span.end();
        }
    }

    /// Ends all spans.
    pub fn end(&mut self, record: &RequestRecord) {
        let facts = record.facts();
        if let Some((span, attempt)) = self.attempts.last_mut().zip(facts.attempts.last()) {
            spans::set_attempt(span, attempt);
            spans::set_answer(span, &facts);
            span.end();
        }
        if let Some(server) = &mut self.server {
            spans::set_request(server, record, &facts);
            server.end();
        }
    }
}
