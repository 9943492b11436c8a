//! From requests and tasks.

use alloc::string::String;
use alloc::vec::Vec;

use super::{DATA, FORMAT, JSON, MESSAGE, PLACE, SEALED, SETTINGS};
use crate::core::request::decision::decision;
use crate::hub::conversation::blocks::read_blocks;
use crate::hub::conversation::members::{
    into_text, rest, take, take_bool, take_list, take_string, take_text,
};
use crate::hub::conversation::{
    Call, Content, Conversation, Media, MediaForm, MediaSource, Opaque, Part, Sealed, Settings,
    ToolResult, Turn, TurnRole,
};
use crate::json::{Member, Value};
use crate::protocols::a2a::request::ANSWERS;
use crate::protocols::a2a::tasks::waits;

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

/// Adds the message or the task that a reader has: its messages and artifacts. The next message is
/// sent in the same context, and to the task if it waits.
pub(super) fn append(conversation: &mut Conversation, mut answer: Value) {
    if let Some(mut task) = take(&mut answer, "task") {
        follow(conversation, &mut task);
        conversation.more.retain(|member| member.key != "id");
        if waits(&task)
            && let Some(id) = task.get("id")
        {
            conversation.more.push(Member { key: "id".into(), value: id.clone() });
        }
        for artifact in take_list(&mut task, "artifacts") {
            append_parts(conversation, TurnRole::Assistant, artifact, "artifactId");
        }
        if let Some(message) = take(&mut task, "status.message") {
            append_message(conversation, message);
        }
        return;
    }
    let mut message = take(&mut answer, "message").unwrap_or(answer);
    if message.get("parts").is_some() {
        follow(conversation, &mut message);
        append_message(conversation, message);
    }
}

/// Continues the context of a task or a message.
fn follow(conversation: &mut Conversation, answer: &mut Value) {
    let context = take_either(answer, "contextId", "context_id").map(into_text);
    conversation.id = context.filter(|id| !id.is_empty()).or(conversation.id.take());
}

fn append_message(conversation: &mut Conversation, message: Value) {
    let role = match message.text("role") {
        Some("ROLE_AGENT" | "agent") => TurnRole::Assistant,
        _ => TurnRole::User,
    };
    append_parts(conversation, role, message, "messageId");
}

/// Adds the parts of a message or an artifact. Its other members are those of its first part.
fn append_parts(conversation: &mut Conversation, role: TurnRole, mut message: Value, id: &str) {
    let id = take_text(&mut message, id).or_else(|| take_text(&mut message, "message_id"));
    let names = ["role", "kind", "contextId", "context_id", "taskId", "task_id"];
    names.iter().for_each(|name| drop(take(&mut message, name)));
    let sealed = Sealed::take(&mut message, SEALED);
    let kind = take_text(&mut message, "metadata.type");
    let is_reasoning = kind.as_deref() == Some("reasoning");
    let mut parts: Vec<Part> = take_list(&mut message, "parts").into_iter().map(part).collect();
    if role == TurnRole::Assistant {
        parts = joined(parts, is_reasoning);
    }
    if parts.is_empty() && !sealed.is_empty() {
        parts.push(Part::reasoning(""));
    }
    Sealed::restore_all(sealed, &mut parts);
    keep(parts.first_mut(), MESSAGE, message);
    if role != TurnRole::Assistant {
        conversation.turns.push(Turn::new(role, Vec::new()));
    }
    let turn = conversation.turn(role);
    turn.id = turn.id.take().or(id.filter(|id| !id.is_empty()));
    turn.parts.append(&mut parts);
}

/// Keeps members that were not taken as an opaque member of a part, unless this has those of
/// another protocol.
fn keep(part: Option<&mut Part>, name: &str, left: Value) {
    let left = rest(left);
    let Some(part) = part.filter(|_| !left.is_empty()) else { return };
    let member = Member { key: name.into(), value: Value::Object(left) };
    match &mut part.opaque {
        Some(own) if own.format == FORMAT => own.members.push(member),
        Some(_) => {}
        None => part.opaque = Opaque::new(FORMAT, [member].into()),
    }
}

/// Joins the pieces of texts: a stream has each delta as a part, of which the first has a number.
fn joined(parts: Vec<Part>, is_reasoning: bool) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        match (joined.last_mut().map(|last| &mut last.content), &part) {
            (
                Some(Content::Text(text)),
                Part { content: Content::Text(piece), opaque: None, .. },
            ) => {
                text.push_str(piece);
            }
            _ => joined.push(part),
        }
    }
    for part in joined.iter_mut().filter(|_| is_reasoning) {
        if let Content::Text(text) = &mut part.content {
            part.content = Content::Reasoning { text: core::mem::take(text), summary: false };
        }
    }
    joined
}

/// Reads a part. If it has several contents, the first one is used, as in the official client
/// (A12).
fn part(mut part: Value) -> Part {
    let sealed = Sealed::take(&mut part, SEALED).into_iter().next();
    take(&mut part, "kind");
    let mut read = if let Some(text) = take_text(&mut part, "text") {
        Part::text(text)
    } else if let Some(raw) = take_text(&mut part, "raw") {
        media(&mut part, MediaSource::Base64(raw))
    } else if let Some(url) = take_text(&mut part, "url") {
        media(&mut part, MediaSource::Url(url))
    } else {
        let mut data = take(&mut part, "data").unwrap_or_default();
        if part.text("mediaType") == Some(JSON) {
            take(&mut part, "mediaType");
        }
        let content = take_content(&mut data);
        let mut read = Part::new(content);
        keep(Some(&mut read), DATA, data);
        read
    };
    let own = rest(part);
    match &mut read.opaque {
        Some(opaque) => opaque.members.extend(own),
        None => read.opaque = Opaque::new(FORMAT, own),
    }
    if let Some(sealed) = sealed {
        // It was sealed for this part, so that no block follows.
        drop(sealed.restore(&mut read));
    }
    read
}

fn media(part: &mut Value, source: MediaSource) -> Part {
    let media_type = take_either(part, "mediaType", "media_type").map(into_text);
    let kind = MediaForm::of_type(media_type.as_deref());
    // `image/*` names a kind, not a type.
    let media_type = media_type.filter(|media_type| !media_type.ends_with("/*"));
    Part::new(Content::Media(Media {
        media_type,
        name: take_text(part, "filename"),
        ..Media::new(kind, source)
    }))
}

/// Takes the meaning of data: a call, its result, an answer, or the data themselves.
fn take_content(data: &mut Value) -> Content {
    if data.text(ANSWERS).is_some() {
        let id = take_string(data, ANSWERS);
        let payload = take(data, "answer").unwrap_or_else(|| core::mem::take(data));
        let reason = payload.text("reason").map(String::from);
        return Content::Answer { id, approved: decision(&payload), reason, payload };
    }
    if data.text("call_id").is_some() && data.get("output").is_some() {
        let mut result = ToolResult::new(take_string(data, "call_id"), Vec::new());
        let output = take(data, "output").map(into_text).unwrap_or_default();
        result.parts = match take(data, "content") {
            Some(Value::Array(list)) => {
                read_blocks(list).unwrap_or_else(|_| [Part::text(output)].into())
            }
            _ => [Part::text(output)].into(),
        };
        result.error = take_bool(data, "is_error") == Some(true);
        return Content::Result(result);
    }
    if data.text("call_id").is_some() && data.get("arguments").is_some() {
        let arguments = take(data, "arguments").map(into_text).unwrap_or_default();
        return Content::Call(Call::function(
            take_string(data, "call_id"),
            take_string(data, "name"),
            arguments,
        ));
    }
    Content::Data(core::mem::take(data))
}
