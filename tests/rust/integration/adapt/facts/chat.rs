//! Chat Completions.

use super::*;

pub fn of_chat(snapshot: &chat::Snapshot) -> Facts {
    let (mut text, mut calls) = (String::new(), Vec::new());
    for chat::Choice { message, .. } in &snapshot.choices {
        let spoken = message.audio.as_ref().and_then(|audio| audio.transcript.as_ref());
        [&message.content, &message.refusal]
            .into_iter()
            .flatten()
            .chain(spoken)
            .for_each(|said| text += said);
        for call in message.tool_calls.iter().flatten() {
            let function =
                call.function.as_ref().map(|call| (call.name.clone(), call.arguments.clone()));
            let custom = call.custom.as_ref().map(|call| (call.name.clone(), call.input.clone()));
            let (name, arguments) = function.or(custom).unwrap_or_default();
            calls.push((call.id.clone(), name, arguments));
        }
        if let Some(call) = &*message.function_call {
            calls.push((String::new(), call.name.clone(), call.arguments.clone()));
        }
    }
    let status = match snapshot.status {
        chat::Status::Completed => Status::Completed,
        _ => Status::Otherwise,
    };
    Facts { text, calls, results: BTreeMap::new(), interrupts: Vec::new(), status }
}
