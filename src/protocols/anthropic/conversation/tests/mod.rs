mod compaction;
mod families;
mod foreign;
mod identity;
mod thinking;

use alloc::string::String;
use alloc::vec::Vec;

use super::REQUESTS;
use crate::hub::Losses;
use crate::hub::conversation::checks::{assert_identity, named, parsed, sent, sorted, written};
use crate::hub::conversation::{
    Call, CallInput, Content, Conversation, Function, Media, MediaForm, MediaSource, Opaque,
    Output, Part, RunBy, SettingKey, Tool, ToolChoice, ToolResult, Turn, TurnRole, normalise,
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

fn system(text: &str) -> Turn {
    Turn::new(TurnRole::System, [Part::text(text)].into())
}

fn answer(parts: impl IntoIterator<Item = Part>) -> Turn {
    Turn::new(TurnRole::Assistant, parts.into_iter().collect())
}

fn called(id: &str, result: &str) -> Part {
    let mut call = Call::function(id, "f", r#"{"city":"Oslo"}"#);
    call.result = Some(ToolResult::new(id, [Part::text(result)].into()));
    Part::new(Content::Call(call))
}

fn thought(signature: &str) -> Part {
    Part::reasoning("t").with_opaque(Some(Opaque::of_member("anthropic", "signature", signature)))
}

fn function(name: &str) -> Tool {
    Tool::Function(Function { name: name.into(), ..Function::default() })
}

fn messages(request: &Value) -> String {
    request.get("messages").map(Value::to_json).unwrap_or_default()
}

const TEXT: &str = r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#;

/// Returns how a model is told to think.
fn thinking(settings: &[(SettingKey, Value)], model: &str) -> String {
    let mut conversation = foreign([user("hi")]);
    conversation.settings.set(SettingKey::MaxTokens, 20_000);
    settings.iter().for_each(|(key, value)| conversation.settings.set(*key, value.clone()));
    let (request, _) = sent(&REQUESTS, conversation, model);
    let mut found = Value::Object(Vec::new());
    for key in ["max_tokens", "thinking", "output_config"] {
        if let Some(value) = request.get(key).filter(|value| **value != Value::from(20_000)) {
            found.insert(key, value.clone());
        }
    }
    sorted(found).to_json()
}

fn in_order(json: &str) -> String {
    sorted(parsed(json)).to_json()
}
