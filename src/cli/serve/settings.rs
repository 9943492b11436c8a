//! The settings of the gateway: options of the command line, and members of the file.

use std::env;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use super::arguments::Arguments;
use super::clients::{self, Clients, KeySources};
use super::config::ConfigFile;
use super::limits::Limits;
use super::routes::RoutesConfig;
use super::storage::StoreConfig;
use crate::input::Unreadable;

/// The settings in force.
#[derive(Clone, Debug)]
pub struct Settings {
    pub listen: SocketAddr,
    pub grace: Duration,
    pub hosts: Vec<String>,
    pub routes: RoutesConfig,
    pub limits: Limits,
    pub keys: KeySources,
    pub metrics_listen: Option<SocketAddr>,
    pub logs_probes: bool,
    pub store: StoreConfig,
}

/// The usual address.
const ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8787);

impl Settings {
    /// Reads the file of the options, if there is one.
    pub fn new(arguments: &Arguments) -> Result<Self, Unreadable> {
        let file = match &arguments.config {
            Some(path) => ConfigFile::read(path)?,
            None => ConfigFile::default(),
        };
        let folder = arguments.config.as_deref().and_then(Path::parent);
        let routes = match arguments.routes()? {
            Some(_) if !file.upstreams.is_empty() => {
                let problem = "--upstream cannot be used with a file that has upstreams";
                return Err(Unreadable(problem.into()));
            }
            Some(routes) if file.models.is_empty() => routes,
            None if !file.upstreams.is_empty() || !file.models.is_empty() => RoutesConfig {
                upstreams: file.upstreams,
                models: file.models,
                default_model: file.default_model,
                strict: file.strict || arguments.strict,
                rate_limit_wait_seconds: file.rate_limit_wait_seconds,
            },
            Some(_) => {
                let problem = "--upstream cannot be used with a file that has models";
                return Err(Unreadable(problem.into()));
            }
            None => {
                let problem = "there is no upstream: `--upstream URL`, or `[[upstreams]]` in the file of `--config`";
                return Err(Unreadable(problem.into()));
            }
        };
        let limits = arguments.limits.or(&file.limits)?;
        let mut keys = arguments.client_key.clone();
        keys.extend(
            env::var(clients::KEYS)
                .iter()
                .flat_map(|keys| keys.split_whitespace())
                .map(String::from),
        );
        let mut files = arguments.client_keys.clone();
        files.extend(file.client_keys);
        let mut hosts = arguments.allow_host.clone();
        hosts.extend(file.allow_hosts.into_iter().map(|host| host.0));
        Ok(Settings {
            listen: arguments.listen.or(file.listen).unwrap_or(ADDRESS),
            grace: Duration::from_secs(arguments.grace.or(file.grace_seconds).unwrap_or(30).into()),
            hosts,
            routes,
            keys: KeySources {
                keys,
                files,
                clients: file.clients,
                max_requests: limits.max_requests_per_client,
            },
            limits,
            metrics_listen: arguments.metrics_listen.or(file.metrics.listen),
            logs_probes: file.log.probes,
            store: file.store.with(arguments.store.as_deref(), folder),
        })
    }

    /// Describes settings that are possible, and probably not meant, for a gateway at this address.
    pub fn warnings(&self, address: IpAddr, clients: &Clients) -> Vec<String> {
        let mut warnings = Vec::new();
        if !clients.are_checked() && !address.to_canonical().is_loopback() {
            warnings.push("every program that can reach the gateway can use its upstreams: there are no client keys".into());
        }
        let names = clients.names();
        if clients.are_checked() && names.is_empty() {
            warnings.push("every request is refused: the files of client keys are empty".into());
        }
        for name in self.keys.clients.keys().filter(|name| !names.contains(name)) {
            warnings.push(format!("the client {name} has no key"));
        }
        let targets = || self.routes.models.iter().flat_map(|model| &model.upstreams);
        for upstream in &self.routes.upstreams {
            if !targets().any(|target| target.upstream == upstream.name) {
                warnings.push(format!("no model has the upstream {}", upstream.name));
            }
        }
        warnings
    }
}
