//! Requests, both ways.
//!
//! AG-Kit's servers keep the conversation: its request has what is new in it, and so only the messages after the last one
//! of the agent go into it.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::core::limits::Limits;
use crate::hub::Approval;
use crate::hub::kind::{MessageKind, Role, ToolKind};
use crate::hub::loss::Losses;
use crate::hub::request::{self as hub, HubRequest, RequestMessage, RequestPart};
use crate::json::Value;
use crate::protocols::ag_kit::request::{InputMessage, Resume, SendMessageInput, Tool};

/// What AG-Kit's tools are.
const TOOLS: &str = "AG-Kit's tools are functions with name, description and parameters";

/// AG-Kit needs a conversation: a request without one gets an empty name for it.
impl HubRequest for SendMessageInput {
    fn to_hub(&self, losses: &mut Losses) -> hub::Request<'_> {
        let mut request = hub::Request::default();
        self.messages.iter().for_each(|message| received(message, &mut request.messages));
        // Without a name it gets one from the server; an empty one would be everybody's.
        request.conversation = Some(self.conversation_id.as_str()).filter(|id| !id.is_empty());
        request.tools = self.tools.iter().map(tool).collect();
        request.messages.extend(self.resume.as_ref().map(|resume| {
            let answer = Approval::of(&resume.interrupt_id, resume.answer(), losses);
            RequestMessage::new(MessageKind::Answer, Role::User, vec![RequestPart::Answer(answer)])
        }));
        request
    }

    fn from_hub(request: hub::Request<'_>, losses: &mut Losses) -> Self {
        if request.conversation.is_none() {
            losses.note(
                "conversation",
                "session_id",
                "AG-Kit needs one: the request has an empty name for it",
            );
        }
        for parameter in &request.parameters {
            let why = "AG-Kit's requests have messages, tools and an answer to an interrupt";
            losses.note("parameter", &parameter.key, why);
        }
        let mut input = SendMessageInput::new(request.conversation.unwrap_or_default(), Vec::new());
        let new = request.first_new();
        for (at, message) in request.messages.into_iter().enumerate() {
            match at < new {
                true => losses.note(
                    "history",
                    message.place(),
                    "AG-Kit's servers keep the conversation: only what is new is sent",
                ),
                false => send(message, &mut input, losses),
            }
        }
        for tool in request.tools {
            match tool {
                hub::Tool::Function { name, description, parameters, more } => {
                    if !more.is_empty() {
                        losses.note("tool-members", name, TOOLS);
                    }
                    input.tools.push(Tool::new(name, description, parameters));
                }
                hub::Tool::Other(_) => losses.note("tool", "tools", TOOLS),
            }
        }
        input
    }
}

/// A message of the agent or the client becomes one of AG-Kit, or the answer that the request has.
fn send(message: RequestMessage<'_>, input: &mut SendMessageInput, losses: &mut Losses) {
    let (place, is_tool) = (message.place(), message.kind.is_tool());
    let mut content = String::new();
    for part in message.parts {
        match part {
            RequestPart::Text(text) => content += text,
            RequestPart::Answer(answer) => match answer.id {
                Some(id) if input.resume.is_none() => {
                    input.resume = Some(Resume::new(id, answer.into_payload(losses)));
                }
                _ => losses.note("approval", place, "AG-Kit takes one answer, and it names its question"),
            },
            RequestPart::Result { id, output, .. } => {
                let (content, tool_call_id) = (output.into_owned(), id.into());
                input.messages.push(InputMessage::Tool { content, tool_call_id });
            }
            RequestPart::Whole(payload) => losses.note("part", payload.name(), "AG-Kit's messages are text"),
            RequestPart::Inline { kind, .. } => losses.note("part", kind, "AG-Kit's messages are text"),
            RequestPart::Other(name) => losses.note("part", name, "AG-Kit's messages are text"),
            RequestPart::Refusal(_) => losses.note("part", "refusal", "AG-Kit's messages are text"),
            RequestPart::Data(_) => losses.note("part", "data", "AG-Kit's messages are text"),
            // What the agent called is not new.
            RequestPart::Call { .. } => {}
        }
    }
    match message.role {
        _ if is_tool => {}
        Role::System => input.messages.push(InputMessage::System { content }),
        Role::User => input.messages.push(InputMessage::User { content }),
        _ => losses.note("role", place, "AG-Kit's tool messages answer a call: left out"),
    }
}

/// What a message of AG-Kit says; a call of the agent is a message of its own.
fn received<'a>(message: &'a InputMessage, messages: &mut Vec<RequestMessage<'a>>) {
    let text =
        |role, text: &'a str| RequestMessage::new(MessageKind::Message, role, vec![RequestPart::Text(text)]);
    match message {
        InputMessage::System { content } => messages.push(text(Role::System, content)),
        InputMessage::User { content } => messages.push(text(Role::User, content)),
        InputMessage::Tool { content, tool_call_id } => {
            let (kind, output) = (MessageKind::Result(ToolKind::Function), content.as_str().into());
            let result = RequestPart::Result { id: tool_call_id, name: None, output };
            messages.push(RequestMessage::new(kind, Role::Tool, vec![result]));
        }
        InputMessage::Assistant { id, content, tool_calls } => {
            messages.extend(
                content
                    .as_ref()
                    .map(|content| RequestMessage { id: id.as_deref(), ..text(Role::Assistant, content) }),
            );
            messages.extend(tool_calls.iter().map(|call| {
                let (kind, arguments) =
                    (MessageKind::Call(ToolKind::Function), call.arguments.as_str().into());
                let call = RequestPart::Call { id: &call.id, name: &call.name, arguments };
                RequestMessage::new(kind, Role::Assistant, vec![call])
            }));
        }
    }
}

fn tool(tool: &Tool) -> hub::Tool<'_> {
    let parameters = match &tool.parameters {
        Value::String(text) => Value::parse(text, Limits::default().json_depth).unwrap_or_default(),
        other => other.clone(),
    };
    hub::Tool::Function { name: &tool.name, description: &tool.description, parameters, more: Vec::new() }
}
