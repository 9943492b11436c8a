//! The content of a stream, found without a reader: the texts in its JSON that have the names of content.

use serde_json::Value;

/// The names of texts that are content in one of the protocols.
const NAMES: [&str; 13] = [
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
    "errorText",
    "inputTextDelta",
    "result",
];

/// Returns the texts of content in a stream of server-sent events, JSON lines or whole JSON.
pub fn of_stream(stream: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(stream);
    let mut found = Vec::new();
    if let Ok(json) = serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        add(&json, &mut found);
        return found;
    }
    for block in text.replace("\r\n", "\n").replace('\r', "\n").split("\n\n") {
        let lines = block.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
        let data: Vec<&str> = lines.collect();
        if let Ok(json) = serde_json::from_str(&data.join("\n")) {
            add(&json, &mut found);
        }
        for line in block.lines().filter(|line| line.starts_with(['{', '['])) {
            if let Ok(json) = serde_json::from_str(line) {
                add(&json, &mut found);
            }
        }
    }
    found
}

/// Returns the texts of content in JSON.
pub fn of_json(json: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Ok(json) = serde_json::from_str(json) {
        add(&json, &mut found);
    }
    found
}

fn add(json: &Value, found: &mut Vec<String>) {
    match json {
        Value::Array(items) => items.iter().for_each(|item| add(item, found)),
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if NAMES.contains(&name.as_str()) && !text.trim().is_empty() => {
                        found.push(text.clone());
                    }
                    value => add(value, found),
                }
            }
        }
        _ => {}
    }
}
