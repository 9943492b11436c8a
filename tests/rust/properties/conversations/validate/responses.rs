//! The API of OpenAI Responses. The items are in `responses_items`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::chat::object_schema;
use super::members::{members, one_of, within};
use super::responses_items::{CALLS, SAID, item_rules};
use super::{Server, Verdict, is_plain, list, refuse, text};

/// The parameters of the reference of `POST /responses`.
const PARAMETERS: &str = "background:bool? context_management:list? conversation:any? include:list? input!any instructions:string?
    max_output_tokens:int? max_tool_calls:int? metadata:object? model!text moderation:any parallel_tool_calls:bool?
    previous_response_id:string? prompt:object? prompt_cache_key:string prompt_cache_options:object prompt_cache_retention:string?
    reasoning:object? safety_identifier:string service_tier:string? store:bool? stream:bool? stream_options:object?
    temperature:number? text:object tool_choice:any tools:list top_logprobs:int? top_p:number? truncation:string? user:string";

/// The tools of the provider, with the members that each requires.
const HOSTED: &[(&str, &[&str])] = &[
    ("file_search", &["vector_store_ids"]),
    ("web_search", &[]),
    ("web_search_2025_08_26", &[]),
    ("web_search_preview", &[]),
    ("web_search_preview_2025_03_11", &[]),
    ("code_interpreter", &["container"]),
    ("image_generation", &[]),
    ("mcp", &["server_label"]),
    ("local_shell", &[]),
    ("shell", &[]),
    ("apply_patch", &[]),
    ("computer", &[]),
    ("computer_use_preview", &["display_width", "display_height", "environment"]),
    ("tool_search", &[]),
];

pub fn rules(body: &Value, server: &Server<'_>) -> Verdict {
    members(body, PARAMETERS, "body")?;
    within(body, "temperature", 0.0, 2.0, "body")?;
    within(body, "top_p", 0.0, 1.0, "body")?;
    // github.com/earendil-works/pi/issues/6265
    within(body, "max_output_tokens", 16.0, f64::MAX, "body")?;
    one_of(body, "service_tier", &["auto", "default", "flex", "scale", "priority"], "body")?;
    conversation(body)?;
    for (key, value) in body.get("metadata").and_then(Value::as_object).into_iter().flatten() {
        refuse!(
            key.len() > 64 || !value.is_string(),
            "Invalid 'metadata.{key}': a string is expected: {value}"
        );
    }
    if let Some(reasoning) = body.get("reasoning") {
        members(reasoning, "effort:string? summary:string? generate_summary:string?", "reasoning")?;
        one_of(
            reasoning,
            "effort",
            &["none", "minimal", "low", "medium", "high", "xhigh"],
            "reasoning",
        )?;
        one_of(reasoning, "summary", &["auto", "concise", "detailed"], "reasoning")?;
    }
    output(body)?;
    tools(body)?;
    let input = match &body["input"] {
        Value::String(_) => return Ok(()),
        Value::Array(items) => items,
        other => return Err(format!("Invalid type for 'input': {other}")),
    };
    refuse!(input.is_empty(), "Missing required parameter: 'input'.");
    for (at, item) in input.iter().enumerate() {
        item_rules(item, &format!("input[{at}]"), server)?;
        if text(item, "type") == "reasoning" {
            reasoning(at, input, body, server)?;
        }
    }
    let is_continued =
        ["previous_response_id", "conversation"].iter().any(|name| body.get(name).is_some());
    pairs(input, is_continued)
}

/// "OpenAI also checks for the conversation id format first":
/// github.com/sgl-project/sglang/pull/12299.
fn conversation(body: &Value) -> Verdict {
    let Some(conversation) = body.get("conversation") else { return Ok(()) };
    let id = conversation.as_str().unwrap_or_else(|| text(conversation, "id"));
    refuse!(
        !id.starts_with("conv"),
        "Invalid 'conversation': '{id}'. Expected an ID that begins with 'conv'."
    );
    Ok(())
}

fn output(body: &Value) -> Verdict {
    let Some(said) = body.get("text") else { return Ok(()) };
    members(said, "format:object verbosity:string?", "text")?;
    one_of(said, "verbosity", &["low", "medium", "high"], "text")?;
    let Some(format) = said.get("format") else { return Ok(()) };
    match text(format, "type") {
        "text" | "json_object" => members(format, "type!text", "text.format"),
        "json_schema" => {
            let table = "type!text name!text description:string schema!object strict:bool?";
            members(format, table, "text.format")?;
            let name = text(format, "name");
            refuse!(
                !is_plain(name, 64),
                "Invalid 'text.format.name': string does not match pattern: {name}"
            );
            Ok(())
        }
        "grammar" => Ok(()),
        other => Err(format!("Invalid value: '{other}'")),
    }
}

/// The words of the required following item are those of github.com/coder/xum/pull/59, of items
/// that are not persisted github.com/openai/openai-agents-js/issues/546, of the content of
/// reasoning github.com/musistudio/claude-code-router/issues/1783, of encrypted content
/// github.com/Wei-Shaw/sub2api/issues/3138.
fn reasoning(at: usize, input: &[Value], body: &Value, server: &Server<'_>) -> Verdict {
    let (item, path) = (&input[at], format!("input[{at}]"));
    let long = "array too long. Expected an array with maximum length 0";
    refuse!(!list(item, "content").is_empty(), "Invalid '{path}.content': {long}: {item}");
    let encrypted = item.get("encrypted_content").filter(|encrypted| !encrypted.is_null());
    let broken = "Encrypted content could not be decrypted or parsed.";
    refuse!(encrypted.is_some() && !server.has(encrypted), "{path}: {broken}: {item}");
    let is_stored = body.get("store") != Some(&Value::Bool(false)) && item.get("id").is_some();
    refuse!(encrypted.is_none() && !is_stored, "{path}: Item with id not found: {item}");
    for part in list(item, "summary") {
        members(part, "type!text text!string", &path)?;
        one_of(part, "type", &["summary_text"], &path)?;
    }
    let next = input.get(at + 1);
    let follows = next.is_some_and(|next| {
        let kind = next.get("type").and_then(Value::as_str).unwrap_or("message");
        kind == "message" && text(next, "role") == "assistant"
            || SAID.contains(&kind)
            || CALLS.contains(&kind)
    });
    refuse!(
        !follows,
        "{path}: Item of type 'reasoning' was provided without its required following item: {item}"
    );
    Ok(())
}

/// Each call that the client runs has its output, and each output its call; `is_continued`: the
/// calls may be on the server.
fn pairs(input: &[Value], is_continued: bool) -> Verdict {
    // The output of the local shell has the id of its call as `id` in the official types, and as
    // `call_id` in other clients.
    let id = |item: &Value| {
        ["call_id", "id"].iter().map(|name| text(item, name).to_owned()).find(|id| !id.is_empty())
    };
    let (mut asked, mut answered) = (BTreeSet::new(), BTreeSet::new());
    for item in input {
        let kind = text(item, "type");
        let id = id(item).unwrap_or_default();
        if CALLS.contains(&kind) {
            refuse!(!asked.insert(id), "Duplicate item: two calls with one id: {item}");
        } else if kind.strip_suffix("_output").is_some_and(|kind| CALLS.contains(&kind)) {
            let message = "No tool call found for function call output with call_id";
            refuse!(!is_continued && !asked.contains(&id), "{message} {id}: {item}");
            refuse!(!answered.insert(id), "Duplicate item: two outputs of one call: {item}");
        }
    }
    let pending: Vec<_> = asked.difference(&answered).collect();
    refuse!(!pending.is_empty(), "No tool output found for function call {pending:?}.");
    Ok(())
}

fn tools(body: &Value) -> Verdict {
    let mut names = BTreeSet::new();
    for (at, tool) in list(body, "tools").iter().enumerate() {
        tool_rules(tool, &format!("tools[{at}]"), &mut names)?;
    }
    let Some(choice) = body.get("tool_choice") else { return Ok(()) };
    if let Some(word) = choice.as_str() {
        refuse!(!matches!(word, "none" | "auto" | "required"), "Invalid value: '{word}'");
        refuse!(
            word == "required" && list(body, "tools").is_empty(),
            "Tool choice 'required' must be specified with 'tools' parameter."
        );
        return Ok(());
    }
    let is_offered = |tool: &Value| -> Verdict {
        let kind = text(tool, "type");
        if matches!(kind, "function" | "custom") {
            members(tool, "type!text name!text", "tool_choice")?;
            let name = text(tool, "name");
            refuse!(
                !names.contains(name),
                "Tool choice '{kind}' not found in 'tools' parameter: {name}"
            );
            return Ok(());
        }
        let is_hosted = HOSTED.iter().any(|(name, _)| *name == kind);
        refuse!(!is_hosted, "Invalid value: '{kind}': {tool}");
        Ok(())
    };
    if text(choice, "type") != "allowed_tools" {
        return is_offered(choice);
    }
    members(choice, "type!text mode!text tools!items", "tool_choice")?;
    one_of(choice, "mode", &["auto", "required"], "tool_choice")?;
    list(choice, "tools").iter().try_for_each(is_offered)
}

fn tool_rules(tool: &Value, path: &str, names: &mut BTreeSet<String>) -> Verdict {
    let kind = text(tool, "type");
    let table = match kind {
        "function" => {
            "type!text name!text description:string? parameters!object? strict!bool? defer_loading:bool"
        }
        "custom" => "type!text name!text description:string format:object defer_loading:bool",
        "namespace" => "type!text name!text description!string tools!items",
        _ => {
            let Some((_, required)) = HOSTED.iter().find(|(name, _)| *name == kind) else {
                return Err(format!("Invalid value: '{kind}': {path}: {tool}"));
            };
            let missing = required.iter().find(|name| tool.get(name).is_none());
            refuse!(missing.is_some(), "Missing required parameter: '{path}.{missing:?}': {tool}");
            return Ok(());
        }
    };
    members(tool, table, path)?;
    let name = text(tool, "name");
    refuse!(!is_plain(name, 64), "Invalid '{path}.name': string does not match pattern: {name}");
    refuse!(!names.insert(name.into()), "{path}: two tools with one name: {name}");
    match kind {
        "function" => {
            let schema = &tool["parameters"];
            if !schema.is_null() {
                object_schema(schema, name)?;
            }
        }
        "custom" => {
            if let Some(format) = tool.get("format") {
                one_of(format, "type", &["text", "grammar"], path)?;
                let is_grammar = text(format, "type") == "grammar";
                members(
                    format,
                    if is_grammar { "type!text syntax!text definition!text" } else { "type!text" },
                    path,
                )?;
            }
        }
        _ => {
            let mut inner = BTreeSet::new();
            for tool in list(tool, "tools") {
                tool_rules(tool, path, &mut inner)?;
            }
        }
    }
    Ok(())
}
