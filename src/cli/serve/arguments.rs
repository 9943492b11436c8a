//! The options of `agentwire serve`.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use agentwire::ProtocolKind;
use agentwire::model::Model;

use super::hosts;
use super::limits::LimitOptions;
use super::routes::{ModelConfig, RoutesConfig, TargetConfig, UpstreamConfig};
use crate::input::Unreadable;
use crate::protocol;

#[derive(clap::Args)]
pub struct Arguments {
    /// The configuration file, with upstreams, models, clients and limits. Other options precede its
    /// members.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Verify the configuration and print what it means, instead of serving. Exits with 2 if it is
    /// wrong.
    #[arg(long)]
    pub check: bool,
    /// Print the JSON Schema of the configuration file, instead of serving.
    #[arg(long, exclusive = true)]
    pub config_schema: bool,
    /// The upstream: the base URL of a model, such as `https://api.openai.com/v1`, or the endpoint
    /// of an agent. Required without the upstreams of a configuration file.
    #[arg(long, value_name = "URL")]
    upstream: Option<String>,
    /// The protocol of the upstream. Default: chat.
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol::upstream(), requires = "upstream")]
    upstream_protocol: Option<ProtocolKind>,
    /// The model. Required for the API of a model.
    #[arg(long, value_name = "NAME", requires = "upstream")]
    model: Option<String>,
    /// Another model that requests may name; may be repeated. Requests with any other name get the
    /// model of `--model`.
    #[arg(long, value_name = "NAME", requires = "upstream")]
    allow_model: Vec<String>,
    /// Refuse requests of which something is lost that can make the answer wrong, such as a tool.
    #[arg(long)]
    pub strict: bool,
    /// The address to listen at. Port 0 is any free port. Default: 127.0.0.1:8787.
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// How long the upstream may send nothing before a request fails. Default: 300.
    #[arg(long, value_name = "SECONDS", requires = "upstream")]
    timeout: Option<NonZeroU32>,
    /// How long running answers may go on after SIGTERM or SIGINT. Default: 30.
    #[arg(long, value_name = "SECONDS")]
    pub grace: Option<u32>,
    /// A key that a client sends; may be repeated. Other processes can see it: the variable
    /// `AGENTWIRE_CLIENT_KEYS` has keys, too, separated by spaces. With keys, requests without one
    /// are refused.
    #[arg(long, value_name = "KEY")]
    pub client_key: Vec<String>,
    /// A file with the name of a client and a key in each line, which is read again after SIGHUP;
    /// may be repeated.
    #[arg(long, value_name = "FILE")]
    pub client_keys: Vec<PathBuf>,
    /// The address of the metrics, `/metrics`. Default: that of the gateway, where only clients with
    /// the permission may read them if there are keys, and no client otherwise at an address that
    /// is not loopback.
    #[arg(long, value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,
    /// The store of answers, A2A tasks and conversations: `sqlite:PATH`, `postgres://…`, `redis://…`
    /// or `memory`. Other processes can see it: the variable `AGENTWIRE_STORE` can have an address
    /// with a password.
    #[arg(long, value_name = "ADDRESS")]
    pub store: Option<String>,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// A further name by which requests may address the gateway; may be repeated. At a loopback
    /// address, or with this option, the gateway refuses requests whose `Host` is neither a
    /// loopback name nor such a name.
    #[arg(long, value_name = "NAME", value_parser = hosts::name)]
    pub allow_host: Vec<String>,
}

impl Arguments {
    /// Returns the upstream and its models as routes; `None` without `--upstream`.
    pub fn routes(&self) -> Result<Option<RoutesConfig>, Unreadable> {
        const NAME: &str = "upstream";
        let Some(url) = &self.upstream else { return Ok(None) };
        let protocol = self.upstream_protocol.unwrap_or(ProtocolKind::Chat);
        let mut upstream = UpstreamConfig::new(NAME, url, protocol);
        if let Some(seconds) = self.timeout {
            upstream.timeout_seconds = seconds.get().into();
        }
        let target = |model: Option<&String>| TargetConfig {
            upstream: NAME.into(),
            model: model.cloned(),
            price: None,
            settings: None,
        };
        let named = |name: &String| ModelConfig {
            name: name.clone(),
            upstreams: vec![target(Some(name))],
            price: None,
            context_window: None,
        };
        let mut models: Vec<ModelConfig> = Vec::new();
        for name in self.model.iter().chain(&self.allow_model) {
            if !models.iter().any(|model| model.name == *name) {
                models.push(named(name));
            }
        }
        if self.model.is_none() {
            if Model::is_of(protocol) {
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
        Ok(Some(RoutesConfig {
            upstreams: vec![upstream],
            models,
            default_model: self.model.clone(),
            strict: self.strict,
            rate_limit_wait_seconds: 0,
        }))
    }
}
