//! The clients that have a key of the gateway, and what each of them may do.

mod key;
mod rate;

use std::collections::BTreeMap;
use std::env;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use agentwire::adapters::axum::HttpRefusal;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::routes::Pattern;
use super::{record, refused};
use crate::input::Unreadable;
use key::KeyDigest;
use rate::Rate;

/// The environment variable with further keys.
pub const KEYS: &str = "AGENTWIRE_CLIENT_KEYS";

/// A client of the configuration file.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
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
    /// How many requests of a client are answered at once.
    pub max_requests: Option<usize>,
}

/// A client.
pub struct Client {
    name: String,
    config: ClientConfig,
    models: Option<Vec<Pattern>>,
    places: Option<Arc<Semaphore>>,
    rate: Option<Rate>,
}

/// The clients that are answered.
pub struct Clients {
    sources: KeySources,
    keys: RwLock<Vec<(KeyDigest, Arc<Client>)>>,
}

impl Client {
    fn new(name: &str, config: &ClientConfig, max_requests: Option<usize>) -> Self {
        let models = config.models.as_ref();
        let places = config.max_requests.map(NonZeroUsize::get).or(max_requests);
        Client {
            name: name.into(),
            config: config.clone(),
            models: models.map(|models| models.iter().map(|name| Pattern::new(name)).collect()),
            places: places.map(|most| Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)))),
            rate: config.requests_per_minute.map(Rate::new),
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the client may read the metrics.
    pub fn may_scrape(&self) -> bool {
        self.config.metrics
    }

    /// Whether the client may name this model.
    pub fn may_use(&self, model: &str) -> bool {
        let allows =
            |models: &Vec<Pattern>| models.iter().any(|name| name.matches(model).is_some());
        self.models.as_ref().is_none_or(allows)
    }

    /// Begins a request. Its place is taken until it is dropped.
    fn begin(&self) -> Result<Option<OwnedSemaphorePermit>, Box<HttpRefusal>> {
        let place = match &self.places {
            None => None,
            Some(places) => match places.clone().try_acquire_owned() {
                Ok(place) => Some(place),
                Err(_) => {
                    let message = "the client has as many running requests as it may have";
                    return Err(too_many("too_many_requests", message, 1));
                }
            },
        };
        match self.rate.as_ref().map_or(Ok(()), Rate::take) {
            Ok(()) => Ok(place),
            Err(seconds) => {
                let message = "the client has sent as many requests as it may send in a minute";
                Err(too_many("rate_limit_exceeded", message, seconds))
            }
        }
    }
}

fn too_many(code: &str, message: &str, seconds: u64) -> Box<HttpRefusal> {
    let mut refusal = HttpRefusal::new(429, code, message);
    refusal.retry_after = Some(seconds.to_string());
    Box::new(refusal)
}

impl Clients {
    /// Reads the keys.
    pub fn new(sources: KeySources) -> Result<Self, Unreadable> {
        let keys = RwLock::new(sources.read(&[])?);
        Ok(Clients { sources, keys })
    }

    /// Reads the keys again, and returns their number. After an error, the keys are those before.
    pub fn reload(&self) -> Result<usize, Unreadable> {
        let before = self.keys.read().unwrap_or_else(PoisonError::into_inner).clone();
        let keys = self.sources.read(&before)?;
        let number = keys.len();
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        Ok(number)
    }

    /// Whether requests need a key.
    pub fn are_checked(&self) -> bool {
        self.sources.are_some()
    }

    /// Returns the names of the clients.
    pub fn names(&self) -> Vec<String> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let mut names: Vec<_> = keys.iter().map(|(_, client)| client.name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Refuses a request without a valid key. The keys are removed from the request; its client is
    /// an extension of it.
    pub async fn check(
        State(clients): State<Arc<Self>>,
        mut request: Request,
        next: Next,
    ) -> Response {
        let keys = key::take(request.headers_mut());
        if !clients.are_checked() || is_public(&request) {
            return next.run(request).await;
        }
        let Some(client) = clients.client_of(&keys) else {
            return unauthorized(&request, !keys.is_empty());
        };
        request.extensions_mut().insert(client.clone());
        match client.begin() {
            Ok(place) => {
                record::current().is_of(client, place);
                next.run(request).await
            }
            Err(refusal) => {
                record::current().is_of(client, None);
                refused(&refusal, request.uri().path())
            }
        }
    }

    fn client_of(&self, sent: &[KeyDigest]) -> Option<Arc<Client>> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        // All keys are compared, so that the time does not depend on which one is equal.
        let mut found = None;
        for (key, client) in keys.iter() {
            if sent.iter().fold(false, |is_equal, sent| is_equal | key.is(sent)) {
                found = Some(client);
            }
        }
        found.cloned()
    }
}

/// Returns the client of a request; `None` if requests need no key.
pub fn client_of(request: &Request) -> Option<&Arc<Client>> {
    request.extensions().get()
}

/// Whether a request needs no key: that for the card of an agent, which A2A clients read to find out
/// that they need one, and that by which a client finds out whether there is a server.
fn is_public(request: &Request) -> bool {
    let path = request.uri().path();
    let is_root = request.method() == Method::HEAD && path == "/";
    is_root || agentwire::a2a::card::CARD_PATHS.contains(&path)
}

fn unauthorized(request: &Request, has_key: bool) -> Response {
    let (message, challenge) = match has_key {
        true => ("the key is not one of the gateway", r#"Bearer error="invalid_token""#),
        false => ("the request has no key: send it as `Authorization: Bearer …`", "Bearer"),
    };
    let refusal = HttpRefusal::new(401, "invalid_api_key", message);
    let mut response = refused(&refusal, request.uri().path());
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    response
}

impl KeySources {
    /// Whether there is a place for keys, so that requests need one.
    fn are_some(&self) -> bool {
        let has_variable = |client: &ClientConfig| client.key_variable.is_some();
        !self.keys.is_empty() || !self.files.is_empty() || self.clients.values().any(has_variable)
    }

    /// Reads all keys. A client that is the same as `before` keeps its counts.
    fn read(
        &self,
        before: &[(KeyDigest, Arc<Client>)],
    ) -> Result<Vec<(KeyDigest, Arc<Client>)>, Unreadable> {
        let mut named = Vec::new();
        for (at, key) in self.keys.iter().enumerate() {
            let read = KeyDigest::read(key);
            let key = read.map_err(|problem| Unreadable(format!("a client key: {problem}")))?;
            named.push((
                match self.keys.len() {
                    1 => "client".to_owned(),
                    _ => format!("client-{}", at + 1),
                },
                key,
            ));
        }
        for (name, client) in &self.clients {
            let unreadable = |problem| Unreadable(format!("the client {name}: {problem}"));
            key::client_name(name).map_err(unreadable)?;
            if let Some(variable) = &client.key_variable {
                let key = env::var(variable).unwrap_or_default();
                if key.trim().is_empty() {
                    return Err(unreadable(format!("the variable {variable} is not set")));
                }
                let key = KeyDigest::read(key.trim());
                let key = key.map_err(|problem| unreadable(format!("{variable}: {problem}")))?;
                named.push((name.clone(), key));
            }
        }
        for file in &self.files {
            named.extend(key::read_file(file).map_err(Unreadable)?);
        }
        let mut clients: Vec<Arc<Client>> = Vec::new();
        let mut keys: Vec<(KeyDigest, Arc<Client>)> = Vec::new();
        for (name, key) in named {
            if keys.iter().any(|(other, client)| other.is(&key) && client.name != name) {
                return Err(Unreadable(format!(
                    "the key of the client {name} is also that of another client"
                )));
            }
            let known = clients.iter().find(|client| client.name == name).cloned();
            let client = known.unwrap_or_else(|| {
                let config = self.clients.get(&name).cloned().unwrap_or_default();
                let same = before.iter().find(|(_, client)| client.name == name);
                let same = same.filter(|(_, client)| client.config == config);
                let client = match same {
                    Some((_, client)) => client.clone(),
                    None => Arc::new(Client::new(&name, &config, self.max_requests)),
                };
                clients.push(client.clone());
                client
            });
            keys.push((key, client));
        }
        Ok(keys)
    }
}
