//! The start of the run, and the metadata of its task. (2.4, A8.)

use alloc::borrow::ToOwned;

use super::to_hub::State;
use crate::hub::{Hub, Note, Step};
use crate::json::{Member, Value};

impl State {
    /// Starts the run with the first data of its task.
    pub(super) fn begin(&mut self, task: &Value, hub: &mut Hub<'_>) {
        if core::mem::replace(&mut self.started, true) {
            return;
        }
        let metadata = task.get("metadata").cloned().unwrap_or_default();
        let created_at = match metadata.get("createdAt") {
            Some(Value::Number(seconds)) => seconds.parse().ok(),
            _ => None,
        };
        hub.emit(&Step::Start {
            id: task.text("id"),
            session_id: task.text("contextId"),
            parent_id: metadata.text("parentId"),
            model: metadata.text("model"),
            created_at,
        });
    }

    /// Handles metadata of the task: arbitrary data, steps, and data for the end of the run.
    pub(super) fn metadata(&mut self, metadata: &Value, hub: &mut Hub<'_>) {
        for Member { key, value } in metadata.members() {
            let word = || value.as_str().map(ToOwned::to_owned);
            match key.as_str() {
                "model" | "parentId" | "createdAt" => {}
                "usage" if matches!(value, Value::Object(_)) => {
                    self.usage = Some(value.clone());
                    hub.note(Note::Usage { usage: value, message: None });
                }
                "result" => self.result = Some(value.clone()),
                "reason" => self.reason = word(),
                "incomplete" => self.incomplete = word(),
                "pending" if matches!(value, Value::Array(_)) => self.pending = value.to_texts(),
                "pending" => {}
                name => {
                    let step = name.strip_prefix("agentwire.");
                    if !step.is_some_and(|step| self.calls.note(step, value, hub)) {
                        let value = [(name, value.clone())].into();
                        hub.note(Note::Metadata { value: &value, message: None, call: None });
                    }
                }
            }
        }
    }
}
