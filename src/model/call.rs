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
use reqwest::header::{ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response, Url};

use super::client::{HttpClient, NetworkError};
use super::endpoint::HttpEndpoint;
use super::{resume, unary};
use crate::adapters::reqwest::{AnswerBytes, BodyError, HttpError, answer};
use crate::builder::RandomIds;
use crate::convert::{
    ConvertError, ConvertedRequest, ProtocolRequest, RequestOptions, convert_request,
};
use crate::core::error::UsageError;
use crate::emit::AnswerStream;
use crate::hub::conversation::members::take;
use crate::hub::conversation::{Back, scope};
use crate::hub::{LossClass, Losses};
use crate::json::{Raw, Value};
use crate::protocols::ProtocolKind;

/// A model or an agent: where it is, and how it is called.
#[derive(Clone)]
pub struct Model {
    endpoint: &'static HttpEndpoint,
    url: Url,
    name: Option<String>,
    headers: HeaderMap,
    is_strict: bool,
    /// The members of requests that have none of these names.
    settings: Option<Arc<Value>>,
    /// Created by the first call, unless it is set.
    client: Arc<OnceLock<Box<dyn HttpClient>>>,
}

impl Model {
    /// Creates a model that uses this protocol. `url` is the base URL of a model, and the endpoint
    /// of an agent. It may have a query, which is sent with each request.
    ///
    /// # Errors
    ///
    /// `protocol-not-called` for a protocol that no server is called in, `url-invalid` for a text
    /// that is not the URL of a server, such as `api.openai.com`, and for a URL with a user name or
    /// a password.
    pub fn new(protocol: ProtocolKind, url: impl AsRef<str>) -> Result<Self, UsageError> {
        let Some(endpoint) = HttpEndpoint::of(protocol) else {
            return Err(UsageError::new(
                "protocol-not-called",
                ["Model::new() was given the protocol `", protocol.as_str(), "`"].concat(),
                "use a protocol of `Model::protocols()`",
            ));
        };
        let url = server_url(url.as_ref())?;
        let headers = HeaderMap::new();
        Ok(Model {
            endpoint,
            url,
            name: None,
            headers,
            is_strict: false,
            settings: None,
            client: Arc::default(),
        })
    }

    /// Returns the protocols that servers are called in.
    pub fn protocols() -> impl Iterator<Item = ProtocolKind> {
        super::endpoint::ENDPOINTS.iter().map(|endpoint| endpoint.protocol)
    }

    /// Whether servers of this protocol are models, which receive the whole conversation with each
    /// request, and not agents.
    pub fn is_of(protocol: ProtocolKind) -> bool {
        HttpEndpoint::of(protocol).is_some_and(HttpEndpoint::is_model)
    }

    /// Returns the protocol.
    pub fn protocol(&self) -> ProtocolKind {
        self.endpoint.protocol
    }

    /// Returns the environment variable that usually has the key; `None` for agents, which have no
    /// usual variable.
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
            return Err(UsageError::new(
                "key-invalid",
                given,
                "use the key as its provider shows it",
            ));
        };
        value.set_sensitive(true);
        Ok(self.header(HeaderName::from_static(name), value))
    }

    /// Sets a header of the requests.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Sets the client that sends the requests, with its timeouts, proxies and TLS. By default, one
    /// that follows no redirects, so that the key is sent to no other server.
    pub fn client(self, client: impl HttpClient + 'static) -> Self {
        let client: Box<dyn HttpClient> = Box::new(client);
        Model { client: Arc::new(client.into()), ..self }
    }

    /// Returns the URL of a request. The API of a model whose URL has its name is called with the
    /// name of the request if this model has none.
    fn address(&self, requested: Option<&str>) -> Result<Url, UsageError> {
        let name = self.name.as_deref().or(requested).unwrap_or_default();
        if name.is_empty() && self.endpoint.names_model() {
            return Err(UsageError::new(
                "model-missing",
                "the URL of the request has the name of the model, and there is none",
                "use `Model::name`",
            ));
        }
        Ok(self.endpoint.url(&self.url, name))
    }

    /// Sends a body to the server, and returns its answer as soon as the first bytes of it have
    /// arrived. `headers` replace the usual ones of the protocol, and those that were set for the
    /// model replace both.
    pub(super) async fn send(
        &self,
        url: Url,
        headers: HeaderMap,
        body: String,
    ) -> Result<ModelBytes, CallError> {
        let mut request = reqwest::Request::new(Method::POST, url);
        *request.headers_mut() = self.endpoint.usual_headers();
        request.headers_mut().extend(headers);
        *request.body_mut() = Some(body.into());
        let response = self.response(request).await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = answer(response).await.map_err(|error| CallError::Http(Box::new(error)))?;
        Ok(ModelBytes { status, headers, bytes })
    }

    /// Requests a stream of events, and returns it as soon as its first bytes have arrived.
    pub(super) async fn get(&self, url: Url) -> Result<AnswerBytes, CallError> {
        let mut request = reqwest::Request::new(Method::GET, url);
        *request.headers_mut() = self.endpoint.usual_headers();
        request.headers_mut().remove(CONTENT_TYPE);
        let response = self.response(request).await?;
        answer(response).await.map_err(|error| CallError::Http(Box::new(error)))
    }

    /// Sends a request with the headers of the model.
    async fn response(&self, mut request: reqwest::Request) -> Result<Response, CallError> {
        let client = match self.client.get() {
            Some(client) => client,
            None => {
                let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
                let client = client.build().map_err(CallError::network)?;
                self.client.get_or_init(|| Box::new(client))
            }
        };
        request.headers_mut().extend(self.headers.clone());
        // Servers that compress a stream often delay its events.
        let identity = HeaderValue::from_static("identity");
        request.headers_mut().insert(ACCEPT_ENCODING, identity);
        client.send(request).await.map_err(CallError::Network)
    }

    /// Sets whether a request is refused, instead of sent, if something is lost that can make the
    /// answer wrong: losses of the class [`Contract`](LossClass::Contract).
    pub fn strict(self, is_strict: bool) -> Self {
        Model { is_strict, ..self }
    }

    /// Sets members of the body of each request, in the form of the API of this server, such as
    /// `{"thinking":{"type":"adaptive"}}`: those that a request does not have. `settings` is an object.
    pub fn settings(self, settings: Value) -> Self {
        Model { settings: Some(Arc::new(settings)), ..self }
    }

    /// Returns the model without settings, for requests that are not for an answer.
    pub(super) fn without_settings(&self) -> Self {
        Model { settings: None, ..self.clone() }
    }

    /// Adds the settings to a body.
    fn with_settings(&self, json: String) -> String {
        let Some(settings) = &self.settings else { return json };
        let mut body = Value::from_raw(Raw(&json));
        for member in settings.members() {
            if body.get(&member.key).is_none() {
                body.insert(&member.key, member.value.clone());
            }
        }
        body.to_json()
    }

    /// Converts a request to the one that the server receives.
    pub(super) fn prepare(
        &self,
        request: &impl ProtocolRequest,
        options: &RequestOptions,
    ) -> Result<Prepared, CallError> {
        let (protocol, mut losses) = (self.endpoint.protocol, Losses::default());
        let converted = convert_request(
            request.protocol(),
            &request.to_body(),
            protocol,
            options,
            &mut RandomIds,
            &mut losses,
        );
        let ConvertedRequest { json, model, back, .. } = converted.map_err(CallError::Convert)?;
        let url = self.address(model.as_deref()).map_err(CallError::Usage)?;
        let is_missing = self.endpoint.is_model() && losses.count("result-without-call") > 0;
        if is_missing || self.is_strict && losses.of_class(LossClass::Contract).next().is_some() {
            return Err(CallError::Lost(Box::new(losses)));
        }
        Ok(Prepared { url, json: self.with_settings(json), back, losses })
    }

    /// The changes of the operator to each request.
    pub(super) fn options(&self) -> RequestOptions {
        let mut options = RequestOptions::default();
        options.model.clone_from(&self.name);
        options.stream = Some(true);
        options.scope = self.name.as_deref().map(|name| scope(self.url.as_str(), name));
        options
    }

    /// Sends a prepared request.
    pub(super) async fn answer(&self, url: Url, json: String) -> Result<ModelBytes, CallError> {
        match self.protocol() {
            ProtocolKind::A2a => {
                let mut message = Value::from_raw(Raw(&json));
                // The id of a run of the client is not the id of a task of the server.
                let _ = take(&mut message, "message.taskId");
                unary::send(self, url, unary::call(unary::STREAM, message)).await
            }
            ProtocolKind::Interactions => {
                let answer = self.send(url.clone(), HeaderMap::new(), json).await?;
                Ok(resume::resumed(self, url, answer).await)
            }
            _ => self.send(url, HeaderMap::new(), json).await,
        }
    }
}

/// A request as a server receives it.
pub(super) struct Prepared {
    pub url: Url,
    pub json: String,
    /// How the names of the answer's calls are mapped back.
    pub back: Back,
    /// What of the request was lost.
    pub losses: Losses,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("protocol", &self.endpoint.protocol)
            // A query may have a key.
            .field("url", &Url::join(&self.url, self.url.path()).as_ref().map_or("", Url::as_str))
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Sends a request of any protocol to a model, and returns the answer as soon as its first bytes
/// have arrived. The request contains the whole conversation; what the protocol of the model cannot
/// represent is in the `losses` of the answer. Dropping the answer cancels it.
///
/// An A2A agent that does not support streaming receives `SendMessage` instead of
/// `SendStreamingMessage`, and its task is requested until it has ended or waits for its client.
///
/// If the connection to a model of Gemini Interactions is cut, and its events have ids, the answer
/// continues in another connection with the events after the last one, as if nothing had happened.
/// After three connections in a row without an event, or if the server has the interaction no more,
/// it ends as its connection did.
///
/// # Errors
///
/// [`CallError`] if the server cannot be reached, or its response is not an answer. The request is not repeated.
pub async fn call_model(
    model: &Model,
    request: &(impl ProtocolRequest + Sync),
) -> Result<AnswerStream<ModelBytes>, CallError> {
    let Prepared { url, json, back, losses } = model.prepare(request, &model.options())?;
    let mut answer = AnswerStream::new(model.protocol(), model.answer(url, json).await?);
    answer.losses = losses;
    answer.back = back;
    answer.scope = model.options().scope;
    Ok(answer)
}

/// Reads the URL of a server.
fn server_url(text: &str) -> Result<Url, UsageError> {
    let refused = |given: &str| {
        let given = ["Model::new() was given a URL ", given].concat();
        UsageError::new(
            "url-invalid",
            given,
            "use a URL like `https://api.openai.com/v1`, and `key()` for the key",
        )
    };
    let url = Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or_else(|| {
        refused("that is not valid: it starts with http:// or https:// and has a host")
    })?;
    match url.username().is_empty() && url.password().is_none() {
        true => Ok(url),
        false => Err(refused("with a user name or a password")),
    }
}

/// The bytes of an answer of a model.
pub struct ModelBytes {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) bytes: AnswerBytes,
}

impl ModelBytes {
    /// Returns the HTTP status of the answer, which is a success.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Returns the headers of the answer.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Takes the headers of the answer. While they are kept, so is the buffer that they were read
    /// into.
    pub fn take_headers(&mut self) -> HeaderMap {
        core::mem::take(&mut self.headers)
    }

    /// Waits for more of the answer until `is_enough`, its end, a failure, or about `most` bytes.
    /// Returns its bytes so far, which stay a part of it.
    pub async fn peek(&mut self, most: usize, is_enough: impl Fn(&[u8]) -> bool) -> &[u8] {
        self.bytes.peek(most, is_enough).await
    }

    /// Returns the failure that has ended [`peek`](Self::peek), if there is one.
    pub fn failure(&mut self) -> Option<CallError> {
        self.bytes.failure().map(CallError::body)
    }
}

impl Stream for ModelBytes {
    type Item = Result<Bytes, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.bytes).poll_next(context).map_err(CallError::body)
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
    /// The request has no URL: the name of the model is missing.
    Usage(UsageError),
    /// The request cannot be read, or cannot be written in the protocol of the model.
    Convert(ConvertError),
    /// The request has the result of a call, and not the call; or something is lost that a
    /// [strict](Model::strict) model does not accept. It was not sent.
    Lost(Box<Losses>),
    /// The server cannot be reached, or the connection failed.
    Network(NetworkError),
    /// The server answered with a status other than a success, or with a page.
    Http(Box<HttpError>),
    /// The content coding of the answer is damaged, or the answer is too long.
    Body(BodyError),
}

impl CallError {
    fn network(error: reqwest::Error) -> Self {
        CallError::Network(error.into())
    }

    pub(super) fn body(error: BodyError) -> Self {
        match error {
            BodyError::Network(error) => Self::network(error),
            error => CallError::Body(error),
        }
    }

    /// Returns the HTTP status of an answer that is not a stream.
    pub fn status(&self) -> Option<u16> {
        match self {
            CallError::Http(error) => Some(error.status.as_u16()),
            CallError::Usage(_)
            | CallError::Convert(_)
            | CallError::Lost(_)
            | CallError::Network(_)
            | CallError::Body(_) => None,
        }
    }

    /// Returns the message in the body of an answer that is not a stream. The APIs of models send
    /// it as `{"error":{"message":…}}`.
    pub fn message(&self) -> Option<String> {
        let CallError::Http(error) = self else { return None };
        let body = Value::parse(&error.body, 16).ok()?;
        let details = body.get("error").filter(|error| !error.is_null()).unwrap_or(&body);
        details.as_str().or_else(|| details.text("message")).map(ToOwned::to_owned)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Usage(error) => error.fmt(f),
            CallError::Convert(error) => error.fmt(f),
            CallError::Lost(losses) => write_lost(losses, f),
            CallError::Network(error) => error.fmt(f),
            CallError::Http(error) => error.fmt(f),
            CallError::Body(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            CallError::Usage(error) => error,
            CallError::Convert(error) => error,
            CallError::Lost(_) => return None,
            CallError::Network(error) => error,
            CallError::Http(error) => &**error,
            CallError::Body(error) => error,
        })
    }
}

fn write_lost(losses: &Losses, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(loss) = losses.iter().find(|loss| loss.kind == "result-without-call") {
        let id = &loss.location;
        return write!(
            f,
            "the request has the result of the call `{id}`, but not the call: send the whole conversation"
        );
    }
    f.write_str("the model cannot be given all of the request:")?;
    for loss in losses.of_class(LossClass::Contract).take(5) {
        write!(f, " {} {}: {};", loss.kind, loss.location, loss.reason)?;
    }
    Ok(())
}
