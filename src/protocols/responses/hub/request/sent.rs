//! Converts messages of the hub to items of a request.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::hub::payload::{audio_format, data_url};
use crate::hub::request::{self as hub, RequestMessage, RequestPart};
use crate::hub::{Losses, MediaKind, MessageKind, Payload, Role, ToolKind};
use crate::json::{Member, Value};
use crate::protocols::responses::request::{Content, ContentPart, Input, InputItem, Tool};

/// Returns the items for messages.
pub(super) fn said(messages: Vec<RequestMessage<'_>>, losses: &mut Losses) -> Input {
    let mut items = Vec::new();
    messages.into_iter().for_each(|message| send(message, &mut items, losses));
    Input::Items(items)
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
        (_, Role::User) => ("input_text", "user"),
        (_, Role::Tool | Role::Other(_)) => ("input_text", "user"),
    };
    let mut parts = Vec::new();
    for part in message.parts {
        let item = match part {
            RequestPart::Text(said) => {
                parts.push(ContentPart::text(text, said));
                continue;
            }
            RequestPart::Refusal(why) => {
                parts.push(ContentPart { refusal: Some(why.to_owned()), ..ContentPart::new("refusal") });
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
            MessageKind::Reasoning => reasoning(id, parts),
            _ => InputItem {
                id,
                r#type: Some("message".into()),
                ..InputItem::message(role, Content::Parts(parts))
            },
        });
    }
}

const PARTS: &str = "items of Responses have text, images, sound and files";

/// Returns an item for reasoning. OpenAI's own reasoning items require a summary, which may be empty.
fn reasoning(id: Option<String>, parts: Vec<ContentPart>) -> InputItem {
    let summary = Some(Vec::new());
    InputItem { id, summary, content: Some(Content::Parts(parts)), ..InputItem::new("reasoning") }
}

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
pub(super) fn tool(tool: hub::Tool<'_>, losses: &mut Losses) -> Option<Tool> {
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
