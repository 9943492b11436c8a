//! Reads steps and their contents.

use alloc::string::String;
use alloc::vec::Vec;

use super::{FORMAT, STEP};
use crate::hub::conversation::google::{PROVIDER, is_uploaded, is_video};
use crate::hub::conversation::members::{
    into_list, into_text, is_json_object, rest, take, take_bool, take_list, take_string, take_text,
};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Media, MediaForm, MediaSource, Opaque, Part, RunBy,
    ToolResult, Turn, TurnRole,
};
use crate::json::{Member, Value};

/// Adds the input of a request: texts, contents of the user, or steps.
pub(super) fn read_input(conversation: &mut Conversation, input: Vec<Value>) {
    let mut contents = Vec::new();
    for value in input {
        let kind = value.text("type");
        let is_content = matches!(value, Value::String(_)) || kind.is_some_and(is_content);
        if is_content {
            contents.push(value);
            continue;
        }
        user(conversation, core::mem::take(&mut contents), Vec::new());
        read(conversation, value);
    }
    user(conversation, contents, Vec::new());
}

fn is_content(kind: &str) -> bool {
    matches!(kind, "text" | "image" | "audio" | "video" | "document")
}

/// Adds a step of an answer. Those of the client are not part of it; a call that was cut off is
/// none.
pub(super) fn read_answer(conversation: &mut Conversation, mut step: Value, is_whole: bool) {
    take(&mut step, "step_usage");
    let pieces = take_text(&mut step, "partial_arguments").filter(|text| !text.trim().is_empty());
    let is_cut_off = pieces.as_deref().is_some_and(|pieces| !is_json_object(pieces));
    match step.text("type") {
        Some("user_input") => return,
        Some("function_call") if is_cut_off && !is_whole => return,
        Some("function_call") if is_cut_off => {
            step.insert("arguments", pieces.unwrap_or_default().into());
        }
        _ => {}
    }
    read(conversation, step);
}

/// Adds a step.
fn read(conversation: &mut Conversation, mut step: Value) {
    let kind = take_text(&mut step, "type").unwrap_or_default();
    // Turns of an earlier form of the API.
    let kind = match (&*kind, step.text("role")) {
        ("", Some("model")) => "model_output".into(),
        ("", _) => "user_input".into(),
        _ => kind,
    };
    if step.text("signature") == Some("") {
        take(&mut step, "signature");
    }
    match &*kind {
        "user_input" => {
            take(&mut step, "role");
            let contents = take_list(&mut step, "content");
            user(conversation, contents, rest(step));
        }
        "model_output" => {
            take(&mut step, "role");
            let mut parts: Vec<Part> =
                take_list(&mut step, "content").into_iter().map(content).collect();
            mark(&mut parts, rest(step));
            conversation.turn(TurnRole::Assistant).parts.append(&mut parts);
        }
        "thought" => answer(conversation, thought(step)),
        "function_call" => answer(conversation, call(step)),
        "function_result" => {
            let result = Part::new(Content::Result(result(step)));
            conversation.turn(TurnRole::User).parts.push(result);
        }
        kind if kind.ends_with("_call") => answer(conversation, server_call(kind, step)),
        kind if kind.ends_with("_result") => outcome(conversation, kind, step),
        kind => {
            let block = Part::new(Content::Native).with_opaque(whole(kind, step));
            answer(conversation, block);
        }
    }
}

fn answer(conversation: &mut Conversation, part: Part) {
    conversation.turn(TurnRole::Assistant).parts.push(part);
}

/// Returns the opaque members of a step that stays as it is.
fn whole(kind: &str, step: Value) -> Option<Opaque> {
    let mut members = Vec::from([Member::new("type", kind)]);
    members.extend(rest(step));
    Opaque::new(FORMAT, members)
}

/// Adds a turn of the user. Results among the contents are those of an earlier form of the API.
fn user(conversation: &mut Conversation, contents: Vec<Value>, more: Vec<Member>) {
    if contents.is_empty() && more.is_empty() {
        return;
    }
    let mut parts: Vec<Part> = contents.into_iter().map(content).collect();
    mark(&mut parts, more);
    conversation.turns.push(Turn::new(TurnRole::User, parts));
}

/// Gives the members of a step that its parts do not have to its first part.
fn mark(parts: &mut Vec<Part>, more: Vec<Member>) {
    if more.is_empty() {
        return;
    }
    let marker = Member { key: STEP.into(), value: Value::Object(more) };
    match parts.first_mut() {
        Some(Part { opaque: Some(opaque), .. }) => opaque.members.push(marker),
        Some(first) => first.opaque = Opaque::new(FORMAT, [marker].into()),
        None => {
            let opaque = Opaque::new(FORMAT, [marker].into());
            parts.push(Part::new(Content::Native).with_opaque(opaque));
        }
    }
}

/// Reads a content.
pub(super) fn content(mut block: Value) -> Part {
    if let Value::String(text) = block {
        return Part::text(text);
    }
    let kind = take_text(&mut block, "type").unwrap_or_default();
    let form = match &*kind {
        "text" | "" => {
            let text = take_string(&mut block, "text");
            return Part::text(text).with_rest(FORMAT, block);
        }
        "function_result" => return Part::new(Content::Result(result(block))),
        "image" => MediaForm::Image,
        "audio" => MediaForm::Audio,
        "video" => MediaForm::Video,
        "document" => MediaForm::File,
        kind => return Part::new(Content::Native).with_opaque(whole(kind, block)),
    };
    let source = match take_text(&mut block, "uri") {
        Some(uri) if is_uploaded(&uri) => MediaSource::File { provider: PROVIDER.into(), id: uri },
        Some(uri) => MediaSource::Url(uri),
        None => MediaSource::Base64(take_string(&mut block, "data")),
    };
    let mut media = Media::new(form, source);
    if matches!(&media.source, MediaSource::Url(url) if is_video(url)) {
        media.kind = MediaForm::Video;
    }
    media.media_type = take_text(&mut block, "mime_type");
    Part::new(Content::Media(media)).with_rest(FORMAT, block)
}

/// Reads a thought. A summary that is not one text stays in its step.
fn thought(mut step: Value) -> Part {
    let summary = take(&mut step, "summary").map(into_list).unwrap_or_default();
    let text: String = summary.iter().filter_map(|content| content.text("text")).collect();
    let is_plain = |content: &Value| {
        let known = |member: &Member| matches!(&*member.key, "type" | "text");
        content.text("type") == Some("text") && content.members().iter().all(known)
    };
    if text.is_empty() && summary.is_empty() {
        return Part::new(Content::Native).with_opaque(whole("thought", step));
    }
    if !matches!(summary.as_slice(), [only] if is_plain(only)) {
        step.insert("summary", Value::Array(summary));
    }
    if text.is_empty() {
        return Part::new(Content::Native).with_opaque(whole("thought", step));
    }
    Part::new(Content::Reasoning { text, summary: true }).with_rest(FORMAT, step)
}

fn call(mut step: Value) -> Part {
    let id = take_string(&mut step, "id");
    let name = take_string(&mut step, "name");
    let arguments = take(&mut step, "arguments").map_or_else(|| "{}".into(), into_text);
    Part::new(Content::Call(Call::function(id, name, arguments))).with_rest(FORMAT, step)
}

/// Reads the result of a function. One that is an object stays as it is, too.
fn result(mut step: Value) -> ToolResult {
    let call = take_string(&mut step, "call_id");
    // It is that of the call.
    take(&mut step, "name");
    let error = take_bool(&mut step, "is_error") == Some(true);
    if step.text("signature") == Some("") {
        take(&mut step, "signature");
    }
    let parts = match take(&mut step, "result") {
        None => Vec::new(),
        Some(Value::String(text)) => Vec::from([Part::text(text)]),
        Some(Value::Array(list)) if !list.is_empty() && list.iter().all(is_content_of_result) => {
            list.into_iter().map(content).collect()
        }
        Some(other) => {
            let text = other.to_json();
            step.insert("result", other);
            Vec::from([Part::text(text)])
        }
    };
    let opaque = Opaque::new(FORMAT, rest(step));
    ToolResult { error, opaque, ..ToolResult::new(call, parts) }
}

fn is_content_of_result(content: &Value) -> bool {
    content.text("type").is_some_and(is_content)
}

/// Reads the call of a tool of the server. Its step stays as it is.
fn server_call(kind: &str, step: Value) -> Part {
    let text = |name: &str| step.text(name).filter(|text| !text.is_empty()).map(String::from);
    let name = text("name").unwrap_or_else(|| kind.strip_suffix("_call").unwrap_or(kind).into());
    let mut call = Call::function(text("id").unwrap_or_default(), name, String::new());
    call.input = CallInput::Json(step.get("arguments").map_or_else(|| "{}".into(), Value::to_json));
    call.by = RunBy::Provider;
    Part::new(Content::Call(call)).with_opaque(whole(kind, step))
}

/// Reads the result of a tool of the server, which is inside of its call. Its step stays as it is.
fn outcome(conversation: &mut Conversation, kind: &str, step: Value) {
    let id = String::from(step.text("call_id").unwrap_or_default());
    let told = match step.get("result") {
        None => String::new(),
        Some(Value::Array(list)) => {
            let texts: Option<Vec<&str>> = list
                .iter()
                .map(|item| item.text("text").filter(|_| item.text("type") == Some("text")))
                .collect();
            texts.map_or_else(|| Value::Array(list.clone()).to_json(), |texts| texts.join("\n"))
        }
        Some(other) => other.to_text().into_owned(),
    };
    let mut result = ToolResult::new(&*id, [Part::text(told)].into());
    result.error = step.get("is_error").and_then(Value::as_bool) == Some(true);
    result.opaque = whole(kind, step);
    let turn = conversation.turn(TurnRole::Assistant);
    let last = turn.parts.last_mut().and_then(Part::as_call_mut);
    match last.filter(|call| call.by == RunBy::Provider && call.result.is_none() && call.id == id) {
        Some(call) => call.result = Some(result),
        None => turn.parts.push(Part::new(Content::Native).with_opaque(result.opaque)),
    }
}
