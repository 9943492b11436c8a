//! A `reqwest` response as the growing answer.
//!
//! ```no_run
//! use agentwire::adapters::reqwest::read;
//! use agentwire::{Reader, agent_api::AgentApi};
//!
//! # async fn example(body: &'static str) -> Result<(), Box<dyn std::error::Error>> {
//! let asked = reqwest::Client::new().post("http://127.0.0.1:8787/process");
//! let response = asked.header("content-type", "application/json").body(body).send().await?;
//! let mut run = read(response, Reader::new(AgentApi::default())).await?;
//! while let Some(changes) = run.next_changes().await? {
//!     changes.text_deltas().iter().for_each(|delta| print!("{}", delta.text));
//! }
//! println!("{}", run.finish().snapshot.response.status);
//! # Ok(())
//! # }
//! ```

use std::fmt;
use std::string::String;
use std::vec::Vec;

use bytes::Bytes;
use futures_core::Stream;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Response, StatusCode};

use super::futures::{PushReader, Updates, read_stream};

/// Reads the body of a response. Does not wait for the body, unless the response is not a stream.
///
/// # Errors
///
/// [`HttpError`] if the status is not a success or the content type is not that of a stream, with the beginning of the
/// body.
pub async fn read<R: PushReader>(
    response: Response,
    reader: R,
) -> Result<Updates<impl Stream<Item = reqwest::Result<Bytes>>, R>, HttpError> {
    Ok(read_stream(check(response).await?.bytes_stream(), reader))
}

/// Returns the response if it is a stream.
pub(crate) async fn check(response: Response) -> Result<Response, HttpError> {
    let status = response.status();
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if status.is_success() && content_type.is_none_or(is_stream) {
        return Ok(response);
    }
    let content_type = content_type.map(Into::into);
    let headers = response.headers().clone();
    Err(HttpError { status, headers, content_type, body: text(response).await })
}

/// The error of a response that is not a stream.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpError {
    /// The status of the response.
    pub status: StatusCode,
    /// Its headers: `retry-after`, for example.
    pub headers: HeaderMap,
    /// The type of its body.
    pub content_type: Option<String>,
    /// The beginning of its body, at most [`HttpError::BODY`] bytes.
    pub body: String,
}

impl HttpError {
    /// The number of bytes of a body that are kept.
    pub const BODY: usize = 16 << 10;
}

/// Reports whether a content type may be that of a stream of events; pages and pictures may not. Some servers send
/// text/plain, JSON lines or an empty content type.
fn is_stream(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    !(kind == "text/html" || kind.starts_with("image/"))
}

async fn text(mut response: Response) -> String {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() >= HttpError::BODY {
            body.truncate(HttpError::BODY);
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server answered {}", self.status)?;
        if let Some(content_type) = &self.content_type {
            write!(f, " ({content_type})")?;
        }
        let body: String = self.body.trim().chars().take(200).collect();
        if body.is_empty() { Ok(()) } else { write!(f, ": {body}") }
    }
}

impl std::error::Error for HttpError {}
