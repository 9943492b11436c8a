//! The state of a target of AG-UI: the messages that have not ended, and the run.

use alloc::{string::String, vec::Vec};

use super::PAYLOAD;
use super::writer::{TAKEN, Use, Writer};
use crate::hub::asked::Asked;
use crate::hub::told::Metadata;
use crate::hub::{Context, Out, Step, given};
use crate::json::{Member, Value};
use crate::protocols::ag_ui::builder::WireEvent;

/// A message of the hub that has not ended.
#[derive(Debug)]
pub(super) struct Item {
    /// The message's id, until an event of AG-UI uses it.
    pub id: Option<String>,
    pub is_reasoning: bool,
    /// Whether the message is a call, a result, a question or an answer.
    pub is_tool: bool,
    pub role: String,
    pub name: Option<String>,
    pub parent: Option<String>,
    pub lane: Option<String>,
    /// Whether an event of the message has been written.
    pub has_said: bool,
    /// The text of the message in the last list of messages, if the list contained it first, and the number of its
    /// bytes that have come again.
    pub listed: Option<(String, usize)>,
    /// The part that has ended, but whose end is not written yet.
    pub ended: Option<u32>,
    /// Whether the message is a span of reasoning of its own, because none was open when it began.
    pub is_span: bool,
}

impl Item {
    /// Returns the id for an event: the message's own id, which only one event can have, or a new one.
    pub fn take_id(&mut self, r#use: Use, write: &mut Writer, out: &mut Out<'_, WireEvent>) -> String {
        self.has_said = true;
        if let Some(id) = self.id.take() {
            if write.owns(&id, r#use) {
                return id;
            }
            out.lose("message-id", &id, TAKEN);
        }
        write.new_id("msg_")
    }
}

/// The data of a run that are written at its end.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub thread_id: String,
    pub run_id: String,
    pub usage: Option<Value>,
    pub metadata: Metadata,
    /// The questions that do not have an answer.
    pub interrupts: Asked<Value>,
}

impl Run {
    /// Adds a question.
    pub fn ask(&mut self, step: &Step<'_>, context: Context<'_>) {
        let Step::Interrupt { id, reason, payload, call, text, expires_at, response_schema, .. } = *step
        else {
            return;
        };
        let mut metadata = Metadata::of(context.metadata);
        if !payload.is_null() {
            metadata.set(PAYLOAD, payload.clone());
        }
        let schema = response_schema.filter(|schema| matches!(schema, Value::Object(_)));
        let interrupt = Value::Object(given([
            ("id", Some(id.into())),
            ("reason", Some(reason.unwrap_or("interrupt").into())),
            ("message", text.map(Value::from)),
            ("toolCallId", call.map(Value::from)),
            ("expiresAt", expires_at.map(Value::from)),
            ("subagentRunId", context.lane.map(Value::from)),
            ("responseSchema", schema.cloned()),
            ("metadata", metadata.object()),
        ]));
        self.interrupts.push(id, interrupt);
    }

    /// Returns whether the run has begun and has not ended.
    pub fn has_begun(&self) -> bool {
        !self.run_id.is_empty()
    }

    /// Removes a question that was answered.
    pub fn forget(&mut self, id: &str) {
        self.interrupts.take(id);
    }
}

/// Returns metadata as an object, or `None` if they are empty.
pub(super) fn object(members: Vec<Member>) -> Option<Value> {
    (!members.is_empty()).then_some(Value::Object(members))
}
