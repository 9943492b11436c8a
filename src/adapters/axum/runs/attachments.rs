//! Images of users: stored as blobs, and read under signed addresses.

use std::boxed::Box;
use std::collections::BTreeSet;
use std::format;
use std::pin::Pin;
use std::string::{String, ToString};
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum_core::body::Body;
use axum_core::response::Response;
use bytes::Bytes;
use form_urlencoded::Serializer;
use futures_core::Stream;
use http::{HeaderMap, HeaderValue, Method};
use uuid::Uuid;

use super::blobs::{BlobStore, is_path};
use super::options::Options;
use super::query::Query;
use super::rejection::{respond, with};
use super::signing::{is_signed, sign};
use super::uploads::{UploadForm, image_type, type_of};
use crate::core::limits::Limits;
use crate::emit::AnyError;
use crate::json::Value;
use crate::protocols::runs::problem::{Code, RefusedRequest};
use crate::protocols::runs::request::{Attachment, SignedUrl, Uploaded};
use crate::stores::StoreFuture;
use crate::threads::{Refusal, hash_of, reject};

/// The public name of the bucket.
const BUCKET: &str = "attachments";
/// The path of signed addresses, below the endpoints.
pub(super) const OBJECT: &str = "/attachments/object";
/// The number of bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// The attachments of a service.
pub(super) struct Attachments<'a>(pub &'a Options);

impl Attachments<'_> {
    /// Stores the file of a form; `base` is the URL of the endpoints.
    pub async fn store(&self, form: UploadForm, user: &str, base: &str) -> Result<String, Refusal> {
        let Some((mime_type, extension)) = image_type(&form.file) else {
            let detail = "an attachment is a PNG, JPEG, GIF or WebP image, by its content";
            return reject(Code::AttachmentUnsupported, detail);
        };
        let path = format!("{}{}.{extension}", folder_of(user), Uuid::new_v4());
        // First, because an attachment without an address is lost.
        let url = address(&path, base, self.secret()?);
        self.stored(self.blobs()?.put(&path, form.file).await)?;
        let attachment =
            Attachment { bucket: BUCKET.into(), path, mime_type: mime_type.into(), url };
        Ok(Uploaded { attachment }.to_json())
    }

    /// Returns a new address of an attachment.
    pub async fn sign(&self, query: &Query, user: &str, base: &str) -> Result<String, Refusal> {
        let (Some(bucket), Some(path)) = (query.get("bucket"), query.get("path")) else {
            let detail = "the query has the `bucket` and the `path` of the attachment";
            return reject(Code::PayloadInvalid, detail);
        };
        if !path.starts_with(&folder_of(user)) {
            return reject(Code::Forbidden, "the attachment belongs to another user");
        }
        if bucket != BUCKET
            || !is_path(path)
            || self.stored(self.blobs()?.size(path).await)?.is_none()
        {
            return missing();
        }
        let url = address(path, base, self.secret()?);
        Ok(SignedUrl { bucket: bucket.into(), path: path.into(), url }.to_json())
    }

    /// Deletes a user's attachments in messages: all that can be deleted. Returns a rejection if
    /// others remain.
    pub async fn delete(&self, messages: &[String], user: &str) -> Result<(), Refusal> {
        let Some(blobs) = &self.0.endpoints.blobs else { return Ok(()) };
        let folder = folder_of(user);
        let mut paths = BTreeSet::new();
        for message in messages {
            let mut message = Value::parse(message, Limits::DEEPEST).unwrap_or_default();
            for_each_address(&mut message, |url| paths.extend(path_in(&folder, url)));
        }
        let mut result = Ok(());
        for path in paths {
            if let Err(rejection) = self.stored(blobs.delete(&path).await) {
                result = Err(rejection);
            }
        }
        result
    }

    /// Answers a request for a signed address.
    pub async fn serve(
        &self,
        method: &Method,
        headers: &HeaderMap,
        query: &Query,
    ) -> Result<Response, Refusal> {
        let path = query.get("path").unwrap_or_default();
        if !is_path(path) || !is_signed("GET", path, query, self.secret()?) {
            return reject(Code::SignatureInvalid, "the address is not signed, or has expired");
        }
        let blobs = self.blobs()?;
        let Some(size) = self.stored(blobs.size(path).await)? else { return missing() };
        // A blob never changes.
        let etag = format!("\"{}\"", path.rsplit('/').next().unwrap_or_default());
        let header = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let mut tags = header("if-none-match").unwrap_or_default().split(',').map(str::trim);
        let is_known = tags.any(|tag| tag.trim_start_matches("W/") == etag || tag == "*");
        let range = match header("if-range").is_none_or(|condition| condition == etag) {
            true => range_of(header("range"), size),
            false => Range::Whole,
        };
        let (status, offset, length) = match range {
            _ if is_known => (304, 0, 0),
            Range::Whole => (200, 0, size),
            Range::Part { offset, length } => (206, offset, length),
            Range::Outside => {
                let refusal = RefusedRequest::new(
                    Code::RangeInvalid,
                    "the range is outside of the attachment",
                );
                let mut response = respond(Refusal::Client(refusal), |_| ());
                set(&mut response, "content-range", format!("bytes */{size}"));
                return Ok(response);
            }
        };
        let mut response = with(status, type_of(path), String::new());
        for (name, value) in [
            ("accept-ranges", "bytes"),
            ("cache-control", "private, max-age=3600, immutable"),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; sandbox"),
            ("cross-origin-resource-policy", "cross-origin"),
        ] {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        set(&mut response, "etag", etag);
        if status != 304 {
            set(&mut response, "content-length", length.to_string());
        }
        if status == 206 {
            set(
                &mut response,
                "content-range",
                format!("bytes {offset}-{}/{size}", offset + length - 1),
            );
        }
        if status != 304 && method != Method::HEAD {
            let blobs = self.0.endpoints.blobs.clone().expect("they were read");
            *response.body_mut() = Body::from_stream(BlobChunks {
                blobs,
                path: path.into(),
                offset,
                length,
                next: None,
            });
        }
        Ok(response)
    }

    /// Returns the function that signs addresses of a user's attachments again, of any host, for
    /// the endpoints at `base`.
    pub fn renewing<'a>(&'a self, user: &str, base: &'a str) -> Renewing<'a> {
        Renewing { folder: folder_of(user), base, secret: self.0.endpoints.secret.as_deref() }
    }

    fn blobs(&self) -> Result<&dyn BlobStore, Refusal> {
        match &self.0.endpoints.blobs {
            Some(blobs) => Ok(&**blobs),
            None => unavailable(),
        }
    }

    fn secret(&self) -> Result<&str, Refusal> {
        secret_of(self.0)
    }

    /// Reports an error of the store of attachments.
    fn stored<T>(&self, result: Result<T, AnyError>) -> Result<T, Refusal> {
        result.or_else(|error| {
            self.0.service.report(&*error);
            unavailable()
        })
    }
}

/// Returns the secret for signatures.
pub(super) fn secret_of(options: &Options) -> Result<&str, Refusal> {
    match &options.endpoints.secret {
        Some(secret) => Ok(secret),
        None => {
            reject(Code::StorageUnavailable, "the service has no secret to sign addresses with")
        }
    }
}

/// Signs addresses of a user's attachments again.
pub(super) struct Renewing<'a> {
    folder: String,
    base: &'a str,
    secret: Option<&'a str>,
}

impl Renewing<'_> {
    /// Changes the addresses in a message of the thread, or of the history.
    pub fn message(&self, message: &mut Value) {
        for_each_address(message, |url| {
            if let (Some(path), Some(secret)) = (path_in(&self.folder, url), self.secret) {
                *url = address(&path, self.base, secret);
            }
        });
    }
}

/// Calls `change` with each address of an attachment in a message of the thread (`content`) or of
/// the history (`attachments`).
fn for_each_address(message: &mut Value, mut change: impl FnMut(&mut String)) {
    let Value::Object(members) = message else { return };
    for member in members {
        let (true, Value::Array(parts)) =
            (matches!(&*member.key, "content" | "attachments"), &mut member.value)
        else {
            continue;
        };
        for part in parts {
            let is_image = part.text("type") == Some("image");
            let holder = if is_image { member_of(part, "source") } else { Some(part) };
            let name = if is_image { "value" } else { "url" };
            if let Some(Value::String(url)) = holder.and_then(|holder| member_of(holder, name)) {
                change(url);
            }
        }
    }
}

fn member_of<'v>(value: &'v mut Value, key: &str) -> Option<&'v mut Value> {
    match value {
        Value::Object(members) => {
            members.iter_mut().find(|member| member.key == key).map(|member| &mut member.value)
        }
        _ => None,
    }
}

fn address(path: &str, base: &str, secret: &str) -> String {
    let address = format!("{base}{OBJECT}?");
    let start = address.len();
    let mut query = Serializer::for_suffix(address, start);
    query.append_pair("path", path);
    sign(&mut query, "GET", path, secret);
    query.finish()
}

/// Returns the path in the address of an attachment, of any host, if it is one of this folder. The
/// rest of an address may be forged.
fn path_in(folder: &str, url: &str) -> Option<String> {
    let (at, query) = url.split_once('?')?;
    let query = Query::parse(query.split('#').next().unwrap_or_default());
    let path = query.get("path").filter(|path| path.starts_with(folder) && is_path(path))?;
    at.ends_with(OBJECT).then(|| path.into())
}

/// Returns a user's folder, with a slash. The name does not reveal the user.
fn folder_of(user: &str) -> String {
    format!("{}/", &hash_of(user)[..32])
}

fn missing<T>() -> Result<T, Refusal> {
    reject(Code::AttachmentNotFound, "there is no such attachment")
}

fn unavailable<T>() -> Result<T, Refusal> {
    reject(Code::StorageUnavailable, "the storage of attachments does not answer")
}

fn set(response: &mut Response, name: &'static str, value: String) {
    // All of them are visible characters, except the entity tag of a path that no attachment has.
    response.headers_mut().insert(name, value.try_into().unwrap_or(HeaderValue::from_static("")));
}

/// A requested part.
#[derive(Debug, PartialEq)]
enum Range {
    Whole,
    Part { offset: u64, length: u64 },
    Outside,
}

/// Parses the requested range (RFC 9110, 14): one range; several are ignored.
fn range_of(header: Option<&str>, size: u64) -> Range {
    let Some((from, to)) =
        header.and_then(|text| text.trim().strip_prefix("bytes=")?.split_once('-'))
    else {
        return Range::Whole;
    };
    match (from.parse::<u64>(), to.parse::<u64>()) {
        (Err(_), Ok(length)) if from.is_empty() => match length.min(size) {
            0 => Range::Outside,
            length => Range::Part { offset: size - length, length },
        },
        (Ok(offset), last) if last.is_ok() || to.is_empty() => {
            match last.unwrap_or(u64::MAX).min(size.saturating_sub(1)) {
                _ if offset >= size => Range::Outside,
                last if last < offset => Range::Whole,
                last => Range::Part { offset, length: last - offset + 1 },
            }
        }
        _ => Range::Whole,
    }
}

/// The bytes of a blob, read as they are sent.
struct BlobChunks {
    blobs: Arc<dyn BlobStore>,
    path: String,
    offset: u64,
    /// The number of bytes that are left.
    length: u64,
    next: Option<StoreFuture<'static, Bytes>>,
}

impl Stream for BlobChunks {
    type Item = Result<Bytes, AnyError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.length == 0 {
            return Poll::Ready(None);
        }
        let next = this.next.get_or_insert_with(|| {
            let (blobs, path, offset) = (this.blobs.clone(), this.path.clone(), this.offset);
            let length = this.length.min(CHUNK as u64) as usize;
            Box::pin(async move { blobs.read(&path, offset, length).await })
        });
        let read = ready!(next.as_mut().poll(context));
        this.next = None;
        let bytes = match read {
            Ok(bytes) if bytes.is_empty() => Err("the attachment is shorter than its size".into()),
            other => other,
        };
        let count = bytes.as_ref().map_or(this.length, |bytes| bytes.len() as u64);
        this.offset += count;
        this.length -= count.min(this.length);
        Poll::Ready(Some(bytes))
    }
}
