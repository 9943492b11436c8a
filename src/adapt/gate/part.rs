//! What the gate remembers of messages and parts.

use crate::agent_api::{MessageType, Role, ToolFamily, ToolSide};
use crate::names::Numbers;

/// A message and a part of it.
pub(super) type At = (u32, u32);

#[derive(Debug)]
pub(super) struct Message {
    pub r#type: MessageType,
    pub open: bool,
    /// Empty once the message has ended, but for those that went on elsewhere.
    pub parts: Numbers<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Open(Kind),
    /// It is this one.
    At(At),
    Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// Text of a message of type reasoning.
    Thought,
    Refusal,
    Call,
    /// A call that has had arguments.
    Called,
    // The others come in one step.
    Result,
    Interrupt,
    Data,
    Media,
}

#[derive(Debug)]
pub(super) struct Call {
    pub at: At,
    pub answered: bool,
}

impl Kind {
    pub fn is_text(self) -> bool {
        matches!(self, Kind::Text | Kind::Thought | Kind::Refusal)
    }

    pub fn comes_whole(self) -> bool {
        matches!(self, Kind::Result | Kind::Interrupt | Kind::Data | Kind::Media)
    }

    /// Whether a message of that type may have such a part: what data means depends on it.
    pub fn suits(self, r#type: &MessageType) -> bool {
        let tool = r#type.tool();
        match self {
            Kind::Text | Kind::Thought | Kind::Refusal | Kind::Media => true,
            Kind::Interrupt => *r#type == MessageType::McpApprovalRequest,
            Kind::Data => tool.is_none() || *r#type == MessageType::McpApprovalResponse,
            Kind::Call | Kind::Called => {
                matches!(tool, Some((family, ToolSide::Call)) if family != ToolFamily::McpApproval)
            }
            Kind::Result => {
                matches!(tool, Some((family, ToolSide::Output)) if family != ToolFamily::McpApproval)
            }
        }
    }

    /// The type of a message that is made for it.
    pub fn own_type(self) -> (MessageType, Role) {
        match self {
            Kind::Thought => (MessageType::Reasoning, Role::Assistant),
            Kind::Call | Kind::Called => (MessageType::FunctionCall, Role::Assistant),
            Kind::Result => (MessageType::FunctionCallOutput, Role::Tool),
            Kind::Interrupt => (MessageType::McpApprovalRequest, Role::Assistant),
            Kind::Text | Kind::Refusal | Kind::Data | Kind::Media => (MessageType::Message, Role::Assistant),
        }
    }
}
