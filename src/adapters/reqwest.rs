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

mod body;

use std::fmt;
use std::string::String;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};

use super::futures::{PushReader, Updates, read_stream};
pub use body::{AnswerBytes, BodyError};

/// Reads the body of a response. Waits for its first bytes, which decide whether it is an answer.
///
/// A stream and a JSON text are answers, whatever their content type is. A page and other text are
/// not.
///
/// # Errors
///
/// [`HttpError`] if the status is not a success or the body is not an answer, with the beginning of the body.
pub async fn read<R: PushReader>(
    response: Response,
    reader: R,
) -> Result<Updates<AnswerBytes, R>, HttpError> {
    Ok(read_stream(answer(response).await?, reader))
}

/// Returns the body of a response that is an answer.
pub(crate) async fn answer(response: Response) -> Result<AnswerBytes, HttpError> {
    let (status, headers) = (response.status(), response.headers().clone());
    let content_type =
        headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(String::from);
    let refused = |unsupported_coding, body| HttpError {
        status,
        headers: headers.clone(),
        content_type: content_type.clone(),
        unsupported_coding,
        body,
    };
    let mut bytes =
        AnswerBytes::new(response).map_err(|coding| refused(Some(coding), String::new()))?;
    let kind = content_type.as_deref().unwrap_or_default();
    if status.is_success() {
        let first = bytes.peek(HttpError::BODY, |first| is_answer(first, kind).is_some()).await;
        if is_answer(first, kind) != Some(false) {
            return Ok(bytes);
        }
    }
    // The rest of a body that does not arrive is not worth waiting for.
    let whole = bytes.peek(HttpError::BODY, |_| false);
    drop(tokio::time::timeout(HttpError::BODY_TIMEOUT, whole).await);
    let body = bytes.peek(0, |_| true).await;
    let body = &body[..body.len().min(HttpError::BODY)];
    Err(refused(None, String::from_utf8_lossy(body).into_owned()))
}

/// Reports whether a body that begins with these bytes may be an answer: events or JSON, or, with
/// another type than text, the binary form of AG-UI. `None` if the bytes do not decide.
fn is_answer(first: &[u8], content_type: &str) -> Option<bool> {
    const FIELDS: [&[u8]; 4] = [b"data", b"event", b"id", b"retry"];
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii_start();
    let is_media = ["image/", "audio/", "video/"].iter().any(|media| kind.starts_with(media));
    match *first.first()? {
        b'{' | b'[' | b':' => return Some(true),
        b'<' => return Some(false),
        // Data that is compressed without a header that names the coding.
        0x1f if first.len() < 2 => return None,
        0x1f if first[1] == 0x8b => return Some(false),
        byte if !byte.is_ascii_graphic() => return Some(!is_media && !kind.starts_with("text/")),
        _ if kind == "text/event-stream" => return Some(true),
        _ => {}
    }
    let ends = |field: &[u8]| match first.strip_prefix(field) {
        Some(rest) => rest.first().map(|byte| matches!(byte, b':' | b'\r' | b'\n')),
        None => (!field.starts_with(first)).then_some(false),
    };
    let ends = FIELDS.map(ends);
    match ends.contains(&Some(true)) {
        true => Some(true),
        false if ends.contains(&None) => None,
        false => Some(false),
    }
}

/// The error of a response that is not an answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpError {
    /// The status of the response.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// The type of its body.
    pub content_type: Option<String>,
    /// The content coding of its body, if it is not supported.
    pub unsupported_coding: Option<String>,
    /// The beginning of its body, at most [`HttpError::BODY`] bytes.
    pub body: String,
}

impl HttpError {
    /// The number of bytes of a body that are kept.
    pub const BODY: usize = 16 << 10;

    /// How long the body is read.
    pub const BODY_TIMEOUT: Duration = Duration::from_secs(5);

    /// Reports whether the status is one of an error.
    pub fn is_error_status(&self) -> bool {
        self.status.is_client_error() || self.status.is_server_error()
    }

    /// Returns the value of `Retry-After`, if it is a number of seconds or a date.
    pub fn retry_after(&self) -> Option<&str> {
        let value = self.headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
        let is_seconds =
            value.parse::<u32>().is_ok_and(|_| value.bytes().all(|byte| byte.is_ascii_digit()));
        (is_seconds || httpdate::parse_http_date(value).is_ok()).then_some(value)
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server answered {}", self.status)?;
        if let Some(content_type) = &self.content_type {
            write!(f, " ({content_type})")?;
        }
        if let Some(coding) = &self.unsupported_coding {
            write!(f, " with the content coding {coding}, which is not supported")?;
        }
        let body: String = self.body.trim().chars().take(200).collect();
        if body.is_empty() { Ok(()) } else { write!(f, ": {body}") }
    }
}

impl std::error::Error for HttpError {}
