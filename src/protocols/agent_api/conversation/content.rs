//! The contents of messages: texts, media and data.

use alloc::string::String;

use super::{DATA, FORMAT, MESSAGE};
use crate::hub::conversation::members::{media_source, take, take_string, take_text};
use crate::hub::conversation::{Content, Media, MediaForm, MediaSource, Opaque, Part, Sealed};
use crate::hub::payload::audio_format;
use crate::json::{ObjectWriter, Value};

/// The members of a content that only describe its place in a stream.
pub(super) const OF_STREAM: [&str; 6] =
    ["object", "sequence_number", "status", "index", "delta", "msg_id"];

/// Reads a content.
pub(super) fn read(mut content: Value) -> Part {
    if let Value::String(text) = content {
        return Part::text(text);
    }
    OF_STREAM.iter().for_each(|name| drop(take(&mut content, name)));
    let cache = take(&mut content, "cache_control");
    let sealed = take_text(&mut content, "opaque").and_then(|sealed| Sealed::open(&sealed));
    let kind = take_string(&mut content, "type");
    let read = match &*kind {
        "text" => Content::Text(take_string(&mut content, "text")),
        "refusal" => Content::Refusal(take_string(&mut content, "refusal")),
        "data" => {
            let data = take(&mut content, "data");
            // Data of a content are an object: any other value is next to an empty one.
            let is_empty = matches!(&data, Some(Value::Object(members)) if members.is_empty());
            let value = if is_empty { take(&mut content, "value") } else { None };
            value.or(data).map_or(Content::Native, Content::Data)
        }
        "image" => Content::Media(media(&mut content, MediaForm::Image, "image_url")),
        "video" => Content::Media(media(&mut content, MediaForm::Video, "video_url")),
        "audio" => {
            let format = take_text(&mut content, "format");
            let mut media = media(&mut content, MediaForm::Audio, "data");
            media.media_type = media.media_type.or_else(|| format.map(audio_type));
            Content::Media(media)
        }
        "file" => Content::Media(file(&mut content)),
        _ => {
            content.insert("type", kind.into());
            Content::Native
        }
    };
    let mut part = Part { cache, ..Part::new(read) };
    match sealed {
        // It was sealed for this content, so that no block follows.
        Some(sealed) => drop(sealed.restore(&mut part)),
        None => part = part.with_rest(FORMAT, content),
    }
    part
}

/// Takes the members that all media have. The URL or the bytes are in `key`.
fn media(content: &mut Value, kind: MediaForm, key: &str) -> Media {
    let (source, media_type) = media_source(take_string(content, key));
    Media {
        media_type: take_text(content, "media_type").or(media_type),
        name: take_text(content, "filename"),
        detail: take_text(content, "detail"),
        ..Media::new(kind, source)
    }
}

fn file(content: &mut Value) -> Media {
    let kind = take_text(content, "kind");
    let kinds = [MediaForm::Image, MediaForm::Audio, MediaForm::Video];
    let kind = kinds.into_iter().find(|known| Some(known.name()) == kind.as_deref());
    let mut media = media(content, kind.unwrap_or(MediaForm::File), "file_url");
    if let Some(data) = take_text(content, "file_data") {
        let (source, media_type) = media_source(data);
        media.source = source;
        media.media_type = media.media_type.or(media_type);
    } else if let Some(id) = take_text(content, "file_id") {
        let provider = take_string(content, "file_provider").into();
        media.source = MediaSource::File { provider, id };
    } else if let Some(text) = take_text(content, "text") {
        media.source = MediaSource::Text(text);
    }
    media
}

fn audio_type(format: String) -> String {
    match &*format {
        "mp3" => "audio/mpeg".into(),
        _ => ["audio/", &format].concat(),
    }
}

/// Writes a content. `is_sealed`: with the members that only another protocol has, because its
/// message is not about them.
pub(super) fn write(part: &Part, is_sealed: bool, out: &mut String) {
    let opaque = part.opaque.as_ref();
    let (own, foreign) = (
        opaque.filter(|opaque| opaque.format == FORMAT),
        opaque.filter(|opaque| opaque.format != FORMAT),
    );
    let mut content = ObjectWriter::open(out, true);
    match &part.content {
        Content::Text(text) | Content::Reasoning { text, .. } => {
            content.string("type", Some("text"));
            content.string("text", Some(text));
        }
        Content::Refusal(text) => {
            content.string("type", Some("refusal"));
            content.string("refusal", Some(text));
        }
        Content::Data(value) => {
            content.string("type", Some("data"));
            // The data of a content are an object.
            let is_object = matches!(value, Value::Object(_));
            let none = Value::Object(Default::default());
            content.value("data", Some(if is_object { value } else { &none }));
            content.value("value", Some(value).filter(|_| !is_object));
        }
        Content::Media(media) => write_media(media, &mut content),
        // Only its members are known.
        _ if own.is_some_and(|own| own.get("type").is_some()) => {}
        _ => content.string("type", Some("data")),
    }
    write_own(own, &mut content);
    content.value("cache_control", part.cache.as_ref());
    if let Some(foreign) = foreign.filter(|_| is_sealed) {
        content.string("opaque", Some(&foreign.sealed_for(&part.content)));
    }
    content.close();
}

/// Writes the members that only contents of the Agent API have.
pub(super) fn write_own(own: Option<&Opaque>, content: &mut ObjectWriter<'_>) {
    let members = own.into_iter().flat_map(|own| &own.members);
    let of_content = members.filter(|member| member.key != MESSAGE && member.key != DATA);
    of_content.for_each(|member| content.value(&member.key, Some(&member.value)));
}

fn write_media(media: &Media, content: &mut ObjectWriter<'_>) {
    let Media { kind, source, media_type, name, detail } = media;
    let (r#type, key) = match (kind, source) {
        (_, MediaSource::File { .. } | MediaSource::Text(_)) | (MediaForm::File, _) => ("file", ""),
        (MediaForm::Image, _) => ("image", "image_url"),
        (MediaForm::Video, _) => ("video", "video_url"),
        (MediaForm::Audio, _) => ("audio", "data"),
    };
    content.string("type", Some(r#type));
    // The media type is in a `data:` URL, and often in the format of a sound.
    let mut known_type = None;
    match (kind, source) {
        (_, MediaSource::File { provider, id }) => {
            content.string("file_id", Some(id));
            content.string(
                "file_provider",
                Some(provider).filter(|name| !name.is_empty()).map(|name| &**name),
            );
            content.string("kind", Some(kind.name()).filter(|_| *kind != MediaForm::File));
        }
        (_, MediaSource::Text(text)) => content.string("text", Some(text)),
        (MediaForm::File, MediaSource::Url(url)) => content.string("file_url", Some(url)),
        (MediaForm::File, MediaSource::Base64(data)) => content.string("file_data", Some(data)),
        (MediaForm::Audio, MediaSource::Base64(text) | MediaSource::Url(text)) => {
            content.string(key, Some(text));
            let format = media_type.as_deref().and_then(audio_format);
            let format = format.map(|format| if format == "mpeg" { "mp3" } else { format });
            content.string("format", format);
            known_type = format.map(|format| audio_type(format.into()));
        }
        (_, MediaSource::Base64(_)) => {
            media.write_url(content.member(key));
            known_type = media_type.clone();
        }
        (_, MediaSource::Url(url)) => content.string(key, Some(url)),
    }
    content.string(
        "media_type",
        media_type.as_deref().filter(|name| known_type.as_deref() != Some(name)),
    );
    content.string("filename", name.as_deref());
    content.string("detail", detail.as_deref());
}
