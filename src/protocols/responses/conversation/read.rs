//! Reads requests and responses.

use alloc::string::String;
use alloc::vec::Vec;

use super::items::ItemReader;
use super::{FORMAT, SETTINGS};
use crate::hub::conversation::members::{put, rest, take, take_list, take_string, take_text};
use crate::hub::conversation::openai::{
    purpose, read_choice, read_custom, read_function, read_output,
};
use crate::hub::conversation::{Conversation, Part, Settings, Tool, Turn, TurnRole};
use crate::json::Value;

/// Reads a request.
pub(super) fn request(mut request: Value) -> Conversation {
    let mut conversation = Conversation::new(FORMAT);
    conversation.settings = settings(&mut request);
    conversation.tools = take_list(&mut request, "tools").into_iter().map(tool).collect();
    conversation.id = match take(&mut request, "conversation") {
        Some(Value::String(id)) => Some(id),
        Some(object) => object.text("id").map(String::from),
        None => None,
    };
    if let Some(instructions) = take_text(&mut request, "instructions") {
        conversation.turns.push(Turn::new(TurnRole::System, [Part::text(instructions)].into()));
    }
    let mut items = ItemReader::new(&mut conversation);
    take_list(&mut request, "input").into_iter().for_each(|item| items.read(item));
    items.end();
    conversation.more = rest(request);
    conversation
}

/// Adds an item, a list of items, or a response.
pub(super) fn append(conversation: &mut Conversation, mut value: Value) {
    let output = match &mut value {
        Value::Array(_) => core::mem::take(&mut value),
        response if response.get("output").is_some() && response.get("call_id").is_none() => {
            let is_complete = response.text("status") == Some("completed");
            let mut output = take_list(response, "output");
            output.retain_mut(|item| as_input(item, is_complete));
            if output.is_empty() {
                return;
            }
            // An answer is a turn of its own.
            conversation.turns.push(Turn::new(TurnRole::Assistant, Vec::new()));
            Value::Array(output)
        }
        item => Value::Array([core::mem::take(item)].into()),
    };
    let first_new = conversation.turns.len().saturating_sub(1);
    let mut items = ItemReader::new(conversation);
    if let Value::Array(output) = output {
        output.into_iter().for_each(|item| items.read(item));
    }
    items.end();
    // An answer has the results of tools that the server has run.
    conversation.join_new_results(first_new);
}

/// Makes an item of an answer one of a request. Returns whether it is one: a call that was cut off
/// is none.
fn as_input(item: &mut Value, is_complete: bool) -> bool {
    let Value::Object(members) = item else { return false };
    // Who made an item, and images that are not complete.
    members.retain(|member| !matches!(&*member.key, "created_by" | "partial_image_b64"));
    let kind =
        members.iter().find(|member| member.key == "type").and_then(|kind| kind.value.as_str());
    let is_call = matches!(kind, Some("function_call" | "custom_tool_call"));
    if kind == Some("image_generation_call") {
        members.retain(|member| matches!(&*member.key, "type" | "id" | "result" | "status"));
    }
    is_complete || !is_call || !matches!(item.text("status"), Some("in_progress" | "incomplete"))
}

fn settings(request: &mut Value) -> Settings {
    let mut settings = Settings::read(request, SETTINGS);
    settings.output = take(request, "text.format").and_then(|format| {
        read_output(format).unwrap_or_else(|other| {
            put(request, "text.format", other);
            None
        })
    });
    settings.choice = take(request, "tool_choice").and_then(|choice| {
        let kept = |other| put(request, "tool_choice", other);
        read_choice(choice).map_err(kept).ok()
    });
    settings
}

/// Reads a tool.
pub(super) fn tool(mut tool: Value) -> Tool {
    let kind = tool.text("type").map(String::from).unwrap_or_default();
    if !matches!(&*kind, "function" | "custom" | "namespace") {
        return Tool::Hosted { purpose: purpose(&kind), format: FORMAT.into(), value: tool };
    }
    take(&mut tool, "type");
    // Some clients have the form of Chat Completions.
    let mut described = take(&mut tool, &kind).unwrap_or(tool);
    match &*kind {
        "custom" => read_custom(described),
        "function" => Tool::Function(read_function(described, FORMAT)),
        _ => Tool::Namespace {
            name: take_string(&mut described, "name"),
            description: take_text(&mut described, "description"),
            tools: take_list(&mut described, "tools").into_iter().map(self::tool).collect(),
        },
    }
}
