//! Where the keys of clients are: options, variables, files.

use std::collections::BTreeMap;
use std::env;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use super::key::{self, KeyDigest};
use crate::input::Unreadable;

/// The environment variable with further keys.
pub const KEYS: &str = "AGENTWIRE_CLIENT_KEYS";

/// A client of the configuration file.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ClientConfig {
    /// The environment variable with the key. The file of keys can have further keys of the client.
    pub key_variable: Option<String>,
    /// The models that the client may name: names, or patterns with `*`. Default: all.
    pub models: Option<Vec<String>>,
    /// How many requests of the client are accepted in a minute. Default: any number.
    pub requests_per_minute: Option<NonZeroU32>,
    /// How many requests of the client are answered at once. Default: as
    /// `limits.max_requests_per_client`.
    pub max_requests: Option<NonZeroUsize>,
    /// Whether the client may read `/metrics`. Default: no.
    pub metrics: bool,
}

/// Where the keys of clients are.
#[derive(Clone, Debug, Default)]
pub struct KeySources {
    /// The keys of `--client-key`.
    pub keys: Vec<String>,
    /// The files of keys.
    pub files: Vec<PathBuf>,
    /// The clients of the configuration file, by their names.
    pub clients: BTreeMap<String, ClientConfig>,
    /// How many requests of a client are answered at once, if the client has no number of its own.
    pub max_requests: Option<usize>,
}

impl KeySources {
    /// Whether there is a place for keys, so that requests need one.
    pub fn are_some(&self) -> bool {
        let has_variable = |client: &ClientConfig| client.key_variable.is_some();
        !self.keys.is_empty() || !self.files.is_empty() || self.clients.values().any(has_variable)
    }

    /// Reads the keys, with the names of their clients.
    pub fn read(&self) -> Result<Vec<(String, KeyDigest)>, Unreadable> {
        let mut named = Vec::new();
        for (at, key) in self.keys.iter().enumerate() {
            let key = KeyDigest::read(key);
            let key = key.map_err(|problem| Unreadable(format!("a client key: {problem}")))?;
            let name = match self.keys.len() {
                1 => "client".into(),
                _ => format!("client-{}", at + 1),
            };
            named.push((name, key));
        }
        for (name, client) in &self.clients {
            let of = |problem: String| Unreadable(format!("the client {name}: {problem}"));
            key::client_name(name).map_err(of)?;
            if let Some(variable) = &client.key_variable {
                let key = env::var(variable).unwrap_or_default();
                if key.trim().is_empty() {
                    return Err(of(format!("the variable {variable} is not set")));
                }
                let key = KeyDigest::read(key.trim());
                let key = key.map_err(|problem| of(format!("{variable}: {problem}")))?;
                named.push((name.clone(), key));
            }
        }
        for file in &self.files {
            named.extend(key::read_file(file).map_err(Unreadable)?);
        }
        Ok(named)
    }
}
