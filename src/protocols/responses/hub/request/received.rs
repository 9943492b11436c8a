//! Items of a request, said to the hub.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::core::request::to_json;
use crate::hub::kind::{MessageKind, Role, ToolKind};
use crate::hub::loss::Losses;
use crate::hub::request::{RequestMessage, RequestPart};
use crate::hub::{Approval, Payload};
use crate::json::{Raw, Value};
use crate::protocols::responses::request::{Content, ContentPart, InputItem};

/// What an item says: one message; of a call that has its result beside it, two.
pub(super) fn received<'a>(item: &'a InputItem, messages: &mut Vec<RequestMessage<'a>>, losses: &mut Losses) {
    let mut say = |kind, role, parts| {
        messages.push(RequestMessage { id: item.id.as_deref(), ..RequestMessage::new(kind, role, parts) });
    };
    let place = item.id.as_deref().unwrap_or(item.item_type());
    let call_id = item.call_id.as_deref().or(item.id.as_deref()).unwrap_or("");
    let name = item.name.as_deref().unwrap_or("");
    let mut call = |kind, id, name, arguments| {
        let part = RequestPart::Call { id, name, arguments };
        say(MessageKind::Call(kind), Role::Assistant, vec![part]);
    };
    match item.item_type() {
        "message" => {
            let role = match item.role.as_deref().unwrap_or("user") {
                "developer" => Role::System,
                role => Role::from(role),
            };
            say(MessageKind::Message, role, item.content.iter().flat_map(parts).collect());
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
            say(MessageKind::Reasoning, Role::Assistant, said);
        }
        "function_call" => call(ToolKind::Function, call_id, name, text(item.arguments.as_ref())),
        "custom_tool_call" => {
            call(ToolKind::Plugin, call_id, name, item.input.as_deref().unwrap_or("").into());
        }
        "mcp_call" => {
            call(ToolKind::Mcp, place, name, text(item.arguments.as_ref()));
            if let Some(output) = item.output.as_ref().filter(|output| !output.is_null()) {
                let result = RequestPart::Result { id: place, name: Some(name), output: text(Some(output)) };
                let kind = MessageKind::Result(ToolKind::Mcp);
                messages.push(RequestMessage::new(kind, Role::Tool, vec![result]));
            }
        }
        "mcp_approval_request" => {
            say(MessageKind::Interrupt, Role::Assistant, vec![RequestPart::Data(whole(item))]);
        }
        "mcp_approval_response" => {
            let answer = Approval {
                id: item.approval_request_id.as_deref(),
                approved: item.approve,
                reason: item.reason.as_deref().map(Value::from),
                payload: None,
            };
            say(MessageKind::Answer, Role::User, vec![RequestPart::Answer(answer)]);
        }
        "item_reference" => {
            losses.note(
                "item-reference",
                place,
                "the item is not in the request: who keeps it has to look it up",
            );
        }
        "mcp_list_tools" => {
            say(MessageKind::Other("mcp_list_tools"), Role::Assistant, vec![RequestPart::Data(whole(item))]);
        }
        "function_call_output" => {
            say(MessageKind::Result(ToolKind::Function), Role::Tool, vec![result(item, call_id, losses)]);
        }
        other if other == "custom_tool_call_output" || other.ends_with("_output") => {
            say(MessageKind::Result(ToolKind::Plugin), Role::Tool, vec![result(item, call_id, losses)]);
        }
        // A tool of the server's: its arguments are whatever its item has.
        other => {
            let arguments = whole(item).to_json();
            call(ToolKind::Plugin, call_id, other, arguments.into());
        }
    }
}

/// JSON text, of whatever stands there.
fn text(value: Option<&Value>) -> Cow<'_, str> {
    match value {
        Some(Value::String(text)) => text.as_str().into(),
        Some(Value::Null) | None => "".into(),
        Some(other) => other.to_json().into(),
    }
}

/// All that an item has, besides its type.
fn whole(item: &InputItem) -> Value {
    let mut whole = Value::from_raw(Raw(&to_json(item, true)));
    if let Value::Object(members) = &mut whole {
        members.retain(|member| member.key != "type");
    }
    whole
}

/// What a call came to: a text. Of a list of parts the texts, of anything else its JSON.
fn result<'a>(item: &'a InputItem, call_id: &'a str, losses: &mut Losses) -> RequestPart<'a> {
    let list = match item.output.as_ref() {
        Some(Value::Array(list)) => list,
        other => return RequestPart::Result { id: call_id, name: None, output: text(other) },
    };
    let mut output = String::new();
    for part in list {
        match part.get("text").and_then(Value::as_str) {
            Some(text) => output += text,
            None => {
                let kind = part.get("type").and_then(Value::as_str).unwrap_or("");
                losses.note("part", kind, "what a tool came to is text");
            }
        }
    }
    RequestPart::Result { id: call_id, name: None, output: output.into() }
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
