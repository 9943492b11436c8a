//! Requests of Gemini Interactions.

use agentwire::ProtocolKind::Interactions;
use serde_json::{Value, json};

use super::{
    Choice, Input, Offer, Output, Part, Said, Spoken, Talk, schema, set_some, state, strange,
};

pub fn request(talk: &Talk) -> Value {
    let (mut system, mut steps): (Vec<&str>, Vec<Value>) = (Vec::new(), Vec::new());
    for said in &talk.said {
        match said {
            Said::Instruction { text, .. } if steps.is_empty() => system.push(text),
            Said::Instruction { text, .. } => steps.push(with("user_input", vec![texted(text)])),
            Said::User { parts, .. } => steps.push(with("user_input", given(parts))),
            Said::Answer { parts, .. } => parts.iter().for_each(|part| spoken(part, &mut steps)),
            Said::Result { call, parts, error } => {
                let result = match &parts[..] {
                    [Part::Text { text, .. }] => text.as_str().into(),
                    parts => Value::Array(given(parts)),
                };
                let mut step =
                    json!({"type": "function_result", "call_id": call, "result": result});
                set_some(&mut step, "is_error", error.then_some(true));
                steps.push(step);
            }
            Said::Strange(number) => steps.extend(strange::said(Interactions, *number)),
        }
    }
    let mut request = json!({"model": "m", "input": steps});
    set_some(&mut request, "system_instruction", (!system.is_empty()).then(|| system.join("\n\n")));
    let tools: Vec<Value> = talk.tools.iter().flat_map(tool).collect();
    set_some(&mut request, "tools", (!tools.is_empty()).then_some(tools));
    set_some(&mut request, "generation_config.tool_choice", talk.choice.as_ref().map(choice));
    let format = talk.output.as_ref().map(|output| match output {
        Output::Object => json!({"type": "text", "mime_type": "application/json"}),
        Output::Schema { named, .. } => {
            let format =
                json!({"type": "text", "mime_type": "application/json", "schema": schema(1)});
            if *named { json!([format]) } else { format }
        }
    });
    set_some(&mut request, "response_format", format);
    request
}

fn with(kind: &str, content: Vec<Value>) -> Value {
    json!({"type": kind, "content": content})
}

fn texted(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn given(parts: &[Part]) -> Vec<Value> {
    let part = |part: &Part| match part {
        Part::Text { text, .. } => vec![texted(text)],
        Part::Media(media) => vec![media.of_interactions()],
        Part::Strange(number) => strange::part(Interactions, *number),
    };
    parts.iter().flat_map(part).collect()
}

/// Adds a part of an answer. Texts that follow each other are the contents of one step.
fn spoken(part: &Spoken, steps: &mut Vec<Value>) {
    let mut sign = |mut step: Value, number: Option<u32>| {
        set_some(&mut step, "signature", number.map(|number| state(Interactions, number)));
        steps.push(step);
    };
    match part {
        Spoken::Text(text) | Spoken::Refusal(text) => {
            let last = steps.last_mut().filter(|step| step["type"] == "model_output");
            match last.and_then(|step| step.get_mut("content")?.as_array_mut()) {
                Some(content) => content.push(texted(text)),
                None => steps.push(with("model_output", vec![texted(text)])),
            }
        }
        Spoken::Reasoning { text, state } => {
            sign(json!({"type": "thought", "summary": [texted(text)]}), *state);
        }
        Spoken::Hidden(number) => sign(json!({"type": "thought"}), Some(*number)),
        Spoken::Call { id, name, input, state } => {
            let arguments = match input {
                Input::Json(json) => serde_json::from_str(json).unwrap_or_else(|_| json!({})),
                Input::Text(text) => json!({"input": text}),
            };
            let call =
                json!({"type": "function_call", "id": id, "name": name, "arguments": arguments});
            sign(call, *state);
        }
        Spoken::Strange(number) => steps.extend(strange::spoken(Interactions, *number)),
    }
}

fn tool(offer: &Offer) -> Vec<Value> {
    let function = |name: &str, number: usize| {
        let mut function = json!({"type": "function", "name": name, "description": "d"});
        set_some(&mut function, "parameters", schema(number));
        function
    };
    match offer {
        Offer::Function { name, schema, .. } => vec![function(name, *schema)],
        Offer::Custom { name, .. } => vec![function(name, 1)],
        Offer::Namespace { tools, .. } => tools.iter().map(|name| function(name, 3)).collect(),
        Offer::Hosted(number) => strange::hosted(Interactions, *number),
    }
}

fn choice(choice: &Choice) -> Value {
    let allowed =
        |mode: &str, names: &[&str]| json!({"allowed_tools": {"mode": mode, "tools": names}});
    match choice {
        Choice::Auto => "auto".into(),
        Choice::None => "none".into(),
        Choice::Required => "any".into(),
        Choice::Named(name) => allowed("any", &[name]),
        Choice::Allowed { required, names } => {
            allowed(if *required { "any" } else { "validated" }, names)
        }
    }
}
