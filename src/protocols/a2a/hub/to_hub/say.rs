//! The emission of the changes by an event, at its end.

use alloc::{string::String, vec::Vec};

use super::{State, What};
use crate::bytes::string_map::Numbers;
use crate::hub::{EndStatus, Hub, Note, RunEnd};
use crate::json::Value;
use crate::protocols::a2a::TaskState;

impl State {
    /// Emits the changes by the event.
    pub(super) fn say(&mut self, hub: &mut Hub<'_>) {
        let fresh = core::mem::take(&mut self.fresh);
        self.fresh_at = Numbers::default();
        let mut parts: Numbers<Vec<Value>> = Numbers::default();
        let (mut objects, mut rest) = (Vec::new(), Vec::new());
        for (node, value) in fresh {
            match self.objects.get((node as usize).wrapping_sub(1)) {
                Some((What::Part, parent)) => parts.get_or_insert_default((*parent).into()).push(value),
                Some((What::Task, _)) => objects.push((What::Task, node, value)),
                Some((what, _)) => rest.push((*what, node, value)),
                None => {}
            }
        }
        // The task is first: it has the ids of the run.
        objects.append(&mut rest);
        let (mut status, mut said) = (None, None);
        for (what, node, value) in objects {
            let mut own = || parts.remove(node.into()).unwrap_or_default();
            match what {
                What::Task => {
                    self.begin(&value, hub);
                    self.metadata(value.get("metadata").unwrap_or(&Value::Null), hub);
                }
                What::Status => status = Some(value),
                What::Said => said = Some((value, own())),
                What::Past => {
                    let id = value.text("messageId");
                    let is_said = said.as_ref().is_some_and(|(said, _)| said.text("messageId") == id);
                    if !is_said && id.is_none_or(|id| self.said.get(id).is_none()) {
                        hub.lose("history", id.unwrap_or(""), "what was said before the run is the client's");
                    }
                }
                What::Answer => {
                    self.begin(
                        &[("contextId", value.get("contextId").cloned().unwrap_or_default())].into(),
                        hub,
                    );
                    self.message(&value, own(), hub);
                    self.end = Some(RunEnd::new(EndStatus::Completed));
                }
                What::Artifact => {
                    let artifact = self.artifact(node);
                    artifact.said = value;
                }
                What::Error => {
                    let code = value.get("code").map(Value::to_json);
                    let message = value.text("message").unwrap_or_default();
                    self.end = Some(RunEnd::failed(code.as_deref(), message));
                }
                What::Part => {}
            }
        }
        let state =
            status.as_ref().map(|status| status.text("state").unwrap_or(TaskState::Unspecified.as_str()));
        let state =
            state.and_then(|state| TaskState::ALL.iter().copied().find(|known| known.as_str() == state));
        let before = self.state;
        if let Some(state) = state.filter(|state| *state != before) {
            self.state = state;
            let status = match state {
                // As the first state of a task, it only means that the task exists.
                TaskState::Submitted if before != TaskState::Unspecified => Some("queued"),
                TaskState::Working => Some("in_progress"),
                TaskState::Unrecognized => {
                    hub.lose("status", state.as_str(), "nobody knows what it means");
                    None
                }
                _ => None,
            };
            if let Some(status) = status {
                hub.note(Note::Status { status, detail: None });
            }
        }
        for node in core::mem::take(&mut self.changed) {
            let new = parts.remove(node.into()).unwrap_or_default();
            let next = self.messages + 1;
            let Some(artifact) = self.artifacts.get_mut(node.into()) else { continue };
            if artifact.message == 0 {
                artifact.message = next;
                self.messages = next;
            }
            let call_of = |part: &Value| Some(part.get("data")?.text("call_id")?.into());
            let calls: Vec<String> = new.iter().filter_map(call_of).collect();
            artifact.say(new, hub);
            self.calls.begin(&calls, hub);
        }
        if let Some(state) = state {
            self.status(state, said, hub);
        }
    }
}
