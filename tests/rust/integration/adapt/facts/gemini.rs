//! Gemini.

use super::*;

pub fn of_gemini(snapshot: &gemini::Snapshot) -> Facts {
    let (mut text, mut calls, mut results) = (String::new(), Vec::new(), BTreeMap::new());
    for part in snapshot.candidates.iter().flat_map(|candidate| &candidate.content.parts) {
        if !part.is_thought() {
            text += part.text.as_deref().unwrap_or_default();
        }
        let id =
            |value: &Value| value.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let member = |value: &Value, name: &str| value.get(name).cloned().unwrap_or_default();
        let said = |value: Value| value.as_str().map_or_else(|| value.to_json(), str::to_owned);
        if let Some(call) = &*part.function_call {
            let args = call.args.as_ref().map_or_else(|| "{}".to_owned(), |args| args.to_json());
            calls.push((
                call.id.as_deref().unwrap_or_default().to_owned(),
                call.name.clone(),
                args,
            ));
        }
        if let Some(code) = &*part.executable_code {
            calls.push((id(code), "code_execution".to_owned(), said(member(code, "code"))));
        }
        if let Some(call) = &*part.tool_call {
            calls.push((id(call), said(member(call, "toolType")), said(member(call, "args"))));
        }
        for (result, name) in [
            (&part.code_execution_result, "output"),
            (&part.tool_response, "response"),
            (&part.function_response, "response"),
        ] {
            if let Some(result) = &**result {
                results.insert(id(result), said(member(result, name)));
            }
        }
    }
    let status = match snapshot.status {
        gemini::Status::Completed => Status::Completed,
        _ => Status::Otherwise,
    };
    Facts { text, calls, results, interrupts: Vec::new(), status }
}
