//! Reads requests, steps and interactions.

use alloc::string::String;
use alloc::vec::Vec;

use super::{FORMAT, SETTINGS, steps, tools};
use crate::hub::conversation::members::{into_list, put, rest, take, take_list, take_text};
use crate::hub::conversation::{Conversation, Output, Part, Settings, ToolChoice, Turn, TurnRole};
use crate::json::Value;

/// Reads a request.
pub(super) fn request(mut request: Value) -> Conversation {
    let mut conversation = Conversation::new(FORMAT);
    conversation.settings = settings(&mut request);
    conversation.tools = take_list(&mut request, "tools").into_iter().map(tools::read).collect();
    if let Some(text) = take_text(&mut request, "system_instruction") {
        conversation.turns.push(Turn::new(TurnRole::System, [Part::text(text)].into()));
    }
    if let Some(input) = take(&mut request, "input") {
        steps::read_input(&mut conversation, into_list(input));
    }
    conversation.more = rest(request);
    conversation
}

/// Adds a step, a list of steps, or an interaction.
pub(super) fn append(conversation: &mut Conversation, mut value: Value) {
    let first_new = conversation.turns.len().saturating_sub(1);
    let is_answer = value.get("steps").is_some() && value.get("type").is_none();
    if is_answer {
        let status = value.text("status").unwrap_or_default();
        let is_whole = matches!(status, "completed" | "requires_action");
        let answer = take_list(&mut value, "steps");
        conversation.turns.push(Turn::new(TurnRole::Assistant, [].into()));
        for step in answer {
            steps::read_answer(conversation, step, is_whole);
        }
        if conversation.turns.last().is_some_and(|turn| turn.parts.is_empty()) {
            conversation.turns.pop();
        }
    } else {
        steps::read_input(conversation, into_list(value));
    }
    conversation.join_new_results(first_new);
}

fn settings(request: &mut Value) -> Settings {
    let mut settings = Settings::read(request, SETTINGS);
    settings.output = output(request);
    settings.choice = choice(request);
    settings
}

/// Takes the format of the answer, if it is JSON and the only format.
fn output(request: &mut Value) -> Option<Output> {
    const FORMAT: &str = "response_format";
    let format = take(request, FORMAT)?;
    let mut formats = into_list(format);
    let is_json = |format: &Value| {
        format.text("type") == Some("text") && format.text("mime_type") == Some("application/json")
    };
    match formats.as_mut_slice() {
        [only] if is_json(only) => {
            let schema = take(only, "schema");
            ["type", "mime_type"].iter().for_each(|name| drop(take(only, name)));
            let left = rest(core::mem::take(only));
            if !left.is_empty() {
                put(request, FORMAT, Value::Object(left));
            }
            Some(Output { schema, ..Output::default() })
        }
        [_] => {
            put(request, FORMAT, formats.remove(0));
            None
        }
        _ => {
            put(request, FORMAT, Value::Array(formats));
            None
        }
    }
}

fn choice(request: &mut Value) -> Option<ToolChoice> {
    const CHOICE: &str = "generation_config.tool_choice";
    let mut choice = take(request, CHOICE)?;
    if let Some(mode) = choice.as_str() {
        let known = match mode {
            "auto" => Some(ToolChoice::Auto),
            "any" => Some(ToolChoice::Required),
            "none" => Some(ToolChoice::None),
            _ => None,
        };
        if known.is_none() {
            put(request, CHOICE, choice);
        }
        return known;
    }
    let kept = choice.clone();
    let mode = take_text(&mut choice, "allowed_tools.mode");
    let names = take_list(&mut choice, "allowed_tools.tools").into_iter();
    let mut names: Vec<String> = names.filter_map(|name| name.as_str().map(String::from)).collect();
    match (mode.as_deref(), names.len()) {
        (Some("any"), 1) => names.pop().map(ToolChoice::Named),
        (Some("any"), 2..) => Some(ToolChoice::Allowed { required: true, names }),
        (Some("validated"), 1..) => Some(ToolChoice::Allowed { required: false, names }),
        _ => {
            put(request, CHOICE, kept);
            None
        }
    }
}
