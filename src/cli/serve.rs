//! `agentwire serve`: a gateway from every protocol of a client to one upstream.

mod log;
mod upstream;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use agentwire::ProtocolKind;
use agentwire::a2a::card::AgentCard;
use agentwire::adapters::axum::AgentService;
use agentwire::json::Value;
use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::input::Unreadable;
use crate::protocol;
use upstream::Upstream;

#[derive(clap::Args)]
pub struct Arguments {
    /// The upstream: the base URL of a model, such as `https://api.openai.com/v1`, or the endpoint of an agent.
    #[arg(long, value_name = "URL")]
    upstream: String,
    /// The protocol of the upstream.
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol::upstream(), default_value = "chat")]
    upstream_protocol: ProtocolKind,
    /// The model. Required for the API of a model.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Another model that requests may name; may be repeated. Requests with any other name get the model of `--model`.
    #[arg(long, value_name = "NAME")]
    allow_model: Vec<String>,
    /// The address to listen at. Port 0 is any free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// How long the upstream may send nothing before a request fails.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    timeout: u64,
    /// How long running answers may go on after SIGTERM or SIGINT.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    grace: u64,
}

/// The bytes of an answer that wait for a client to read them. The head of a request has to fit, too.
const BUFFER: usize = 16 * 1024;
/// How long the gateway waits when it cannot accept a connection, for example because it has too many.
const RETRY: Duration = Duration::from_millis(500);
/// How long answers that the gateway has ended take to arrive.
const LAST: Duration = Duration::from_secs(2);

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Unreadable(format!("cannot start: {error}")))?;
    let served = runtime.block_on(serve(arguments));
    runtime.shutdown_background();
    served.map(|()| ExitCode::SUCCESS)
}

async fn serve(arguments: &Arguments) -> Result<(), Unreadable> {
    let upstream = Upstream::new(arguments)?;
    let unusable =
        |error: std::io::Error| Unreadable(format!("cannot listen at {}: {error}", arguments.listen));
    let listener = TcpListener::bind(arguments.listen).await.map_err(unusable)?;
    let address = listener.local_addr().map_err(unusable)?;
    let mut signals = Signals::new().map_err(unusable)?;
    eprintln!("agentwire: listening on http://{address}");

    let (stopping, stops) = watch::channel(false);
    let (ending, ends) = watch::channel(false);
    let app = app(Arc::new(upstream), ends, stops.clone());
    let mut serving = tokio::spawn(answer_connections(listener, app, turns_true(stops)));
    signals.received().await;
    stopping.send_replace(true);
    tokio::select! {
        _ = &mut serving => return Ok(()),
        () = signals.received() => {}
        () = tokio::time::sleep(Duration::from_secs(arguments.grace)) => {}
    }
    ending.send_replace(true);
    let _ = tokio::time::timeout(LAST, serving).await;
    Ok(())
}

/// Answers the requests of all connections until `stops` is ready, and then those that are running. It does what `axum::serve` does,
/// whose connections have buffers of 400 KB.
async fn answer_connections(listener: TcpListener, app: Router, stops: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.max_buf_size(BUFFER).timer(TokioTimer::new());
    let running = GracefulShutdown::new();
    let mut stops = std::pin::pin!(stops);
    loop {
        let connection = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((connection, _)) => connection,
                Err(_) => {
                    tokio::time::sleep(RETRY).await;
                    continue;
                }
            },
            () = &mut stops => break,
        };
        // Events are small, and each has to leave at once.
        drop(connection.set_nodelay(true));
        let served = http.serve_connection(TokioIo::new(connection), TowerToHyperService::new(app.clone()));
        tokio::spawn(running.watch(served));
    }
    drop(listener);
    running.shutdown().await;
}

fn app(upstream: Arc<Upstream>, ends: watch::Receiver<bool>, stops: watch::Receiver<bool>) -> Router {
    let agent = {
        let upstream = upstream.clone();
        move |request, out| {
            let (upstream, entry, ends) = (upstream.clone(), log::current(), ends.clone());
            async move { upstream.answer(request, out, entry, turns_true(ends)).await }
        }
    };
    let card = AgentCard { name: upstream.name().into(), version: "1.0.0".into(), ..AgentCard::default() };
    let service = AgentService::new(agent).card(card);
    let health = move || async move {
        match *stops.borrow() {
            false => json(StatusCode::OK, &Value::from([("status", "ok".into())])),
            true => json(StatusCode::SERVICE_UNAVAILABLE, &Value::from([("status", "stopping".into())])),
        }
    };
    let all = upstream.clone();
    let models = move || async move {
        let models = all.models().map(described).collect();
        json(StatusCode::OK, &Value::from([("object", "list".into()), ("data", Value::Array(models))]))
    };
    let model = move |Path(name): Path<String>| async move {
        match upstream.models().find(|model| *model == name) {
            Some(model) => json(StatusCode::OK, &described(model)),
            None => {
                let message = format!("the gateway has no model {name}");
                let error = Value::from([
                    ("message", Value::from(message.as_str())),
                    ("type", "invalid_request_error".into()),
                    ("code", "model_not_found".into()),
                ]);
                json(StatusCode::NOT_FOUND, &Value::from([("error", error)]))
            }
        }
    };
    Router::new()
        .route("/v1/models", get(models))
        .route("/v1/models/{*name}", get(model))
        .fallback_service(service)
        .layer(middleware::from_fn(log::logged))
        .route("/healthz", get(health))
}

/// Returns a model in the form of OpenAI's API.
fn described(name: &str) -> Value {
    Value::from([
        ("id", name.into()),
        ("object", "model".into()),
        ("created", 0.into()),
        ("owned_by", "agentwire".into()),
    ])
}

fn json(status: StatusCode, value: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_json()).into_response()
}

async fn turns_true(mut value: watch::Receiver<bool>) {
    if value.wait_for(|value| *value).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The signals that stop the program.
struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Signals {
            #[cfg(unix)]
            terminate: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?,
        })
    }

    async fn received(&mut self) {
        #[cfg(unix)]
        let terminated = self.terminate.recv();
        #[cfg(not(unix))]
        let terminated = std::future::pending::<()>();
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated => {}
        }
    }
}
