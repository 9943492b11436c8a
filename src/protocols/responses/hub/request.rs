//! Converts requests to and from the hub.
//!
//! Members that requests of the hub do not have become parameters of the same name. `instructions` are the first
//! message, with the role system; `conversation` is the conversation, `max_output_tokens` the parameter `max_tokens`,
//! `user` the parameter `user_id`. A request without `stream` expects an answer that is not a stream: the parameter
//! `stream` is false.

use alloc::{borrow::Cow, borrow::ToOwned, string::String, vec, vec::Vec};

use crate::core::request::decision::decision;
use crate::core::request::object::Object;
use crate::core::request::to_json;
use crate::hub::payload::{audio_format, data_url};
use crate::hub::request::{self as hub, HubRequest, RequestMessage, RequestPart, set_members};
use crate::hub::{Approval, Losses, MediaKind, MessageKind, Payload, Role, ToolKind};
use crate::json::{Member, Raw, Value};
use crate::protocols::responses::request::{
    Content, ContentPart, Conversation, CreateResponse, Input, InputItem, Tool,
};

/// Parameters that have another name at the hub: the name here, and the name there.
const RENAMED: &[(&str, &str)] = &[("max_output_tokens", "max_tokens"), ("user", "user_id")];

impl HubRequest for CreateResponse {
    fn to_hub(&self, losses: &mut Losses) -> hub::Request<'_> {
        let mut request = hub::Request::default();
        let instructions = self.instructions.as_deref();
        request.messages.extend(instructions.map(|text| RequestMessage::text(Role::System, text)));
        match &self.input {
            Some(Input::Text(text)) => request.messages.push(RequestMessage::text(Role::User, text)),
            Some(Input::Items(items)) => {
                items.iter().for_each(|item| received(item, &mut request.messages, losses));
            }
            None => {}
        }
        request.conversation = match &self.conversation {
            Some(Conversation::Id(id)) => Some(id.as_str()),
            Some(Conversation::Object(conversation)) => Some(conversation.id.as_str()),
            None => None,
        };
        if let Some(id) = &self.previous_response_id {
            let reason = "the earlier messages are not in the request: a server that stores responses has to look them up";
            losses.note("previous-response", id, reason);
        }
        request.tools = self.tools.iter().map(offered).collect();
        request.parameters = parameters(self);
        request
    }

    fn from_hub(request: hub::Request<'_>, losses: &mut Losses) -> Self {
        let mut messages = request.messages;
        let instructions = instructions(&mut messages);
        let (blank, _) = CreateResponse::of_members(Vec::new());
        let mut members = Vec::new();
        for Member { key, value } in request.parameters {
            let name = RENAMED.iter().find(|(_, at_hub)| *at_hub == key).map_or(&*key, |(name, _)| name);
            let known = blank.rows().iter().any(|row| row.name == name);
            match known && !TAKEN.contains(&name) {
                true => members.push(Member::new(name, value)),
                false => losses.note("parameter", &key, "requests of Responses have no member for it"),
            }
        }
        let (mut converted, problems) = CreateResponse::of_members(members);
        for problem in problems {
            losses.note("parameter", &problem.path(), "in requests of Responses it is of another type");
        }
        converted.instructions = instructions;
        let text = match &messages[..] {
            [only] => only_text(only, Role::User),
            _ => None,
        };
        converted.input = Some(match text {
            Some(text) => Input::Text(text.to_owned()),
            None => {
                let mut items = Vec::new();
                messages.into_iter().for_each(|message| send(message, &mut items, losses));
                Input::Items(items)
            }
        });
        converted.stream.get_or_insert(true);
        converted.conversation = request.conversation.map(|id| Conversation::Id(id.to_owned()));
        converted.tools = request.tools.into_iter().filter_map(|offered| tool(offered, losses)).collect();
        converted
    }
}

/// Members that are not parameters at the hub.
const TAKEN: &[&str] = &["input", "instructions", "tools", "conversation"];

/// Removes and returns the instructions: the first message, if it is a system message that consists of one text.
fn instructions(messages: &mut Vec<RequestMessage<'_>>) -> Option<String> {
    let text = only_text(messages.first()?, Role::System)?.to_owned();
    messages.remove(0);
    Some(text)
}

/// Returns the text of a message of that role that has no id and consists of one text.
fn only_text<'m>(message: &RequestMessage<'m>, role: Role<'_>) -> Option<&'m str> {
    let is_plain = message.id.is_none() && message.kind == MessageKind::Message && message.role == role;
    match message.parts[..] {
        [RequestPart::Text(text)] if is_plain => Some(text),
        _ => None,
    }
}

/// Returns the members that requests of the hub do not have, as parameters.
fn parameters(request: &CreateResponse) -> Vec<Member> {
    let at_hub = |key| RENAMED.iter().find(|(name, _)| *name == key).map_or(key, |(_, at_hub)| *at_hub);
    let set = set_members(request, TAKEN).filter(|(key, _)| *key != "stream");
    let mut members: Vec<Member> = set.map(|(key, value)| Member::new(at_hub(key), value)).collect();
    if request.stream != Some(true) {
        members.push(Member::new("stream", false));
    }
    members.extend(request.extra.iter().cloned());
    members
}

/// Converts a tool. The members of a function become those of the hub's function; any other tool is kept as an object.
fn offered(tool: &Tool) -> hub::Tool<'_> {
    if tool.r#type != "function" {
        return hub::Tool::Other(Value::from_raw(Raw(&to_json(tool, true))));
    }
    let strict = tool.strict.map(|strict| Member::new("strict", strict));
    hub::Tool::Function {
        name: tool.name.as_deref().unwrap_or(""),
        description: tool.description.as_deref().unwrap_or(""),
        parameters: tool.parameters.clone().unwrap_or_else(|| Value::Object(Vec::new())),
        more: strict.into_iter().chain(tool.extra.iter().cloned()).collect(),
    }
}

/// Members of a request that do not concern the writer of its response.
const NOT_REPEATED: &[&str] = &["input", "stream", "stream_options"];

/// Members of a tool that are secrets of the client and the tool's server.
const SECRET: &[&str] = &["headers", "authorization"];

impl CreateResponse {
    /// Returns the members of this request that its Response object repeats, as OpenAI's server does: `model`,
    /// `instructions`, `tools`, `temperature`, `metadata` and so on, and `include`, which the writer of the answer obeys. Pass them
    /// in the [options](crate::hub::WriteOptions::echo) of that writer. Members that authorize a tool are omitted.
    ///
    /// ```
    /// use agentwire::json::Value;
    /// use agentwire::responses::request::CreateResponse;
    ///
    /// let asked = CreateResponse::parse(r#"{"model":"m","input":"hi","temperature":0.5,"conversation":"c"}"#)?;
    /// assert_eq!(
    ///     asked.echo().to_json(),
    ///     r#"{"model":"m","tools":[],"conversation":{"id":"c"},"temperature":0.5}"#,
    /// );
    /// # Ok::<(), agentwire::responses::request::RequestError>(())
    /// ```
    pub fn echo(&self) -> Value {
        let public = |tool: &Value| Value::Object(tool.members_without(SECRET));
        let members = set_members(self, NOT_REPEATED).map(|(key, value)| {
            let value = match (key, &self.conversation) {
                ("conversation", Some(Conversation::Id(id))) => [("id", id.as_str().into())].into(),
                ("tools", _) => Value::Array(value.items().iter().map(public).collect()),
                _ => value,
            };
            Member::new(key, value)
        });
        Value::Object(members.collect())
    }
}

/// Adds the messages for an item: one, or two for a call that contains its result.
fn received<'a>(item: &'a InputItem, messages: &mut Vec<RequestMessage<'a>>, losses: &mut Losses) {
    let mut push = |message: RequestMessage<'a>| messages.push(message.with_id(item.id.as_deref()));
    let place = item.id.as_deref().unwrap_or(item.item_type());
    let call_id = item.call_id.as_deref().or(item.id.as_deref()).unwrap_or("");
    let name = item.name.as_deref().unwrap_or("");
    let arguments = item.arguments.as_ref().map(Value::to_text).unwrap_or_default();
    match item.item_type() {
        "message" => {
            let role = match item.role.as_deref().unwrap_or("user") {
                "developer" => Role::System,
                role => Role::from(role),
            };
            let message_parts = item.content.iter().flat_map(parts).collect();
            push(RequestMessage::new(MessageKind::Message, role, message_parts));
        }
        "reasoning" => {
            let mut message_parts: Vec<_> = item.content.iter().flat_map(parts).collect();
            message_parts.extend(item.summary.iter().flatten().map(part));
            if item.extra.iter().any(|member| member.key == "encrypted_content" && !member.value.is_null()) {
                losses.note(
                    "opaque",
                    place,
                    "requests have no place at the hub for what only a model's server can read",
                );
            }
            push(RequestMessage::new(MessageKind::Reasoning, Role::Assistant, message_parts));
        }
        "function_call" => push(RequestMessage::call(ToolKind::Function, call_id, name, arguments)),
        "custom_tool_call" => {
            let input = item.input.as_deref().unwrap_or("");
            push(RequestMessage::call(ToolKind::Plugin, call_id, name, input));
        }
        "mcp_call" => {
            push(RequestMessage::call(ToolKind::Mcp, place, name, arguments));
            if let Some(output) = item.output.as_ref().filter(|output| !output.is_null()) {
                let (name, output) = (Some(name), output.to_text());
                let result = RequestPart::Result { id: place, name, output };
                let kind = MessageKind::Result(ToolKind::Mcp);
                messages.push(RequestMessage::new(kind, Role::Tool, vec![result]));
            }
        }
        "mcp_approval_request" => {
            let question = vec![RequestPart::Data(whole(item))];
            push(RequestMessage::new(MessageKind::Interrupt, Role::Assistant, question));
        }
        "mcp_approval_response" => {
            let answer = Approval {
                id: item.approval_request_id.as_deref(),
                approved: decision(&whole(item)),
                reason: item.reason.as_deref().map(Value::from),
                payload: None,
            };
            push(RequestMessage::answer(answer));
        }
        "item_reference" => {
            losses.note(
                "item-reference",
                place,
                "the item is not in the request: a server that stores it has to look it up",
            );
        }
        "mcp_list_tools" => {
            let tools = vec![RequestPart::Data(whole(item))];
            push(RequestMessage::new(MessageKind::Other("mcp_list_tools"), Role::Assistant, tools));
        }
        "function_call_output" => {
            push(RequestMessage::result(ToolKind::Function, call_id, output(item, losses)));
        }
        other if other == "custom_tool_call_output" || other.ends_with("_output") => {
            push(RequestMessage::result(ToolKind::Plugin, call_id, output(item, losses)));
        }
        // A tool of the server: its arguments are all members of the item.
        other => {
            push(RequestMessage::call(ToolKind::Plugin, call_id, other, whole(item).to_json()));
        }
    }
}

/// Returns all members of an item, except its type.
fn whole(item: &InputItem) -> Value {
    let mut whole = Value::from_raw(Raw(&to_json(item, true)));
    if let Value::Object(members) = &mut whole {
        members.retain(|member| member.key != "type");
    }
    whole
}

/// Returns the output of a call as a text: a string, the texts of a list of parts, or the JSON of any other value.
fn output<'a>(item: &'a InputItem, losses: &mut Losses) -> Cow<'a, str> {
    let list = match item.output.as_ref() {
        Some(Value::Array(list)) => list,
        other => return other.map(Value::to_text).unwrap_or_default(),
    };
    let mut output = String::new();
    for part in list {
        match part.text("text") {
            Some(text) => output += text,
            None => {
                losses.note("part", part.text("type").unwrap_or(""), "the result of a tool is text");
            }
        }
    }
    output.into()
}

fn parts(content: &Content) -> Vec<RequestPart<'_>> {
    match content {
        Content::Text(text) => vec![RequestPart::Text(text)],
        Content::Parts(parts) => parts.iter().map(part).collect(),
    }
}

fn part(part: &ContentPart) -> RequestPart<'_> {
    let data = |name: &str| part.input_audio.as_ref().and_then(|audio| audio.get(name)?.as_str());
    match (&*part.r#type, part.text.as_deref()) {
        ("refusal", _) => RequestPart::Refusal(part.refusal.as_deref().unwrap_or("")),
        ("input_image", _) if part.image_url.is_some() => {
            RequestPart::Whole(Payload::Image { url: part.image_url.as_deref() })
        }
        ("input_image" | "input_file", _) => RequestPart::Whole(Payload::File {
            url: part.file_url.as_deref(),
            id: part.file_id.as_deref(),
            name: part.filename.as_deref(),
            data: part.file_data.as_deref(),
        }),
        ("input_audio", _) => {
            RequestPart::Whole(Payload::Audio { data: data("data"), format: data("format") })
        }
        (_, Some(text)) => RequestPart::Text(text),
        (other, None) => RequestPart::Other(other),
    }
}

/// Adds the items for a message: one for each call, result, question and answer in it, and one for its other parts.
fn send(message: RequestMessage<'_>, items: &mut Vec<InputItem>, losses: &mut Losses) {
    let place = message.place();
    // The first item has the message's id.
    let mut id = message.id.map(ToOwned::to_owned);
    let (text, role) = match (message.kind, message.role) {
        (MessageKind::Reasoning, _) => ("reasoning_text", "assistant"),
        (_, Role::Assistant) => ("output_text", "assistant"),
        (_, Role::System) => ("input_text", "system"),
        (_, Role::User | Role::Tool | Role::Other(_)) => ("input_text", "user"),
    };
    let mut parts = Vec::new();
    for part in message.parts {
        let item = match part {
            RequestPart::Text(content) => {
                parts.push(ContentPart::text(text, content));
                continue;
            }
            RequestPart::Refusal(refusal) => {
                parts.push(ContentPart { refusal: Some(refusal.to_owned()), ..ContentPart::new("refusal") });
                continue;
            }
            RequestPart::Whole(Payload::Data(value)) => data(message.kind, value.clone(), place, losses),
            RequestPart::Data(value) => data(message.kind, value, place, losses),
            RequestPart::Whole(_) | RequestPart::Inline { .. } | RequestPart::Other(_) => {
                match media(&part) {
                    Some(part) => parts.push(part),
                    None => losses.note("part", part.name(), PARTS),
                }
                continue;
            }
            RequestPart::Call { id: call, name, arguments } => {
                let (call, name, arguments) =
                    (call.to_owned(), Some(name.to_owned()), arguments.into_owned());
                Some(match message.kind {
                    MessageKind::Call(ToolKind::Mcp) => {
                        let (id, arguments) = (Some(call), Some(arguments.into()));
                        InputItem { id, name, arguments, ..InputItem::new("mcp_call") }
                    }
                    MessageKind::Call(ToolKind::Plugin | ToolKind::Component) => {
                        let (call_id, input) = (Some(call), Some(arguments));
                        InputItem { call_id, name, input, ..InputItem::new("custom_tool_call") }
                    }
                    _ => {
                        let (call_id, arguments) = (Some(call), Some(arguments.into()));
                        InputItem { call_id, name, arguments, ..InputItem::new("function_call") }
                    }
                })
            }
            RequestPart::Result { id: call, output, .. } => {
                let output = Value::from(output.into_owned());
                let of_mcp = |item: &&mut InputItem| {
                    item.item_type() == "mcp_call" && item.id.as_deref() == Some(call)
                };
                if let MessageKind::Result(ToolKind::Mcp) = message.kind {
                    match items.iter_mut().rfind(of_mcp) {
                        Some(item) => item.output = Some(output),
                        None => losses.note(
                            "result-without-call",
                            call,
                            "an MCP call has its output in its own item",
                        ),
                    }
                    continue;
                }
                let r#type = match message.kind {
                    MessageKind::Result(ToolKind::Function) => "function_call_output",
                    _ => "custom_tool_call_output",
                };
                Some(InputItem {
                    call_id: Some(call.to_owned()),
                    output: Some(output),
                    ..InputItem::new(r#type)
                })
            }
            RequestPart::Answer(answer) => Some(InputItem {
                approval_request_id: answer.id.map(ToOwned::to_owned),
                // An answer that is neither yes nor no declines.
                approve: Some(answer.approved == Some(true)),
                reason: answer.reason.as_ref().and_then(Value::as_str).map(ToOwned::to_owned),
                ..InputItem::new("mcp_approval_response")
            }),
        };
        if let Some(item) = item {
            let own = item.id.is_none().then(|| id.take()).flatten();
            items.push(InputItem { id: item.id.clone().or(own), ..item });
        }
    }
    if !parts.is_empty() {
        items.push(match message.kind {
            MessageKind::Reasoning => {
                // OpenAI's own reasoning items require a summary, which may be empty.
                let (summary, content) = (Some(Vec::new()), Some(Content::Parts(parts)));
                InputItem { id, summary, content, ..InputItem::new("reasoning") }
            }
            _ => InputItem {
                id,
                r#type: Some("message".into()),
                ..InputItem::message(role, Content::Parts(parts))
            },
        });
    }
}

const PARTS: &str = "items of Responses have text, images, sound and files";

/// Converts a question or a list of tools to an item. Notes the loss of other data.
fn data(kind: MessageKind<'_>, value: Value, place: &str, losses: &mut Losses) -> Option<InputItem> {
    let r#type = match kind {
        MessageKind::Interrupt => "mcp_approval_request",
        MessageKind::Other("mcp_list_tools") => "mcp_list_tools",
        _ => {
            losses.note("part", if place.is_empty() { "data" } else { place }, PARTS);
            return None;
        }
    };
    let Value::Object(members) = value else { return None };
    let mut item = InputItem::new(r#type);
    for Member { key, value } in members {
        match (key.as_str(), value) {
            ("id", Value::String(id)) => item.id = Some(id),
            ("name", Value::String(name)) => item.name = Some(name),
            ("arguments", arguments) => item.arguments = Some(arguments),
            (_, value) => item.extra.push(Member { key, value }),
        }
    }
    Some(item)
}

fn media(part: &RequestPart<'_>) -> Option<ContentPart> {
    let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
    let image = |url: Option<&str>| ContentPart { image_url: owned(url), ..ContentPart::new("input_image") };
    Some(match *part {
        RequestPart::Whole(Payload::Image { url }) => image(url),
        RequestPart::Whole(Payload::File { url, id, name, data }) => ContentPart {
            file_url: owned(url),
            file_id: owned(id),
            filename: owned(name),
            file_data: owned(data),
            ..ContentPart::new("input_file")
        },
        RequestPart::Whole(Payload::Audio { data, format }) => {
            audio(data.unwrap_or(""), format.unwrap_or("wav"))
        }
        RequestPart::Inline { kind, media_type, data } => match kind {
            MediaKind::Image => image(Some(&data_url(media_type, data))),
            MediaKind::Audio => audio(data, audio_format(media_type).unwrap_or("wav")),
            MediaKind::File => {
                let file_data = Some(data_url(media_type, data));
                ContentPart { file_data, ..ContentPart::new("input_file") }
            }
            MediaKind::Video => return None,
        },
        _ => return None,
    })
}

fn audio(data: &str, format: &str) -> ContentPart {
    let audio = Value::from([("data", data.into()), ("format", format.into())]);
    ContentPart { input_audio: Some(audio), ..ContentPart::new("input_audio") }
}

/// Converts a tool. The members of a function are members of the tool itself.
fn tool(tool: hub::Tool<'_>, losses: &mut Losses) -> Option<Tool> {
    match tool {
        hub::Tool::Function { name, description, parameters, more } => {
            let mut tool = Tool::function(name, description, parameters);
            for Member { key, value } in more {
                match (key.as_str(), value) {
                    ("strict", Value::Bool(strict)) => tool.strict = Some(strict),
                    (_, value) => tool.extra.push(Member { key, value }),
                }
            }
            Some(tool)
        }
        hub::Tool::Other(value) => {
            let tool = crate::core::request::read(value, None);
            if tool.is_err() {
                losses.note("tool", "tools", "tools of Responses have a type");
            }
            tool.ok()
        }
    }
}
