//! Parts of messages other than calls.

use alloc::string::String;

use super::meta::{Meta, WrittenMetadata};
use super::{FORMAT, MESSAGE, REPEATS};
use crate::hub::conversation::members::{media_source, rest, take, take_string, take_text};
use crate::hub::conversation::{Content, Media, MediaForm, MediaSource, Opaque, Part, Sealed};
use crate::json::{Member, ObjectWriter, Value};

/// The type of data that has no name.
const DATA: &str = "data-agentwire";

/// The start of the URL of a file that was uploaded to a provider: `file:openai/file_1`.
const FILE: &str = "file:";

/// A part that was read.
pub(super) struct ReadPart {
    pub part: Part,
    /// The block that follows it.
    pub block: Option<Part>,
    /// Members of another part, which it only carries.
    pub carried: Option<Sealed>,
}

/// Reads a part that is not a call.
pub(super) fn read(mut part: Value) -> ReadPart {
    let kind = part.text("type").map(String::from).unwrap_or_default();
    // Citations are said again in the text.
    if kind.starts_with("source-") {
        let member = Member { key: REPEATS.into(), value: part };
        let part = Part::new(Content::Native).with_opaque(Opaque::new(FORMAT, [member].into()));
        return ReadPart { part, block: None, carried: None };
    }
    let meta = Meta::take(&mut part, "providerMetadata");
    let content = match &*kind {
        "text" if meta.is_refusal => Content::Refusal(take_string(&mut part, "text")),
        "text" => Content::Text(take_string(&mut part, "text")),
        "reasoning" => {
            Content::Reasoning { text: take_string(&mut part, "text"), summary: meta.is_summary }
        }
        "file" => Content::Media(file(&mut part, meta.detail)),
        _ if kind.starts_with("data-") => {
            Content::Data(take(&mut part, "data").unwrap_or_default())
        }
        _ => Content::Native,
    };
    if !matches!(&content, Content::Native | Content::Data(_)) || kind == DATA {
        take(&mut part, "type");
    }
    // A text that was cut off is as it is.
    if matches!(&content, Content::Text(_) | Content::Refusal(_) | Content::Reasoning { .. }) {
        take(&mut part, "state");
    }
    let mut read = Part::new(content);
    match meta.sealed {
        Some(sealed) if sealed.call.is_some() => {
            ReadPart { part: read, block: None, carried: Some(sealed) }
        }
        Some(sealed) => ReadPart { block: sealed.restore(&mut read), part: read, carried: None },
        None => ReadPart {
            part: read.with_opaque(Opaque::new(FORMAT, rest(part))),
            block: None,
            carried: None,
        },
    }
}

fn file(part: &mut Value, detail: Option<String>) -> Media {
    let url = take_string(part, "url");
    let given = take_text(part, "mediaType");
    let kind = MediaForm::of_type(given.as_deref());
    let uploaded = url.strip_prefix(FILE).and_then(|file| file.split_once('/'));
    let (source, found) = match uploaded.filter(|(provider, _)| !provider.is_empty()) {
        Some((provider, id)) => {
            (MediaSource::File { provider: String::from(provider).into(), id: id.into() }, None)
        }
        None => media_source(url),
    };
    // `image/*` names a kind, not a type.
    let media_type = given.filter(|given| !given.ends_with("/*") && !given.is_empty()).or(found);
    Media { media_type, name: take_text(part, "filename"), detail, ..Media::new(kind, source) }
}

/// Writes a part that is not a call.
pub(super) fn write(part: &Part, out: &mut String) {
    let opaque = part.opaque.as_ref();
    let own = opaque.filter(|own| own.format == FORMAT);
    if let Some(repeated) = own.and_then(|own| own.get(REPEATS)) {
        return repeated.write(out);
    }
    let mut written = ObjectWriter::open(out, true);
    let mut meta =
        WrittenMetadata { opaque, content: Some(&part.content), ..WrittenMetadata::default() };
    match &part.content {
        Content::Text(text) => {
            written.string("type", Some("text"));
            written.string("text", Some(text));
        }
        Content::Refusal(text) => {
            meta.is_refusal = true;
            written.string("type", Some("text"));
            written.string("text", Some(text));
        }
        Content::Reasoning { text, summary } => {
            meta.is_summary = *summary;
            written.string("type", Some("reasoning"));
            written.string("text", Some(text));
        }
        Content::Media(media) => {
            meta.detail = media.detail.as_deref();
            written.string("type", Some("file"));
            write_file(media, &mut written);
        }
        Content::Data(value) => {
            if own.is_none_or(|own| own.get("type").is_none()) {
                written.string("type", Some(DATA));
            }
            written.value("data", Some(value));
        }
        _ if own.is_some() => {}
        // What only its provider can read.
        _ => {
            written.string("type", Some("reasoning"));
            written.string("text", Some(""));
        }
    }
    let others = own.into_iter().flat_map(|own| &own.members);
    let others = others.filter(|member| member.key != MESSAGE && member.key != "providerMetadata");
    others.for_each(|member| written.value(&member.key, Some(&member.value)));
    meta.write("providerMetadata", &mut written);
    written.close();
}

fn write_file(media: &Media, file: &mut ObjectWriter<'_>) {
    match (&media.media_type, &media.source) {
        (Some(media_type), _) => file.string("mediaType", Some(media_type)),
        (None, MediaSource::Base64(_)) => file.string("mediaType", Some(media.type_or_usual())),
        (None, _) => match media.kind {
            MediaForm::File => file.string("mediaType", Some("application/octet-stream")),
            kind => file.string("mediaType", Some(&[kind.name(), "/*"].concat())),
        },
    }
    match &media.source {
        MediaSource::File { provider, id } => {
            file.string("url", Some(&[FILE, provider, "/", id].concat()));
        }
        _ => media.write_url(file.member("url")),
    }
    file.string("filename", media.name.as_deref());
}
