//! Messages and calls from the engine: their starts and ends at the hub.

use alloc::{borrow::ToOwned, string::String};

use super::{AgUiSource, EmittedItem, SourceObject};
use crate::engine::ObjectId;
use crate::hub::{Hub, MessageKind, Note, OpaquePlace, Role as HubRole, Step, ToolKind};
use crate::json::Value;
use crate::protocols::ag_ui::Role;

impl AgUiSource {
    pub(super) fn item(&mut self, node: ObjectId) -> Option<&mut EmittedItem> {
        match self.objects.get(node as usize) {
            Some(SourceObject::Item(at)) => self.items.get_mut(*at),
            _ => None,
        }
    }

    /// Marks an item as changed. For an activity or another object, marks the event as accepted by
    /// the engine.
    pub(super) fn touch(&mut self, node: ObjectId) {
        let Some(&SourceObject::Item(at)) = self.objects.get(node as usize) else {
            self.event.is_accepted = true;
            return;
        };
        let Some(item) = self.items.get_mut(at) else { return };
        if item.role == Role::Activity {
            self.event.is_accepted = true;
        } else if !core::mem::replace(&mut item.changed, true) {
            self.changed.push(at);
        }
    }

    /// Sets the id of an item. An open item at the hub with the same id continues as this one.
    pub(super) fn set_id(&mut self, at: usize, id: String) {
        let Some(item) = self.items.get_mut(at) else { return };
        let known = &mut self.by_id[usize::from(item.is_call)];
        let before = known.get(&id).copied();
        known.insert(&id, at);
        item.id = id;
        let replaced = before.filter(|_| self.event.is_bulk);
        if let Some(before) = replaced.and_then(|before| self.items.get_mut(before)) {
            let (number, open_in) = (before.number, core::mem::take(&mut before.open_in));
            let (emitted_text, name) =
                (core::mem::take(&mut before.emitted_text), before.name.take());
            before.listed = None;
            if let Some(item) = self.items.get_mut(at) {
                (item.number, item.open_in, item.emitted_text, item.changed) =
                    (number, open_in, emitted_text, true);
                item.name = name;
                self.changed.push(at);
                if !item.is_call {
                    self.open.push(at);
                }
            }
        }
    }

    /// Emits the changes.
    pub(super) fn flush(&mut self, hub: &mut Hub<'_>) {
        for at in core::mem::take(&mut self.changed) {
            let Some(item) = self.items.get_mut(at) else { continue };
            item.changed = false;
            if self.event.is_bulk {
                self.catch_up(at, hub);
                continue;
            }
            if core::mem::take(&mut item.begins) {
                self.begin(at, hub);
            }
            self.emit_rest(at, hub);
        }
    }

    /// Begins a message at the hub, unless it is open there.
    pub(super) fn begin(&mut self, at: usize, hub: &mut Hub<'_>) {
        let run = self.run + 1;
        if self.items.get(at).is_none_or(|item| item.is_open(run)) {
            return;
        }
        self.emit_added_before(at, hub);
        let Some(item) = self.items.get_mut(at) else { return };
        self.messages += 1;
        // A text that was emitted under an earlier number stays valid.
        let listed = item.listed.take().filter(|text| item.number == 0 && !text.is_empty());
        (item.number, item.open_in, item.begins) = (self.messages, run, false);
        item.is_taken_back = false;
        if !item.is_call {
            self.open.push(at);
        }
        let (kind, role) = match item.role {
            _ if item.is_call => (MessageKind::Call(ToolKind::Function), HubRole::Assistant),
            Role::Tool => (MessageKind::Result(ToolKind::Function), HubRole::Tool),
            Role::Reasoning => (MessageKind::Reasoning, HubRole::Assistant),
            role => (MessageKind::Message, HubRole::from(role.as_str())),
        };
        let parent =
            Some(item.parent.as_str()).filter(|parent| !parent.is_empty() && *parent != item.id);
        let (id, name) = match item.is_call {
            true => (None, None),
            false => (Some(item.id.as_str()), item.name.as_deref()),
        };
        if id == Some("") {
            hub.lose("message-id", "", "an empty id names nothing: it got another");
        }
        let message = item.number;
        let context = hub.meta().in_lane(item.lane.as_deref());
        hub.emit_in(context, &Step::Open { message, kind, role, id, name, parent, alternative: 0 });
        if item.is_call {
            let name = item.name.as_deref().unwrap_or_default();
            hub.emit_in(context, &Step::call(message, 0, &item.id, name, &[]));
        }
        if let Some(text) = listed.filter(|_| item.role != Role::Tool) {
            replace(item, &text, hub);
            item.emitted_text = text;
        }
    }

    /// Compares an open text with its content in a snapshot of the messages. An extension is
    /// emitted as the next piece; a different text is emitted after the snapshot.
    fn catch_up(&mut self, at: usize, hub: &mut Hub<'_>) {
        let run = self.run + 1;
        let Some(item) = self.items.get_mut(at).filter(|item| item.is_open(run)) else { return };
        if item.ends && item.listed.is_none() {
            // The event has ended a text of chunks, and does not list it.
            return self.emit_rest(at, hub);
        }
        let listed = item.listed.take().unwrap_or_default();
        match listed.strip_prefix(&*item.emitted_text) {
            Some("") => {}
            Some(rest) => hub.emit_in(hub.meta().in_lane(item.lane.as_deref()), &item.piece(rest)),
            None => self.replaced.push(at),
        }
        item.emitted_text = listed;
    }

    /// Emits the texts that a snapshot of the messages has replaced.
    pub(super) fn emit_replaced(&mut self, hub: &mut Hub<'_>) {
        for at in core::mem::take(&mut self.replaced) {
            if let Some(item) = self.items.get(at) {
                replace(item, &item.emitted_text, hub);
            }
        }
    }

    /// Emits the metadata of an item, the content of a result, and the end of the item.
    fn emit_rest(&mut self, at: usize, hub: &mut Hub<'_>) {
        let run = self.run + 1;
        let Some(item) = self.items.get_mut(at) else { return };
        let context = hub.meta().in_lane(item.lane.as_deref());
        let message = Some(item.number).filter(|number| *number > 0 && !item.is_call);
        let call = item.is_call.then_some(item.id.as_str());
        if message.or(call.map(|_| 0)).is_none()
            && (!item.metadata.is_empty() || item.opaque.is_some())
        {
            // Without a number, they would be those of the run.
            (item.metadata, item.opaque) = Default::default();
            hub.lose(
                "metadata",
                &item.id,
                "an event about a result that only a list of messages has",
            );
        }
        for value in core::mem::take(&mut item.metadata) {
            hub.emit_in(context, &Step::Note(Note::Metadata { value: &value, message, call }));
        }
        if let Some(value) = item.opaque.take() {
            let place = match (call, item.role == Role::Tool) {
                (Some(call), _) => OpaquePlace::call(item.number, call),
                (None, true) => OpaquePlace::result(message, &item.answers),
                (None, false) => OpaquePlace::part(item.number, 0),
            };
            let own = Value::from([("encryptedValue", value.as_str().into())]);
            hub.carried(&value, &own, place.in_lane(item.lane.as_deref()));
        }
        let message = item.number;
        if item.role == Role::Tool && item.is_open(run) {
            let content = core::mem::take(&mut item.content);
            let (text, parts) = match &content {
                Value::String(text) => (text.clone(), None),
                parts => (text_of(parts), Some(parts)),
            };
            let result = Step::Result {
                message,
                part: 0,
                id: &item.answers,
                name: None,
                output: &text,
                content: parts,
                preview: false,
                more: &[],
            };
            hub.emit_in(context, &result);
            item.ends = true;
        }
        if core::mem::take(&mut item.ends) && core::mem::take(&mut item.open_in) == run {
            self.added.record(item);
            item.emitted_text = String::new();
            hub.close_whole(context, message);
        }
    }
}

/// Emits the whole text or arguments of an item, which replace the emitted ones.
fn replace(item: &EmittedItem, text: &str, hub: &mut Hub<'_>) {
    let call = item.is_call.then_some(item.id.as_str());
    let note = Note::Replace { message: item.number, part: 0, text, call };
    hub.emit_in(hub.meta().in_lane(item.lane.as_deref()), &Step::Note(note));
}

/// Returns the text of parts, if all of them are text; otherwise the JSON of the parts.
pub(super) fn text_of(parts: &Value) -> String {
    let Value::Array(list) = parts else { return parts.to_text().into_owned() };
    let text = |part: &Value| Some(part.text("text")?.to_owned());
    list.iter().map(text).collect::<Option<String>>().unwrap_or_else(|| parts.to_json())
}
