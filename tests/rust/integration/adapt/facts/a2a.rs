//! A2A.

use super::*;

pub fn of_a2a(snapshot: &a2a::Snapshot) -> Facts {
    let mut facts = Facts {
        text: String::new(),
        calls: Vec::new(),
        results: BTreeMap::new(),
        interrupts: Vec::new(),
        status: Status::Otherwise,
    };
    if let Some(message) = &snapshot.message {
        facts.text = message.text();
        facts.status = Status::Completed;
    }
    let Some(task) = &snapshot.task else { return facts };
    let mut previews = Vec::new();
    for artifact in task.artifacts.iter().flatten() {
        let kind = artifact.metadata.as_ref().and_then(|metadata| metadata.get("type")?.as_str());
        let kind = kind.or(artifact.name.as_deref()).unwrap_or_default();
        for part in artifact.parts.iter().flatten() {
            let said = |name: &str| {
                let value = part.data.as_ref().and_then(|data| data.get(name).cloned());
                value.filter(|value| !value.is_null()).map_or(String::new(), |value| {
                    value.as_str().map_or_else(|| value.to_json(), str::to_owned)
                })
            };
            match (MessageType::from(kind).tool(), &*part.text) {
                (Some((ToolFamily::McpApproval, _)), _) => {}
                (Some((_, side)), _) if format!("{side:?}") == "Call" => {
                    facts.calls.push((said("call_id"), said("name"), said("arguments")));
                }
                (Some(_), _) => {
                    // The part after a preview replaces it.
                    let id = said("call_id");
                    if previews.contains(&id) {
                        facts.results.remove(&id);
                    }
                    if said("preview") == "true" {
                        previews.push(id.clone());
                    }
                    facts.results.entry(id).or_insert(said("output"));
                }
                (None, Some(text)) if kind != "reasoning" => facts.text += text,
                _ => {}
            }
        }
    }
    let state = task.state();
    let waits = state.is_interrupted();
    let asked = task.status.as_ref().and_then(|status| status.message.as_ref());
    for part in asked.filter(|_| waits).iter().flat_map(|message| message.parts.iter().flatten()) {
        if let Some(data) = part.data.as_ref().filter(|data| data.get("id").is_some()) {
            facts
                .interrupts
                .push((id(data, "id"), data.get("payload").cloned().unwrap_or_default()));
        }
    }
    let is_question = !facts.interrupts.is_empty();
    if waits && !is_question {
        let id = asked.and_then(|message| message.message_id.as_ref().cloned());
        let state =
            if state == TaskState::AuthRequired { "auth-required" } else { "input-required" };
        // The text of the message has the id of the message already.
        let is_said = asked.is_some_and(|message| message.parts.iter().flatten().next().is_some());
        let id = id.map(|id| if is_said { format!("{id}:{state}") } else { id });
        facts.interrupts.push((id.unwrap_or_else(|| state.to_owned()), Value::Null));
    }
    let is_error = matches!(state, TaskState::Failed | TaskState::Rejected);
    for message in
        task.history.iter().flatten().filter(|message| *message.role != Some(a2a::Role::User))
    {
        let kind = message.metadata.as_ref().and_then(|metadata| metadata.get("type")?.as_str());
        if kind != Some("reasoning") && (asked != Some(message) || !is_error && !is_question) {
            facts.text += &message.text();
        }
    }
    let incomplete = task.metadata.as_ref().and_then(|metadata| metadata.get("incomplete"));
    facts.status = match state {
        _ if snapshot.error.is_some() => Status::Otherwise,
        TaskState::Completed if incomplete.is_none() => Status::Completed,
        _ if waits => Status::Interrupted,
        _ => Status::Otherwise,
    };
    facts
}
