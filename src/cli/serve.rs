//! `agentwire serve`: a gateway from every protocol of a client to one upstream.

mod admission;
mod arguments;
mod check;
mod clients;
mod config;
mod connections;
mod gateway;
mod hosts;
mod limits;
mod log;
mod metrics;
mod record;
mod routes;
mod semantics;
mod settings;
mod signals;
mod start;
mod telemetry;
mod traces;
mod upstream;
mod usage;

use std::process::ExitCode;
use std::sync::Arc;

use agentwire::ProtocolKind;
use agentwire::a2a::card::AgentCard;
use agentwire::adapters::axum::{AgentService, HttpRefusal};
use agentwire::json::Value;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, Request};
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::watch;

use crate::input::Unreadable;
pub use arguments::Arguments;
use clients::Clients;
use gateway::Gateway;
use hosts::Hosts;
use limits::Limits;
use metrics::MetricsAccess;
use settings::Settings;
use telemetry::Telemetry;
use upstream::UpstreamError;

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let settings = Settings::new(arguments)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Unreadable(format!("cannot start: {error}")))?;
    let served = runtime.block_on(async {
        match arguments.check {
            true => check::print(&settings),
            false => start::serve(&settings).await.map(|()| ExitCode::SUCCESS),
        }
    });
    runtime.shutdown_background();
    served
}

/// The parts of a gateway that requests pass.
struct Parts {
    gateway: Arc<Gateway>,
    clients: Arc<Clients>,
    telemetry: Arc<Telemetry>,
    hosts: Hosts,
    limits: Arc<Limits>,
    /// Who may read the metrics at the address of the gateway.
    metrics: MetricsAccess,
}

fn app(parts: Parts, stops: watch::Receiver<bool>) -> Router {
    let Parts { gateway, clients, telemetry, hosts, limits, metrics } = parts;
    let agent = {
        let gateway = gateway.clone();
        move |request, out| gateway.clone().answer(request, out)
    };
    let name = gateway.routes.models().next().unwrap_or("agent").into();
    let card = AgentCard { name, version: "1.0.0".into(), ..AgentCard::default() };
    let service = AgentService::new(agent)
        .card(card)
        .on_error(UpstreamError::shown_of)
        .http_status(UpstreamError::status_of)
        .user(|request| clients::client_of(request).map(|client| client.name().into()));
    let health = move || async move {
        match *stops.borrow() {
            false => json(StatusCode::OK, &Value::from([("status", "ok".into())])),
            true => {
                json(StatusCode::SERVICE_UNAVAILABLE, &Value::from([("status", "stopping".into())]))
            }
        }
    };
    let (all, any) = (gateway.clone(), gateway.clone());
    let respond = move |request: Request| {
        let (gateway, service) = (any.clone(), service.clone());
        async move { gateway.respond(&service, request).await }
    };
    let models = move || async move {
        let models = all.routes.models().map(described).collect();
        json(
            StatusCode::OK,
            &Value::from([("object", "list".into()), ("data", Value::Array(models))]),
        )
    };
    let model = move |Path(name): Path<String>| async move {
        match gateway.routes.has(&name) {
            true => json(StatusCode::OK, &described(&name)),
            false => {
                let name: String = name.chars().take(250).collect();
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
    let most = limits.max_body_bytes;
    let counted = telemetry.metrics.clone();
    let scraped = async move |request: Request| metrics::respond(&counted, metrics, &request);
    Router::new()
        .route("/v1/models", get(models))
        .route("/v1/models/{*name}", get(model))
        .fallback(respond)
        .layer(from_fn_with_state(limits.clone(), admission::body))
        .layer(DefaultBodyLimit::max(most))
        .route("/metrics", get(scraped))
        .layer(from_fn_with_state(clients, Clients::check))
        .route("/healthz", get(health))
        .layer(from_fn_with_state(limits, admission::head))
        .layer(from_fn_with_state(Arc::new(hosts), Hosts::check))
        .layer(from_fn_with_state(telemetry, record::recorded))
}

/// Returns an error response in the form of the protocol at a path.
fn refused(refusal: &HttpRefusal, path: &str) -> Response {
    record::current().failed(&refusal.code);
    refusal.response(AgentService::protocol_of(path).unwrap_or(ProtocolKind::AgentApi))
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
