//! The documents of the client: the shared state and the activities, whole or as patches.

use alloc::{borrow::ToOwned, string::String};

use super::ids::IdUse;
use super::writer::text;
use super::{ToAgUi, object};
use crate::bytes::string_map::{StringMap, pair};
use crate::core::json_patch::Tree;
use crate::core::limits::Budget;
use crate::core::{Limits, WireEvent};
use crate::hub::{EventOutput, Note, Payload};
use crate::json::{Element, ObjectWriter, Value};
use crate::protocols::ag_ui::events::{Event, EventKind, event};
use crate::protocols::ag_ui::lifecycle::EventHead;

/// The documents, as far as the stream has written them whole: a patch of any other one cannot be
/// checked.
#[derive(Debug, Default)]
pub(super) struct Documents {
    state: Option<Tree>,
    activities: StringMap<Option<Tree>>,
    /// The budget for the patches of all documents.
    budget: Budget,
}

impl Documents {
    /// Applies an event that sets or changes a document. Returns `None` for a patch that cannot be
    /// applied.
    pub fn apply(&mut self, head: &EventHead<'_>, json: Element<'_, '_>) -> Option<()> {
        self.budget.refill(json.raw().as_str().len());
        match head.kind {
            EventKind::StateSnapshot => self.state = json.member("snapshot").map(Tree::of),
            EventKind::StateDelta => {
                return patch(self.state.as_mut(), json.member("delta"), &mut self.budget);
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
                return patch(activity, json.member("patch"), &mut self.budget);
            }
            // The client decides which activities remain.
            EventKind::MessagesSnapshot => self.activities = StringMap::default(),
            _ => {}
        }
        Some(())
    }
}

/// Applies a patch to a document that is known.
fn patch(
    document: Option<&mut Tree>,
    patch: Option<Element<'_, '_>>,
    budget: &mut Budget,
) -> Option<()> {
    let (Some(document), Some(patch)) = (document, patch) else { return Some(()) };
    document.apply(patch, &Limits::default(), budget, |_| true).ok().map(drop)
}

impl ToAgUi {
    /// Writes the state, an activity, or a change of one of them.
    pub(super) fn document(&mut self, note: &Note<'_>, out: &mut EventOutput<'_, WireEvent>) {
        let context = out.meta();
        let (lane, metadata) = (context.lane, object(context.metadata.to_vec()));
        let event = match *note {
            Note::State { value } => {
                event!(StateSnapshot in lane, metadata; { snapshot: value.clone() })
            }
            Note::StatePatch { patch } => {
                event!(StateDelta in lane, metadata; { delta: patch.clone() })
            }
            Note::Activity { id, activity_type, content, keep } => {
                event!(ActivitySnapshot in lane, metadata; {
                    message_id: self.ids.activity(id, out).into(),
                    activity_type: text(activity_type),
                    content: content.clone(),
                    replace: keep.then_some(Value::Bool(false)),
                })
            }
            Note::ActivityPatch { id, activity_type, patch } => {
                let Some(known) = self.ids.known_activity(id) else {
                    return out.lose("activity", id, "it is changed before it is there");
                };
                event!(ActivityDelta in lane, metadata; {
                    message_id: known.to_owned().into(), activity_type: text(activity_type), patch: patch.clone(),
                })
            }
            _ => return,
        };
        self.write.send(note.place(), &event, out);
    }

    /// Writes a complete part as an activity, because an assistant's message in AG-UI contains text
    /// only.
    pub(super) fn whole(
        &mut self,
        message: u32,
        part: u32,
        payload: Payload<'_>,
        preview: bool,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let at = pair(message, part);
        let Some(item) = self.items.get_mut(message.into()) else { return };
        let id = self
            .previews
            .remove(at)
            .unwrap_or_else(|| item.take_id(IdUse::Activity, &mut self.ids, out));
        let mut content = String::new();
        let mut object = ObjectWriter::open(&mut content, false);
        payload.write(&mut object);
        object.close();
        let event = event!(ActivitySnapshot in item.lane.as_deref(), None; {
            message_id: text(&id),
            activity_type: text(payload.name()),
            content: Value::parse(&content, u32::MAX).unwrap_or_default(),
            replace: None,
        });
        self.write.send(&id, &event, out);
        if preview {
            self.previews.insert(at, id.clone());
        }
        self.written.insert(message.into(), id);
    }
}
