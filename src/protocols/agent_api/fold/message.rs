//! Message events: identity, state, and the parts that replace what was streamed.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::parts::Listing;
use super::state::MessageState;
use super::{AgentApiFold, RESPONSE};
use crate::core::fold::{Counted, Key, Metered, SinkValue};
use crate::core::observed::Observed;
use crate::json::{Element, Str};
use crate::protocols::agent_api::event::{ErrorValue, MessageEvent};
use crate::protocols::agent_api::lifecycle::{self, Change, Phase};
use crate::protocols::agent_api::model::{Content, Message, Response};
use crate::protocols::agent_api::rules;
use crate::protocols::agent_api::{MessageType, Role, RunStatus};

/// Where a message was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// In an event of its own.
    Event,
    /// In the output of a response.
    Output,
}

/// Where an event leads a message.
pub(super) struct Next {
    phase: Phase,
    status: RunStatus,
    /// It is the status that says so.
    ends: bool,
}

impl AgentApiFold {
    pub(super) fn message(&mut self, event: MessageEvent<'_>, sink: &mut Metered<'_>) {
        let breaches = self.breaches;
        self.inside_response("a message");
        if let Some(at) = self.listed_message(&event, Source::Event, sink)
            && self.breaches == breaches
        {
            self.remember_message(at, &event);
        }
    }

    /// Takes what is said about a message; returns its position.
    pub(super) fn listed_message(
        &mut self,
        event: &MessageEvent<'_>,
        source: Source,
        sink: &mut Metered<'_>,
    ) -> Option<usize> {
        let known = event.id().and_then(|id| self.find(id));
        let at = match known {
            Some(at) => at,
            None => self.new_message(event, source, sink)?,
        };
        self.touch(at);
        self.status_cache.forget();
        let was_known = known.is_some();
        self.message_kind(at, event, was_known, sink);
        let status = event.status().map(|status| status.to_str());
        let next = self.next_phase(at, status.as_deref(), source);
        self.message_status(at, event.sequence_number(), status.as_deref(), &next, sink);
        self.message_members(at, event, sink);
        // What was skipped is what is there.
        if event.content().is_some_and(|list| !list.has_skipped()) {
            let listing = Listing { source, was_known, is_final: next.phase == Phase::Ended };
            self.message_parts(at, event, listing, sink);
        }
        self.enter(at, &next, sink);
        Some(at)
    }

    /// An event is about a message: it is the latest, and no longer as the event that ended it left it.
    pub(super) fn touch(&mut self, at: usize) {
        self.latest = at;
        self.messages[at].fingerprints = None;
    }

    /// What a status does to a message.
    pub(super) fn next_phase(&mut self, at: usize, status: Option<&str>, source: Source) -> Next {
        let (from, heartbeat) = (self.messages[at].phase, self.messages[at].heartbeat);
        let known = RunStatus::from(status.unwrap_or("created"));
        let change = Change::of(&known);
        if change == Change::Nothing {
            self.breach_in(&rules::STATUS_UNKNOWN, at, None, Observed::Name(known.as_str()));
        }
        let step = lifecycle::message(from, change);
        let phase = match source {
            Source::Event if !heartbeat => self.step(step, from, Some(at), status.unwrap_or("no status")),
            // A response repeats its messages, and a heartbeat comes whole: that breaks no order.
            Source::Event | Source::Output => step.phase(from),
        };
        Next { phase, status: known, ends: phase == Phase::Ended && change == Change::End }
    }

    /// The members that differ in every event about a message.
    pub(super) fn message_status(
        &mut self,
        at: usize,
        number: Option<i64>,
        status: Option<&str>,
        next: &Next,
        sink: &mut Metered<'_>,
    ) {
        let Some(node) = self.messages[at].node else { return };
        if let Some(number) = number {
            sink.set(node, Message::sequence_number, SinkValue::Int(number));
        }
        if let Some(status) = status.filter(|_| next.phase != Phase::Ended || next.ends) {
            self.set_status(node, status, sink);
        }
    }

    /// An event about a message has been taken.
    pub(super) fn enter(&mut self, at: usize, next: &Next, sink: &mut Metered<'_>) {
        let state = &mut self.messages[at];
        if next.phase == Phase::Ended && state.phase != Phase::Ended && !state.heartbeat {
            self.open.remove(at);
        }
        state.phase = next.phase;
        if next.ends {
            state.completed = next.status == RunStatus::Completed;
            self.end_parts(at, &next.status, sink);
        }
    }

    /// The position of a message by its id.
    pub(super) fn find(&self, id: Str<'_>) -> Option<usize> {
        if let (Some(text), Some(latest)) = (id.as_plain(), self.messages.get(self.latest))
            && latest.id == text
        {
            return Some(self.latest);
        }
        self.by_id.get(&id.to_str()).copied()
    }

    #[inline(never)]
    fn new_message(
        &mut self,
        event: &MessageEvent<'_>,
        source: Source,
        sink: &mut Metered<'_>,
    ) -> Option<usize> {
        let id = event.id().map_or_else(Default::default, Str::to_str);
        if event.id().is_none() {
            self.breach(&rules::MESSAGE_WITHOUT_ID, Observed::Words("no id"));
        }
        // Contents without any msg_id came before: this is the message they belong to.
        let nameless = (self.messages.len() == 1 && self.messages[0].id.is_empty()).then_some(0);
        let at = match nameless {
            Some(at) => at,
            None => {
                let kind = MessageType::from(&*event.kind().map_or_else(Default::default, Str::to_str));
                self.open_message(kind == MessageType::Heartbeat, sink)?
            }
        };
        self.name_message(at, &id, sink);
        if source == Source::Output {
            self.breach_in(&rules::OUTPUT_ADDS_MESSAGE, at, None, Observed::Words("never streamed"));
        }
        Some(at)
    }

    /// A message that only its contents have told of so far.
    pub(super) fn provisional_message(&mut self, id: &str, sink: &mut Metered<'_>) -> Option<usize> {
        let at = self.open_message(false, sink)?;
        self.name_message(at, id, sink);
        Some(at)
    }

    fn open_message(&mut self, heartbeat: bool, sink: &mut Metered<'_>) -> Option<usize> {
        let heartbeat = heartbeat && !self.choices.keep_heartbeats;
        let (parent, counted) = (RESPONSE, Counted::Messages);
        let node = match heartbeat {
            true => sink.count(parent, counted).then_some(None)?,
            false => {
                let owner = self.messages.len() as u32;
                Some(sink.open(Message::KIND, parent, Response::output, counted, owner)?)
            }
        };
        self.messages.push(MessageState {
            id: String::new(),
            node,
            phase: Phase::Absent,
            kind: MessageType::Message,
            role: None,
            heartbeat,
            parts: Vec::new(),
            opened: self.at,
            completed: false,
            listed_in: 0,
            fingerprints: None,
        });
        let at = self.messages.len() - 1;
        if !heartbeat {
            self.open.insert(at);
        }
        Some(at)
    }

    fn name_message(&mut self, at: usize, id: &str, sink: &mut Metered<'_>) {
        if id.is_empty() {
            return;
        }
        self.messages[at].id = id.to_owned();
        self.by_id.insert(id, at);
        if let Some(node) = self.messages[at].node {
            sink.set_short(node, Message::id, id);
            for part in &self.messages[at].parts {
                sink.share(part.node, Content::msg_id, node, Message::id);
            }
        }
    }

    /// Type and role, in both spellings.
    fn message_kind(&mut self, at: usize, event: &MessageEvent<'_>, was_known: bool, sink: &mut Metered<'_>) {
        let mut kind = event.kind().map(|kind| kind.to_str());
        let mut role = event.role().map(|role| role.to_str());
        if let Some(seed) = kind.clone().filter(|kind| Role::known(kind).is_some()) {
            // The documents write the role where the type belongs.
            self.breach_in(&rules::SEED_MESSAGE_TYPE, at, None, Observed::Named("type", &seed));
            role = role.or(Some(seed));
            kind = Some("message".into());
        }
        let state = &self.messages[at];
        let (announced, node) = (was_known && state.phase != Phase::Absent, state.node);
        if let Some(kind) = kind.map(|kind| MessageType::from(&*kind)).filter(|kind| *kind != state.kind) {
            if announced {
                self.breach_in(&rules::MESSAGE_CHANGED, at, None, Observed::Named("type", kind.as_str()));
            }
            if let Some(node) = node {
                self.set_word(node, Message::r#type, kind.as_str(), sink);
            }
            self.messages[at].kind = kind;
            // What a content is in a message depends on its type, so what is said again has to be read again.
            self.messages[at].parts.iter_mut().for_each(|part| part.fingerprints = None);
            self.link_parts(at, sink);
        }
        let state = &self.messages[at];
        if let Some(role) = role.filter(|role| state.role.as_deref() != Some(&**role)) {
            if announced && state.role.is_some() {
                self.breach_in(&rules::MESSAGE_CHANGED, at, None, Observed::Named("role", &role));
            }
            if let Some(node) = node {
                self.set_word(node, Message::role, &role, sink);
            }
            self.messages[at].role = Some(role.into_owned());
        }
    }

    fn message_members(&mut self, at: usize, event: &MessageEvent<'_>, sink: &mut Metered<'_>) {
        let Some(node) = self.messages[at].node else { return };
        if let Some(error) = event.error() {
            self.set_error(node, &ErrorValue::read(error), "UNKNOWN", sink);
        }
        let strings: [(Key, Option<Str<'_>>); 2] =
            [(Message::code, event.code()), (Message::message, event.message())];
        for (key, text) in strings {
            if let Some(text) = text {
                self.set_string(node, key, text, sink);
            }
        }
        let values: [(Key, Option<Element<'_, '_>>); 2] =
            [(Message::usage, event.usage()), (Message::metadata, event.metadata())];
        for (key, value) in values {
            if let Some(value) = value {
                sink.set(node, key, SinkValue::Free(value));
            }
        }
        for (name, value) in event.undeclared() {
            sink.set_extra(node, &name, value);
        }
    }
}
