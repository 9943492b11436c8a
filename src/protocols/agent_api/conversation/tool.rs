//! Calls and results, questions and answers: messages whose content are data.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::head::WrittenHead;
use super::{DATA, FORMAT, content};
use crate::core::Limits;
use crate::core::request::decision::decision;
use crate::hub::approval::question;
use crate::hub::conversation::blocks::read_blocks;
use crate::hub::conversation::members::{
    into_text, rest, take, take_bool, take_string, take_text, write_members,
};
use crate::hub::conversation::{Call, CallInput, Content, Opaque, Part, RunBy, ToolResult};
use crate::json::{Member, ObjectWriter, Value, write_string};

/// The member of a call's data that has its namespace.
const NAMESPACE: &str = "namespace";

/// The member of a call's data, and of an output's, that says who runs the tool, unless it is the
/// client.
const BY: &str = "run_by";

/// The argument that has the input of a custom tool, and the mark of such a call.
const TEXT: (&str, &str) = ("input", "custom");

/// Returns the opaque members of a part: what is left of its data, and of its content.
fn opaque(data: Value, mut content: Value) -> Option<Opaque> {
    content::OF_STREAM.iter().chain(&["type"]).for_each(|name| drop(take(&mut content, name)));
    let mut members = rest(content);
    let data = rest(data);
    if !data.is_empty() {
        members.push(Member { key: DATA.into(), value: Value::Object(data) });
    }
    Opaque::new(FORMAT, members)
}

/// Reads the call of a message of this type. `declared` are the client's tools, each with whether
/// its input is a text.
pub(super) fn read_call(kind: &str, mut content: Value, declared: &BTreeMap<String, bool>) -> Part {
    let Some(mut data) = take(&mut content, "data").filter(|data| matches!(data, Value::Object(_)))
    else {
        return content::read(content);
    };
    let cache = take(&mut content, "cache_control");
    let name = take_string(&mut data, "name");
    let arguments = take_string(&mut data, "arguments");
    let is_custom = declared.get(&name).copied();
    let is_text = data.text("kind") == Some(TEXT.1);
    if is_text {
        take(&mut data, "kind");
    }
    let by = take_text(&mut data, BY);
    // A tool of a provider can have the name of a custom one.
    let is_own = matches!(by.as_deref(), None | Some("client"));
    let input = match is_text || is_own && is_custom == Some(true) {
        true => CallInput::Text(unwrap_text(arguments)),
        false => CallInput::Json(arguments),
    };
    let by = match by.as_deref() {
        Some("client") => RunBy::Client,
        Some("client_builtin") => RunBy::ClientBuiltin,
        Some(_) => RunBy::Provider,
        // A tool that the request declares is the client's.
        None if is_custom.is_some() => RunBy::Client,
        None if matches!(kind, "plugin_call" | "mcp_call") => RunBy::Provider,
        None => RunBy::Client,
    };
    let call = Call {
        namespace: take_text(&mut data, NAMESPACE),
        by,
        input,
        ..Call::function(take_string(&mut data, "call_id"), name, String::new())
    };
    Part { cache, ..Part::new(Content::Call(call)).with_opaque(opaque(data, content)) }
}

/// Returns the type of the message of a call.
pub(super) fn type_of(by: RunBy) -> &'static str {
    if by == RunBy::Provider { "plugin_call" } else { "function_call" }
}

/// Returns the text of a custom tool's call: an argument, or all of them if they are no JSON.
fn unwrap_text(arguments: String) -> String {
    let parsed = Value::parse(&arguments, Limits::default().json_depth);
    match parsed.ok().and_then(|mut arguments| take(&mut arguments, TEXT.0)) {
        Some(Value::String(text)) => text,
        _ => arguments,
    }
}

/// Writes the call of a part as the content of its message.
pub(super) fn write_call(part: &Part, call: &Call, head: &WrittenHead<'_>, out: &mut String) {
    let (opaque, content) = (part.opaque.as_ref(), Some(&part.content));
    let head = WrittenHead { kind: type_of(call.by), role: "assistant", opaque, content, ..*head };
    let by = match call.by {
        RunBy::Client => None,
        RunBy::ClientBuiltin => Some("client_builtin"),
        RunBy::Provider => Some("provider"),
    };
    head.write(out, |out| {
        write_data(part.opaque.as_ref(), part.cache.as_ref(), &[], out, |data| {
            data.string("call_id", Some(&call.id));
            data.string("name", Some(&call.name));
            match &call.input {
                CallInput::Json(json) => data.string("arguments", Some(json)),
                CallInput::Text(text) => {
                    let mut arguments = String::new();
                    let mut object = ObjectWriter::open(&mut arguments, true);
                    object.string(TEXT.0, Some(text));
                    object.close();
                    data.string("arguments", Some(&arguments));
                    data.string("kind", Some(TEXT.1));
                }
            }
            data.string(NAMESPACE, call.namespace.as_deref());
            data.string(BY, by);
        });
    });
}

/// Writes a content with data, and the contents that follow it.
fn write_data(
    opaque: Option<&Opaque>,
    cache: Option<&Value>,
    others: &[Part],
    out: &mut String,
    write: impl FnOnce(&mut ObjectWriter<'_>),
) {
    let own = opaque.filter(|opaque| opaque.format == FORMAT);
    out.push('[');
    let mut content = ObjectWriter::open(out, true);
    content.string("type", Some("data"));
    let mut data = ObjectWriter::open(content.member("data"), true);
    write(&mut data);
    if let Some(Value::Object(members)) = own.and_then(|own| own.get(DATA)) {
        write_members(members, &mut data);
    }
    data.close();
    content::write_own(own, &mut content);
    content.value("cache_control", cache);
    content.close();
    for part in others {
        out.push(',');
        content::write(part, true, out);
    }
    out.push(']');
}

/// Reads the results of a message: each is data, and the contents that follow it. Returns whether
/// the provider has run the tools.
pub(super) fn read_results(contents: Vec<Value>, is_failed: bool) -> (Vec<ToolResult>, bool) {
    let mut results: Vec<ToolResult> = Vec::new();
    let mut is_providers = false;
    let mut others = Vec::new();
    for mut content in contents {
        let is_data = content.get("data").is_some_and(|data| data.get("call_id").is_some())
            || results.is_empty() && content.text("type") == Some("data");
        if !is_data {
            others.push(content::read(content));
            continue;
        }
        add_contents(results.last_mut(), &mut others);
        let mut data = take(&mut content, "data").unwrap_or_default();
        is_providers |= take_text(&mut data, BY).as_deref() == Some("provider");
        let output = take(&mut data, "output");
        let blocks = take(&mut data, "content");
        let mut result = ToolResult::new(take_string(&mut data, "call_id"), Vec::new());
        result.error = is_failed || take_bool(&mut data, "is_error") == Some(true);
        result.cache = take(&mut content, "cache_control");
        result.parts = match blocks {
            Some(Value::Array(list)) => {
                read_blocks(list).unwrap_or_else(|list| told(Value::Array(list)))
            }
            Some(other) => {
                data.insert("content", other);
                output.map(told).unwrap_or_default()
            }
            None => output.map(told).unwrap_or_default(),
        };
        result.opaque = opaque(data, content);
        results.push(result);
    }
    add_contents(results.last_mut(), &mut others);
    (results, is_providers)
}

fn told(output: Value) -> Vec<Part> {
    [Part::text(into_text(output))].into()
}

/// Replaces the text of a result by its parts, which have the same text: unless an agent has
/// changed it.
fn add_contents(result: Option<&mut ToolResult>, others: &mut Vec<Part>) {
    let others = core::mem::take(others);
    let Some(result) = result.filter(|_| !others.is_empty()) else { return };
    let text = text_of(&result.parts);
    if text.is_empty() || text == text_of(&others) {
        result.parts = others;
    } else {
        result.parts.extend(others.into_iter().filter(|part| part.as_text().is_none()));
    }
}

/// Returns the texts of a result, each on its own line.
fn text_of(parts: &[Part]) -> String {
    let texts: Vec<&str> = parts.iter().filter_map(Part::as_text).collect();
    texts.join("\n")
}

/// Writes the message of a result. `by` is who has run the tool.
pub(super) fn write_result(
    result: &ToolResult,
    by: RunBy,
    head: &WrittenHead<'_>,
    out: &mut String,
) {
    let is_provider = by == RunBy::Provider;
    let kind = if is_provider { "plugin_call_output" } else { "function_call_output" };
    let head = WrittenHead { kind, role: "tool", opaque: result.opaque.as_ref(), ..*head };
    let is_plain = matches!(
        &result.parts[..],
        [] | [Part { content: Content::Text(_), opaque: None, cache: None }]
    );
    let others = if is_plain { &[] } else { &result.parts[..] };
    head.write(out, |out| {
        write_data(result.opaque.as_ref(), result.cache.as_ref(), others, out, |data| {
            data.string("call_id", Some(&result.call));
            match &result.parts[..] {
                [part] => data.string("output", Some(part.as_text().unwrap_or_default())),
                parts => write_string(&text_of(parts), data.member("output")),
            }
            data.bool("is_error", result.error.then_some(true));
            data.string(BY, is_provider.then_some("provider"));
        });
    });
}

/// Reads a question: an MCP approval request, or another one in its member `payload`.
pub(super) fn read_question(mut content: Value) -> Part {
    let mut data = take(&mut content, "data").unwrap_or_default();
    let id = take_string(&mut data, "id");
    let call = take_text(&mut data, "call");
    let payload = match take(&mut data, "payload") {
        Some(payload) => {
            let usual = QUESTION.into_iter().zip(question(&payload));
            usual.for_each(|(name, usual)| {
                if data.text(name) == Some(&usual) {
                    take(&mut data, name);
                }
            });
            payload
        }
        None => core::mem::take(&mut data),
    };
    Part::new(Content::Question { id, call, payload }).with_opaque(opaque(data, content))
}

/// The members of a question that is the call of a tool.
const QUESTION: [&str; 3] = ["name", "arguments", "server_label"];

/// Writes a question: always a valid `McpApprovalRequest`, because agents do not know any other.
pub(super) fn write_question(part: &Part, head: &WrittenHead<'_>, out: &mut String) {
    let Content::Question { id, call, payload } = &part.content else { return };
    let opaque = part.opaque.as_ref();
    let content = Some(&part.content);
    let head =
        WrittenHead { kind: "mcp_approval_request", role: "assistant", opaque, content, ..*head };
    let is_own = QUESTION.iter().all(|name| payload.text(name).is_some())
        && ["id", "call", "payload"].iter().all(|name| payload.get(name).is_none());
    head.write(out, |out| {
        write_data(opaque, None, &[], out, |data| {
            data.string("id", Some(id));
            match payload {
                Value::Object(members) if is_own => write_members(members, data),
                _ => {
                    for (name, text) in QUESTION.iter().zip(question(payload)) {
                        data.string(name, Some(&text));
                    }
                    data.value("payload", Some(payload));
                }
            }
            data.string("call", call.as_deref());
        });
    });
}

/// Reads an answer. One that contradicts itself declines.
pub(super) fn read_answer(mut content: Value, is_undecided: bool) -> Part {
    let mut data = take(&mut content, "data").unwrap_or_default();
    let approved = if is_undecided { None } else { decision(&data) };
    let id = take_string(&mut data, "approval_request_id");
    take(&mut data, "approve");
    let reason = match data.get("reason") {
        Some(Value::String(_)) => take_text(&mut data, "reason"),
        _ => None,
    };
    let payload = take(&mut data, "payload").unwrap_or_default();
    let answer = Content::Answer { id, approved, reason, payload };
    Part::new(answer).with_opaque(opaque(data, content))
}

/// Writes an answer: always a valid `McpApprovalResponse`. One that is neither yes nor no declines.
pub(super) fn write_answer(part: &Part, head: &WrittenHead<'_>, out: &mut String) {
    let Content::Answer { id, approved, reason, payload } = &part.content else { return };
    let opaque = part.opaque.as_ref();
    let (is_undecided, content) = (approved.is_none(), Some(&part.content));
    let head = WrittenHead {
        kind: "mcp_approval_response",
        role: "user",
        opaque,
        content,
        is_undecided,
        ..*head
    };
    head.write(out, |out| {
        write_data(opaque, None, &[], out, |data| {
            data.string("approval_request_id", Some(id));
            data.bool("approve", Some(*approved == Some(true)));
            data.string("reason", reason.as_deref());
            data.value("payload", Some(payload).filter(|payload| !payload.is_null()));
        });
    });
}
