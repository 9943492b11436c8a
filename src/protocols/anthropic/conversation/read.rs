//! Reads requests, messages and answers.

use alloc::vec::Vec;

use super::requirements::{ALL_SETTINGS, FORMAT};
use super::{blocks, carried, tools};
use crate::hub::conversation::members::{into_list, rest, take, take_list, take_text};
use crate::hub::conversation::{
    Conversation, Output, Part, SettingKey, Settings, ToolChoice, Turn, TurnRole,
};
use crate::json::{Member, Value};

/// The member with the id of the place where the provider runs code.
const CONTAINER: &str = "container";

pub(super) fn read(mut request: Value) -> Conversation {
    let mut conversation = Conversation::new(FORMAT);
    conversation.settings = settings(&mut request);
    let servers = take_list(&mut request, "mcp_servers");
    conversation.tools = tools::read(take_list(&mut request, "tools"), servers);
    if let Some(system) = take(&mut request, "system") {
        conversation.turns.push(Turn::new(TurnRole::System, parts(system)));
    }
    for message in take_list(&mut request, "messages") {
        append(&mut conversation, message);
    }
    conversation.more.extend(rest(request));
    conversation
}

fn settings(request: &mut Value) -> Settings {
    let mut settings = Settings::read(request, ALL_SETTINGS);
    // How the thinking is shown.
    if request.get("thinking").and_then(|thinking| thinking.text("display")) == Some("summarized") {
        take(request, "thinking.display");
        settings.set(SettingKey::Summary, "auto");
    }
    for path in ["output_config.format", "output_format"] {
        if let Some(mut format) = take(request, path) {
            if format.text("type") == Some("json_schema") {
                let schema = take(&mut format, "schema");
                settings.output = Some(Output { schema, ..Output::default() });
            } else {
                crate::hub::conversation::members::put(request, path, format);
            }
        }
    }
    let Some(mut choice) = take(request, "tool_choice") else { return settings };
    if let Some(disabled) = take(&mut choice, "disable_parallel_tool_use") {
        settings.set(SettingKey::Parallel, disabled != Value::Bool(true));
    }
    settings.choice = match (choice.text("type"), choice.text("name")) {
        (Some("auto"), _) => Some(ToolChoice::Auto),
        (Some("any"), _) => Some(ToolChoice::Required),
        (Some("none"), _) => Some(ToolChoice::None),
        (Some("tool"), Some(name)) => Some(ToolChoice::Named(name.into())),
        _ => {
            request.insert("tool_choice", choice);
            None
        }
    };
    settings
}

pub(super) fn append(conversation: &mut Conversation, mut message: Value) {
    if let Value::String(_) = message {
        message = Value::from([("role", "user".into()), ("content", message)]);
    }
    let Some(content) = take(&mut message, "content") else { return };
    let is_summary = message.text("stop_reason") == Some("compaction") && replaces(&content);
    let role = match message.text("role") {
        Some("assistant") => TurnRole::Assistant,
        Some("system") => TurnRole::System,
        // An answer whose stream had no role.
        Some("") if message.get("stop_reason").is_some() => TurnRole::Assistant,
        _ => TurnRole::User,
    };
    if is_summary {
        conversation.turns.retain(|turn| turn.role == TurnRole::System);
        conversation.more.retain(|member| member.key != "compaction");
    }
    let mut turn = Turn::new(role, Vec::new());
    turn.id = take_text(&mut message, "id").filter(|id| !id.is_empty());
    // The next request continues in the container of the answer.
    if let Some(id) =
        take(&mut message, CONTAINER).and_then(|mut container| take(&mut container, "id"))
    {
        conversation.more.retain(|member| member.key != CONTAINER);
        conversation.more.push(Member { key: CONTAINER.into(), value: id });
    }
    let mut follows_results = false;
    for block in list(content) {
        // After the results of an agent's own calls, the model has been called again.
        let is_result = blocks::is_agent_result(&block, &turn.parts);
        if follows_results && !is_result {
            push(conversation, &mut turn);
        }
        follows_results = is_result;
        // Instructions between blocks are a turn of their own.
        if block.text("type") == Some("mid_conv_system") {
            push(conversation, &mut turn);
            conversation.turns.push(instructions(block));
        } else {
            blocks::read(block, &mut turn.parts);
        }
    }
    push(conversation, &mut turn);
}

/// Whether the content of an answer replaces the messages before it. (C28)
fn replaces(content: &Value) -> bool {
    content.items().iter().any(|block| blocks::summary(block).is_some())
}

/// Adds a turn that has parts, and leaves an empty one.
fn push(conversation: &mut Conversation, turn: &mut Turn) {
    carried::restore(&mut turn.parts);
    if !turn.parts.is_empty() {
        let parts = core::mem::take(&mut turn.parts);
        conversation.turns.push(Turn { id: turn.id.take(), ..Turn::new(turn.role, parts) });
    }
}

fn instructions(mut block: Value) -> Turn {
    let cache = take(&mut block, "cache_control");
    let mut parts = parts(take(&mut block, "content").unwrap_or_default());
    if let Some(last) = parts.last_mut() {
        last.cache = last.cache.take().or(cache);
    }
    Turn::new(TurnRole::System, parts)
}

/// Reads a content: a text, or blocks.
pub(super) fn parts(content: Value) -> Vec<Part> {
    let mut parts = Vec::new();
    list(content).into_iter().for_each(|block| blocks::read(block, &mut parts));
    parts
}

fn list(content: Value) -> Vec<Value> {
    let mut list = into_list(content);
    list.retain(|block| !block.is_null());
    list
}
