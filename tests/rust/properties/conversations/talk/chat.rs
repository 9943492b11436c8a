//! Requests of Chat Completions.

use agentwire::ProtocolKind::Chat;
use serde_json::{Value, json};

use super::{
    Choice, Input, Offer, Output, Part, Said, Spoken, Talk, schema, set_some, state, strange,
};

pub fn request(talk: &Talk) -> Value {
    let messages: Vec<Value> = talk.said.iter().flat_map(message).collect();
    let mut request = json!({"model": "m", "messages": messages});
    let tools: Vec<Value> = talk.tools.iter().flat_map(tool).collect();
    set_some(&mut request, "tools", (!tools.is_empty()).then_some(tools));
    set_some(&mut request, "tool_choice", talk.choice.as_ref().map(choice));
    set_some(&mut request, "response_format", talk.output.as_ref().map(output));
    request
}

fn message(said: &Said) -> Vec<Value> {
    vec![match said {
        Said::Instruction { developer, text } => {
            json!({"role": if *developer { "developer" } else { "system" }, "content": text})
        }
        Said::User { parts, .. } => json!({"role": "user", "content": content(parts)}),
        Said::Result { call, parts, .. } => {
            json!({"role": "tool", "tool_call_id": call, "content": content(parts)})
        }
        Said::Answer { parts, .. } => answer(parts),
        Said::Strange(number) => return strange::said(Chat, *number),
    }]
}

/// Returns content: a text, if it is one.
fn content(parts: &[Part]) -> Value {
    if let [Part::Text { text, cache: false }] = parts {
        return text.as_str().into();
    }
    parts.iter().flat_map(part).collect()
}

fn part(part: &Part) -> Vec<Value> {
    vec![match part {
        Part::Text { text, cache: false } => json!({"type": "text", "text": text}),
        Part::Text { text, cache: true } => {
            json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}})
        }
        Part::Media(media) => media.of_openai(true),
        Part::Strange(number) => return strange::part(Chat, *number),
    }]
}

fn answer(parts: &[Spoken]) -> Value {
    let (mut said, mut calls, mut details) = (Vec::new(), Vec::new(), Vec::new());
    let mut reasoning = String::new();
    for part in parts {
        match part {
            Spoken::Text(text) => said.push(json!({"type": "text", "text": text})),
            Spoken::Refusal(text) => said.push(json!({"type": "refusal", "refusal": text})),
            Spoken::Reasoning { text, state } => {
                reasoning += text;
                details.extend(*state);
            }
            Spoken::Hidden(number) => details.push(*number),
            Spoken::Call { id, name, input, state: signature } => {
                let mut call = match input {
                    Input::Json(json) => {
                        json!({"id": id, "type": "function", "function": {"name": name, "arguments": json}})
                    }
                    Input::Text(text) => {
                        json!({"id": id, "type": "custom", "custom": {"name": name, "input": text}})
                    }
                };
                let signature = signature.map(|number| state(Chat, number));
                set_some(&mut call, "extra_content.google.thought_signature", signature);
                calls.push(call);
            }
            Spoken::Strange(number) => said.extend(strange::spoken(Chat, *number)),
        }
    }
    let content = match &said[..] {
        [] => Value::Null,
        [one] if one["type"] == "text" && one["text"].is_string() => one["text"].clone(),
        _ => said.into(),
    };
    let mut message = json!({"role": "assistant", "content": content});
    set_some(&mut message, "tool_calls", (!calls.is_empty()).then_some(calls));
    set_some(&mut message, "reasoning_content", (!reasoning.is_empty()).then_some(reasoning));
    let detail = |number: &u32| json!({"type": "reasoning.encrypted", "data": state(Chat, *number), "index": 0});
    let details: Vec<Value> = details.iter().map(detail).collect();
    set_some(&mut message, "reasoning_details", (!details.is_empty()).then_some(details));
    message
}

/// Returns the members of a function, as both APIs of OpenAI have them.
pub fn function(name: &str, number: usize, strict: Option<bool>, cache: bool) -> Value {
    let mut function = json!({"name": name, "description": "d"});
    set_some(&mut function, "parameters", schema(number));
    set_some(&mut function, "strict", strict);
    set_some(&mut function, "cache_control", cache.then(|| json!({"type": "ephemeral"})));
    function
}

fn tool(offer: &Offer) -> Vec<Value> {
    vec![match offer {
        Offer::Function { name, schema, strict, cache } => {
            json!({"type": "function", "function": function(name, *schema, *strict, *cache)})
        }
        Offer::Custom { name, grammar: false } => {
            json!({"type": "custom", "custom": {"name": name}})
        }
        Offer::Custom { name, grammar: true } => {
            let grammar = json!({"syntax": "lark", "definition": "start: \"x\""});
            json!({"type": "custom", "custom": {"name": name, "description": "d", "format": {"type": "grammar", "grammar": grammar}}})
        }
        // There are no namespaces.
        Offer::Namespace { tools, .. } => {
            return tools
                .iter()
                .map(|name| json!({"type": "function", "function": {"name": name}}))
                .collect();
        }
        Offer::Hosted(number) => return strange::hosted(Chat, *number),
    }]
}

fn choice(choice: &Choice) -> Value {
    let named = |name: &str| json!({"type": "function", "function": {"name": name}});
    match choice {
        Choice::Auto => "auto".into(),
        Choice::None => "none".into(),
        Choice::Required => "required".into(),
        Choice::Named(name) => named(name),
        Choice::Allowed { required, names } => {
            let tools: Vec<Value> = names.iter().map(|name| named(name)).collect();
            let mode = if *required { "required" } else { "auto" };
            json!({"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}})
        }
    }
}

fn output(output: &Output) -> Value {
    match output {
        Output::Object => json!({"type": "json_object"}),
        Output::Schema { strict, named } => {
            let mut described = json!({"schema": schema(1)});
            set_some(&mut described, "name", named.then_some("answer"));
            set_some(&mut described, "strict", *strict);
            json!({"type": "json_schema", "json_schema": described})
        }
    }
}
