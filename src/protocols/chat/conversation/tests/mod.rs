mod carried;
mod families;
mod foreign;
mod identity;

use alloc::string::String;
use alloc::vec::Vec;

use super::REQUESTS;
use crate::hub::conversation::checks::{assert_identity, named, parsed, sent, sorted, written};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Function, Media, MediaForm, MediaSource, Opaque, Part,
    RunBy, SettingKey, Tool, ToolChoice, ToolResult, Turn, TurnRole,
};
use crate::json::Value;

/// A conversation of another protocol with these turns.
fn foreign(turns: impl IntoIterator<Item = Turn>) -> Conversation {
    let mut conversation = Conversation::new("other");
    conversation.turns = turns.into_iter().collect();
    conversation
}

fn user(text: &str) -> Turn {
    Turn::new(TurnRole::User, [Part::text(text)].into())
}

fn answer(parts: impl IntoIterator<Item = Part>) -> Turn {
    Turn::new(TurnRole::Assistant, parts.into_iter().collect())
}

fn called(id: &str, result: &str) -> Part {
    let mut call = Call::function(id, "f", r#"{"city":"Oslo"}"#);
    call.result = Some(ToolResult::new(id, [Part::text(result)].into()));
    Part::new(Content::Call(call))
}

fn messages(request: &Value) -> String {
    request.get("messages").map(Value::to_json).unwrap_or_default()
}
