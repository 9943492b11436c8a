//! Emission of the messages and contents of a response.

use alloc::{borrow::ToOwned, vec::Vec};

use super::{Object, Phase, State, emit, note_name, place};
use crate::bytes::string_map::Numbers;
use crate::engine::{Key, Node, Sink, SinkValue};
use crate::hub::{Hub, MessageKind, Note, Role, Step};
use crate::protocols::agent_api::hub::{MODEL, PARENT, PENDING, RESULT, kind};
use crate::protocols::agent_api::model::{DataContent, RefusalContent, TextContent};
use crate::protocols::agent_api::{Content, Message};

impl State {
    pub fn note_set(&mut self, node: Node, key: Key, value: SinkValue<'_>, hub: &mut Hub<'_>) {
        self.touch(node);
        if let Some(message) = self.objects.message(node) {
            message.announced |= matches!(
                key,
                Message::status | Message::sequence_number | Message::r#type | Message::role
            );
            if key == Message::r#type && message.opened {
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
    pub fn lose_extra(&mut self, node: Node, name: &str, hub: &mut Hub<'_>) {
        let message = self.objects.part(node).map_or(node, |part| part.message);
        let noted =
            self.objects.message(message).map(|state| core::mem::replace(&mut state.extra, true));
        // The known members of a response are converted; any others are rare enough to be noted
        // each time.
        let is_known = matches!(name, "incomplete_details" | MODEL | PARENT | RESULT | PENDING);
        if noted == Some(false) || (noted.is_none() && !is_known) {
            let id = self.snapshot.message_of(message).map_or("", |message| &message.id);
            hub.lose(
                "undeclared-member",
                if id.is_empty() { name } else { id },
                "the hub has declared members",
            );
        }
    }

    /// Keeps the emitted arguments of a call before its data is replaced, to determine later
    /// whether the new arguments continue them.
    pub fn keep_emitted_text(&mut self, node: Node) {
        let Some(part) = self.objects.part(node).filter(|part| part.phase == Phase::Open) else {
            return;
        };
        if part.other.is_none() && part.emitted_bytes > 0 {
            let data = self.snapshot.content_of(node).and_then(Content::data);
            let current = data.and_then(|data| data.get("arguments")?.as_str());
            part.other = Some(
                current
                    .and_then(|current| current.get(..part.emitted_bytes))
                    .unwrap_or("")
                    .to_owned(),
            );
        }
    }

    /// Marks an object as changed by the current event.
    pub fn touch(&mut self, node: Node) {
        let changed = match self.objects.0.get_mut(node as usize) {
            Some(Object::Message(message)) => &mut message.changed,
            Some(Object::Part(part)) => &mut part.changed,
            _ => return,
        };
        if !core::mem::replace(changed, true) {
            self.changed.push(node);
        }
    }

    /// Emits the part of a whole text that has not been emitted.
    pub fn replace(&mut self, node: Node, text: &str, hub: &mut Hub<'_>) {
        if !self.begins_text(node, hub) {
            return;
        }
        let current = self.snapshot.content_of(node).and_then(emit::text).unwrap_or("");
        if let Some(part) = self.objects.part(node) {
            emit::whole_text(part, node, current, text, hub);
        }
    }

    /// Emits a piece of the arguments of a call. Arguments in earlier whole values were held back,
    /// because servers that send those replace them (an empty object first, then the arguments); a
    /// piece confirms them.
    pub fn arguments(&mut self, node: Node, path: &[&str], text: &str, hub: &mut Hub<'_>) {
        let data = self.snapshot.content_of(node).and_then(Content::data);
        let Some(part) = self.objects.part(node).filter(|part| part.phase == Phase::Open) else {
            return self.touch(node);
        };
        // Members other than the arguments are emitted at the start of a call.
        if path != ["arguments"] || part.other.is_some() {
            return;
        }
        let current = data.and_then(|data| data.get("arguments")?.as_str()).unwrap_or("");
        let rest = current.get(part.emitted_bytes..).unwrap_or("");
        part.emitted_bytes = current.len() + text.len();
        for piece in [rest, text].into_iter().filter(|piece| !piece.is_empty()) {
            hub.emit(&Step::Arguments { message: part.message, part: node, piece });
        }
    }

    /// Ends and retracts the parts that a message no longer contains.
    pub fn drop_others(&mut self, parent: Node, nodes: &[Node], hub: &mut Hub<'_>) {
        let Some(message) = self.objects.message(parent) else { return };
        if message.parts.len() <= nodes.len() {
            return;
        }
        let mut remaining = Numbers::default();
        nodes.iter().for_each(|&node| remaining.insert(node.into(), ()));
        let stays = |&node: &Node| remaining.get(node.into()).is_some();
        let (remaining, dropped) = core::mem::take(&mut message.parts).into_iter().partition(stays);
        message.parts = remaining;
        let dropped: Vec<Node> = dropped;
        for node in dropped {
            self.end_dropped(parent, node, hub);
        }
    }

    /// Ends and retracts a part that its message no longer contains.
    pub fn drop_part(&mut self, parent: Node, node: Node, hub: &mut Hub<'_>) {
        if let Some(message) = self.objects.message(parent) {
            message.parts.retain(|part| *part != node);
            self.end_dropped(parent, node, hub);
        }
    }

    fn end_dropped(&mut self, parent: Node, node: Node, hub: &mut Hub<'_>) {
        let Some(part) = self.objects.part(node) else { return };
        let before = core::mem::replace(&mut part.phase, Phase::Ended);
        if before == Phase::Open {
            hub.emit(&Step::EndPart { message: parent, part: node, whole: true });
        }
        if before != Phase::Silent {
            hub.note(Note::Retract { message: parent, part: Some(node) });
        }
    }

    /// Returns whether a part is a text or a refusal; opens its message before the first piece.
    pub fn begins_text(&mut self, node: Node, hub: &mut Hub<'_>) -> bool {
        let Some(part) = self.objects.part(node) else { return false };
        if !matches!(part.kind, TextContent::KIND | RefusalContent::KIND) {
            return false;
        }
        let (message, phase) = (part.message, part.phase);
        if phase == Phase::Silent {
            self.open_message(message, hub);
        }
        true
    }

    /// Emits the beginning of a message. One that stands for a step is emitted as that step, when
    /// it is complete.
    pub fn announce(&mut self, node: Node, hub: &mut Hub<'_>) {
        self.start(hub);
        if self.snapshot.message_of(node).and_then(note_name).is_none() {
            self.open_message(node, hub);
        }
    }

    /// Emits the beginning of a message, with its current type.
    pub fn open_message(&mut self, node: Node, hub: &mut Hub<'_>) {
        self.start(hub);
        let Some(message) = self.snapshot.message_of(node) else { return };
        let Some(state) = self.objects.message(node) else { return };
        if !core::mem::replace(&mut state.opened, true) {
            let kind = kind(&message.r#type);
            let role =
                message.role.as_ref().map_or(default_role(kind), |role| Role::from(role.as_str()));
            let id = Some(message.id.as_str()).filter(|id| !id.is_empty());
            hub.emit(&Step::open(node, kind, role, id));
        }
    }

    fn start(&mut self, hub: &mut Hub<'_>) {
        if !core::mem::replace(&mut self.started, true) {
            let response = &self.snapshot.response;
            let id = Some(response.id.as_str()).filter(|id| !id.is_empty());
            let member = |name: &str| {
                response.extra.iter().find(|member| member.key == name)?.value.as_str()
            };
            hub.emit(&Step::Start {
                id,
                session_id: response.session_id.as_deref(),
                parent_id: member(PARENT),
                model: member(MODEL),
                created_at: None,
            });
        }
    }

    /// Emits the steps of all objects that an event has changed.
    pub fn emit_changed(&mut self, hub: &mut Hub<'_>) {
        if !self.started && !self.snapshot.response.id.is_empty() {
            self.start(hub);
        }
        if self.changed.is_empty() {
            return;
        }
        // Parts first: their ends precede the end of their message.
        let changed = core::mem::take(&mut self.changed);
        for &node in &changed {
            if let Some(part) = self.objects.part(node) {
                part.changed = false;
                emit::part(self, node, false, hub);
            }
        }
        for &node in &changed {
            if let Some(message) = self.objects.message(node) {
                message.changed = false;
                emit::message(self, node, hub);
            }
        }
        self.changed = changed;
        self.changed.clear();
    }

    /// Emits the steps that were deferred, at the end of the run.
    pub fn emit_waiting(&mut self, hub: &mut Hub<'_>) {
        self.start(hub);
        for node in 0..self.objects.0.len() as Node {
            let Some(message) = self.objects.message(node) else { continue };
            // A message that has ended may have received parts after its end.
            for part in message.parts.clone() {
                emit::part(self, part, true, hub);
            }
            self.announce(node, hub);
        }
    }
}

/// Returns the role of a message without one: for an answer to a question the agent, otherwise the
/// default of its kind.
fn default_role(kind: MessageKind<'_>) -> Role<'static> {
    match kind {
        MessageKind::Answer => Role::Assistant,
        kind => kind.default_role(),
    }
}
