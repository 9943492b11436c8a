//! The blocks of messages, both ways.
//!
//! A block that other protocols cannot represent is in its opaque members as a whole, with its
//! type. Its content is what models of others are given.

use alloc::string::String;
use alloc::vec::Vec;

use super::read::parts;
use super::requirements::{FORMAT, PROVIDER};
use crate::hub::conversation::members::{
    ListWriter, is_json_object, rest, take, take_bool, take_string, take_text, write_members,
};
use crate::hub::conversation::{
    Call, CallInput, Content, Media, MediaForm, MediaSource, Opaque, Part, RunBy, Sealed,
    ToolResult,
};
use crate::json::{Member, ObjectWriter, Value, put_json};
use crate::protocols::anthropic::carrier::{AGENT, UNINDEXED};

/// Reads a block, and adds it as the next part. The result of a tool of the provider that follows
/// its call is inside of it.
pub(super) fn read(mut block: Value, parts: &mut Vec<Part>) {
    if let Value::String(text) = block {
        return parts.push(Part::text(text));
    }
    let cache = take(&mut block, "cache_control");
    let kind = String::from(block.text("type").unwrap_or_default());
    let mut part = match &*kind {
        "text" => {
            drop_made_up(&mut block);
            of_members(block, |block| Content::Text(take_string(block, "text")))
        }
        "thinking" => of_members(block, thinking),
        "tool_use" => of_members(block, call),
        "tool_result" => of_members(block, |block| Content::Result(result(block, cache.clone()))),
        "image" => media(MediaForm::Image, block),
        "document" => media(MediaForm::File, block),
        "search_result" => whole(search_result(&block), block),
        "compaction" => match summary(&block) {
            Some(summary) => whole(Content::Text(summary.into()), block),
            None => whole(Content::Native, block),
        },
        "mcp_tool_use" if block.text("server_name") == Some(AGENT) => {
            take(&mut block, "partial_json");
            Part::new(call(&mut block))
        }
        "server_tool_use" | "mcp_tool_use" => {
            take(&mut block, "partial_json");
            whole(provider_call(&block), block)
        }
        kind if kind.ends_with("_tool_result") => match waiting(parts, &block) {
            Some(call) => {
                let mut result = ToolResult { cache, ..provider_result(block) };
                // The agent has run the tool.
                if call.by == RunBy::Client {
                    result.opaque = None;
                }
                call.result = Some(result);
                return;
            }
            None => whole(Content::Native, block),
        },
        _ => whole(Content::Native, block),
    };
    part.cache = cache.filter(|_| !matches!(part.content, Content::Result(_)));
    parts.push(part);
}

/// Returns a part with a content, and what is left of its block.
fn of_members(mut block: Value, content: impl FnOnce(&mut Value) -> Content) -> Part {
    let content = content(&mut block);
    take(&mut block, "type");
    Part::new(content).with_rest(FORMAT, block)
}

/// Returns a part with a content, and the whole block.
fn whole(content: Content, block: Value) -> Part {
    Part::new(content).with_opaque(Opaque::new(FORMAT, rest(block)))
}

/// Takes the thinking. Without its signature the server does not accept it.
fn thinking(block: &mut Value) -> Content {
    if block.text("signature") == Some("") {
        take(block, "signature");
    }
    Content::Reasoning { text: take_string(block, "thinking"), summary: false }
}

fn call(block: &mut Value) -> Content {
    let (id, name, input) = (take_string(block, "id"), take_string(block, "name"), input(block));
    // Called by the model itself, as usual.
    if block.get("caller").and_then(|caller| caller.text("type")) == Some("direct") {
        take(block, "caller");
    }
    Content::Call(Call::function(id, name, input))
}

/// Takes the input of a call. That of an answer which was cut off is only in its pieces.
fn input(block: &mut Value) -> String {
    let pieces = take_text(block, "partial_json").filter(|pieces| !pieces.trim().is_empty());
    let input = take(block, "input");
    let is_empty = matches!(&input, None | Some(Value::Object(_))) && !has_members(input.as_ref());
    match (input, pieces) {
        (_, Some(pieces)) if is_empty => pieces,
        (Some(input), _) => input.to_json(),
        (None, _) => "{}".into(),
    }
}

fn has_members(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Object(members)) if !members.is_empty())
}

fn result(block: &mut Value, cache: Option<Value>) -> ToolResult {
    let call = take_string(block, "tool_use_id");
    let mut result = ToolResult::new(call, take(block, "content").map(parts).unwrap_or_default());
    result.error = take_bool(block, "is_error") == Some(true);
    result.cache = cache;
    take(block, "type");
    result.opaque = Opaque::new(FORMAT, rest(core::mem::take(block)));
    result
}

fn provider_call(block: &Value) -> Content {
    let text = |name: &str| String::from(block.text(name).unwrap_or_default());
    let input = block.get("input").map_or_else(|| "{}".into(), Value::to_json);
    let mut call = Call::function(text("id"), text("name"), input);
    call.by = RunBy::Provider;
    Content::Call(call)
}

/// Returns the summary of a compaction that replaces the messages before it. The server signs such
/// a block; of another one, it drops what precedes it by itself. (C28)
pub(super) fn summary(block: &Value) -> Option<&str> {
    let is_signed = block.text("signature").is_some_and(|signature| !signature.is_empty());
    let is_summary = is_signed && block.text("type") == Some("compaction");
    block.text("content").filter(|content| is_summary && !content.is_empty())
}

/// Whether a block is the result of a call that an agent has run itself, or the state of another
/// server that belongs to such a result.
pub(super) fn is_agent_result(block: &Value, parts: &[Part]) -> bool {
    match block.text("type") {
        Some("mcp_tool_result") => {
            let id = block.text("tool_use_id");
            let mut calls = parts.iter().rev().take(BETWEEN).filter_map(Part::as_call);
            calls.any(|call| call.by == RunBy::Client && Some(&*call.id) == id)
        }
        Some("redacted_thinking") => {
            block.text("data").and_then(Sealed::open).is_some_and(|sealed| sealed.result)
        }
        _ => false,
    }
}

/// The number of parts that can be between a call and its result: parallel calls, and the state of
/// other servers.
const BETWEEN: usize = 256;

/// Returns the call before a block, if the block is its result. That of the provider is the last
/// part.
fn waiting<'p>(parts: &'p mut [Part], block: &Value) -> Option<&'p mut Call> {
    let id = block.text("tool_use_id");
    let is_of_agent = block.text("type") == Some("mcp_tool_result");
    let mut before = parts.iter_mut().rev().take(BETWEEN).enumerate();
    before.find_map(|(distance, part)| {
        let call = part.as_call_mut()?;
        let may_be = match call.by {
            RunBy::Provider => distance == 0,
            _ => is_of_agent,
        };
        Some(call).filter(|call| may_be && call.result.is_none() && id == Some(&call.id))
    })
}

/// Removes the citations that the server of the protocol has not made.
fn drop_made_up(block: &mut Value) {
    let Some(Value::Array(mut citations)) = take(block, "citations") else { return };
    citations.retain(|citation| citation.text("encrypted_index") != Some(UNINDEXED));
    if !citations.is_empty() {
        block.insert("citations", Value::Array(citations));
    }
}

/// Returns the result of a tool of the provider. Its parts are what others are given: without what
/// is encrypted.
fn provider_result(block: Value) -> ToolResult {
    let content = block.get("content");
    let told = match content {
        Some(Value::String(text)) => Vec::from([Part::text(text.clone())]),
        Some(Value::Array(list)) if list.iter().all(|block| block.text("type") == Some("text")) => {
            list.iter().filter_map(|block| block.text("text")).map(Part::text).collect()
        }
        Some(content) => Vec::from([Part::new(Content::Data(readable(content)))]),
        None => Vec::new(),
    };
    let kind = content.and_then(|content| content.text("type")).unwrap_or_default();
    let mut result = ToolResult::new(block.text("tool_use_id").unwrap_or_default(), told);
    result.error = kind.ends_with("_error") || block.get("is_error") == Some(&Value::Bool(true));
    result.opaque = Opaque::new(FORMAT, rest(block));
    result
}

/// Returns a value without the members that only the provider can read.
fn readable(value: &Value) -> Value {
    match value {
        Value::Array(list) => Value::Array(list.iter().map(readable).collect()),
        Value::Object(members) => {
            let is_readable = |member: &&Member| {
                !member.key.starts_with("encrypted")
                    && member.key != "type"
                    && !member.value.is_null()
            };
            let copied = |member: &Member| Member {
                key: member.key.clone(),
                value: readable(&member.value),
            };
            Value::Object(members.iter().filter(is_readable).map(copied).collect())
        }
        other => other.clone(),
    }
}

fn search_result(block: &Value) -> Content {
    let mut text = String::new();
    let mut add = |piece: &str| {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(piece);
    };
    ["title", "source"].iter().filter_map(|name| block.text(name)).for_each(&mut add);
    if let Some(Value::Array(list)) = block.get("content") {
        list.iter().filter_map(|block| block.text("text")).for_each(add);
    }
    Content::Text(text)
}

fn media(form: MediaForm, mut block: Value) -> Part {
    let mut source = take(&mut block, "source").unwrap_or_default();
    let kind = String::from(source.text("type").unwrap_or_default());
    let (member, make): (_, fn(String) -> MediaSource) = match &*kind {
        "base64" => ("data", MediaSource::Base64),
        "url" => ("url", MediaSource::Url),
        "text" => ("data", MediaSource::Text),
        "file" => ("file_id", |id| MediaSource::File { provider: PROVIDER.into(), id }),
        _ => {
            // Blocks of texts, which only this protocol has in a document.
            let text = Part::new(search_result(&source));
            block.insert("source", source);
            let is_told = text.as_text().is_some_and(|text| !text.is_empty());
            return whole(if is_told { text.content } else { Content::Native }, block);
        }
    };
    let mut media = Media::new(form, make(take_string(&mut source, member)));
    media.media_type = take_text(&mut source, "media_type");
    take(&mut source, "type");
    if has_members(Some(&source)) {
        block.insert("source", source);
    }
    of_members(block, |block| {
        media.name = if form == MediaForm::File { take_text(block, "title") } else { None };
        Content::Media(media)
    })
}

/// Whether a part is written as a block.
pub(super) fn is_block(part: &Part) -> bool {
    part.is_own_block()
        || !matches!(
            part.content,
            Content::Native
                | Content::Result(_)
                | Content::Question { .. }
                | Content::Answer { .. }
        )
}

/// Writes a part as a block.
pub(super) fn write(part: &Part, out: &mut String) {
    let mut block = ObjectWriter::open(out, true);
    if part.is_own_block() {
        part.write_opaque(&mut block);
    } else {
        write_content(part, &mut block);
    }
    if let Some(cache) = &part.cache {
        block.value("cache_control", Some(cache));
    }
    block.close();
}

fn write_content(part: &Part, block: &mut ObjectWriter<'_>) {
    let mut text = |kind: &'static str, text: &str| {
        block.string("type", Some(kind));
        block.string(kind, Some(text));
        kind
    };
    let written = match &part.content {
        Content::Text(told) | Content::Refusal(told) => text("text", told),
        Content::Reasoning { text: told, .. } => text("thinking", told),
        Content::Data(value) => text("text", &value.to_json()),
        Content::Media(media) => {
            write_media(media, part, block);
            return part.write_opaque_except(&["type", "source", "title"], block);
        }
        Content::Call(call) => {
            block.string("type", Some("tool_use"));
            block.string("id", Some(&call.id));
            block.string("name", Some(&call.name));
            write_input(&call.input, block.member("input"));
            return part.write_opaque_except(&["type", "id", "name", "input"], block);
        }
        _ => "",
    };
    part.write_opaque_except(&["type", written], block);
}

/// Writes the input of a call: an object.
fn write_input(input: &CallInput, out: &mut String) {
    match input {
        CallInput::Json(json) if is_json_object(json) => put_json(out, json.trim()),
        CallInput::Json(json) if json.trim().is_empty() => out.push_str("{}"),
        CallInput::Json(text) | CallInput::Text(text) => {
            let mut object = ObjectWriter::open(out, true);
            object.string("input", Some(text));
            object.close();
        }
    }
}

fn write_media(media: &Media, part: &Part, block: &mut ObjectWriter<'_>) {
    let is_image = media.kind == MediaForm::Image;
    block.string("type", Some(if is_image { "image" } else { "document" }));
    let mut source = ObjectWriter::open(block.member("source"), true);
    let mut of = |kind: &str, media_type: Option<&str>, member: &str, value: &str| {
        source.string("type", Some(kind));
        source.string("media_type", media_type);
        source.string(member, Some(value));
    };
    match &media.source {
        MediaSource::Url(url) => of("url", None, "url", url),
        MediaSource::File { id, .. } => of("file", None, "file_id", id),
        MediaSource::Text(text) => of("text", Some("text/plain"), "data", text),
        MediaSource::Base64(data) => of("base64", Some(media.type_or_usual()), "data", data),
    }
    write_members(part.own_members_in("source"), &mut source);
    source.close();
    if !is_image {
        block.string("title", media.name.as_deref());
    }
}

/// Writes the block with the result of a tool of the provider.
pub(super) fn write_provider_result(result: &ToolResult, out: &mut String) {
    let mut block = ObjectWriter::open(out, true);
    write_members(result.opaque.as_ref().map_or(&[], |opaque| &opaque.members), &mut block);
    block.value("cache_control", result.cache.as_ref());
    block.close();
}

/// Writes the result of a call.
pub(super) fn write_result(result: &ToolResult, out: &mut String) {
    let mut block = ObjectWriter::open(out, true);
    block.string("type", Some("tool_result"));
    block.string("tool_use_id", Some(&result.call));
    let told: Vec<&Part> = result.parts.iter().filter(|part| is_block(part)).collect();
    if !told.is_empty() {
        let mut list = ListWriter::open(block.member("content"));
        told.into_iter().for_each(|part| write(part, list.item()));
        list.close();
    } else if result.error {
        // An error must have a content.
        let mut list = ListWriter::open(block.member("content"));
        write(&Part::text("The tool failed."), list.item());
        list.close();
    }
    block.bool("is_error", result.error.then_some(true));
    if let Some(opaque) = &result.opaque {
        write_members(&opaque.members, &mut block);
    }
    block.value("cache_control", result.cache.as_ref());
    block.close();
}
