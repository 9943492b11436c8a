//! Requests, both ways.
//!
//! An Agent API request has the conversation so far, an AG-Kit request what is new in it. So of the one, only the messages
//! after the last one of the agent go into the other; the server has the rest.
//!
//! ```
//! use agentwire::ag_kit::hub::request;
//! use agentwire::hub::Losses;
//! use agentwire::agent_api::request::AgentRequest;
//!
//! let asked = AgentRequest::parse(
//!     r#"{"session_id": "c", "temperature": 0.5, "input": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]}"#,
//! )?;
//! let mut losses = Losses::default();
//! let sent = request::to_ag_kit(&asked, &mut losses);
//! assert_eq!(sent.to_json().unwrap(), r#"{"messages":[{"role":"user","content":"hi"}],"conversationId":"c"}"#);
//! assert_eq!(losses.iter().map(|loss| (loss.what, &*loss.place)).collect::<Vec<_>>(), [("parameter", "temperature")]);
//!
//! let back = request::to_agent_api(&sent, &mut losses);
//! assert_eq!(back.session_id.as_deref(), Some("c"));
//! assert_eq!(back.input, asked.input);
//! # Ok::<(), agentwire::agent_api::request::RequestError>(())
//! ```

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::approval::{answered, data_message, resume};
use crate::core::limits::Limits;
use crate::hub::loss::Losses;
use crate::json::Value;
use crate::protocols::ag_kit::request::{self as ag_kit, AssistantToolCall, SendMessageInput};
use crate::protocols::agent_api::request::{
    AgentRequest, FunctionTool, InputContent, InputMessage, Tool, ToolEntry, ToolParameters,
};
use crate::protocols::agent_api::{MessageType, Payload, Role, ToolFamily, ToolSide};

/// The request to an AG-Kit server that asks the same. What has no place in it is noted.
///
/// AG-Kit needs a conversation: call [`AgentRequest::ensure_session`] first where the request may have none.
pub fn to_ag_kit(request: &AgentRequest, losses: &mut Losses) -> SendMessageInput {
    if request.session_id.is_none() {
        losses.note("conversation", "session_id", "AG-Kit needs one: the request has an empty name for it");
    }
    parameters(request, losses);
    let mut input = SendMessageInput::new(request.session_id.clone().unwrap_or_default(), Vec::new());
    let old = request.input.iter().rposition(is_the_agents).map_or(0, |last| last + 1);
    for message in &request.input[..old] {
        let place = message.id.as_deref().unwrap_or(message.r#type.as_str());
        losses.note("history", place, "AG-Kit's servers keep the conversation: only what is new is sent");
    }
    for message in &request.input[old..] {
        send(message, &mut input, losses);
    }
    for entry in request.tools.iter().flatten() {
        match entry {
            ToolEntry::Tool(Tool { function: Some(function), .. }) => {
                let parameters = parameters_value(&function.parameters);
                let (name, description) = (function.name.as_str(), function.description.as_str());
                input.tools.push(ag_kit::Tool::new(name, description, parameters));
            }
            ToolEntry::Tool(_) | ToolEntry::Object(_) => {
                losses.note(
                    "tool",
                    "tools",
                    "AG-Kit's tools are functions with name, description and parameters",
                );
            }
        }
    }
    input
}

/// The request to an Agent API server that asks the same. What has no place in it is noted.
pub fn to_agent_api(input: &SendMessageInput, losses: &mut Losses) -> AgentRequest {
    let mut request = AgentRequest::new(Vec::with_capacity(input.messages.len()));
    for message in &input.messages {
        received(message, &mut request.input);
    }
    // Without a name it gets one from the server; an empty one would be everybody's.
    request.session_id = Some(input.conversation_id.clone()).filter(|id| !id.is_empty());
    if !input.tools.is_empty() {
        let tools = input.tools.iter().map(|tool| {
            let parameters = match &tool.parameters {
                Value::String(text) => Value::parse(text, Limits::default().json_depth).unwrap_or_default(),
                other => other.clone(),
            };
            let parameters = match parameters {
                object @ Value::Object(_) => ToolParameters::from(object),
                _ => {
                    losses.note(
                        "tool-parameters",
                        &tool.name,
                        "they are no JSON object: they became an empty one",
                    );
                    ToolParameters::default()
                }
            };
            let (name, description) = (tool.name.as_str(), tool.description.as_str());
            ToolEntry::Tool(Tool::function(FunctionTool::new(name, description, parameters)))
        });
        request.tools = Some(tools.collect());
    }
    request.input.extend(input.resume.as_ref().map(|resume| answered(resume, losses)));
    request
}

/// What an AG-Kit request has no members for.
fn parameters(request: &AgentRequest, losses: &mut Losses) {
    let given = [
        ("id", request.id.is_some()),
        ("model", request.model.is_some()),
        ("top_p", request.top_p.is_some()),
        ("temperature", request.temperature.is_some()),
        ("frequency_penalty", request.frequency_penalty.is_some()),
        ("presence_penalty", request.presence_penalty.is_some()),
        ("max_tokens", request.max_tokens.is_some()),
        ("stop", request.stop.is_some()),
        ("n", request.n.is_some_and(|n| n != 1)),
        ("seed", request.seed.is_some()),
        ("user_id", request.user_id.is_some()),
    ];
    let extra = request.extra.iter().map(|member| member.key.as_str());
    let given = given.into_iter().filter_map(|(name, given)| given.then_some(name));
    for name in given.chain(extra) {
        losses.note(
            "parameter",
            name,
            "AG-Kit's requests have messages, tools and an answer to an interrupt",
        );
    }
}

/// Whether the agent said this, so that its server has it and everything before.
fn is_the_agents(message: &InputMessage) -> bool {
    match message.r#type.tool() {
        Some((_, ToolSide::Call)) => true,
        Some((_, ToolSide::Output)) => false,
        None => message.role == Some(Role::Assistant) || message.r#type == MessageType::Reasoning,
    }
}

fn send(message: &InputMessage, input: &mut SendMessageInput, losses: &mut Losses) {
    let place = message.id.as_deref().unwrap_or(message.r#type.as_str());
    let parts = message.content.as_deref().unwrap_or_default();
    match message.r#type.tool() {
        Some((ToolFamily::McpApproval, _)) => {
            for answer in parts.iter().filter_map(data) {
                match resume(answer, losses) {
                    Some(resume) if input.resume.is_none() => input.resume = Some(resume),
                    _ => losses.note("approval", place, "AG-Kit takes one answer, and it names its question"),
                }
            }
        }
        Some(_) => {
            for output in parts.iter().filter_map(data) {
                let text = |name: &str| match output.get(name) {
                    Some(Value::String(text)) => text.clone(),
                    Some(Value::Null) | None => String::new(),
                    Some(other) => other.to_json(),
                };
                let (content, tool_call_id) = (text("output"), text("call_id"));
                input.messages.push(ag_kit::InputMessage::Tool { content, tool_call_id });
            }
        }
        None => {
            let mut content = String::new();
            for part in parts {
                match &part.payload {
                    Payload::Text { text } => content += text.as_deref().unwrap_or_default(),
                    payload => {
                        let name = payload.content_type();
                        losses.note("part", name.as_str(), "AG-Kit's messages are text");
                    }
                }
            }
            input.messages.push(match message.role {
                Some(Role::System) => ag_kit::InputMessage::System { content },
                Some(Role::User) | None => ag_kit::InputMessage::User { content },
                _ => return losses.note("role", place, "AG-Kit's tool messages answer a call: left out"),
            });
        }
    }
}

fn data(part: &InputContent) -> Option<&Value> {
    match &part.payload {
        Payload::Data { data } => data.as_ref(),
        _ => None,
    }
}

fn received(message: &ag_kit::InputMessage, input: &mut Vec<InputMessage>) {
    use ag_kit::InputMessage::{Assistant, System, Tool, User};
    match message {
        System { content } => {
            input.push(InputMessage::new(Role::System, vec![InputContent::text(content)]));
        }
        User { content } => input.push(InputMessage::user(content)),
        Tool { content, tool_call_id } => {
            let data = Value::from([
                ("call_id", tool_call_id.as_str().into()),
                ("name", Value::Null),
                ("output", content.as_str().into()),
            ]);
            input.push(data_message(MessageType::FunctionCallOutput, Role::Tool, data));
        }
        Assistant { id, content, tool_calls } => {
            if let Some(text) = content {
                let mut text = InputMessage::new(Role::Assistant, vec![InputContent::text(text)]);
                text.id.clone_from(id);
                input.push(text);
            }
            input.extend(tool_calls.iter().map(call));
        }
    }
}

fn call(call: &AssistantToolCall) -> InputMessage {
    let data = Value::from([
        ("call_id", call.id.as_str().into()),
        ("name", call.name.as_str().into()),
        ("arguments", call.arguments.as_str().into()),
    ]);
    data_message(MessageType::FunctionCall, Role::Assistant, data)
}

fn parameters_value(parameters: &ToolParameters) -> Value {
    match parameters {
        ToolParameters::Object(value) => value.clone(),
        ToolParameters::Schema(schema) => {
            let mut value = Value::from([
                ("type", schema.r#type.as_str().into()),
                ("properties", schema.properties.clone()),
            ]);
            if let Some(names) = &schema.required {
                value.insert(
                    "required",
                    Value::Array(names.iter().map(|name| name.as_str().into()).collect()),
                );
            }
            for member in &schema.extra {
                value.insert(&member.key, member.value.clone());
            }
            value
        }
    }
}
