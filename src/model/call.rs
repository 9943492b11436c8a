//! One request to a model.

use std::borrow::ToOwned;
use std::boxed::Box;
use std::fmt;
use std::pin::Pin;
use std::string::String;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::endpoint::Endpoint;
use crate::adapters::reqwest::{HttpError, check};
use crate::core::error::UsageError;
use crate::emit::AnswerStream;
use crate::hub::Losses;
use crate::hub::request::HubRequest;
use crate::json::Member;
use crate::protocols::ProtocolKind;

/// A model or an agent: where it is, and how it is called.
#[derive(Clone)]
pub struct Model {
    endpoint: &'static Endpoint,
    url: String,
    name: Option<String>,
    headers: HeaderMap,
    /// Created by the first call, unless it is set.
    client: Arc<OnceLock<reqwest::Client>>,
}

impl Model {
    /// Creates a model that uses this protocol. `url` is the base URL of a model, and the endpoint of an agent.
    ///
    /// # Errors
    ///
    /// `protocol-not-called` for a protocol that no server is called in.
    pub fn new(protocol: ProtocolKind, url: impl Into<String>) -> Result<Self, UsageError> {
        let Some(endpoint) = Endpoint::of(protocol) else {
            return Err(UsageError::new(
                "protocol-not-called",
                ["Model::new() was given the protocol `", protocol.as_str(), "`"].concat(),
                "use a protocol of `Model::protocols()`",
            ));
        };
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        headers.insert("accept", HeaderValue::from_static("text/event-stream"));
        for (name, value) in endpoint.headers {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        Ok(Model { endpoint, url: url.into(), name: None, headers, client: Arc::default() })
    }

    /// Returns the protocols that servers are called in.
    pub fn protocols() -> impl Iterator<Item = ProtocolKind> {
        super::endpoint::ENDPOINTS.iter().map(|endpoint| endpoint.protocol)
    }

    /// Returns the protocol.
    pub fn protocol(&self) -> ProtocolKind {
        self.endpoint.protocol
    }

    /// Returns the environment variable that usually has the key; `None` for agents, which have no usual variable.
    pub fn key_variable(&self) -> Option<&'static str> {
        self.endpoint.variable
    }

    /// Sets the name of the model, which replaces the one in the request. Agents need none.
    pub fn name(self, name: impl Into<String>) -> Self {
        Model { name: Some(name.into()), ..self }
    }

    /// Sets the key. It is sent in the header that the protocol has for it, and never printed.
    ///
    /// # Errors
    ///
    /// `key-invalid` for a key that cannot be in a header.
    pub fn key(self, key: &str) -> Result<Self, UsageError> {
        let (name, before) = self.endpoint.key;
        let Ok(mut value) = HeaderValue::from_str(&[before, key.trim()].concat()) else {
            let given = "key() was given a key with characters that a header cannot have";
            return Err(UsageError::new("key-invalid", given, "use the key as its provider shows it"));
        };
        value.set_sensitive(true);
        Ok(self.header(HeaderName::from_static(name), value))
    }

    /// Sets a header of the requests.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Sets the client that sends the requests, with its timeouts, proxies and TLS. By default, one that follows no
    /// redirects, so that the key is sent to no other server.
    pub fn client(self, client: reqwest::Client) -> Self {
        Model { client: Arc::new(client.into()), ..self }
    }

    /// Returns the URL of the requests.
    fn address(&self) -> String {
        let path = self.endpoint.path.replace("{model}", self.name.as_deref().unwrap_or_default());
        if path.is_empty() { self.url.clone() } else { [self.url.trim_end_matches('/'), &path].concat() }
    }

    /// Returns the body of a request.
    pub(super) fn body(&self, request: &impl HubRequest, losses: &mut Losses) -> Result<String, UsageError> {
        let mut request = request.to_hub(losses);
        request
            .parameters
            .retain(|member| member.key != "stream" && !(member.key == "model" && self.name.is_some()));
        if let Some(name) = &self.name {
            request.parameters.push(Member::new("model", name.as_str()));
        }
        if self.endpoint.is_model() {
            request.conversation = None;
        }
        (self.endpoint.body)(request, losses)
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("protocol", &self.endpoint.protocol)
            .field("url", &self.url)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Sends a request of any protocol to a model, and returns the answer as soon as its headers have arrived. The request
/// contains the whole conversation; what the protocol of the model cannot represent is left out. Dropping the answer
/// cancels it.
///
/// # Errors
///
/// [`CallError`] if the server cannot be reached, or does not answer with a stream. The request is not repeated.
pub async fn call_model(
    model: &Model,
    request: &(impl HubRequest + Sync),
) -> Result<AnswerStream<ModelBytes>, CallError> {
    let body = model.body(request, &mut Losses::default()).map_err(CallError::Usage)?;
    let client = match model.client.get() {
        Some(client) => client,
        None => {
            let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
            let client = client.build().map_err(CallError::network)?;
            model.client.get_or_init(|| client)
        }
    };
    let sent = client.post(model.address()).headers(model.headers.clone()).body(body);
    let response = sent.send().await.map_err(CallError::network)?;
    let response = check(response).await.map_err(|error| CallError::Http(Box::new(error)))?;
    let status = response.status().as_u16();
    let bytes = ModelBytes { status, bytes: Box::pin(response.bytes_stream()) };
    Ok(AnswerStream::new(model.protocol(), bytes))
}

/// The bytes of an answer of a model.
pub struct ModelBytes {
    status: u16,
    bytes: Pin<Box<dyn Stream<Item = reqwest::Result<Bytes>> + Send>>,
}

impl ModelBytes {
    /// Returns the HTTP status of the answer, which is a success.
    pub fn status(&self) -> u16 {
        self.status
    }
}

impl Stream for ModelBytes {
    type Item = Result<Bytes, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.bytes.as_mut().poll_next(context).map_err(CallError::network)
    }
}

impl fmt::Debug for ModelBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelBytes").field("status", &self.status).finish_non_exhaustive()
    }
}

/// The reason why a model has not answered, or why its answer broke off.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The request cannot be written in the protocol of the model.
    Usage(UsageError),
    /// The server cannot be reached, or the connection failed. Its text does not contain the URL.
    Network(reqwest::Error),
    /// The server answered with a status other than a success, or with a page.
    Http(Box<HttpError>),
}

impl CallError {
    fn network(error: reqwest::Error) -> Self {
        CallError::Network(error.without_url())
    }

    /// Returns the HTTP status of an answer that is not a stream.
    pub fn status(&self) -> Option<u16> {
        match self {
            CallError::Http(error) => Some(error.status.as_u16()),
            CallError::Usage(_) | CallError::Network(_) => None,
        }
    }

    /// Returns the message in the body of an answer that is not a stream. The APIs of models send it as
    /// `{"error":{"message":…}}`.
    pub fn message(&self) -> Option<String> {
        let CallError::Http(error) = self else { return None };
        let body = crate::json::Value::parse(&error.body, 16).ok()?;
        let details = body.get("error").filter(|error| !error.is_null()).unwrap_or(&body);
        details.as_str().or_else(|| details.text("message")).map(ToOwned::to_owned)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Usage(error) => error.fmt(f),
            CallError::Network(error) => error.fmt(f),
            CallError::Http(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            CallError::Usage(error) => error,
            CallError::Network(error) => error,
            CallError::Http(error) => &**error,
        })
    }
}
