//! The content of a stream, found without a reader: the texts that its JSON has under the names of
//! content.

use serde_json::Value;

/// The names of the texts that are content in one of the protocols: texts, reasoning, arguments and
/// names of calls.
const CONTENT: [&str; 16] = [
    "text",
    "delta",
    "content",
    "arguments",
    "partial_json",
    "thinking",
    "refusal",
    "reasoning",
    "reasoning_content",
    "transcript",
    "inputTextDelta",
    "result",
    "summary",
    "name",
    "toolName",
    "toolCallName",
];

/// The names of other values that an answer is not empty with.
const VALUES: [&str; 20] = [
    "data",
    "args",
    "input",
    "value",
    "state",
    "output",
    "error",
    "errorText",
    "message",
    "url",
    "raw",
    "uri",
    "signature",
    "encrypted_content",
    "interrupts",
    "functionCall",
    "inlineData",
    "summary_text",
    "image_url",
    "result",
];

/// A text of content, with the names of the members that it is in.
pub type Text = (String, String);

/// Returns the texts of content in a stream of server-sent events, in lines of JSON or in a whole
/// answer.
pub fn of_stream(stream: &[u8]) -> Vec<Text> {
    let text = String::from_utf8_lossy(stream).replace("\r\n", "\n").replace('\r', "\n");
    let mut found = Vec::new();
    let mut read = |text: &str| {
        let json = serde_json::from_str::<Value>(text).ok();
        json.iter().for_each(|json| {
            visit(json, "", &mut |path, name, text| add(path, name, text, &mut found))
        });
        json.is_some()
    };
    if !read(text.trim_start_matches('\u{feff}')) {
        for block in text.split("\n\n") {
            let data: Vec<&str> =
                block.lines().filter_map(|line| line.strip_prefix("data:")).collect();
            read(&data.join("\n"));
            block
                .lines()
                .filter(|line| line.starts_with(['{', '[']))
                .for_each(|line| _ = read(line));
        }
    }
    found
}

/// Whether a snapshot has any content: texts, calls, data, errors.
pub fn is_in(snapshot: &str) -> bool {
    let (mut has, mut texts) = (false, Vec::new());
    // Numbers may be too large for this parser.
    let Ok(json) = serde_json::from_str(snapshot) else { return true };
    visit(&json, "", &mut |path, name, value| {
        add(path, name, value, &mut texts);
        has |= VALUES.contains(&name) && has_value(value);
    });
    has || !texts.is_empty()
}

fn add(path: &str, name: &str, value: &Value, found: &mut Vec<Text>) {
    // An event with a name at its top is a custom one.
    let is_content = CONTENT.contains(&name) && path != "name";
    if let Value::String(text) = value
        && is_content
        && !text.trim().is_empty()
    {
        found.push((path.to_owned(), text.clone()));
    }
}

/// Whether a value is neither empty nor a list of such.
fn has_value(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    }
}

/// Calls `found` for each member of each object, with the names of the members that it is in, and
/// its own.
fn visit(json: &Value, path: &str, found: &mut impl FnMut(&str, &str, &Value)) {
    match json {
        Value::Array(items) => items.iter().for_each(|item| visit(item, path, found)),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            found(&path, name, value);
            visit(value, &path, found);
        }),
        _ => {}
    }
}
