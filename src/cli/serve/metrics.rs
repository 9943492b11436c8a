//! The metrics of the gateway, in the text format of Prometheus.

use std::sync::atomic::AtomicU64;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header;
use axum::response::Response;
use prometheus_client::encoding::{EncodeLabelSet, prometheus_text, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::record::{Attempt, RequestRecord};
use super::semantics;

/// The limits of the buckets of durations, as the GenAI conventions advise.
const DURATIONS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/// The same for the time to the first token.
const FIRST_TOKENS: [f64; 16] = [
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
];

/// The values of labels are names of the configuration, protocols, HTTP statuses and codes of the
/// gateway: what clients and upstreams send cannot create a series.
pub struct Metrics {
    registry: Registry,
    pub open_connections: Gauge,
    pub open_requests: Gauge,
    pub refused_connections: Counter,
    requests: Family<RequestLabels, Counter>,
    durations: Family<OperationLabels, Histogram, fn() -> Histogram>,
    first_tokens: Family<OperationLabels, Histogram, fn() -> Histogram>,
    attempts: Family<AttemptLabels, Counter>,
    fallbacks: Family<ModelLabels, Counter>,
    tokens: Family<TokenLabels, Counter>,
    cost: Family<CostLabels, Counter<f64, AtomicU64>>,
    losses: Family<LossLabels, Counter>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    protocol: &'static str,
    model: String,
    upstream: String,
    user: String,
    status: u16,
    error: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OperationLabels {
    gen_ai_operation_name: &'static str,
    gen_ai_provider_name: String,
    gen_ai_request_model: String,
    agentwire_upstream: String,
    error_type: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct AttemptLabels {
    upstream: String,
    model: String,
    status: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ModelLabels {
    model: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct TokenLabels {
    r#type: &'static str,
    upstream: String,
    model: String,
    user: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CostLabels {
    upstream: String,
    model: String,
    user: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct LossLabels {
    class: &'static str,
    protocol: &'static str,
    upstream: String,
}
