//! Requests of the AI SDK.

use agentwire::ProtocolKind::AiSdk;
use serde_json::{Value, json};

use super::{Input, Part, Said, Spoken, Talk, set_some, strange, text_of};

pub fn request(talk: &Talk) -> Value {
    let mut messages = Vec::new();
    for (at, said) in talk.said.iter().enumerate() {
        let id = |given: Option<&str>| given.map_or_else(|| format!("m{at}"), str::to_owned);
        match said {
            Said::Instruction { text, .. } => {
                messages.push(
                    json!({"id": id(None), "role": "system", "parts": [{"type": "text", "text": text}]}),
                );
            }
            Said::User { id: given, parts } => {
                let parts: Vec<Value> = parts.iter().flat_map(part).collect();
                messages.push(json!({"id": id(*given), "role": "user", "parts": parts}));
            }
            Said::Answer { id: given, parts } => {
                let parts: Vec<Value> =
                    parts.iter().enumerate().flat_map(|(at, part)| spoken(at, part)).collect();
                messages.push(json!({"id": id(*given), "role": "assistant", "parts": parts}));
            }
            Said::Result { call, parts, error } => answer_call(call, parts, *error, &mut messages),
            Said::Strange(number) => messages.extend(strange::said(AiSdk, *number)),
        }
    }
    json!({"id": talk.id.unwrap_or("chat"), "messages": messages, "trigger": "submit-message"})
}

fn part(part: &Part) -> Vec<Value> {
    vec![match part {
        Part::Text { text, .. } => json!({"type": "text", "text": text}),
        Part::Media(media) => media.of_ai_sdk(),
        Part::Strange(number) => return strange::part(AiSdk, *number),
    }]
}

fn spoken(at: usize, part: &Spoken) -> Vec<Value> {
    vec![match part {
        Spoken::Text(text) | Spoken::Refusal(text) => {
            json!({"type": "text", "text": text, "state": "done"})
        }
        Spoken::Reasoning { text, state } => {
            let mut part = json!({"type": "reasoning", "text": text});
            set_some(
                &mut part,
                "providerMetadata.anthropic.signature",
                state.map(|number| format!("other-state-{number}")),
            );
            part
        }
        Spoken::Hidden(number) => {
            let metadata = json!({"agentwire": {"state": format!("aw1.anthropic.x.{number}")}});
            json!({"type": "reasoning", "text": "", "providerMetadata": metadata})
        }
        Spoken::Call { id, name, input, .. } => {
            let input = match input {
                Input::Json(json) => {
                    serde_json::from_str(json).unwrap_or_else(|_| json.as_str().into())
                }
                Input::Text(text) => text.as_str().into(),
            };
            let mut part = json!({"type": "dynamic-tool", "toolName": name});
            if at.is_multiple_of(2) {
                part = json!({"type": format!("tool-{name}")});
            }
            part["toolCallId"] = (*id).into();
            part["state"] = "input-available".into();
            part["input"] = input;
            part
        }
        Spoken::Strange(number) => return strange::spoken(AiSdk, *number),
    }]
}

/// Adds an output to the last call with an id that has none.
fn answer_call(call: &str, parts: &[Part], error: bool, messages: &mut [Value]) {
    let all = messages
        .iter_mut()
        .rev()
        .filter_map(|message| message.get_mut("parts")?.as_array_mut())
        .flatten();
    let mut waiting =
        all.filter(|part| part["toolCallId"] == call && part["state"] == "input-available");
    let Some(part) = waiting.next() else { return };
    let text = text_of(parts);
    if error {
        part["state"] = "output-error".into();
        part["errorText"] = text.into();
    } else {
        part["state"] = "output-available".into();
        part["output"] = if parts.len() == 1 { text.into() } else { json!({"found": text}) };
    }
}
