//! One exchange with a server, in bounded time and memory.

use std::time::{Duration, Instant};

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use tokio::time::timeout_at;

use super::secrets::Secrets;

/// The number of bytes of a body that are read.
pub const MOST_BYTES: usize = 4 << 20;

/// Sends requests, each with the key and the headers of the user, and one time limit.
pub struct Client {
    http: reqwest::Client,
    key: Option<Key>,
    headers: HeaderMap,
    secrets: Secrets,
    timeout: Duration,
}

/// A key, in the header of the protocol and as a bearer token.
pub struct Key {
    pub name: HeaderName,
    pub value: HeaderValue,
    pub bearer: HeaderValue,
}

/// A request.
pub struct Request {
    pub method: Method,
    pub url: Url,
    pub headers: Vec<(&'static str, &'static str)>,
    pub body: Option<String>,
    /// Whether the connection is closed as soon as the first bytes of the body have arrived.
    pub is_cut: bool,
    /// Whether the key is sent as a bearer token, whatever the protocol has.
    pub is_bearer: bool,
}

/// A response whose head has arrived.
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    pub end: BodyEnd,
}

/// How the body of a response ended.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyEnd {
    /// The server ended it.
    Whole,
    /// The request was to be cut.
    Cut,
    /// It had not ended when the time was over.
    Late,
    /// It is longer than [`MOST_BYTES`].
    TooLong,
    /// The connection failed.
    Broken(String),
}

/// The reason why no response has arrived.
pub enum NoResponse {
    /// No connection could be opened.
    Unreachable(String),
    /// The head of the response had not arrived when the time was over.
    Silent(Duration),
    /// The connection was closed, or the bytes that arrived are not a response of HTTP.
    Broken(String),
}

impl Client {
    /// Creates a client that follows no redirects, so that the key is sent to no other server.
    pub fn new(
        key: Option<Key>,
        headers: HeaderMap,
        secrets: Secrets,
        timeout: Duration,
    ) -> Result<Self, String> {
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(timeout);
        let http = http.build().map_err(|error| format!("no HTTP client: {}", cause(&error)))?;
        Ok(Client { http, key, headers, secrets, timeout })
    }

    /// Sends a request, and reads its response until it ends, is too long, or the time is over.
    pub async fn send(&self, request: &Request) -> Result<Response, NoResponse> {
        let until = (Instant::now() + self.timeout).into();
        let mut headers = HeaderMap::new();
        for (name, value) in &request.headers {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        match &self.key {
            Some(key) if request.is_bearer => {
                drop(headers.insert(AUTHORIZATION, key.bearer.clone()))
            }
            Some(key) => drop(headers.insert(key.name.clone(), key.value.clone())),
            None => {}
        }
        // The headers of the user replace the others.
        headers.extend(self.headers.clone());
        let mut sent = self.http.request(request.method.clone(), request.url.clone());
        sent = sent.headers(headers);
        if let Some(body) = &request.body {
            sent = sent.body(body.clone());
        }
        let mut response = match timeout_at(until, sent.send()).await {
            Err(_) => return Err(NoResponse::Silent(self.timeout)),
            Ok(Ok(response)) => response,
            Ok(Err(error)) if error.is_timeout() => return Err(NoResponse::Silent(self.timeout)),
            Ok(Err(error)) if error.is_connect() => {
                return Err(NoResponse::Unreachable(cause(&error)));
            }
            Ok(Err(error)) => return Err(NoResponse::Broken(cause(&error))),
        };
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut body = Vec::new();
        let end = loop {
            match timeout_at(until, response.chunk()).await {
                Err(_) => break BodyEnd::Late,
                Ok(Ok(None)) => break BodyEnd::Whole,
                Ok(Err(error)) => break BodyEnd::Broken(cause(&error)),
                Ok(Ok(Some(chunk))) => {
                    let fits = MOST_BYTES.saturating_sub(body.len()).min(chunk.len());
                    body.extend_from_slice(&chunk[..fits]);
                    if fits < chunk.len() {
                        break BodyEnd::TooLong;
                    }
                    if request.is_cut {
                        break BodyEnd::Cut;
                    }
                }
            }
        };
        self.secrets.remove_from(&mut body);
        Ok(Response { status, headers, body, end })
    }
}

/// Returns the innermost cause of an error, which has no URL.
fn cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    if std::ptr::addr_eq(cause, error) { "the request failed".into() } else { cause.to_string() }
}

impl Response {
    /// Returns a header, if it is text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Returns the media type of the body, in lower case and without parameters.
    pub fn media_type(&self) -> String {
        let kind = self.header("content-type").split(';').next().unwrap_or_default();
        kind.trim().to_ascii_lowercase()
    }

    /// Reports whether the server has not ended its answer.
    pub fn is_endless(&self) -> bool {
        matches!(self.end, BodyEnd::Late | BodyEnd::TooLong)
    }
}

impl std::fmt::Display for NoResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoResponse::Unreachable(reason) => write!(f, "the server cannot be reached: {reason}"),
            NoResponse::Silent(after) => {
                write!(f, "the server sent no response in {} s", after.as_secs_f32())
            }
            NoResponse::Broken(reason) => write!(f, "the server sent no valid response: {reason}"),
        }
    }
}
