//! Requests of Anthropic Messages.

use agentwire::ProtocolKind::Anthropic;
use serde_json::{Value, json};

use super::{
    Choice, Input, Offer, Output, Part, Said, Spoken, Talk, schema, set_some, state, strange,
};

pub fn request(talk: &Talk) -> Value {
    let (mut system, mut messages): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    for said in &talk.said {
        match said {
            Said::Instruction { text, .. } if messages.is_empty() => {
                system.push(json!({"type": "text", "text": text}))
            }
            // Those between messages are text of the user.
            Said::Instruction { text, .. } => {
                messages.push(json!({"role": "user", "content": text}))
            }
            Said::User { parts, .. } => {
                messages.push(json!({"role": "user", "content": content(parts)}))
            }
            Said::Answer { parts, .. } => {
                messages.push(json!({"role": "assistant", "content": parts.iter().flat_map(spoken).collect::<Vec<_>>()}));
            }
            Said::Result { call, parts, error } => {
                let mut result =
                    json!({"type": "tool_result", "tool_use_id": call, "content": content(parts)});
                set_some(&mut result, "is_error", error.then_some(true));
                // The results of parallel calls are in one message.
                match messages.last_mut().and_then(|last| last.get_mut("content")?.as_array_mut()) {
                    Some(blocks) if blocks.iter().any(|block| block["type"] == "tool_result") => {
                        blocks.push(result)
                    }
                    _ => messages.push(json!({"role": "user", "content": [result]})),
                }
            }
            Said::Strange(number) => messages.extend(strange::said(Anthropic, *number)),
        }
    }
    let mut request = json!({"model": "m", "max_tokens": 1024, "messages": messages});
    set_some(&mut request, "system", (!system.is_empty()).then_some(system));
    let tools: Vec<Value> = talk.tools.iter().flat_map(tool).collect();
    set_some(&mut request, "tools", (!tools.is_empty()).then_some(tools));
    set_some(&mut request, "tool_choice", talk.choice.as_ref().map(choice));
    if let Some(Output::Schema { .. }) = talk.output {
        request["output_config"] = json!({"format": {"type": "json_schema", "schema": schema(1)}});
    }
    request
}

fn content(parts: &[Part]) -> Value {
    if let [Part::Text { text, cache: false }] = parts {
        return text.as_str().into();
    }
    let part = |part: &Part| match part {
        Part::Text { text, cache: false } => vec![json!({"type": "text", "text": text})],
        Part::Text { text, cache: true } => {
            vec![
                json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral", "ttl": "1h"}}),
            ]
        }
        Part::Media(media) => vec![media.of_anthropic()],
        Part::Strange(number) => strange::part(Anthropic, *number),
    };
    parts.iter().flat_map(part).collect()
}

fn spoken(part: &Spoken) -> Vec<Value> {
    vec![match part {
        Spoken::Text(text) | Spoken::Refusal(text) => json!({"type": "text", "text": text}),
        Spoken::Reasoning { text, state: Some(number) } => {
            json!({"type": "thinking", "thinking": text, "signature": state(Anthropic, *number)})
        }
        Spoken::Reasoning { text, state: None } => {
            json!({"type": "thinking", "thinking": text, "signature": ""})
        }
        Spoken::Hidden(number) => {
            json!({"type": "redacted_thinking", "data": state(Anthropic, *number)})
        }
        Spoken::Call { id, name, input, .. } => {
            let input = match input {
                Input::Json(json) => serde_json::from_str(json).unwrap_or_else(|_| json!({})),
                Input::Text(text) => json!({"input": text}),
            };
            json!({"type": "tool_use", "id": id, "name": name, "input": input})
        }
        Spoken::Strange(number) => return strange::spoken(Anthropic, *number),
    }]
}

fn tool(offer: &Offer) -> Vec<Value> {
    let function = |name: &str, number: usize| {
        let mut tool = json!({"name": name, "description": "d"});
        set_some(&mut tool, "input_schema", schema(number));
        tool
    };
    vec![match offer {
        Offer::Function { name, schema, strict, cache } => {
            let mut tool = function(name, *schema);
            set_some(&mut tool, "strict", *strict);
            set_some(&mut tool, "cache_control", cache.then(|| json!({"type": "ephemeral"})));
            tool
        }
        Offer::Custom { name, .. } => function(name, 1),
        Offer::Namespace { tools, .. } => {
            return tools.iter().map(|name| function(name, 3)).collect();
        }
        Offer::Hosted(number) => return strange::hosted(Anthropic, *number),
    }]
}

fn choice(choice: &Choice) -> Value {
    match choice {
        Choice::Auto => json!({"type": "auto"}),
        Choice::None => json!({"type": "none"}),
        Choice::Required => json!({"type": "any"}),
        Choice::Named(name) => json!({"type": "tool", "name": name}),
        Choice::Allowed { .. } => json!({"type": "auto", "disable_parallel_tool_use": true}),
    }
}
