//! Conversion of requests, in both directions.
//!
//! A request of AG-UI has the whole thread, its state, and context for the agent. Members that the hub does not have
//! (`state`, `context`, `forwardedProps`, `parentRunId`) become parameters of the same names.

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    vec,
    vec::Vec,
};

use crate::core::request::to_json;
use crate::hub::payload::of_data_url;
use crate::hub::request::{self as hub, HubRequest, RequestMessage, RequestPart};
use crate::hub::{Approval, Losses, MediaKind, MessageKind, Payload, Role, ToolKind, given};
use crate::json::{Member, Raw, Value, decimal};
use crate::protocols::ag_ui::request::{
    ContentPart, ContextEntry, InputContent, InputMessage, InputToolCall, ResumeEntry, RunAgentInput, Source,
    Tool,
};

/// The reason of losses in tools.
const TOOLS: &str = "AG-UI's tools have a name, a description and parameters";

/// The reason of losses in messages.
const PARTS: &str = "AG-UI's messages have text, media and files";

/// The id of the run is empty if the request does not have one, and so is the id of the thread.
impl HubRequest for RunAgentInput {
    fn to_hub(&self, losses: &mut Losses) -> hub::Request<'_> {
        let mut request = hub::Request::default();
        self.messages.iter().for_each(|message| received(message, &mut request.messages, losses));
        for entry in &self.resume {
            let payload = entry.payload.clone().unwrap_or_default();
            let answer = match entry.status.as_str() {
                "resolved" => Approval::of(&entry.interrupt_id, payload, losses),
                other => Approval {
                    id: Some(&entry.interrupt_id),
                    approved: Some(false),
                    reason: Some(other.into()),
                    payload: entry.payload.clone(),
                },
            };
            request.messages.push(RequestMessage::answer(answer));
        }
        request.conversation = Some(self.thread_id.as_str()).filter(|id| !id.is_empty());
        request.tools = self.tools.iter().map(tool).collect();
        request.parameters = parameters(self);
        request
    }

    fn from_hub(request: hub::Request<'_>, losses: &mut Losses) -> Self {
        let mut input = RunAgentInput::new(request.conversation.unwrap_or_default(), "", Vec::new());
        for (at, message) in request.messages.into_iter().enumerate() {
            send(message, at, &mut input, losses);
        }
        input.tools = hub::Tool::functions(request.tools, TOOLS, losses, Tool::new);
        for Member { key, value } in request.parameters {
            match (key.as_str(), value) {
                ("id", Value::String(id)) => input.run_id = id,
                ("parentRunId", Value::String(id)) => input.parent_run_id = Some(id),
                ("state", value) => input.state = value,
                ("forwardedProps", value) => input.forwarded_props = value,
                ("context", Value::Array(entries)) => {
                    input.context = entries.iter().filter_map(known).collect()
                }
                (key, _) => losses.note("parameter", key, "AG-UI's requests have no member for it"),
            }
        }
        input
    }
}

/// Returns the members that the hub does not have, unless they are empty.
fn parameters(input: &RunAgentInput) -> Vec<Member> {
    let text = |text: &str| (!text.is_empty()).then(|| Value::from(text));
    let filled = |value: &Value| (*value != Value::Object(Vec::new())).then(|| value.clone());
    let context = |entry: &ContextEntry| Value::from_raw(Raw(&to_json(entry, true)));
    given([
        ("id", text(&input.run_id)),
        ("parentRunId", input.parent_run_id.as_deref().and_then(text)),
        ("state", filled(&input.state)),
        (
            "context",
            (!input.context.is_empty()).then(|| Value::Array(input.context.iter().map(context).collect())),
        ),
        ("forwardedProps", filled(&input.forwarded_props)),
    ])
}

/// Converts a message of the thread. Each call of the agent becomes a message. Activities are left out.
fn received<'a>(message: &'a InputMessage, messages: &mut Vec<RequestMessage<'a>>, losses: &mut Losses) {
    let mut push = |id: &'a str, message: RequestMessage<'a>| messages.push(message.with_id(Some(id)));
    match message {
        InputMessage::Developer { id, content, .. } | InputMessage::System { id, content, .. } => {
            push(id, RequestMessage::text(Role::System, content));
        }
        InputMessage::User { id, content, .. } => {
            push(id, RequestMessage::new(MessageKind::Message, Role::User, parts(content)));
        }
        InputMessage::Reasoning { id, content, .. } => {
            let thought = vec![RequestPart::Text(content)];
            push(id, RequestMessage::new(MessageKind::Reasoning, Role::Assistant, thought));
        }
        InputMessage::Tool { id, content, tool_call_id, error, .. } => {
            let output = match (output(content, losses), error) {
                (output, Some(error)) if output.is_empty() => error.as_str().into(),
                (output, _) => output,
            };
            push(id, RequestMessage::result(ToolKind::Function, tool_call_id, output));
        }
        InputMessage::Assistant { id, content, tool_calls, .. } => {
            if let Some(content) = content {
                push(id, RequestMessage::text(Role::Assistant, content));
            }
            messages.extend(tool_calls.iter().map(|call| {
                RequestMessage::call(ToolKind::Function, &call.id, &call.name, &*call.arguments)
            }));
        }
        _ => {}
    }
}

fn tool(tool: &Tool) -> hub::Tool<'_> {
    let parameters = tool.parameters.clone().unwrap_or_else(|| Value::Object(Vec::new()));
    hub::Tool::Function { name: &tool.name, description: &tool.description, parameters, more: Vec::new() }
}

fn known(entry: &Value) -> Option<ContextEntry> {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    Some(ContextEntry::new(text("description")?, text("value")?))
}

/// Converts a message to messages of the thread, or to an answer to an interrupt. A message without an id gets one from
/// its position.
fn send(message: RequestMessage<'_>, at: usize, input: &mut RunAgentInput, losses: &mut Losses) {
    let place = message.place();
    let id = message.id.map_or_else(|| ["msg_", &decimal(at as i64)].concat(), ToOwned::to_owned);
    let mut parts = Vec::new();
    for part in message.parts {
        match part {
            RequestPart::Text(text) => {
                parts.push(ContentPart::Text { text: text.to_owned(), id: None, metadata: None });
            }
            RequestPart::Whole(payload) => match media(payload) {
                Some(part) => parts.push(part),
                None => losses.note("part", payload.name(), PARTS),
            },
            RequestPart::Inline { kind, media_type, data } => {
                parts.push(media_part(kind, of_bytes(media_type, data)));
            }
            RequestPart::Call { id: call, name, arguments } => {
                let call = InputToolCall {
                    id: call.to_owned(),
                    name: name.to_owned(),
                    arguments: arguments.into_owned(),
                    encrypted_value: None,
                    metadata: None,
                };
                input.messages.push(assistant(id.clone(), None, vec![call]));
            }
            RequestPart::Result { id: call, output, .. } => {
                input.messages.push(InputMessage::tool(id.clone(), call, output.into_owned()));
            }
            RequestPart::Answer(answer) => match answer.id {
                Some(interrupt) => input.resume.push(ResumeEntry {
                    interrupt_id: interrupt.to_owned(),
                    status: "resolved".to_owned(),
                    payload: Some(answer.into_payload(losses)),
                    metadata: None,
                }),
                None => losses.note("approval", place, "it does not name its question"),
            },
            part @ (RequestPart::Other(_) | RequestPart::Refusal(_) | RequestPart::Data(_)) => {
                losses.note("part", part.name(), PARTS);
            }
        }
    }
    if parts.is_empty() {
        return;
    }
    let mut text = |parts: Vec<ContentPart>| {
        let mut all = String::new();
        for part in parts {
            match part {
                ContentPart::Text { text, .. } => all += &text,
                _ => losses.note("part", place, "only messages of users have other parts than text"),
            }
        }
        all
    };
    let converted = match (message.kind, message.role) {
        (MessageKind::Reasoning, _) => InputMessage::Reasoning {
            id,
            content: text(parts),
            encrypted_value: None,
            subagent_run_id: None,
            metadata: None,
        },
        (_, Role::System) => InputMessage::System {
            id,
            content: text(parts),
            name: None,
            encrypted_value: None,
            subagent_run_id: None,
            metadata: None,
        },
        (_, Role::User) => match &mut parts[..] {
            [ContentPart::Text { text, .. }] => InputMessage::user(id, core::mem::take(text)),
            _ => InputMessage::of_user(id, InputContent::Parts(parts)),
        },
        _ => assistant(id, Some(text(parts)), Vec::new()),
    };
    input.messages.push(converted);
}

fn assistant(id: String, content: Option<String>, tool_calls: Vec<InputToolCall>) -> InputMessage {
    InputMessage::Assistant {
        id,
        content,
        name: None,
        tool_calls,
        encrypted_value: None,
        subagent_run_id: None,
        metadata: None,
    }
}

fn parts(content: &InputContent) -> Vec<RequestPart<'_>> {
    match content {
        InputContent::Text(text) => vec![RequestPart::Text(text)],
        InputContent::Parts(parts) => parts.iter().map(part).collect(),
    }
}

fn part(part: &ContentPart) -> RequestPart<'_> {
    let (kind, source) = match part {
        ContentPart::Text { text, .. } => return RequestPart::Text(text),
        ContentPart::Image { source, .. } => (MediaKind::Image, source),
        ContentPart::Audio { source, .. } => (MediaKind::Audio, source),
        ContentPart::Video { source, .. } => (MediaKind::Video, source),
        ContentPart::Document { source, .. } => (MediaKind::File, source),
    };
    match (kind, source) {
        (_, Source::Data { value, mime_type }) => {
            RequestPart::Inline { kind, media_type: mime_type, data: value }
        }
        (MediaKind::Image, Source::Url { value, .. }) => {
            RequestPart::Whole(Payload::Image { url: Some(value) })
        }
        (MediaKind::Video, Source::Url { value, .. }) => {
            RequestPart::Whole(Payload::Video { url: Some(value) })
        }
        (MediaKind::Audio, Source::Url { value, .. }) => {
            RequestPart::Whole(Payload::Audio { data: Some(value), format: None })
        }
        (_, Source::Url { value, .. }) => {
            RequestPart::Whole(Payload::File { url: Some(value), id: None, name: None, data: None })
        }
        (_, Source::File { value, .. }) => {
            RequestPart::Whole(Payload::File { url: None, id: Some(value), name: None, data: None })
        }
    }
}

/// Returns the output of a tool as text, because results are texts in the hub. Other parts are noted as losses.
fn output<'a>(content: &'a InputContent, losses: &mut Losses) -> Cow<'a, str> {
    let list = match content {
        InputContent::Text(text) => return text.as_str().into(),
        InputContent::Parts(list) => list,
    };
    let mut output = String::new();
    for part in list.iter().map(part) {
        match part {
            RequestPart::Text(text) => output += text,
            part => losses.note("part", part.name(), "the result of a tool is text"),
        }
    }
    output.into()
}

fn media(payload: Payload<'_>) -> Option<ContentPart> {
    let at = |url: &str, mime_type: Option<String>| match of_data_url(url) {
        Some((mime_type, value)) => of_bytes(mime_type, value),
        None => Source::Url { value: url.to_owned(), mime_type },
    };
    let source = match payload {
        Payload::Image { url } | Payload::Video { url } => at(url?, None),
        Payload::Audio { data, format } => {
            let (data, media_type) = (data?, format.map(|format| ["audio/", format].concat()));
            match data.contains(':') {
                true => at(data, media_type),
                false => of_bytes(media_type.as_deref().unwrap_or("audio/wav"), data),
            }
        }
        Payload::File { url: Some(url), .. } => at(url, None),
        Payload::File { data: Some(data), .. } => of_bytes("application/octet-stream", data),
        Payload::File { id, .. } => Source::File { value: id?.to_owned(), provider: None, mime_type: None },
        Payload::Data(_) => return None,
    };
    let kind = MediaKind::named(payload.name())?;
    Some(media_part(kind, source))
}

fn of_bytes(mime_type: &str, value: &str) -> Source {
    Source::Data { value: value.to_owned(), mime_type: mime_type.to_owned() }
}

fn media_part(kind: MediaKind, source: Source) -> ContentPart {
    let (id, metadata) = (None, None);
    match kind {
        MediaKind::Image => ContentPart::Image { source, id, metadata },
        MediaKind::Audio => ContentPart::Audio { source, id, metadata },
        MediaKind::Video => ContentPart::Video { source, id, metadata },
        MediaKind::File => ContentPart::Document { source, id, metadata },
    }
}
