//! Parts of messages of the user, and of results.

use alloc::string::String;

use super::FORMAT;
use super::read::take_either;
use crate::hub::conversation::members::{
    media_source, rest, take, take_string, take_text, write_members,
};
use crate::hub::conversation::{Content, Media, MediaForm, MediaSource, Opaque, Part, Sealed};
use crate::json::{ObjectWriter, Value};

/// The metadata of a part that have its opaque members, and the details of media.
const OPAQUE: &str = "metadata.agentwire.opaque";
const NATIVE: &str = "metadata.agentwire.native";
const DETAIL: &str = "metadata.agentwire.detail";
const FILENAME: &str = "metadata.filename";

/// Reads a part.
pub(super) fn read(mut part: Value) -> Part {
    if let Value::String(text) = part {
        return Part::text(text);
    }
    let sealed = take_text(&mut part, OPAQUE).and_then(|sealed| Sealed::open(&sealed));
    let is_native = take(&mut part, NATIVE).is_some();
    let content = match part.text("type") {
        Some("text") if is_native => Content::Native,
        Some("text") => Content::Text(take_string(&mut part, "text")),
        Some(kind @ ("image" | "audio" | "video" | "document")) => {
            let kind = match kind {
                "image" => MediaForm::Image,
                "audio" => MediaForm::Audio,
                "video" => MediaForm::Video,
                _ => MediaForm::File,
            };
            let mut source = take(&mut part, "source").unwrap_or_default();
            let (source, media_type) = read_source(&mut source);
            let (name, detail) = (take_text(&mut part, FILENAME), take_text(&mut part, DETAIL));
            Content::Media(Media { media_type, name, detail, ..Media::new(kind, source) })
        }
        // Parts of older versions.
        Some("binary") => {
            let media_type = take_either(&mut part, "mimeType", "mime_type").and_then(into_string);
            let kind = MediaForm::of_type(media_type.as_deref());
            let data = take_text(&mut part, "data").or_else(|| take_text(&mut part, "url"));
            let (source, _) = media_source(data.unwrap_or_default());
            Content::Media(Media {
                media_type,
                name: take_text(&mut part, "filename"),
                ..Media::new(kind, source)
            })
        }
        _ => Content::Native,
    };
    let is_known = content != Content::Native || is_native;
    let mut read = Part::new(content);
    if is_known {
        take(&mut part, "type");
    }
    match sealed {
        // It was sealed for this part, so that no block follows.
        Some(sealed) => drop(sealed.restore(&mut read)),
        None => read = read.with_opaque(Opaque::new(FORMAT, rest(part))),
    }
    read
}

fn into_string(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn read_source(source: &mut Value) -> (MediaSource, Option<String>) {
    let media_type = take_either(source, "mimeType", "mime_type").and_then(into_string);
    let value = take_string(source, "value");
    let (source, found) = match source.text("type") {
        Some("file") => {
            let provider = take_string(source, "provider").into();
            (MediaSource::File { provider, id: value }, None)
        }
        Some("url") => match media_source(value) {
            // An address without a scheme is not base64.
            (MediaSource::Base64(path), None) => (MediaSource::Url(path), None),
            other => other,
        },
        _ => media_source(value),
    };
    (source, media_type.or(found))
}

/// Whether a part is a text with nothing else, so that the content of its message is a string.
pub(super) fn is_string(part: &Part) -> bool {
    matches!(&part.content, Content::Text(_)) && part.opaque.is_none()
}

/// Whether a part has no members of its own: those that are sealed, and those of its message, are
/// in its message.
pub(super) fn is_plain(part: &Part) -> bool {
    let Some(opaque) = &part.opaque else { return true };
    opaque.format != FORMAT || opaque.members.iter().all(|member| member.key == super::MESSAGE)
}

/// Writes a part.
pub(super) fn write(part: &Part, out: &mut String) {
    let mut written = ObjectWriter::open(out, true);
    let (mut name, mut detail) = (None, None);
    let mut is_native = false;
    match &part.content {
        Content::Text(text) | Content::Refusal(text) => {
            written.string("type", Some("text"));
            written.string("text", Some(text));
        }
        Content::Media(media) => {
            (name, detail) = (media.name.as_deref(), media.detail.as_deref());
            let kind = match media.kind {
                MediaForm::Image => "image",
                MediaForm::Audio => "audio",
                MediaForm::Video => "video",
                MediaForm::File => "document",
            };
            written.string("type", Some(kind));
            write_source(media, written.member("source"));
        }
        _ if part.opaque.as_ref().is_some_and(|opaque| opaque.format == FORMAT) => {}
        _ => {
            is_native = true;
            written.string("type", Some("text"));
            written.string("text", Some(""));
        }
    }
    let own = part.opaque.as_ref().filter(|opaque| opaque.format == FORMAT);
    let others = own.into_iter().flat_map(|own| &own.members);
    let others = others.filter(|member| member.key != super::MESSAGE && member.key != "metadata");
    others.for_each(|member| written.value(&member.key, Some(&member.value)));
    let foreign = part.opaque.as_ref().filter(|opaque| opaque.format != FORMAT);
    let metadata = own.and_then(|own| own.get("metadata"));
    if name.is_some() || detail.is_some() || foreign.is_some() || metadata.is_some() || is_native {
        let mut all = ObjectWriter::open(written.member("metadata"), true);
        if let Some(Value::Object(members)) = metadata {
            write_members(members, &mut all);
        }
        all.string("filename", name);
        if detail.is_some() || foreign.is_some() || is_native {
            let mut ours = ObjectWriter::open(all.member("agentwire"), true);
            ours.string("detail", detail);
            ours.bool("native", is_native.then_some(true));
            if let Some(foreign) = foreign {
                ours.string("opaque", Some(&foreign.sealed_for(&part.content)));
            }
            ours.close();
        }
        all.close();
    }
    written.close();
}

fn write_source(media: &Media, out: &mut String) {
    let mut source = ObjectWriter::open(out, true);
    let (kind, value) = match &media.source {
        MediaSource::Base64(data) => ("data", data),
        MediaSource::Url(url) => ("url", url),
        MediaSource::File { id, .. } => ("file", id),
        // The normaliser has made them text.
        MediaSource::Text(text) => ("data", text),
    };
    source.string("type", Some(kind));
    source.string("value", Some(value));
    if let MediaSource::File { provider, .. } = &media.source {
        source.string("provider", Some(&**provider).filter(|name| !name.is_empty()));
    }
    // Bytes have a media type.
    let is_data = kind == "data";
    let media_type = media.media_type.as_deref().or(is_data.then(|| media.type_or_usual()));
    source.string("mimeType", media_type);
    source.close();
}
