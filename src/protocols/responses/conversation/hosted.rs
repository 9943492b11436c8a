//! Items of tools other than functions and custom tools: those that the server runs, and those that
//! the client runs in a form that the server declares. The items stay as they are; what others are
//! told of them is read from their members.

use alloc::vec::Vec;

use super::FORMAT;
use super::content::read_image;
use super::read::tool;
use crate::hub::conversation::members::take_list;
use crate::hub::conversation::{
    Call, Content, Media, MediaForm, MediaSource, Opaque, Part, RunBy, ToolResult,
};
use crate::json::{Member, ObjectWriter, Value};

/// An item of a tool.
struct HostedTool {
    name: &'static str,
    by: RunBy,
    /// The members with the arguments, and with the result if the item has it.
    input: &'static [&'static str],
    output: Option<&'static str>,
}

const KINDS: &[HostedTool] = &[
    HostedTool {
        name: "mcp_call",
        by: RunBy::Provider,
        input: &["arguments"],
        output: Some("output"),
    },
    HostedTool { name: "web_search_call", by: RunBy::Provider, input: &["action"], output: None },
    HostedTool {
        name: "file_search_call",
        by: RunBy::Provider,
        input: &["queries"],
        output: Some("results"),
    },
    HostedTool {
        name: "code_interpreter_call",
        by: RunBy::Provider,
        input: &["code"],
        output: Some("outputs"),
    },
    HostedTool {
        name: "image_generation_call",
        by: RunBy::Provider,
        input: &["revised_prompt"],
        output: Some("result"),
    },
    HostedTool {
        name: "local_shell_call",
        by: RunBy::ClientBuiltin,
        input: &["action"],
        output: None,
    },
    HostedTool { name: "shell_call", by: RunBy::ClientBuiltin, input: &["action"], output: None },
    HostedTool {
        name: "apply_patch_call",
        by: RunBy::ClientBuiltin,
        input: &["operation"],
        output: None,
    },
    HostedTool {
        name: "computer_call",
        by: RunBy::ClientBuiltin,
        input: &["action", "actions"],
        output: None,
    },
    HostedTool {
        name: "tool_search_call",
        by: RunBy::ClientBuiltin,
        input: &["arguments"],
        output: None,
    },
];

/// The results of tools that the client runs.
const OUTPUTS: &[&str] = &[
    "local_shell_call_output",
    "shell_call_output",
    "apply_patch_call_output",
    "computer_call_output",
    "tool_search_output",
];

/// Returns the members of an item, with its type.
pub(super) fn whole(kind: &str, item: Value) -> Option<Opaque> {
    let mut members = Vec::from([Member { key: "type".into(), value: kind.into() }]);
    if let Value::Object(item) = item {
        members.extend(item);
    }
    Opaque::new(FORMAT, members)
}

/// Reads the call of a tool.
///
/// # Errors
///
/// The item, if it is none.
pub(super) fn read_call(kind: &str, item: Value) -> Result<Part, Value> {
    let Some(HostedTool { name, by, input, output }) =
        KINDS.iter().find(|known| known.name == kind)
    else {
        return Err(item);
    };
    // The server itself searches for tools, unless the item says otherwise.
    if *name == "tool_search_call" && item.text("execution") != Some("client") {
        return Err(item);
    }
    let given = |key: &&str| item.get(key).filter(|value| !value.is_null());
    let arguments = match input.iter().find_map(|key| Some((*key, given(key)?))) {
        Some(("arguments", Value::String(json))) => json.clone(),
        Some((_, object @ Value::Object(_))) => object.to_json(),
        Some((key, value)) => Value::from([(key, value.clone())]).to_json(),
        None => "{}".into(),
    };
    let id = item.text("call_id").or(item.text("id")).unwrap_or_default();
    let usual = kind.strip_suffix("_call").unwrap_or(kind);
    let mut call = Call::function(id, item.text("name").unwrap_or(usual), arguments);
    call.by = *by;
    call.result = output.and_then(|key| result(kind, &item, key, id));
    Ok(Part::new(Content::Call(call)).with_opaque(whole(kind, item)))
}

/// Returns the result of a call whose own item has it.
fn result(kind: &str, item: &Value, key: &str, id: &str) -> Option<ToolResult> {
    let error = item.get("error").filter(|error| !error.is_null());
    if let Some(error) = error {
        let mut result = ToolResult::new(id, [Part::text(error.to_text().into_owned())].into());
        result.error = true;
        return Some(result);
    }
    let output = item.get(key).filter(|output| !output.is_null())?;
    let parts = match (kind, output) {
        ("image_generation_call", Value::String(image)) => {
            let mut media = Media::new(MediaForm::Image, MediaSource::Base64(image.clone()));
            let format = item.text("output_format").unwrap_or("png");
            media.media_type = Some(["image/", format].concat());
            [Part::new(Content::Media(media))].into()
        }
        ("code_interpreter_call", Value::Array(outputs)) => {
            outputs.iter().map(code_output).collect()
        }
        _ => [Part::text(output.to_text().into_owned())].into(),
    };
    Some(ToolResult::new(id, parts))
}

/// Returns an output of the code interpreter: its log or an image.
fn code_output(output: &Value) -> Part {
    match (output.text("logs"), output.text("url")) {
        (Some(logs), _) => Part::text(logs),
        (None, Some(url)) => {
            let source = MediaSource::Url(url.into());
            Part::new(Content::Media(Media::new(MediaForm::Image, source)))
        }
        (None, None) => Part::text(output.to_json()),
    }
}

/// Reads the result of a tool that the client runs.
///
/// # Errors
///
/// The item, if it is none.
pub(super) fn read_output(kind: &str, item: Value) -> Result<ToolResult, Value> {
    if !OUTPUTS.contains(&kind)
        || kind == "tool_search_output" && item.text("execution") != Some("client")
    {
        return Err(item);
    }
    let id = item.text("call_id").or(item.text("id")).unwrap_or_default();
    let parts = match item.get("output") {
        Some(Value::Array(outputs)) if kind == "shell_call_output" => {
            outputs.iter().map(shell_output).collect()
        }
        Some(screenshot @ Value::Object(_)) if kind == "computer_call_output" => {
            [Part::new(Content::Media(read_image(&mut screenshot.clone())))].into()
        }
        Some(output) => [Part::text(output.to_text().into_owned())].into(),
        None if kind == "tool_search_output" => {
            let found = take_list(&mut item.clone(), "tools").into_iter().map(tool).collect();
            [Part::new(Content::Tools(found))].into()
        }
        None => [Part::text(item.text("status").unwrap_or_default())].into(),
    };
    let error = item.text("status") == Some("failed");
    let result = ToolResult { error, ..ToolResult::new(id, parts) };
    Ok(ToolResult { opaque: whole(kind, item), ..result })
}

/// Returns the output of a command as text.
fn shell_output(output: &Value) -> Part {
    let text = |key: &str| output.text(key).unwrap_or_default();
    Part::text([text("stdout"), text("stderr")].concat())
}

/// Writes the result of a call of a type that the client runs, if the result is not an item of this
/// protocol already.
pub(super) fn write_output(
    kind: &str,
    id: &str,
    result: &ToolResult,
    text: &str,
    item: &mut ObjectWriter<'_>,
) {
    let is_search = kind == "tool_search_call";
    let output = if is_search { "tool_search_output".into() } else { [kind, "_output"].concat() };
    item.string("type", Some(&output));
    item.string("call_id", Some(id));
    match kind {
        "shell_call" => {
            let outcome = Value::from([
                ("type", "exit".into()),
                ("exit_code", i64::from(result.error).into()),
            ]);
            let streams = [("stdout", text.into()), ("stderr", "".into()), ("outcome", outcome)];
            item.value("output", Some(&Value::Array([Value::from(streams)].into())));
        }
        "apply_patch_call" => {
            item.string("status", Some(if result.error { "failed" } else { "completed" }));
            item.string("output", Some(text));
        }
        "computer_call" => {
            let screenshot = result.parts.iter().find_map(|part| match &part.content {
                Content::Media(media) => Some(media.to_url()),
                _ => None,
            });
            let mut output = ObjectWriter::open(item.member("output"), true);
            output.string("type", Some("computer_screenshot"));
            output.string("image_url", screenshot.as_deref());
            output.close();
        }
        "tool_search_call" => {
            item.string("execution", Some("client"));
            item.value("tools", Some(&Value::parse(text, 64).unwrap_or(Value::Array(Vec::new()))));
        }
        _ => item.string("output", Some(text)),
    }
}
