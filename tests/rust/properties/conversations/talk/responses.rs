//! Requests of OpenAI Responses.

use agentwire::ProtocolKind::Responses;
use serde_json::{Value, json};

use super::chat::function;
use super::{
    Choice, Input, Offer, Output, Part, Said, Spoken, Talk, schema, set, set_some, state, strange,
};

pub fn request(talk: &Talk) -> Value {
    let mut input: Vec<Value> = talk.said.iter().flat_map(items).collect();
    if let [Value::Object(one)] = &input[..]
        && one.get("role").is_some_and(|role| role == "user")
        && one["content"].is_string()
    {
        input = vec![one["content"].clone()];
    }
    let input = match &mut input[..] {
        [text @ Value::String(_)] => text.take(),
        _ => input.into(),
    };
    let mut request = json!({"model": "m", "input": input});
    let tools: Vec<Value> = talk.tools.iter().flat_map(tool).collect();
    set_some(&mut request, "tools", (!tools.is_empty()).then_some(tools));
    set_some(&mut request, "tool_choice", talk.choice.as_ref().map(choice));
    if let Some(output) = &talk.output {
        set(&mut request, "text.format", format(output));
    }
    set_some(&mut request, "conversation", talk.id);
    request
}

fn items(said: &Said) -> Vec<Value> {
    vec![match said {
        Said::Instruction { developer, text } => {
            json!({"role": if *developer { "developer" } else { "system" }, "content": text})
        }
        Said::User { id, parts } => {
            let mut message = json!({"type": "message", "role": "user", "content": content(parts)});
            set_some(&mut message, "id", *id);
            message
        }
        Said::Result { call, parts, error } => {
            // Clients send the output of a custom tool with another type.
            let kind = if *error { "custom_tool_call_output" } else { "function_call_output" };
            json!({"type": kind, "call_id": call, "output": content(parts)})
        }
        Said::Answer { id, parts } => return answer(*id, parts),
        Said::Strange(number) => return strange::said(Responses, *number),
    }]
}

fn content(parts: &[Part]) -> Value {
    if let [Part::Text { text, .. }] = parts {
        return text.as_str().into();
    }
    let part = |part: &Part| match part {
        Part::Text { text, .. } => vec![json!({"type": "input_text", "text": text})],
        Part::Media(media) => vec![media.of_openai(false)],
        Part::Strange(number) => strange::part(Responses, *number),
    };
    parts.iter().flat_map(part).collect()
}

/// The items of an answer: a message for each run of texts.
fn answer(id: Option<&str>, parts: &[Spoken]) -> Vec<Value> {
    let mut items = Vec::new();
    let mut run: Vec<Value> = Vec::new();
    let end = |run: &mut Vec<Value>, items: &mut Vec<Value>| {
        if !run.is_empty() {
            let mut message =
                json!({"type": "message", "role": "assistant", "content": std::mem::take(run)});
            set_some(&mut message, "id", id);
            set_some(&mut message, "phase", id.map(|_| "commentary"));
            items.push(message);
        }
    };
    let reasoning = |summary: Vec<Value>, number: Option<u32>| {
        let mut item = json!({"type": "reasoning", "summary": summary});
        match number {
            // Half of the clients have the items on the server.
            Some(number) if number % 2 == 0 => item["id"] = format!("rs_{number}").into(),
            number => set_some(
                &mut item,
                "encrypted_content",
                number.map(|number| state(Responses, number)),
            ),
        }
        item
    };
    for part in parts {
        match part {
            Spoken::Text(text) => {
                run.push(json!({"type": "output_text", "text": text}));
                continue;
            }
            Spoken::Refusal(text) => {
                run.push(json!({"type": "refusal", "refusal": text}));
                continue;
            }
            Spoken::Strange(number) => {
                run.extend(strange::spoken(Responses, *number));
                continue;
            }
            _ => end(&mut run, &mut items),
        }
        match part {
            Spoken::Reasoning { text, state } => {
                items.push(reasoning(vec![json!({"type": "summary_text", "text": text})], *state));
            }
            Spoken::Hidden(number) => items.push(reasoning(Vec::new(), Some(*number))),
            Spoken::Call { id, name, input: Input::Json(json), .. } => {
                items.push(json!({"type": "function_call", "call_id": id, "name": name, "arguments": json}));
            }
            Spoken::Call { id, name, input: Input::Text(text), state } => {
                let mut item =
                    json!({"type": "custom_tool_call", "call_id": id, "name": name, "input": text});
                set_some(&mut item, "namespace", state.map(|_| "a.b"));
                items.push(item);
            }
            _ => {}
        }
    }
    end(&mut run, &mut items);
    items
}

fn tool(offer: &Offer) -> Vec<Value> {
    vec![match offer {
        Offer::Function { name, schema, strict, .. } => {
            let mut tool = function(name, *schema, *strict, false);
            tool["type"] = "function".into();
            tool
        }
        Offer::Custom { name, grammar: false } => json!({"type": "custom", "name": name}),
        Offer::Custom { name, grammar: true } => {
            let format = json!({"type": "grammar", "syntax": "lark", "definition": "start: \"x\""});
            json!({"type": "custom", "name": name, "description": "d", "format": format})
        }
        Offer::Namespace { name, tools } => {
            let inner = tools.iter().map(
                |name| json!({"type": "function", "name": name, "parameters": schema(1), "strict": false}),
            );
            json!({"type": "namespace", "name": name, "description": "d", "tools": inner.collect::<Vec<_>>()})
        }
        Offer::Hosted(number) => return strange::hosted(Responses, *number),
    }]
}

fn choice(choice: &Choice) -> Value {
    let named = |name: &str| json!({"type": "function", "name": name});
    match choice {
        Choice::Auto => "auto".into(),
        Choice::None => "none".into(),
        Choice::Required => "required".into(),
        Choice::Named(name) => named(name),
        Choice::Allowed { required, names } => {
            let tools: Vec<Value> = names.iter().map(|name| named(name)).collect();
            json!({"type": "allowed_tools", "mode": if *required { "required" } else { "auto" }, "tools": tools})
        }
    }
}

fn format(output: &Output) -> Value {
    match output {
        Output::Object => json!({"type": "json_object"}),
        Output::Schema { strict, named } => {
            let mut format = json!({"type": "json_schema", "schema": schema(1)});
            set_some(&mut format, "name", named.then_some("answer"));
            set_some(&mut format, "strict", *strict);
            format
        }
    }
}
