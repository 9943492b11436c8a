//! The configuration file.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::de::{Deserialize, Deserializer, Error as _};

use super::clients::ClientConfig;
use super::hosts;
use super::limits::LimitOptions;
use super::routes::{ModelConfig, UpstreamConfig};
use super::storage::StoreConfig;
use crate::input::Unreadable;

/// The members of the file. All of them are optional.
#[derive(Clone, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ConfigFile {
    /// The address to listen at. Default: `127.0.0.1:8787`.
    pub listen: Option<SocketAddr>,
    /// How long running answers may go on after SIGTERM or SIGINT. Default: 30.
    pub grace_seconds: Option<u32>,
    /// Further names by which requests may address the gateway.
    #[schemars(with = "Vec<String>")]
    pub allow_hosts: Vec<HostName>,
    /// Whether requests are refused of which something is lost that can make the answer wrong.
    /// Default: no.
    pub strict: bool,
    /// The model of requests that name none, or one that is not in `models`. Default: such requests
    /// are refused.
    pub default_model: Option<String>,
    /// How long the gateway waits, in all, when every upstream of a request has answered 429 and
    /// the smallest `Retry-After` is not longer than that. Default: 0, it does not wait.
    pub rate_limit_wait_seconds: u64,
    /// The file with the keys of clients: the name of a client and a key in each line.
    pub client_keys: Option<PathBuf>,
    /// The permissions and limits of clients, by their names.
    pub clients: BTreeMap<String, ClientConfig>,
    /// The limits for clients.
    pub limits: LimitOptions,
    /// The log.
    pub log: LogConfig,
    /// The store of answers, tasks and conversations.
    pub store: StoreConfig,
    /// The metrics.
    pub metrics: MetricsConfig,
    /// The upstreams.
    pub upstreams: Vec<UpstreamConfig>,
    /// The models that requests may name.
    pub models: Vec<ModelConfig>,
}

/// The options of the log.
#[derive(Clone, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LogConfig {
    /// Whether requests to `/healthz` and `/metrics` have a line, too. Default: no.
    pub probes: bool,
}

/// The options of the metrics.
#[derive(Clone, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MetricsConfig {
    /// An address of their own. Default: that of the gateway.
    pub listen: Option<SocketAddr>,
}

/// A name by which requests may address the gateway.
#[derive(Clone, Debug)]
pub struct HostName(pub String);

impl<'de> Deserialize<'de> for HostName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        hosts::name(&text)
            .map(HostName)
            .map_err(|expected| D::Error::custom(format!("expected {expected}")))
    }
}

impl ConfigFile {
    /// Reads a file. The paths in it are relative to its folder.
    pub fn read(path: &Path) -> Result<Self, Unreadable> {
        let unreadable = |error| Unreadable(format!("cannot read {}: {error}", path.display()));
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let mut file = Self::parse(&text)
            .map_err(|error| Unreadable(format!("{}:{error}", path.display())))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let keys = file.client_keys.iter_mut();
        for path in keys.chain(file.upstreams.iter_mut().filter_map(|it| it.key_file.as_mut())) {
            *path = folder.join(&*path);
        }
        Ok(file)
    }

    /// Parses a file. An error begins with its line and column.
    fn parse(text: &str) -> Result<Self, String> {
        let at = |span: Option<std::ops::Range<usize>>| {
            let before = text.get(..span.map_or(0, |span| span.start)).unwrap_or_default();
            let column = before.chars().rev().take_while(|it| *it != '\n').count() + 1;
            format!("{}:{column}", before.matches('\n').count() + 1)
        };
        let document = toml::Deserializer::parse(text)
            .map_err(|error| format!("{}: {}", at(error.span()), error.message()))?;
        serde_path_to_error::deserialize(document).map_err(|error| {
            let (path, inner) = (error.path().to_string(), error.inner());
            let member = if path == "." { String::new() } else { format!("{path}: ") };
            format!("{}: {member}{}", at(inner.span()), inner.message())
        })
    }
}
