//! The next request: what a turn left to do.

use alloc::string::String;
use alloc::vec::Vec;

use super::{InputMessage, Resume, SendMessageInput};

use crate::bytes::string_map::StringMap;
use crate::core::error::Misuse;
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
        const CALL: &str = "tool_answers()";
        let pending = &turn.pending_tool_call_ids;
        let mut given: StringMap<Option<String>> = StringMap::default();
        pending.iter().for_each(|id| given.insert(id, None));
        for (id, answer) in answers {
            match given.get_mut(id.as_ref()) {
                Some(slot @ None) => *slot = Some(answer.into()),
                slot => {
                    return Err(Misuse::new(
                        if slot.is_some() { "answered-twice" } else { "not-pending" },
                        [CALL, " was given an answer to `", id.as_ref(), "` too many"].concat(),
                        "answer each of `pending_tool_call_ids` once",
                    ));
                }
            }
        }
        let mut messages = Vec::with_capacity(pending.len());
        for id in pending {
            let Some(content) = given.get_mut(id).and_then(Option::take) else {
                return Err(Misuse::new(
                    "answer-missing",
                    [CALL, " was given no answer to `", id, "`"].concat(),
                    "answer every call in one request; a tool that failed can say so in its answer",
                ));
            };
            messages.push(InputMessage::Tool { content, tool_call_id: id.clone() });
        }
        if messages.is_empty() {
            return Err(Misuse::new(
                "nothing-pending",
                [CALL, " was given a turn that left nothing to answer"].concat(),
                "read the stream to its end, and look at its `status`",
            ));
        }
        Ok(Self::new(conversation_id, messages))
    }

    /// The answer to an interrupt, one per request (K5, F.3): any JSON, which is sent as JSON text.
    pub fn resuming(conversation_id: impl Into<String>, interrupt: &Interrupt, answer: Value) -> Self {
        let mut input = Self::new(conversation_id, Vec::new());
        input.resume = Some(Resume::new(interrupt.id.as_str(), answer));
        input
    }
}
