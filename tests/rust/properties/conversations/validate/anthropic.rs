//! The API of Anthropic Messages.

use std::collections::BTreeSet;

use serde_json::Value;

use super::members::{members, one_of, within};
use super::{Server, Verdict, is_base64, is_plain, list, refuse, text};

/// The parameters of `POST /v1/messages`. The API refuses any other: "Extra inputs are not
/// permitted".
const PARAMETERS: &str = "model!text max_tokens!int messages!items system:any tools:list tool_choice:object stream:bool thinking:object
    temperature:number top_p:number top_k:int stop_sequences:list metadata:object service_tier:string output_config:object
    cache_control:object container:any context_management:object mcp_servers:list inference_geo:string speed:string";

/// The members of blocks, by the types of the official client (`ContentBlockParam`, also the beta
/// ones).
const BLOCKS: &[(&str, &str)] = &[
    ("text", "type!string text!text citations:list cache_control:object"),
    ("image", "type!string source!object cache_control:object"),
    (
        "document",
        "type!string source!object title:string context:string citations:object cache_control:object",
    ),
    (
        "search_result",
        "type!string source!string title!string content!list citations:object cache_control:object",
    ),
    ("thinking", "type!string thinking!string signature!text"),
    ("redacted_thinking", "type!string data!text"),
    ("tool_use", "type!string id!text name!text input!object cache_control:object caller:object"),
    ("tool_result", "type!string tool_use_id!text content:any is_error:bool cache_control:object"),
    (
        "server_tool_use",
        "type!string id!text name!text input!object cache_control:object caller:object",
    ),
    (
        "web_search_tool_result",
        "type!string tool_use_id!text content!any cache_control:object caller:object",
    ),
    (
        "web_fetch_tool_result",
        "type!string tool_use_id!text content!any cache_control:object caller:object",
    ),
    ("code_execution_tool_result", "type!string tool_use_id!text content!any cache_control:object"),
    (
        "bash_code_execution_tool_result",
        "type!string tool_use_id!text content!any cache_control:object",
    ),
    (
        "text_editor_code_execution_tool_result",
        "type!string tool_use_id!text content!any cache_control:object",
    ),
    ("tool_search_tool_result", "type!string tool_use_id!text content!any cache_control:object"),
    (
        "mcp_tool_use",
        "type!string id!text name!text input!object server_name!text cache_control:object",
    ),
    (
        "mcp_tool_result",
        "type!string tool_use_id!text content:any is_error:bool cache_control:object",
    ),
    ("container_upload", "type!string file_id!text cache_control:object"),
    (
        "compaction",
        "type!string content:string? encrypted_content:string? cache_control:object signature:string tool_changes:list",
    ),
    // Of `@anthropic-ai/sdk` 1.14.0.
    ("fallback", "type!string from!object to!object trigger:object?"),
    ("mcp_tool_listing", "type!string mcp_server_name!string tools!list"),
];

/// The sources of media, by the type of the block.
const SOURCES: &[(&str, &str, &str)] = &[
    ("image", "base64", "type!string data!text media_type!text"),
    ("image", "url", "type!string url!text"),
    ("image", "file", "type!string file_id!text"),
    ("document", "base64", "type!string data!text media_type!text"),
    ("document", "url", "type!string url!text"),
    ("document", "file", "type!string file_id!text"),
    ("document", "text", "type!string data!text media_type!text"),
    ("document", "content", "type!string content!any"),
];

const FUNCTION: &str =
    "type:string name!text description:string input_schema!object cache_control:object strict:bool
    defer_loading:bool allowed_callers:list eager_input_streaming:bool input_examples:list";

const CHOICES: &[(&str, &str)] = &[
    ("auto", "type!string disable_parallel_tool_use:bool"),
    ("any", "type!string disable_parallel_tool_use:bool"),
    ("tool", "type!string name!text disable_parallel_tool_use:bool"),
    ("none", "type!string"),
];

const THINKING: &[(&str, &str)] = &[
    ("enabled", "type!string budget_tokens!int display:string"),
    ("adaptive", "type!string display:string"),
    ("disabled", "type!string"),
];

/// What a family of models has.
struct Family {
    /// The starts of their names.
    names: &'static [&'static str],
    thinking: &'static [&'static str],
    efforts: &'static [&'static str],
    /// Whether it continues an answer.
    continues: bool,
    /// Whether instructions can follow a turn of the user.
    /// <https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages>
    has_instructions: bool,
    /// Whether its sampling is controlled.
    samples: bool,
}

const FAMILIES: &[Family] = &[
    Family {
        names: &["claude-3-5", "claude-3-opus"],
        thinking: &["disabled"],
        efforts: &[],
        continues: true,
        has_instructions: false,
        samples: true,
    },
    Family {
        names: &["claude-sonnet-4-5"],
        thinking: &["enabled", "disabled"],
        efforts: &[],
        continues: true,
        has_instructions: false,
        samples: true,
    },
    Family {
        names: &["claude-opus-4-6"],
        thinking: &["enabled", "adaptive", "disabled"],
        efforts: &["low", "medium", "high", "max"],
        continues: false,
        has_instructions: false,
        samples: true,
    },
    Family {
        names: &["claude-opus-5"],
        thinking: &["adaptive", "disabled"],
        efforts: &["low", "medium", "high", "xhigh", "max"],
        continues: false,
        has_instructions: true,
        samples: false,
    },
    // Any.
    Family {
        names: &[""],
        thinking: &["enabled", "adaptive", "disabled"],
        efforts: &["low", "medium", "high", "xhigh", "max"],
        continues: true,
        has_instructions: true,
        samples: true,
    },
];

fn family(server: &Server<'_>) -> &'static Family {
    let is_of = |family: &&Family| family.names.iter().any(|name| server.model.starts_with(name));
    FAMILIES.iter().find(is_of).unwrap_or(&FAMILIES[0])
}

pub fn rules(body: &Value, server: &Server<'_>) -> Verdict {
    let family = family(server);
    members(body, PARAMETERS, "body")?;
    within(body, "max_tokens", 1.0, f64::MAX, "body")?;
    within(body, "temperature", 0.0, 1.0, "body")?;
    within(body, "top_p", 0.0, 1.0, "body")?;
    within(body, "top_k", 0.0, f64::MAX, "body")?;
    one_of(body, "service_tier", &["auto", "standard_only"], "body")?;
    if let Some(metadata) = body.get("metadata") {
        members(metadata, "user_id:string?", "metadata")?;
    }
    for stop in list(body, "stop_sequences") {
        let is_blank = stop.as_str().is_none_or(|stop| stop.trim().is_empty());
        refuse!(is_blank, "stop_sequences: each stop sequence must contain non-whitespace: {stop}");
    }
    // github.com/BerriAI/litellm/issues/15097
    let is_both = ["temperature", "top_p"].iter().all(|name| body.get(name).is_some());
    refuse!(
        is_both && !server.model.starts_with("claude-3"),
        "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
    );
    let sampled = ["temperature", "top_p", "top_k"].iter().any(|name| body.get(name).is_some());
    refuse!(sampled && !family.samples, "`temperature` is deprecated for this model");
    thinking(body, family)?;
    output(body, family)?;
    tools(body)?;
    system(body)?;
    let messages: Vec<Message<'_>> =
        list(body, "messages").iter().map(Message::of).collect::<Result<_, _>>()?;
    for (at, message) in messages.iter().enumerate() {
        message.rules(at, &messages, server)?;
    }
    // A summary stands for the messages before it.
    let first = messages[0].blocks.first();
    let is_summary = first.is_some_and(|block| text(block, "type") == "compaction");
    refuse!(
        !is_summary && messages[0].role != "user",
        "messages: first message must use the \"user\" role"
    );
    let calls = messages.iter().flat_map(Message::calls).collect::<Vec<_>>();
    let ids: BTreeSet<&str> = calls.iter().copied().collect();
    refuse!(ids.len() < calls.len(), "messages: `tool_use` ids must be unique: {calls:?}");
    if body.get("thinking").is_some_and(|thinking| text(thinking, "type") == "enabled") {
        starts_with_thinking(&messages)?;
    }
    breakpoints(body, &messages)
}

/// <https://platform.claude.com/docs/en/build-with-claude/extended-thinking>: budgets, tool choice
/// and temperature.
fn thinking(body: &Value, family: &Family) -> Verdict {
    let Some(thinking) = body.get("thinking") else { return Ok(()) };
    let kind = text(thinking, "type");
    let table = THINKING.iter().find(|(name, _)| *name == kind);
    let Some((_, table)) = table else { return Err(format!("thinking: {thinking}")) };
    members(thinking, table, "thinking")?;
    refuse!(
        !family.thinking.contains(&kind),
        "thinking.type: `{kind}` is not supported on this model"
    );
    if kind == "disabled" {
        return Ok(());
    }
    let temperature = body.get("temperature").and_then(Value::as_f64);
    refuse!(
        temperature.is_some_and(|given| given != 1.0),
        "`temperature` may only be set to 1 when thinking is enabled"
    );
    refuse!(body.get("top_k").is_some(), "`top_k` must be unset when thinking is enabled");
    if kind != "enabled" {
        return Ok(());
    }
    let choice = body.get("tool_choice").map_or("", |choice| text(choice, "type"));
    refuse!(
        matches!(choice, "any" | "tool"),
        "Thinking may not be enabled when tool_choice forces tool use"
    );
    within(thinking, "budget_tokens", 1024.0, f64::MAX, "thinking")?;
    let [budget, most] = [&thinking["budget_tokens"], &body["max_tokens"]].map(Value::as_f64);
    refuse!(
        most <= budget,
        "`max_tokens` must be greater than `thinking.budget_tokens`: {most:?} {budget:?}"
    );
    let top_p = body.get("top_p").and_then(Value::as_f64);
    refuse!(
        top_p.is_some_and(|given| given < 0.95),
        "`top_p` must be greater than or equal to 0.95 when thinking is enabled"
    );
    Ok(())
}

fn output(body: &Value, family: &Family) -> Verdict {
    let Some(config) = body.get("output_config") else { return Ok(()) };
    members(config, "effort:string format:object task_budget:object", "output_config")?;
    one_of(config, "effort", family.efforts, "output_config")?;
    let Some(format) = config.get("format") else { return Ok(()) };
    members(format, "type!string schema!object", "output_config.format")?;
    one_of(format, "type", &["json_schema"], "output_config.format")
}

fn tools(body: &Value) -> Verdict {
    let (tools, servers) = (list(body, "tools"), list(body, "mcp_servers"));
    let server_names: Vec<&str> = servers.iter().map(|server| text(server, "name")).collect();
    let mut names = Vec::new();
    for (at, tool) in tools.iter().enumerate() {
        let (path, kind, name) = (format!("tools.{at}"), text(tool, "type"), text(tool, "name"));
        names.push(name);
        match kind {
            "" | "custom" => {
                members(tool, FUNCTION, &path)?;
                refuse!(
                    !is_plain(name, 128),
                    "{path}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$': {name}"
                );
                let schema = &tool["input_schema"];
                refuse!(
                    text(schema, "type") != "object",
                    "{path}.custom.input_schema.type: Input should be 'object': {schema}"
                );
                // github.com/marianfoo/mcp-sap-docs/pull/51
                let is_combined =
                    ["anyOf", "oneOf", "allOf"].iter().any(|key| schema.get(key).is_some());
                refuse!(
                    is_combined,
                    "{path}.custom.input_schema: does not support oneOf, allOf, or anyOf at the top level"
                );
            }
            "mcp_toolset" => {
                names.pop();
                let label = text(tool, "mcp_server_name");
                refuse!(!server_names.contains(&label), "{path}: no such MCP server: {label}");
            }
            _ => {
                let version = kind.rsplit('_').next().unwrap_or_default();
                let is_versioned =
                    version.len() == 8 && version.bytes().all(|digit| digit.is_ascii_digit());
                refuse!(
                    !is_versioned,
                    "{path}: Input tag '{kind}' does not match any of the expected tags"
                );
                refuse!(name.is_empty(), "{path}.name: Field required");
            }
        }
    }
    for server in servers {
        members(
            server,
            "type!text url!text name!text authorization_token:string? tool_configuration:object?",
            "mcp_servers",
        )?;
        let is_used =
            tools.iter().any(|tool| text(tool, "mcp_server_name") == text(server, "name"));
        refuse!(!is_used, "mcp_servers: a server must be referenced by a toolset: {server}");
    }
    let unique: BTreeSet<&str> = names.iter().copied().collect();
    refuse!(unique.len() < names.len(), "tools: Tool names must be unique: {names:?}");
    let Some(choice) = body.get("tool_choice") else { return Ok(()) };
    refuse!(tools.is_empty(), "tool_choice: may only be specified while providing tools");
    let kind = text(choice, "type");
    let table = CHOICES.iter().find(|(name, _)| *name == kind);
    let Some((_, table)) = table else { return Err(format!("tool_choice: {choice}")) };
    members(choice, table, "tool_choice")?;
    let name = text(choice, "name");
    refuse!(kind == "tool" && !names.contains(&name), "Tool '{name}' not found in provided tools");
    Ok(())
}

fn system(body: &Value) -> Verdict {
    match body.get("system") {
        None | Some(Value::String(_)) => Ok(()),
        Some(Value::Array(blocks)) => blocks.iter().try_for_each(|block| {
            refuse!(text(block, "type") != "text", "system: Input tag: {block}");
            refuse!(
                text(block, "text").is_empty(),
                "system: text content blocks must be non-empty"
            );
            members(block, BLOCKS[0].1, "system")
        }),
        Some(other) => Err(format!("system: {other}")),
    }
}

/// A message, with its content as blocks.
struct Message<'v> {
    role: &'v str,
    /// The text, if the content is one.
    text: Option<&'v str>,
    blocks: &'v [Value],
}

fn of_type<'v>(
    blocks: &'v [Value],
    kind: &'static str,
    id: &'static str,
) -> impl Iterator<Item = &'v str> {
    blocks.iter().filter(move |block| text(block, "type") == kind).map(move |block| text(block, id))
}

impl<'v> Message<'v> {
    fn of(message: &'v Value) -> Result<Self, String> {
        members(message, "role!text content!any", "messages")?;
        let text = message["content"].as_str();
        refuse!(text.is_none() && !message["content"].is_array(), "messages.content: {message}");
        Ok(Message { role: super::text(message, "role"), text, blocks: list(message, "content") })
    }

    fn calls(&self) -> impl Iterator<Item = &'v str> + use<'v> {
        of_type(self.blocks, "tool_use", "id")
    }

    fn results(&self) -> impl Iterator<Item = &'v str> + use<'v> {
        of_type(self.blocks, "tool_result", "tool_use_id")
    }

    fn rules(&self, at: usize, all: &[Message<'_>], server: &Server<'_>) -> Verdict {
        let Message { role, blocks, .. } = self;
        let is_last = at + 1 == all.len();
        if *role == "system" {
            let role = |at: usize| all.get(at).map(|message| message.role);
            let follows = at.checked_sub(1).is_some_and(|before| role(before) == Some("user"));
            let ends = matches!(role(at + 1), None | Some("assistant"));
            let is_allowed = family(server).has_instructions && follows && ends;
            refuse!(
                !is_allowed,
                "messages.{at}.role: role 'system' is not supported here, or on this model"
            );
        } else {
            let is_known = matches!(*role, "user" | "assistant");
            refuse!(!is_known, "messages.{at}.role: Input should be 'user' or 'assistant': {role}");
        }
        let continued = is_last && *role == "assistant" && self.calls().next().is_none();
        let prefill = "This model does not support assistant message prefill";
        refuse!(
            continued && !family(server).continues,
            "{prefill}. The conversation must end with a user message."
        );
        match self.text {
            Some(text) => {
                let is_blank = text.trim().is_empty() && !(is_last && *role == "assistant");
                refuse!(is_blank, "messages.{at}: all messages must have non-empty content");
            }
            None => {
                let is_empty = blocks.is_empty() && !(is_last && *role == "assistant");
                refuse!(is_empty, "messages.{at}: all messages must have non-empty content");
            }
        }
        // github.com/anomalyco/opencode/issues/1295
        if is_last && *role == "assistant" {
            let last = self
                .text
                .or_else(|| blocks.last().map(|block| text(block, "text")))
                .unwrap_or_default();
            let is_space = last != last.trim_end();
            refuse!(
                is_space,
                "messages: final assistant content cannot end with trailing whitespace: {last:?}"
            );
        }
        for (place, block) in blocks.iter().enumerate() {
            block_rules(block, role, &format!("messages.{at}.content.{place}"), server)?;
        }
        self.pairs(at, all)
    }

    /// Results come first, in the next message.
    /// <https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls>
    fn pairs(&self, at: usize, all: &[Message<'_>]) -> Verdict {
        let next = all.get(at + 1);
        let answered: BTreeSet<&str> = next.into_iter().flat_map(Message::results).collect();
        let missing: Vec<&str> = self.calls().filter(|id| !answered.contains(id)).collect();
        refuse!(
            !missing.is_empty(),
            "messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {missing:?}"
        );
        let is_result = |block: &&Value| text(block, "type") == "tool_result";
        let late = self.blocks.iter().skip_while(is_result).any(|block| is_result(&block));
        refuse!(late, "messages.{at}: `tool_result` blocks must come first in the content");
        let asked: BTreeSet<&str> =
            at.checked_sub(1).map(|before| all[before].calls().collect()).unwrap_or_default();
        let mut seen = BTreeSet::new();
        for id in self.results() {
            refuse!(
                !asked.contains(id),
                "messages.{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}"
            );
            refuse!(
                !seen.insert(id),
                "messages.{at}: each tool_use must have a single result: {id}"
            );
        }
        for (kind, suffix) in
            [("server_tool_use", "_tool_result"), ("mcp_tool_use", "mcp_tool_result")]
        {
            for (place, block) in
                self.blocks.iter().enumerate().filter(|(_, block)| text(block, "type") == kind)
            {
                let id = text(block, "id");
                let is_of = |other: &Value| {
                    text(other, "type").ends_with(suffix) && text(other, "tool_use_id") == id
                };
                let is_answered = self.blocks[place..].iter().any(is_of);
                refuse!(
                    !is_answered,
                    "messages.{at}.content.{place}: `{kind}` with id `{id}` was found without a result"
                );
            }
        }
        Ok(())
    }
}

fn block_rules(block: &Value, role: &str, path: &str, server: &Server<'_>) -> Verdict {
    let kind = text(block, "type");
    let Some((_, table)) = BLOCKS.iter().find(|(name, _)| *name == kind) else {
        return Err(format!("{path}: Input tag '{kind}' does not match any of the expected tags"));
    };
    members(block, table, path)?;
    if let Some(breakpoint) = block.get("cache_control") {
        members(breakpoint, "type!string ttl:string scope:string", path)?;
    }
    for id in ["id", "tool_use_id"]
        .map(|name| block.get(name))
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        refuse!(
            !is_plain(id, usize::MAX),
            "{path}.{kind}: String should match pattern '^[a-zA-Z0-9_-]+$': {id}"
        );
    }
    let is_of_model =
        matches!(kind, "thinking" | "redacted_thinking" | "tool_use" | "server_tool_use");
    refuse!(
        is_of_model && role != "assistant",
        "{path}: `{kind}` blocks can only be in `assistant` messages"
    );
    refuse!(
        kind == "tool_result" && role != "user",
        "{path}: `tool_result` blocks can only be in `user` messages"
    );
    match kind {
        "text" => refuse!(
            text(block, "text").trim().is_empty(),
            "{path}: text content blocks must contain non-whitespace text"
        ),
        "thinking" => refuse!(
            !server.has(block.get("signature")),
            "{path}: Invalid `signature` in `thinking` block: {block}"
        ),
        "redacted_thinking" => {
            refuse!(
                !server.has(block.get("data")),
                "{path}: Invalid `data` in `redacted_thinking` block: {block}"
            );
        }
        "tool_use" => refuse!(!is_plain(text(block, "name"), 200), "{path}.tool_use.name: {block}"),
        "tool_result" => result_content(block, path, server)?,
        "web_search_tool_result" => {
            for found in list(block, "content") {
                refuse!(
                    !server.has(found.get("encrypted_content")),
                    "{path}: Invalid `encrypted_content`: {found}"
                );
            }
        }
        "image" | "document" => media(block, path)?,
        _ => {}
    }
    Ok(())
}

fn result_content(block: &Value, path: &str, server: &Server<'_>) -> Verdict {
    for (at, part) in list(block, "content").iter().enumerate() {
        let kind = text(part, "type");
        let is_allowed =
            matches!(kind, "text" | "image" | "document" | "search_result" | "tool_reference");
        refuse!(!is_allowed, "{path}.tool_result.content.{at}: Input tag '{kind}'");
        block_rules(part, "user", &format!("{path}.tool_result.content.{at}"), server)?;
    }
    let content = block.get("content");
    refuse!(
        content.is_some_and(|content| !content.is_string() && !content.is_array()),
        "{path}.content: {block}"
    );
    if block.get("is_error") == Some(&Value::Bool(true)) {
        // github.com/jlevy/markform/issues/153, github.com/vellum-ai/vellum-assistant/pull/18387
        let is_empty = text(block, "content").is_empty() && list(block, "content").is_empty();
        refuse!(is_empty, "{path}.tool_result: content cannot be empty if `is_error` is true");
        let is_text = list(block, "content").iter().all(|part| text(part, "type") == "text");
        refuse!(
            !is_text,
            "{path}.tool_result: all content must be type `text` if `is_error` is true"
        );
    }
    Ok(())
}

fn media(block: &Value, path: &str) -> Verdict {
    let (kind, source) = (text(block, "type"), &block["source"]);
    let of = text(source, "type");
    let Some((_, _, table)) = SOURCES.iter().find(|(block, name, _)| *block == kind && *name == of)
    else {
        return Err(format!("{path}.{kind}.source: Input tag '{of}'"));
    };
    members(source, table, path)?;
    let media_type = text(source, "media_type");
    let allowed: &[&str] = match (kind, of) {
        ("image", "base64") => &["image/jpeg", "image/png", "image/gif", "image/webp"],
        ("document", "base64") => &["application/pdf"],
        ("document", "text") => &["text/plain"],
        _ => &[media_type],
    };
    refuse!(
        !allowed.contains(&media_type),
        "{path}.source.media_type: Input should be one of {allowed:?}: {media_type}"
    );
    refuse!(
        of == "base64" && !is_base64(text(source, "data")),
        "{path}.source.base64.data: Invalid base64 data"
    );
    let is_web = |url: &str| url.starts_with("https://") || url.starts_with("http://");
    refuse!(of == "url" && !is_web(text(source, "url")), "{path}.source.url: {source}");
    Ok(())
}

/// github.com/deepset-ai/haystack-core-integrations/issues/2146,
/// github.com/pydantic/pydantic-ai/issues/2075.
fn starts_with_thinking(messages: &[Message<'_>]) -> Verdict {
    let is_question =
        |message: &Message<'_>| message.role == "user" && message.results().next().is_none();
    let question = messages.iter().rposition(is_question).unwrap_or(0);
    for (at, message) in messages.iter().enumerate().skip(question) {
        let first = message.blocks.first().map_or("", |block| text(block, "type"));
        let is_loop = message.role == "assistant" && message.calls().next().is_some();
        let is_thinking = matches!(first, "thinking" | "redacted_thinking");
        refuse!(
            is_loop && !is_thinking,
            "messages.{at}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{first}`"
        );
    }
    Ok(())
}

/// <https://platform.claude.com/docs/en/build-with-claude/prompt-caching>: at most four
/// breakpoints.
fn breakpoints(body: &Value, messages: &[Message<'_>]) -> Verdict {
    let blocks = messages.iter().flat_map(|message| message.blocks);
    let inner =
        messages.iter().flat_map(|message| message.blocks).flat_map(|block| list(block, "content"));
    let all = list(body, "system").iter().chain(list(body, "tools")).chain(blocks).chain(inner);
    let count = all.filter(|block| block.get("cache_control").is_some()).count();
    let count = count + usize::from(body.get("cache_control").is_some());
    refuse!(count > 4, "A maximum of 4 blocks with cache_control may be provided. Found {count}.");
    Ok(())
}
