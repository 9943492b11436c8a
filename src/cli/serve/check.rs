//! `agentwire serve --check`: the configuration as the gateway understands it.

use std::fmt::Write as _;
use std::process::ExitCode;

use super::clients::Clients;
use super::metrics::MetricsAccess;
use super::routes::{ModelConfig, Price, Routes, TargetConfig, UpstreamConfig};
use super::settings::Settings;
use super::traces;
use super::upstream::Upstream;
use crate::input::Unreadable;
use crate::output;

/// Verifies the settings, and prints them. Prints every problem that was found.
pub fn print(settings: &Settings) -> Result<ExitCode, Unreadable> {
    let (routes, clients) = (Routes::new(&settings.routes), Clients::new(settings.keys.clone()));
    let store = settings.store.open();
    let (routes, clients, collector) = match (routes, clients, traces::collector(), store) {
        (Ok(routes), Ok(clients), Ok(collector), Ok(_)) => (routes, clients, collector),
        (routes, clients, collector, store) => {
            let problems = [routes.err(), clients.err(), collector.err(), store.err()];
            for Unreadable(problem) in problems.into_iter().flatten() {
                eprintln!("agentwire: {problem}");
            }
            return Ok(ExitCode::from(2));
        }
    };
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:<12}{value}");
    };
    let has_keys = clients.are_checked();
    line("address", &format!("http://{}", settings.listen));
    line(
        "metrics",
        &match (settings.metrics_listen, MetricsAccess::at(settings.listen.ip(), has_keys)) {
            (Some(address), _) => format!("http://{address}/metrics"),
            (None, MetricsAccess::All) => format!("http://{}/metrics", settings.listen),
            (None, MetricsAccess::Permitted) => {
                format!("http://{}/metrics, for clients with the permission", settings.listen)
            }
            (None, MetricsAccess::None) => {
                "not readable: they need an address of their own, or client keys".into()
            }
        },
    );
    line("traces", collector.as_deref().unwrap_or("not exported"));
    line(
        "clients",
        &match has_keys {
            true => shown_names(&clients.names()),
            false => "all, without a key".into(),
        },
    );
    for (config, upstream) in settings.routes.upstreams.iter().zip(routes.upstreams()) {
        line("upstream", &shown_upstream(config, upstream));
    }
    for model in &settings.routes.models {
        line("model", &shown_model(model));
    }
    line(
        "otherwise",
        &match &settings.routes.default_model {
            Some(name) => format!("the model {name}"),
            None => "requests are refused".into(),
        },
    );
    line("store", &settings.store.shown());
    line("limits", &settings.limits.to_string());
    for warning in settings.warnings(settings.listen.ip(), &clients) {
        line("warning", &warning);
    }
    output::write(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn shown_names(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let first = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        Some(others @ 1..) => format!("{first} and {others} others"),
        _ => first,
    }
}

fn shown_upstream(config: &UpstreamConfig, upstream: &Upstream) -> String {
    let UpstreamConfig { name, url, protocol, timeout_seconds, .. } = config;
    let key = upstream.key_source().map_or("no key".into(), |source| format!("key of {source}"));
    // A query can have a key.
    let url = url.split('?').next().unwrap_or_default();
    format!("{name}: {} at {url}, {key}, timeout {timeout_seconds} s", protocol.as_str())
}

fn shown_model(model: &ModelConfig) -> String {
    let target = |target: &TargetConfig| {
        let mut text = target.upstream.clone();
        if let Some(model) = &target.model {
            let _ = write!(text, " as {model}");
        }
        if let Some(price) = &target.price {
            let _ = write!(text, " ({})", shown_price(price));
        }
        text
    };
    let targets: Vec<_> = model.upstreams.iter().map(target).collect();
    let price = model.price.as_ref().map(|price| format!(" ({})", shown_price(price)));
    format!("{} → {}{}", model.name, targets.join(", then "), price.unwrap_or_default())
}

fn shown_price(price: &Price) -> String {
    let cached = price.cached_input.map(|price| format!(", cached {price}"));
    format!(
        "per million tokens: input {}{}, output {}",
        price.input,
        cached.unwrap_or_default(),
        price.output
    )
}
