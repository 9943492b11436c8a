//! The parts of messages and of results, both ways.

use alloc::string::String;
use alloc::vec::Vec;

use super::{BLOCK, FORMAT, MESSAGE};
use crate::hub::conversation::members::{media_source, rest, take, take_string, take_text};
use crate::hub::conversation::openai::{PROVIDER, read_audio, read_file, write_audio, write_file};
use crate::hub::conversation::{Content, Media, MediaForm, MediaSource, Opaque, Part, TurnRole};
use crate::json::{Member, ObjectWriter, Value};

/// Returns the parts of a content: a string, or a list.
pub(super) fn read_content(content: Option<Value>) -> Vec<Part> {
    match content {
        Some(Value::Array(list)) => list.into_iter().map(read_part).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(Value::String(text)) => [Part::text(text)].into(),
        Some(part) => [read_part(part)].into(),
    }
}

fn read_part(mut block: Value) -> Part {
    let kind = take_text(&mut block, "type");
    let content = match kind.as_deref() {
        Some("input_text" | "output_text" | "summary_text" | "reasoning_text" | "text") => {
            Content::Text(take_string(&mut block, "text"))
        }
        Some("refusal") => Content::Refusal(take_string(&mut block, "refusal")),
        Some("input_image" | "computer_screenshot") => Content::Media(read_image(&mut block)),
        Some("input_file") => Content::Media(read_file(&mut block)),
        Some("input_audio") => match take(&mut block, "input_audio") {
            Some(mut audio) => Content::Media(read_audio(&mut audio)),
            None => Content::Media(read_audio(&mut block)),
        },
        _ => {
            let mut members = rest(block);
            let kind = kind.map(|kind| Member { key: "type".into(), value: kind.into() });
            members.splice(0..0, kind);
            let whole = Member { key: BLOCK.into(), value: Value::Object(members) };
            return Part::new(Content::Native).with_opaque(Opaque::new(FORMAT, [whole].into()));
        }
    };
    // Of an answer: requests with probabilities are refused, and an empty list says nothing.
    take(&mut block, "logprobs");
    if matches!(block.get("annotations"), Some(Value::Array(list)) if list.is_empty()) {
        take(&mut block, "annotations");
    }
    // It is also a member of the part, so that it stays as it is.
    let cache =
        block.get(BREAKPOINT).is_some().then(|| Value::from([("type", "ephemeral".into())]));
    Part { cache, ..Part::new(content).with_rest(FORMAT, block) }
}

/// A cache breakpoint after a part.
const BREAKPOINT: &str = "prompt_cache_breakpoint";

/// Takes the members of an image: `image_url` or `file_id`, and `detail`.
pub(super) fn read_image(block: &mut Value) -> Media {
    let url = match take(block, "image_url") {
        // The form of Chat Completions.
        Some(mut object @ Value::Object(_)) => take_text(&mut object, "url"),
        url => url.and_then(|url| url.as_str().map(String::from)),
    };
    let (source, media_type) = match (take_text(block, "file_id"), url) {
        (_, Some(url)) => media_source(url),
        (Some(id), None) => (MediaSource::File { provider: PROVIDER.into(), id }, None),
        (None, None) => (MediaSource::Base64(String::new()), None),
    };
    Media { media_type, detail: take_text(block, "detail"), ..Media::new(MediaForm::Image, source) }
}

/// Whether a part is one of a message.
pub(super) fn is_of_message(part: &Part) -> bool {
    match &part.content {
        Content::Text(_) | Content::Refusal(_) | Content::Media(_) => true,
        Content::Native => part.opaque.as_ref().is_some_and(|own| own.get(BLOCK).is_some()),
        _ => false,
    }
}

/// The opaque members of a part that belong to its message.
pub(super) const OF_MESSAGE: &[&str] = &[MESSAGE, "id", "phase"];

/// Writes a part of a message of a role, or of a result.
pub(super) fn write_part(part: &Part, role: TurnRole, out: &mut String) {
    let own = part.own_members();
    if let Content::Native = part.content {
        let block = own.iter().find(|member| member.key == BLOCK);
        return block.map_or(&Value::Null, |block| &block.value).write(out);
    }
    let mut block = ObjectWriter::open(out, true);
    match &part.content {
        Content::Text(text) if role == TurnRole::Assistant => {
            block.string("type", Some("output_text"));
            block.string("text", Some(text));
            if !own.iter().any(|member| member.key == "annotations") {
                block.value("annotations", Some(&Value::Array(Vec::new())));
            }
        }
        Content::Refusal(text) if role == TurnRole::Assistant => {
            block.string("type", Some("refusal"));
            block.string("refusal", Some(text));
        }
        Content::Text(text) | Content::Refusal(text) => {
            block.string("type", Some("input_text"));
            block.string("text", Some(text));
        }
        Content::Media(media) => write_media(media, &mut block),
        _ => {}
    }
    // Only the input has breakpoints.
    if part.cache.is_some()
        && role != TurnRole::Assistant
        && !own.iter().any(|member| member.key == BREAKPOINT)
    {
        block.value(BREAKPOINT, Some(&Value::from([("mode", "explicit".into())])));
    }
    part.write_opaque_except(OF_MESSAGE, &mut block);
    block.close();
}

fn write_media(media: &Media, block: &mut ObjectWriter<'_>) {
    match (media.kind, &media.source) {
        (MediaForm::Image, source) => {
            block.string("type", Some("input_image"));
            match source {
                MediaSource::File { id, .. } => block.string("file_id", Some(id)),
                _ => media.write_url(block.member("image_url")),
            }
            // Some servers require it.
            block.string("detail", Some(media.detail.as_deref().unwrap_or("auto")));
        }
        (MediaForm::Audio, MediaSource::Base64(_)) => {
            block.string("type", Some("input_audio"));
            let mut audio = ObjectWriter::open(block.member("input_audio"), true);
            write_audio(media, &mut audio);
            audio.close();
        }
        _ => {
            block.string("type", Some("input_file"));
            write_file(media, block);
            block.string("detail", media.detail.as_deref());
        }
    }
}

/// Writes the members of a message, which the first of its parts has. Returns whether it has an id.
pub(super) fn write_message_members(
    first: &Part,
    keeps_id: bool,
    message: &mut ObjectWriter<'_>,
) -> bool {
    let own = first.own_members().iter();
    let outer = own.filter(|member| member.key != MESSAGE && OF_MESSAGE.contains(&&*member.key));
    let mut has_id = false;
    for Member { key, value } in outer.chain(first.own_members_in(MESSAGE)) {
        if key == "id" {
            // Each once.
            if !keeps_id || has_id || !value.as_str().is_some_and(|id| id.starts_with("msg_")) {
                continue;
            }
            has_id = true;
        }
        message.value(key, Some(value));
    }
    has_id
}
