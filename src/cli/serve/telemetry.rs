//! The reports about requests: lines of the log, metrics and spans.

use std::sync::Arc;

use super::log;
use super::metrics::Metrics;
use super::record::RequestRecord;
use super::traces::Traces;

/// Receives the record of each request at its end.
pub struct Telemetry {
    pub metrics: Arc<Metrics>,
    pub traces: Option<Traces>,
    /// Whether requests to `/healthz` and `/metrics` are reported, too.
    pub has_probes: bool,
}

impl Telemetry {
    /// Whether requests to this path are reported.
    pub fn reports(&self, path: &str) -> bool {
        self.has_probes || !matches!(path, "/healthz" | "/metrics")
    }

    /// Reports a request that has ended.
    pub fn ended(&self, record: &RequestRecord) {
        self.metrics.open_requests.dec();
        self.metrics.count(record);
        record.trace().end(record);
        log::write(record);
    }

    /// Exports what has not been exported.
    pub fn flush(&self) {
        if let Some(traces) = &self.traces {
            traces.flush();
        }
    }
}
