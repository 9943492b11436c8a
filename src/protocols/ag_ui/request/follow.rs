//! The next request: what a stream left to do. (B.8.)

use alloc::{string::String, vec::Vec};

use super::time::milliseconds;
use super::{InputMessage, ResumeEntry, RunAgentInput};
use crate::core::declare::model::member::object_to_json;
use crate::core::request::{self, RequestError, answers};
use crate::core::{IdSource, UsageError};
use crate::json::{Value, decimal, write_list};
use crate::protocols::ag_ui::Snapshot;

impl RunAgentInput {
    /// A request that goes on with the thread as a stream left it: its messages and its state, and the tools, the context and the
    /// properties of this request. What is new is to be added to its `messages`. Refused if the stream has left a message that
    /// cannot be sent: one of a user or a tool without content.
    pub fn after(&self, run_id: impl Into<String>, turn: &Snapshot) -> Result<Self, UsageError> {
        let mut messages = String::new();
        write_list(&turn.messages, &mut messages, |message, out| out.push_str(&object_to_json(message)));
        let messages = Value::parse(&messages, u32::MAX).unwrap_or_default();
        let messages = request::read(messages, Some("messages")).map_err(|problems| {
            let problem = RequestError::new(problems).text();
            UsageError::new(
                "message-not-sendable",
                problem,
                "leave the message out, or give it what it lacks",
            )
        })?;
        Ok(RunAgentInput {
            run_id: run_id.into(),
            parent_run_id: None,
            state: turn.state.to_value(),
            messages,
            resume: Vec::new(),
            ..self.clone()
        })
    }

    /// The answers to the calls that a stream left to the client, in the order of the calls. `answers` are call ids with what the
    /// tools came to; one is missing, one too many, or nothing to answer is refused.
    pub fn tool_answers<I: AsRef<str>, A: Into<String>>(
        &self,
        run_id: impl Into<String>,
        turn: &Snapshot,
        answers: impl IntoIterator<Item = (I, A)>,
        ids: &mut impl IdSource,
    ) -> Result<Self, UsageError> {
        let answered = answers::in_order(&turn.pending_tool_call_ids, answers, "tool_answers()")?;
        let mut next = self.after(run_id, turn)?;
        for (call, answer) in answered {
            next.messages.push(InputMessage::tool(ids.next_id("msg_"), call, answer));
        }
        Ok(next)
    }

    /// The answers to all that the agent asks. `now` is the time in milliseconds since 1970: what has expired can be cancelled only.
    ///
    /// Refused are an interrupt without an answer, an answer without an interrupt, and one that comes too late.
    pub fn resuming(
        &self,
        run_id: impl Into<String>,
        turn: &Snapshot,
        entries: Vec<ResumeEntry>,
        now: i64,
    ) -> Result<Self, UsageError> {
        check_resume(&turn.pending_interrupts, &entries, now)?;
        let mut next = self.after(run_id, turn)?;
        next.resume = entries;
        Ok(next)
    }
}

/// Whether answers are to all that is open, to nothing else, and in time. In the words of the official client.
fn check_resume(open: &Value, entries: &[ResumeEntry], now: i64) -> Result<(), UsageError> {
    let open = match open {
        Value::Array(open) => &open[..],
        _ => &[],
    };
    let text = |interrupt: &Value, name: &str| interrupt.get(name).and_then(Value::as_str).map(String::from);
    let ids: Vec<String> = open.iter().filter_map(|interrupt| text(interrupt, "id")).collect();
    let named = |id: &str| entries.iter().find(|entry| entry.interrupt_id == id);
    let missing: Vec<&str> = ids.iter().map(|id| &**id).filter(|id| named(id).is_none()).collect();
    if !missing.is_empty() {
        let count = decimal(missing.len() as i64);
        return Err(UsageError::new(
            "answer-missing",
            ["Thread has ", &count, " pending interrupt(s) not addressed by resume: ", &missing.join(", ")]
                .concat(),
            "answer all of `pendingInterrupts` in one request, or cancel them",
        ));
    }
    let unknown: Vec<&str> = entries
        .iter()
        .map(|entry| &*entry.interrupt_id)
        .filter(|id| !ids.iter().any(|open| open == id))
        .collect();
    if !unknown.is_empty() {
        return Err(UsageError::new(
            "not-pending",
            ["responses reference unknown interrupt ids: ", &unknown.join(", ")].concat(),
            "answer what is in `pendingInterrupts`",
        ));
    }
    for interrupt in open {
        let (Some(id), Some(until)) = (text(interrupt, "id"), text(interrupt, "expiresAt")) else { continue };
        let is_late = milliseconds(&until).is_some_and(|until| until <= now);
        if is_late && named(&id).is_some_and(|entry| entry.status != "cancelled") {
            return Err(UsageError::new(
                "interrupt-expired",
                ["Interrupt ", &id, " expired at ", &until, " and can no longer be answered."].concat(),
                "cancel it to continue the thread",
            ));
        }
    }
    Ok(())
}
