//! The contents of a request: the latest text of its user, and the answers of its client.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::agent::AgentRequest;
use super::message::{InputContent, InputMessage};
use crate::core::request::decision::decision;
use crate::json::Value;
use crate::protocols::agent_api::{MessageType, Payload, Role, ToolFamily, ToolSide};

/// An answer of a client: the result of one of its tools, or a decision of its user.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RequestAnswer<'a> {
    /// The result of a tool call.
    #[non_exhaustive]
    Call {
        /// The call's id; empty if the request does not contain it.
        id: &'a str,
        /// The name of the tool, if the request contains it.
        name: Option<&'a str>,
        /// The result of the tool, as text; often JSON.
        output: Cow<'a, str>,
    },
    /// The decision on a question.
    #[non_exhaustive]
    Approval {
        /// The question's id; empty if the request does not contain it.
        id: &'a str,
        /// Whether the user approved. False for an answer other than yes and for an answer that contradicts itself.
        approved: bool,
        /// Further data of the answer: any JSON.
        payload: Option<&'a Value>,
    },
}

impl AgentRequest {
    /// Returns the latest text of the user: all texts of the user's last message, concatenated. Empty without a message
    /// of the user.
    ///
    /// ```
    /// use agentwire::agent_api::request::{AgentRequest, InputMessage};
    ///
    /// let request = AgentRequest::new(vec![InputMessage::user("hi")]);
    /// assert_eq!(request.user_text(), "hi");
    /// ```
    pub fn user_text(&self) -> String {
        let of_user = |message: &&InputMessage| {
            message.r#type == MessageType::Message && matches!(message.role, None | Some(Role::User))
        };
        let said = self.input.iter().rev().find(of_user);
        said.into_iter().flat_map(contents).filter_map(text).collect()
    }

    /// Returns the answers of the client in this request, in order: results of its tools, and decisions on questions.
    /// Only answers after the last message of the agent count, so a request with the whole conversation yields the
    /// answers to the last turn.
    pub fn answers(&self) -> Vec<RequestAnswer<'_>> {
        let mut answers = Vec::new();
        for message in &self.input {
            match message.r#type.tool() {
                Some((family, ToolSide::Output)) => {
                    answers.extend(contents(message).filter_map(|part| answer(part, family)));
                }
                Some((_, ToolSide::Call)) => answers.clear(),
                None if message.role == Some(Role::Assistant) => answers.clear(),
                None => {}
            }
        }
        answers
    }
}

fn contents(message: &InputMessage) -> impl Iterator<Item = &InputContent> {
    message.content.iter().flatten()
}

fn text(part: &InputContent) -> Option<&str> {
    match &part.payload {
        Payload::Text { text } => text.as_deref(),
        _ => None,
    }
}

fn answer(part: &InputContent, family: ToolFamily) -> Option<RequestAnswer<'_>> {
    let Payload::Data { data: Some(data) } = &part.payload else { return None };
    Some(if family == ToolFamily::McpApproval {
        RequestAnswer::Approval {
            id: data.text("approval_request_id").unwrap_or_default(),
            approved: decision(data) == Some(true),
            payload: data.get("payload").filter(|payload| !payload.is_null()),
        }
    } else {
        RequestAnswer::Call {
            id: data.text("call_id").unwrap_or_default(),
            name: data.text("name"),
            output: data.get("output").map(Value::to_text).unwrap_or_default(),
        }
    })
}
