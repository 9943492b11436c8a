//! The content codings of the bodies of requests.

use std::io::Read;

use agentwire::adapters::axum::HttpRefusal;
use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

/// The codings that are decoded, as a response to another one names them.
pub const ACCEPTED: &str = "gzip, zstd";

/// The largest window of zstd, which RFC 9659 defines for HTTP. The decoder allocates it.
const WINDOW: u64 = 8 << 20;

/// Removes the content coding of a body. Its headers are removed, too.
///
/// # Errors
///
/// A coding that is not decoded (415), data that is damaged (400), or more than `most` bytes after
/// decoding (413).
pub fn decoded(
    headers: &mut HeaderMap,
    body: Bytes,
    most: usize,
) -> Result<Bytes, Box<HttpRefusal>> {
    let coding = coding(headers);
    let result = match &*coding {
        "" => return Ok(body),
        "gzip" | "x-gzip" => bounded(MultiGzDecoder::new(&body[..]), most, Vec::new()),
        "zstd" => zstd(&body, most),
        _ => {
            let shown: String = coding.chars().take(100).collect();
            let message =
                format!("the content coding {shown} of the body is not supported: use {ACCEPTED}");
            return Err(Box::new(HttpRefusal::new(415, "coding_unsupported", message)));
        }
    };
    let decoded = result.map_err(|error| {
        let message = format!("the body cannot be decompressed: {error}");
        HttpRefusal::new(400, "body_unreadable", message)
    })?;
    if decoded.len() > most {
        let message = format!("the body has more than {most} bytes when decompressed");
        return Err(Box::new(HttpRefusal::new(413, "body_too_long", message)));
    }
    headers.remove(header::CONTENT_ENCODING);
    headers.remove(header::CONTENT_LENGTH);
    Ok(decoded.into())
}

/// Returns the content coding in lower case; empty without one.
fn coding(headers: &HeaderMap) -> String {
    let named = headers.get_all(header::CONTENT_ENCODING).iter();
    let named = named.map(|value| value.to_str().unwrap_or("?").trim().to_ascii_lowercase());
    named.filter(|name| !matches!(&**name, "" | "identity")).collect::<Vec<_>>().join(", ")
}

/// Decodes the frames of zstd.
fn zstd(mut body: &[u8], most: usize) -> std::io::Result<Vec<u8>> {
    let mut decoded = Vec::new();
    while !body.is_empty() && decoded.len() <= most {
        let frame = StreamingDecoder::new_with_max_window_size(&mut body, WINDOW);
        decoded = bounded(frame.map_err(std::io::Error::other)?, most, decoded)?;
    }
    Ok(decoded)
}

/// Reads until the end, or until there are more than `most` bytes.
fn bounded(source: impl Read, most: usize, mut decoded: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let left = most.saturating_sub(decoded.len()).saturating_add(1);
    source.take(left as u64).read_to_end(&mut decoded)?;
    Ok(decoded)
}
