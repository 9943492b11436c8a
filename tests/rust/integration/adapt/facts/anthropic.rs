//! Anthropic Messages.

use super::*;

pub fn of_anthropic(snapshot: &anthropic::Snapshot) -> Facts {
    use anthropic::BlockPayload::{McpToolUse, ServerToolUse, ToolUse};

    let (mut calls, mut results) = (Vec::new(), BTreeMap::new());
    for block in &snapshot.content {
        if let ToolUse { id, name, input }
        | ServerToolUse { id, name, input }
        | McpToolUse { id, name, input } = &block.payload
        {
            let text = block.partial_json.as_ref().filter(|text| !text.is_empty());
            calls.push((
                id.clone(),
                name.clone(),
                text.cloned().unwrap_or_else(|| input.to_json()),
            ));
        }
        let extra = |name: &str| {
            block.extra.iter().find(|member| member.key == name).map(|member| &member.value)
        };
        if let (Some(id), Some(content)) =
            (extra("tool_use_id").and_then(Value::as_str), extra("content"))
        {
            let texts = match content {
                Value::Array(parts) => {
                    parts.iter().map(|part| part.get("text")?.as_str()).collect()
                }
                _ => None,
            };
            let code = content.get("error_code").and_then(Value::as_str).map(str::to_owned);
            results.insert(id.to_owned(), texts.or(code).unwrap_or_else(|| content.to_json()));
        }
    }
    let status = match snapshot.status {
        anthropic::Status::Completed => Status::Completed,
        _ => Status::Otherwise,
    };
    Facts { text: snapshot.text(), calls, results, interrupts: Vec::new(), status }
}
