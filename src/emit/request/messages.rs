//! The messages in a request, as a chat shows them.

use std::string::String;
use std::vec::Vec;

use super::parts::{MessagePart, parts_in};
use crate::json::Value;
use crate::protocols::agent_api::Role;
use crate::protocols::agent_api::request::InputMessage;

/// A message of a conversation. All that the agent has written up to the next message of another
/// author is one message, with the results of its calls.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConversationMessage {
    /// The id; `message_` and its place if the client has sent none.
    pub id: String,
    /// The author.
    pub role: MessageRole,
    /// The content, in its order.
    pub parts: Vec<MessagePart>,
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageRole {
    /// The user.
    User,
    /// The agent.
    Assistant,
    /// Instructions for the agent.
    System,
}

impl MessageRole {
    /// Returns the word: `user`, `assistant`, `system`.
    pub fn as_str(self) -> &'static str {
        match self {
            MessageRole::User => "user",
            MessageRole::Assistant => "assistant",
            MessageRole::System => "system",
        }
    }

    /// The results of tools belong to the agent.
    fn of(message: &InputMessage) -> Self {
        let role = message.role.as_ref().map_or("user", Role::as_str);
        match role {
            _ if message.r#type.tool().is_some() => MessageRole::Assistant,
            "tool" | "assistant" => MessageRole::Assistant,
            "system" | "developer" => MessageRole::System,
            _ => MessageRole::User,
        }
    }
}

impl ConversationMessage {
    /// Returns the text, without reasoning.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(MessagePart::as_text).collect()
    }

    /// Returns the message as an object with the members of the AI SDK's `UIMessage`.
    pub fn to_value(&self) -> Value {
        [
            ("id", Value::from(&*self.id)),
            ("role", self.role.as_str().into()),
            ("parts", Value::Array(self.parts.iter().map(MessagePart::to_value).collect())),
            ("status", "done".into()),
        ]
        .into()
    }
}

/// Returns the messages of a request.
pub(super) fn messages_in(input: &[InputMessage]) -> Vec<ConversationMessage> {
    let roles: Vec<MessageRole> = input.iter().map(MessageRole::of).collect();
    let mut messages: Vec<ConversationMessage> = Vec::new();
    let mut from = 0;
    while let Some(&role) = roles.get(from) {
        let same = roles[from..].iter().take_while(|next| **next == role).count();
        let to = from + if role == MessageRole::Assistant { same } else { 1 };
        let group = &input[from..to];
        let id = group[0].id.clone().filter(|id| !id.is_empty());
        let id = id.unwrap_or_else(|| std::format!("message_{}", messages.len() + 1));
        messages.push(ConversationMessage { id, role, parts: parts_in(group) });
        from = to;
    }
    messages
}
