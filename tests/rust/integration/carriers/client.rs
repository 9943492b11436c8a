//! What the clients of the protocols have after an answer, and send back.

use std::collections::BTreeMap;

use agentwire::ProtocolKind::{self, A2a, AgUi, AgentApi, AiSdk, Responses};
use agentwire::hub::conversation::{Content, Sealed};
use serde_json::Value;

use crate::reading::read;

/// A part of the turn.
#[derive(Clone, Debug, Default)]
struct Part {
    /// `reasoning Hm.`, `text Hi.`, `call c1`, `result c1`, `block`.
    what: String,
    /// The opaque members.
    state: Option<String>,
}

/// The parts of the turn.
#[derive(Debug, Default)]
struct Turn {
    parts: Vec<Part>,
    /// The first part of the last message.
    message: usize,
    /// The opaque members of calls and results that are not at them.
    elsewhere: BTreeMap<String, String>,
}

impl Turn {
    fn begin_message(&mut self) {
        self.message = self.parts.len();
    }

    fn push(&mut self, what: String) {
        self.parts.push(Part { what, state: None });
    }

    /// Restores members at the last part, or where the string says.
    fn restore(&mut self, sealed: &str) {
        let sealed = Sealed::open(sealed).expect("a sealed string");
        let state = state(&sealed);
        if let Some(call) = &sealed.call {
            let side = if sealed.result { "result" } else { "call" };
            self.elsewhere.insert(format!("{side} {call}"), state);
            return;
        }
        let at = sealed.part.map_or(self.parts.len() - 1, |part| self.message + part as usize);
        let part = &mut self.parts[at];
        if let Some(text) = part.what.strip_prefix("reasoning ") {
            let reasoning = Content::Reasoning { text: text.into(), summary: false };
            assert!(sealed.is_of(&reasoning), "{text}");
            let other = Content::Reasoning { text: [text, "."].concat(), summary: false };
            assert_eq!(sealed.is_of(&other), sealed.block, "{text}");
        }
        match &*part.what {
            "reasoning " if sealed.block => {
                *part = Part { what: "block".into(), state: Some(state) }
            }
            what if sealed.block && what.starts_with("text ") => {
                self.parts.insert(at + 1, Part { what: "block".into(), state: Some(state) });
            }
            _ => part.state = Some(state),
        }
    }

    fn restore_all(&mut self, sealed: &Value) {
        match sealed {
            Value::String(text) => self.restore(text),
            Value::Array(list) => {
                list.iter().for_each(|text| self.restore(text.as_str().expect("a string")))
            }
            _ => {}
        }
    }

    fn lines(self) -> Vec<String> {
        let Turn { parts, mut elsewhere, .. } = self;
        let line = |Part { what, state }: Part| {
            let state = elsewhere.remove(&what).or(state);
            state.map_or_else(|| what.clone(), |state| format!("{what} = {state}"))
        };
        let lines = parts.into_iter().map(line).collect();
        assert!(elsewhere.is_empty(), "{elsewhere:?}");
        lines
    }
}

/// Returns the format, the scope and the members, sorted.
fn state(sealed: &Sealed) -> String {
    assert_eq!(sealed.opaque.scope.as_deref(), Some(super::SCOPE));
    let members: BTreeMap<&str, Value> = sealed
        .opaque
        .members
        .iter()
        .map(|member| (&*member.key, serde_json::from_str(&member.value.to_json()).expect("JSON")))
        .collect();
    let block = if sealed.block { " block" } else { "" };
    format!("{}{block} {}", sealed.opaque.format, serde_json::to_string(&members).expect("JSON"))
}

/// Returns the parts of an answer with their opaque members. A result follows the parts of its
/// turn.
pub fn carried(protocol: ProtocolKind, stream: &str) -> Vec<String> {
    let outcome = read(protocol, agentwire::read::AnyOptions::default(), [stream.as_bytes()]);
    assert_eq!(outcome.report.total(), 0, "{:?}\n{stream}", outcome.report);
    let snapshot = &serde_json::to_value(&outcome.snapshot).expect("JSON")["snapshot"];
    let mut turn = Turn::default();
    match protocol {
        Responses => list(&snapshot["output"]).for_each(|item| of_responses(item, &mut turn)),
        AgUi => list(&snapshot["messages"]).for_each(|message| of_ag_ui(message, &mut turn)),
        AiSdk => list(&snapshot["parts"]).for_each(|part| of_ai_sdk(part, &mut turn)),
        AgentApi => {
            list(&snapshot["response"]["output"])
                .for_each(|message| of_agent_api(message, &mut turn));
        }
        A2a => {
            list(&snapshot["task"]["artifacts"]).for_each(|artifact| of_a2a(artifact, &mut turn))
        }
        other => panic!("{other:?}"),
    }
    turn.lines()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn of_responses(item: &Value, turn: &mut Turn) {
    let sealed = text(&item["encrypted_content"]);
    let texts =
        || list(&item["summary"]).chain(list(&item["content"])).map(|part| text(&part["text"]));
    match text(&item["type"]) {
        "reasoning" => {
            let is_away = Sealed::open(sealed)
                .is_some_and(|sealed| sealed.call.is_some() || sealed.part.is_some());
            if !is_away {
                turn.begin_message();
                turn.push(format!("reasoning {}", texts().collect::<String>()));
            }
            if !sealed.is_empty() {
                turn.restore(sealed);
            }
        }
        "message" => {
            turn.begin_message();
            texts().for_each(|text| turn.push(format!("text {text}")));
        }
        "function_call" | "custom_tool_call" => {
            turn.push(format!("call {}", text(&item["call_id"])))
        }
        "mcp_call" => {
            turn.push(format!("call {}", text(&item["id"])));
            turn.push(format!("result {}", text(&item["id"])));
        }
        "function_call_output" | "custom_tool_call_output" => {
            turn.push(format!("result {}", text(&item["call_id"])));
        }
        other => panic!("{other}"),
    }
}

fn of_ag_ui(message: &Value, turn: &mut Turn) {
    let content = text(&message["content"]);
    turn.begin_message();
    match text(&message["role"]) {
        "reasoning" => turn.push(format!("reasoning {content}")),
        "tool" => turn.push(format!("result {}", text(&message["toolCallId"]))),
        _ if content.is_empty() => {}
        _ => turn.push(format!("text {content}")),
    }
    let own = text(&message["encryptedValue"]);
    if !own.is_empty() {
        turn.restore(own);
    }
    for call in list(&message["toolCalls"]) {
        turn.push(format!("call {}", text(&call["id"])));
        let own = text(&call["encryptedValue"]);
        if !own.is_empty() {
            turn.restore(own);
        }
    }
}

fn of_ai_sdk(part: &Value, turn: &mut Turn) {
    let state = |name: &str| text(&part[name]["agentwire"]["state"]).to_owned();
    let mut push = |what: String, state: &str| {
        turn.begin_message();
        turn.push(what);
        if !state.is_empty() {
            turn.restore(state);
        }
    };
    match text(&part["type"]) {
        "text" => push(format!("text {}", text(&part["text"])), &state("providerMetadata")),
        "reasoning" => {
            let state = state("providerMetadata");
            if Sealed::open(&state).is_some_and(|sealed| sealed.call.is_some()) {
                return turn.restore(&state);
            }
            push(format!("reasoning {}", text(&part["text"])), &state);
        }
        name if name.starts_with("tool-") || name == "dynamic-tool" => {
            let id = text(&part["toolCallId"]);
            push(format!("call {id}"), &state("callProviderMetadata"));
            if part.get("output").is_some() || part.get("errorText").is_some() {
                push(format!("result {id}"), &state("resultProviderMetadata"));
            }
        }
        _ => {}
    }
}

fn of_agent_api(message: &Value, turn: &mut Turn) {
    let kind = text(&message["type"]);
    let sealed = &message["metadata"]["opaque"];
    if kind.starts_with("agentwire.") {
        return;
    }
    let contents: Vec<&Value> = list(&message["content"]).collect();
    let is_away = contents.is_empty()
        && sealed
            .as_str()
            .and_then(Sealed::open)
            .is_some_and(|sealed| sealed.call.or(sealed.part.map(|_| String::new())).is_some());
    if !is_away {
        turn.begin_message();
        for content in &contents {
            turn.push(match kind {
                "reasoning" => format!("reasoning {}", text(&content["text"])),
                "message" => format!("text {}", text(&content["text"])),
                _ => {
                    let side = if kind.ends_with("_output") { "result" } else { "call" };
                    format!("{side} {}", text(&content["data"]["call_id"]))
                }
            });
        }
        if contents.is_empty() && kind == "reasoning" {
            turn.push("reasoning ".into());
        }
    }
    turn.restore_all(sealed);
}

fn of_a2a(artifact: &Value, turn: &mut Turn) {
    let kind = text(&artifact["metadata"]["type"]);
    let parts: Vec<&Value> = list(&artifact["parts"]).collect();
    assert!(!parts.is_empty(), "{artifact}");
    turn.begin_message();
    for part in parts {
        turn.push(match kind {
            "reasoning" => format!("reasoning {}", text(&part["text"])),
            "message" => format!("text {}", text(&part["text"])),
            _ => {
                let side = if kind.ends_with("_output") { "result" } else { "call" };
                format!("{side} {}", text(&part["data"]["call_id"]))
            }
        });
    }
    turn.restore_all(&artifact["metadata"]["opaque"]);
}
