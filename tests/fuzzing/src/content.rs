//! The content of a stream, found without a reader: the texts that its JSON has under the names of content.

use serde_json::Value;

/// The names of the texts that are content in one of the protocols: texts, reasoning, arguments and names of calls.
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

/// Returns the texts of content in a stream of server-sent events, in lines of JSON or in a whole answer.
pub fn of_stream(stream: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(stream).replace("\r\n", "\n").replace('\r', "\n");
    let mut found = Vec::new();
    let mut add = |text: &str| {
        let json = serde_json::from_str::<Value>(text).ok();
        json.iter().for_each(|json| visit(json, &mut |name, text| add_text(name, text, &mut found)));
        json.is_some()
    };
    if !add(text.trim_start_matches('\u{feff}')) {
        for block in text.split("\n\n") {
            let data: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("data:")).collect();
            add(&data.join("\n"));
            block.lines().filter(|line| line.starts_with(['{', '['])).for_each(|line| _ = add(line));
        }
    }
    found
}

/// Whether a snapshot has any content: texts, calls, data, errors.
pub fn is_in(snapshot: &str) -> bool {
    let (mut has, mut texts) = (false, Vec::new());
    // Numbers may be too large for this parser.
    let Ok(json) = serde_json::from_str(snapshot) else { return true };
    visit(&json, &mut |name, value| {
        add_text(name, value, &mut texts);
        has |= VALUES.contains(&name) && has_value(value);
    });
    has || !texts.is_empty()
}

fn add_text(name: &str, value: &Value, found: &mut Vec<String>) {
    if let Value::String(text) = value
        && CONTENT.contains(&name)
        && !text.trim().is_empty()
    {
        found.push(text.clone());
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

/// Calls `found` for each member of each object.
fn visit(json: &Value, found: &mut impl FnMut(&str, &Value)) {
    match json {
        Value::Array(items) => items.iter().for_each(|item| visit(item, found)),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            found(name, value);
            visit(value, found);
        }),
        _ => {}
    }
}
