//! Message events: identity, state, and the parts that replace the streamed ones.

use alloc::vec::Vec;

use super::{AgentApiFold, FoldedMessage, RESPONSE, set_error, set_integer, set_status, set_word};
use crate::bytes;
use crate::core::Observed;
use crate::engine::{Context, FieldValue, ObjectLimit};
use crate::json::Str;
use crate::protocols::agent_api::events::{ErrorValue, MessageEvent};
use crate::protocols::agent_api::lifecycle::{self, ObjectPhase, StatusEffect};
use crate::protocols::agent_api::{
    Content, Message, MessageType, Response, Role, RunStatus, rules,
};

/// The source of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageOrigin {
    /// An event of its own.
    Event,
    /// The output of a response.
    Output,
}

/// The state of a message after an event.
pub(super) struct NextState {
    phase: ObjectPhase,
    status: RunStatus,
    /// Whether the status itself is terminal.
    ends: bool,
}

impl AgentApiFold {
    pub(super) fn message(&mut self, event: &MessageEvent<'_>, cx: &mut Context<'_>) {
        let violations = cx.violations();
        self.inside_response("a message", cx);
        if let Some(at) = self.listed_message(event, MessageOrigin::Event, cx)
            && cx.violations() == violations
        {
            self.remember_message(at, event);
        }
    }

    /// Applies a message event or a message in `output`; returns the position of the message.
    pub(super) fn listed_message(
        &mut self,
        event: &MessageEvent<'_>,
        source: MessageOrigin,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let known = event.id().and_then(|id| self.find(id, cx));
        let at = match known {
            Some(at) => at,
            None => self.new_message(event, source, cx)?,
        };
        self.touch(at);
        self.status_cache.forget();
        let was_known = known.is_some();
        self.message_kind(at, event, was_known, cx);
        let status = event.status().map(|status| status.to_str());
        let next = self.next_phase(at, status.as_deref(), source, cx);
        self.message_status(at, event.sequence_number(), status.as_deref(), &next, cx);
        self.message_members(at, event, cx);
        // Skipped elements are equal to the existing parts.
        if event.content().is_some_and(|list| !list.has_skipped()) {
            self.message_parts(at, event, source, was_known, next.phase == ObjectPhase::Ended, cx);
        }
        self.enter(at, &next, cx);
        Some(at)
    }

    /// Marks a message as the latest one, and discards the fingerprint of the event that ended it.
    pub(super) fn touch(&mut self, at: usize) {
        self.latest = at;
        self.messages[at].fingerprints = None;
    }

    /// Returns the state of a message after an event with this status.
    pub(super) fn next_phase(
        &self,
        at: usize,
        status: Option<&str>,
        source: MessageOrigin,
        cx: &mut Context<'_>,
    ) -> NextState {
        let (from, heartbeat) = (self.messages[at].phase, self.messages[at].heartbeat);
        let known = RunStatus::from(status.unwrap_or("created"));
        let change = StatusEffect::of(&known);
        if change == StatusEffect::Nothing {
            self.record_in(cx, &rules::STATUS_UNKNOWN, at, None, Observed::Name(known.as_str()));
        }
        let step = lifecycle::message(from, change);
        let phase = match source {
            MessageOrigin::Event if !heartbeat => {
                self.step(step, from, at, status.unwrap_or("no status"), cx)
            }
            // A response repeats its messages, and a heartbeat is a single event: neither violates
            // the order.
            MessageOrigin::Event | MessageOrigin::Output => step.phase(from),
        };
        NextState {
            phase,
            status: known,
            ends: phase == ObjectPhase::Ended && change == StatusEffect::End,
        }
    }

    /// Sets the members that differ in every event about a message.
    pub(super) fn message_status(
        &mut self,
        at: usize,
        number: Option<i64>,
        status: Option<&str>,
        next: &NextState,
        cx: &mut Context<'_>,
    ) {
        let Some(node) = self.messages[at].node else { return };
        set_integer(node, Message::sequence_number, number, cx);
        if let Some(status) = status.filter(|_| next.phase != ObjectPhase::Ended || next.ends) {
            set_status(node, status, cx);
        }
    }

    /// Enters the next state, after the members of an event about a message have been applied.
    pub(super) fn enter(&mut self, at: usize, next: &NextState, cx: &mut Context<'_>) {
        let state = &mut self.messages[at];
        if next.phase == ObjectPhase::Ended && state.phase != ObjectPhase::Ended && !state.heartbeat
        {
            self.open.remove(at);
        }
        state.phase = next.phase;
        if next.ends {
            state.completed = next.status == RunStatus::Completed;
            self.end_parts(at, &next.status, cx);
        }
    }

    /// Returns the position of a message by its id.
    pub(super) fn find(&self, id: Str<'_>, cx: &Context<'_>) -> Option<usize> {
        if let (Some(text), Some(latest)) = (id.as_plain(), self.messages.get(self.latest))
            && bytes::same(cx.id(latest.owner).as_bytes(), text.as_bytes())
        {
            return Some(self.latest);
        }
        self.by_id.get(&id.to_str()).copied()
    }

    #[inline(never)]
    fn new_message(
        &mut self,
        event: &MessageEvent<'_>,
        source: MessageOrigin,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let id = event.id().map_or_else(Default::default, Str::to_str);
        if event.id().is_none() {
            cx.record(&rules::MESSAGE_WITHOUT_ID, Observed::Words("no id"));
        }
        // Contents without any `msg_id` came before: they belong to this message.
        let nameless =
            (self.messages.len() == 1 && cx.id(self.messages[0].owner).is_empty()).then_some(0);
        let at = match nameless {
            Some(at) => {
                if !id.is_empty() {
                    cx.rename(self.messages[at].owner, &id);
                    self.name_message(at, &id, cx);
                }
                at
            }
            None => {
                let is_heartbeat =
                    event.kind().is_some_and(|kind| kind == MessageType::Heartbeat.as_str());
                self.open_message(&id, is_heartbeat, cx)?
            }
        };
        if source == MessageOrigin::Output {
            self.record_in(
                cx,
                &rules::OUTPUT_ADDS_MESSAGE,
                at,
                None,
                Observed::Words("never streamed"),
            );
        }
        Some(at)
    }

    /// Opens a message: at its first event, or at a content that arrived before.
    pub(super) fn open_message(
        &mut self,
        id: &str,
        heartbeat: bool,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let heartbeat = heartbeat && !self.choices.keep_heartbeats;
        let (parent, counted) = (RESPONSE, ObjectLimit::Messages);
        let owner = cx.next_owner();
        let node = match heartbeat {
            true => cx.count(parent, counted).then_some(None)?,
            false => Some(cx.open(Message::KIND, parent, Response::output, counted, owner)?),
        };
        cx.own(id);
        self.messages.push(FoldedMessage {
            owner,
            node,
            phase: ObjectPhase::Absent,
            kind: MessageType::Message,
            role: None,
            heartbeat,
            parts: Vec::new(),
            opened: cx.at(),
            completed: false,
            listed_in: 0,
            fingerprints: None,
        });
        let at = self.messages.len() - 1;
        if !heartbeat {
            self.open.insert(at);
        }
        if !id.is_empty() {
            self.name_message(at, id, cx);
        }
        Some(at)
    }

    fn name_message(&mut self, at: usize, id: &str, cx: &mut Context<'_>) {
        self.by_id.insert(id, at);
        if let Some(node) = self.messages[at].node {
            cx.set_short(node, Message::id, id);
            for part in &self.messages[at].parts {
                cx.share(part.node, Content::msg_id, node, Message::id);
            }
        }
    }

    /// Applies type and role, in both spellings.
    fn message_kind(
        &mut self,
        at: usize,
        event: &MessageEvent<'_>,
        was_known: bool,
        cx: &mut Context<'_>,
    ) {
        let mut kind = event.kind().map(|kind| kind.to_str());
        let mut role = event.role().map(|role| role.to_str());
        if let Some(seed) = kind.clone().filter(|kind| Role::known(kind).is_some()) {
            // The upstream documents write the role instead of the type.
            self.record_in(cx, &rules::SEED_MESSAGE_TYPE, at, None, Observed::Named("type", &seed));
            role = role.or(Some(seed));
            kind = Some("message".into());
        }
        let state = &self.messages[at];
        let (announced, node) = (was_known && state.phase != ObjectPhase::Absent, state.node);
        if let Some(kind) =
            kind.map(|kind| MessageType::from(&*kind)).filter(|kind| *kind != state.kind)
        {
            if announced {
                self.record_in(
                    cx,
                    &rules::MESSAGE_CHANGED,
                    at,
                    None,
                    Observed::Named("type", kind.as_str()),
                );
            }
            if let Some(node) = node {
                set_word(node, Message::r#type, kind.as_str(), cx);
            }
            self.messages[at].kind = kind;
            // The meaning of a content depends on the type of its message, so that a repetition has
            // to be read again.
            self.messages[at].parts.iter_mut().for_each(|part| part.fingerprints = None);
            self.link_parts(at, cx);
        }
        let state = &self.messages[at];
        if let Some(role) =
            role.filter(|role| state.role.as_ref().map(Role::as_str) != Some(&**role))
        {
            if announced && state.role.is_some() {
                self.record_in(
                    cx,
                    &rules::MESSAGE_CHANGED,
                    at,
                    None,
                    Observed::Named("role", &role),
                );
            }
            if let Some(node) = node {
                set_word(node, Message::role, &role, cx);
            }
            self.messages[at].role = Some(Role::from(&*role));
        }
    }

    fn message_members(&mut self, at: usize, event: &MessageEvent<'_>, cx: &mut Context<'_>) {
        let Some(node) = self.messages[at].node else { return };
        if let Some(error) = event.error() {
            set_error(node, &ErrorValue::read(error), "UNKNOWN", cx);
        }
        for (key, text) in [(Message::code, event.code()), (Message::message, event.message())] {
            if let Some(text) = text {
                cx.set_text(node, key, &text.to_str());
            }
        }
        for (key, value) in [(Message::usage, event.usage()), (Message::metadata, event.metadata())]
        {
            if let Some(value) = value {
                cx.set(node, key, FieldValue::Free(value));
            }
        }
        for (name, value) in event.undeclared() {
            cx.set_extra(node, &name, value);
        }
    }
}
