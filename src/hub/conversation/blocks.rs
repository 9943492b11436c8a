//! Contents of tool results in the forms of several protocols: the results of an agent's tools have
//! those of its model, of its framework, or of MCP.

use alloc::string::String;
use alloc::vec::Vec;

use super::members::{media_source, take, take_string, take_text};
use super::{Content, Media, MediaForm, MediaSource, Part, Sealed};
use crate::json::{ObjectWriter, Value, write_list};

/// Reads a list of contents.
///
/// # Errors
///
/// The list itself, if something in it is not a known content: then it is data.
pub(crate) fn read_blocks(list: Vec<Value>) -> Result<Vec<Part>, Vec<Value>> {
    if !list.is_empty() && list.iter().all(|block| block.text("type").is_some_and(is_known)) {
        return Ok(list.into_iter().map(read).collect());
    }
    Err(list)
}

fn is_known(kind: &str) -> bool {
    kind == "text" || kind == "input_text" || kind == "output_text" || form(kind).is_some()
}

/// Returns the kind of the media of a type of content.
fn form(kind: &str) -> Option<MediaForm> {
    Some(match kind {
        "image" | "input_image" | "image_url" | "image-data" | "image-url" | "image-file-id" => {
            MediaForm::Image
        }
        "audio" | "input_audio" => MediaForm::Audio,
        "video" => MediaForm::Video,
        "document" | "file" | "file-data" | "file-id" | "file-url" | "input_file" | "media"
        | "resource" => MediaForm::File,
        _ => return None,
    })
}

fn read(mut block: Value) -> Part {
    let kind = take_string(&mut block, "type");
    let cache = take(&mut block, "cache_control");
    let sealed = take_text(&mut block, OPAQUE).and_then(|sealed| Sealed::open(&sealed));
    let content = match form(&kind) {
        Some(form) => media(block, &kind, form),
        None => Content::Text(take_string(&mut block, "text")),
    };
    let mut part = Part { cache, ..Part::new(content) };
    if let Some(sealed) = sealed {
        // It was sealed for this content, so that no block follows.
        drop(sealed.restore(&mut part));
    }
    part
}

/// The member with the members that only another protocol has, sealed.
const OPAQUE: &str = "_opaque";

/// Writes contents in the form of MCP, which [`read_blocks`] reads.
pub(crate) fn write_blocks(parts: &[Part], out: &mut String) {
    let parts =
        parts.iter().filter(|part| matches!(part.content, Content::Text(_) | Content::Media(_)));
    write_list(parts, out, |part, out| {
        let mut block = ObjectWriter::open(out, true);
        match &part.content {
            Content::Media(media) => write_media(media, &mut block),
            _ => {
                block.string("type", Some("text"));
                block.string("text", part.as_text());
            }
        }
        block.value("cache_control", part.cache.as_ref());
        if let Some(opaque) = &part.opaque {
            block.string(OPAQUE, Some(&opaque.sealed_for(&part.content)));
        }
        block.close();
    });
}

fn write_media(media: &Media, block: &mut ObjectWriter<'_>) {
    block.string("type", Some(media.kind.name()));
    match &media.source {
        MediaSource::Base64(data) => block.string("data", Some(data)),
        MediaSource::Url(url) => block.string("url", Some(url)),
        MediaSource::Text(text) => block.string("text", Some(text)),
        MediaSource::File { provider, id } => {
            block.string("file_id", Some(id));
            block.string("file_provider", Some(&**provider).filter(|name| !name.is_empty()));
        }
    }
    block.string("mimeType", media.media_type.as_deref());
    block.string("filename", media.name.as_deref());
    block.string("detail", media.detail.as_deref());
}

fn media(mut block: Value, kind: &str, form: MediaForm) -> Content {
    let name = ["filename", "file_name", "title", "name"]
        .iter()
        .find_map(|name| take_text(&mut block, name));
    let detail = take_text(&mut block, "detail");
    // The source is the block itself, or an object in it.
    let mut source = ["source", "resource", "file", "input_audio", kind]
        .iter()
        .find(|name| matches!(block.get(name), Some(Value::Object(_))))
        .and_then(|name| take(&mut block, name))
        .unwrap_or(block);
    let types = ["media_type", "mediaType", "mimeType", "mime_type"];
    let media_type = types.iter().find_map(|name| take_text(&mut source, name));
    let format = take_text(&mut source, "format").map(|format| ["audio/", &format].concat());
    let detail = detail.or_else(|| take_text(&mut source, "detail"));
    let name = name.or_else(|| take_text(&mut source, "filename"));
    if let Some(text) = take_text(&mut source, "text") {
        let source = MediaSource::Text(text);
        return Content::Media(Media { media_type, name, ..Media::new(MediaForm::File, source) });
    }
    let (source, found) = locate(&mut source);
    let media_type = media_type.or(format).or(found);
    let form =
        if form == MediaForm::File { MediaForm::of_type(media_type.as_deref()) } else { form };
    Content::Media(Media { media_type, name, detail, ..Media::new(form, source) })
}

fn locate(source: &mut Value) -> (MediaSource, Option<String>) {
    if let Some(id) = ["file_id", "fileId"].iter().find_map(|name| take_text(source, name)) {
        let provider = take_string(source, "file_provider").into();
        return (MediaSource::File { provider, id }, None);
    }
    let bytes =
        ["data", "blob", "file_data", "base64"].iter().find_map(|name| take_text(source, name));
    let places = ["url", "image_url", "file_url", "uri", "value"];
    let given = bytes.or_else(|| places.iter().find_map(|name| take_text(source, name)));
    media_source(given.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(json: &str) -> Media {
        let list = Vec::from([Value::parse(json, 16).expect("JSON")]);
        match read_blocks(list).expect(json).remove(0).content {
            Content::Media(media) => media,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_image_is_read_in_every_form() {
        for json in [
            r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}"#,
            r#"{"type":"image","data":"iVBO","mimeType":"image/png"}"#,
            r#"{"type":"input_image","image_url":"data:image/png;base64,iVBO"}"#,
            r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}"#,
            r#"{"type":"media","data":"iVBO","mediaType":"image/png"}"#,
            r#"{"type":"image-data","data":"iVBO","mediaType":"image/png"}"#,
            r#"{"type":"image","source":{"type":"data","value":"iVBO","mimeType":"image/png"}}"#,
            r#"{"type":"resource","resource":{"uri":"file:///a.png","mimeType":"image/png","blob":"iVBO"}}"#,
        ] {
            let Media { kind, source, media_type, .. } = read_one(json);
            assert_eq!(
                (kind, source),
                (MediaForm::Image, MediaSource::Base64("iVBO".into())),
                "{json}"
            );
            assert_eq!(media_type.as_deref(), Some("image/png"), "{json}");
        }
        let at = read_one(r#"{"type":"image","source":{"type":"url","url":"https://a/b.png"}}"#);
        assert_eq!(at.source, MediaSource::Url("https://a/b.png".into()));
    }

    #[test]
    fn contents_are_read_as_they_were_written() {
        let media = |kind, source| Media {
            media_type: Some("image/png".into()),
            name: Some("a.png".into()),
            detail: Some("low".into()),
            ..Media::new(kind, source)
        };
        let file = MediaSource::File { provider: "openai".into(), id: "file_1".into() };
        let parts = [
            Part::text("a"),
            Part::new(Content::Media(media(MediaForm::Image, MediaSource::Base64("iVBO".into())))),
            Part::new(Content::Media(media(
                MediaForm::Image,
                MediaSource::Url("https://a".into()),
            ))),
            Part::new(Content::Media(media(MediaForm::Image, file))),
            Part { cache: Some("c".into()), ..Part::text("b") },
        ];
        let mut json = String::new();
        write_blocks(&parts, &mut json);
        let Ok(Value::Array(list)) = Value::parse(&json, 16) else { panic!("{json}") };
        assert_eq!(read_blocks(list).expect(&json), parts);
    }

    #[test]
    fn anything_else_is_data() {
        for json in [
            r#"[]"#,
            r#"[{"type":"text","text":"a"},{"city":"Oslo"}]"#,
            r#"["a"]"#,
            r#"[{"type":"row"}]"#,
        ] {
            let Value::Array(list) = Value::parse(json, 16).expect("JSON") else {
                panic!("a list")
            };
            assert!(read_blocks(list).is_err(), "{json}");
        }
    }
}
