//! The content of messages: a text, or blocks.

use alloc::string::String;
use alloc::vec::Vec;

use super::requirements::FORMAT;
use crate::hub::conversation::members::{
    ListWriter, into_list, media_source, rest, take, take_string, take_text, write_members,
};
use crate::hub::conversation::openai::{self, ToolNesting};
use crate::hub::conversation::{Content, Media, MediaForm, MediaSource, Opaque, Part};
use crate::json::{ObjectWriter, Value, write_string};

/// The opaque member of a text that has members of its message.
pub(super) const MESSAGE: &str = "message";
/// The member of a message that refers to a spoken answer.
pub(super) const AUDIO: &str = "audio";
/// A cache breakpoint in the spelling of OpenAI.
const BREAKPOINT: &str = "prompt_cache_breakpoint";

/// Reads a content.
pub(super) fn read(content: Option<Value>) -> Vec<Part> {
    match content {
        None => Vec::new(),
        Some(Value::String(text)) => Vec::from([Part::text(text)]),
        Some(content) => into_list(content).into_iter().map(part).collect(),
    }
}

fn part(mut block: Value) -> Part {
    if let Value::String(text) = block {
        return Part::text(text);
    }
    // OpenAI's breakpoint is also a member of the block.
    let is_breakpoint = block.get(BREAKPOINT).is_some();
    let cache = take(&mut block, "cache_control");
    let cache =
        cache.or_else(|| is_breakpoint.then(|| Value::from([("type", "ephemeral".into())])));
    let kind = String::from(block.text("type").unwrap_or_default());
    let content = match &*kind {
        "text" => Content::Text(take_string(&mut block, "text")),
        "refusal" => Content::Refusal(take_string(&mut block, "refusal")),
        "image_url" => Content::Media(linked(MediaForm::Image, &kind, &mut block)),
        "video_url" => Content::Media(linked(MediaForm::Video, &kind, &mut block)),
        "input_audio" => Content::Media(in_object(&kind, &mut block, openai::read_audio)),
        "file" => Content::Media(in_object(&kind, &mut block, openai::read_file)),
        // Reasoning of Mistral's models, which they expect back as it is.
        "thinking" => Content::Reasoning { text: text_of(block.get("thinking")), summary: false },
        _ => Content::Native,
    };
    if matches!(content, Content::Reasoning { .. } | Content::Native) {
        let opaque = Opaque::new(FORMAT, rest(block));
        return Part { content, opaque, cache };
    }
    take(&mut block, "type");
    Part { cache, ..Part::new(content).with_rest(FORMAT, block) }
}

fn text_of(blocks: Option<&Value>) -> String {
    match blocks {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(list)) => list.iter().filter_map(|block| block.text("text")).collect(),
        _ => String::new(),
    }
}

/// Takes media that are given by a URL.
fn linked(form: MediaForm, kind: &str, block: &mut Value) -> Media {
    if let Some(Value::String(_)) = block.get(kind) {
        let (source, media_type) = media_source(take_string(block, kind));
        return Media { media_type, ..Media::new(form, source) };
    }
    in_object(kind, block, |object| {
        let (source, media_type) = media_source(take_string(object, "url"));
        Media { media_type, detail: take_text(object, "detail"), ..Media::new(form, source) }
    })
}

/// Takes media from an object of a block, and leaves the object's other members.
fn in_object(kind: &str, block: &mut Value, read: impl FnOnce(&mut Value) -> Media) -> Media {
    let mut object = take(block, kind).unwrap_or_default();
    let media = read(&mut object);
    if matches!(&object, Value::Object(left) if !left.is_empty()) {
        block.insert(kind, object);
    }
    media
}

/// How a server takes the content of messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContentStyle {
    /// Whether several texts are a list of blocks, and not one text.
    pub lists: bool,
    /// Whether breakpoints are in the spelling of OpenAI.
    pub breakpoints: bool,
    /// The text between texts that become one.
    pub between: &'static str,
}

/// Whether a part is a block of a content.
pub(super) fn is_block(part: &Part) -> bool {
    match &part.content {
        Content::Text(_) => !speaks(part),
        Content::Refusal(_) | Content::Media(_) | Content::Data(_) => true,
        Content::Reasoning { .. } | Content::Native => part.is_own_block(),
        _ => false,
    }
}

/// Whether a text is the transcript of a spoken answer, which the message refers to.
fn speaks(part: &Part) -> bool {
    part.own_members_in(MESSAGE).iter().any(|member| member.key == AUDIO)
}

/// Writes the blocks of a content, of which there is one at least.
pub(super) fn write(blocks: &[&Part], style: ContentStyle, out: &mut String) {
    let is_plain = |part: &&Part| part.as_text().is_some() && is_bare(part);
    if blocks.iter().all(is_plain) && (blocks.len() == 1 || !style.lists) {
        return write_text(blocks, style.between, out);
    }
    let mut list = ListWriter::open(out);
    blocks.iter().for_each(|part| block(part, style, list.item()));
    list.close();
}

/// Whether a text has nothing but its message's members.
fn is_bare(part: &Part) -> bool {
    part.cache.is_none() && part.own_members().iter().all(|member| member.key == MESSAGE)
}

/// Writes texts as one.
fn write_text(blocks: &[&Part], between: &str, out: &mut String) {
    if let [part] = blocks {
        return write_string(part.as_text().unwrap_or_default(), out);
    }
    let texts: Vec<&str> = blocks.iter().filter_map(|part| part.as_text()).collect();
    write_string(&texts.join(between), out);
}

fn block(part: &Part, style: ContentStyle, out: &mut String) {
    let mut written = ObjectWriter::open(out, true);
    let mut text = |kind: &'static str, text: &str| {
        written.string("type", Some(kind));
        written.string(kind, Some(text));
        kind
    };
    let kind = match &part.content {
        Content::Text(told) => Some(text("text", told)),
        Content::Data(value) => Some(text("text", &value.to_json())),
        Content::Refusal(told) => Some(text("refusal", told)),
        Content::Media(media) => Some(write_media(media, part, &mut written)),
        // The members are the block.
        _ => None,
    };
    match kind {
        Some(kind) => part.write_opaque_except(&["type", kind, MESSAGE], &mut written),
        None => part.write_opaque_except(&[MESSAGE], &mut written),
    }
    if let Some(cache) = &part.cache
        && !part.own_members().iter().any(|member| member.key == BREAKPOINT)
    {
        match style.breakpoints {
            true => written.value(BREAKPOINT, Some(&Value::from([("mode", "explicit".into())]))),
            false => written.value("cache_control", Some(cache)),
        }
    }
    written.close();
}

/// Writes the type and the object of media. Returns the type.
fn write_media(media: &Media, part: &Part, written: &mut ObjectWriter<'_>) -> &'static str {
    let kind = match (media.kind, &media.source) {
        (MediaForm::Image, _) => "image_url",
        (MediaForm::Video, _) => "video_url",
        (MediaForm::Audio, MediaSource::Base64(_)) => "input_audio",
        _ => "file",
    };
    written.string("type", Some(kind));
    ToolNesting::Nested.write_in(kind, written, |object| {
        match kind {
            "input_audio" => openai::write_audio(media, object),
            "file" => openai::write_file(media, object),
            _ => {
                media.write_url(object.member("url"));
                object.string("detail", media.detail.as_deref());
            }
        }
        write_members(part.own_members_in(kind), object);
    });
    kind
}
