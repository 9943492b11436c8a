//! Tools and the choice of them, both ways.
//!
//! An MCP server is a tool of the provider: the toolset and the server that it names are one
//! declaration, in which the server has the members `server_label`, `server_url` and
//! `authorization`, as other providers have them.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::requirements::FORMAT;
use crate::hub::conversation::hosted::{HostedOption, option};
use crate::hub::conversation::members::{
    ListWriter, put_some, rest, take, take_bool, take_string, take_text, write_members,
};
use crate::hub::conversation::{Conversation, Function, SettingKey, Tool, ToolChoice};
use crate::json::{Member, ObjectWriter, Value};

const TOOLSET: &str = "mcp_toolset";
/// The type of a server that no toolset names: all of its tools can be called.
const SERVER: &str = "mcp_server";
/// What is left of a server.
const MORE: &str = "server";

pub(super) fn read(tools: Vec<Value>, servers: Vec<Value>) -> Vec<Tool> {
    let mut by_name: BTreeMap<String, Value> = BTreeMap::new();
    let mut read = Vec::with_capacity(tools.len());
    for server in servers {
        by_name.insert(server.text("name").unwrap_or_default().to_owned(), server);
    }
    for tool in tools {
        read.push(if tool.text("type") == Some(TOOLSET) {
            toolset(tool, &mut by_name)
        } else {
            of_value(tool)
        });
    }
    for (_, server) in by_name {
        let mut value = Value::from([("type", SERVER.into())]);
        add_server(&mut value, server);
        read.push(Tool::Hosted { purpose: Some("mcp"), format: FORMAT.into(), value });
    }
    read
}

fn toolset(mut tool: Value, servers: &mut BTreeMap<String, Value>) -> Tool {
    let name = take_string(&mut tool, "mcp_server_name");
    match servers.remove(&name) {
        Some(server) => add_server(&mut tool, server),
        None => tool.insert("server_label", name.into()),
    }
    Tool::Hosted { purpose: Some("mcp"), format: FORMAT.into(), value: tool }
}

/// Adds the members of a server to a declaration.
fn add_server(value: &mut Value, mut server: Value) {
    if server.text("type") == Some("url") {
        take(&mut server, "type");
    }
    put_some(value, "server_label", take(&mut server, "name"));
    put_some(value, "server_url", take(&mut server, "url"));
    put_some(value, "authorization", take(&mut server, "authorization_token"));
    put_some(value, "allowed_tools", take(&mut server, "tool_configuration.allowed_tools"));
    let left = rest(server);
    if !left.is_empty() {
        value.insert(MORE, Value::Object(left));
    }
}

fn of_value(mut tool: Value) -> Tool {
    let kind = tool.text("type").unwrap_or("custom");
    if kind != "custom" {
        let purposes = [("web_search", "search"), ("code_execution", "code")];
        let purpose =
            purposes.iter().find(|(name, _)| kind.starts_with(name)).map(|(_, purpose)| *purpose);
        return Tool::Hosted { purpose, format: FORMAT.into(), value: tool };
    }
    take(&mut tool, "type");
    Tool::Function(Function {
        name: take_string(&mut tool, "name"),
        description: take_text(&mut tool, "description"),
        schema: take(&mut tool, "input_schema"),
        strict: take_bool(&mut tool, "strict"),
        cache: take(&mut tool, "cache_control"),
        more: rest(tool),
        format: FORMAT.into(),
    })
}

/// Writes `tools`, `mcp_servers` and `tool_choice`.
pub(super) fn write(conversation: &Conversation, request: &mut ObjectWriter<'_>) {
    let is_listed = |tool: &&Tool| !matches!(tool, Tool::Hosted { value, .. } if value.text("type") == Some(SERVER));
    let mut listed = conversation.tools.iter().filter(is_listed).peekable();
    if listed.peek().is_some() {
        let mut tools = ListWriter::open(request.member("tools"));
        listed.for_each(|tool| write_tool(tool, tools.item()));
        tools.close();
    }
    // Agents can add servers of their own.
    let given = conversation
        .more
        .iter()
        .find(|member| member.key == "mcp_servers")
        .map(|member| &member.value);
    let mut servers = conversation.tools.iter().filter_map(server_of).peekable();
    if given.is_some() || servers.peek().is_some() {
        let mut list = ListWriter::open(request.member("mcp_servers"));
        if let Some(Value::Array(given)) = given {
            given.iter().for_each(|server| server.write(list.item()));
        }
        servers.for_each(|tool| write_server(tool, list.item()));
        list.close();
    }
    write_choice(conversation, request);
}

fn write_tool(tool: &Tool, out: &mut String) {
    let mut written = ObjectWriter::open(out, true);
    match tool {
        Tool::Function(function) => {
            written.string("name", Some(&function.name));
            written.string("description", function.description.as_deref());
            written.value("input_schema", function.schema.as_ref());
            // Older models do not know it, and it is the default.
            let strict = function.strict.filter(|strict| *strict || function.format == FORMAT);
            written.bool("strict", strict);
            write_members(&function.more, &mut written);
            written.value("cache_control", function.cache.as_ref());
        }
        Tool::Hosted { purpose: Some("mcp"), value, .. } => write_toolset(value, &mut written),
        Tool::Hosted { format, value: Value::Object(members), .. } if format == FORMAT => {
            write_members(members, &mut written);
        }
        Tool::Hosted { purpose, format, value } => {
            let is_search = *purpose == Some("search");
            written.string("type", Some(format));
            written.string("name", Some(if is_search { "web_search" } else { "code_execution" }));
            let options = [
                ("allowed_domains", HostedOption::AllowedDomains),
                ("blocked_domains", HostedOption::BlockedDomains),
                ("user_location", HostedOption::Location),
                ("max_uses", HostedOption::MaxUses),
            ];
            for (name, wanted) in options.into_iter().filter(|_| is_search) {
                if let Some(value) = option(value, wanted) {
                    written.value(name, Some(value));
                }
            }
        }
        // The normaliser has made functions of them.
        Tool::Custom { name, .. } | Tool::Namespace { name, .. } => {
            written.string("name", Some(name))
        }
    }
    written.close();
}

fn write_toolset(tool: &Value, written: &mut ObjectWriter<'_>) {
    written.string("type", Some(TOOLSET));
    written.string("mcp_server_name", tool.text("server_label"));
    let Value::Object(members) = tool else { return };
    if tool.text("type") == Some(TOOLSET) {
        let of_server =
            ["type", "server_label", "server_url", "authorization", "allowed_tools", MORE];
        let own = members.iter().filter(|member| !of_server.contains(&&*member.key));
        return own.for_each(|member| written.value(&member.key, Some(&member.value)));
    }
    // Other providers list the tools that can be called.
    let allowed = option(tool, HostedOption::AllowedTools);
    let allowed = allowed.map(|allowed| allowed.get("tool_names").unwrap_or(allowed));
    if let Some(Value::Array(names)) = allowed {
        written.value("default_config", Some(&Value::from([("enabled", false.into())])));
        let mut configs = ObjectWriter::open(written.member("configs"), true);
        for name in names.iter().filter_map(Value::as_str) {
            configs.value(name, Some(&Value::from([("enabled", true.into())])));
        }
        configs.close();
    }
}

/// Returns the declaration of an MCP server with its address.
fn server_of(tool: &Tool) -> Option<&Value> {
    match tool {
        Tool::Hosted { purpose: Some("mcp"), value, .. } if value.get("server_url").is_some() => {
            Some(value)
        }
        _ => None,
    }
}

fn write_server(tool: &Value, out: &mut String) {
    let mut server = ObjectWriter::open(out, true);
    let more = tool.get(MORE);
    let is_typed = more.is_some_and(|more| more.get("type").is_some());
    server.string("type", Some("url").filter(|_| !is_typed));
    server.value("name", tool.get("server_label"));
    server.value("url", tool.get("server_url"));
    if let Some(token) = tool.get("authorization") {
        server.value("authorization_token", Some(token));
    }
    let is_own = tool.text("type").is_some_and(|kind| kind == TOOLSET || kind == SERVER);
    let mut configuration =
        more.and_then(|more| more.get("tool_configuration")).cloned().unwrap_or_default();
    if let Some(allowed) = tool.get("allowed_tools").filter(|_| is_own) {
        configuration.insert("allowed_tools", allowed.clone());
    }
    if !configuration.is_null() {
        server.value("tool_configuration", Some(&configuration));
    }
    if let Some(Value::Object(members)) = more {
        let left = members.iter().filter(|member: &&Member| member.key != "tool_configuration");
        left.for_each(|member| server.value(&member.key, Some(&member.value)));
    }
    server.close();
}

fn write_choice(conversation: &Conversation, request: &mut ObjectWriter<'_>) {
    let settings = &conversation.settings;
    let parallel = settings.get(SettingKey::Parallel).and_then(Value::as_bool);
    let choice = match &settings.choice {
        None if parallel.is_none() => return,
        None => &ToolChoice::Auto,
        Some(choice) => choice,
    };
    let (kind, name) = match choice {
        ToolChoice::Auto | ToolChoice::Allowed { required: false, .. } => ("auto", None),
        ToolChoice::Required | ToolChoice::Allowed { .. } => ("any", None),
        ToolChoice::None => ("none", None),
        ToolChoice::Named(name) => ("tool", Some(&**name)),
    };
    let is_default =
        settings.choice.is_none() && parallel == Some(true) && conversation.format != FORMAT;
    if is_default {
        return;
    }
    let mut written = ObjectWriter::open(request.member("tool_choice"), true);
    written.string("type", Some(kind));
    written.string("name", name);
    let is_said = parallel == Some(false) || conversation.format == FORMAT;
    let disabled = parallel.filter(|_| is_said && kind != "none").map(|parallel| !parallel);
    written.bool("disable_parallel_tool_use", disabled);
    written.close();
}
