//! The content of messages in requests: text, media, files.

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    vec,
    vec::Vec,
};

use crate::hub::media::of_data_url;
use crate::hub::request::RequestPart;
use crate::hub::{Losses, MediaKind, Payload};
use crate::protocols::ag_ui::request::{ContentPart, InputContent, Source};

pub(super) fn parts(content: &InputContent) -> Vec<RequestPart<'_>> {
    match content {
        InputContent::Text(text) => vec![RequestPart::Text(text)],
        InputContent::Parts(parts) => parts.iter().map(part).collect(),
    }
}

fn part(part: &ContentPart) -> RequestPart<'_> {
    let (kind, source) = match part {
        ContentPart::Text { text, .. } => return RequestPart::Text(text),
        ContentPart::Image { source, .. } => (MediaKind::Image, source),
        ContentPart::Audio { source, .. } => (MediaKind::Audio, source),
        ContentPart::Video { source, .. } => (MediaKind::Video, source),
        ContentPart::Document { source, .. } => (MediaKind::File, source),
    };
    match (kind, source) {
        (_, Source::Data { value, mime_type }) => {
            RequestPart::Inline { kind, media_type: mime_type, data: value }
        }
        (MediaKind::Image, Source::Url { value, .. }) => {
            RequestPart::Whole(Payload::Image { url: Some(value) })
        }
        (MediaKind::Video, Source::Url { value, .. }) => {
            RequestPart::Whole(Payload::Video { url: Some(value) })
        }
        (MediaKind::Audio, Source::Url { value, .. }) => {
            RequestPart::Whole(Payload::Audio { data: Some(value), format: None })
        }
        (_, Source::Url { value, .. }) => {
            RequestPart::Whole(Payload::File { url: Some(value), id: None, name: None, data: None })
        }
        (_, Source::File { value, .. }) => {
            RequestPart::Whole(Payload::File { url: None, id: Some(value), name: None, data: None })
        }
    }
}

/// Returns the output of a tool as text, because results are texts in the hub. Other parts are noted as losses.
pub(super) fn output<'a>(content: &'a InputContent, losses: &mut Losses) -> Cow<'a, str> {
    let list = match content {
        InputContent::Text(text) => return text.as_str().into(),
        InputContent::Parts(list) => list,
    };
    let mut output = String::new();
    for part in list.iter().map(part) {
        match part {
            RequestPart::Text(text) => output += text,
            part => losses.note("part", part.name(), "what a tool came to is text"),
        }
    }
    output.into()
}

pub(super) fn media(payload: Payload<'_>) -> Option<ContentPart> {
    let of_bytes = |mime_type: &str, value: &str| Source::Data {
        value: value.to_owned(),
        mime_type: mime_type.to_owned(),
    };
    let at = |url: &str, mime_type: Option<String>| match of_data_url(url) {
        Some((mime_type, value)) => of_bytes(mime_type, value),
        None => Source::Url { value: url.to_owned(), mime_type },
    };
    let source = match payload {
        Payload::Image { url } | Payload::Video { url } => at(url?, None),
        Payload::Audio { data, format } => {
            let (data, media_type) = (data?, format.map(|format| ["audio/", format].concat()));
            match data.contains(':') {
                true => at(data, media_type),
                false => of_bytes(media_type.as_deref().unwrap_or("audio/wav"), data),
            }
        }
        Payload::File { url: Some(url), .. } => at(url, None),
        Payload::File { data: Some(data), .. } => of_bytes("application/octet-stream", data),
        Payload::File { id, .. } => Source::File { value: id?.to_owned(), provider: None, mime_type: None },
        Payload::Data(_) => return None,
    };
    let kind = MediaKind::named(payload.name())?;
    Some(media_part(kind, source))
}

/// Returns a part with inline bytes.
pub(super) fn inline(kind: MediaKind, media_type: &str, data: &str) -> ContentPart {
    media_part(kind, Source::Data { value: data.to_owned(), mime_type: media_type.to_owned() })
}

fn media_part(kind: MediaKind, source: Source) -> ContentPart {
    let (id, metadata) = (None, None);
    match kind {
        MediaKind::Image => ContentPart::Image { source, id, metadata },
        MediaKind::Audio => ContentPart::Audio { source, id, metadata },
        MediaKind::Video => ContentPart::Video { source, id, metadata },
        MediaKind::File => ContentPart::Document { source, id, metadata },
    }
}
