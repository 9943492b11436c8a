//! Responses.

use super::*;

pub fn of_responses(snapshot: &responses::Snapshot) -> Facts {
    use responses::{ItemPayload, PartPayload};

    let (mut text, mut calls, mut results) = (String::new(), Vec::new(), BTreeMap::new());
    let (mut interrupts, mut answered) = (Vec::new(), Vec::new());
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_json(), str::to_owned);
    for item in &snapshot.output {
        let item_id = text_of(&item.id);
        let call_id = text_of(&item.call_id);
        match &item.payload {
            ItemPayload::Message { .. } => {
                for part in item.content.iter().flatten() {
                    if let PartPayload::OutputText { text: piece }
                    | PartPayload::Refusal { refusal: piece } = &part.payload
                    {
                        text += piece;
                    }
                }
            }
            ItemPayload::FunctionCall { name, arguments } => {
                calls.push((call_id, name.clone(), arguments.clone()));
            }
            ItemPayload::CustomToolCall { name, input } => {
                calls.push((call_id, name.clone(), input.clone()))
            }
            ItemPayload::McpCall { name, arguments, output, error, .. } => {
                calls.push((item_id.clone(), name.clone(), arguments.clone()));
                let why = |error: &Value| {
                    let text =
                        ["message", "content"].iter().find_map(|name| error.get(name)?.as_str());
                    text.map_or_else(|| plain(error), str::to_owned)
                };
                let output = output.as_ref().filter(|output| !output.is_null()).map(plain);
                let error = error.as_ref().filter(|error| !error.is_null()).map(why);
                if let Some(outcome) = error.or(output) {
                    results.insert(item_id, outcome);
                }
            }
            ItemPayload::FunctionCallOutput { output }
            | ItemPayload::CustomToolCallOutput { output } => {
                results.entry(call_id).or_insert(output.as_ref().map_or(String::new(), plain));
            }
            ItemPayload::McpApprovalRequest { name, arguments, server_label } => {
                let server = text_of(server_label);
                // The arguments of an interrupt are the payload of its source, if that was not a
                // call of a tool.
                let payload = match (name.as_str(), server.as_str()) {
                    ("interrupt", "agent") if arguments == "{}" => Value::Null,
                    ("interrupt", "agent") => {
                        let said = item.extra.iter().find(|member| member.key == "text");
                        let payload = Value::parse(arguments, 128).unwrap_or_default();
                        without_text(payload, said.and_then(|member| member.value.as_str()))
                    }
                    _ => Value::from([
                        ("name", name.as_str().into()),
                        ("arguments", arguments.as_str().into()),
                        ("server_label", server.into()),
                    ]),
                };
                interrupts.push((item_id, payload));
            }
            ItemPayload::McpApprovalResponse { approval_request_id, .. } => {
                answered.push(text_of(approval_request_id));
            }
            payload => {
                let id = if call_id.is_empty() { item_id } else { call_id };
                let json = |value: &Option<Value>| {
                    value.as_ref().filter(|value| !value.is_null()).map(plain)
                };
                let whole = |tree: &Option<agentwire::snapshot::Tree>| {
                    tree.as_ref().map(|tree| tree.to_json())
                };
                let (arguments, result) = match payload {
                    ItemPayload::CodeInterpreterCall { code, outputs, .. } => {
                        (Some(text_of(code)), json(outputs))
                    }
                    ItemPayload::WebSearchCall { action } => (json(action), None),
                    ItemPayload::FileSearchCall { queries, results } => {
                        let queries =
                            Value::from([("queries", (**queries).clone().unwrap_or_default())]);
                        (Some(queries.to_json()), json(results))
                    }
                    ItemPayload::ShellCall { action } => (whole(action), None),
                    ItemPayload::ShellCallOutput { output } => (None, whole(output)),
                    ItemPayload::Other { r#type } if r#type.ends_with("_call") => {
                        (Some(Value::Object(item.extra.clone()).to_json()), None)
                    }
                    _ => continue,
                };
                if payload.tag().ends_with("_call") {
                    calls.push((
                        id.clone(),
                        payload.tag().to_owned(),
                        arguments.unwrap_or_default(),
                    ));
                }
                if let Some(result) = result {
                    results.insert(id, result);
                }
            }
        }
    }
    interrupts.retain(|(id, _)| !answered.contains(id));
    let reason =
        snapshot.incomplete_details.as_ref().and_then(|details| details.get("reason")?.as_str());
    let status = match snapshot.status {
        responses::Status::Completed if interrupts.is_empty() => Status::Completed,
        responses::Status::Completed => Status::Interrupted,
        responses::Status::Incomplete if !interrupts.is_empty() && reason != Some("eof") => {
            Status::Interrupted
        }
        _ => Status::Otherwise,
    };
    Facts { text, calls, results, interrupts, status }
}
