//! The documents that are patched: the shared state, and activities, which are structured content
//! that an agent shows. (B.7.)

use alloc::boxed::Box;

use super::check::CheckedEvent;
use super::{AgUiFold, ROOT};
use crate::core::Observed;
use crate::core::json_patch::Tree;
use crate::engine::{Context, FieldValue, Subject};
use crate::json::{Element, Raw};
use crate::protocols::ag_ui::lifecycle::Judge;
use crate::protocols::ag_ui::{Message, Role, Snapshot, rules};

impl AgUiFold {
    pub(super) fn replace_activity(&mut self, event: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        let Some(content) = event.event.named("content") else { return };
        let head = event.head();
        let (id, replace) = (head.id, !head.flag);
        let known = self.messages.ids.find(id);
        let is_activity = known.is_some_and(|at| self.messages.all[at].role == Role::Activity);
        let at = match known {
            None => self.messages.open(id, Role::Activity, cx),
            Some(at) if is_activity => Some(at),
            Some(at) if replace => self.replace_message(at, Role::Activity, cx),
            Some(_) => None,
        };
        let Some(at) = at else { return };
        if known.is_none() || replace {
            self.set_activity(at, &event.text("activityType"), content, cx);
            self.messages.set_subagent(at, head.subagent, cx);
        }
        self.messages.all[at].metadata.add(head.metadata, cx);
    }

    /// Sets the kind and the content of an activity.
    pub(super) fn set_activity(
        &mut self,
        at: usize,
        kind: &str,
        content: Element<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        let message = &mut self.messages.all[at];
        cx.set_text(message.node, Message::activity_type, kind);
        if cx.set(message.node, Message::content, FieldValue::Free(content)) {
            message.activity = Some(Box::new((Tree::of(content), kind.into())));
        }
    }

    /// Replaces a message with a new one that has the same id and the same place in the list.
    fn replace_message(&mut self, at: usize, role: Role, cx: &mut Context<'_>) -> Option<usize> {
        let id = self.messages.all[at].id.clone();
        if !cx.has_time(self.life.work) {
            return None;
        }
        let place = self.messages.order.iter().position(|message| *message == at)?;
        self.life.work += place as u64;
        let new = self.messages.make(&id, role, cx)?;
        self.remove_message(at, cx);
        cx.remove(ROOT, Snapshot::messages, self.messages.all[at].node);
        if place + 1 < self.messages.order.len() {
            cx.move_last(ROOT, Snapshot::messages, self.messages.all[new].node, place);
        }
        self.messages.order[place] = new;
        self.messages.ids.set(&id, new);
        Some(new)
    }

    pub(super) fn patch_activity(&mut self, event: &CheckedEvent<'_>, cx: &mut Context<'_>) {
        let head = event.head();
        let (id, kind) = (head.id, event.text("activityType"));
        let Some(at) = self.messages.ids.find(id) else {
            return cx.record_of(&rules::ACTIVITY_UNKNOWN, id, Observed::Words("a patch"));
        };
        let message = &mut self.messages.all[at];
        message.metadata.add(head.metadata.filter(|_| message.role == Role::Activity), cx);
        let Some((document, message_kind)) = message.activity.as_deref_mut() else {
            let text = ["ACTIVITY_DELTA: Message '", id, "' is not an activity message"].concat();
            return cx.record_of(&rules::ID_COLLISION, id, Observed::ClientMessage(&text));
        };
        let place = (message.node, Message::content);
        let Some(patch) = event.value("patch") else { return };
        if cx.patch(place, document, patch, &rules::PATCH_FAILED, message.owner)
            && **message_kind != *kind
        {
            cx.set_text(message.node, Message::activity_type, &kind);
            *message_kind = (*kind).into();
        }
    }

    /// Replaces the state with any JSON value.
    pub(super) fn replace_state(
        &mut self,
        snapshot: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        let (value, tree) = match snapshot {
            Some(snapshot) => (FieldValue::Free(snapshot), Tree::of(snapshot)),
            None => (FieldValue::Json(Raw("null")), Tree::from_raw(Raw("null"))),
        };
        if cx.set(ROOT, Snapshot::state, value) {
            self.state = tree;
        }
    }

    pub(super) fn patch_state(&mut self, patch: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        if let Some(patch) = patch {
            let place = (ROOT, Snapshot::state);
            cx.patch(place, &mut self.state, patch, &rules::PATCH_FAILED, Subject::NONE);
        }
    }
}
