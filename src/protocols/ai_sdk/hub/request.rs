//! Requests, both ways.
//!
//! A request has the whole conversation. A tool part is a call at the hub and, if it has them, its result and the answer to
//! its question. The calls of parts that follow each other come before their results, because what follows the last call is
//! new to an agent.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{PROVIDER, media};
use crate::bytes::string_map::StringMap;
use crate::core::Limits;
use crate::hub::payload::{data_url, of_data_url};
use crate::hub::request::{self as hub, HubRequest, RequestMessage as HubMessage, RequestPart};
use crate::hub::{Approval, Losses, MediaKind, MessageKind, Payload, Role, ToolKind};
use crate::json::{Member, Value};
use crate::protocols::ai_sdk::request::{UiMessage, UiPart, UiRequest};

const PARTS: &str = "messages of the AI SDK have text, reasoning, files, calls and data";

/// The parameters that are properties of the request.
const OWN: [&str; 2] = ["trigger", "messageId"];

impl HubRequest for UiRequest {
    fn to_hub(&self, losses: &mut Losses) -> hub::Request<'_> {
        let conversation = self.id.as_deref().filter(|id| !id.is_empty());
        let mut request = hub::Request { conversation, ..Default::default() };
        self.messages.iter().for_each(|message| received(message, &mut request.messages, losses));
        for (name, value) in OWN.into_iter().zip([&self.trigger, &self.message_id]) {
            if let Some(value) = value {
                request.parameters.push(Member::new(name, value.as_str()));
            }
        }
        request.parameters.extend(self.extra.iter().cloned());
        request
    }

    fn from_hub(mut request: hub::Request<'_>, losses: &mut Losses) -> Self {
        let [trigger, message_id] = OWN.map(|name| request.take(name)?.as_str().map(String::from));
        if !request.tools.is_empty() {
            losses.note("tool", "tools", "requests of the AI SDK have no tools: its servers define them");
        }
        let mut sent = UiRequest::new(request.conversation.unwrap_or_default(), Vec::new());
        if request.conversation.is_none() {
            sent.id = None;
        }
        sent.trigger = trigger.or(sent.trigger);
        sent.message_id = message_id;
        sent.extra = request.parameters;
        let mut sender = Sender::default();
        request.messages.into_iter().for_each(|message| sender.send(message, losses));
        sent.messages = sender.messages;
        sent
    }
}

/// Adds the messages for a message of a request: one for each run of texts and files, and one for each call, result and
/// answer.
fn received<'a>(message: &'a UiMessage, messages: &mut Vec<HubMessage<'a>>, losses: &mut Losses) {
    let role = Role::from(&*message.role);
    if message.metadata.is_some() {
        let place = message.id.as_deref().unwrap_or(&message.role);
        losses.note("metadata", place, "requests have none at the hub");
    }
    let mut id = message.id.as_deref();
    let mut results = Vec::new();
    let mut is_run = false;
    for part in &message.parts {
        if let Some(name) = part.called_tool() {
            is_run = false;
            called(part, name, messages, &mut results);
            continue;
        }
        messages.append(&mut results);
        let text = part.text.as_deref().unwrap_or_default();
        let content = match &*part.r#type {
            "text" => RequestPart::Text(text),
            "file" => file(part),
            "reasoning" => {
                is_run = false;
                let thought = HubMessage::new(MessageKind::Reasoning, role, [RequestPart::Text(text)].into());
                messages.push(thought);
                continue;
            }
            // The conversation without its display.
            "step-start" | "source-url" | "source-document" => continue,
            name => match (name.strip_prefix("data-"), &part.data) {
                (Some(_), Some(data @ Value::Object(_))) => RequestPart::Data(data.clone()),
                _ => {
                    losses.note("part", name, "requests have nothing like it at the hub");
                    continue;
                }
            },
        };
        match messages.last_mut().filter(|_| is_run) {
            Some(last) => last.parts.push(content),
            None => {
                let new = HubMessage::new(MessageKind::Message, role, [content].into());
                messages.push(new.with_id(id.take()));
            }
        }
        is_run = true;
    }
    messages.append(&mut results);
}

/// Adds a call, and its result or the answer to its question.
fn called<'a>(
    part: &'a UiPart,
    name: &'a str,
    messages: &mut Vec<HubMessage<'a>>,
    results: &mut Vec<HubMessage<'a>>,
) {
    let is_executed =
        part.extra.iter().any(|member| member.key == "providerExecuted" && member.value == Value::Bool(true));
    let tool = if is_executed { ToolKind::Plugin } else { ToolKind::Function };
    let id = part.tool_call_id.as_deref().unwrap_or_default();
    let raw =
        || part.extra.iter().find(|member| member.key == "rawInput").map(|member| member.value.to_text());
    let input = part.input.as_ref().map(|input| input.to_json().into());
    messages.push(HubMessage::call(tool, id, name, input.or_else(raw).unwrap_or(Cow::Borrowed("{}"))));
    let state = part.state.as_deref().unwrap_or_default();
    if let Some(approval) = &part.approval
        && let Some(approved) =
            approval.get("approved").and_then(Value::as_bool).or((state == "output-denied").then_some(false))
    {
        let (id, reason) = (approval.text("id"), approval.get("reason").cloned());
        results.push(HubMessage::answer(Approval { id, approved: Some(approved), reason, payload: None }));
    }
    match state {
        "output-available" => {
            let output = part.output.as_ref().map(Value::to_text).unwrap_or_default();
            results.push(HubMessage::result(tool, id, output));
        }
        "output-error" => {
            results.push(HubMessage::result(tool, id, part.error_text.as_deref().unwrap_or_default()))
        }
        _ => {}
    }
}

fn file(part: &UiPart) -> RequestPart<'_> {
    let media_type = part.media_type.as_deref().unwrap_or_default();
    let (url, kind) = (part.url.as_deref().unwrap_or_default(), MediaKind::of_type(media_type));
    if let Some((of_url, data)) = of_data_url(url) {
        let media_type = if media_type.is_empty() { of_url } else { media_type };
        return RequestPart::Inline { kind, media_type, data };
    }
    let url = Some(url);
    RequestPart::Whole(match kind {
        MediaKind::Image => Payload::Image { url },
        MediaKind::Audio => {
            Payload::Audio { data: url, format: media_type.split_once('/').map(|(_, format)| format) }
        }
        MediaKind::Video => Payload::Video { url },
        MediaKind::File => Payload::File { url, id: None, name: part.filename.as_deref(), data: None },
    })
}

/// The messages of a request that is sent, with the places of its calls.
#[derive(Default)]
struct Sender {
    messages: Vec<UiMessage>,
    /// Message and part of each call, by its id.
    calls: StringMap<(usize, usize)>,
    /// The last call.
    last: Option<(usize, usize)>,
}

impl Sender {
    /// Adds the parts of a message to the last message of its role, or to a new one.
    fn send(&mut self, message: HubMessage<'_>, losses: &mut Losses) {
        let place = message.place();
        let is_reasoning = message.kind == MessageKind::Reasoning;
        let role = match (message.kind, message.role) {
            (MessageKind::Message | MessageKind::Other(_), Role::User | Role::Other(_)) => "user",
            (MessageKind::Message, Role::System) => "system",
            _ => "assistant",
        };
        let mut parts = Vec::new();
        for part in message.parts {
            let name = String::from(part.name());
            match part {
                RequestPart::Text(text) if is_reasoning => {
                    parts.push(UiPart { text: Some(text.into()), ..UiPart::new("reasoning") });
                }
                RequestPart::Text(text) | RequestPart::Refusal(text) => parts.push(UiPart::text(text)),
                RequestPart::Call { id, name, arguments } => parts.push(sent_call(id, name, &arguments)),
                RequestPart::Result { id, output, .. } => match self.call(self.calls.get(id).copied()) {
                    Some(call) => {
                        let parsed =
                            output.starts_with(['{', '[']).then(|| Value::parse(&output, depth()).ok());
                        call.state = Some("output-available".into());
                        call.output =
                            Some(parsed.flatten().unwrap_or_else(|| Value::from(output.into_owned())));
                    }
                    None => {
                        losses.note("part", id, "the result belongs to a call that is not in the request")
                    }
                },
                RequestPart::Answer(answer) => self.answer(answer, place, losses),
                RequestPart::Data(data) => parts.push(sent_data(data)),
                RequestPart::Whole(Payload::Data(data)) => parts.push(sent_data(data.clone())),
                RequestPart::Inline { media_type, data, .. } => {
                    parts.push(sent_file(data_url(media_type, data), media_type.into(), None));
                }
                RequestPart::Whole(payload) => match (media::located(payload), payload) {
                    (Some((url, media_type)), Payload::File { name, .. }) => {
                        parts.push(sent_file(url, media_type, name));
                    }
                    (Some((url, media_type)), _) => parts.push(sent_file(url, media_type, None)),
                    (None, _) => losses.note("part", &name, PARTS),
                },
                RequestPart::Other(_) => losses.note("part", &name, PARTS),
            }
        }
        if parts.is_empty() {
            return;
        }
        if role != "assistant" || self.messages.last().is_none_or(|last| last.role != role) {
            self.messages
                .push(UiMessage { id: message.id.map(String::from), ..UiMessage::new(role, Vec::new()) });
        }
        let message = self.messages.len() - 1;
        for part in parts {
            let at = (message, self.messages[message].parts.len());
            if let Some(id) = &part.tool_call_id {
                self.calls.insert(id, at);
                self.last = Some(at);
            }
            self.messages[message].parts.push(part);
        }
    }

    fn call(&mut self, at: Option<(usize, usize)>) -> Option<&mut UiPart> {
        let (message, part) = at?;
        self.messages.get_mut(message)?.parts.get_mut(part)
    }

    /// Adds the answer to a question to the call that it is about: the one with its id, or the last one.
    fn answer(&mut self, answer: Approval<'_>, place: &str, losses: &mut Losses) {
        let id = answer.id.unwrap_or_default();
        let at = self.calls.get(id).copied().or(self.last);
        let Some(call) = self.call(at).filter(|call| call.output.is_none() && call.approval.is_none()) else {
            return losses.note("approval", place, "the answer belongs to a call that is not in the request");
        };
        let mut approval =
            Value::from([("id", id.into()), ("approved", answer.approved.unwrap_or(false).into())]);
        if let Some(reason) = answer.reason.filter(|reason| reason.as_str().is_some()) {
            approval.insert("reason", reason);
        }
        call.state = Some("approval-responded".into());
        call.approval = Some(approval);
    }
}

fn sent_data(data: Value) -> UiPart {
    UiPart { data: Some(data), ..UiPart::new(["data-", PROVIDER].concat()) }
}

fn sent_file(url: String, media_type: String, name: Option<&str>) -> UiPart {
    let (url, media_type, filename) = (Some(url), Some(media_type), name.map(String::from));
    UiPart { url, media_type, filename, ..UiPart::new("file") }
}

fn sent_call(id: &str, name: &str, arguments: &str) -> UiPart {
    let input = match arguments.trim_ascii() {
        "" => Value::Object(Vec::new()),
        json => Value::parse(json, depth()).unwrap_or_else(|_| arguments.into()),
    };
    UiPart {
        tool_call_id: Some(id.into()),
        state: Some("input-available".into()),
        input: Some(input),
        ..UiPart::new(["tool-", name].concat())
    }
}

fn depth() -> u32 {
    Limits::default().json_depth
}
