//! `agentwire serve`: a gateway from every protocol of a client to one upstream.

mod connections;
mod gateway;
mod hosts;
mod log;
mod record;
mod routes;
mod upstream;
mod usage;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use agentwire::ProtocolKind;
use agentwire::a2a::card::AgentCard;
use agentwire::adapters::axum::{AgentService, HttpRefusal};
use agentwire::json::Value;
use agentwire::model::Model;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest as _, Request};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::input::Unreadable;
use crate::protocol;
use gateway::Gateway;
use hosts::Hosts;
use routes::{ModelConfig, RoutesConfig, TargetConfig, UpstreamConfig};
use upstream::UpstreamError;

#[derive(clap::Args)]
pub struct Arguments {
    /// The upstream: the base URL of a model, such as `https://api.openai.com/v1`, or the endpoint
    /// of an agent.
    #[arg(long, value_name = "URL")]
    upstream: String,
    /// The protocol of the upstream.
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol::upstream(), default_value = "chat")]
    upstream_protocol: ProtocolKind,
    /// The model. Required for the API of a model.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Another model that requests may name; may be repeated. Requests with any other name get the
    /// model of `--model`.
    #[arg(long, value_name = "NAME")]
    allow_model: Vec<String>,
    /// Refuse requests of which something is lost that can make the answer wrong, such as a tool.
    #[arg(long)]
    strict: bool,
    /// The address to listen at. Port 0 is any free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// How long the upstream may send nothing before a request fails.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    timeout: u64,
    /// How long running answers may go on after SIGTERM or SIGINT.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    grace: u64,
    #[command(flatten)]
    limits: ClientLimits,
    /// A further name by which requests may address the gateway; may be repeated. At a loopback
    /// address, or with this option, the gateway refuses requests whose `Host` is neither a
    /// loopback name nor such a name.
    #[arg(long, value_name = "NAME", value_parser = hosts::name)]
    allow_host: Vec<String>,
}

impl Arguments {
    /// Returns the upstream and its models as routes.
    fn routes(&self) -> Result<RoutesConfig, Unreadable> {
        const NAME: &str = "upstream";
        let upstream = UpstreamConfig {
            timeout_seconds: self.timeout,
            ..UpstreamConfig::new(NAME, &self.upstream, self.upstream_protocol)
        };
        let target = |model: Option<&String>| TargetConfig {
            upstream: NAME.into(),
            model: model.cloned(),
            price: None,
        };
        let named = |name: &String| ModelConfig {
            name: name.clone(),
            upstreams: vec![target(Some(name))],
            price: None,
            context_window: None,
        };
        let mut models: Vec<_> = self.model.iter().chain(&self.allow_model).map(named).collect();
        if self.model.is_none() {
            if Model::is_of(self.upstream_protocol) {
                return Err(Unreadable("--model is required for the API of a model".into()));
            }
            let any = ModelConfig {
                name: "*".into(),
                upstreams: vec![target(None)],
                price: None,
                context_window: None,
            };
            models.push(any);
        }
        Ok(RoutesConfig {
            upstreams: vec![upstream],
            models,
            default_model: self.model.clone(),
            strict: self.strict,
            rate_limit_wait_seconds: 0,
        })
    }
}

/// The limits for clients.
#[derive(Clone, clap::Args)]
struct ClientLimits {
    /// How long a connection may be idle, and take for the head of a request.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    head_timeout: u64,
    /// How long the body of a request may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    body_timeout: u64,
    /// How long a client may receive nothing while an answer waits for it.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    write_timeout: u64,
    /// The length of the body of a request.
    #[arg(long, value_name = "BYTES", default_value_t = 4 << 20)]
    max_body_bytes: usize,
    /// How many connections are open at once. Default: 1000, or as many as the limit on descriptors
    /// allows.
    #[arg(long, value_name = "NUMBER")]
    max_connections: Option<usize>,
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
    let (ending, ends) = watch::channel(false);
    let gateway = Gateway::new(&arguments.routes()?, ends)?;
    let most = connections::most(arguments.limits.max_connections)?;
    let unusable = |error: std::io::Error| {
        Unreadable(format!("cannot listen at {}: {error}", arguments.listen))
    };
    let listener = TcpListener::bind(arguments.listen).await.map_err(unusable)?;
    let address = listener.local_addr().map_err(unusable)?;
    let mut signals = Signals::new().map_err(unusable)?;
    eprintln!("agentwire: listening on http://{address}");

    let (stopping, stops) = watch::channel(false);
    let hosts = Hosts::new(address.ip(), arguments.allow_host.clone());
    let app = app(Arc::new(gateway), hosts, &arguments.limits, stops.clone());
    let serving =
        connections::serve(listener, app, arguments.limits.clone(), most, turns_true(stops));
    let mut serving = tokio::spawn(serving);
    signals.received().await;
    stopping.send_replace(true);
    tokio::select! {
        _ = &mut serving => return Ok(()),
        () = signals.received() => {}
        () = tokio::time::sleep(Duration::from_secs(arguments.grace)) => {}
    }
    ending.send_replace(true);
    drop(tokio::time::timeout(LAST, serving).await);
    Ok(())
}

fn app(
    gateway: Arc<Gateway>,
    hosts: Hosts,
    limits: &ClientLimits,
    stops: watch::Receiver<bool>,
) -> Router {
    let agent = {
        let gateway = gateway.clone();
        move |request, out| gateway.clone().answer(request, out)
    };
    let name = gateway.routes.models().next().unwrap_or("agent").into();
    let card = AgentCard { name, version: "1.0.0".into(), ..AgentCard::default() };
    let listed = gateway.routes.listed();
    let mut service = AgentService::new(agent)
        .card(card)
        .on_error(UpstreamError::shown_of)
        .http_status(UpstreamError::status_of)
        .has_model({
            let gateway = gateway.clone();
            move |name| gateway.routes.has(name)
        });
    if !listed.is_empty() {
        service = service.models(listed);
    }
    let health = move || async move {
        match *stops.borrow() {
            false => json(StatusCode::OK, &Value::from([("status", "ok".into())])),
            true => {
                json(StatusCode::SERVICE_UNAVAILABLE, &Value::from([("status", "stopping".into())]))
            }
        }
    };
    let respond = move |request: Request| {
        let (gateway, service) = (gateway.clone(), service.clone());
        async move { gateway.respond(&service, request).await }
    };
    let body_timeout = Duration::from_secs(limits.body_timeout);
    let buffered = move |request: Request, next: Next| buffered(body_timeout, request, next);
    let hosts = middleware::from_fn_with_state(Arc::new(hosts), Hosts::check);
    Router::new()
        .fallback(respond)
        .layer(middleware::from_fn(buffered))
        .layer(DefaultBodyLimit::max(limits.max_body_bytes))
        .layer(hosts.clone())
        .layer(middleware::from_fn(record::recorded))
        .route("/healthz", get(health).layer(hosts))
}

/// Reads the body of a request before it is handled, for so long.
async fn buffered(most: Duration, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let whole = Request::from_parts(parts.clone(), body);
    let refusal = match tokio::time::timeout(most, Bytes::from_request(whole, &())).await {
        Ok(Ok(bytes)) => return next.run(Request::from_parts(parts, bytes.into())).await,
        Ok(Err(rejection)) => {
            let too_long = rejection.status() == StatusCode::PAYLOAD_TOO_LARGE;
            let code = if too_long { "body_too_long" } else { "body_unreadable" };
            HttpRefusal::new(rejection.status().as_u16(), code, rejection.body_text())
        }
        Err(_) => {
            let message = format!("the body has to arrive within {} seconds", most.as_secs());
            HttpRefusal::new(408, "body_timeout", message)
        }
    };
    refused(&refusal, parts.uri.path())
}

/// Returns an error response in the form of the protocol at a path.
fn refused(refusal: &HttpRefusal, path: &str) -> Response {
    refusal.response(AgentService::protocol_of(path).unwrap_or(ProtocolKind::AgentApi))
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
