//! The steps that a change of the answer emits at once, and its marks for the end of the event.

use alloc::{borrow::ToOwned, vec::Vec};

use super::emit::{PartEmission, text_of};
use super::objects::{EmissionPhase, PartId, SourceObject};
use super::{AgentApiSource, place};
use crate::bytes::string_map::Numbers;
use crate::engine::{Field, FieldValue, ObjectId, Sink};
use crate::hub::{Hub, Note, Step};
use crate::protocols::agent_api::hub::{MODEL, PARENT, PENDING, RESULT};
use crate::protocols::agent_api::model::DataContent;
use crate::protocols::agent_api::{Content, Message};

impl AgentApiSource {
    pub(super) fn emission<'s, 'o>(&'s mut self, hub: &'s mut Hub<'o>) -> PartEmission<'s, 'o> {
        let AgentApiSource { snapshot, calls, objects, waiting, started, .. } = self;
        PartEmission { answer: snapshot, calls, objects, waiting, started, hub }
    }

    pub(super) fn note_set(
        &mut self,
        node: ObjectId,
        key: Field,
        value: FieldValue<'_>,
        hub: &mut Hub<'_>,
    ) {
        self.touch(node);
        if let Some(message) = self.objects.message(node) {
            let message = &mut self.objects[message];
            message.is_announced |= matches!(
                key,
                Message::status | Message::sequence_number | Message::r#type | Message::role
            );
            if key == Message::r#type && message.phase != EmissionPhase::Silent {
                let id = place(self, node);
                hub.lose("late-type", &id, "the message had begun when its type came");
            }
        }
        if key == DataContent::data {
            self.keep_emitted_text(node);
        }
        self.snapshot.set(node, key, value);
    }

    /// Notes an undeclared member, once for each message.
    pub(super) fn lose_extra(&mut self, node: ObjectId, name: &str, hub: &mut Hub<'_>) {
        let message = match self.objects.get(node) {
            SourceObject::Message(message) => Some(message),
            SourceObject::Part(part) => Some(self.objects[part].owner),
            SourceObject::Other => None,
        };
        let (is_lost, id) = match message {
            Some(message) => {
                let state = &mut self.objects[message];
                let message = self.snapshot.message_of(state.node);
                let id = message.map_or("", |message| &message.id);
                (!core::mem::replace(&mut state.has_lost_members, true), id)
            }
            // The known members of a response are converted; any others are rare enough to be noted
            // each time.
            None => (!matches!(name, "incomplete_details" | MODEL | PARENT | RESULT | PENDING), ""),
        };
        if is_lost {
            let place = if id.is_empty() { name } else { id };
            hub.lose("undeclared-member", place, "the hub has declared members");
        }
    }

    /// Keeps the emitted arguments of a call before its data is replaced, to determine later
    /// whether the new arguments continue them.
    pub(super) fn keep_emitted_text(&mut self, node: ObjectId) {
        let Some(part) = self.objects.part(node) else { return };
        let part = &mut self.objects[part];
        if part.phase == EmissionPhase::Open && part.other.is_none() && part.emitted_bytes > 0 {
            let data = self.snapshot.content_of(node).and_then(Content::data);
            let current = data.and_then(|data| data.get("arguments")?.as_str());
            let emitted = current.and_then(|current| current.get(..part.emitted_bytes));
            part.other = Some(emitted.unwrap_or("").to_owned());
        }
    }

    /// Marks an object as changed by the current event.
    pub(super) fn touch(&mut self, node: ObjectId) {
        let object = self.objects.get(node);
        let is_changed = match object {
            SourceObject::Message(message) => &mut self.objects[message].is_changed,
            SourceObject::Part(part) => &mut self.objects[part].is_changed,
            SourceObject::Other => return,
        };
        if !core::mem::replace(is_changed, true) {
            self.changed.push(object);
            self.has_waiting |=
                matches!(object, SourceObject::Part(part) if !self.objects[part].is_text());
        }
    }

    /// Whether a text must wait for the end of the event, because it begins after a part of the
    /// same event whose steps are emitted then, such as a call.
    pub(super) fn must_wait(&self, node: ObjectId) -> bool {
        self.has_waiting
            && self.objects.part(node).is_some_and(|part| {
                let part = &self.objects[part];
                part.is_text() && part.phase == EmissionPhase::Silent
            })
    }

    /// Emits the part of a whole text that has not been emitted.
    pub(super) fn replace(&mut self, node: ObjectId, text: &str, hub: &mut Hub<'_>) {
        if let Some(part) = self.begin_text(node, hub) {
            let current = self.snapshot.content_of(node).and_then(text_of).unwrap_or("");
            self.objects[part].emit_whole_text(current, text, hub);
        }
    }

    /// Emits a piece of the arguments of a call. Arguments in earlier whole values were held back,
    /// because servers that send those replace them (an empty object first, then the arguments); a
    /// piece confirms them.
    pub(super) fn arguments(
        &mut self,
        node: ObjectId,
        path: &[&str],
        text: &str,
        hub: &mut Hub<'_>,
    ) {
        let part = self.objects.part(node).map(|part| &mut self.objects[part]);
        let Some(part) = part.filter(|part| part.phase == EmissionPhase::Open) else {
            return self.touch(node);
        };
        // Members other than the arguments are emitted at the start of a call.
        if path != ["arguments"] || part.other.is_some() {
            return;
        }
        let data = self.snapshot.content_of(node).and_then(Content::data);
        let current = data.and_then(|data| data.get("arguments")?.as_str()).unwrap_or("");
        let rest = current.get(part.emitted_bytes..).unwrap_or("");
        part.emitted_bytes = current.len() + text.len();
        for piece in [rest, text].into_iter().filter(|piece| !piece.is_empty()) {
            hub.emit(&Step::Arguments { message: part.message, part: node, piece });
        }
    }

    /// Ends and retracts the parts that a message no longer contains.
    pub(super) fn drop_others(&mut self, parent: ObjectId, nodes: &[ObjectId], hub: &mut Hub<'_>) {
        let Some(message) = self.objects.message(parent) else { return };
        if self.objects[message].parts.len() <= nodes.len() {
            return;
        }
        let mut remaining = Numbers::default();
        for &node in nodes {
            remaining.insert(node.into(), ());
        }
        let parts = core::mem::take(&mut self.objects[message].parts);
        let stays = |&part: &PartId| remaining.get(self.objects[part].node.into()).is_some();
        let (remaining, dropped): (Vec<_>, Vec<_>) = parts.into_iter().partition(stays);
        self.objects[message].parts = remaining;
        for part in dropped {
            self.end_dropped(part, hub);
        }
    }

    /// Ends and retracts a part that its message no longer contains.
    pub(super) fn drop_part(&mut self, node: ObjectId, hub: &mut Hub<'_>) {
        if let Some(part) = self.objects.part(node) {
            let owner = self.objects[part].owner;
            self.objects[owner].parts.retain(|of_message| *of_message != part);
            self.end_dropped(part, hub);
        }
    }

    fn end_dropped(&mut self, part: PartId, hub: &mut Hub<'_>) {
        let part = &mut self.objects[part];
        let (message, node) = (part.message, part.node);
        let before = core::mem::replace(&mut part.phase, EmissionPhase::Ended);
        if before == EmissionPhase::Open {
            hub.emit(&Step::EndPart { message, part: node, whole: true });
        }
        if before != EmissionPhase::Silent {
            hub.note(Note::Retract { message, part: Some(node) });
        }
    }

    /// Returns a part that is a text or a refusal; opens its message before the first piece.
    pub(super) fn begin_text(&mut self, node: ObjectId, hub: &mut Hub<'_>) -> Option<PartId> {
        let id = self.objects.part(node)?;
        let part = &self.objects[id];
        if !part.is_text() {
            return None;
        }
        if part.phase == EmissionPhase::Silent {
            let owner = part.owner;
            self.emission(hub).open_message(owner);
        }
        Some(id)
    }

    /// Emits the steps of all objects that an event has changed.
    pub(super) fn emit_changed(&mut self, hub: &mut Hub<'_>) {
        if !self.started && !self.snapshot.response.id.is_empty() {
            self.emission(hub).start();
        }
        if self.changed.is_empty() {
            return;
        }
        let mut changed = core::mem::take(&mut self.changed);
        self.has_waiting = false;
        // An answer that has ended gets no more parts: those without an end of their own end now.
        let is_over = self.snapshot.response.status.is_terminal();
        let mut emission = self.emission(hub);
        // Parts first: their ends precede the end of their message.
        for object in &changed {
            if let SourceObject::Part(part) = *object {
                emission.objects[part].is_changed = false;
                emission.emit_part(part, is_over);
            }
        }
        for object in &changed {
            if let SourceObject::Message(message) = *object {
                emission.objects[message].is_changed = false;
                emission.emit_message(message);
            }
        }
        changed.clear();
        self.changed = changed;
    }

    /// Emits the steps that were deferred, at the end of the run.
    pub(super) fn emit_waiting(&mut self, hub: &mut Hub<'_>) {
        let mut emission = self.emission(hub);
        emission.start();
        for message in emission.objects.messages() {
            // A message that has ended may have received parts after its end.
            for part in emission.objects[message].parts.clone() {
                emission.emit_part(part, true);
            }
            emission.announce(message);
        }
    }
}
