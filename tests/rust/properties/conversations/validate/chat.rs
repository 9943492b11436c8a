//! The API of Chat Completions. The words are those of api.openai.com:
//! github.com/microsoft/promptflow/pull/3130, github.com/miurla/morphic/issues/136,
//! github.com/Abraxas-365/langchain-rust/pull/250.

use std::collections::BTreeSet;

use serde_json::Value;

use super::chat_parts::{content, tool_call};
use super::gemini::is_signature;
use super::members::{members, one_of, within};
use super::{Server, Verdict, is_plain, list, refuse, text};

/// The parameters of the reference of `POST /chat/completions`. OpenAI refuses any other.
const PARAMETERS: &str = "audio:object frequency_penalty:number? function_call:any functions:list logit_bias:object? logprobs:bool?
    max_completion_tokens:int? messages!items metadata:object? modalities:list? model!text moderation:any n:int?
    parallel_tool_calls:bool prediction:object? presence_penalty:number? prompt_cache_key:string prompt_cache_options:object
    prompt_cache_retention:string? reasoning_effort:string? response_format:object safety_identifier:string seed:int?
    service_tier:string? stop:any? store:bool? stream:bool? stream_options:object? temperature:number? tool_choice:any tools:list
    top_logprobs:int? top_p:number? user:string verbosity:string? web_search_options:object";

/// The members of messages, by role.
const MESSAGES: &[(&str, &str)] = &[
    ("system", "role!text content!any name:string"),
    ("developer", "role!text content!any name:string"),
    ("user", "role!text content!any name:string"),
    (
        "assistant",
        "role!text content:any? name:string refusal:string? tool_calls:items function_call:object? audio:object?",
    ),
    ("tool", "role!text tool_call_id!text content!any"),
    ("function", "role!text name!text content!any?"),
];

/// The members of messages of the assistant, and of their calls, that compatible servers take back.
const MORE: (&str, &str) = (
    " reasoning_content:string reasoning:string reasoning_details:list extra_content:object",
    " extra_content:object",
);

/// OpenAI's own server.
pub fn openai(body: &Value, server: &Server<'_>) -> Verdict {
    members(body, PARAMETERS, "body")?;
    one_of(
        body,
        "reasoning_effort",
        &["none", "minimal", "low", "medium", "high", "xhigh"],
        "body",
    )?;
    one_of(body, "verbosity", &["low", "medium", "high"], "body")?;
    one_of(body, "service_tier", &["auto", "default", "flex", "scale", "priority"], "body")?;
    within(body, "max_completion_tokens", 1.0, f64::MAX, "body")?;
    within(body, "n", 1.0, 128.0, "body")?;
    // github.com/continuedev/continue/issues/2461
    refuse!(
        list(body, "stop").len() > 4,
        "Invalid 'stop': array too long. Expected an array with maximum length 4"
    );
    // github.com/openai/openai-python/issues/2072
    let sampled = ["temperature", "top_p", "presence_penalty", "frequency_penalty"];
    let sampled = sampled.iter().find(|name| body.get(name).is_some());
    let reasons = server.model.starts_with('o');
    refuse!(
        reasons && sampled.is_some(),
        "Unsupported parameter: '{sampled:?}' is not supported with this model."
    );
    metadata(body)?;
    for (at, message) in list(body, "messages").iter().enumerate() {
        for call in list(message, "tool_calls") {
            let id = text(call, "id");
            refuse!(
                id.len() > 40,
                "Invalid 'messages[{at}].tool_calls.id': string too long. Expected maximum length 40: {id}"
            );
        }
    }
    common(body, server, ("", ""))
}

/// A compatible server.
pub fn compatible(body: &Value, server: &Server<'_>) -> Verdict {
    common(body, server, MORE)
}

/// Mistral's ids: github.com/anomalyco/opencode/issues/1680.
pub fn mistral(body: &Value, server: &Server<'_>) -> Verdict {
    for call in list(body, "messages").iter().flat_map(|message| list(message, "tool_calls")) {
        let id = text(call, "id");
        let is_legal = id.len() == 9 && id.bytes().all(|letter| letter.is_ascii_alphanumeric());
        refuse!(!is_legal, "Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.");
    }
    compatible(body, server)
}

/// DeepSeek's thinking mode: `reasoning_content` of each message with tool calls has to be sent
/// back, "in all subsequent requests". <https://api-docs.deepseek.com/guides/thinking_mode>,
/// github.com/continuedev/continue/issues/10193. An empty text is accepted:
/// github.com/continuedev/continue/pull/11290. Kimi has the same rule:
/// github.com/iOfficeAI/AionUi/issues/2746.
pub fn deepseek(body: &Value, server: &Server<'_>) -> Verdict {
    for (at, message) in list(body, "messages").iter().enumerate() {
        let is_call =
            text(message, "role") == "assistant" && !list(message, "tool_calls").is_empty();
        let has_reasoning = message.get("reasoning_content").is_some_and(Value::is_string);
        refuse!(
            is_call && !has_reasoning,
            "Missing `reasoning_content` field in the assistant message at message index {at}"
        );
    }
    compatible(body, server)
}

/// Gemini 3 behind Google's endpoint for clients of OpenAI: the first call of each step of the
/// current turn has its signature. <https://ai.google.dev/gemini-api/docs/thought-signatures>,
/// "OpenAI compatibility".
pub fn gemini(body: &Value, server: &Server<'_>) -> Verdict {
    let messages = list(body, "messages");
    let question =
        messages.iter().rposition(|message| text(message, "role") == "user").unwrap_or(0);
    for (at, message) in messages.iter().enumerate().skip(question) {
        let Some(call) = list(message, "tool_calls").first() else { continue };
        let signature = call.pointer("/extra_content/google/thought_signature");
        refuse!(
            !is_signature(signature, server),
            "messages[{at}]: Function call is missing a thought_signature: {call}"
        );
    }
    compatible(body, server)
}

/// github.com/QwenLM/qwen-code/issues/243, github.com/spiceai/spiceai/pull/5231.
fn metadata(body: &Value) -> Verdict {
    let Some(Value::Object(given)) = body.get("metadata") else { return Ok(()) };
    let is_stored = body.get("store") == Some(&Value::Bool(true));
    refuse!(
        !given.is_empty() && !is_stored,
        "The 'metadata' parameter is only allowed when 'store' is enabled."
    );
    refuse!(given.len() > 16, "Invalid 'metadata': too many properties");
    for (key, value) in given {
        let is_short = value.as_str().is_some_and(|value| value.len() <= 512);
        refuse!(
            key.len() > 64 || !is_short,
            "Invalid 'metadata.{key}': a string of at most 512: {value}"
        );
    }
    Ok(())
}

/// What all servers check. `more` are the members of messages of the assistant, and of calls, that
/// only this one has.
fn common(body: &Value, server: &Server<'_>, more: (&str, &str)) -> Verdict {
    refuse!(text(body, "model").is_empty(), "you must provide a model parameter");
    let messages = list(body, "messages");
    refuse!(
        messages.is_empty(),
        "Invalid 'messages': empty array. Expected an array with minimum length 1"
    );
    within(body, "temperature", 0.0, 2.0, "body")?;
    within(body, "top_p", 0.0, 1.0, "body")?;
    within(body, "frequency_penalty", -2.0, 2.0, "body")?;
    within(body, "presence_penalty", -2.0, 2.0, "body")?;
    let mut place = Place::default();
    for (at, message) in messages.iter().enumerate() {
        message_rules(message, at, server, more)?;
        place.next(message, at)?;
    }
    place.all_answered(messages.len())?;
    tools(body)?;
    if let Some(format) = body.get("response_format") {
        one_of(format, "type", &["text", "json_object", "json_schema"], "response_format")?;
        if text(format, "type") == "json_schema" {
            members(format, "type!text json_schema!object", "response_format")?;
            let table = "name!text description:string schema:object strict:bool?";
            members(&format["json_schema"], table, "response_format.json_schema")?;
            let name = text(&format["json_schema"], "name");
            refuse!(!is_plain(name, 64), "Invalid 'response_format.json_schema.name': {name}");
        }
    }
    Ok(())
}

fn message_rules(message: &Value, at: usize, server: &Server<'_>, more: (&str, &str)) -> Verdict {
    let path = format!("messages[{at}]");
    let role = text(message, "role");
    let Some((_, table)) = MESSAGES.iter().find(|(name, _)| *name == role) else {
        return Err(format!("{path}: Invalid value: '{role}'"));
    };
    members(message, &[*table, if role == "assistant" { more.0 } else { "" }].concat(), &path)?;
    let calls = list(message, "tool_calls");
    let given = message.get("content").filter(|content| !content.is_null());
    let is_nothing = given.is_none()
        && calls.is_empty()
        && ["refusal", "audio"].iter().all(|name| message.get(name).is_none());
    refuse!(
        is_nothing,
        "{path}: Invalid value for 'content': expected a string, got null: {message}"
    );
    content(message, &path)?;
    calls.iter().try_for_each(|call| tool_call(call, &path, more.1))?;
    for detail in list(message, "reasoning_details") {
        let secret = detail.get("data").or_else(|| detail.get("signature"));
        refuse!(
            secret.is_some() && !server.has(secret),
            "{path}: the state of another model: {detail}"
        );
    }
    let with_extra = calls.iter().chain([message]).filter_map(|object| object.get("extra_content"));
    for extra in with_extra {
        let secret = extra.pointer("/google/thought_signature");
        refuse!(
            secret.is_some() && !is_signature(secret, server),
            "{path}: the state of another model: {extra}"
        );
    }
    Ok(())
}

/// The calls that wait for their results at a place of the list of messages.
#[derive(Default)]
struct Place<'v> {
    asked: BTreeSet<&'v str>,
    answered: BTreeSet<&'v str>,
}

impl<'v> Place<'v> {
    fn next(&mut self, message: &'v Value, at: usize) -> Verdict {
        if text(message, "role") == "tool" {
            let id = text(message, "tool_call_id");
            refuse!(
                !self.asked.contains(id),
                "messages[{at}]: messages with role 'tool' must be a response to a preceeding message with 'tool_calls': {id}"
            );
            refuse!(
                !self.answered.insert(id),
                "messages[{at}]: Duplicate value for 'tool_call_id' of '{id}'"
            );
            return Ok(());
        }
        self.all_answered(at)?;
        let calls = list(message, "tool_calls");
        self.asked = calls.iter().map(|call| text(call, "id")).collect();
        self.answered.clear();
        refuse!(
            self.asked.len() < calls.len(),
            "messages[{at}]: Duplicate 'tool_calls' ids: {message}"
        );
        Ok(())
    }

    fn all_answered(&self, at: usize) -> Verdict {
        let missing: Vec<_> = self.asked.difference(&self.answered).collect();
        refuse!(
            !missing.is_empty(),
            "before messages[{at}]: An assistant message with 'tool_calls' must be followed by tool messages responding to each \
             'tool_call_id': {missing:?}"
        );
        Ok(())
    }
}

fn tools(body: &Value) -> Verdict {
    let tools = list(body, "tools");
    refuse!(body.get("tools").is_some() && tools.is_empty(), "[] is too short - 'tools'");
    let mut names = BTreeSet::new();
    for (at, tool) in tools.iter().enumerate() {
        let (path, kind) = (format!("tools[{at}]"), text(tool, "type"));
        let table = match kind {
            "function" => "name!text description:string parameters:object strict:bool?",
            "custom" => "name!text description:string format:object",
            _ => {
                return Err(format!(
                    "{path}: Invalid value: '{kind}'. Supported values are: 'function' and 'custom'."
                ));
            }
        };
        members(tool, &format!("type!text {kind}!object"), &path)?;
        members(&tool[kind], table, &path)?;
        let name = text(&tool[kind], "name");
        refuse!(
            !is_plain(name, 64),
            "Invalid '{path}.{kind}.name': string does not match pattern: {name}"
        );
        refuse!(!names.insert(name), "{path}: two tools with one name: {name}");
        if let Some(schema) = tool[kind].get("parameters") {
            object_schema(schema, name)?;
        }
        if let Some(format) = tool[kind].get("format") {
            custom_format(format, &path)?;
        }
    }
    choice(body, &names)
}

/// github.com/chatanywhere/GPT_API_free/issues/403
pub fn object_schema(schema: &Value, name: &str) -> Verdict {
    let is_object = text(schema, "type") == "object";
    let of = "schema must be a JSON Schema of 'type: \"object\"'";
    refuse!(!is_object, "Invalid schema for function '{name}': {of}: {schema}");
    let combined =
        ["oneOf", "anyOf", "allOf", "enum", "not"].iter().find(|key| schema.get(key).is_some());
    refuse!(
        combined.is_some(),
        "Invalid schema for function '{name}': {of} and not have {combined:?} at the top level"
    );
    Ok(())
}

fn custom_format(format: &Value, path: &str) -> Verdict {
    one_of(format, "type", &["text", "grammar"], path)?;
    if text(format, "type") == "grammar" {
        members(format, "type!text grammar!object", path)?;
        members(&format["grammar"], "syntax!text definition!text", path)?;
    }
    Ok(())
}

fn choice(body: &Value, names: &BTreeSet<&str>) -> Verdict {
    let only = "is only allowed when 'tools' are specified.";
    let parallel = body.get("parallel_tool_calls");
    refuse!(
        parallel.is_some() && names.is_empty(),
        "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' {only}"
    );
    let Some(choice) = body.get("tool_choice") else { return Ok(()) };
    refuse!(
        names.is_empty() && choice != "none",
        "Invalid value for 'tool_choice': 'tool_choice' {only}"
    );
    if let Some(word) = choice.as_str() {
        refuse!(!matches!(word, "none" | "auto" | "required"), "Invalid value: '{word}'");
        return Ok(());
    }
    let kind = text(choice, "type");
    let is_offered = |tool: &Value| -> Verdict {
        let kind = text(tool, "type");
        refuse!(!matches!(kind, "function" | "custom"), "Invalid value: '{kind}': {choice}");
        members(tool, &format!("type!text {kind}!object"), "tool_choice")?;
        let name = text(&tool[kind], "name");
        refuse!(!names.contains(name), "Invalid value for 'tool_choice': no such tool: {name}");
        Ok(())
    };
    if kind != "allowed_tools" {
        return is_offered(choice);
    }
    members(choice, "type!text allowed_tools!object", "tool_choice")?;
    let allowed = &choice["allowed_tools"];
    members(allowed, "mode!text tools!items", "tool_choice.allowed_tools")?;
    one_of(allowed, "mode", &["auto", "required"], "tool_choice.allowed_tools")?;
    list(allowed, "tools").iter().try_for_each(is_offered)
}
