//! The parts of a message in a request.

use std::borrow::ToOwned;
use std::string::String;
use std::vec::Vec;

use super::calls::{PairedCall, PairedCalls, data_of, input_text};
use crate::core::limits::Limits;
use crate::core::request::decision::decision;
use crate::json::{Raw, Value};
use crate::protocols::agent_api::request::{InputContent, InputMessage};
use crate::protocols::agent_api::{MessageType, Payload, Style};

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MessagePart {
    /// A text.
    #[non_exhaustive]
    Text {
        /// The text.
        text: String,
        /// Whether it is the reason why the agent refused to answer.
        is_refusal: bool,
    },
    /// Reasoning of the model, or its summary.
    Reasoning(String),
    /// A call of a tool, or a question of the agent.
    Tool(ToolPart),
    /// A file.
    #[non_exhaustive]
    File {
        /// The media type; `image/*` and similar ones if the client has sent none.
        media_type: String,
        /// The address: absolute, or a data URL with the content.
        url: String,
        /// The file name.
        filename: Option<String>,
    },
    /// Content that no other part represents.
    #[non_exhaustive]
    Data {
        /// The kind of content: the type of its message, or `json`.
        kind: String,
        /// The id of an error.
        id: Option<String>,
        /// The value, as the Agent API has it.
        data: Value,
    },
}

/// A call of a tool, or a question of the agent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolPart {
    /// The id of the call or the question; empty if the request has none.
    pub id: String,
    /// The name of the tool, or the reason of the question.
    pub name: String,
    /// The arguments: parsed JSON, or the text if it is none.
    pub input: Value,
    /// The server of a tool of MCP.
    pub server: Option<Value>,
    /// The state.
    pub state: ToolState,
}

/// The state of a call or a question.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolState {
    /// A call without a result.
    Called,
    /// A call with this result.
    Answered(Value),
    /// A question without an answer.
    Asked(Question),
    /// A question with the decision of the user.
    #[non_exhaustive]
    Decided {
        /// The question.
        question: Question,
        /// Whether the user has approved.
        approved: bool,
        /// The reason of the user.
        reason: Option<String>,
    },
}

/// A question of the agent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// The id.
    pub id: String,
    /// The question, as the Agent API has it.
    pub descriptor: Value,
    /// Its text, if it has one.
    pub text: Option<String>,
}

impl MessagePart {
    /// Returns the text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            MessagePart::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns the part as an object with the members of a part of the AI SDK's `UIMessage`.
    pub fn to_value(&self) -> Value {
        match self {
            MessagePart::Text { text, is_refusal } => {
                let mut part = typed("text", [("text", text.as_str().into()), done()]);
                if *is_refusal {
                    part.insert("providerMetadata", agentwire("refusal", true.into()));
                }
                part
            }
            MessagePart::Reasoning(text) => {
                typed("reasoning", [("text", text.as_str().into()), done()])
            }
            MessagePart::Tool(tool) => tool.to_value(),
            MessagePart::File { media_type, url, filename } => {
                let (media_type, url) = (media_type.as_str().into(), url.as_str().into());
                let mut part = typed("file", [("mediaType", media_type), ("url", url)]);
                if let Some(name) = filename {
                    part.insert("filename", name.as_str().into());
                }
                part
            }
            MessagePart::Data { kind, id, data } => {
                let mut part = typed(&["data-", kind].concat(), []);
                if let Some(id) = id {
                    part.insert("id", id.as_str().into());
                }
                part.insert("data", data.clone());
                part
            }
        }
    }
}

impl ToolPart {
    fn to_value(&self) -> Value {
        let mut part = typed(
            "dynamic-tool",
            [("toolName", self.name.as_str().into()), ("toolCallId", self.id.as_str().into())],
        );
        if let Some(server) = &self.server {
            part.insert("callProviderMetadata", agentwire("server", server.clone()));
        }
        let mut set = |state: &str, more: Option<(&str, Value)>| {
            part.insert("state", state.into());
            part.insert("input", self.input.clone());
            if let Some((key, value)) = more {
                part.insert(key, value);
            }
        };
        match &self.state {
            ToolState::Called => set("input-available", None),
            ToolState::Answered(output) => {
                set("output-available", Some(("output", output.clone())));
            }
            ToolState::Asked(question) => {
                set("approval-requested", Some(("approval", question.to_value())));
            }
            ToolState::Decided { question, approved, reason } => {
                let mut approval = question.to_value();
                if let Some(reason) = reason {
                    approval.insert("reason", reason.as_str().into());
                }
                approval.insert("approved", (*approved).into());
                set("approval-responded", Some(("approval", approval)));
            }
        }
        part
    }

    fn of(call: &PairedCall<'_>) -> Self {
        let data = call.call.or(call.output).unwrap_or(&Value::Null);
        let id: String = call.id.unwrap_or_default().into();
        let name = call.name.unwrap_or(if call.asks { "question" } else { "tool" });
        let state = match (call.asks, call.output) {
            (false, None) => ToolState::Called,
            (false, Some(output)) => {
                ToolState::Answered(output.get("output").cloned().unwrap_or_default())
            }
            (true, answer) => {
                let question = Question::of(&id, data);
                match answer {
                    None => ToolState::Asked(question),
                    Some(answer) => decided(question, answer),
                }
            }
        };
        let server = data.get("server_label").filter(|server| !server.is_null()).cloned();
        ToolPart { id, name: name.into(), input: json_or_text(&input_text(call)), server, state }
    }
}

fn decided(question: Question, answer: &Value) -> ToolState {
    let said = ["reason", "payload"].into_iter().filter_map(|key| answer.get(key));
    let said = said.into_iter().find(|value| !value.is_null());
    ToolState::Decided {
        question,
        approved: decision(answer) == Some(true),
        reason: said.and_then(Value::as_str).map(ToOwned::to_owned),
    }
}

impl Question {
    fn to_value(&self) -> Value {
        let id = Value::from(self.id.as_str());
        let mut question = Value::from([("id", id), ("descriptor", self.descriptor.clone())]);
        if let Some(text) = &self.text {
            question.insert("requestReason", text.as_str().into());
        }
        question
    }

    fn of(id: &str, data: &Value) -> Self {
        let payload = data.get("payload");
        let parsed = payload.and_then(Value::as_str).map(json_or_text);
        let texts = [data.get("text"), payload, parsed.as_ref()];
        let text = texts.into_iter().flatten().find_map(question_text);
        Question { id: id.into(), descriptor: data.clone(), text: text.map(ToOwned::to_owned) }
    }
}

/// Returns the text of a question: a text, or the member of a payload that has it.
fn question_text(value: &Value) -> Option<&str> {
    let texts = match value {
        Value::Object(_) => ["text", "question", "message"].map(|key| value.text(key)),
        _ => [value.as_str(), None, None],
    };
    texts.into_iter().flatten().find(|text| !text.is_empty())
}

/// Returns the value of a JSON text: an object for an empty text, and the text itself if it is not
/// JSON.
fn json_or_text(text: &str) -> Value {
    match text.trim() {
        "" => Value::Object(Vec::new()),
        _ => Value::parse(text, Limits::default().json_depth).unwrap_or_else(|_| text.into()),
    }
}

/// Returns the parts of messages that follow each other.
pub(super) fn parts_in(messages: &[InputMessage]) -> Vec<MessagePart> {
    let calls = PairedCalls::of(messages);
    let mut parts = Vec::new();
    for message in messages {
        let contents = message.content.as_deref().unwrap_or_default();
        if contents.is_empty() && message.r#type == MessageType::Error {
            parts.push(error_part(message));
        }
        for content in contents {
            let Some(data) = data_of(content) else {
                parts.push(part_of(content, &message.r#type));
                continue;
            };
            match calls.at(data) {
                Some((call, true)) => parts.push(MessagePart::Tool(ToolPart::of(call))),
                // The output is in the part of its call.
                Some((_, false)) => {}
                None => {
                    let kind = match &message.r#type {
                        MessageType::Message => "json",
                        other => other.as_str(),
                    };
                    parts.push(data_part(kind, data.clone()));
                }
            }
        }
    }
    parts
}

fn error_part(message: &InputMessage) -> MessagePart {
    let mut data = Value::Object(Vec::new());
    for (key, text) in [("code", &message.code), ("message", &message.message)] {
        if let Some(text) = text {
            data.insert(key, text.as_str().into());
        }
    }
    let id = message.id.clone().filter(|id| !id.is_empty());
    MessagePart::Data { kind: "error".into(), id, data }
}

fn data_part(kind: &str, data: Value) -> MessagePart {
    MessagePart::Data { kind: kind.into(), id: None, data }
}

/// Returns the part of a content that is no data.
fn part_of(content: &InputContent, message: &MessageType) -> MessagePart {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    match &content.payload {
        Payload::Text { text: of_model } if *message == MessageType::Reasoning => {
            MessagePart::Reasoning(text(of_model))
        }
        Payload::Text { text: written } => {
            MessagePart::Text { text: text(written), is_refusal: false }
        }
        Payload::Refusal { refusal } => MessagePart::Text { text: text(refusal), is_refusal: true },
        Payload::Image { image_url } => file_part(content, "image/*", image_url.clone(), None),
        Payload::Video { video_url } => file_part(content, "video/*", video_url.clone(), None),
        // The bytes in base64, or a URL.
        Payload::Audio { data, format } => {
            let kind = ["audio/", format.as_deref().unwrap_or("*")].concat();
            let is_url = data.as_deref().is_some_and(has_scheme);
            let (url, base64) = if is_url { (data.clone(), None) } else { (None, data.clone()) };
            let url = url.or_else(|| Some(data_url(content, &kind, base64.as_deref())));
            file_part(content, &kind, url, None)
        }
        Payload::File { file_url, file_data, filename, .. } => {
            let kind = "application/octet-stream";
            let bytes = file_data.as_deref();
            let url = file_url.clone().or_else(|| Some(data_url(content, kind, Some(bytes?))));
            file_part(content, kind, url, filename.clone().filter(|name| !name.is_empty()))
        }
        _ => {
            let native = native(content);
            let kind = native.text("type").unwrap_or_default().to_owned();
            data_part(&kind, native)
        }
    }
}

/// Returns the part of a file. Its address is absolute: a relative one would refer to the page, not
/// to the agent, and is returned as data.
fn file_part(
    content: &InputContent,
    kind: &str,
    url: Option<String>,
    filename: Option<String>,
) -> MessagePart {
    let url = url.unwrap_or_default();
    if !has_scheme(&url) {
        return data_part("file", native(content));
    }
    let named = url.strip_prefix("data:").and_then(|rest| rest.split([';', ',']).next());
    let named = named.filter(|named| !named.is_empty());
    let media_type = named.map_or_else(|| media_type(content, kind), ToOwned::to_owned);
    MessagePart::File { media_type, url, filename }
}

fn media_type(content: &InputContent, usual: &str) -> String {
    let member = content.extra.iter().find(|member| member.key == "media_type");
    member.and_then(|member| member.value.as_str()).unwrap_or(usual).into()
}

fn data_url(content: &InputContent, usual: &str, base64: Option<&str>) -> String {
    ["data:", &media_type(content, usual), ";base64,", base64.unwrap_or_default()].concat()
}

/// Whether an address is absolute.
fn has_scheme(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once(':') else { return false };
    let is_scheme = |at: char| at.is_ascii_alphanumeric() || matches!(at, '+' | '.' | '-');
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(is_scheme)
        && !rest.is_empty()
}

/// Returns a content as the Agent API has it.
fn native(content: &InputContent) -> Value {
    let mut native = Value::from_raw(Raw(&content.to_json(Style::Compact)));
    native.insert("status", "completed".into());
    native
}

fn typed<const N: usize>(kind: &str, members: [(&str, Value); N]) -> Value {
    let mut part = Value::from([("type", Value::from(kind))]);
    for (key, value) in members {
        part.insert(key, value);
    }
    part
}

/// The state of a text that is complete.
fn done() -> (&'static str, Value) {
    ("state", "done".into())
}

/// Returns metadata of this crate.
fn agentwire(key: &str, value: Value) -> Value {
    [("agentwire", Value::from([(key, value)]))].into()
}
