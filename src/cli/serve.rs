//! `agentwire serve`: a gateway from every protocol of a client to one upstream.

mod admission;
mod arguments;
mod check;
mod clients;
mod coding;
mod config;
mod connections;
mod gateway;
mod hosts;
mod limits;
mod log;
mod metrics;
mod record;
mod routes;
mod schema;
mod semantics;
mod settings;
mod signals;
mod sockets;
mod start;
mod storage;
mod telemetry;
mod traces;
mod upstream;
mod usage;

use std::process::ExitCode;
use std::sync::Arc;

use agentwire::ProtocolKind;
use agentwire::a2a::card::AgentCard;
use agentwire::adapters::axum::{AgentContext, AgentService, HttpRefusal, Sockets};
use agentwire::json::Value;
use agentwire::stores::LogStore;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::watch;

use crate::input::Unreadable;
use crate::output;
pub use arguments::Arguments;
use clients::Clients;
use gateway::{Attempts, Gateway};
use hosts::Hosts;
use limits::Limits;
use metrics::MetricsAccess;
use settings::Settings;
use storage::StoreConfig;
use telemetry::Telemetry;
use upstream::UpstreamError;

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    if arguments.config_schema {
        output::write(&schema::of_config())?;
        return Ok(ExitCode::SUCCESS);
    }
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
    sockets: Sockets,
    /// The clients that may read the metrics at the address of the gateway.
    metrics: MetricsAccess,
    /// The store, and its options.
    store: Option<(Arc<dyn LogStore>, StoreConfig)>,
}

/// Returns the server, and its agent.
fn app(parts: Parts, stops: watch::Receiver<bool>) -> (Router, AgentService) {
    let Parts { gateway, clients, telemetry, hosts, limits, sockets, metrics, store } = parts;
    let agent = {
        let (gateway, clients, telemetry) = (gateway.clone(), clients.clone(), telemetry.clone());
        move |out, request, context: AgentContext| {
            let record = record::answered_by(&context, &telemetry, &clients);
            gateway.clone().answer(out, request, record, Attempts::of(&context))
        }
    };
    let name = gateway.routes.models().next().unwrap_or("agent").into();
    let needs_key = clients.are_checked();
    let card = AgentCard { name, version: "1.0.0".into(), needs_key, ..AgentCard::default() };
    let mut service = AgentService::new(agent)
        .card(card)
        .on_error(UpstreamError::shown_of)
        .http_status(UpstreamError::status_of)
        .has_model({
            let gateway = gateway.clone();
            move |name| gateway.routes.has(name)
        })
        .may_use_model(|request, model| {
            clients::client_of(request).is_none_or(|client| client.may_use(model))
        })
        .user(|request| clients::client_of(request).map(|client| client.name().into()));
    let listed = gateway.routes.listed();
    if !listed.is_empty() {
        service = service.models(listed);
    }
    if let Some((store, config)) = store {
        service = config.give(service, store);
    }
    let served = service.clone();
    let health = move || async move {
        match *stops.borrow() {
            false => json(StatusCode::OK, &Value::from([("status", "ok".into())])),
            true => {
                json(StatusCode::SERVICE_UNAVAILABLE, &Value::from([("status", "stopping".into())]))
            }
        }
    };
    let respond = move |request: Request| {
        let (gateway, service, sockets) = (gateway.clone(), service.clone(), sockets.clone());
        async move {
            match sockets::opened(&sockets, &request) {
                Some(opened) => opened,
                None => gateway.respond(&service, request).await,
            }
        }
    };
    let most = limits.max_body_bytes;
    let counted = telemetry.metrics.clone();
    let scraped = async move |request: Request| metrics::respond(&counted, metrics, &request);
    let app = Router::new()
        .fallback(respond)
        .layer(from_fn_with_state(limits.clone(), admission::body))
        .layer(DefaultBodyLimit::max(most))
        .route("/metrics", get(scraped))
        .layer(from_fn_with_state(clients, Clients::check))
        .route("/healthz", get(health))
        .layer(from_fn_with_state(limits, admission::head))
        .layer(from_fn_with_state(Arc::new(hosts), Hosts::check))
        .layer(from_fn_with_state(telemetry, record::recorded))
        .layer(from_fn(sockets::kept));
    (app, served)
}

/// Returns an error response in the form of the protocol at a path: below `/v1`, that of OpenAI.
fn refused(refusal: &HttpRefusal, path: &str) -> Response {
    record::current().failed(&refusal.code);
    let usual = match path.starts_with("/v1/") {
        true => ProtocolKind::Responses,
        false => ProtocolKind::AgentApi,
    };
    refusal.response(AgentService::protocol_of(path).unwrap_or(usual))
}

fn json(status: StatusCode, value: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_json()).into_response()
}

async fn turns_true(mut value: watch::Receiver<bool>) {
    if value.wait_for(|value| *value).await.is_err() {
        std::future::pending::<()>().await;
    }
}
