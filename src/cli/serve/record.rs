//! The record of a request, from which the log, the metrics and the traces are written.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant, SystemTime};

use agentwire::ProtocolKind;
use agentwire::adapters::axum::{AgentContext, AgentService};
use agentwire::hub::{LossClass, Losses};
use agentwire::json::Value;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, request};
use axum::middleware::Next;
use axum::response::Response;
use futures_core::Stream;
use tokio::sync::OwnedSemaphorePermit;

use super::clients::{Client, Clients};
use super::routes::{Price, Target};
use super::semantics;
use super::telemetry::Telemetry;
use super::traces::RequestTrace;
use super::usage::Usage;

tokio::task_local! {
    static RECORD: Arc<RequestRecord>;
}

/// Returns the record of the request that is being handled.
pub fn current() -> Arc<RequestRecord> {
    RECORD.with(Arc::clone)
}

/// Returns the record of the request that an agent answers. An answer of the store that has started
/// without its request, in another process or after its client has left, has a record of its own.
pub fn answered_by(
    context: &AgentContext,
    telemetry: &Arc<Telemetry>,
    clients: &Clients,
) -> Arc<RequestRecord> {
    let request = &context.http;
    if let Some(record) = request.extensions.get::<Arc<RequestRecord>>() {
        return record.clone();
    }
    let record = RequestRecord::new(request, telemetry.clone());
    if let Some(client) = context.user.as_deref().and_then(|name| clients.named(name)) {
        record.is_of(client, None);
    }
    Arc::new(record)
}

/// A request. It is reported when its response has been sent, or when the client has gone.
pub struct RequestRecord {
    pub time: SystemTime,
    pub started: Instant,
    pub method: String,
    pub path: String,
    /// The protocol of the client.
    pub protocol: Option<ProtocolKind>,
    facts: Mutex<Facts>,
    trace: Mutex<RequestTrace>,
    /// The client whose key the request has.
    client: OnceLock<Arc<Client>>,
    /// The place among the requests of the client, until the end of this one.
    place: OnceLock<OwnedSemaphorePermit>,
    is_reported: bool,
    telemetry: Arc<Telemetry>,
}

/// The facts that the handling of a request adds.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The model that the request names.
    pub requested_model: Option<String>,
    /// The name or the pattern of the configuration that it has.
    pub route: Option<String>,
    /// Whether the client asked for a stream.
    pub stream: bool,
    /// The requests to upstreams, in their order. The last one is that of the answer.
    pub attempts: Vec<Attempt>,
    /// Whether the bytes of the request and its answer were passed on as they are.
    pub passed_through: bool,
    /// The HTTP status of the response; `None` before it.
    pub status: Option<u16>,
    /// From the request to the first byte of the body.
    pub first_byte: Option<Duration>,
    pub events: u64,
    pub bytes: u64,
    /// Whether the whole response was sent. Otherwise the client has gone.
    pub is_complete: bool,
    /// The model that has answered, as the upstream names it.
    pub response_model: Option<String>,
    /// The tokens, if the upstream has counted them.
    pub usage: Option<Usage>,
    /// The code of the error that the client received.
    pub error: Option<String>,
    /// The losses of the request and its answer: numbers by kind.
    pub losses: Vec<(&'static str, u64)>,
    /// The same by class.
    pub loss_classes: Vec<(LossClass, u64)>,
}

/// A request to an upstream.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The name of the upstream.
    pub upstream: String,
    /// Its protocol.
    pub protocol: ProtocolKind,
    /// Who provides it, as the conventions of OpenTelemetry name providers.
    pub provider: &'static str,
    /// The model that it was asked for; `None` for an agent.
    pub model: Option<String>,
    /// The cost of its tokens.
    pub price: Option<Price>,
    pub started: Instant,
    /// The HTTP status of its response.
    pub status: Option<u16>,
    /// The code of the error, if it has not answered with success.
    pub error: Option<String>,
    /// Until the head of its response, or the failure.
    pub duration: Duration,
}

impl Facts {
    /// Returns what the tokens cost, if they have a price.
    pub fn cost(&self) -> Option<f64> {
        Some(self.usage?.cost(&self.attempts.last()?.price?))
    }
}

impl RequestRecord {
    fn new(request: &request::Parts, telemetry: Arc<Telemetry>) -> Self {
        let path = request.uri.path();
        let is_reported = telemetry.reports(path);
        if is_reported {
            telemetry.metrics.open_requests.inc();
        }
        let traces = telemetry.traces.as_ref().filter(|_| is_reported);
        RequestRecord {
            time: SystemTime::now(),
            started: Instant::now(),
            method: request.method.to_string(),
            path: path.into(),
            protocol: AgentService::protocol_of(path),
            facts: Mutex::default(),
            trace: Mutex::new(RequestTrace::begin(traces, &request.headers)),
            client: OnceLock::new(),
            place: OnceLock::new(),
            is_reported,
            telemetry,
        }
    }

    /// Returns the trace.
    pub fn trace(&self) -> MutexGuard<'_, RequestTrace> {
        self.trace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the client, and its place among the requests of the client.
    pub fn is_of(&self, client: Arc<Client>, place: Option<OwnedSemaphorePermit>) {
        let _ = self.client.set(client);
        if let Some(place) = place {
            let _ = self.place.set(place);
        }
    }

    /// Returns the path, if it is one of a protocol. The paths below that of A2A have ids of tasks.
    pub fn route(&self) -> Option<String> {
        self.protocol.map(|protocol| match protocol {
            ProtocolKind::A2a => "/a2a".into(),
            _ => self.path.clone(),
        })
    }

    /// Returns the client, if requests need a key.
    pub fn client(&self) -> Option<&Arc<Client>> {
        self.client.get()
    }

    /// Returns the facts, to read or to change them.
    pub fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a request to an upstream. Returns the headers by which the upstream continues the
    /// trace.
    pub fn attempt(&self, target: &Target<'_>) -> HeaderMap {
        let mut trace = self.trace();
        if let Some(last) = self.facts().attempts.last() {
            trace.end_attempt(last);
        }
        let headers = trace.attempt(self.telemetry.traces.as_ref(), target);
        drop(trace);
        self.facts().attempts.push(Attempt {
            upstream: target.upstream.name().into(),
            protocol: target.upstream.protocol(),
            provider: semantics::provider(target.upstream.protocol(), target.upstream.host()),
            model: target.model.clone(),
            price: target.price,
            started: Instant::now(),
            status: None,
            error: None,
            duration: Duration::ZERO,
        });
        headers
    }

    /// Sets how the last request to an upstream has ended: its HTTP status, if there is one, and
    /// the code of its error.
    pub fn attempted(&self, status: Option<u16>, error: Option<&str>) {
        if let Some(attempt) = self.facts().attempts.last_mut() {
            attempt.status = status;
            attempt.error = error.map(str::to_owned);
            attempt.duration = attempt.started.elapsed();
        }
    }

    /// Takes the model and the tokens in an event of a stream that is passed through, or in a whole
    /// answer.
    pub fn answered(&self, event: &Value) {
        let mut facts = self.facts();
        if let Some(usage) = Usage::of_event(event) {
            facts.usage.get_or_insert_default().update(usage);
        }
        let inside = |name: &str| event.get(name).and_then(|object| object.get("model"));
        let model = event.get("model").or_else(|| inside("response")).or_else(|| inside("message"));
        if let Some(model) = model.and_then(Value::as_str) {
            facts.response_model = Some(model.into());
        }
    }

    /// Sets the code of the error with which the last answer ended.
    pub fn broke_off(&self, error: &str) {
        if let Some(attempt) = self.facts().attempts.last_mut() {
            attempt.error = Some(error.into());
        }
    }

    /// Sets the code of the error that the client receives.
    pub fn failed(&self, code: &str) {
        self.facts().error.get_or_insert_with(|| code.into());
    }

    /// Sets what of the request and its answer was lost.
    pub fn lost(&self, losses: &Losses) {
        let of_class = |class: LossClass| (class, losses.count_of_class(class));
        let mut facts = self.facts();
        facts.losses = losses.counts().to_vec();
        facts.loss_classes = LossClass::ALL.map(of_class).to_vec();
    }

    fn count(&self, chunk: &[u8]) {
        // Each event ends with a blank line, and is written as a whole.
        let events = chunk.windows(2).filter(|two| two == b"\n\n").count();
        let mut facts = self.facts();
        facts.first_byte.get_or_insert_with(|| self.started.elapsed());
        facts.events += events as u64;
        facts.bytes += chunk.len() as u64;
    }
}

impl Drop for RequestRecord {
    fn drop(&mut self) {
        if self.is_reported {
            self.telemetry.ended(self);
        }
    }
}

/// Records a request.
pub async fn recorded(
    State(telemetry): State<Arc<Telemetry>>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let record = Arc::new(RequestRecord::new(&parts, telemetry));
    parts.extensions.insert(record.clone());
    let request = Request::from_parts(parts, body);
    let response = RECORD.scope(record.clone(), next.run(request)).await;
    record.facts().status = Some(response.status().as_u16());
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        // A socket follows, in place of a body.
        record.facts().is_complete = true;
        return response;
    }
    response.map(|body| {
        Body::from_stream(CountedBody { body: body.into_data_stream(), rest: Bytes::new(), record })
    })
}

/// The longest piece of a body. A connection whose client does not read keeps 16 of them.
const PIECE: usize = 1 << 10;

/// A body whose bytes are counted, in pieces.
struct CountedBody {
    body: BodyDataStream,
    /// The rest of the last chunk.
    rest: Bytes,
    record: Arc<RequestRecord>,
}

impl Stream for CountedBody {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        while self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_next(context)) {
                Some(Ok(chunk)) => {
                    self.record.count(&chunk);
                    self.rest = chunk;
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => {
                    self.record.facts().is_complete = true;
                    return Poll::Ready(None);
                }
            }
        }
        let piece = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(self.rest.split_to(piece))))
    }
}
