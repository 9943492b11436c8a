//! Constructors of steps with the members that every source has.

use super::{Input, Step};
use crate::hub::kind::{MessageKind, Role};
use crate::hub::payload::Payload;
use crate::json::{Member, Value};

impl<'a> Step<'a> {
    /// Creates the start of a run.
    pub fn start(id: Option<&'a str>, session_id: Option<&'a str>) -> Self {
        Step::Start { id, session_id, parent_id: None, model: None, created_at: None }
    }

    /// Creates the start of a message.
    pub fn open(message: u32, kind: MessageKind<'a>, role: Role<'a>, id: Option<&'a str>) -> Self {
        Step::Open { message, kind, role, id, name: None, parent: None, alternative: 0 }
    }

    /// Creates a piece of the model's reasoning.
    pub fn reasoning(message: u32, part: u32, piece: &'a str) -> Self {
        Step::Reasoning { message, part, piece, summary: false }
    }

    /// Creates the start of a tool call whose arguments are JSON text.
    pub fn call(message: u32, part: u32, id: &'a str, name: &'a str, more: &'a [Member]) -> Self {
        Step::Call { message, part, id, name, input: Input::Json, more }
    }

    /// Creates the result of a tool.
    pub fn result(message: u32, part: u32, id: &'a str, output: &'a str) -> Self {
        Step::Result { message, part, id, name: None, output, content: None, preview: false, more: &[] }
    }

    /// Creates a question.
    pub fn interrupt(
        message: u32,
        part: u32,
        id: &'a str,
        reason: Option<&'a str>,
        payload: &'a Value,
    ) -> Self {
        let (call, text, expires_at, response_schema) = (None, None, None, None);
        Step::Interrupt { message, part, id, reason, payload, call, text, expires_at, response_schema }
    }

    /// Creates a question from an object whose members have the same names as in lines of steps.
    pub(crate) fn question(message: u32, part: u32, said: &'a Value, payload: &'a Value) -> Self {
        Step::Interrupt {
            message,
            part,
            id: said.text("id").unwrap_or_default(),
            reason: said.text("reason"),
            payload,
            call: said.text("call"),
            text: said.text("text"),
            expires_at: said.text("expiresAt"),
            response_schema: said.get("responseSchema"),
        }
    }

    /// Creates a part that is sent whole.
    pub fn whole(message: u32, part: u32, payload: Payload<'a>) -> Self {
        Step::Whole { message, part, payload, preview: false }
    }
}
