//! The facts that a conversion must keep, read from the snapshots of both protocols, and the
//! conversion for tests.

use std::collections::BTreeMap;

use agentwire::ProtocolKind;
use agentwire::a2a::{self, A2a, TaskState};
use agentwire::ag_kit::{self, AgKit};
use agentwire::ag_ui::{self, AgUi};
use agentwire::agent_api::{self, AgentApi, MessageType, RunStatus, ToolFamily, builder};
use agentwire::agentscope::{self, AgentScope};
use agentwire::ai_sdk::{self, AiSdk};
use agentwire::anthropic::{self, Anthropic};
use agentwire::builder::Counter;
use agentwire::chat::{self, Chat};
use agentwire::convert::{ConvertOptions, Converter};
use agentwire::gemini::{self, Gemini};
use agentwire::hub::Losses;
use agentwire::interactions::{self, Interactions};
use agentwire::json::Value;
use agentwire::responses::{self, Responses};
use agentwire::{EndReason, Outcome, Reader, Report};

#[path = "facts/a2a.rs"]
mod of_a2a;
#[path = "facts/agentscope.rs"]
mod of_agentscope;
#[path = "facts/ai_sdk.rs"]
mod of_ai_sdk;
#[path = "facts/anthropic.rs"]
mod of_anthropic;
#[path = "facts/chat.rs"]
mod of_chat;
#[path = "facts/gemini.rs"]
mod of_gemini;
#[path = "facts/interactions.rs"]
mod of_interactions;
#[path = "facts/responses.rs"]
mod of_responses;

pub use of_a2a::of_a2a;
pub use of_agentscope::of_agentscope;
pub use of_ai_sdk::of_ai_sdk;
pub use of_anthropic::of_anthropic;
pub use of_chat::of_chat;
pub use of_gemini::of_gemini;
pub use of_interactions::of_interactions;
pub use of_responses::of_responses;

/// The substance of a run.
#[derive(Debug, PartialEq)]
pub struct Facts {
    pub text: String,
    /// Id, name and arguments.
    pub calls: Vec<(String, String, String)>,
    /// By call.
    pub results: BTreeMap<String, String>,
    /// Id and payload.
    pub interrupts: Vec<(String, Value)>,
    pub status: Status,
}

/// The statuses that both protocols distinguish.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status {
    Completed,
    Interrupted,
    /// Failed, canceled, rejected, or truncated.
    Otherwise,
}

/// Returns the payload of a question without the text that was added to it.
fn without_text(mut payload: Value, added: Option<&str>) -> Value {
    if let Value::Object(members) = &mut payload {
        members.retain(|member| member.key != "text" || member.value.as_str() != added);
        match &mut members[..] {
            [] => return Value::Null,
            [only] if added.is_some() && only.key == "payload" => {
                return std::mem::take(&mut only.value);
            }
            _ => {}
        }
    }
    payload
}

pub fn of_agent_api(snapshot: &agent_api::Snapshot, report: &Report) -> Facts {
    let mut text = String::new();
    let (mut interrupts, mut answered) = (Vec::new(), Vec::new());
    for message in &snapshot.response.output {
        for part in &message.content {
            match (&message.r#type, &part.payload) {
                (MessageType::Reasoning, _) => {}
                (_, agent_api::Payload::Text { text: Some(piece) })
                | (_, agent_api::Payload::Refusal { refusal: Some(piece) }) => text += piece,
                (
                    MessageType::McpApprovalRequest,
                    agent_api::Payload::Data { data: Some(data) },
                ) => {
                    let Value::Object(members) = data.clone() else { continue };
                    let rest =
                        Value::Object(members.into_iter().filter(|m| m.key != "id").collect());
                    let payload = data.get("payload").cloned().unwrap_or(rest);
                    interrupts.push((id(data, "id"), payload));
                }
                (
                    MessageType::McpApprovalResponse,
                    agent_api::Payload::Data { data: Some(data) },
                ) => {
                    answered.push(id(data, "approval_request_id"));
                }
                _ => {}
            }
        }
    }
    interrupts.retain(|(id, _)| !answered.contains(id));
    let tools = snapshot.tool_calls.iter().filter(|call| {
        let approval = MessageType::from(call.r#type.as_str()).tool();
        !matches!(approval, Some((ToolFamily::McpApproval, _)))
    });
    let (mut calls, mut results) = (Vec::new(), BTreeMap::new());
    for call in tools {
        let data = |content: Option<&agent_api::Content>, name: &str| {
            let value = content.and_then(|content| content.data()?.get(name).cloned());
            value.map_or(String::new(), |value| {
                value.as_str().map_or_else(|| value.to_json(), str::to_owned)
            })
        };
        let call_id = call.call_id.clone().unwrap_or_default();
        if snapshot.call_content(call).is_some_and(|content| content.data().is_some()) {
            let arguments = data(snapshot.call_content(call), "arguments");
            calls.push((call_id.clone(), call.name.clone().unwrap_or_default(), arguments));
        }
        if let Some(output) =
            snapshot.output_content(call).filter(|content| content.data().is_some())
        {
            results.insert(call_id, data(Some(output), "output"));
        }
    }
    let reason = snapshot.response.extra.iter().find(|member| member.key == "incomplete_details");
    let reason = reason.and_then(|details| details.value.get("reason")?.as_str());
    let cut_off = report.end_reason != EndReason::Terminal || reason == Some("eof");
    let status = match snapshot.response.status {
        RunStatus::Completed if interrupts.is_empty() => Status::Completed,
        RunStatus::Completed => Status::Interrupted,
        RunStatus::Incomplete if !interrupts.is_empty() && !cut_off => Status::Interrupted,
        _ => Status::Otherwise,
    };
    Facts { text, calls, results, interrupts, status }
}

fn id(data: &Value, name: &str) -> String {
    data.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

pub fn of_ag_kit(snapshot: &ag_kit::Snapshot, report: &Report) -> Facts {
    let call = |call: &ag_kit::ToolCall| {
        (call.tool_call_id.clone(), call.tool_call_name.clone(), call.arguments.clone())
    };
    let result = |call: &ag_kit::ToolCall| Some((call.tool_call_id.clone(), call.result.clone()?));
    Facts {
        text: snapshot.text(),
        calls: snapshot.tool_calls().map(call).collect(),
        results: snapshot.tool_calls().filter_map(result).collect(),
        interrupts: snapshot.interrupts().map(|i| (i.id.clone(), i.payload.clone())).collect(),
        status: match snapshot.status {
            // Without `[DONE]` the stream was truncated, as far as a conversion can detect.
            _ if report.end_reason == EndReason::Eof => Status::Otherwise,
            ag_kit::Status::Completed | ag_kit::Status::AwaitingToolResults => Status::Completed,
            ag_kit::Status::Interrupted => Status::Interrupted,
            _ => Status::Otherwise,
        },
    }
}

pub fn of_ag_ui(snapshot: &ag_ui::Snapshot) -> Facts {
    let mut text = String::new();
    let mut results = BTreeMap::new();
    for message in &snapshot.messages {
        match message.role {
            ag_ui::Role::Tool => {
                let (call, content) = (message.tool_call_id.as_ref(), message.content.as_ref());
                let output = content.map(|content| {
                    content.as_str().map_or_else(|| content.to_json(), str::to_owned)
                });
                results
                    .entry(call.cloned().unwrap_or_default())
                    .or_insert(output.unwrap_or_default());
            }
            ag_ui::Role::Reasoning | ag_ui::Role::Activity => {}
            _ => text += message.text().unwrap_or_default(),
        }
    }
    let call = |call: &ag_ui::ToolCall| {
        (call.id.clone(), call.function.name.clone(), call.function.arguments.clone())
    };
    let interrupts = match &snapshot.pending_interrupts {
        Value::Array(interrupts) => interrupts.clone(),
        _ => Vec::new(),
    };
    let payload = |interrupt: &Value| {
        interrupt.get("metadata").and_then(|metadata| metadata.get("payload")).cloned()
    };
    Facts {
        text,
        calls: snapshot.tool_calls().map(call).collect(),
        results,
        interrupts: interrupts
            .iter()
            .map(|i| (id(i, "id"), payload(i).unwrap_or_default()))
            .collect(),
        status: match snapshot.status {
            ag_ui::Status::Finished => Status::Completed,
            ag_ui::Status::Interrupted => Status::Interrupted,
            _ => Status::Otherwise,
        },
    }
}

fn text_of(member: &Option<Option<String>>) -> String {
    member.clone().flatten().unwrap_or_default()
}

/// Reads a stream of a protocol.
pub fn read(kind: ProtocolKind, bytes: &[u8]) -> (Facts, Report) {
    match kind {
        ProtocolKind::AgKit => {
            let mut reader = Reader::new(AgKit::default());
            reader.push(bytes);
            let Outcome { snapshot, report, .. } = reader.finish();
            (of_ag_kit(&snapshot, &report), report)
        }
        ProtocolKind::AgUi => {
            let mut reader = Reader::new(AgUi::default());
            reader.push(bytes);
            let Outcome { snapshot, report, .. } = reader.finish();
            (of_ag_ui(&snapshot), report)
        }
        ProtocolKind::Responses => {
            let mut reader = Reader::new(Responses::default());
            reader.push(bytes);
            let Outcome { snapshot, report, .. } = reader.finish();
            (of_responses(&snapshot), report)
        }
        ProtocolKind::AgentScope => {
            let mut reader = Reader::new(AgentScope::default());
            reader.push(bytes);
            let Outcome { snapshot, report, .. } = reader.finish();
            (of_agentscope(&snapshot), report)
        }
        ProtocolKind::AiSdk => {
            let mut reader = Reader::new(AiSdk::default());
            reader.push(bytes);
            let Outcome { snapshot, report, .. } = reader.finish();
            (of_ai_sdk(&snapshot), report)
        }
        ProtocolKind::Anthropic => {
            let mut reader = Reader::new(Anthropic::default());
            reader.push(bytes);
            let Outcome { snapshot, report, .. } = reader.finish();
            (of_anthropic(&snapshot), report)
        }
        ProtocolKind::Gemini => {
            let mut reader = Reader::new(Gemini::default());
            reader.push(bytes);
            let Outcome { snapshot, report, .. } = reader.finish();
            (of_gemini(&snapshot), report)
        }
        ProtocolKind::Interactions => {
            let mut reader = Reader::new(Interactions::default());
            reader.push(bytes);
            let Outcome { snapshot, report, .. } = reader.finish();
            (of_interactions(&snapshot), report)
        }
        ProtocolKind::Chat => {
            let mut reader = Reader::new(Chat::default());
            reader.push(bytes);
            let Outcome { snapshot, report, .. } = reader.finish();
            (of_chat(&snapshot), report)
        }
        ProtocolKind::A2a => {
            let mut reader = Reader::new(A2a::default());
            reader.push(bytes);
            let Outcome { snapshot, report, .. } = reader.finish();
            (of_a2a(&snapshot), report)
        }
        _ => {
            let outcome = read_agent_api(bytes);
            (of_agent_api(&outcome.snapshot, &outcome.report), outcome.report)
        }
    }
}

pub fn read_agent_api(bytes: &[u8]) -> Outcome<agent_api::Snapshot> {
    let mut reader = Reader::new(AgentApi::default());
    reader.push(bytes);
    reader.finish()
}

pub fn options() -> ConvertOptions {
    ConvertOptions::new(builder::BuilderOptions::new(Counter::default(), || 1_700_000_000))
}

/// Converts a stream that arrives in these chunks.
pub fn convert<'a>(
    from: ProtocolKind,
    to: ProtocolKind,
    chunks: impl IntoIterator<Item = &'a [u8]>,
    aborted: bool,
) -> (String, Losses) {
    let mut converter = Converter::new(from, to, options()).expect("protocols that are converted");
    let mut out = String::new();
    chunks.into_iter().for_each(|chunk| converter.push(chunk, &mut out));
    if aborted {
        converter.abort(&mut out)
    } else {
        converter.finish(&mut out)
    }
    (out, converter.losses().cloned().unwrap_or_default())
}
