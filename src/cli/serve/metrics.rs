//! The metrics of the gateway.

mod exposition;

use std::sync::atomic::AtomicU64;

use agentwire::ProtocolKind;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::connections::ConnectionCounts;
use super::record::RequestRecord;
use super::semantics;
pub use exposition::{MetricsAccess, app, respond};

/// The limits of the buckets of durations, as the GenAI conventions advise.
const DURATIONS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/// The same for the time to the first token.
const FIRST_TOKENS: [f64; 16] =
    [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];

/// The values of labels are names of the configuration, protocols, HTTP statuses and codes of the
/// gateway: what clients and upstreams send cannot create a series.
pub struct Metrics {
    registry: Registry,
    pub connections: ConnectionCounts,
    pub open_requests: Gauge,
    requests: Family<RequestLabels, Counter>,
    durations: Family<OperationLabels, Histogram, fn() -> Histogram>,
    first_tokens: Family<OperationLabels, Histogram, fn() -> Histogram>,
    attempts: Family<AttemptLabels, Counter>,
    fallbacks: Family<FallbackLabels, Counter>,
    tokens: Family<TokenLabels, Counter>,
    cost: Family<UseLabels, Counter<f64, AtomicU64>>,
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
    gen_ai_provider_name: &'static str,
    gen_ai_request_model: String,
    upstream: String,
    error_type: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct AttemptLabels {
    upstream: String,
    model: String,
    status: String,
    error: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct FallbackLabels {
    upstream: String,
    model: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct TokenLabels {
    r#type: &'static str,
    #[prometheus(flatten)]
    used: UseLabels,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct UseLabels {
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

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Metrics {
            registry: Registry::default(),
            connections: ConnectionCounts::default(),
            open_requests: Gauge::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(DURATIONS)),
            first_tokens: Family::new_with_constructor(|| Histogram::new(FIRST_TOKENS)),
            attempts: Family::default(),
            fallbacks: Family::default(),
            tokens: Family::default(),
            cost: Family::default(),
            losses: Family::default(),
        };
        metrics.register();
        metrics
    }
}

impl Metrics {
    fn register(&mut self) {
        let all = &mut self.registry;
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        all.register("agentwire_build", "The version of the gateway", version);
        all.register(
            "agentwire_open_connections",
            "Connections of clients that are open",
            self.connections.open.clone(),
        );
        all.register(
            "agentwire_refused_connections",
            "Connections of clients that exceeded the limit",
            self.connections.refused.clone(),
        );
        all.register(
            "agentwire_open_requests",
            "Requests whose answer has not ended",
            self.open_requests.clone(),
        );
        all.register("agentwire_requests", "Requests that have ended", self.requests.clone());
        all.register_with_unit(
            "gen_ai_server_request_duration",
            "Time from a request to the last byte of its answer",
            Unit::Seconds,
            self.durations.clone(),
        );
        all.register_with_unit(
            "gen_ai_server_time_to_first_token",
            "Time from a request to the first byte of its answer",
            Unit::Seconds,
            self.first_tokens.clone(),
        );
        all.register("agentwire_upstream_requests", "Requests to upstreams", self.attempts.clone());
        all.register(
            "agentwire_fallbacks",
            "Requests to an upstream after another one has failed",
            self.fallbacks.clone(),
        );
        all.register("agentwire_tokens", "Tokens that upstreams have counted", self.tokens.clone());
        all.register(
            "agentwire_cost",
            "Cost of the tokens, in the currency of the prices",
            self.cost.clone(),
        );
        all.register("agentwire_losses", "Losses of conversions", self.losses.clone());
    }

    /// Counts a request that has ended.
    pub fn count(&self, record: &RequestRecord) {
        let facts = record.facts();
        let last = facts.attempts.last();
        let protocol = record.protocol.map_or("", ProtocolKind::as_str);
        let model = facts.route.clone().unwrap_or_default();
        let upstream = last.map(|attempt| attempt.upstream.clone()).unwrap_or_default();
        let user = record.client().map(|client| client.name().to_owned()).unwrap_or_default();
        let gone = (!facts.is_complete).then_some(semantics::DISCONNECTED);
        let error = facts.error.as_deref().or(gone).map(semantics::error_type).unwrap_or_default();
        let labels = RequestLabels {
            protocol,
            model: model.clone(),
            upstream: upstream.clone(),
            user: user.clone(),
            status: facts.status.unwrap_or(0),
            error: error.clone(),
        };
        self.requests.get_or_create(&labels).inc();
        for (at, attempt) in facts.attempts.iter().enumerate() {
            let status = attempt.status.map(|status| status.to_string());
            let labels = AttemptLabels {
                upstream: attempt.upstream.clone(),
                model: model.clone(),
                status: status.unwrap_or_default(),
                error: attempt.error.as_deref().map(semantics::error_type).unwrap_or_default(),
            };
            self.attempts.get_or_create(&labels).inc();
            if at > 0 {
                let labels =
                    FallbackLabels { upstream: attempt.upstream.clone(), model: model.clone() };
                self.fallbacks.get_or_create(&labels).inc();
            }
        }
        let Some(attempt) = last else { return };
        let labels = OperationLabels {
            gen_ai_operation_name: semantics::operation(attempt.protocol),
            gen_ai_provider_name: attempt.provider,
            gen_ai_request_model: model.clone(),
            upstream: upstream.clone(),
            error_type: error,
        };
        self.durations.get_or_create(&labels).observe(record.started.elapsed().as_secs_f64());
        if let Some(time) = facts.first_byte.filter(|_| labels.error_type.is_empty()) {
            self.first_tokens.get_or_create(&labels).observe(time.as_secs_f64());
        }
        for (class, count) in facts.loss_classes.iter().filter(|(_, count)| *count > 0) {
            let labels = LossLabels { class: class.as_str(), protocol, upstream: upstream.clone() };
            self.losses.get_or_create(&labels).inc_by(*count);
        }
        let labels = UseLabels { upstream, model, user };
        if let Some(usage) = &facts.usage {
            let counts = [
                ("input", usage.input),
                ("cached_input", usage.cached_input),
                ("output", usage.output),
                ("reasoning", usage.reasoning),
            ];
            for (r#type, count) in counts {
                let labels = TokenLabels { r#type, used: labels.clone() };
                self.tokens.get_or_create(&labels).inc_by(count);
            }
        }
        if let Some(cost) = facts.cost().filter(|cost| cost.is_finite() && *cost >= 0.0) {
            self.cost.get_or_create(&labels).inc_by(cost);
        }
    }
}
