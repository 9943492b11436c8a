//! The run of a model, for sources that read the API of one: its answer has messages, but only one
//! start and one end.

use alloc::string::String;
use alloc::vec::Vec;

use super::kind::{MessageKind, RunEnd};
use super::step::Step;
use super::transducer::Hub;
use crate::json::{IndexedValue, Member, Value, decimal};

/// The run of a model, and its emitted steps.
#[derive(Debug, Default)]
pub(crate) struct ModelRun {
    started: bool,
    /// The number of messages at the hub.
    messages: u32,
    pub id: String,
    pub model: String,
    /// The start of the run, in seconds since 1970.
    pub created_at: Option<i64>,
    pub usage: IndexedValue,
    pub error: Value,
    /// Members of the answer that have no step.
    pub metadata: Vec<Member>,
    has_lost_logprobs: bool,
}

impl ModelRun {
    /// Emits the start of the run, unless it was emitted.
    pub fn start(&mut self, hub: &mut Hub<'_>) {
        if !core::mem::replace(&mut self.started, true) {
            let [id, model] =
                [&self.id, &self.model].map(|text| Some(&**text).filter(|text| !text.is_empty()));
            let (session_id, parent_id, created_at) = (None, None, self.created_at);
            hub.emit(&Step::Start { id, session_id, parent_id, model, created_at });
        }
    }

    /// Begins a message and returns its number.
    pub fn open(&mut self, kind: MessageKind<'_>, alternative: u32, hub: &mut Hub<'_>) -> u32 {
        self.start(hub);
        self.messages += 1;
        let (id, name, parent) = (None, None, None);
        let (message, role) = (self.messages, kind.default_role());
        hub.emit(&Step::Open { message, kind, role, id, name, parent, alternative });
        message
    }

    /// Returns an id for a call without one, made of the answer's and a number.
    pub fn call_id(&self, name: &str, number: usize, hub: &mut Hub<'_>) -> String {
        hub.lose("call-id", name, "the call has no id: it got one");
        [&*self.id, "-", &*decimal(number as i64)].concat()
    }

    /// Notes that probabilities of tokens are lost, once.
    pub fn lose_logprobs(&mut self, hub: &mut Hub<'_>) {
        if !core::mem::replace(&mut self.has_lost_logprobs, true) {
            hub.lose("logprobs", "", "the hub has no place for probabilities");
        }
    }

    /// Returns the end of a run that failed: with the first code that the error has, and its
    /// message or `otherwise`.
    pub fn failed(&self, codes: [&str; 2], otherwise: &str, hub: &mut Hub<'_>) -> RunEnd {
        hub.lose_error(&self.error, &codes);
        let text = |name| self.error.get(name).filter(|value| !value.is_null()).map(Value::to_text);
        let code = codes.into_iter().find_map(text);
        RunEnd::failed(code.as_deref(), text("message").unwrap_or_else(|| otherwise.into()))
    }
}
