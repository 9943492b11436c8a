//! The next request of a client has the blocks of the model's answer as the model's own protocol
//! has them.

use agentwire::Limits;
use agentwire::ProtocolKind::{
    self, A2a, AgUi, AgentApi, AiSdk, Anthropic, Chat, Gemini, Interactions, Responses,
};
use agentwire::builder::Counter;
use agentwire::convert::RequestOptions;
use agentwire::hub::Losses;
use agentwire::hub::conversation::{Conversation, Part, ToolResult};
use serde_json::Value;

use crate::reading::read;

/// A request of the user, to which an answer is appended.
fn asked(protocol: ProtocolKind) -> &'static str {
    match protocol {
        Chat => r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#,
        Anthropic => {
            r#"{"model":"claude-opus-5","max_tokens":9000,"messages":[{"role":"user","content":"hi"}]}"#
        }
        Gemini => r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#,
        Interactions => {
            r#"{"model":"gemini-3-pro","store":false,"input":[{"type":"user_input","content":[{"type":"text","text":"hi"}]}]}"#
        }
        Responses => r#"{"model":"gpt-5","input":[{"role":"user","content":"hi"}]}"#,
        AgUi => {
            r#"{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":"hi"}],"tools":[],"context":[]}"#
        }
        AiSdk => {
            r#"{"id":"c","messages":[{"id":"u","role":"user","parts":[{"type":"text","text":"hi"}]}]}"#
        }
        AgentApi => r#"{"input":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#,
        A2a => r#"{"message":{"messageId":"u","role":"ROLE_USER","parts":[{"text":"hi"}]}}"#,
        other => panic!("{other:?}"),
    }
}

/// Returns the next request to a model: what was asked, an answer, and the results of its calls.
fn request(client: ProtocolKind, answer: &str, model: ProtocolKind, losses: &mut Losses) -> Value {
    let limits = &Limits::default();
    let outcome = read(client, agentwire::read::AnyOptions::default(), [answer.as_bytes()]);
    let snapshot = serde_json::to_value(&outcome.snapshot).expect("JSON")["snapshot"].to_string();
    let mut conversation = Conversation::read(client, asked(client), limits).expect("a request");
    conversation.append(client, &snapshot, limits).expect("an answer");
    for call in conversation.pending() {
        call.result = Some(ToolResult::new(call.id.clone(), vec![Part::text("ok")]));
    }
    let mut options = RequestOptions::default();
    options.scope = Some(super::SCOPE.into());
    options.model = Some(if model == Anthropic { "claude-opus-5" } else { "m" }.into());
    conversation.prepare(model, &options, losses).expect("a model");
    let written = conversation.write(model, &mut Counter::default()).expect("a model");
    serde_json::from_str(&written).expect("JSON")
}

/// Returns the turns of a request.
fn turns(mut request: Value) -> Value {
    let lists = ["messages", "contents", "input"];
    let name = lists.into_iter().find(|name| request.get(name).is_some()).expect("turns");
    let mut turns = request[name].take();
    turns.as_array_mut().into_iter().flatten().for_each(join_details);
    turns
}

/// The client of Chat Completions has the details of the reasoning in pieces, and their text once
/// more.
fn join_details(message: &mut Value) {
    let Some(Value::Array(details)) = message.get_mut("reasoning_details") else { return };
    let mut joined: Vec<Value> = Vec::new();
    for detail in details.drain(..) {
        let last = joined
            .last_mut()
            .filter(|last| last["type"] == detail["type"] && last["index"] == detail["index"]);
        let Some(last) = last else {
            joined.push(detail);
            continue;
        };
        for (name, value) in detail.as_object().expect("a detail") {
            last[name] = match (name.as_str(), last[name].as_str(), value.as_str()) {
                ("text", Some(text), Some(piece)) => [text, piece].concat().into(),
                _ => value.clone(),
            };
        }
    }
    *details = joined;
    message.as_object_mut().expect("a message").remove("reasoning_content");
}

/// Returns the difference between the next request of the client of a protocol, and that of a
/// client of the model's own protocol; `None` if there is none.
pub fn difference(
    model: ProtocolKind,
    answer: &str,
    client: ProtocolKind,
    received: &str,
) -> Option<String> {
    let mut losses = Losses::default();
    let own = request(model, answer, model, &mut Losses::default());
    let carried = request(client, received, model, &mut losses);
    let (own, carried) = (turns(own), turns(carried));
    (own != carried).then(|| format!("{own}\n  {carried}\n  {}", losses.to_json()))
}
