//! Tools, both ways.

use alloc::string::String;
use alloc::vec::Vec;

use super::FORMAT;
use crate::hub::conversation::hosted::{HostedOption, option};
use crate::hub::conversation::members::{rest, take, take_string, take_text, write_members};
use crate::hub::conversation::{Function, Tool};
use crate::json::{ObjectWriter, Value};

/// The members of an MCP server: here, and as other providers have them.
const SERVER: [(&str, &str); 2] = [("name", "server_label"), ("url", "server_url")];

/// The member of an MCP server with the tools that can be called.
const ALLOWED: &str = "allowed_tools";

/// Reads a tool.
pub(super) fn read(mut tool: Value) -> Tool {
    let purpose = match tool.text("type") {
        Some("function") => {
            take(&mut tool, "type");
            return Tool::Function(Function {
                name: take_string(&mut tool, "name"),
                description: take_text(&mut tool, "description"),
                schema: take(&mut tool, "parameters"),
                more: rest(tool),
                format: FORMAT.into(),
                ..Function::default()
            });
        }
        Some("google_search") => Some("search"),
        Some("code_execution") => Some("code"),
        Some("mcp_server") => {
            // Other providers have the names of the tools as a list.
            if let Some(names) = allowed_names(&tool) {
                tool.insert(ALLOWED, names);
            }
            tool.insert("type", "mcp".into());
            if let Value::Object(members) = &mut tool {
                for member in members {
                    let known = SERVER.iter().find(|(own, _)| *own == member.key);
                    if let Some((_, common)) = known {
                        member.key = (*common).into();
                    }
                }
            }
            Some("mcp")
        }
        _ => None,
    };
    Tool::Hosted { purpose, format: FORMAT.into(), value: tool }
}

/// Returns the names of the tools that can be called, if nothing else is said of them.
fn allowed_names(tool: &Value) -> Option<Value> {
    let [only] = tool.get(ALLOWED)?.items() else { return None };
    let [member] = only.members() else { return None };
    (member.key == "tools").then(|| member.value.clone())
}

/// Writes a tool.
pub(super) fn write(tool: &Tool, out: &mut String) {
    let mut written = ObjectWriter::open(out, true);
    match tool {
        Tool::Function(function) => {
            written.string("type", Some("function"));
            written.string("name", Some(&function.name));
            written.string("description", function.description.as_deref());
            written.value("parameters", function.schema.as_ref());
            write_members(&function.more, &mut written);
        }
        Tool::Hosted { purpose, format, value: Value::Object(members) } if format == FORMAT => {
            let is_server = *purpose == Some("mcp");
            for member in members {
                let own = SERVER.iter().find(|(_, common)| is_server && *common == member.key);
                match (allowed(&member.key, &member.value), own) {
                    (Some(allowed), _) => written.value(ALLOWED, Some(&allowed)),
                    (_, Some((own, _))) => written.value(own, Some(&member.value)),
                    _ if is_server && member.key == "type" => {
                        written.string("type", Some("mcp_server"));
                    }
                    _ => written.value(&member.key, Some(&member.value)),
                }
            }
        }
        // The declarations of others have the name that this protocol has for the tool as their
        // format.
        Tool::Hosted { format, value, .. } => {
            written.string("type", Some(format));
            if format == "mcp_server" {
                write_server(value, &mut written);
            }
        }
        // The normaliser has made functions of them.
        Tool::Custom { name, .. } | Tool::Namespace { name, .. } => {
            written.string("type", Some("function"));
            written.string("name", Some(name));
        }
    }
    written.close();
}

/// Returns the form that the API has for a list of names.
fn allowed(key: &str, value: &Value) -> Option<Value> {
    let Value::Array(names) = value else { return None };
    let is_list = key == ALLOWED && names.iter().all(|name| name.as_str().is_some());
    is_list.then(|| Value::Array([Value::from([("tools", value.clone())])].into()))
}

fn write_server(tool: &Value, written: &mut ObjectWriter<'_>) {
    written.string("name", tool.text("server_label").or(tool.text("name")));
    written.string("url", tool.text("server_url").or(tool.text("url")));
    if let Some(token) = option(tool, HostedOption::Authorization).and_then(Value::as_str) {
        let bearer = if token.contains(' ') { token.into() } else { ["Bearer ", token].concat() };
        written.value("headers", Some(&Value::from([("Authorization", bearer.into())])));
    }
    let names = option(tool, HostedOption::AllowedTools);
    let names = names.map(|names| names.get("tool_names").unwrap_or(names));
    if let Some(allowed) = names.and_then(|names| allowed(ALLOWED, names)) {
        written.value(ALLOWED, Some(&allowed));
    }
}

/// Writes the tools of a request.
pub(super) fn write_all(tools: &[Tool], request: &mut ObjectWriter<'_>) {
    let tools: Vec<&Tool> = tools.iter().collect();
    if !tools.is_empty() {
        crate::json::write_list(tools, request.member("tools"), write);
    }
}
