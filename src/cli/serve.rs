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
use axum::serve::ListenerExt as _;
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
    // Events are small, and each has to leave at once.
    let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
    let app = app(Arc::new(upstream), ends, stops.clone());
    let serving = axum::serve(listener, app).with_graceful_shutdown(turns_true(stops));
    let mut serving = tokio::spawn(serving.into_future());
    tokio::select! {
        served = &mut serving => return ended(served),
        () = signals.received() => stopping.send_replace(true),
    };
    tokio::select! {
        served = &mut serving => return ended(served),
        () = signals.received() => {}
        () = tokio::time::sleep(Duration::from_secs(arguments.grace)) => {}
    }
    ending.send_replace(true);
    match tokio::time::timeout(LAST, serving).await {
        Ok(served) => ended(served),
        Err(_) => Ok(()),
    }
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

fn ended(served: Result<std::io::Result<()>, tokio::task::JoinError>) -> Result<(), Unreadable> {
    let served = served.unwrap_or_else(|error| Err(std::io::Error::other(error)));
    served.map_err(|error| Unreadable(format!("the server stopped: {error}")))
}
