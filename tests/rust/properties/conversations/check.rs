//! What is checked of a conversion.

use agentwire::ProtocolKind;
use agentwire::builder::Counter;
use agentwire::convert::TypedRequest;
use agentwire::hub::conversation::{Conversation, is_sealed};
use agentwire::hub::{Loss, Losses};
use agentwire::{Limits, json};
use serde_json::Value;

use super::talk::{is_content_loss, issued_by, said_in};
use super::validate::Model;
use super::{convert, options};

/// The conversion of a request.
#[derive(Clone, Copy)]
pub struct Check<'a> {
    pub from: ProtocolKind,
    pub asked: &'a str,
    pub to: ProtocolKind,
    /// The name of the model, if the target is one.
    pub model: Option<&'a str>,
}

/// `Err` says what does not hold.
pub type Held = Result<(), String>;

impl<'a> Check<'a> {
    /// The conversion for a model.
    pub fn for_model(from: ProtocolKind, asked: &'a str, model: &'a Model) -> Self {
        Check { from, asked, to: model.protocol, model: Some(model.name) }
    }

    /// Returns the request of the target, and the losses.
    fn sent(self) -> (String, Losses) {
        let (sent, losses) = convert(self.from, self.asked, self.to, &options(self.model));
        (sent.json, losses)
    }

    fn failed(self, what: impl std::fmt::Display) -> String {
        let Check { from, asked, to, model } = self;
        let (sent, losses) = self.sent();
        format!(
            "{from:?} to {to:?} {}: {what}\n{asked}\n{sent}\n{}",
            model.unwrap_or_default(),
            losses.to_json()
        )
    }

    /// The API of the model accepts the request.
    pub fn is_accepted(self, model: &Model) -> Held {
        let verdict = model.validate(&self.sent().0, &issued_by(model.protocol));
        verdict.map_err(|refusal| self.failed(refusal))
    }

    /// The request is one of the target's Rust type.
    pub fn is_parsed(self) -> Held {
        parsed(self.to, &self.sent().0).map_err(|error| self.failed(error))
    }

    /// Each text of the client is in the request, or the loss of it is noted.
    pub fn keeps_texts(self) -> Held {
        let (sent, losses) = self.sent();
        let is_noted = losses.iter().any(|loss| is_content_loss(loss.kind));
        let gone: Vec<&str> = said_in(self.asked).filter(|word| !sent.contains(word)).collect();
        if gone.is_empty() || is_noted {
            Ok(())
        } else {
            Err(self.failed(format!("texts are gone: {gone:?}")))
        }
    }

    /// Preparing a conversation again changes nothing, and loses nothing more.
    pub fn is_prepared_once(self) -> Held {
        let options = options(self.model);
        let mut once = read(self.from, self.asked);
        let prepared = once.prepare(self.to, &options, &mut Losses::default());
        prepared.map_err(|error| self.failed(error))?;
        let mut twice = once.clone();
        let mut losses = Losses::default();
        twice.prepare(self.to, &options, &mut losses).map_err(|error| self.failed(error))?;
        let [first, second] = [&once, &twice].map(|prepared| {
            prepared
                .write(self.to, &mut Counter::default())
                .unwrap_or_else(|error| panic!("{error}"))
        });
        if let Some(difference) = difference(&first, &second) {
            return Err(self.failed(format!("prepared again {difference}")));
        }
        if let Some(loss) = losses.iter().next() {
            return Err(
                self.failed(format!("prepared again: lost {} {}", loss.kind, loss.location))
            );
        }
        if once != twice {
            Err(self.failed(format!("prepared again\n{once:?}\n{twice:?}")))
        } else {
            Ok(())
        }
    }

    /// The request that was sent is the same after it was read, prepared and written in its own
    /// protocol.
    pub fn is_read_again(self) -> Held {
        let (sent, _) = self.sent();
        let (again, losses) = through_tree(self.to, &sent, self.model);
        let [first, second] = [&sent, &again].map(|request| without_forms(request));
        if let Some(difference) = difference(&first, &second) {
            return Err(self.failed(format!("read again {difference}\n{again}")));
        }
        if let Some(loss) = losses.iter().next() {
            return Err(self.failed(format!("read again: lost {} {}", loss.kind, loss.location)));
        }
        Ok(())
    }

    /// The request for the model is the same if the request of the client was converted to the
    /// protocol of an agent before.
    pub fn is_same_through_agent(self) -> Held {
        let (direct, losses) = self.sent();
        let (asked, mut first) =
            convert(self.from, self.asked, ProtocolKind::AgentApi, &options(None));
        let (sent, second) =
            convert(ProtocolKind::AgentApi, &asked.json, self.to, &options(self.model));
        first.extend(&second);
        // An agent is asked for a stream or for none, and the ids of its calls are unique before
        // those of unsupported calls are gone.
        let [one, other] =
            [&direct, &sent.json].map(|request| with_numbers(&without_stream(request)));
        if let Some(difference) = difference(&one, &other) {
            return Err(self
                .failed(format!("through an agent {difference}\n{}\n{}", asked.json, sent.json)));
        }
        // An agent may have the conversation, and leaves out what is empty.
        let is_known = |lost: &Loss| {
            let own = first.iter().any(|loss| loss.kind == lost.kind);
            own || matches!(lost.kind, "history" | "message-empty")
        };
        if let Some(lost) = losses.iter().find(|lost| !is_known(lost)) {
            let first = first.to_json();
            let what = format!("through an agent is not lost: {} {}", lost.kind, lost.location);
            return Err(self.failed(format!("{what}\n{}\n{first}", asked.json)));
        }
        Ok(())
    }
}

/// Reads a request.
fn read(protocol: ProtocolKind, request: &str) -> Conversation {
    Conversation::read(protocol, request, &Limits::default())
        .unwrap_or_else(|error| panic!("{protocol:?}: {error}\n{request}"))
}

/// Reads, prepares and writes a request of one protocol.
pub fn through_tree(
    protocol: ProtocolKind,
    request: &str,
    model: Option<&str>,
) -> (String, Losses) {
    let mut losses = Losses::default();
    let mut conversation = read(protocol, request);
    let failed = |error| panic!("{protocol:?}: {error}\n{request}");
    conversation.prepare(protocol, &options(model), &mut losses).unwrap_or_else(failed);
    let written = conversation.write(protocol, &mut Counter::default());
    (written.unwrap_or_else(|error| panic!("{protocol:?}: {error}\n{request}")), losses)
}

/// A request of the same protocol is not changed, unless it has a sealed string.
pub fn is_unchanged(protocol: ProtocolKind, request: &str) -> Held {
    let asked =
        json::Value::parse(request, 128).map_err(|error| format!("{error:?}: {request}"))?;
    let (sent, losses) = convert(protocol, request, protocol, &options(None));
    let is_same = json::Value::parse(&sent.json, 128).is_ok_and(|sent| sent == asked);
    if is_sealed(&asked) || is_same && losses.is_empty() {
        return Ok(());
    }
    Err(format!("{protocol:?} to itself\n{request}\n{}\n{}", sent.json, losses.to_json()))
}

/// Returns a request without the wish for no stream.
fn without_stream(request: &str) -> String {
    let mut value: Value =
        serde_json::from_str(request).unwrap_or_else(|error| panic!("{error}: {request}"));
    if value["stream"] == false {
        value.as_object_mut().and_then(|members| members.remove("stream"));
    }
    value.to_string()
}

/// Returns a request with the ids of calls by the order in which they appear.
fn with_numbers(request: &str) -> String {
    fn number(value: &mut Value, ids: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| number(item, ids)),
            Value::Object(members) => {
                for (key, value) in members {
                    match (key.as_str(), &*value) {
                        ("id" | "call_id" | "tool_call_id" | "tool_use_id", Value::String(id)) => {
                            let at =
                                ids.iter().position(|known| known == id).unwrap_or_else(|| {
                                    ids.push(id.clone());
                                    ids.len() - 1
                                });
                            *value = at.into();
                        }
                        _ => number(value, ids),
                    }
                }
            }
            _ => {}
        }
    }
    let mut value: Value =
        serde_json::from_str(request).unwrap_or_else(|error| panic!("{error}: {request}"));
    number(&mut value, &mut Vec::new());
    value.to_string()
}

/// Returns a request with the messages of the assistant in one of the two forms that Responses has
/// for them: without id and status, which are made for a server.
fn without_forms(request: &str) -> String {
    let mut value: Value =
        serde_json::from_str(request).unwrap_or_else(|error| panic!("{error}: {request}"));
    for item in value.get_mut("input").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(members) = item
            .as_object_mut()
            .filter(|item| item.get("role").is_some_and(|role| role == "assistant"))
        else {
            continue;
        };
        ["id", "status"].iter().for_each(|name| drop(members.remove(*name)));
        if let Some([only]) = members.get("content").and_then(Value::as_array).map(Vec::as_slice)
            && only["type"] == "output_text"
        {
            let text = only["text"].clone();
            members.insert("content".into(), text);
        }
        for part in members.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten() {
            part.as_object_mut().and_then(|part| part.remove("annotations"));
        }
    }
    value.to_string()
}

/// Returns where two JSON texts differ first, with both values.
fn difference(first: &str, second: &str) -> Option<String> {
    let [first, second] = [first, second].map(|json| {
        serde_json::from_str::<Value>(json).unwrap_or_else(|error| panic!("{error}: {json}"))
    });
    let mut path = String::new();
    let (first, second) = different(&first, &second, &mut path)?;
    Some(format!("at {path}: {first} is {second}"))
}

fn different<'v>(
    first: &'v Value,
    second: &'v Value,
    path: &mut String,
) -> Option<(&'v Value, &'v Value)> {
    let length = path.len();
    match (first, second) {
        (Value::Object(one), Value::Object(other)) => {
            for key in one.keys().chain(other.keys()) {
                let [one, other] =
                    [one, other].map(|members| members.get(key).unwrap_or(&Value::Null));
                *path += &format!(".{key}");
                if let Some(found) = different(one, other, path) {
                    return Some(found);
                }
                path.truncate(length);
            }
            None
        }
        (Value::Array(one), Value::Array(other)) => {
            for at in 0..one.len().max(other.len()) {
                let [one, other] = [one, other].map(|items| items.get(at).unwrap_or(&Value::Null));
                *path += &format!("[{at}]");
                if let Some(found) = different(one, other, path) {
                    return Some(found);
                }
                path.truncate(length);
            }
            None
        }
        (one, other) if one == other => None,
        pair => Some(pair),
    }
}

/// Parses the request of a protocol as its Rust type.
fn parsed(protocol: ProtocolKind, json: &str) -> Held {
    fn of<T: TypedRequest>(json: &str) -> Held {
        T::parse_body(json).map(drop).map_err(|error| error.to_string())
    }
    match protocol {
        ProtocolKind::Chat => of::<agentwire::chat::request::ChatRequest>(json),
        ProtocolKind::Responses => of::<agentwire::responses::request::CreateResponse>(json),
        ProtocolKind::Anthropic => of::<agentwire::anthropic::request::MessagesRequest>(json),
        ProtocolKind::Gemini => of::<agentwire::gemini::request::GenerateContentRequest>(json),
        ProtocolKind::Interactions => {
            of::<agentwire::interactions::request::CreateInteraction>(json)
        }
        ProtocolKind::AgUi => of::<agentwire::ag_ui::request::RunAgentInput>(json),
        ProtocolKind::AiSdk => of::<agentwire::ai_sdk::request::UiRequest>(json),
        ProtocolKind::A2a => of::<agentwire::a2a::request::SendMessageRequest>(json),
        ProtocolKind::AgKit => of::<agentwire::ag_kit::request::SendMessageInput>(json),
        ProtocolKind::AgentScope => of::<agentwire::agentscope::request::ChatRequest>(json),
        ProtocolKind::AgentApi => of::<agentwire::agent_api::request::AgentRequest>(json),
        _ => panic!("a protocol whose requests are not parsed here"),
    }
}
