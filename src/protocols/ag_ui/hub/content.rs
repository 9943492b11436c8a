//! What messages of requests hold: text, media, files.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::hub::Payload;
use crate::hub::loss::Losses;
use crate::hub::request::RequestPart;
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
        ContentPart::Image { source, .. } => ("image", source),
        ContentPart::Audio { source, .. } => ("audio", source),
        ContentPart::Video { source, .. } => ("video", source),
        ContentPart::Document { source, .. } => ("file", source),
    };
    match (kind, source) {
        (_, Source::Data { value, mime_type }) => {
            RequestPart::Inline { kind, media_type: mime_type, data: value }
        }
        ("image", Source::Url { value, .. }) => RequestPart::Whole(Payload::Image { url: Some(value) }),
        ("video", Source::Url { value, .. }) => RequestPart::Whole(Payload::Video { url: Some(value) }),
        ("audio", Source::Url { value, .. }) => {
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

/// What a tool came to is a text in the hub: that of its parts.
pub(super) fn output<'a>(content: &'a InputContent, losses: &mut Losses) -> Cow<'a, str> {
    let InputContent::Parts(list) = content else {
        return match content {
            InputContent::Text(text) => text.as_str().into(),
            InputContent::Parts(_) => "".into(),
        };
    };
    let mut output = String::new();
    for part in list.iter().map(part) {
        match part {
            RequestPart::Text(text) => output += text,
            RequestPart::Inline { kind, .. } => losses.note("part", kind, "what a tool came to is text"),
            RequestPart::Whole(payload) => losses.note("part", payload.name(), "what a tool came to is text"),
            _ => {}
        }
    }
    output.into()
}

pub(super) fn media(payload: Payload<'_>) -> Option<ContentPart> {
    let at = |url: &str, media_type: Option<String>| match url
        .strip_prefix("data:")
        .and_then(|data| data.split_once(";base64,"))
    {
        Some((mime_type, value)) => Source::Data { value: value.to_owned(), mime_type: mime_type.to_owned() },
        None => Source::Url { value: url.to_owned(), mime_type: media_type },
    };
    let source = match payload {
        Payload::Image { url } | Payload::Video { url } => at(url?, None),
        Payload::Audio { data, format } => {
            let (data, media_type) = (data?, format.map(|format| ["audio/", format].concat()));
            match (data.contains(':'), media_type) {
                (true, media_type) => at(data, media_type),
                (false, media_type) => Source::Data {
                    value: data.to_owned(),
                    mime_type: media_type.unwrap_or_else(|| "audio/wav".to_owned()),
                },
            }
        }
        Payload::File { url: Some(url), .. } => at(url, None),
        Payload::File { data: Some(data), .. } => {
            Source::Data { value: data.to_owned(), mime_type: "application/octet-stream".to_owned() }
        }
        Payload::File { id, .. } => Source::File { value: id?.to_owned(), provider: None, mime_type: None },
        Payload::Data(_) => return None,
    };
    Some(media_part(payload.name(), source))
}

pub(super) fn media_part(kind: &str, source: Source) -> ContentPart {
    let (id, metadata) = (None, None);
    match kind {
        "image" => ContentPart::Image { source, id, metadata },
        "audio" => ContentPart::Audio { source, id, metadata },
        "video" => ContentPart::Video { source, id, metadata },
        _ => ContentPart::Document { source, id, metadata },
    }
}
