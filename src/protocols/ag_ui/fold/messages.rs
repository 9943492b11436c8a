//! The messages of the thread: text and reasoning. (B.7.)

use alloc::{boxed::Box, vec::Vec};

use super::{AgUiFold, ContentPiece, ROOT};
use crate::bytes::string_map::StringMap;
use crate::core::Observed;
use crate::core::json_patch::Tree;
use crate::engine::{Context, FieldValue, ObjectId, ObjectLimit, Subject, TextSlot};
use crate::json::{Element, Str};
use crate::protocols::ag_ui::events::EventKind;
use crate::protocols::ag_ui::lifecycle::{EventHead, role_of};
use crate::protocols::ag_ui::{Message, Role, Snapshot, rules};

/// All messages, including removed ones.
#[derive(Clone, Debug, Default)]
pub(super) struct FoldedMessages {
    pub all: Vec<FoldedMessage>,
    /// The numbers of the messages in the list, in order.
    pub order: Vec<usize>,
    pub ids: IdIndex,
    pub calls: super::calls::FoldedCalls,
}

/// The numbers of messages or calls by id; for several with one id, the first in order.
#[derive(Clone, Debug, Default)]
pub(super) struct IdIndex(StringMap<Option<usize>>);

impl IdIndex {
    pub fn find(&self, id: &str) -> Option<usize> {
        self.0.get(id).copied().flatten()
    }

    /// Sets the number of an id.
    pub fn set(&mut self, id: &str, at: usize) {
        self.0.insert(id, Some(at));
    }

    /// Sets the number of an id that has none.
    pub fn add(&mut self, id: &str, at: usize) {
        self.0.get_or_insert_default(id).get_or_insert(at);
    }

    /// Removes a number, if its id has no other one.
    pub fn remove(&mut self, id: &str, at: usize) {
        self.0.get_mut(id).and_then(|known| known.take_if(|known| *known == at));
    }
}

/// The metadata of a message or a call.
#[derive(Clone, Debug)]
pub(super) struct ObjectMetadata {
    node: ObjectId,
    is_set: bool,
}

impl ObjectMetadata {
    pub fn of(node: ObjectId) -> Self {
        ObjectMetadata { node, is_set: false }
    }

    /// U14: merges metadata member by member; the last value counts.
    pub fn add(&mut self, metadata: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        let Some(metadata) = metadata else { return };
        if !core::mem::replace(&mut self.is_set, true) {
            cx.set_json(self.node, Message::metadata, metadata.raw().as_str());
            return;
        }
        for (name, value) in metadata.members() {
            let value = FieldValue::Json(value.raw());
            cx.set_in(self.node, Message::metadata, &[&*name.to_str()], value);
        }
    }
}

/// The state of a message in the engine.
#[derive(Clone, Debug)]
pub(super) struct FoldedMessage {
    pub node: ObjectId,
    pub owner: Subject,
    pub id: Box<str>,
    pub role: Role,
    pub text: Option<TextSlot>,
    pub metadata: ObjectMetadata,
    pub has_subagent: bool,
    /// The content and the kind of an activity.
    pub activity: Option<Box<(Tree, Box<str>)>>,
    /// The numbers of its calls.
    pub calls: Vec<usize>,
}

impl FoldedMessages {
    /// Adds a new message at the end of the list.
    pub fn open(&mut self, id: &str, role: Role, cx: &mut Context<'_>) -> Option<usize> {
        let at = self.make(id, role, cx)?;
        self.order.push(at);
        self.ids.add(id, at);
        Some(at)
    }

    /// Creates a message like [`open`](Self::open), but does not add it to the order.
    pub fn make(&mut self, id: &str, role: Role, cx: &mut Context<'_>) -> Option<usize> {
        let owner = cx.own(id);
        let node =
            cx.open(Message::KIND, ROOT, Snapshot::messages, ObjectLimit::Messages, owner)?;
        cx.set_short(node, Message::id, id);
        if role != Role::default() {
            cx.set(node, Message::role, role.value());
        }
        self.all.push(FoldedMessage {
            node,
            owner,
            id: id.into(),
            role,
            text: None,
            metadata: ObjectMetadata::of(node),
            has_subagent: false,
            activity: None,
            calls: Vec::new(),
        });
        Some(self.all.len() - 1)
    }

    pub fn set_subagent(&mut self, at: usize, subagent: Option<&str>, cx: &mut Context<'_>) {
        let Some(message) = self.all.get_mut(at) else { return };
        match subagent {
            Some(subagent) => cx.set_short(message.node, Message::subagent_run_id, subagent),
            None if message.has_subagent => cx.unset(message.node, Message::subagent_run_id),
            None => {}
        }
        message.has_subagent = subagent.is_some();
    }

    /// Ends all texts at the end of the input. An incomplete surrogate pair stays incomplete.
    pub fn end_texts(&self, cx: &mut Context<'_>) {
        let texts = self.order.iter().filter_map(|at| self.all.get(*at)?.text);
        let arguments = self.calls.all.iter().map(|call| call.arguments);
        texts.chain(arguments).for_each(|text| drop(cx.end_text(text)));
    }
}

impl AgUiFold {
    /// Opens a text or a reasoning message.
    pub(super) fn open_text(
        &mut self,
        head: &EventHead<'_>,
        piece: ContentPiece<'_>,
        cx: &mut Context<'_>,
    ) {
        let at = match self.messages.ids.find(head.id) {
            Some(at) if self.is_activity(at, head, cx) => return,
            Some(at) => at,
            None => {
                let role = match head.kind {
                    EventKind::ReasoningMessageStart => Role::Reasoning,
                    _ => role_of(&piece.role.unwrap_or(Str::plain("assistant")).to_str())
                        .unwrap_or_default(),
                };
                let Some(at) = self.messages.open(head.id, role, cx) else { return };
                let node = self.messages.all[at].node;
                cx.set_text(node, Message::content, "");
                if let Some(name) = piece.name {
                    cx.set_text(node, Message::name, &name.to_str());
                }
                self.messages.set_subagent(at, head.subagent, cx);
                at
            }
        };
        self.messages.all[at].metadata.add(head.metadata, cx);
    }

    pub(super) fn add_text(&mut self, head: &EventHead<'_>, delta: Str<'_>, cx: &mut Context<'_>) {
        let Some(at) =
            self.messages.ids.find(head.id).filter(|at| !self.is_activity(*at, head, cx))
        else {
            return;
        };
        let FoldedMessage { node, owner, text, metadata, .. } = &mut self.messages.all[at];
        let cell = *text.get_or_insert_with(|| cx.text(*node, Message::content, *owner));
        cx.append(cell, delta);
        metadata.add(head.metadata, cx);
    }

    pub(super) fn end_text(&mut self, head: &EventHead<'_>, cx: &mut Context<'_>) {
        let Some(at) =
            self.messages.ids.find(head.id).filter(|at| !self.is_activity(*at, head, cx))
        else {
            return;
        };
        if let Some(cell) = self.messages.all[at].text {
            cx.end_text(cell);
        }
        self.messages.all[at].metadata.add(head.metadata, cx);
        cx.note_text_end(self.messages.all[at].node, Message::content);
    }

    /// Reports whether a text event names an activity, which does not have a text.
    fn is_activity(&self, at: usize, head: &EventHead<'_>, cx: &mut Context<'_>) -> bool {
        let Some(message) =
            self.messages.all.get(at).filter(|message| message.role == Role::Activity)
        else {
            return false;
        };
        let text =
            [head.kind.name(), ": Message '", &message.id, "' is an activity message"].concat();
        cx.record_of(&rules::ID_COLLISION, &message.id, Observed::ClientMessage(&text));
        true
    }

    /// Sets the encrypted value of a call or message. Unknown ids are ignored.
    pub(super) fn encrypt(&mut self, head: &EventHead<'_>, value: &str, cx: &mut Context<'_>) {
        let node = match head.flag {
            true => {
                self.messages.calls.ids.find(head.id).map(|at| self.messages.calls.all[at].node)
            }
            false => {
                let message = self.messages.ids.find(head.id).map(|at| &self.messages.all[at]);
                message.filter(|message| message.role != Role::Activity).map(|message| message.node)
            }
        };
        if let Some(node) = node {
            cx.set_text(node, Message::encrypted_value, value);
        }
    }
}
