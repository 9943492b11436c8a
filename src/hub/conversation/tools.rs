//! Tools in the forms in which agents and their clients declare them.
//!
//! A tool of the Agent API that is not a function, or that has members of its protocol, has a tag:
//! the member `agentwire` with the `format` in which it is declared, and its `purpose`. Agents add
//! tools without one, in the form of their model.

use alloc::string::String;
use alloc::vec::Vec;

use super::members::{rest, take, take_bool, take_list, take_string, take_text, write_members};
use super::openai::{ToolNesting, read_custom, write_custom};
use super::{FormatName, Function, Tool};
use crate::json::{ObjectWriter, Value, write_list};

/// The member with the tag of a tool.
const TAG: &str = "agentwire";

/// The protocol whose functions are strict unless they say no: without its name their meaning is
/// another one.
const STRICT: &str = "responses";

/// The purposes that tools of several providers have.
pub(super) const PURPOSES: [&str; 3] = ["search", "code", "mcp"];

/// The tools of providers, by the start of their type, or by the member that has their options.
const HOSTED: &[(&str, &str, Option<&str>)] = &[
    ("web_search_2", "anthropic", Some("search")),
    ("web_search", "responses", Some("search")),
    ("code_execution_2", "anthropic", Some("code")),
    ("google_search", "interactions", Some("search")),
    ("code_execution", "interactions", Some("code")),
    ("mcp_server", "interactions", Some("mcp")),
    ("computer_use", "interactions", None),
    ("google_maps", "interactions", None),
    ("retrieval", "interactions", None),
    ("url_context", "interactions", None),
    ("code_interpreter", "responses", Some("code")),
    ("mcp", "responses", Some("mcp")),
    ("file_search", "responses", None),
    ("image_generation", "responses", None),
    ("computer_2", "anthropic", None),
    ("computer", "responses", None),
    ("local_shell", "responses", None),
    ("shell", "responses", None),
    ("apply_patch", "responses", None),
    ("text_editor_2", "anthropic", None),
    ("bash_2", "anthropic", None),
    ("memory_2", "anthropic", None),
    ("web_fetch_2", "anthropic", None),
    ("googleSearch", "gemini", Some("search")),
    ("codeExecution", "gemini", Some("code")),
    ("urlContext", "gemini", None),
    ("googleMaps", "gemini", None),
    ("googleSearchRetrieval", "gemini", Some("search")),
    ("computerUse", "gemini", None),
    ("fileSearch", "gemini", None),
];

/// Reads a tool: a function with its members in an object or not, a custom tool, a namespace, or a
/// tool of a provider. `format` is the protocol of the request.
pub(crate) fn read_tool(mut tool: Value, format: &'static str) -> Tool {
    let mut tag = take(&mut tool, TAG).unwrap_or_default();
    let tagged = take_text(&mut tag, "format").map(FormatName::from);
    let is_named = tool.get("function").is_some() || tool.get("name").is_some();
    // The type that the Agent API has for a tool without one.
    let has_options = HOSTED.iter().any(|(name, ..)| tool.get(name).is_some());
    if !is_named && (tagged.is_none() || has_options) && tool.text("type") == Some("function") {
        take(&mut tool, "type");
    }
    let kind = tool.text("type");
    let is_function = is_named && matches!(kind, Some("function") | None);
    match kind {
        Some("custom") => read_custom(take(&mut tool, "custom").unwrap_or(tool)),
        Some("namespace") => Tool::Namespace {
            name: take_string(&mut tool, "name"),
            description: take_text(&mut tool, "description"),
            tools: take_list(&mut tool, "tools")
                .into_iter()
                .map(|tool| read_tool(tool, format))
                .collect(),
        },
        _ if is_function => Tool::Function(read_function(tool, tagged.unwrap_or(format.into()))),
        kind => {
            let is_known = |(name, ..): &&(&str, &str, Option<&str>)| {
                kind.map_or_else(|| tool.get(name).is_some(), |kind| kind.starts_with(name))
            };
            let known = HOSTED.iter().find(is_known);
            let purpose = take_text(&mut tag, "purpose");
            let purpose = PURPOSES.into_iter().find(|known| Some(*known) == purpose.as_deref());
            let (format, purpose) = match (tagged, known) {
                (Some(format), _) => (format, purpose),
                (None, Some((_, format, purpose))) => (FormatName::from(*format), *purpose),
                (None, None) => (format.into(), None),
            };
            Tool::Hosted { purpose, format, value: tool }
        }
    }
}

fn read_function(mut tool: Value, format: FormatName) -> Function {
    take(&mut tool, "type");
    let cache = take(&mut tool, "cache_control");
    let mut described = take(&mut tool, "function").unwrap_or(tool);
    let mut schema = || {
        let names = ["parameters", "inputSchema", "input_schema"];
        let schema = names.into_iter().find_map(|name| take(&mut described, name))?;
        // The AI SDK has its schemas in objects with functions that check them.
        Some(match schema.get("jsonSchema") {
            Some(inner) => inner.clone(),
            None => schema,
        })
    };
    let schema = schema();
    Function {
        name: take_string(&mut described, "name"),
        description: take_text(&mut described, "description").filter(|text| !text.is_empty()),
        schema,
        strict: take_bool(&mut described, "strict"),
        cache: cache.or_else(|| take(&mut described, "cache_control")),
        more: rest(described),
        format,
    }
}

/// Writes a tool for agents: a function in the form of Chat Completions, anything else as an object
/// with a tag. `format` is the protocol of the request.
pub(crate) fn write_tool(tool: &Tool, format: &str, out: &mut String) {
    let mut object = ObjectWriter::open(out, true);
    match tool {
        Tool::Function(function) => {
            object.string("type", Some("function"));
            let mut described = ObjectWriter::open(object.member("function"), true);
            described.string("name", Some(&function.name));
            described
                .string("description", Some(function.description.as_deref().unwrap_or_default()));
            let any = Value::Object(Vec::new());
            described.value("parameters", Some(function.schema.as_ref().unwrap_or(&any)));
            described.bool("strict", function.strict);
            write_members(&function.more, &mut described);
            described.close();
            object.value("cache_control", function.cache.as_ref());
            let is_of_format =
                !function.more.is_empty() || function.strict.is_none() && function.format == STRICT;
            if is_of_format && function.format != format {
                write_tag(&function.format, None, &mut object);
            }
        }
        Tool::Custom { name, description, format } => {
            object.string("type", Some("custom"));
            write_custom(
                name,
                description.as_deref(),
                format.as_ref(),
                ToolNesting::Flat,
                &mut object,
            );
        }
        Tool::Namespace { name, description, tools } => {
            object.string("type", Some("namespace"));
            object.string("name", Some(name));
            object.string("description", description.as_deref());
            write_list(tools, object.member("tools"), |tool, out| write_tool(tool, format, out));
        }
        Tool::Hosted { purpose, format: declared, value } => {
            if let Value::Object(members) = value {
                write_members(members, &mut object);
            }
            if declared != format {
                write_tag(declared, *purpose, &mut object);
            }
        }
    }
    object.close();
}

fn write_tag(format: &str, purpose: Option<&str>, object: &mut ObjectWriter<'_>) {
    let mut tag = ObjectWriter::open(object.member(TAG), true);
    tag.string("format", Some(format));
    tag.string("purpose", purpose);
    tag.close();
}
