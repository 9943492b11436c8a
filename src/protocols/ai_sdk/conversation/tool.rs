//! Calls: tool parts, which have the result, the question and the answer.

use alloc::string::String;
use alloc::vec::Vec;

use super::meta::{Meta, WrittenMetadata};
use super::{FORMAT, MESSAGE};
use crate::core::Limits;
use crate::hub::conversation::blocks::{read_blocks, write_blocks};
use crate::hub::conversation::members::{
    into_text, rest, take, take_bool, take_list, take_string, take_text,
};
use crate::hub::conversation::{Call, CallInput, Content, Opaque, Part, RunBy, Sealed, ToolResult};
use crate::json::{Member, ObjectWriter, Value};

/// The opaque member with the form that a part or an output has: another one than the usual.
const FORM: &str = "form";

/// The type of a part whose tool is not known at build time.
const DYNAMIC: &str = "dynamic-tool";

/// The state of a call that was denied, after its server has noted this.
const DENIED: &str = "output-denied";

/// A call that was read, with its question and the user's answer.
pub(super) struct ReadCall {
    pub call: Part,
    pub question: Option<Part>,
    pub answer: Option<Part>,
}

/// Returns the name of the tool, if a part is a call.
pub(super) fn name_of(part: &Value) -> Option<&str> {
    match part.text("type")? {
        DYNAMIC => part.text("toolName"),
        kind => kind.strip_prefix("tool-"),
    }
}

/// Reads a call.
pub(super) fn read(name: String, mut part: Value) -> ReadCall {
    let state = take_string(&mut part, "state");
    if state == "input-streaming" {
        // Half a call is no call.
        part.insert("state", state.into());
        let call = Part::new(Content::Native).with_rest(FORMAT, part);
        return ReadCall { call, question: None, answer: None };
    }
    let meta = Meta::take(&mut part, "callProviderMetadata");
    let form = part.text("type").filter(|kind| *kind == DYNAMIC).map(|kind| (FORM, kind.into()));
    ["type", "toolName"].iter().for_each(|name| drop(take(&mut part, name)));
    let id = take_string(&mut part, "toolCallId");
    let mut call =
        Call { namespace: meta.namespace, by: meta.by, ..Call::function(&*id, &*name, "{}") };
    call.input = match take(&mut part, "input") {
        Some(input) if meta.is_custom => CallInput::Text(into_text(input)),
        Some(input) => CallInput::Json(input.to_json()),
        None => CallInput::Json(take_text(&mut part, "rawInput").unwrap_or_else(|| "{}".into())),
    };
    if take_bool(&mut part, "providerExecuted") == Some(true) {
        call.by = RunBy::Provider;
    }
    let arguments = match &call.input {
        CallInput::Json(text) | CallInput::Text(text) => text.clone(),
    };
    let approval = take(&mut part, "approval");
    call.result = result(&id, &state, &mut part);
    let (question, answer) = match approval {
        Some(approval) => ask(approval, &state, (&id, &name), arguments),
        None => (None, None),
    };
    let mut members = rest(part);
    members.extend(form.map(|(key, value)| Member { key: key.into(), value }));
    let mut call = Part::new(Content::Call(call));
    match meta.sealed {
        // It was sealed for the call, so that no block follows.
        Some(sealed) => drop(sealed.restore(&mut call)),
        None => call.opaque = Opaque::new(FORMAT, members),
    }
    ReadCall { call, question, answer }
}

/// Reads the result of a call, if it is there.
fn result(id: &str, state: &str, part: &mut Value) -> Option<ToolResult> {
    let meta = Meta::take(part, "resultProviderMetadata");
    let mut result = ToolResult::new(id, Vec::new());
    let mut members = Vec::new();
    match state {
        "output-error" => {
            result.error = true;
            result.parts.push(Part::text(take_string(part, "errorText")));
        }
        "output-available" => {
            let output = take(part, "output").unwrap_or_default();
            let (text, form) = match output {
                Value::Object(_) => {
                    let mut output = output;
                    match blocks(&mut output) {
                        Some(parts) => {
                            (result.parts, result.error) =
                                (parts, take_bool(&mut output, "isError") == Some(true));
                            (None, None)
                        }
                        None => (Some(output.to_json()), None),
                    }
                }
                Value::String(text) => {
                    let form = parsed(&text).is_some().then_some("text");
                    (Some(text), form)
                }
                Value::Array(_) => (Some(output.to_json()), None),
                scalar => (Some(scalar.to_json()), Some("json")),
            };
            result.parts.extend(text.map(Part::text));
            members.extend(form.map(|form| Member { key: FORM.into(), value: form.into() }));
        }
        _ => return None,
    }
    let others = take(part, "resultProviderMetadata");
    members.extend(others.map(|value| Member { key: "resultProviderMetadata".into(), value }));
    result.opaque = match meta.sealed {
        Some(sealed) => Some(sealed.opaque),
        None => Opaque::new(FORMAT, members),
    };
    Some(result)
}

/// Takes the contents of an output in the form of MCP.
fn blocks(output: &mut Value) -> Option<Vec<Part>> {
    let is_content = |member: &Member| matches!(&*member.key, "content" | "isError");
    if !matches!(output.get("content"), Some(Value::Array(_)))
        || !output.members().iter().all(is_content)
    {
        return None;
    }
    match read_blocks(take_list(output, "content")) {
        Ok(parts) => Some(parts),
        Err(list) => {
            output.insert("content", Value::Array(list));
            None
        }
    }
}

/// Returns the JSON object or list that a text is, letter by letter.
fn parsed(text: &str) -> Option<Value> {
    let value = text
        .starts_with(['{', '['])
        .then(|| Value::parse(text, Limits::default().json_depth).ok())?;
    value.filter(|value| value.to_json() == text)
}

/// Reads the question whether a tool may be called, and its answer.
fn ask(
    mut approval: Value,
    state: &str,
    (call, name): (&str, &str),
    arguments: String,
) -> (Option<Part>, Option<Part>) {
    let id = take_string(&mut approval, "id");
    let approved = take_bool(&mut approval, "approved").or((state == DENIED).then_some(false));
    let reason = take_text(&mut approval, "reason");
    let payload = Value::from([
        ("name", name.into()),
        ("arguments", arguments.into()),
        ("server_label", "agent".into()),
    ]);
    let question = Content::Question { id: id.clone(), call: Some(call.into()), payload };
    let question = Part::new(question).with_rest(FORMAT, approval);
    let answer = approved.map(|approved| {
        let form = Member { key: FORM.into(), value: DENIED.into() };
        let opaque = if state == DENIED { Opaque::new(FORMAT, [form].into()) } else { None };
        let answer = Content::Answer { id, approved: Some(approved), reason, payload: Value::Null };
        Part::new(answer).with_opaque(opaque)
    });
    (Some(question), answer)
}

/// Returns an opaque member of the AI SDK.
fn own<'o>(opaque: Option<&'o Opaque>, name: &str) -> Option<&'o Value> {
    opaque.filter(|own| own.format == FORMAT).and_then(|own| own.get(name))
}

/// Writes a call with its question and answer.
pub(super) fn write(
    part: &Part,
    call: &Call,
    question: Option<&Part>,
    answer: Option<&Part>,
    out: &mut String,
) {
    let opaque = part.opaque.as_ref();
    let mut written = ObjectWriter::open(out, true);
    if own(opaque, FORM).is_some() {
        written.string("type", Some(DYNAMIC));
        written.string("toolName", Some(&call.name));
    } else {
        written.string("type", Some(&["tool-", &call.name].concat()));
    }
    written.string("toolCallId", Some(&call.id));
    match &call.input {
        CallInput::Text(text) => written.string("input", Some(text)),
        CallInput::Json(json) if json.trim().is_empty() => written.member("input").push_str("{}"),
        CallInput::Json(json) => match Value::parse(json, Limits::default().json_depth) {
            Ok(input) => written.value("input", Some(&input)),
            // What is not JSON is the input as the model wrote it.
            Err(_) => written.string("rawInput", Some(json)),
        },
    }
    written.bool("providerExecuted", (call.by == RunBy::Provider).then_some(true));
    let meta = WrittenMetadata {
        opaque,
        content: Some(&part.content),
        is_custom: matches!(call.input, CallInput::Text(_)),
        namespace: call.namespace.as_deref(),
        by: call.by,
        ..WrittenMetadata::default()
    };
    meta.write("callProviderMetadata", &mut written);
    write_approval(question, answer, &mut written);
    match (&call.result, answer, question) {
        (Some(result), ..) => write_result(result, &mut written),
        (None, Some(answer), _) => {
            let form = own(answer.opaque.as_ref(), FORM).and_then(Value::as_str);
            written.string("state", Some(form.unwrap_or("approval-responded")));
        }
        (None, None, Some(_)) => written.string("state", Some("approval-requested")),
        (None, None, None) => written.string("state", Some("input-available")),
    }
    let members =
        opaque.filter(|own| own.format == FORMAT).into_iter().flat_map(|own| &own.members);
    let others =
        members.filter(|member| !matches!(&*member.key, FORM | MESSAGE | "callProviderMetadata"));
    others.for_each(|member| written.value(&member.key, Some(&member.value)));
    written.close();
}

fn write_approval(question: Option<&Part>, answer: Option<&Part>, written: &mut ObjectWriter<'_>) {
    let id = question.or(answer).and_then(|part| match &part.content {
        Content::Question { id, .. } | Content::Answer { id, .. } => Some(id),
        _ => None,
    });
    let Some(id) = id else { return };
    let mut approval = ObjectWriter::open(written.member("approval"), true);
    approval.string("id", Some(id));
    if let Some(Part { content: Content::Answer { approved, reason, payload, .. }, .. }) = answer {
        approval.bool("approved", Some(*approved == Some(true)));
        let told = payload.to_json();
        let payload = Some(&*told).filter(|_| !payload.is_null() && approved.is_none());
        approval.string("reason", reason.as_deref().or(payload));
    }
    let own = question.and_then(|part| part.opaque.as_ref()).filter(|own| own.format == FORMAT);
    let others =
        own.into_iter().flat_map(|own| &own.members).filter(|member| member.key != MESSAGE);
    others.for_each(|member| approval.value(&member.key, Some(&member.value)));
    approval.close();
}

fn write_result(result: &ToolResult, written: &mut ObjectWriter<'_>) {
    let opaque = result.opaque.as_ref();
    let text = match &result.parts[..] {
        [] => Some(""),
        [Part { content: Content::Text(text), opaque: None, cache: None }] => Some(&**text),
        _ => None,
    };
    match text {
        Some(text) if result.error => {
            written.string("state", Some("output-error"));
            written.string("errorText", Some(text));
        }
        Some(text) => {
            written.string("state", Some("output-available"));
            let form = own(opaque, FORM).and_then(Value::as_str);
            let value = match form {
                Some("text") => None,
                Some(_) => Value::parse(text, Limits::default().json_depth).ok(),
                None => parsed(text),
            };
            match value {
                Some(value) => {
                    written.value("output", Some(&value).filter(|value| !value.is_null()))
                }
                None => written.string("output", Some(text)),
            }
        }
        None => {
            written.string("state", Some("output-available"));
            let mut output = ObjectWriter::open(written.member("output"), true);
            write_blocks(&result.parts, output.member("content"));
            output.bool("isError", result.error.then_some(true));
            output.close();
        }
    }
    WrittenMetadata { opaque, ..WrittenMetadata::default() }
        .write("resultProviderMetadata", written);
}

/// Writes a result without its call, as that of a tool whose name is not known.
pub(super) fn write_lone(result: &ToolResult, out: &mut String) {
    let mut written = ObjectWriter::open(out, true);
    written.string("type", Some(DYNAMIC));
    written.string("toolName", Some(""));
    written.string("toolCallId", Some(&result.call));
    written.member("input").push_str("{}");
    write_result(result, &mut written);
    written.close();
}

/// Restores the members of a call, or of its result, which another part carries.
pub(super) fn restore(sealed: Sealed, part: &mut Part) {
    match part.as_call_mut() {
        Some(Call { result: Some(result), .. }) if sealed.result => {
            result.opaque = Some(sealed.opaque)
        }
        Some(_) if !sealed.result => drop(sealed.restore(part)),
        _ => {}
    }
}
