//! Requests of AG-UI, AG-Kit, the Agent API, AgentScope and A2A.

use agentwire::ProtocolKind::{A2a, AgKit, AgUi, AgentApi, AgentScope};
use serde_json::{Value, json};

use super::chat::function;
use super::{Choice, Input, Offer, Part, Said, Spoken, Talk, schema, set_some, strange, text_of};

/// Returns the functions with the names and schemas that simple tools have.
fn functions(talk: &Talk) -> Vec<(&str, usize)> {
    let functions = |offer: &Offer| match offer {
        Offer::Function { name, schema, .. } => vec![(*name, *schema)],
        Offer::Custom { name, .. } => vec![(*name, 1)],
        Offer::Namespace { tools, .. } => tools.iter().map(|name| (*name, 3)).collect(),
        Offer::Hosted(_) => Vec::new(),
    };
    talk.tools.iter().flat_map(functions).collect()
}

fn arguments(input: &Input) -> &str {
    let (Input::Json(text) | Input::Text(text)) = input;
    text
}

/// An id for each message, also if the client has given several the same one.
fn id(id: Option<&str>, at: usize) -> String {
    id.map_or_else(|| format!("m{at}"), str::to_owned)
}

pub fn ag_ui(talk: &Talk) -> Value {
    let mut messages = Vec::new();
    for (at, said) in talk.said.iter().enumerate() {
        match said {
            Said::Instruction { developer, text } => {
                messages.push(json!({"id": id(None, at), "role": if *developer { "developer" } else { "system" }, "content": text}));
            }
            Said::User { id: given, parts } => {
                messages.push(
                    json!({"id": id(*given, at), "role": "user", "content": ag_ui_content(parts)}),
                );
            }
            Said::Answer { id: given, parts } => {
                ag_ui_answer(&id(*given, at), parts, &mut messages)
            }
            Said::Result { call, parts, error } => {
                let mut message = json!({"id": id(None, at), "role": "tool", "toolCallId": call, "content": ag_ui_content(parts)});
                set_some(&mut message, "error", error.then_some("it failed"));
                messages.push(message);
            }
            Said::Strange(number) => messages.extend(strange::said(AgUi, *number)),
        }
    }
    let tool = |(name, number): (&str, usize)| {
        let mut tool = json!({"name": name, "description": "d"});
        set_some(&mut tool, "parameters", schema(number));
        tool
    };
    let tools: Vec<Value> = functions(talk).into_iter().map(tool).collect();
    let thread = talk.id.unwrap_or("t");
    json!({"threadId": thread, "runId": "r", "state": {}, "messages": messages, "tools": tools, "context": [], "forwardedProps": {}})
}

fn ag_ui_content(parts: &[Part]) -> Value {
    if let [Part::Text { text, .. }] = parts {
        return text.as_str().into();
    }
    let part = |part: &Part| match part {
        Part::Text { text, .. } => vec![json!({"type": "text", "text": text})],
        Part::Media(media) => vec![media.of_ag_ui()],
        Part::Strange(number) => strange::part(AgUi, *number),
    };
    parts.iter().flat_map(part).collect()
}

/// A message for the texts and calls of an answer, after those of its reasoning.
fn ag_ui_answer(id: &str, parts: &[Spoken], messages: &mut Vec<Value>) {
    let (mut text, mut calls) = (None::<String>, Vec::new());
    for (at, part) in parts.iter().enumerate() {
        match part {
            Spoken::Text(said) | Spoken::Refusal(said) => *text.get_or_insert_default() += said,
            Spoken::Reasoning { text, state } => {
                let mut message =
                    json!({"id": format!("{id}-{at}"), "role": "reasoning", "content": text});
                set_some(
                    &mut message,
                    "encryptedValue",
                    state.map(|number| format!("other-state-{number}")),
                );
                messages.push(message);
            }
            Spoken::Hidden(number) => {
                messages.push(json!({"id": format!("{id}-{at}"), "role": "reasoning", "content": "", "encryptedValue": format!("aw1.gemini.x.{number}")}));
            }
            Spoken::Call { id, name, input, .. } => {
                calls.push(json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments(input)}}));
            }
            Spoken::Strange(_) => {}
        }
    }
    let mut message = json!({"id": id, "role": "assistant"});
    set_some(&mut message, "content", text);
    set_some(&mut message, "toolCalls", (!calls.is_empty()).then_some(calls));
    messages.push(message);
}

pub fn ag_kit(talk: &Talk) -> Value {
    let message = |said: &Said| match said {
        Said::Instruction { text, .. } => vec![json!({"role": "system", "content": text})],
        Said::User { parts, .. } => vec![json!({"role": "user", "content": text_of(parts)})],
        Said::Result { call, parts, .. } => {
            vec![json!({"role": "tool", "toolCallId": call, "content": text_of(parts)})]
        }
        Said::Strange(number) => strange::said(AgKit, *number),
        Said::Answer { id, parts } => {
            let texts = parts.iter().filter_map(|part| match part {
                Spoken::Text(text) | Spoken::Refusal(text) => Some(text.as_str()),
                _ => None,
            });
            let calls = parts.iter().filter_map(|part| match part {
                Spoken::Call { id, name, input, .. } => {
                    Some(json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments(input)}}))
                }
                _ => None,
            });
            let (text, calls): (String, Vec<Value>) = (texts.collect(), calls.collect());
            let mut message = json!({"role": "assistant", "content": if text.is_empty() { Value::Null } else { text.into() }});
            set_some(&mut message, "id", *id);
            set_some(&mut message, "toolCalls", (!calls.is_empty()).then_some(calls));
            vec![message]
        }
    };
    let messages: Vec<Value> = talk.said.iter().flat_map(message).collect();
    let tool = |(name, number): (&str, usize)| json!({"name": name, "description": "d", "parameters": schema(number).unwrap_or_else(|| json!({}))});
    let tools: Vec<Value> = functions(talk).into_iter().map(tool).collect();
    json!({"conversationId": talk.id.unwrap_or("c"), "messages": messages, "tools": tools})
}

pub fn agent_api(talk: &Talk) -> Value {
    let mut input = Vec::new();
    for said in &talk.said {
        match said {
            Said::Instruction { text, .. } => input.push(
                json!({"role": "system", "type": "message", "content": [{"type": "text", "text": text}]}),
            ),
            Said::User { id, parts } => {
                let mut message = json!({"role": "user", "type": "message", "content": contents(parts)});
                set_some(&mut message, "id", *id);
                input.push(message);
            }
            Said::Answer { id, parts } => {
                input.extend(parts.iter().flat_map(|part| agent_api_spoken(*id, part)))
            }
            Said::Result { call, parts, .. } => {
                let output = json!({"type": "data", "data": {"call_id": call, "output": text_of(parts)}});
                input.push(json!({"role": "tool", "type": "function_call_output", "content": [output]}));
            }
            Said::Strange(number) => input.extend(strange::said(AgentApi, *number)),
        }
    }
    let tool = |offer: &Offer| match offer {
        Offer::Function { name, schema, strict, .. } => {
            let mut function = function(name, *schema, *strict, false);
            function.as_object_mut().and_then(|members| members.remove("strict"));
            vec![json!({"type": "function", "function": function})]
        }
        Offer::Custom { name, .. } => vec![json!({"type": "function", "function": {"name": name}})],
        Offer::Namespace { .. } => Vec::new(),
        Offer::Hosted(number) => strange::hosted(AgentApi, *number),
    };
    let tools: Vec<Value> = talk.tools.iter().flat_map(tool).collect();
    let mut request = json!({"input": input});
    set_some(&mut request, "session_id", talk.id);
    set_some(&mut request, "tools", (!tools.is_empty()).then_some(tools));
    let named = |name: &str| json!({"type": "function", "function": {"name": name}});
    let choice = talk.choice.as_ref().map(|choice| match choice {
        Choice::Required => json!("required"),
        Choice::Named(name) => named(name),
        Choice::None => json!("none"),
        Choice::Auto | Choice::Allowed { .. } => json!("auto"),
    });
    set_some(&mut request, "tool_choice", choice);
    request
}

fn contents(parts: &[Part]) -> Vec<Value> {
    let part = |part: &Part| match part {
        Part::Text { text, .. } => vec![json!({"type": "text", "text": text})],
        Part::Media(media) => vec![media.of_agent_api()],
        Part::Strange(number) => strange::part(AgentApi, *number),
    };
    parts.iter().flat_map(part).collect()
}

/// A message for each part of an answer.
fn agent_api_spoken(id: Option<&str>, part: &Spoken) -> Vec<Value> {
    let message = |kind: &str, content: Value| {
        let mut message = json!({"role": "assistant", "type": kind, "content": [content]});
        set_some(&mut message, "id", id);
        message
    };
    vec![match part {
        Spoken::Text(text) => message("message", json!({"type": "text", "text": text})),
        Spoken::Refusal(text) => message("message", json!({"type": "refusal", "refusal": text})),
        Spoken::Reasoning { text, state } => {
            let mut message = message("reasoning", json!({"type": "text", "text": text}));
            set_some(
                &mut message,
                "metadata.opaque",
                state.map(|number| format!("other-state-{number}")),
            );
            message
        }
        Spoken::Hidden(number) => {
            let mut message = message("reasoning", json!({"type": "text", "text": ""}));
            message["metadata"] = json!({"opaque": [format!("aw1.anthropic.x.{number}"), "aw1."]});
            message
        }
        Spoken::Call { id: call, name, input, state } => {
            // Some clients send the arguments as an object.
            let arguments = match state {
                Some(_) => serde_json::from_str(arguments(input))
                    .unwrap_or_else(|_| arguments(input).into()),
                None => Value::from(arguments(input)),
            };
            message(
                "function_call",
                json!({"type": "data", "data": {"call_id": call, "name": name, "arguments": arguments}}),
            )
        }
        Spoken::Strange(number) => {
            return strange::spoken(AgentApi, *number)
                .into_iter()
                .map(|content| message("message", content))
                .collect();
        }
    }]
}

/// Only what is new: the results of calls or the last messages of the user. The server has the
/// others.
pub fn agentscope(talk: &Talk) -> Value {
    let is_answer = |said: &Said| matches!(said, Said::Answer { .. });
    let new =
        talk.said.iter().rposition(is_answer).map_or(&talk.said[..], |at| &talk.said[at + 1..]);
    let results: Vec<Value> = new
        .iter()
        .filter_map(|said| match said {
            Said::Result { call, parts, error } => {
                let state = if *error { "error" } else { "success" };
                Some(json!({"type": "tool_result", "id": call, "name": "f", "output": blocks(parts), "state": state}))
            }
            _ => None,
        })
        .collect();
    let message = |said: &Said| match said {
        Said::User { id, parts } => {
            let mut message = json!({"name": "user", "role": "user", "content": blocks(parts)});
            set_some(&mut message, "id", *id);
            vec![message]
        }
        Said::Strange(number) => strange::said(AgentScope, *number),
        _ => Vec::new(),
    };
    let mut messages: Vec<Value> = new.iter().flat_map(message).collect();
    let input = match messages.len() {
        _ if !results.is_empty() => {
            json!({"type": "EXTERNAL_EXECUTION_RESULT", "reply_id": "r", "execution_results": results})
        }
        0 => Value::Null,
        1 => messages.remove(0),
        _ => messages.into(),
    };
    json!({"agent_id": "a", "session_id": talk.id.unwrap_or("s"), "input": input})
}

fn blocks(parts: &[Part]) -> Vec<Value> {
    let part = |part: &Part| match part {
        Part::Text { text, .. } => vec![json!({"type": "text", "text": text})],
        Part::Media(media) => vec![media.of_agentscope()],
        Part::Strange(number) => strange::part(AgentScope, *number),
    };
    parts.iter().flat_map(part).collect()
}

/// Only the last message of the user: the server has the others.
pub fn a2a(talk: &Talk) -> Value {
    let last = talk.said.iter().rev().find_map(|said| match said {
        Said::User { id, parts } => Some((*id, parts)),
        _ => None,
    });
    let (id, parts) = last.unwrap_or((None, const { &Vec::new() }));
    let part = |part: &Part| match part {
        Part::Text { text, .. } => vec![json!({"text": text})],
        Part::Media(media) => vec![media.of_a2a()],
        Part::Strange(number) => strange::part(A2a, *number),
    };
    let parts: Vec<Value> = parts.iter().flat_map(part).collect();
    let mut message = json!({"messageId": id.unwrap_or("m"), "role": "ROLE_USER", "parts": parts});
    set_some(&mut message, "contextId", talk.id);
    let mut request = json!({"message": message});
    set_some(
        &mut request,
        "metadata",
        talk.member.map(|number| json!({"temperature": 0.5, "number": number})),
    );
    request
}
