//! Requests, both ways.
//!
//! A request has the whole conversation. Instructions are `system`; a turn of the assistant is one message with its texts
//! and calls, and the results of these calls are in the next message of the user. `stop_sequences` is the parameter `stop`,
//! `metadata.user_id` the parameter `user_id`. The server accepts thinking only with its signature, which requests of the
//! hub do not have, so it is left out.

use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::core::Limits;
use crate::core::request::to_json;
use crate::hub::payload::of_data_url;
use crate::hub::request::{self as hub, HubRequest, Parameters, RequestMessage as HubMessage, RequestPart};
use crate::hub::{Losses, MediaKind, MessageKind, Payload, Role, ToolKind};
use crate::json::{Member, Raw, Value};
use crate::protocols::anthropic::request::{
    Content, MAX_TOKENS, MessagesRequest, RequestBlock, RequestMessage, Tool,
};

const PARAMETERS: Parameters = Parameters {
    renamed: &[("stop_sequences", "stop")],
    without: &["system", "messages", "tools", "tool_choice", "metadata"],
    reason: "requests of Anthropic Messages have no such member",
};
const PARTS: &str = "messages of Anthropic Messages have text, images and documents";

/// The names of tool choices, here and at the hub.
const CHOICES: [(&str, &str); 3] = [("auto", "auto"), ("any", "required"), ("none", "none")];

impl HubRequest for MessagesRequest {
    fn to_hub(&self, losses: &mut Losses) -> hub::Request<'_> {
        let mut request = hub::Request::default();
        if let Some(system) = &self.system {
            let parts = texts(system).map(RequestPart::Text).collect();
            request.messages.push(HubMessage::new(MessageKind::Message, Role::System, parts));
        }
        self.messages.iter().for_each(|message| received(message, &mut request.messages, losses));
        request.tools = self.tools.iter().map(offered).collect();
        request.parameters = PARAMETERS.of(self);
        if let Some(user) = self.metadata.as_ref().and_then(|metadata| metadata.text("user_id")) {
            request.parameters.push(Member::new("user_id", user));
        }
        if let Some(choice) = &self.tool_choice {
            let known = CHOICES.iter().find(|(name, _)| choice.text("type") == Some(name));
            let named = choice.text("name").map(|name| {
                let function = Value::from([("name", name.into())]);
                Value::from([("type", "function".into()), ("function", function)])
            });
            if let Some(choice) = known.map(|(_, name)| Value::from(*name)).or(named) {
                request.parameters.push(Member::new("tool_choice", choice));
            }
            if choice.get("disable_parallel_tool_use") == Some(&Value::Bool(true)) {
                request.parameters.push(Member::new("parallel_tool_calls", false));
            }
        }
        request
    }

    fn from_hub(mut request: hub::Request<'_>, losses: &mut Losses) -> Self {
        if let Some(id) = request.conversation {
            losses.note("conversation", id, "each request of Anthropic Messages has the whole conversation");
        }
        let [choice, parallel, user] =
            ["tool_choice", "parallel_tool_calls", "user_id"].map(|name| request.take(name));
        if let Some(stop) = request.parameters.iter_mut().find(|member| member.key == "stop")
            && let Value::String(text) = &stop.value
        {
            stop.value = Value::list_of(core::slice::from_ref(text));
        }
        let mut converted: MessagesRequest = PARAMETERS.request(request.parameters, losses);
        converted.tool_choice = tool_choice(choice, parallel, losses);
        converted.metadata = user.map(|user| Value::from([("user_id", user)]));
        converted.max_tokens.get_or_insert(MAX_TOKENS);
        converted.stream.get_or_insert(true);
        let mut system = Vec::new();
        request
            .messages
            .into_iter()
            .for_each(|message| send(message, &mut system, &mut converted.messages, losses));
        converted.system = (!system.is_empty()).then(|| Content::Text(system.join("\n\n")));
        converted.messages.iter_mut().for_each(|message| simplify(&mut message.content));
        converted.tools = request.tools.into_iter().filter_map(|tool| send_tool(tool, losses)).collect();
        converted
    }
}

fn tool_choice(choice: Option<Value>, parallel: Option<Value>, losses: &mut Losses) -> Option<Value> {
    let known = |choice: &Value| CHOICES.iter().find(|(_, name)| choice.as_str() == Some(name));
    let mut sent = match &choice {
        None | Some(Value::Null) => None,
        Some(choice) => match (known(choice), choice.get("function").unwrap_or(choice).text("name")) {
            (Some((name, _)), _) => Some(Value::from([("type", (*name).into())])),
            (None, Some(name)) => Some(Value::from([("type", "tool".into()), ("name", name.into())])),
            (None, None) => {
                losses.note("parameter", "tool_choice", PARAMETERS.reason);
                None
            }
        },
    };
    if parallel == Some(Value::Bool(false)) {
        let choice = sent.get_or_insert_with(|| Value::from([("type", "auto".into())]));
        choice.insert("disable_parallel_tool_use", true.into());
    }
    sent
}

/// Adds the blocks of a message to the last message of its role, or to a new one.
fn send(
    message: HubMessage<'_>,
    system: &mut Vec<String>,
    messages: &mut Vec<RequestMessage>,
    losses: &mut Losses,
) {
    let place = message.place();
    match (message.kind, message.role) {
        (MessageKind::Reasoning, _) => {
            return losses.note("reasoning", place, "the server requires its signature, which is not known");
        }
        (MessageKind::Message, Role::System) => {
            let mut joined = String::new();
            for part in message.parts {
                match part {
                    RequestPart::Text(text) => joined += text,
                    part => losses.note("part", part.name(), "instructions are text"),
                }
            }
            return system.push(joined);
        }
        _ => {}
    }
    for part in message.parts {
        let is_call = matches!(part, RequestPart::Call { .. });
        let is_result = matches!(part, RequestPart::Result { .. });
        let role = match message.role {
            _ if is_call => "assistant",
            Role::Assistant if !is_result => "assistant",
            _ => "user",
        };
        let name = String::from(part.name());
        let Some(block) = block(part, role, losses) else {
            losses.note("part", &name, PARTS);
            continue;
        };
        match messages.last_mut() {
            Some(RequestMessage { role: last, content: Content::Blocks(blocks), .. }) if last == role => {
                blocks.push(block);
            }
            _ => messages.push(RequestMessage::new(role, Content::Blocks([block].into()))),
        }
    }
}

fn block(part: RequestPart<'_>, role: &str, losses: &mut Losses) -> Option<RequestBlock> {
    let media = |r#type: &str, source: Value| {
        (role == "user").then(|| RequestBlock { source: Some(source), ..RequestBlock::new(r#type) })
    };
    let bytes = |r#type: &str, media_type: &str, data: &str| {
        let members = [("type", "base64".into()), ("media_type", media_type.into()), ("data", data.into())];
        media(r#type, members.into())
    };
    let located = |r#type: &str, url: &str| match of_data_url(url) {
        Some((media_type, data)) => bytes(r#type, media_type, data),
        None => media(r#type, [("type", "url".into()), ("url", url.into())].into()),
    };
    match part {
        RequestPart::Text(text) | RequestPart::Refusal(text) => Some(RequestBlock::text(text)),
        RequestPart::Call { id, name, arguments } => {
            let input = Value::parse(&arguments, Limits::default().json_depth);
            let input = input.ok().filter(|input| matches!(input, Value::Object(_))).unwrap_or_else(|| {
                if !arguments.is_empty() {
                    losses.note("call-input", id, "the input of a tool is an object");
                }
                Value::Object(Vec::new())
            });
            let (id, name, input) = (Some(id.into()), Some(name.into()), Some(input));
            Some(RequestBlock { id, name, input, ..RequestBlock::new("tool_use") })
        }
        RequestPart::Result { id, output, .. } => {
            let (tool_use_id, content) = (Some(id.into()), Some(Value::from(output.into_owned())));
            Some(RequestBlock { tool_use_id, content, ..RequestBlock::new("tool_result") })
        }
        RequestPart::Whole(Payload::Image { url: Some(url) }) => located("image", url),
        RequestPart::Whole(Payload::File { id: Some(id), .. }) => {
            media("document", [("type", "file".into()), ("file_id", id.into())].into())
        }
        RequestPart::Whole(Payload::File { url: Some(url), .. }) => located("document", url),
        RequestPart::Whole(Payload::File { data: Some(data), .. }) => match of_data_url(data) {
            Some((media_type, data)) => bytes("document", media_type, data),
            None => bytes("document", "application/pdf", data),
        },
        RequestPart::Inline { kind: MediaKind::Image, media_type, data } => bytes("image", media_type, data),
        RequestPart::Inline { kind: MediaKind::File, media_type, data } => {
            bytes("document", media_type, data)
        }
        _ => None,
    }
}

/// Replaces a content that is one text by that text.
fn simplify(content: &mut Content) {
    if let Content::Blocks(blocks) = content
        && let [RequestBlock { r#type, text: Some(text), .. }] = &mut blocks[..]
        && r#type == "text"
    {
        *content = Content::Text(core::mem::take(text));
    }
}

fn send_tool(tool: hub::Tool<'_>, losses: &mut Losses) -> Option<Tool> {
    match tool {
        hub::Tool::Function { name, description, parameters, more } => {
            let mut tool = Tool::function(name, description, parameters);
            tool.extra = more;
            Some(tool)
        }
        hub::Tool::Other(value) => {
            let place = String::from(value.text("type").unwrap_or("tools"));
            let tool = crate::core::request::read(value, None);
            if tool.is_err() {
                losses.note("tool", &place, "tools of Anthropic Messages have a name");
            }
            tool.ok()
        }
    }
}

fn texts(content: &Content) -> impl Iterator<Item = &str> {
    let (text, blocks) = match content {
        Content::Text(text) => (Some(text.as_str()), &[][..]),
        Content::Blocks(blocks) => (None, &blocks[..]),
    };
    text.into_iter().chain(blocks.iter().filter_map(|block| block.text.as_deref()))
}

/// Adds the messages for a message of a request: one for each run of texts and media, and one for each call and result.
fn received<'a>(message: &'a RequestMessage, messages: &mut Vec<HubMessage<'a>>, losses: &mut Losses) {
    let role = Role::from(&*message.role);
    let blocks = match &message.content {
        Content::Text(text) => return messages.push(HubMessage::text(role, text)),
        Content::Blocks(blocks) => blocks,
    };
    let mut is_run = false;
    for block in blocks {
        let text = |text: &'a Option<String>| text.as_deref().unwrap_or_default();
        let tool = if block.r#type.starts_with("server_") { ToolKind::Plugin } else { ToolKind::Function };
        let new = match &*block.r#type {
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                let input = block.input.as_ref().map(Value::to_json).unwrap_or_else(|| "{}".into());
                HubMessage::call(tool, text(&block.id), text(&block.name), input)
            }
            name if name.ends_with("tool_result") => {
                HubMessage::result(tool, text(&block.tool_use_id), output(block))
            }
            "thinking" | "redacted_thinking" => {
                losses.note("opaque", &block.r#type, "requests have no place at the hub for its signature");
                continue;
            }
            name => {
                let of_source = |name| block.source.as_ref().and_then(|source| source.text(name));
                let part = match (name, of_source("data"), of_source("url")) {
                    ("text", ..) => RequestPart::Text(text(&block.text)),
                    ("image" | "document", Some(data), _) => RequestPart::Inline {
                        kind: if name == "image" { MediaKind::Image } else { MediaKind::File },
                        media_type: of_source("media_type").unwrap_or_default(),
                        data,
                    },
                    ("image", None, url) => RequestPart::Whole(Payload::Image { url }),
                    ("document", None, url) => RequestPart::Whole(Payload::File {
                        url,
                        id: of_source("file_id"),
                        name: None,
                        data: None,
                    }),
                    _ => RequestPart::Other(name),
                };
                match messages.last_mut().filter(|_| is_run) {
                    Some(last) => last.parts.push(part),
                    None => messages.push(HubMessage::new(MessageKind::Message, role, [part].into())),
                }
                is_run = true;
                continue;
            }
        };
        is_run = false;
        messages.push(new);
    }
}

/// Returns the result of a tool as text.
fn output(block: &RequestBlock) -> Cow<'_, str> {
    match block.content.as_ref() {
        Some(Value::String(text)) => Cow::Borrowed(text),
        Some(Value::Array(parts)) if parts.iter().all(|part| part.text("text").is_some()) => {
            parts.iter().filter_map(|part| part.text("text")).collect::<String>().into()
        }
        Some(other) => other.to_json().into(),
        None => Cow::Borrowed(""),
    }
}

fn offered(tool: &Tool) -> hub::Tool<'_> {
    if tool.r#type.as_deref().is_some_and(|name| name != "custom") {
        return hub::Tool::Other(Value::from_raw(Raw(&to_json(tool, true))));
    }
    hub::Tool::function(
        tool.name.as_deref().unwrap_or_default(),
        tool.description.as_deref(),
        tool.input_schema.as_ref(),
        &tool.extra,
    )
}
