//! Gemini Interactions.

use super::*;

pub fn of_interactions(snapshot: &interactions::Snapshot) -> Facts {
    let (mut calls, mut results) = (Vec::new(), BTreeMap::new());
    let interaction = Value::parse(&snapshot.to_json(), 128).expect("JSON");
    let said = |value: &Value| value.as_str().map_or_else(|| value.to_json(), str::to_owned);
    let Some(Value::Array(steps)) = interaction.get("steps") else { panic!("no steps") };
    for step in steps {
        let text = |name: &str| step.get(name).and_then(Value::as_str).unwrap_or_default();
        let kind = text("type");
        if let Some(tool) = kind.strip_suffix("_call") {
            let name = if text("name").is_empty() { tool } else { text("name") };
            // The text that is not JSON is that of `partial_arguments`.
            let arguments = step.get("partial_arguments").or(step.get("arguments"));
            let arguments = arguments.map_or_else(|| "{}".to_owned(), said);
            calls.push((text("id").to_owned(), name.to_owned(), arguments));
        } else if kind.ends_with("_result") {
            let texts = match step.get("result") {
                Some(Value::Array(list)) if kind.starts_with("mcp_") => {
                    list.iter().filter_map(|item| item.get("text")).map(said).collect()
                }
                Some(result) => said(result),
                None => String::new(),
            };
            results.insert(text("call_id").to_owned(), texts);
        }
    }
    let status = match snapshot.status {
        interactions::Status::Completed | interactions::Status::RequiresAction => Status::Completed,
        _ => Status::Otherwise,
    };
    Facts { text: snapshot.text(), calls, results, interrupts: Vec::new(), status }
}
