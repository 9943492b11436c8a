//! To requests.

use alloc::string::String;
use alloc::vec::Vec;

use super::{DATA, FORMAT, JSON, MESSAGE, PLACE, SETTINGS};
use crate::core::id::IdSource;
use crate::hub::approval::answer_payload;
use crate::hub::conversation::blocks::write_blocks;
use crate::hub::conversation::members::write_members;
use crate::hub::conversation::{
    CallInput, Content, Conversation, Media, MediaForm, MediaSource, Part, ToolResult,
};
use crate::json::{Member, ObjectWriter, Value, write_string};
use crate::protocols::a2a::request::ANSWERS;

/// Writes the parameters of `SendMessage`: the parts of all turns are those of one message.
pub(super) fn request(conversation: &Conversation, ids: &mut dyn IdSource) -> String {
    let Conversation { id, turns, tools, settings, more, .. } = conversation;
    let given =
        |name: &str| more.iter().find(|member| member.key == name).map(|member| &member.value);
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let mut message = ObjectWriter::open(request.member("message"), true);
    let message_id = turns.iter().rev().find_map(|turn| turn.id.clone());
    message.string("messageId", Some(&message_id.unwrap_or_else(|| ids.next_id("msg_"))));
    message.string("contextId", id.as_deref());
    message.string("taskId", given("id").and_then(Value::as_str));
    message.string("role", Some("ROLE_USER"));
    let list = message.member("parts");
    list.push('[');
    let start = list.len();
    for part in turns.iter().flat_map(|turn| &turn.parts) {
        write_part(part, start, list);
    }
    if list.len() == start {
        // A message has a part.
        list.push_str(r#"{"text":""}"#);
    }
    list.push(']');
    let first =
        turns.iter().flat_map(|turn| &turn.parts).next().and_then(|part| part.opaque.as_ref());
    let own = first.filter(|own| own.format == FORMAT).and_then(|own| own.get(MESSAGE));
    write_members(own.map(Value::members).unwrap_or_default(), &mut message);
    message.close();
    let of_request = |name: &str| matches!(name, "id" | "metadata" | "configuration");
    let is_object = |metadata: &&Value| matches!(metadata, Value::Object(_));
    let mut metadata = given("metadata").filter(is_object).cloned().unwrap_or_default();
    for member in more.iter().filter(|member| !of_request(&member.key)) {
        metadata.insert(&member.key, member.value.clone());
    }
    let mut with_settings = Value::from([("metadata", metadata)]);
    settings.write_of_client(tools, &mut with_settings, SETTINGS, PLACE);
    request.value("metadata", with_settings.get("metadata").filter(|metadata| !metadata.is_null()));
    request.value("configuration", given("configuration"));
    request.close();
    out
}

/// Writes a part, after others if the list has begun after `start`.
fn write_part(part: &Part, start: usize, list: &mut String) {
    let opaque = part.opaque.as_ref();
    if opaque.is_none()
        && matches!(part.content, Content::Question { .. } | Content::Tools(_) | Content::Native)
    {
        return;
    }
    if list.len() > start {
        list.push(',');
    }
    let own = opaque.filter(|own| own.format == FORMAT);
    let further = own.and_then(|own| own.get(DATA)).map(Value::members).unwrap_or_default();
    let mut written = ObjectWriter::open(list, true);
    match &part.content {
        Content::Text(text) | Content::Refusal(text) | Content::Reasoning { text, .. } => {
            written.string("text", Some(text));
        }
        Content::Media(media) => write_media(media, &mut written),
        Content::Data(value) => {
            written.value("data", Some(value));
            written.string("mediaType", Some(JSON));
        }
        Content::Call(call) => write_data(further, &mut written, |data| {
            let (CallInput::Json(arguments) | CallInput::Text(arguments)) = &call.input;
            data.string("call_id", Some(&call.id));
            data.string("name", Some(&call.name));
            data.string("arguments", Some(arguments));
        }),
        Content::Result(result) => {
            write_data(further, &mut written, |data| write_result(result, None, data))
        }
        Content::Answer { id, approved, reason, payload } => {
            write_data(further, &mut written, |data| {
                data.string(ANSWERS, Some(id));
                data.member("answer").push_str(&answer_payload(
                    *approved,
                    reason.as_deref(),
                    payload,
                ));
            })
        }
        Content::Question { .. } | Content::Tools(_) | Content::Native => {
            written.string("text", Some(""))
        }
    }
    let members = own.into_iter().flat_map(|own| &own.members);
    let others = members.filter(|member| !matches!(&*member.key, MESSAGE | DATA));
    others.for_each(|member| written.value(&member.key, Some(&member.value)));
    if let Some(foreign) = opaque.filter(|opaque| opaque.format != FORMAT) {
        let mut metadata = ObjectWriter::open(written.member("metadata"), true);
        metadata.string("opaque", Some(&foreign.sealed_for(&part.content)));
        metadata.close();
    }
    written.close();
    if let Some((call, result)) =
        part.as_call().and_then(|call| Some((call, call.result.as_ref()?)))
    {
        list.push(',');
        let mut written = ObjectWriter::open(list, true);
        write_data(&[], &mut written, |data| write_result(result, Some(&call.name), data));
        written.close();
    }
}

fn write_media(media: &Media, written: &mut ObjectWriter<'_>) {
    match &media.source {
        MediaSource::Base64(data) => written.string("raw", Some(data)),
        MediaSource::Url(url) | MediaSource::File { id: url, .. } => {
            written.string("url", Some(url))
        }
        MediaSource::Text(text) => written.string("text", Some(text)),
    }
    written.string("filename", media.name.as_deref());
    match (&media.media_type, media.kind) {
        (None, MediaForm::File) => {}
        (None, kind) => written.string("mediaType", Some(&[kind.name(), "/*"].concat())),
        (media_type, _) => written.string("mediaType", media_type.as_deref()),
    }
}

/// Writes data with further members.
fn write_data(
    further: &[Member],
    written: &mut ObjectWriter<'_>,
    write: impl FnOnce(&mut ObjectWriter<'_>),
) {
    let mut data = ObjectWriter::open(written.member("data"), true);
    write(&mut data);
    write_members(further, &mut data);
    data.close();
    written.string("mediaType", Some(JSON));
}

/// Writes the members of a result: its text, and its contents if they are more than that.
fn write_result(result: &ToolResult, name: Option<&str>, data: &mut ObjectWriter<'_>) {
    data.string("call_id", Some(&result.call));
    data.string("name", name);
    let texts: Vec<&str> = result.parts.iter().filter_map(Part::as_text).collect();
    write_string(&texts.join("\n"), data.member("output"));
    let is_text =
        matches!(&result.parts[..], [] | [Part { content: Content::Text(_), opaque: None, .. }]);
    if !is_text {
        write_blocks(&result.parts, data.member("content"));
    }
    data.bool("is_error", result.error.then_some(true));
}
