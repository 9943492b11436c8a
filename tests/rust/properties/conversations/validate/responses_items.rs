//! The items of the input of OpenAI Responses.

use serde_json::Value;

use super::chat_parts::{file_source, url_of_image};
use super::members::{members, one_of};
use super::{Server, Verdict, is_base64, is_plain, list, refuse, text};

/// The calls that the client runs. The type of their outputs ends with `_output`.
pub const CALLS: &[&str] = &[
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "computer_call",
];

/// The other items of a model, besides its messages.
pub const SAID: &[&str] = &[
    "reasoning",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
    "mcp_list_tools",
    "mcp_approval_request",
    "tool_search_call",
    "program",
    "compaction",
];

/// The members of items by their types, from the types of the official client
/// (`ResponseInputItem`).
const ITEMS: &[(&str, &str)] = &[
    ("message", "type:text role!text content!any id:text status:string? phase:string?"),
    (
        "reasoning",
        "type!text id:text summary!list content:list? encrypted_content:string? status:string?",
    ),
    (
        "function_call",
        "type!text id:text call_id!text name!text arguments!string namespace:text status:string? caller:object? async:bool",
    ),
    (
        "function_call_output",
        "type!text id:text? call_id!text output!any status:string? caller:object?",
    ),
    (
        "custom_tool_call",
        "type!text id:text call_id!text name!text input!string namespace:text status:string?",
    ),
    ("custom_tool_call_output", "type!text id:text call_id!text output!any status:string?"),
    ("local_shell_call", "type!text id:text call_id!text action!object status!string"),
    ("local_shell_call_output", "type!text id:text call_id:text output!any status:string?"),
    (
        "shell_call",
        "type!text id:text? call_id!text action!object status:string? environment:object?",
    ),
    (
        "shell_call_output",
        "type!text id:text? call_id!text output!list status:string? max_output_length:int?",
    ),
    ("apply_patch_call", "type!text id:text? call_id!text operation!object status!string"),
    ("apply_patch_call_output", "type!text id:text? call_id!text status!string output:string?"),
    (
        "computer_call",
        "type!text id:text call_id!text status!string action:object actions:list pending_safety_checks:list",
    ),
    (
        "computer_call_output",
        "type!text id:text? call_id!text output!object status:string? acknowledged_safety_checks:list?",
    ),
    ("web_search_call", "type!text id:text status!string action:object"),
    ("file_search_call", "type!text id:text queries!list status!string results:list?"),
    (
        "code_interpreter_call",
        "type!text id:text container_id!string status!string code:string? outputs:list?",
    ),
    ("image_generation_call", "type!text id:text status!string result:string?"),
    (
        "mcp_call",
        "type!text id:text name!text arguments!string server_label!text output:string? error:any? status:string? \
         approval_request_id:string?",
    ),
    ("mcp_list_tools", "type!text id:text server_label!text tools!list error:any?"),
    ("mcp_approval_request", "type!text id:text name!text arguments!string server_label!text"),
    (
        "mcp_approval_response",
        "type!text id:text? approval_request_id!text approve!bool reason:string?",
    ),
    (
        "tool_search_call",
        "type!text id:text call_id:text? arguments!any execution:string status:string?",
    ),
    (
        "tool_search_output",
        "type!text id:text call_id:text? tools!list execution:string status:string?",
    ),
    ("item_reference", "type:text id!text"),
    ("compaction", "type!text id:text encrypted_content!text"),
    ("compaction_trigger", "type!text"),
    // `ResponseConfigurationUpdateItemParam` of `openai` 7.59.0.
    ("configuration_update", "type!text id:text reasoning:object text:object"),
];

/// The beginnings of ids, by the types of items.
const PREFIXES: &[(&str, &str)] = &[
    ("message", "msg_"),
    ("reasoning", "rs_"),
    ("function_call", "fc_"),
    ("custom_tool_call", "ctc_"),
    ("web_search_call", "ws_"),
];

/// The parts of content, with the members of each.
const PARTS: &[(&str, &str)] = &[
    ("input_text", "type!text text!string"),
    ("input_image", "type!text image_url:text file_id:text detail:string"),
    (
        "input_file",
        "type!text file_id:text file_data:text file_url:text filename:text detail:string",
    ),
    ("input_audio", "type!text input_audio!object"),
    ("output_text", "type!text text!string annotations:list logprobs:list"),
    ("refusal", "type!text refusal!string"),
];

/// Checks an item at a path.
pub fn item_rules(item: &Value, path: &str, server: &Server<'_>) -> Verdict {
    let kind = item.get("type").and_then(Value::as_str).unwrap_or("message");
    let Some((_, table)) = ITEMS.iter().find(|(name, _)| *name == kind) else {
        return Err(format!(
            "{path}: Invalid value: '{kind}'. Supported values are: 'message', 'reasoning', …"
        ));
    };
    members(item, table, path)?;
    for name in ["id", "call_id"] {
        let id = text(item, name);
        refuse!(
            id.len() > 64,
            "Invalid '{path}.{name}': string too long. Expected a maximum length of 64: {id}"
        );
    }
    let id = text(item, "id");
    let prefix = PREFIXES.iter().find(|(name, _)| *name == kind).map_or("", |(_, prefix)| prefix);
    refuse!(
        !id.is_empty() && !id.starts_with(prefix),
        "Invalid '{path}.id': '{id}'. Expected an ID that begins with '{prefix}'."
    );
    match kind {
        "message" => message(item, path),
        "function_call" | "custom_tool_call" => {
            let name = text(item, "name");
            refuse!(
                !is_plain(name, 64),
                "Invalid '{path}.name': string does not match pattern: {name}"
            );
            Ok(())
        }
        "function_call_output" | "custom_tool_call_output" => {
            let output = &item["output"];
            refuse!(
                !output.is_string() && !output.is_array(),
                "Invalid type for '{path}.output': {output}"
            );
            refuse!(
                output.as_array().is_some_and(Vec::is_empty),
                "Invalid '{path}.output': empty array"
            );
            parts(list(item, "output"), &["input_text", "input_image", "input_file"], path)
        }
        "compaction" => {
            refuse!(
                !server.has(item.get("encrypted_content")),
                "{path}: Encrypted content could not be decrypted or parsed"
            );
            Ok(())
        }
        _ => Ok(()),
    }
}

fn message(item: &Value, path: &str) -> Verdict {
    let role = text(item, "role");
    let allowed: &[&str] = match role {
        "user" => &["input_text", "input_image", "input_file", "input_audio"],
        "system" | "developer" => &["input_text", "input_image", "input_file"],
        "assistant" => &["output_text", "refusal"],
        other => return Err(format!("{path}.role: Invalid value: '{other}'")),
    };
    refuse!(
        item.get("phase").is_some() && role != "assistant",
        "{path}.phase: only messages of the assistant have a phase"
    );
    match &item["content"] {
        Value::String(_) => Ok(()),
        Value::Array(given) => {
            refuse!(
                given.is_empty(),
                "Invalid '{path}.content': empty array. Expected an array with minimum length 1"
            );
            parts(given, allowed, path)
        }
        other => Err(format!("Invalid type for '{path}.content': {other}")),
    }
}

fn parts(parts: &[Value], allowed: &[&str], path: &str) -> Verdict {
    for (at, part) in parts.iter().enumerate() {
        let path = format!("{path}.content[{at}]");
        let kind = text(part, "type");
        refuse!(
            !allowed.contains(&kind),
            "{path}: Invalid value: '{kind}'. Supported values are: {allowed:?}"
        );
        let table = PARTS.iter().find(|(name, _)| *name == kind).map_or("", |(_, table)| table);
        members(part, table, &path)?;
        match kind {
            "input_image" => {
                one_of(part, "detail", &["auto", "low", "high", "original"], &path)?;
                let [url, file] = ["image_url", "file_id"].map(|name| part.get(name).is_some());
                refuse!(url == file, "Missing required parameter: '{path}.image_url'.");
                if url {
                    url_of_image(text(part, "image_url"), &path)?;
                }
            }
            "input_file" => {
                let url = text(part, "file_url");
                let is_web =
                    url.is_empty() || url.starts_with("https://") || url.starts_with("http://");
                refuse!(!is_web, "Invalid '{path}.file_url': {url}");
                file_source(part, &path)?;
            }
            "input_audio" => {
                members(&part["input_audio"], "data!text format!text", &path)?;
                one_of(&part["input_audio"], "format", &["wav", "mp3"], &path)?;
                refuse!(
                    !is_base64(text(&part["input_audio"], "data")),
                    "{path}.input_audio.data: Expected base64"
                );
            }
            _ => {}
        }
    }
    Ok(())
}
