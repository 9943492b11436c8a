//! To requests.

use alloc::string::String;
use alloc::vec::Vec;

use super::{ANSWERS, FORMAT, PLACE, SEALED, SETTINGS};
use crate::core::id::IdSource;
use crate::core::request::decision::decision;
use crate::hub::conversation::members::write_members;
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Media, MediaSource, Part, ToolResult,
};
use crate::json::{Object, Value, write_list};

/// Writes the parameters of `SendMessage`: the parts of all turns are those of one message.
pub(super) fn request(conversation: &Conversation, ids: &mut dyn IdSource) -> String {
    let Conversation { id, turns, tools, settings, more, .. } = conversation;
    let given = |name: &str| more.iter().find(|member| member.key == name).map(|member| &member.value);
    let mut out = String::new();
    let mut request = Object::open(&mut out, true);
    let mut message = Object::open(request.member("message"), true);
    let message_id = turns.iter().rev().find_map(|turn| turn.id.clone());
    message.string("messageId", Some(&message_id.unwrap_or_else(|| ids.next_id("msg_"))));
    message.string("contextId", id.as_deref());
    message.string("taskId", given("id").and_then(Value::as_str));
    message.string("role", Some("ROLE_USER"));
    let mut parts = Vec::new();
    turns.iter().flat_map(|turn| &turn.parts).for_each(|part| write_part(part, &mut parts));
    if parts.is_empty() {
        // A message has a part.
        parts.push(r#"{"text":""}"#.into());
    }
    write_list(parts, message.member("parts"), |part, out| out.push_str(&part));
    let first = turns.iter().flat_map(|turn| &turn.parts).find_map(|part| part.opaque.as_ref());
    let own = first.filter(|own| own.format == FORMAT).and_then(|own| own.get("message"));
    if let Some(Value::Object(members)) = own {
        write_members(members, &mut message);
    }
    message.close();
    let mut with_settings = Value::default();
    with_settings.insert("metadata", given("metadata").cloned().unwrap_or_default());
    settings.write_of_client(tools, &mut with_settings, SETTINGS, PLACE);
    request.value("metadata", with_settings.get("metadata").filter(|metadata| !metadata.is_null()));
    let others = more.iter().filter(|member| !matches!(&*member.key, "id" | "metadata"));
    others.for_each(|member| request.value(&member.key, Some(&member.value)));
    request.close();
    out
}

fn write_part(part: &Part, parts: &mut Vec<String>) {
    let mut out = String::new();
    let mut written = Object::open(&mut out, true);
    match &part.content {
        Content::Text(text) | Content::Refusal(text) | Content::Reasoning { text, .. } => {
            written.string("text", Some(text));
        }
        Content::Media(media) => write_media(media, &mut written),
        Content::Data(value) => write_data(&mut written, |data| *data = value.clone()),
        Content::Call(call) => write_call(call, &mut written),
        Content::Result(result) => write_result(result, None, &mut written),
        Content::Answer { id, approved, reason, payload } => {
            write_data(&mut written, |data| {
                data.insert(ANSWERS, id.as_str().into());
                data.insert("answer", answer(*approved, reason.as_deref(), payload));
            });
        }
        Content::Question { .. } | Content::Native => {
            let Some(opaque) = &part.opaque else { return };
            written.string("text", Some(""));
            let mut metadata = Object::open(written.member("metadata"), true);
            metadata.string(SEALED, Some(&opaque.sealed_for(&part.content)));
            metadata.close();
            written.close();
            return parts.push(out);
        }
    }
    match &part.opaque {
        Some(own) if own.format == FORMAT => {
            let members = own.members.iter().filter(|member| member.key != "message");
            members.for_each(|member| written.value(&member.key, Some(&member.value)));
        }
        Some(opaque) => {
            let mut metadata = Object::open(written.member("metadata"), true);
            metadata.string(SEALED, Some(&opaque.sealed_for(&part.content)));
            metadata.close();
        }
        None => {}
    }
    written.close();
    parts.push(out);
    if let Some((call, result)) = part.as_call().and_then(|call| Some((call, call.result.as_ref()?))) {
        let mut out = String::new();
        let mut written = Object::open(&mut out, true);
        write_result(result, Some(&call.name), &mut written);
        written.close();
        parts.push(out);
    }
}

fn write_media(media: &Media, written: &mut Object<'_>) {
    match &media.source {
        MediaSource::Base64(data) => written.string("raw", Some(data)),
        MediaSource::Url(url) | MediaSource::File { id: url, .. } => written.string("url", Some(url)),
        MediaSource::Text(text) => written.string("text", Some(text)),
    }
    written.string("filename", media.name.as_deref());
    written.string("mediaType", Some(media.type_or_usual()));
}

/// Writes data. It has the media type of JSON for clients that display parts by their media type.
fn write_data(written: &mut Object<'_>, fill: impl FnOnce(&mut Value)) {
    let mut data = Value::default();
    fill(&mut data);
    written.value("data", Some(&data));
    written.string("mediaType", Some("application/json"));
}

fn write_call(call: &Call, written: &mut Object<'_>) {
    let (CallInput::Json(arguments) | CallInput::Text(arguments)) = &call.input;
    write_data(written, |data| {
        data.insert("call_id", call.id.as_str().into());
        data.insert("name", call.name.as_str().into());
        data.insert("arguments", arguments.as_str().into());
    });
}

fn write_result(result: &ToolResult, name: Option<&str>, written: &mut Object<'_>) {
    let texts: Vec<&str> = result.parts.iter().filter_map(Part::as_text).collect();
    write_data(written, |data| {
        data.insert("call_id", result.call.as_str().into());
        name.into_iter().for_each(|name| data.insert("name", name.into()));
        data.insert("output", texts.join("\n").into());
    });
}

/// Returns the answer of the client, unless it says something else than its decision.
fn answer(approved: Option<bool>, reason: Option<&str>, payload: &Value) -> Value {
    if !payload.is_null() && (approved.is_none() || decision(payload) == approved) {
        return payload.clone();
    }
    let mut answer = Value::from([("approved", Value::from(approved == Some(true)))]);
    reason.into_iter().for_each(|reason| answer.insert("reason", reason.into()));
    answer
}
