//! The documents that are written as patches: the state and the activities of the client.

use alloc::{borrow::Cow, vec::Vec};

use super::{StreamBuilder, WireEvent};
use crate::bytes::string_map::StringMap;
use crate::core::json_patch::Tree;
use crate::core::limits::Budget;
use crate::core::{Limits, UsageError};
use crate::json::{Element, Raw, Value};
use crate::protocols::ag_ui::events::{Event, EventKind, event};
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
    /// Sets the state that the client has sent. It counts as received.
    pub fn set_state(&mut self, state: &Value) {
        let json = state.to_json();
        self.budget.refill(json.len());
        self.state = Some(Tree::from_raw(Raw(&json)));
    }

    /// Applies an event that sets or changes a document; refuses a patch that cannot be applied.
    pub fn apply(
        &mut self,
        head: &EventHead<'_>,
        json: Option<Element<'_, '_>>,
    ) -> Result<(), UsageError> {
        let Some(json) = json else { return Ok(()) };
        self.budget.refill(json.raw().as_str().len());
        match head.kind {
            EventKind::StateSnapshot => {
                self.state = json.member("snapshot").map(Tree::of);
            }
            EventKind::StateDelta => {
                apply_patch(self.state.as_mut(), json.member("delta"), &mut self.budget)?;
            }
            EventKind::ActivitySnapshot => {
                let is_known = self.activities.get(head.id).is_some();
                if !(head.flag && is_known) {
                    let content = json.member("content").map(Tree::of);
                    self.activities.insert(head.id, content.filter(|_| !head.flag));
                }
            }
            EventKind::ActivityDelta => {
                let activity = self.activities.get_mut(head.id).and_then(Option::as_mut);
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

/// Returns the patch that changes a document to this value, or `None` if the whole value has to be
/// sent.
fn patch_to(document: Option<&Tree>, next: &Value) -> Option<Value> {
    let patch = document?.patch_to(&Tree::from_raw(Raw(&next.to_json())))?;
    Some(Value::from_raw(Raw(&patch)))
}

impl StreamBuilder {
    /// Sets the shared state to any JSON value. Writes the changes, or the whole state if that is
    /// not longer; writes no events if nothing has changed.
    pub fn state(&mut self, next: &Value) -> Result<Vec<WireEvent>, UsageError> {
        self.check_phase(EventKind::StateSnapshot)?;
        let patch = patch_to(self.documents.state.as_ref(), next);
        let delta = |out: &Self, delta| {
            event!(StateDelta in out.lane.as_deref(); { delta: delta }).to_wire()
        };
        if let Some(events) = self.patch(patch, delta) {
            return Ok(events);
        }
        let state =
            event!(StateSnapshot in self.lane.as_deref(); { snapshot: next.clone() }).to_wire();
        self.send(state)
    }

    /// Sets the content of an activity, an object. Writes the changes, or the whole content if that
    /// is not longer; writes no events if nothing has changed.
    pub fn activity(
        &mut self,
        id: &str,
        kind: &str,
        content: &Value,
    ) -> Result<Vec<WireEvent>, UsageError> {
        self.check_phase(EventKind::ActivitySnapshot)?;
        let (message_id, activity_type) = (|| Cow::Borrowed(id), || Cow::Borrowed(kind));
        let known = self.documents.activities.get(id).and_then(Option::as_ref);
        let delta = |out: &Self, patch| {
            let delta = event!(ActivityDelta in out.lane.as_deref(); {
                message_id: message_id(), activity_type: activity_type(), patch: patch,
            });
            delta.to_wire()
        };
        if let Some(events) = self.patch(patch_to(known, content), delta) {
            return Ok(events);
        }
        let activity = event!(ActivitySnapshot in self.lane.as_deref(); {
            message_id: message_id(), activity_type: activity_type(), content: content.clone(), replace: None,
        });
        let activity = activity.to_wire();
        self.send(activity)
    }

    /// Writes the patch of a document. Returns `None` if the whole document has to be sent: there
    /// is no patch, or it is refused, for example because it is too large.
    fn patch(
        &mut self,
        patch: Option<Value>,
        event: impl FnOnce(&Self, Value) -> WireEvent,
    ) -> Option<Vec<WireEvent>> {
        let patch = patch?;
        if matches!(&patch, Value::Array(operations) if operations.is_empty()) {
            return Some(Vec::new());
        }
        let event = event(self, patch);
        self.send(event).ok()
    }

    /// Begins a step.
    pub fn step_started(&mut self, name: &str) -> Result<Vec<WireEvent>, UsageError> {
        self.send(event!(StepStarted in self.lane.as_deref(); { step_name: name.into() }).to_wire())
    }

    /// Ends a step.
    pub fn step_finished(&mut self, name: &str) -> Result<Vec<WireEvent>, UsageError> {
        self.send(
            event!(StepFinished in self.lane.as_deref(); { step_name: name.into() }).to_wire(),
        )
    }

    /// Begins a subagent, which is a new lane. The current lane is its parent.
    pub fn subagent_started(&mut self, id: &str, name: &str) -> Result<Vec<WireEvent>, UsageError> {
        let started = event!(SubagentStarted; {
            subagent_run_id: id.into(),
            name: name.into(),
            description: None,
            parent_subagent_run_id: self.lane.as_deref().map(Cow::Borrowed),
            parent_tool_call_id: None,
            parent_message_id: None,
        });
        let started = started.to_wire();
        self.send(started)
    }

    /// Ends a subagent.
    pub fn subagent_finished(
        &mut self,
        id: &str,
        result: Option<Value>,
    ) -> Result<Vec<WireEvent>, UsageError> {
        self.send(
            event!(SubagentFinished; { subagent_run_id: id.into(), result: result, outcome: None })
                .to_wire(),
        )
    }

    /// Writes a custom event of the application.
    pub fn custom(&mut self, name: &str, value: Value) -> Result<Vec<WireEvent>, UsageError> {
        self.send(
            event!(Custom in self.lane.as_deref(); { name: name.into(), value: value }).to_wire(),
        )
    }
}
