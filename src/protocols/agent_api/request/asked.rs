//! What a request asks: what its user said last, and what its client answers.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::agent::AgentRequest;
use super::message::{InputContent, InputMessage};
use crate::core::request::decision::decision;
use crate::json::Value;
use crate::protocols::agent_api::{MessageType, Payload, Role, ToolFamily, ToolSide};

/// What a client answers: the result of one of its tools, or what its user decided.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RequestAnswer<'a> {
    /// The result of a tool call.
    #[non_exhaustive]
    Call {
        /// The call's id; empty where the request does not say it.
        id: &'a str,
        /// The tool, where the request says it.
        name: Option<&'a str>,
        /// What the tool came to, as text; often JSON.
        output: Cow<'a, str>,
    },
    /// The decision on a question.
    #[non_exhaustive]
    Approval {
        /// The question's id; empty where the request does not say it.
        id: &'a str,
        /// An answer that is no yes, or that contradicts itself, declines.
        approved: bool,
        /// What else the answer says: any JSON.
        payload: Option<&'a Value>,
    },
}

impl AgentRequest {
    /// The text of what the user said last: of the last message of the user the texts, one after the other. Empty if there is
    /// none.
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

    /// What the client answers with this request, in order: results of its tools, and decisions on questions. Only what comes
    /// after the agent's last word counts, so of a request that has the whole conversation it is what answers the last turn.
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
