//! Writes requests.

use alloc::string::String;
use alloc::vec::Vec;

use super::requirements::reasons;
use super::write_items::ItemWriter;
use super::{FORMAT, SETTINGS};
use crate::core::id::IdSource;
use crate::hub::conversation::hosted::{HostedOption, option};
use crate::hub::conversation::members::{put, take, write_members};
use crate::hub::conversation::openai::{
    ToolNesting, write_choice, write_custom, write_function, write_output,
};
use crate::hub::conversation::{Conversation, Part, SettingKey, Tool, Turn, TurnRole};
use crate::json::{ObjectWriter, Value, write_list};

/// Writes a request.
pub(super) fn request(conversation: &Conversation, ids: &mut dyn IdSource) -> String {
    let mut out = String::new();
    let mut request = ObjectWriter::open(&mut out, true);
    let settings = &conversation.settings;
    let mut head = Value::Object(conversation.more.clone());
    settings.write(&mut head, SETTINGS);
    if let Some(id) = &conversation.id {
        put(&mut head, "conversation", id.as_str());
    }
    // What the server does not store has to come back.
    let is_stored = settings.get(SettingKey::Store).and_then(Value::as_bool) != Some(false);
    let is_own = conversation.format == FORMAT;
    if !is_stored
        && !is_own
        && head.get("include").is_none()
        && reasons(settings.text(SettingKey::Model))
    {
        let include = Value::Array(["reasoning.encrypted_content".into()].into());
        put(&mut head, "include", include);
    }
    let text = take(&mut head, "text");
    if let Value::Object(members) = &head {
        write_members(members, &mut request);
    }
    if text.is_some() || settings.output.is_some() {
        let mut written = ObjectWriter::open(request.member("text"), true);
        if let Some(Value::Object(members)) = &text {
            write_members(members, &mut written);
        }
        if let Some(output) = &settings.output {
            write_output(output, ToolNesting::Flat, written.member("format"));
        }
        written.close();
    }
    let (instructions, turns) = match conversation.turns.split_first() {
        Some((first, rest)) if is_instructions(first) => (Some(first), rest),
        _ => (None, &conversation.turns[..]),
    };
    if let Some(first) = instructions {
        let texts: Vec<&str> = first.parts.iter().filter_map(Part::as_text).collect();
        request.string("instructions", Some(&texts.join("\n\n")));
    }
    let mut items = ItemWriter::open(request.member("input"), (!is_own).then_some(ids), is_stored);
    turns.iter().for_each(|turn| items.turn(turn));
    items.close();
    if !conversation.tools.is_empty() {
        write_list(&conversation.tools, request.member("tools"), write_tool);
    }
    if let Some(choice) = &settings.choice {
        write_choice(choice, &conversation.tools, ToolNesting::Flat, request.member("tool_choice"));
    }
    request.close();
    out
}

/// Whether a first turn is the member `instructions`, and not an item.
fn is_instructions(turn: &Turn) -> bool {
    let is_plain =
        |part: &Part| part.as_text().is_some() && part.opaque.is_none() && part.cache.is_none();
    turn.role == TurnRole::System && turn.parts.iter().all(is_plain)
}

/// Writes a tool.
fn write_tool(tool: &Tool, out: &mut String) {
    match tool {
        Tool::Function(function) => {
            ToolNesting::Flat.write("function", out, |tool| write_function(function, tool))
        }
        Tool::Custom { name, description, format } => {
            ToolNesting::Flat.write("custom", out, |tool| {
                write_custom(
                    name,
                    description.as_deref(),
                    format.as_ref(),
                    ToolNesting::Flat,
                    tool,
                );
            })
        }
        Tool::Namespace { name, description, tools } => {
            ToolNesting::Flat.write("namespace", out, |tool| {
                tool.string("name", Some(name));
                tool.string("description", description.as_deref());
                write_list(tools, tool.member("tools"), write_tool);
            })
        }
        Tool::Hosted { format, value, .. } if format == FORMAT => value.write(out),
        // The declarations of others have the name that this protocol has for the tool as their
        // format.
        Tool::Hosted { format: kind, value, .. } => ToolNesting::Flat.write(kind, out, |tool| {
            let given = |wanted| option(value, wanted);
            match &**kind {
                "web_search" => {
                    if let Some(domains) = given(HostedOption::AllowedDomains) {
                        let mut filters = ObjectWriter::open(tool.member("filters"), true);
                        filters.value("allowed_domains", Some(domains));
                        filters.close();
                    }
                    tool.value("user_location", given(HostedOption::Location));
                }
                "code_interpreter" => {
                    tool.value("container", Some(&Value::from([("type", "auto".into())])));
                }
                _ => {
                    tool.string("server_label", value.text("server_label").or(value.text("name")));
                    tool.string("server_url", value.text("server_url").or(value.text("url")));
                    // Other APIs do not ask the user before a call.
                    tool.string("require_approval", Some("never"));
                    tool.value("allowed_tools", given(HostedOption::AllowedTools));
                    tool.value("authorization", given(HostedOption::Authorization));
                }
            }
        }),
    }
}
