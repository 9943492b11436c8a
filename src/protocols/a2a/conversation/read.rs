//! From requests and tasks.

use alloc::string::String;
use alloc::vec::Vec;

use super::{ANSWERS, FORMAT, PLACE, SEALED, SETTINGS};
use crate::core::request::decision::decision;
use crate::hub::conversation::members::{into_text, rest, take, take_list, take_string, take_text};
use crate::hub::conversation::{
    Call, Content, Conversation, Media, MediaForm, MediaSource, Opaque, Part, Role, Sealed, Settings,
    ToolResult, Turn,
};
use crate::json::{Member, Value};

/// Takes a member that servers also accept in another spelling.
fn take_either(object: &mut Value, name: &str, other: &str) -> Option<Value> {
    take(object, name).or_else(|| take(object, other))
}

/// Reads the parameters of `SendMessage`.
pub(super) fn request(mut request: Value) -> Conversation {
    let mut conversation = Conversation::new(FORMAT);
    conversation.settings = Settings::read_of_client(&mut request, SETTINGS, PLACE);
    let mut message = take(&mut request, "message").unwrap_or_default();
    let text = |value: Option<Value>| value.map(into_text).filter(|text| !text.is_empty());
    conversation.id = text(take_either(&mut message, "contextId", "context_id"));
    let task = text(take_either(&mut message, "taskId", "task_id"));
    conversation.more.extend(task.map(|task| Member { key: "id".into(), value: task.into() }));
    append_message(&mut conversation, message);
    conversation.more.extend(rest(request));
    conversation
}

/// Adds the message or the task that a reader has: its messages and artifacts.
pub(super) fn append(conversation: &mut Conversation, mut answer: Value) {
    if let Some(mut task) = take(&mut answer, "task") {
        for artifact in take_list(&mut task, "artifacts") {
            append_parts(conversation, Role::Assistant, artifact, "artifactId");
        }
        if let Some(message) = take(&mut task, "status.message") {
            append_message(conversation, message);
        }
        return;
    }
    let message = take(&mut answer, "message").unwrap_or(answer);
    if message.get("parts").is_some() {
        append_message(conversation, message);
    }
}

fn append_message(conversation: &mut Conversation, message: Value) {
    let role = match message.text("role") {
        Some("ROLE_AGENT" | "agent") => Role::Assistant,
        _ => Role::User,
    };
    append_parts(conversation, role, message, "messageId");
}

/// Adds the parts of a message or an artifact. Its other members are those of its first part.
fn append_parts(conversation: &mut Conversation, role: Role, mut message: Value, id: &str) {
    let id = take_text(&mut message, id).or_else(|| take_text(&mut message, "message_id"));
    ["role", "kind", "contextId", "taskId"].iter().for_each(|name| drop(take(&mut message, name)));
    let sealed = take_text(&mut message, &["metadata.", SEALED].concat());
    let mut parts: Vec<Part> = take_list(&mut message, "parts").into_iter().map(part).collect();
    let left = rest(message);
    if let (Some(first), false) = (parts.first_mut().filter(|first| first.opaque.is_none()), left.is_empty())
    {
        first.opaque =
            Opaque::new(FORMAT, [Member { key: "message".into(), value: Value::Object(left) }].into());
    }
    let of_message = sealed.as_deref().and_then(Sealed::open).filter(|_| role == Role::Assistant);
    let turn = if role == Role::Assistant { conversation.turn(role) } else { new_turn(conversation, role) };
    turn.id = turn.id.take().or(id.filter(|id| !id.is_empty()));
    if let Some(sealed) = of_message {
        let mut first = parts.first().cloned().unwrap_or_else(|| Part::reasoning(""));
        sealed.restore(&mut first);
        match parts.first_mut() {
            Some(part) => *part = first,
            None => parts.push(first),
        }
    }
    turn.parts.append(&mut parts);
}

fn new_turn(conversation: &mut Conversation, role: Role) -> &mut Turn {
    conversation.turns.push(Turn::new(role, Vec::new()));
    conversation.turn(role)
}

/// Reads a part. If it has several contents, the first one is used, as in the official client (A12).
fn part(mut part: Value) -> Part {
    let media_type = take_either(&mut part, "mediaType", "media_type").map(into_text);
    let name = take_text(&mut part, "filename");
    let sealed = take_text(&mut part, &["metadata.", SEALED].concat());
    take(&mut part, "kind");
    let media = |source| {
        let kind = MediaForm::of_type(media_type.as_deref());
        Content::Media(Media {
            media_type: media_type.clone(),
            name: name.clone(),
            ..Media::new(kind, source)
        })
    };
    let content =
        match (take_text(&mut part, "text"), take_text(&mut part, "raw"), take_text(&mut part, "url")) {
            (Some(text), ..) => Content::Text(text),
            (_, Some(raw), _) => media(MediaSource::Base64(raw)),
            (.., Some(url)) => media(MediaSource::Url(url)),
            _ => data(take(&mut part, "data").unwrap_or_default()),
        };
    let mut part = Part::new(content).with_rest(FORMAT, part);
    if let Some(sealed) = sealed.as_deref().and_then(Sealed::open) {
        sealed.restore(&mut part);
    }
    part
}

/// Returns the meaning of data: a call, its result, or an answer.
fn data(mut data: Value) -> Content {
    if let Some(id) = data.text(ANSWERS).map(String::from) {
        let payload = match take(&mut data, "answer") {
            Some(answer) => answer,
            None => data,
        };
        let reason = payload.text("reason").map(String::from);
        return Content::Answer { id, approved: decision(&payload), reason, payload };
    }
    match (data.text("call_id").map(String::from), data.get("arguments"), data.get("output")) {
        (Some(id), Some(arguments), None) => {
            let arguments = into_text(arguments.clone());
            Content::Call(Call::function(id, take_string(&mut data, "name"), arguments))
        }
        (Some(id), _, Some(output)) => {
            Content::Result(ToolResult::new(id, [Part::text(into_text(output.clone()))].into()))
        }
        _ => Content::Data(data),
    }
}
