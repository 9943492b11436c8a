//! The AI SDK.

use super::*;

pub fn of_ai_sdk(snapshot: &ai_sdk::Snapshot) -> Facts {
    use ai_sdk::PartState;

    let (mut calls, mut results, mut interrupts) = (Vec::new(), BTreeMap::new(), Vec::new());
    for part in snapshot.tool_calls() {
        let id = part.tool_call_id.as_deref().unwrap_or_default().to_owned();
        let name = part.called_tool().unwrap_or_default().to_owned();
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_json(), str::to_owned);
        let raw = (*part.raw_input).clone();
        let arguments = raw.or_else(|| part.input.as_ref().map(text)).unwrap_or_default();
        // The hub has outputs as texts: null is an empty one.
        let output = part
            .output
            .as_ref()
            .map(|output| if output.is_null() { String::new() } else { text(output) });
        let result = output.or_else(|| (*part.error_text).clone());
        results.extend(result.map(|result| (id.clone(), result)));
        if *part.state == Some(PartState::ApprovalRequested) {
            let question = part.approval.as_ref().and_then(|approval| approval.get("id")?.as_str());
            let more = part.approval.as_ref().and_then(|approval| approval.get("descriptor"));
            let said = more.and_then(|more| more.get("text")?.as_str());
            // The input of a call that was inserted is the payload.
            let payload = match (name.as_str(), part.input.as_ref()) {
                ("interrupt", Some(input)) if id.starts_with("question_") => {
                    without_text(input.clone(), said)
                }
                _ => [("name", name.as_str().into()), ("arguments", arguments.as_str().into())]
                    .into(),
            };
            interrupts.push((question.unwrap_or_default().to_owned(), payload));
        }
        calls.push((id, name, arguments));
    }
    let is_refusal = |part: &ai_sdk::Part| {
        let own = part.provider_metadata.as_ref().map(Value::to_json);
        own.is_some_and(|own| own.contains(r#""kind":"refusal""#))
    };
    let has_refused = snapshot.parts.iter().any(is_refusal);
    let waits = !interrupts.is_empty() && snapshot.finish_reason.as_deref() != Some("stop");
    let status = match snapshot.status {
        ai_sdk::Status::Completed if waits => Status::Interrupted,
        ai_sdk::Status::Completed => match snapshot.finish_reason.as_deref() {
            Some("length" | "other") => Status::Otherwise,
            Some("content-filter") if !has_refused => Status::Otherwise,
            _ => Status::Completed,
        },
        _ => Status::Otherwise,
    };
    Facts { text: snapshot.text(), calls, results, interrupts, status }
}
