//! The API of Gemini Interactions: the members of the types of `@google/genai` 3.3.0 (servers of
//! Google refuse unknown names, as in `gemini.rs`), results for calls, and signatures that the
//! server has issued. `tests/js/conversations/rules/interactions.mjs` has the same rules.

use serde_json::Value;

use super::gemini::{is_function_name, is_signature};
use super::members::{members, one_of, within};
use super::{Server, Verdict, is_base64, list, refuse, text};

const REQUEST: &str =
    "model:text agent:text agent_config:object background:bool cached_content:string continuation_token:text
    environment:any generation_config:object input:any labels:object previous_interaction_id:text response_format:any
    response_mime_type:string response_modalities:list safety_settings:list service_tier:string store:bool stream:bool
    system_instruction:text tools:items webhook_config:object";
const CONFIG: &str = "image_config:object max_output_tokens:int seed:int speech_config:any stop_sequences:list temperature:number
    thinking_level:string thinking_summaries:string tool_choice:any top_p:number transcription_config:object video_config:object";

/// The members of the contents, by type.
const CONTENTS: &[(&str, &str)] = &[
    ("text", "type!text text!text annotations:list"),
    ("image", "type!text data:text uri:text mime_type:text resolution:string"),
    ("audio", "type!text data:text uri:text mime_type:text channels:int sample_rate:int rate:int"),
    (
        "video",
        "type!text data:text uri:text mime_type:text name:string processing:any resolution:string",
    ),
    ("document", "type!text data:text uri:text mime_type:text"),
];

/// The members of steps, by type. Those of the server's tools end with `_call` and `_result`.
const STEPS: &[(&str, &str)] = &[
    ("user_input", "type!text content!items"),
    ("model_output", "type!text content!items error:object"),
    ("thought", "type!text signature:text summary:list"),
    ("function_call", "type!text id!text name!text arguments!object signature:text"),
    ("function_result", "type!text call_id!text name:text result!any is_error:bool signature:text"),
    ("mcp_server_tool_call", "type!text id!text name!text server_name:text arguments:object"),
    ("mcp_server_tool_result", "type!text call_id!text name:text server_name:text result:any"),
];
const SERVER: &[&str] = &[
    "code_execution",
    "file_search",
    "google_maps",
    "google_search",
    "processing",
    "retrieval",
    "url_context",
];
const SERVER_CALL: &str =
    "type!text id!text arguments:object signature:text search_type:string retrieval_type:string";
const SERVER_RESULT: &str = "type!text call_id!text result:any is_error:bool signature:text";

const TOOLS: &[(&str, &str)] = &[
    ("function", "type!text name!text description:string parameters:object"),
    ("google_search", "type!text search_types:list"),
    ("code_execution", "type!text"),
    ("url_context", "type!text"),
    ("google_maps", "type!text enable_widget:bool latitude:number longitude:number"),
    ("mcp_server", "type!text name:text url!text headers:object allowed_tools:list"),
];

pub fn rules(body: &Value, server: &Server<'_>) -> Verdict {
    members(body, REQUEST, "body")?;
    let [model, agent] = ["model", "agent"].map(|name| body.get(name).is_some());
    refuse!(model == agent, "Exactly one of model and agent must be set.");
    one_of(body, "service_tier", &["flex", "standard", "priority", "deferred"], "body")?;
    if let Some(config) = body.get("generation_config") {
        members(config, CONFIG, "generation_config")?;
        within(config, "temperature", 0.0, 2.0, "generation_config")?;
        within(config, "top_p", 0.0, 1.0, "generation_config")?;
        within(config, "max_output_tokens", 1.0, f64::MAX, "generation_config")?;
        within(config, "seed", f64::from(i32::MIN), f64::from(i32::MAX), "generation_config")?;
        let levels = ["minimal", "low", "medium", "high", "xhigh"];
        one_of(config, "thinking_level", &levels, "generation_config")?;
        one_of(config, "thinking_summaries", &["auto", "none"], "generation_config")?;
        refuse!(list(config, "stop_sequences").len() > 5, "stop_sequences: at most 5: {config}");
    }
    tools(body)?;
    let is_continued = body.get("continuation_token").is_some();
    let steps = list(body, "input");
    refuse!(steps.is_empty() && !is_continued, "input is not specified");
    for (at, step) in steps.iter().enumerate() {
        step_rules(step, &format!("input[{at}]"), server)?;
    }
    results(steps, body.get("previous_interaction_id").is_some())
}

/// Returns the members of a type.
fn row<'t>(table: &[(&str, &'t str)], kind: &str) -> Option<&'t str> {
    table.iter().find(|(name, _)| *name == kind).map(|(_, members)| *members)
}

fn step_rules(step: &Value, path: &str, server: &Server<'_>) -> Verdict {
    let kind = text(step, "type");
    let is_server = |end: &str| kind.strip_suffix(end).is_some_and(|tool| SERVER.contains(&tool));
    let known = row(STEPS, kind)
        .or_else(|| is_server("_call").then_some(SERVER_CALL))
        .or_else(|| is_server("_result").then_some(SERVER_RESULT));
    let Some(known) = known else {
        return Err(format!("Unknown value \"{kind}\" at '{path}.type': {step}"));
    };
    members(step, known, path)?;
    let signature = step.get("signature");
    refuse!(
        signature.is_some() && !is_signature(signature, server),
        "{path}: Corrupted thought signature: {step}"
    );
    let contents = list(step, if kind == "thought" { "summary" } else { "content" });
    for content in contents {
        content_rules(content, path)?;
    }
    if kind == "function_call" {
        let name = text(step, "name");
        refuse!(!is_function_name(name), "{path}.name: Invalid function name: {name}");
    }
    if kind == "function_result" {
        let result = &step["result"];
        let is_known = result.is_string() || result.is_object() || result.is_array();
        refuse!(!is_known, "Invalid value at '{path}.result': {step}");
        for content in list(step, "result") {
            content_rules(content, path)?;
        }
    }
    Ok(())
}

fn content_rules(content: &Value, path: &str) -> Verdict {
    let kind = text(content, "type");
    let Some(known) = row(CONTENTS, kind) else {
        return Err(format!("Unknown value \"{kind}\" at '{path}.content': {content}"));
    };
    members(content, known, path)?;
    if kind == "text" {
        return Ok(());
    }
    let [data, uri] = ["data", "uri"].map(|name| content.get(name).is_some());
    refuse!(data == uri, "{path}: one of data and uri is required: {content}");
    refuse!(data && !is_base64(text(content, "data")), "{path}: Base64 decoding failed: {content}");
    refuse!(data && !text(content, "mime_type").contains('/'), "{path}.mime_type: {content}");
    let is_uri = ["https://", "http://", "gs://"]
        .iter()
        .any(|scheme| text(content, "uri").starts_with(scheme));
    refuse!(uri && !is_uri, "{path}.uri: Invalid or unsupported file uri: {content}");
    Ok(())
}

fn tools(body: &Value) -> Verdict {
    let mut functions = Vec::new();
    for (at, tool) in list(body, "tools").iter().enumerate() {
        let (path, kind) = (format!("tools[{at}]"), text(tool, "type"));
        let Some(known) = row(TOOLS, kind) else {
            return Err(format!("Unknown value \"{kind}\" at '{path}.type': {tool}"));
        };
        members(tool, known, &path)?;
        if kind == "function" {
            let name = text(tool, "name");
            refuse!(!is_function_name(name), "{path}.name: Invalid function name: {name}");
            refuse!(functions.contains(&name), "Duplicate function declaration found: {name}");
            functions.push(name);
        }
    }
    let Some(choice) = body.pointer("/generation_config/tool_choice") else { return Ok(()) };
    let modes = ["auto", "any", "none", "validated"];
    if let Some(mode) = choice.as_str() {
        refuse!(!modes.contains(&mode), "Unknown tool choice {mode}.");
        return Ok(());
    }
    members(choice, "allowed_tools!object", "tool_choice")?;
    let allowed = &choice["allowed_tools"];
    members(allowed, "mode!text tools!strings", "tool_choice.allowed_tools")?;
    one_of(allowed, "mode", &modes, "tool_choice.allowed_tools")?;
    let is_offered = |name: &&Value| name.as_str().is_some_and(|name| functions.contains(&name));
    let other = list(allowed, "tools").iter().find(|name| !is_offered(name));
    refuse!(other.is_some(), "Allowed function name {other:?} is not in tools: {functions:?}");
    Ok(())
}

/// Every call has a result before the next input, and every result a call, which the server can
/// have stored.
fn results(steps: &[Value], has_stored: bool) -> Verdict {
    let mut waiting: Vec<&str> = Vec::new();
    let unanswered = |waiting: &[&str]| {
        refuse!(!waiting.is_empty(), "function_call {waiting:?} has no function_result.");
        Ok(())
    };
    for step in steps {
        match text(step, "type") {
            "function_call" => waiting.push(text(step, "id")),
            "function_result" => {
                let id = text(step, "call_id");
                refuse!(
                    !waiting.contains(&id) && !has_stored,
                    "function_result: no function_call with the id {id}."
                );
                waiting.retain(|waiting| *waiting != id);
            }
            "user_input" => unanswered(&waiting)?,
            _ => {}
        }
    }
    unanswered(&waiting)
}
