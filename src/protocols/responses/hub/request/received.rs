//! Converts items of a request to messages of the hub.

use alloc::{borrow::Cow, string::String, vec, vec::Vec};

use crate::core::request::decision::decision;
use crate::core::request::to_json;
use crate::hub::request::{RequestMessage, RequestPart};
use crate::hub::{Approval, Losses, MessageKind, Payload, Role, ToolKind};
use crate::json::{Raw, Value};
use crate::protocols::responses::request::{Content, ContentPart, InputItem};

/// Adds the messages for an item: one, or two for a call that contains its result.
pub(super) fn received<'a>(item: &'a InputItem, messages: &mut Vec<RequestMessage<'a>>, losses: &mut Losses) {
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
            let said = item.content.iter().flat_map(parts).collect();
            push(RequestMessage::new(MessageKind::Message, role, said));
        }
        "reasoning" => {
            let mut said: Vec<_> = item.content.iter().flat_map(parts).collect();
            said.extend(item.summary.iter().flatten().map(part));
            if item.extra.iter().any(|member| member.key == "encrypted_content" && !member.value.is_null()) {
                losses.note(
                    "opaque",
                    place,
                    "requests have no place at the hub for what only a model's server can read",
                );
            }
            push(RequestMessage::new(MessageKind::Reasoning, Role::Assistant, said));
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
                "the item is not in the request: who keeps it has to look it up",
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
                losses.note("part", part.text("type").unwrap_or(""), "what a tool came to is text");
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
