//! One line of JSON on standard error for each request.

use std::pin::Pin;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use agentwire::ProtocolKind;
use agentwire::adapters::axum::AgentService;
use agentwire::hub::Losses;
use agentwire::json::Value;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use futures_core::Stream;

tokio::task_local! {
    static ENTRY: Arc<LoggedRequest>;
}

/// Returns the entry of the request that is being handled.
pub fn current() -> Arc<LoggedRequest> {
    ENTRY.with(Arc::clone)
}

/// A request. It is logged when its response has been sent, or when the client has gone.
pub struct LoggedRequest {
    time: SystemTime,
    started: Instant,
    method: String,
    path: String,
    protocol: Option<ProtocolKind>,
    model: OnceLock<String>,
    /// 0 before a response.
    status: AtomicU16,
    /// The HTTP status of the upstream; 0 before its response.
    upstream: AtomicU16,
    events: AtomicU64,
    bytes: AtomicU64,
    end: OnceLock<&'static str>,
    error: OnceLock<String>,
    losses: OnceLock<Vec<(&'static str, u64)>>,
}

impl LoggedRequest {
    fn new(request: &Request) -> Self {
        let path = request.uri().path();
        LoggedRequest {
            time: SystemTime::now(),
            started: Instant::now(),
            method: request.method().to_string(),
            path: path.into(),
            protocol: AgentService::protocol_of(path),
            model: OnceLock::new(),
            status: AtomicU16::new(0),
            upstream: AtomicU16::new(0),
            events: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            end: OnceLock::new(),
            error: OnceLock::new(),
            losses: OnceLock::new(),
        }
    }

    /// Sets the name of the model that is called.
    pub fn calls(&self, model: &str) {
        let _ = self.model.set(model.into());
    }

    /// Sets the HTTP status of the upstream.
    pub fn upstream(&self, status: u16) {
        self.upstream.store(status, Relaxed);
    }

    /// Sets the code of the error that the client receives.
    pub fn failed(&self, code: &str) {
        let _ = self.error.set(code.into());
    }

    /// Sets what of the request and its answer was lost.
    pub fn lost(&self, losses: &Losses) {
        let _ = self.losses.set(losses.counts().to_vec());
    }

    fn count(&self, chunk: &[u8]) {
        // Each event ends with a blank line, and is written as a whole.
        let events = chunk.windows(2).filter(|two| two == b"\n\n").count();
        self.events.fetch_add(events as u64, Relaxed);
        self.bytes.fetch_add(chunk.len() as u64, Relaxed);
    }

    fn line(&self) -> String {
        let seconds = self.time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let status = |status: &AtomicU16| match status.load(Relaxed) {
            0 => Value::Null,
            status => i64::from(status).into(),
        };
        let counts = self.losses.get().into_iter().flatten();
        let mut losses = Value::Object(Vec::new());
        counts.for_each(|(kind, count)| losses.insert(kind, (*count as i64).into()));
        let text = |text: Option<&str>| text.map_or(Value::Null, Value::from);
        Value::from([
            ("time", Value::Number(format!("{}.{:03}", seconds / 1000, seconds % 1000).into())),
            ("method", self.method.as_str().into()),
            ("path", self.path.as_str().into()),
            ("protocol", text(self.protocol.map(ProtocolKind::as_str))),
            ("model", text(self.model.get().map(String::as_str))),
            ("status", status(&self.status)),
            ("upstream", status(&self.upstream)),
            ("duration_ms", (self.started.elapsed().as_millis() as i64).into()),
            ("events", (self.events.load(Relaxed) as i64).into()),
            ("bytes", (self.bytes.load(Relaxed) as i64).into()),
            ("end", self.end.get().copied().unwrap_or("disconnected").into()),
            ("error", text(self.error.get().map(String::as_str))),
            ("losses", losses),
        ])
        .to_json()
    }
}

impl Drop for LoggedRequest {
    fn drop(&mut self) {
        eprintln!("{}", self.line());
    }
}

/// Logs a request.
pub async fn logged(request: Request, next: Next) -> Response {
    let entry = Arc::new(LoggedRequest::new(&request));
    let response = ENTRY.scope(entry.clone(), next.run(request)).await;
    entry.status.store(response.status().as_u16(), Relaxed);
    response.map(|body| Body::from_stream(CountedBody { body: body.into_data_stream(), entry }))
}

/// A body whose bytes are counted.
struct CountedBody {
    body: BodyDataStream,
    entry: Arc<LoggedRequest>,
}

impl Stream for CountedBody {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let chunk = ready!(Pin::new(&mut self.body).poll_next(context));
        match &chunk {
            Some(Ok(chunk)) => self.entry.count(chunk),
            Some(Err(_)) => {}
            None => drop(self.entry.end.set("complete")),
        }
        Poll::Ready(chunk)
    }
}
