//! AgentScope.

use super::*;

pub fn of_agentscope(snapshot: &agentscope::Snapshot) -> Facts {
    use agentscope::{CallState, ResultState};

    let (mut calls, mut interrupts) = (Vec::new(), Vec::new());
    for call in snapshot.tool_calls() {
        if call.state == CallState::Asking {
            // The input of a call that was inserted is the payload.
            let payload = match Value::parse(&call.input, 128) {
                Ok(Value::Object(members)) if call.name == "interrupt" && members.is_empty() => {
                    Value::Null
                }
                Ok(input) if call.name == "interrupt" => input,
                _ => {
                    let mut payload = Value::from([
                        ("name", call.name.as_str().into()),
                        ("arguments", call.input.as_str().into()),
                    ]);
                    if let Some(rules) = call.suggested_rules.as_ref() {
                        payload.insert("suggested_rules", rules.clone());
                    }
                    payload
                }
            };
            interrupts.push((call.id.clone(), payload));
        }
        calls.push((call.id.clone(), call.name.clone(), call.input.clone()));
    }
    let results = snapshot.tool_results().filter(|result| result.state != ResultState::Running);
    Facts {
        text: snapshot.text(),
        calls,
        results: results.map(|result| (result.id.clone(), result.text())).collect(),
        status: match snapshot.status {
            agentscope::Status::Waiting if !interrupts.is_empty() => Status::Interrupted,
            agentscope::Status::Waiting | agentscope::Status::Completed => Status::Completed,
            _ => Status::Otherwise,
        },
        interrupts,
    }
}
