//! The messages of the thread: text and reasoning. (B.7.)

use alloc::{boxed::Box, string::String, vec::Vec};

use super::look::Looks;
use super::{AgUiMeaning, ROOT};
use crate::bytes::string_map::StringMap;
use crate::core::Observed;
use crate::core::json_patch::Patched;
use crate::engine::{Context, Counted, Key, Node, Owner, TextCell};
use crate::json::{Element, Str};
use crate::protocols::ag_ui::lifecycle::{Owned, Thing};
use crate::protocols::ag_ui::members::role_of;
use crate::protocols::ag_ui::{Message, Role, Snapshot, rules};

/// All messages, including removed ones.
#[derive(Debug, Default)]
pub(super) struct Messages {
    pub all: Vec<Held>,
    /// The numbers of the messages in the list, in order.
    pub order: Vec<usize>,
    /// The numbers of messages by id; for several with one id, the first in order.
    by_id: StringMap<Option<usize>>,
    pub calls: super::calls::Calls,
}

/// The state of a message in the engine.
#[derive(Debug)]
pub(super) struct Held {
    pub node: Node,
    pub owner: Owner,
    pub id: Box<str>,
    pub role: Role,
    pub text: Option<TextCell>,
    pub has_metadata: bool,
    pub has_lane: bool,
    /// The content and the kind of an activity.
    pub activity: Option<Box<(Patched, Box<str>)>>,
    /// The numbers of its calls.
    pub calls: Vec<usize>,
}

impl Messages {
    pub fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied().flatten()
    }

    /// Removes the entry of this id.
    pub fn forget(&mut self, id: &str) {
        self.by_id.insert(id, None);
    }

    /// Registers a message as the first one with this id.
    pub fn know(&mut self, id: &str, at: usize) {
        self.by_id.insert(id, Some(at));
    }

    /// Adds a new message at the end of the list.
    pub fn open(&mut self, id: &str, role: Role, cx: &mut Context<'_>) -> Option<usize> {
        let at = self.make(id, role, cx)?;
        self.order.push(at);
        if self.find(id).is_none() {
            self.know(id, at);
        }
        Some(at)
    }

    /// Creates a message like [`open`](Self::open), but does not add it to the order.
    pub fn make(&mut self, id: &str, role: Role, cx: &mut Context<'_>) -> Option<usize> {
        let owner = cx.own(id);
        let node = cx.open(Message::KIND, ROOT, Snapshot::messages, Counted::Messages, owner)?;
        cx.set_short(node, Message::id, id);
        if role != Role::default() {
            cx.set(node, Message::role, role.value());
        }
        self.all.push(Held {
            node,
            owner,
            id: id.into(),
            role,
            text: None,
            has_metadata: false,
            has_lane: false,
            activity: None,
            calls: Vec::new(),
        });
        Some(self.all.len() - 1)
    }

    /// Returns the cell of a message's text, and creates it if it does not exist.
    pub fn cell(&mut self, at: usize, cx: &mut Context<'_>) -> Option<TextCell> {
        let held = self.all.get_mut(at)?;
        Some(*held.text.get_or_insert_with(|| cx.text(held.node, Message::content, held.owner)))
    }

    pub fn set_lane(&mut self, at: usize, lane: Option<&str>, cx: &mut Context<'_>) {
        let Some(held) = self.all.get_mut(at) else { return };
        match lane {
            Some(lane) => cx.set_short(held.node, Message::subagent_run_id, lane),
            None if held.has_lane => cx.unset(held.node, Message::subagent_run_id),
            None => {}
        }
        held.has_lane = lane.is_some();
    }

    pub fn add_metadata(&mut self, at: usize, metadata: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        if let (Some(held), Some(metadata)) = (self.all.get_mut(at), metadata) {
            add_metadata(held.node, Message::metadata, &mut held.has_metadata, metadata, cx);
        }
    }

    /// Ends all texts at the end of the input. An incomplete surrogate pair stays incomplete.
    pub fn end_texts(&self, cx: &mut Context<'_>) {
        let texts = self.order.iter().filter_map(|at| self.all.get(*at)?.text);
        texts.chain(self.calls.texts()).for_each(|text| drop(cx.end_text(text)));
    }
}

/// U14: merges metadata member by member; the last value counts.
pub(super) fn add_metadata(
    node: Node,
    key: Key,
    has: &mut bool,
    metadata: Element<'_, '_>,
    cx: &mut Context<'_>,
) {
    if !core::mem::replace(has, true) {
        cx.set_json(node, key, metadata.raw().as_str());
        return;
    }
    for (name, value) in metadata.members() {
        cx.set_in(node, key, &[&*name.to_str()], crate::engine::SinkValue::Json(value.raw()));
    }
}

impl AgUiMeaning {
    pub(super) fn start_text(
        &mut self,
        thing: Thing,
        id: &str,
        role: Option<Str<'_>>,
        name: Option<Str<'_>>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        let owned = thing.words().owned;
        if !self.may_start(thing, id, it, cx) || !self.is_in_lane(owned, id, it, cx) {
            return;
        }
        self.life.started(thing, id, it.lane, None);
        let known = self.messages.find(id);
        let at = match known {
            Some(at) if self.is_activity(at, it, cx) => return,
            Some(at) => at,
            None => {
                let role = role.map(Str::to_str);
                let role = match (thing, role.as_deref()) {
                    (Thing::Reasoning, _) => Role::Reasoning,
                    (_, role) => role_of(role.unwrap_or("assistant")).unwrap_or_default(),
                };
                let Some(at) = self.messages.open(id, role, cx) else { return };
                let node = self.messages.all[at].node;
                cx.set_text(node, Message::content, "");
                if let Some(name) = name {
                    cx.set_text(node, Message::name, &name.to_str());
                }
                self.messages.set_lane(at, it.lane, cx);
                at
            }
        };
        self.messages.add_metadata(at, it.metadata, cx);
    }

    pub(super) fn add_text(
        &mut self,
        thing: Thing,
        id: &str,
        delta: Str<'_>,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        if !self.may_go_on(thing, id, it, cx) {
            return;
        }
        if !self.life.open.names(thing).is_open(id) {
            // A stream without a run (K13).
            let start = &Looks { name: thing.words().start, metadata: None, ..it.clone() };
            self.start_text(thing, id, None, None, start, cx);
        }
        let Some(at) = self.messages.find(id).filter(|at| !self.is_activity(*at, it, cx)) else { return };
        if let Some(cell) = self.messages.cell(at, cx) {
            cx.append(cell, delta);
        }
        self.messages.add_metadata(at, it.metadata, cx);
    }

    pub(super) fn end_text(&mut self, thing: Thing, id: &str, it: &Looks<'_>, cx: &mut Context<'_>) {
        if !self.may_go_on(thing, id, it, cx) {
            return;
        }
        self.life.open.names_mut(thing).close(id);
        let Some(at) = self.messages.find(id).filter(|at| !self.is_activity(*at, it, cx)) else { return };
        if let Some(cell) = self.messages.all[at].text {
            cx.end_text(cell);
        }
        self.messages.add_metadata(at, it.metadata, cx);
        cx.say_end(self.messages.all[at].node, Message::content);
    }

    /// Reports whether a text event names an activity, which does not have a text.
    fn is_activity(&self, at: usize, it: &Looks<'_>, cx: &mut Context<'_>) -> bool {
        let Some(held) = self.messages.all.get(at).filter(|held| held.role == Role::Activity) else {
            return false;
        };
        let said = [it.name, ": Message '", &held.id, "' is an activity message"].concat();
        cx.breach_of(&rules::ID_COLLISION, &held.id, Observed::Said(&said));
        true
    }

    pub(super) fn start_span(&mut self, id: &str, it: &Looks<'_>, cx: &mut Context<'_>) {
        use crate::protocols::ag_ui::model::{ReasoningSpan, Status};
        if !self.may_start(Thing::Span, id, it, cx) || !self.is_in_lane(Owned::Reasoning, id, it, cx) {
            return;
        }
        let node =
            cx.open(ReasoningSpan::KIND, ROOT, Snapshot::reasoning_spans, Counted::Messages, Owner::NONE);
        if let Some(node) = node {
            cx.set_short(node, ReasoningSpan::message_id, id);
            cx.set(node, ReasoningSpan::status, Status::Running.value());
            if let Some(lane) = it.lane {
                cx.set_short(node, ReasoningSpan::subagent_run_id, lane);
            }
        }
        self.life.started(Thing::Span, id, it.lane, node);
    }

    pub(super) fn end_span(&mut self, id: &str, it: &Looks<'_>, cx: &mut Context<'_>) {
        use crate::protocols::ag_ui::model::{ReasoningSpan, Status};
        if self.may_go_on(Thing::Span, id, it, cx)
            && let Some(node) = self.life.open.names_mut(Thing::Span).close(id)
        {
            cx.set(node, ReasoningSpan::status, Status::Finished.value());
        }
    }

    /// Sets the encrypted value of a call or message. Unknown ids are ignored.
    pub(super) fn encrypt(
        &mut self,
        is_call: bool,
        id: &str,
        value: &str,
        it: &Looks<'_>,
        cx: &mut Context<'_>,
    ) {
        if !self.is_alive(it, cx) || !self.allows(self.life.may_encrypt(is_call, id, it.said()), cx) {
            return;
        }
        if is_call {
            let call = self.messages.calls.find(id);
            return call.into_iter().for_each(|call| self.messages.calls.encrypt(call, value, cx));
        }
        let held = self.messages.find(id).and_then(|at| self.messages.all.get(at));
        if let Some(held) = held.filter(|held| held.role != Role::Activity) {
            cx.set_text(held.node, Message::encrypted_value, value);
        }
    }
}

/// Makes an owned copy of an id.
pub(super) fn boxed(id: &str) -> Box<str> {
    String::from(id).into_boxed_str()
}
