//! Requests of Gemini.

use agentwire::ProtocolKind::Gemini;
use serde_json::{Value, json};

use super::{
    Choice, Input, Offer, Output, Part, Said, Spoken, Talk, schema, set_some, state, strange,
    text_of,
};

pub fn request(talk: &Talk) -> Value {
    let (mut system, mut contents): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    // The names of the calls: results have names in place of ids.
    let mut names: Vec<(&str, &str)> = Vec::new();
    for said in &talk.said {
        match said {
            Said::Instruction { text, .. } if contents.is_empty() => {
                system.push(json!({"text": text}))
            }
            Said::Instruction { text, .. } => {
                contents.push(json!({"role": "user", "parts": [{"text": text}]}))
            }
            Said::User { parts, .. } => {
                contents.push(json!({"role": "user", "parts": given(parts)}))
            }
            Said::Answer { parts, .. } => {
                names.extend(parts.iter().filter_map(|part| match part {
                    Spoken::Call { id, name, .. } => Some((*id, *name)),
                    _ => None,
                }));
                contents.push(
                    json!({"role": "model", "parts": parts.iter().flat_map(spoken).collect::<Vec<_>>()}),
                );
            }
            Said::Result { call, parts, error } => {
                let name = names
                    .iter()
                    .rev()
                    .find(|(id, _)| id == call)
                    .map_or("unknown", |(_, name)| name);
                let key = if *error { "error" } else { "output" };
                let mut response = json!({});
                response[key] = text_of(parts).into();
                let mut result = json!({"name": name, "response": response});
                let media: Vec<Value> = given(parts)
                    .into_iter()
                    .filter(|part| part.get("inlineData").is_some())
                    .collect();
                set_some(&mut result, "parts", (!media.is_empty()).then_some(media));
                // Some clients send the id.
                set_some(&mut result, "id", call.starts_with("call").then_some(*call));
                let part = json!({"functionResponse": result});
                match contents.last_mut().and_then(|last| last.get_mut("parts")?.as_array_mut()) {
                    Some(parts)
                        if parts.iter().any(|part| part.get("functionResponse").is_some()) =>
                    {
                        parts.push(part)
                    }
                    _ => contents.push(json!({"role": "user", "parts": [part]})),
                }
            }
            Said::Strange(number) => contents.extend(strange::said(Gemini, *number)),
        }
    }
    let mut request = json!({"contents": contents});
    set_some(
        &mut request,
        "systemInstruction",
        (!system.is_empty()).then(|| json!({"parts": system})),
    );
    let tools: Vec<Value> = talk.tools.iter().flat_map(tool).collect();
    set_some(&mut request, "tools", (!tools.is_empty()).then_some(tools));
    set_some(&mut request, "toolConfig.functionCallingConfig", talk.choice.as_ref().map(choice));
    if let Some(output) = &talk.output {
        request["generationConfig"] = match output {
            Output::Object => json!({"responseMimeType": "application/json"}),
            Output::Schema { named: true, .. } => {
                let schema = json!({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "propertyOrdering": ["a"]});
                json!({"responseMimeType": "application/json", "responseSchema": schema})
            }
            Output::Schema { .. } => {
                json!({"responseMimeType": "application/json", "responseJsonSchema": schema(1)})
            }
        };
    }
    request
}

fn given(parts: &[Part]) -> Vec<Value> {
    let part = |part: &Part| match part {
        Part::Text { text, .. } => vec![json!({"text": text})],
        Part::Media(media) => vec![media.of_gemini()],
        Part::Strange(number) => strange::part(Gemini, *number),
    };
    parts.iter().flat_map(part).collect()
}

fn spoken(part: &Spoken) -> Vec<Value> {
    let sign = |mut part: Value, number: Option<u32>| {
        set_some(&mut part, "thoughtSignature", number.map(|number| state(Gemini, number)));
        vec![part]
    };
    match part {
        Spoken::Text(text) | Spoken::Refusal(text) => vec![json!({"text": text})],
        Spoken::Reasoning { text, state } => sign(json!({"text": text, "thought": true}), *state),
        Spoken::Hidden(number) => sign(json!({"text": ""}), Some(*number)),
        Spoken::Call { id, name, input, state } => {
            let args = match input {
                Input::Json(json) => serde_json::from_str(json).unwrap_or_else(|_| json!({})),
                Input::Text(text) => json!({"input": text}),
            };
            let mut call = json!({"name": name, "args": args});
            set_some(&mut call, "id", id.starts_with("call").then_some(*id));
            sign(json!({"functionCall": call}), *state)
        }
        Spoken::Strange(number) => strange::spoken(Gemini, *number),
    }
}

fn tool(offer: &Offer) -> Vec<Value> {
    let function = |name: &str, number: usize| {
        let mut function = json!({"name": name, "description": "d"});
        set_some(&mut function, "parametersJsonSchema", schema(number));
        function
    };
    vec![match offer {
        Offer::Function { name, schema, .. } => {
            json!({"functionDeclarations": [function(name, *schema)]})
        }
        Offer::Custom { name, .. } => json!({"functionDeclarations": [function(name, 1)]}),
        Offer::Namespace { tools, .. } => {
            json!({"functionDeclarations": tools.iter().map(|name| function(name, 3)).collect::<Vec<_>>()})
        }
        Offer::Hosted(number) => return strange::hosted(Gemini, *number),
    }]
}

fn choice(choice: &Choice) -> Value {
    match choice {
        Choice::Auto => json!({"mode": "AUTO"}),
        Choice::None => json!({"mode": "NONE"}),
        Choice::Required => json!({"mode": "ANY"}),
        Choice::Named(name) => json!({"mode": "ANY", "allowedFunctionNames": [name]}),
        Choice::Allowed { required, names } => {
            json!({"mode": if *required { "ANY" } else { "VALIDATED" }, "allowedFunctionNames": names})
        }
    }
}
