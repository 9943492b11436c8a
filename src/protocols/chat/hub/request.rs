//! Requests, both ways.
//!
//! A request has the whole conversation. Members that requests of the hub do not have are parameters of the same name;
//! `max_completion_tokens` is the parameter `max_tokens`, `user` the parameter `user_id`. The calls of an assistant and the
//! text before them are one message, as the protocol requires.

use alloc::{string::String, vec::Vec};

use crate::core::request::to_json;
use crate::hub::payload::{audio_format, data_url};
use crate::hub::request::{self as hub, HubRequest, Parameters, RequestMessage as HubMessage, RequestPart};
use crate::hub::{Losses, MediaKind, MessageKind, Payload, Role, ToolKind, given};
use crate::json::{Member, Raw, Value};
use crate::protocols::chat::request::{
    ChatRequest, Content, ContentPart, RequestMessage, RequestToolCall, Tool,
};

const PARAMETERS: Parameters = Parameters {
    renamed: &[("max_completion_tokens", "max_tokens"), ("user", "user_id")],
    without: &["messages", "tools"],
    reason: "requests of Chat Completions have no such member",
};

/// The effort of reasoning, and the parameter of the hub that has it in an object.
const EFFORT: &str = "reasoning_effort";
const REASONING: &str = "reasoning";

impl HubRequest for ChatRequest {
    fn to_hub(&self, losses: &mut Losses) -> hub::Request<'_> {
        let mut request = hub::Request::default();
        self.messages.iter().for_each(|message| received(message, &mut request.messages, losses));
        request.tools = self.tools.iter().map(offered).collect();
        request.parameters = PARAMETERS.of(self);
        for member in &mut request.parameters {
            if member.key == EFFORT {
                *member = Member::new(REASONING, Value::from([("effort", member.value.clone())]));
            }
        }
        request
    }

    fn from_hub(mut request: hub::Request<'_>, losses: &mut Losses) -> Self {
        if let Some(id) = request.conversation {
            losses.note("conversation", id, "each request of Chat Completions has the whole conversation");
        }
        for member in &mut request.parameters {
            if let (REASONING, Some(effort)) = (&*member.key, member.value.text("effort")) {
                *member = Member::new(EFFORT, effort);
            }
        }
        let mut converted: ChatRequest = PARAMETERS.request(request.parameters, losses);
        request.messages.into_iter().for_each(|message| send(message, &mut converted.messages, losses));
        converted.tools = request.tools.into_iter().filter_map(|tool| send_tool(tool, losses)).collect();
        if *converted.stream.get_or_insert(true) && converted.stream_options.is_none() {
            converted.stream_options = ChatRequest::new("", Vec::new()).stream_options;
        }
        converted
    }
}

const PARTS: &str = "messages of Chat Completions have text, images, sound and files";

/// Adds the messages for a message of the hub.
fn send(message: HubMessage<'_>, messages: &mut Vec<RequestMessage>, losses: &mut Losses) {
    let place = message.place();
    let role = match (message.kind, message.role) {
        (MessageKind::Reasoning, _) => {
            return losses.note("reasoning", place, "requests of Chat Completions have no reasoning");
        }
        (_, Role::Assistant) => "assistant",
        (_, Role::System) => "system",
        _ => "user",
    };
    let mut parts = Vec::new();
    for part in message.parts {
        match part {
            RequestPart::Call { id, name, arguments } => {
                let call = RequestToolCall::function(id, name, arguments);
                match messages.last_mut().filter(|last| last.role == "assistant") {
                    Some(last) => last.tool_calls.get_or_insert_default().push(call),
                    None => {
                        let tool_calls = Some([call].into());
                        messages.push(RequestMessage { tool_calls, ..RequestMessage::new("assistant") });
                    }
                }
            }
            RequestPart::Result { id, output, .. } => messages.push(RequestMessage::result(id, output)),
            RequestPart::Text(text) => parts.push(ContentPart::text(text)),
            RequestPart::Refusal(reason) if role == "assistant" => {
                parts.push(ContentPart { refusal: Some(reason.into()), ..ContentPart::new("refusal") });
            }
            RequestPart::Refusal(reason) => parts.push(ContentPart::text(reason)),
            part => match media(&part).filter(|_| role == "user") {
                Some(part) => parts.push(part),
                None => losses.note("part", part.name(), PARTS),
            },
        }
    }
    let content = match &mut parts[..] {
        [] => return,
        [ContentPart { text: Some(text), .. }] => Content::Text(core::mem::take(text)),
        _ => Content::Parts(parts),
    };
    messages.push(RequestMessage { content: Some(content), ..RequestMessage::new(role) });
}

fn media(part: &RequestPart<'_>) -> Option<ContentPart> {
    let image = |url: &str| {
        let image_url = Some(Value::from([("url", url.into())]));
        ContentPart { image_url, ..ContentPart::new("image_url") }
    };
    let audio = |data: &str, format: &str| {
        let input_audio = Some(Value::from([("data", data.into()), ("format", format.into())]));
        ContentPart { input_audio, ..ContentPart::new("input_audio") }
    };
    let file = |id: Option<&str>, name: Option<&str>, data: Option<&str>| {
        let members = [("file_id", id), ("filename", name), ("file_data", data)];
        let file = Some(Value::Object(given(members.map(|(key, value)| (key, value.map(Value::from))))));
        ContentPart { file, ..ContentPart::new("file") }
    };
    Some(match *part {
        RequestPart::Whole(Payload::Image { url: Some(url) }) => image(url),
        RequestPart::Whole(Payload::Audio { data: Some(data), format }) => {
            audio(data, format.unwrap_or("wav"))
        }
        RequestPart::Whole(Payload::File { id, name, data, .. }) if id.or(data).is_some() => {
            file(id, name, data)
        }
        RequestPart::Inline { kind: MediaKind::Image, media_type, data } => {
            image(&data_url(media_type, data))
        }
        RequestPart::Inline { kind: MediaKind::Audio, media_type, data } => {
            audio(data, audio_format(media_type).unwrap_or("wav"))
        }
        RequestPart::Inline { kind: MediaKind::File, media_type, data } => {
            file(None, None, Some(&data_url(media_type, data)))
        }
        _ => return None,
    })
}

fn send_tool(tool: hub::Tool<'_>, losses: &mut Losses) -> Option<Tool> {
    match tool {
        hub::Tool::Function { name, description, parameters, more } => {
            let mut tool = Tool::function(name, description, parameters);
            if let Some(function) = &mut tool.function {
                function.extra = more;
            }
            Some(tool)
        }
        hub::Tool::Other(value) => {
            let place = value.text("type").unwrap_or("tools");
            losses.note("tool", place, "tools of Chat Completions are functions");
            None
        }
    }
}

/// Adds the messages for a message of a request: one for its text, and one for each call and result.
fn received<'a>(message: &'a RequestMessage, messages: &mut Vec<HubMessage<'a>>, losses: &mut Losses) {
    let mut parts = match &message.content {
        Some(Content::Text(text)) => Vec::from([RequestPart::Text(text)]),
        Some(Content::Parts(parts)) => parts.iter().map(received_part).collect(),
        None => Vec::new(),
    };
    if message.role == "tool" {
        let mut output = String::new();
        for part in &parts {
            match part {
                RequestPart::Text(text) => output += text,
                part => losses.note("part", part.name(), "the result of a tool is text"),
            }
        }
        let id = message.tool_call_id.as_deref().unwrap_or_default();
        return messages.push(HubMessage::result(ToolKind::Function, id, output));
    }
    parts.extend(message.refusal.as_deref().map(RequestPart::Refusal));
    let role = match &*message.role {
        "developer" => Role::System,
        role => Role::from(role),
    };
    if !parts.is_empty() {
        messages.push(HubMessage::new(MessageKind::Message, role, parts));
    }
    for call in message.tool_calls.iter().flatten() {
        messages.push(match (&call.function, &call.custom) {
            (Some(function), _) => {
                HubMessage::call(ToolKind::Function, &call.id, &function.name, &*function.arguments)
            }
            (None, custom) => {
                let text = |name| custom.as_ref().and_then(|custom| custom.text(name)).unwrap_or_default();
                HubMessage::call(ToolKind::Plugin, &call.id, text("name"), text("input"))
            }
        });
    }
}

fn received_part(part: &ContentPart) -> RequestPart<'_> {
    match &*part.r#type {
        "text" => RequestPart::Text(part.text.as_deref().unwrap_or_default()),
        "refusal" => RequestPart::Refusal(part.refusal.as_deref().unwrap_or_default()),
        "image_url" => RequestPart::Whole(Payload::Image { url: text(&part.image_url, "url") }),
        "input_audio" => {
            let [data, format] = ["data", "format"].map(|name| text(&part.input_audio, name));
            RequestPart::Whole(Payload::Audio { data, format })
        }
        "file" => {
            let [id, name, data] = ["file_id", "filename", "file_data"].map(|name| text(&part.file, name));
            RequestPart::Whole(Payload::File { url: None, id, name, data })
        }
        other => RequestPart::Other(other),
    }
}

fn text<'a>(object: &'a Option<Value>, name: &str) -> Option<&'a str> {
    object.as_ref()?.text(name)
}

/// Converts a tool. Any other tool than a function is kept as an object.
fn offered(tool: &Tool) -> hub::Tool<'_> {
    let Some(function) = &tool.function else {
        return hub::Tool::Other(Value::from_raw(Raw(&to_json(tool, true))));
    };
    let (description, schema) = (function.description.as_deref(), function.parameters.as_ref());
    hub::Tool::function(&function.name, description, schema, &function.extra)
}
