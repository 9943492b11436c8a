//! The documents that are written as patches: the state and the activities of the client.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{StreamBuilder, WireEvent, event};
use crate::bytes::string_map::StringMap;
use crate::core::json_patch::Tree;
use crate::core::limits::Budget;
use crate::core::{Limits, UsageError};
use crate::json::{Element, Raw, Value};
use crate::protocols::ag_ui::events::{Event, EventKind};
use crate::protocols::ag_ui::lifecycle::EventHead;

/// The documents of the client, as far as they are known.
#[derive(Debug, Default)]
pub(super) struct Documents {
    state: Option<Tree>,
    activities: StringMap<Option<Tree>>,
    /// The budget for the patches of all documents.
    budget: Budget,
}

impl Documents {
    pub fn set_state(&mut self, state: &Value) {
        self.state = Some(Tree::from_raw(Raw(&state.to_json())));
    }

    /// Applies an event that sets or changes a document; refuses a patch that cannot be applied.
    pub fn apply(&mut self, it: &EventHead<'_>, json: Option<Element<'_, '_>>) -> Result<(), UsageError> {
        let Some(json) = json else { return Ok(()) };
        self.budget.refill(json.raw().as_str().len());
        match it.kind {
            EventKind::StateSnapshot => {
                self.state = json.member("snapshot").map(Tree::of);
            }
            EventKind::StateDelta => {
                apply_patch(self.state.as_mut(), json.member("delta"), &mut self.budget)?;
            }
            EventKind::ActivitySnapshot => {
                let is_known = self.activities.get(it.id).is_some();
                if !(it.flag && is_known) {
                    let content = json.member("content").map(Tree::of);
                    self.activities.insert(it.id, content.filter(|_| !it.flag));
                }
            }
            EventKind::ActivityDelta => {
                let activity = self.activities.get_mut(it.id).and_then(Option::as_mut);
                apply_patch(activity, json.member("patch"), &mut self.budget)?;
            }
            // The client decides which activities remain.
            EventKind::MessagesSnapshot => self.activities = StringMap::default(),
            _ => {}
        }
        Ok(())
    }
}

fn apply_patch(
    document: Option<&mut Tree>,
    patch: Option<Element<'_, '_>>,
    budget: &mut Budget,
) -> Result<(), UsageError> {
    let (Some(document), Some(patch)) = (document, patch) else { return Ok(()) };
    let applied = document.apply(patch, &Limits::default(), budget, |_| true);
    applied.map(drop).map_err(|_| {
        UsageError::new(
            "patch-failed",
            "the patch cannot be applied to what the client holds",
            "call `state()` or `activity()` with what is to be: they find the patch",
        )
    })
}

/// Returns the patch that changes a document to this value, or `None` if the whole value has to be sent.
fn patch_to(document: Option<&Tree>, next: &Value) -> Option<Value> {
    let patch = document?.patch_to(&Tree::from_raw(Raw(&next.to_json())))?;
    Some(Value::from_raw(Raw(&patch)))
}

impl StreamBuilder {
    /// Sets the shared state to any JSON value. Writes the changes, or the whole state if that is not longer; writes no
    /// events if nothing has changed.
    pub fn state(&mut self, next: &Value) -> Result<Vec<WireEvent>, UsageError> {
        self.check_phase(EventKind::StateSnapshot)?;
        let lane = self.lane.clone();
        let lane = lane.as_deref();
        let patch = patch_to(self.documents.state.as_ref(), next);
        let changed = patch.map(|delta| match is_empty(&delta) {
            true => Ok(Vec::new()),
            false => self.event(&event!(StateDelta in lane, { delta: delta })),
        });
        match changed {
            Some(Ok(events)) => Ok(events),
            // A state whose patch is refused, for example because it is too large, is sent as a snapshot.
            Some(Err(_)) | None => self.event(&event!(StateSnapshot in lane, { snapshot: next.clone() })),
        }
    }

    /// Sets the content of an activity, an object. Writes the changes, or the whole content if that is not longer;
    /// writes no events if nothing has changed.
    pub fn activity(&mut self, id: &str, kind: &str, content: &Value) -> Result<Vec<WireEvent>, UsageError> {
        self.check_phase(EventKind::ActivitySnapshot)?;
        let lane = self.lane.clone();
        let lane = lane.as_deref();
        let (message_id, activity_type) = (|| Cow::Borrowed(id), || Cow::Borrowed(kind));
        let held = self.documents.activities.get(id).and_then(Option::as_ref);
        let changed = patch_to(held, content).map(|patch| match is_empty(&patch) {
            true => Ok(Vec::new()),
            false => self.event(&event!(ActivityDelta in lane, {
                message_id: message_id(), activity_type: activity_type(), patch: patch,
            })),
        });
        match changed {
            Some(Ok(events)) => Ok(events),
            Some(Err(_)) | None => self.event(&event!(ActivitySnapshot in lane, {
                message_id: message_id(), activity_type: activity_type(), content: content.clone(), replace: None,
            })),
        }
    }

    /// Begins a step.
    pub fn step_started(&mut self, name: &str) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.clone();
        self.event(&event!(StepStarted in lane.as_deref(), { step_name: name.into() }))
    }

    /// Ends a step.
    pub fn step_finished(&mut self, name: &str) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.clone();
        self.event(&event!(StepFinished in lane.as_deref(), { step_name: name.into() }))
    }

    /// Begins a subagent, which is a new lane. The current lane is its parent.
    pub fn subagent_started(&mut self, id: &str, name: &str) -> Result<Vec<WireEvent>, UsageError> {
        let parent = self.lane.clone();
        self.event(&event!(SubagentStarted {
            subagent_run_id: id.into(),
            name: name.into(),
            description: None,
            parent_subagent_run_id: parent.as_deref().map(Cow::Borrowed),
            parent_tool_call_id: None,
            parent_message_id: None,
        }))
    }

    /// Ends a subagent.
    pub fn subagent_finished(
        &mut self,
        id: &str,
        result: Option<Value>,
    ) -> Result<Vec<WireEvent>, UsageError> {
        self.event(&event!(SubagentFinished { subagent_run_id: id.into(), result: result, outcome: None }))
    }

    /// Writes a custom event of the application.
    pub fn custom(&mut self, name: &str, value: Value) -> Result<Vec<WireEvent>, UsageError> {
        let lane = self.lane.clone();
        self.event(&event!(Custom in lane.as_deref(), { name: String::from(name).into(), value: value }))
    }
}

fn is_empty(patch: &Value) -> bool {
    matches!(patch, Value::Array(operations) if operations.is_empty())
}
