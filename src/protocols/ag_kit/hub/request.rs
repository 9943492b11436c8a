//! Requests, both ways.
//!
//! AG-Kit's servers keep the conversation: a request has only the new messages, those after the last message of the
//! agent.

use alloc::{string::String, vec::Vec};

use crate::core::Limits;
use crate::hub::request::{self as hub, HubRequest, RequestMessage, RequestPart};
use crate::hub::{Approval, Losses, Role, ToolKind};
use crate::json::Value;
use crate::protocols::ag_kit::request::{InputMessage, Resume, SendMessageInput, Tool};

/// The reason of losses in tools.
const TOOLS: &str = "AG-Kit's tools are functions with name, description and parameters";

/// The reason of losses in messages.
const PARTS: &str = "AG-Kit's messages are text";

/// AG-Kit needs a conversation: a request without one gets an empty name for it.
impl HubRequest for SendMessageInput {
    fn to_hub(&self, losses: &mut Losses) -> hub::Request<'_> {
        let mut request = hub::Request::default();
        self.messages.iter().for_each(|message| received(message, &mut request.messages));
        // Without a name it gets one from the server; an empty one would be everybody's.
        request.conversation = Some(self.conversation_id.as_str()).filter(|id| !id.is_empty());
        request.tools = self.tools.iter().map(tool).collect();
        request.messages.extend(self.resume.as_ref().map(|resume| {
            RequestMessage::answer(Approval::of(&resume.interrupt_id, resume.answer(), losses))
        }));
        request
    }

    fn from_hub(mut request: hub::Request<'_>, losses: &mut Losses) -> Self {
        if request.conversation.is_none() {
            losses.note(
                "conversation",
                "session_id",
                "AG-Kit needs one: the request has an empty name for it",
            );
        }
        for parameter in &request.parameters {
            let reason = "AG-Kit's requests have messages, tools and an answer to an interrupt";
            losses.note("parameter", &parameter.key, reason);
        }
        let mut input = SendMessageInput::new(request.conversation.unwrap_or_default(), Vec::new());
        request.leave_history("AG-Kit's servers keep the conversation: only what is new is sent", losses);
        request.messages.into_iter().for_each(|message| send(message, &mut input, losses));
        input.tools = hub::Tool::functions(request.tools, TOOLS, losses, Tool::new);
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
            // A call of the agent is not new.
            RequestPart::Call { .. } => {}
            part => losses.note("part", part.name(), PARTS),
        }
    }
    match message.role {
        _ if is_tool => {}
        Role::System => input.messages.push(InputMessage::System { content }),
        Role::User => input.messages.push(InputMessage::User { content }),
        _ => losses.note("role", place, "AG-Kit's tool messages answer a call: left out"),
    }
}

/// Converts a message of AG-Kit; a call of the agent becomes a separate message.
fn received<'a>(message: &'a InputMessage, messages: &mut Vec<RequestMessage<'a>>) {
    match message {
        InputMessage::System { content } => messages.push(RequestMessage::text(Role::System, content)),
        InputMessage::User { content } => messages.push(RequestMessage::text(Role::User, content)),
        InputMessage::Tool { content, tool_call_id } => {
            messages.push(RequestMessage::result(ToolKind::Function, tool_call_id, content));
        }
        InputMessage::Assistant { id, content, tool_calls } => {
            let text = content.as_ref().map(|content| RequestMessage::text(Role::Assistant, content));
            messages.extend(text.map(|text| text.with_id(id.as_deref())));
            messages.extend(tool_calls.iter().map(|call| {
                RequestMessage::call(ToolKind::Function, &call.id, &call.name, &*call.arguments)
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
