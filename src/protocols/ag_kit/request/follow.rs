//! The next request: what a turn left to do.

use alloc::{string::String, vec::Vec};

use super::{InputMessage, Resume, SendMessageInput};

use crate::core::Misuse;
use crate::core::request::answers::in_order;
use crate::json::Value;
use crate::protocols::ag_kit::{Interrupt, Snapshot};

impl SendMessageInput {
    /// The answers to the calls that a turn left to the client: one message for each, in the order of the calls (K15).
    /// `answers` are call ids with what the tools came to; one is missing, one too many, or nothing to answer is refused.
    ///
    /// The request has no tools; give it those of the request before if they may be called again.
    pub fn tool_answers<I: AsRef<str>, A: Into<String>>(
        conversation_id: impl Into<String>,
        turn: &Snapshot,
        answers: impl IntoIterator<Item = (I, A)>,
    ) -> Result<Self, Misuse> {
        let answered = in_order(&turn.pending_tool_call_ids, answers, "tool_answers()")?;
        let message = |(tool_call_id, content)| InputMessage::Tool { content, tool_call_id };
        let messages = answered.into_iter().map(message).collect();
        Ok(Self::new(conversation_id, messages))
    }

    /// The answer to an interrupt, one per request (K5, F.3): any JSON, which is sent as JSON text.
    pub fn resuming(conversation_id: impl Into<String>, interrupt: &Interrupt, answer: Value) -> Self {
        let mut input = Self::new(conversation_id, Vec::new());
        input.resume = Some(Resume::new(interrupt.id.as_str(), answer));
        input
    }
}
