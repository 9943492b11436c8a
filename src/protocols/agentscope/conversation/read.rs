//! From a request to a conversation.

use alloc::vec::Vec;

use super::FORMAT;
use crate::hub::conversation::members::{
    into_list, into_text, rest, take, take_bool, take_list, take_string, take_text,
};
use crate::hub::conversation::{
    Call, Content, Conversation, Media, MediaForm, MediaSource, Opaque, Part, SettingKey,
    ToolResult, Turn, TurnRole,
};
use crate::json::Value;

pub(super) fn read(mut request: Value) -> Conversation {
    let mut conversation = Conversation::new(FORMAT);
    let id = take(&mut request, "session_id").map(into_text);
    // An empty id would be the conversation of everybody.
    conversation.id = id.filter(|id| !id.is_empty());
    if let Some(agent) = take(&mut request, "agent_id").map(into_text) {
        conversation.settings.scalars.push((SettingKey::Model, agent.into()));
    }
    match take(&mut request, "input") {
        None | Some(Value::Null) => {}
        Some(Value::Array(messages)) => {
            messages.into_iter().for_each(|message| append(&mut conversation, message));
        }
        Some(message) => append(&mut conversation, message),
    }
    conversation.more = rest(request);
    conversation
}

/// Adds a message or an event of a request, or the snapshot of a reply.
pub(super) fn append(conversation: &mut Conversation, mut message: Value) {
    match message.text("type") {
        Some("USER_CONFIRM_RESULT") => {
            let reply = take(&mut message, "reply_id");
            let results = take_list(&mut message, "confirm_results");
            let parts = results.into_iter().map(|result| answer(result, reply.as_ref()));
            conversation.turn(TurnRole::User).parts.extend(parts);
        }
        Some("EXTERNAL_EXECUTION_RESULT") => {
            let reply = take(&mut message, "reply_id");
            for block in take_list(&mut message, "execution_results") {
                let mut result = result(block);
                if let (Some(reply), Some(opaque)) = (&reply, &mut result.opaque) {
                    opaque.members.push(crate::json::Member::new("reply_id", reply.clone()));
                }
                conversation.turn(TurnRole::User).parts.push(Part::new(Content::Result(result)));
            }
        }
        _ => append_message(conversation, message),
    }
}

fn answer(mut result: Value, reply: Option<&Value>) -> Part {
    let approved = take_bool(&mut result, "confirmed");
    let id = result.get("tool_call").and_then(|call| call.text("id")).unwrap_or_default().into();
    if let Some(reply) = reply {
        result.insert("reply_id", reply.clone());
    }
    let (reason, payload) = (None, Value::Null);
    Part::new(Content::Answer { id, approved, reason, payload }).with_rest(FORMAT, result)
}

fn append_message(conversation: &mut Conversation, mut message: Value) {
    let role = match message.text("role") {
        Some("assistant") => TurnRole::Assistant,
        Some("system") => TurnRole::System,
        _ => TurnRole::User,
    };
    let (id, name) = (take_text(&mut message, "id"), take_text(&mut message, "name"));
    // The usual name is that of the role.
    let name = name.filter(|name| role == TurnRole::User && name != "user");
    let mut turn = Turn { id, name, ..Turn::new(role, Vec::new()) };
    let mut results = Vec::new();
    match take(&mut message, "content") {
        Some(Value::String(text)) => turn.parts.push(Part::text(text)),
        content => {
            for block in content.map(into_list).unwrap_or_default() {
                append_block(block, &mut turn.parts, &mut results);
            }
        }
    }
    for result in results {
        let call = turn.parts.iter_mut().filter_map(Part::as_call_mut);
        match call.into_iter().find(|call| call.id == result.call) {
            Some(call) => call.result = Some(result),
            None => turn.parts.push(Part::new(Content::Result(result))),
        }
    }
    conversation.turns.push(turn);
}

fn append_block(mut block: Value, parts: &mut Vec<Part>, results: &mut Vec<ToolResult>) {
    match block.text("type") {
        Some("text") => parts.push(Part::text(take_string(&mut block, "text"))),
        Some("thinking") => {
            let part = Part::reasoning(take_string(&mut block, "thinking"));
            parts.push(part.with_opaque(own_rest(block, &["type"])));
        }
        Some("data") => parts.push(Part::new(Content::Media(media(block)))),
        Some("tool_call") => {
            let (id, name) = (take_string(&mut block, "id"), take_string(&mut block, "name"));
            let is_asked = block.text("state") == Some("asking");
            let call = Call::function(id.as_str(), name, take_string(&mut block, "input"));
            parts.push(Part::new(Content::Call(call)));
            if is_asked {
                let (call, payload) = (Some(id.clone()), Value::Null);
                parts.push(Part::new(Content::Question { id, call, payload }));
            }
        }
        // One that runs has no result yet.
        Some("tool_result") if block.text("state") == Some("running") => {}
        Some("tool_result") => results.push(result(block)),
        // A hint is for the model of the agent.
        _ => parts.push(Part::new(Content::Native).with_rest(FORMAT, block)),
    }
}

/// Returns the members that are left of a block, without those that every block has.
fn own_rest(mut block: Value, without: &[&str]) -> Option<Opaque> {
    for member in ["id", "created_at", "finished_at"].iter().chain(without) {
        take(&mut block, member);
    }
    Opaque::new(FORMAT, rest(block))
}

fn media(mut block: Value) -> Media {
    let media_type = take_text(&mut block, "source.media_type");
    let kind = MediaForm::of_type(media_type.as_deref());
    let source = match take_text(&mut block, "source.url") {
        Some(url) => MediaSource::Url(url),
        None => MediaSource::Base64(take_string(&mut block, "source.data")),
    };
    let mut media = Media::new(kind, source);
    media.media_type = media_type.filter(|media_type| !media_type.is_empty());
    media.name = take_text(&mut block, "name").filter(|name| !name.is_empty());
    media
}

fn result(mut block: Value) -> ToolResult {
    let id = take_string(&mut block, "id");
    let mut parts = Vec::new();
    match take(&mut block, "output") {
        Some(Value::String(text)) => parts.push(Part::text(text)),
        output => {
            for part in output.map(into_list).unwrap_or_default() {
                append_block(part, &mut parts, &mut Vec::new());
            }
        }
    }
    let mut result = ToolResult::new(id, parts);
    result.error = !matches!(block.text("state"), None | Some("success"));
    result.opaque = own_rest(block, &["type"]);
    result
}

/// Returns the text of a member of the opaque members.
pub(super) fn own_text<'o>(opaque: Option<&'o Opaque>, name: &str) -> Option<&'o str> {
    opaque.filter(|opaque| opaque.format == FORMAT)?.get(name)?.as_str()
}
