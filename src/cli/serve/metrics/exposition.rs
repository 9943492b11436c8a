//! The metrics as responses, and the clients that may read them.

use std::net::IpAddr;
use std::sync::Arc;

use agentwire::adapters::axum::HttpRefusal;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use prometheus_client::encoding::{prometheus_text, text};

use super::Metrics;
use crate::serve::clients::client_of;
use crate::serve::hosts::Hosts;
use crate::serve::record;
use crate::serve::refused;
use crate::serve::telemetry::Telemetry;

/// The content types of OpenMetrics and of the text format of Prometheus.
const OPEN_METRICS: &str = "application/openmetrics-text";
const OPEN_METRICS_VERSION: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const PROMETHEUS_VERSION: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The clients that may read the metrics at the address of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricsAccess {
    /// All of them: the gateway has no keys, and a loopback address.
    All,
    /// Those with the permission.
    Permitted,
    /// None: the metrics have another address, or the gateway has neither keys nor a loopback
    /// address.
    None,
}

impl MetricsAccess {
    /// Returns the clients that may read metrics without an address of their own.
    pub fn at(address: IpAddr, has_keys: bool) -> Self {
        match (has_keys, address.to_canonical().is_loopback()) {
            (true, _) => MetricsAccess::Permitted,
            (false, true) => MetricsAccess::All,
            (false, false) => MetricsAccess::None,
        }
    }

    fn allows(self, request: &Request) -> bool {
        match self {
            MetricsAccess::All => true,
            MetricsAccess::Permitted => {
                client_of(request).is_some_and(|client| client.may_scrape())
            }
            MetricsAccess::None => false,
        }
    }
}

/// Responds to a request for the metrics at the address of the gateway.
pub fn respond(metrics: &Metrics, access: MetricsAccess, request: &Request) -> Response {
    match access.allows(request) {
        true => exposed(metrics, request.headers()),
        false => {
            let message = "the metrics are not for this client";
            refused(&HttpRefusal::new(403, "metrics_not_allowed", message), request.uri().path())
        }
    }
}

/// Returns the server of metrics with an address of their own.
pub fn app(telemetry: Arc<Telemetry>, hosts: Hosts) -> Router {
    let metrics = telemetry.metrics.clone();
    let scraped = async move |headers: HeaderMap| exposed(&metrics, &headers);
    Router::new()
        .route("/metrics", get(scraped))
        .layer(from_fn_with_state(Arc::new(hosts), Hosts::check))
        .layer(from_fn_with_state(telemetry, record::recorded))
}

/// Returns the metrics, in the format that the reader accepts.
fn exposed(metrics: &Metrics, headers: &HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    let is_open = accepted.is_some_and(|accepted| accepted.contains(OPEN_METRICS));
    let mut text = String::new();
    let (written, kind) = match is_open {
        true => (text::encode(&mut text, &metrics.registry), OPEN_METRICS_VERSION),
        false => (prometheus_text::encode(&mut text, &metrics.registry), PROMETHEUS_VERSION),
    };
    match written {
        Ok(()) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
