//! From a conversation to a request.

use alloc::string::String;
use alloc::vec::Vec;

use super::read::own_text;
use crate::core::id::IdSource;
use crate::hub::conversation::members::write_members;
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Media, MediaSource, Part, SettingKey, ToolResult, Turn,
    TurnRole,
};
use crate::json::{ObjectWriter, write_list};

pub(super) fn write(conversation: &Conversation, ids: &mut dyn IdSource) -> String {
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let agent = conversation.settings.text(SettingKey::Model);
    request.string("agent_id", Some(agent.unwrap_or_default()));
    let made = || ids.next_id("session_");
    request.string("session_id", Some(&conversation.id.clone().unwrap_or_else(made)));
    write_input(conversation, request.member("input"));
    write_members(&conversation.more, &mut request);
    request.close();
    out
}

/// Writes the answers, the results, or else the messages.
fn write_input(conversation: &Conversation, out: &mut String) {
    let parts = || conversation.turns.iter().flat_map(|turn| &turn.parts);
    let answers: Vec<&Part> =
        parts().filter(|part| matches!(part.content, Content::Answer { .. })).collect();
    if !answers.is_empty() {
        let reply = answers.iter().find_map(|part| own_text(part.opaque.as_ref(), "reply_id"));
        let mut event = event("USER_CONFIRM_RESULT", reply, conversation, out);
        write_list(answers, event.member("confirm_results"), |part, out| {
            write_answer(part, conversation, out);
        });
        return event.close();
    }
    let results: Vec<&ToolResult> = parts()
        .filter_map(|part| match &part.content {
            Content::Result(result) => Some(result),
            Content::Call(call) => call.result.as_ref(),
            _ => None,
        })
        .collect();
    if !results.is_empty() {
        let reply = results.iter().find_map(|result| own_text(result.opaque.as_ref(), "reply_id"));
        let mut event = event("EXTERNAL_EXECUTION_RESULT", reply, conversation, out);
        write_list(results, event.member("execution_results"), |result, out| {
            write_result(result, conversation, out);
        });
        return event.close();
    }
    match &conversation.turns[..] {
        [] => out.push_str("null"),
        [turn] => write_message(turn, out),
        turns => write_list(turns, out, write_message),
    }
}

/// Begins an event that continues a reply: the one that it was read from, or the last answer.
fn event<'o>(
    name: &str,
    reply: Option<&str>,
    conversation: &Conversation,
    out: &'o mut String,
) -> ObjectWriter<'o> {
    let last = || {
        let answer = conversation.turns.iter().rev();
        answer.filter(|turn| turn.role == TurnRole::Assistant).find_map(|turn| turn.id.as_deref())
    };
    let mut event = ObjectWriter::open(out, true);
    event.string("type", Some(name));
    event.string("reply_id", Some(reply.or_else(last).unwrap_or_default()));
    event
}

/// Returns the call with an id, or the one that a question with that id is about.
fn called<'c>(conversation: &'c Conversation, id: &str) -> Option<&'c Call> {
    let parts = || conversation.turns.iter().flat_map(|turn| &turn.parts);
    let question = parts().find_map(|part| match &part.content {
        Content::Question { id: question, call: Some(call), .. } if question == id => Some(&**call),
        _ => None,
    });
    let id = question.unwrap_or(id);
    parts().filter_map(Part::as_call).find(|call| call.id == id)
}

fn write_answer(part: &Part, conversation: &Conversation, out: &mut String) {
    let Content::Answer { id, approved, .. } = &part.content else { return out.push_str("null") };
    let mut answer = ObjectWriter::open(out, true);
    answer.bool("confirmed", Some(*approved == Some(true)));
    if part.opaque.as_ref().is_none_or(|opaque| opaque.get("tool_call").is_none()) {
        let call = called(conversation, id);
        let mut block = ObjectWriter::open(answer.member("tool_call"), true);
        block.string("type", Some("tool_call"));
        block.string("id", Some(call.map_or(id, |call| &call.id)));
        block.string("name", Some(call.map_or("", |call| &call.name)));
        let input = call.map_or("{}", |call| match &call.input {
            CallInput::Json(input) | CallInput::Text(input) => input,
        });
        block.string("input", Some(input));
        block.close();
    }
    part.write_opaque_except(&["reply_id"], &mut answer);
    answer.close();
}

fn write_result(result: &ToolResult, conversation: &Conversation, out: &mut String) {
    let own = |name: &str| own_text(result.opaque.as_ref(), name);
    let mut block = ObjectWriter::open(out, true);
    block.string("type", Some("tool_result"));
    block.string("id", Some(&result.call));
    let name = own("name").or_else(|| Some(&*called(conversation, &result.call)?.name));
    block.string("name", Some(name.unwrap_or_default()));
    write_list(&result.parts, block.member("output"), write_part);
    let state = own("state").unwrap_or(if result.error { "error" } else { "success" });
    block.string("state", Some(state));
    if let Some(metadata) = result.opaque.as_ref().and_then(|opaque| opaque.get("metadata")) {
        block.value("metadata", Some(metadata));
    }
    block.close();
}

fn write_message(turn: &Turn, out: &mut String) {
    let role = match turn.role {
        TurnRole::Assistant => "assistant",
        TurnRole::System | TurnRole::Developer => "system",
        TurnRole::User => "user",
    };
    let mut message = ObjectWriter::open(out, true);
    message.string("name", Some(turn.name.as_deref().unwrap_or(role)));
    message.string("role", Some(role));
    message.string("id", turn.id.as_deref());
    write_list(&turn.parts, message.member("content"), write_part);
    message.close();
}

fn write_part(part: &Part, out: &mut String) {
    let mut block = ObjectWriter::open(out, true);
    match &part.content {
        Content::Text(text) | Content::Refusal(text) => {
            block.string("type", Some("text"));
            block.string("text", Some(text));
        }
        Content::Reasoning { text, .. } => {
            block.string("type", Some("thinking"));
            block.string("thinking", Some(text));
            part.write_opaque(&mut block);
        }
        Content::Media(media) => write_media(media, &mut block),
        // Others were left out, or are blocks of the protocol.
        _ => part.write_opaque(&mut block),
    }
    block.close();
}

fn write_media(media: &Media, block: &mut ObjectWriter<'_>) {
    block.string("type", Some("data"));
    let mut source = ObjectWriter::open(block.member("source"), true);
    match &media.source {
        MediaSource::Base64(data) => {
            source.string("type", Some("base64"));
            source.string("data", Some(data));
        }
        _ => {
            source.string("type", Some("url"));
            source.string("url", Some(&media.to_url()));
        }
    }
    source.string("media_type", Some(media.type_or_usual()));
    source.close();
    block.string("name", media.name.as_deref());
}
