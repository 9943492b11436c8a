//! The clients that have a key of the gateway, and what each of them may do.

mod key;
mod rate;
mod sources;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
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
pub use sources::{ClientConfig, KEYS, KeySources};

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
    keys: RwLock<Keys>,
}

type Keys = Vec<(KeyDigest, Arc<Client>)>;

impl Client {
    fn new(name: &str, config: ClientConfig, max_requests: Option<usize>) -> Self {
        let models = config.models.as_ref();
        let places = config.max_requests.map(NonZeroUsize::get).or(max_requests);
        Client {
            name: name.into(),
            models: models.map(|models| models.iter().map(|name| Pattern::new(name)).collect()),
            places: places.map(|most| Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)))),
            rate: config.requests_per_minute.map(Rate::new),
            config,
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
        let keys = RwLock::new(read(&sources, &[])?);
        Ok(Clients { sources, keys })
    }

    /// Reads the keys again, and returns their number. After an error, the keys are those before.
    pub fn reload(&self) -> Result<usize, Unreadable> {
        let before = self.keys.read().unwrap_or_else(PoisonError::into_inner).clone();
        let keys = read(&self.sources, &before)?;
        let number = keys.len();
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        Ok(number)
    }

    /// Whether requests need a key.
    pub fn are_checked(&self) -> bool {
        self.sources.are_some()
    }

    /// Returns a client by its name.
    pub fn named(&self, name: &str) -> Option<Arc<Client>> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.iter().map(|(_, client)| client).find(|client| client.name == name).cloned()
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

/// Reads the keys. A client that is the same as `before` keeps its counts.
fn read(sources: &KeySources, before: &[(KeyDigest, Arc<Client>)]) -> Result<Keys, Unreadable> {
    let before: BTreeMap<&str, &Arc<Client>> =
        before.iter().map(|(_, client)| (client.name(), client)).collect();
    let mut clients: BTreeMap<String, Arc<Client>> = BTreeMap::new();
    let mut keys: BTreeMap<KeyDigest, Arc<Client>> = BTreeMap::new();
    for (name, key) in sources.read()? {
        let config = sources.clients.get(&name).cloned().unwrap_or_default();
        let client = clients.entry(name).or_insert_with_key(|name| {
            match before.get(&**name).filter(|client| client.config == config) {
                Some(same) => (*same).clone(),
                None => Arc::new(Client::new(name, config, sources.max_requests)),
            }
        });
        if let Some(other) = keys.insert(key, client.clone())
            && other.name != client.name
        {
            let names = [other.name(), client.name()].join(" and ");
            return Err(Unreadable(format!("the clients {names} have the same key")));
        }
    }
    Ok(keys.into_iter().collect())
}

/// Returns the client of a request; `None` if requests need no key.
pub fn client_of(request: &Request) -> Option<&Arc<Client>> {
    request.extensions().get()
}

/// Whether a request needs no key: that for the card by which A2A clients find an agent, and that by
/// which a client finds out whether there is a server.
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
