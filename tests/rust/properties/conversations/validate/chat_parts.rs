//! The content of messages of Chat Completions, and their calls.

use serde_json::Value;

use super::members::{members, one_of};
use super::{Verdict, is_base64, refuse, text};

/// The parts of content, with the members of each.
const PARTS: &[(&str, &str)] = &[
    ("text", "type!text text!string"),
    ("refusal", "type!text refusal!string"),
    ("image_url", "type!text image_url!object"),
    ("input_audio", "type!text input_audio!object"),
    ("file", "type!text file!object"),
];

/// Checks the content of a message.
pub fn content(message: &Value, path: &str) -> Verdict {
    let role = text(message, "role");
    let parts = match message.get("content") {
        None | Some(Value::Null | Value::String(_)) => return Ok(()),
        Some(Value::Array(parts)) => parts,
        Some(other) => return Err(format!("Invalid type for '{path}.content': {other}")),
    };
    refuse!(
        parts.is_empty(),
        "Invalid '{path}.content': empty array. Expected an array with minimum length 1"
    );
    let allowed: &[&str] = match role {
        "user" => &["text", "image_url", "input_audio", "file"],
        "assistant" => &["text", "refusal"],
        _ => &["text"],
    };
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
            "image_url" => image(&part["image_url"], &path)?,
            "input_audio" => audio(&part["input_audio"], &path)?,
            "file" => file(&part["file"], &path)?,
            _ => {}
        }
    }
    Ok(())
}

fn image(image: &Value, path: &str) -> Verdict {
    members(image, "url!text detail:string", path)?;
    one_of(image, "detail", &["auto", "low", "high", "original"], path)?;
    url_of_image(text(image, "url"), path)
}

/// Checks the URL of an image: of the web, or with its data.
pub fn url_of_image(url: &str, path: &str) -> Verdict {
    if let Some(data) = url.strip_prefix("data:") {
        let is_image = data
            .split_once(";base64,")
            .is_some_and(|(kind, data)| kind.starts_with("image/") && is_base64(data));
        refuse!(
            !is_image,
            "{path}: The image data you provided does not represent a valid image: {url}"
        );
        return Ok(());
    }
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    refuse!(
        !is_web,
        "Invalid '{path}.image_url'. Expected a valid URL, but got a value with an invalid format: {url}"
    );
    Ok(())
}

fn audio(audio: &Value, path: &str) -> Verdict {
    members(audio, "data!text format!text", path)?;
    one_of(audio, "format", &["wav", "mp3"], path)?;
    refuse!(!is_base64(text(audio, "data")), "{path}.input_audio.data: Expected base64: {audio}");
    Ok(())
}

fn file(given: &Value, path: &str) -> Verdict {
    members(given, "file_id:text file_data:text filename:text", path)?;
    file_source(given, path)
}

/// github.com/vercel/ai/issues/7266; in Responses, too:
/// github.com/strands-agents/harness-sdk/pull/3576 (case E).
pub fn file_source(file: &Value, path: &str) -> Verdict {
    let given =
        ["file_id", "file_data", "file_url"].iter().filter(|name| file.get(name).is_some()).count();
    refuse!(given == 0, "Missing required parameter: '{path}.file_id'.");
    refuse!(given > 1, "{path}: Mutually exclusive parameters: {file}");
    let Some(data) = file.get("file_data").and_then(Value::as_str) else { return Ok(()) };
    let is_data = data
        .strip_prefix("data:")
        .and_then(|data| data.split_once(";base64,"))
        .is_some_and(|(_, data)| is_base64(data));
    refuse!(!is_data, "Invalid '{path}.file_data'. Expected a base64-encoded data URL: {data}");
    refuse!(text(file, "filename").is_empty(), "Missing required parameter: '{path}.filename'.");
    Ok(())
}

/// Checks a call of a message of the assistant. `more` are the members that only some servers have.
pub fn tool_call(call: &Value, path: &str, more: &str) -> Verdict {
    let kind = text(call, "type");
    let table = match kind {
        "function" => "name!text arguments!string",
        "custom" => "name!text input!string",
        _ => {
            return Err(format!(
                "{path}: Invalid value: '{kind}'. Supported values are: 'function' and 'custom'."
            ));
        }
    };
    members(call, &format!("id!text type!text {kind}!object{more}"), path)?;
    members(&call[kind], table, path)?;
    let name = text(&call[kind], "name");
    refuse!(
        !super::is_plain(name, 64),
        "Invalid '{path}.tool_calls.{kind}.name': string does not match pattern: {name}"
    );
    Ok(())
}
