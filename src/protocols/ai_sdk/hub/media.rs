//! Files: their URLs and media types.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::hub::Payload;
use crate::hub::payload::{data_url, of_data_url};

/// The media types of files by the ends of their names.
const TYPES: [(&str, &str); 14] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("svg", "image/svg+xml"),
    ("mp3", "audio/mpeg"),
    ("wav", "audio/wav"),
    ("mp4", "video/mp4"),
    ("webm", "video/webm"),
    ("pdf", "application/pdf"),
    ("json", "application/json"),
    ("csv", "text/csv"),
    ("txt", "text/plain"),
];

/// Returns the URL and the media type of a part that is sent whole; `None` if it has neither a URL
/// nor bytes.
pub(super) fn located(payload: Payload<'_>) -> Option<(String, String)> {
    let (url, name, otherwise) = match payload {
        Payload::Image { url } => (url?.to_owned(), None, "image/*"),
        Payload::Video { url } => (url?.to_owned(), None, "video/*"),
        Payload::Audio { data, format } => {
            let data = data?;
            let is_url = data.contains(':');
            let format = format.unwrap_or(if is_url { "*" } else { "wav" });
            let media_type =
                if format.contains('/') { format.to_owned() } else { ["audio/", format].concat() };
            let url = if is_url { data.to_owned() } else { data_url(&media_type, data) };
            return Some((url, media_type));
        }
        Payload::File { url: Some(url), name, .. } => (url.to_owned(), name, OTHER),
        Payload::File { data: Some(data), name, .. } => {
            let media_type = name.and_then(by_name).unwrap_or(OTHER);
            let url = if data.starts_with("data:") {
                data.to_owned()
            } else {
                data_url(media_type, data)
            };
            (url, name, OTHER)
        }
        _ => return None,
    };
    let known = of_data_url(&url)
        .map(|(media_type, _)| media_type)
        .filter(|media_type| !media_type.is_empty());
    let known =
        known.or_else(|| name.and_then(by_name)).or_else(|| by_name(url.split(['?', '#']).next()?));
    let media_type = known.unwrap_or(otherwise).to_owned();
    Some((url, media_type))
}

const OTHER: &str = "application/octet-stream";

fn by_name(name: &str) -> Option<&'static str> {
    let (_, end) = name.rsplit_once('.')?;
    TYPES
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(end))
        .map(|(_, media_type)| *media_type)
}
