//! Content events: finds the addressed content, and applies the piece to it.

use super::AgentApiMeaning;
use super::full_value::FullValue;
use super::part::{main_member, terminal};
use super::state::CellValue;
use crate::core::{LIMIT_EXCEEDED, Observed};
use crate::engine::Context;
use crate::protocols::agent_api::events::{ContentEvent, Presence};
use crate::protocols::agent_api::lifecycle::{self, Phase, Piece};
use crate::protocols::agent_api::{ContentType, rules};

/// The message that a content event belongs to.
enum Owner {
    /// The message at this position.
    Message(usize),
    /// R24: `msg_id` is null and one message is open: the event may only add a first part or repeat an existing one.
    Hint(usize),
    /// The message could not be determined.
    Nobody,
}

impl AgentApiMeaning {
    #[inline(never)]
    pub(super) fn content(&mut self, event: &ContentEvent<'_>, cx: &mut Context<'_>) {
        self.inside_response("a content", cx);
        let (at, hint) = match self.owner(event, cx) {
            Owner::Message(at) => (at, false),
            Owner::Hint(at) => (at, true),
            Owner::Nobody => return,
        };
        self.touch(at);
        if self.messages[at].heartbeat {
            return;
        }
        let from = self.messages[at].phase;
        self.step(lifecycle::inside_message(from), from, at, "a content", cx);
        let ended = terminal(event.status());
        if event.delta() == Presence::Null {
            self.breach_in(cx, &rules::DELTA_NULL, at, None, Observed::Words("null"));
        }
        let delta = event.delta() == Presence::Value(true);
        let piece = match (delta, ended.is_some()) {
            (true, _) => Piece::Delta,
            (false, true) => Piece::Completed,
            (false, false) => Piece::Snapshot,
        };
        let kind = event.content_type();
        let Some(index) = self.index(at, event, &kind, cx) else {
            return self.breach_in(cx, &LIMIT_EXCEEDED, at, None, Observed::Words("an index above 2^32"));
        };
        if hint && !self.confirms(at, index, event, &kind) {
            return self.breach_in(
                cx,
                &rules::CONTENT_UNATTRIBUTED,
                at,
                Some(index),
                Observed::Words("null `msg_id`"),
            );
        }
        match self.messages[at].part(index) {
            Ok(place) => {
                let from = self.messages[at].parts[place].phase;
                if let lifecycle::Transition::Illegal(rule, _) = lifecycle::content(from, piece) {
                    self.breach_in(cx, rule, at, Some(index), Observed::Words("another content event"));
                }
            }
            Err(_) => {
                // The index after the largest one does not fit into `u32`.
                let next = self.messages[at].parts.last().map_or(0, |part| i64::from(part.index) + 1);
                if i64::from(index) > next {
                    let got = Observed::Number(Some(index.into()), next);
                    self.breach_in(cx, &rules::INDEX_GAP, at, Some(index), got);
                }
            }
        }
        let breaches = cx.breaches();
        match piece {
            Piece::Delta => self.delta(at, index, event, &kind, ended.is_some(), cx),
            Piece::Snapshot => {
                self.breach_in(
                    cx,
                    &rules::SNAPSHOT,
                    at,
                    Some(index),
                    Observed::Words("a whole value in progress"),
                );
                self.whole_part(at, index, event, FullValue::Snapshot, cx);
            }
            Piece::Completed => self.whole_part(at, index, event, FullValue::Completed, cx),
        }
        let is_clean =
            piece == Piece::Completed && cx.breaches() == breaches && event.index() == Some(index.into());
        if let Ok(place) = self.messages[at].part(index) {
            let part = &mut self.messages[at].parts[place];
            part.phase = lifecycle::content(part.phase, piece).phase(part.phase);
            if let Some(status) = ended {
                self.end_part(at, place, status, cx);
            }
            if is_clean {
                self.remember_part(at, place, event.json());
            }
        }
    }

    /// R24: finds the message by `msg_id` or, if that is missing, takes the only open message.
    fn owner(&mut self, event: &ContentEvent<'_>, cx: &mut Context<'_>) -> Owner {
        if let Presence::Value(id) = event.msg_id() {
            return match self.find(id, cx) {
                Some(at) => Owner::Message(at),
                None => match self.provisional_message(&id.to_str(), cx) {
                    Some(at) => Owner::Message(at),
                    None => Owner::Nobody,
                },
            };
        }
        let absent = event.msg_id() == Presence::Absent;
        let owner = match self.open.only() {
            Some(at) if absent => Owner::Message(at),
            Some(at) => Owner::Hint(at),
            None if absent && self.messages.is_empty() => match self.provisional_message("", cx) {
                Some(at) => Owner::Message(at),
                None => Owner::Nobody,
            },
            None => Owner::Nobody,
        };
        let rule = match owner {
            Owner::Nobody => &rules::CONTENT_UNATTRIBUTED,
            Owner::Message(_) | Owner::Hint(_) => &rules::MSG_ID_NULL,
        };
        cx.breach(rule, Observed::Words(if absent { "no `msg_id`" } else { "null" }));
        owner
    }

    /// R24, R25: returns the index of the addressed part.
    fn index(
        &self,
        at: usize,
        event: &ContentEvent<'_>,
        kind: &ContentType,
        cx: &mut Context<'_>,
    ) -> Option<u32> {
        if let Some(index) = event.index().filter(|index| *index >= 0) {
            return u32::try_from(index).ok();
        }
        self.breach_in(cx, &rules::INDEX_NULL, at, None, Observed::Number(event.index(), 0));
        let parts = &self.messages[at].parts;
        match parts.last() {
            Some(last) if last.kind == *kind && last.phase != Phase::Ended => Some(last.index),
            Some(last) => last.index.checked_add(1),
            None => Some(0),
        }
    }

    /// Returns whether an event without an owner counts: it adds a first part, or ends a part that it repeats. It never
    /// appends and never replaces.
    fn confirms(&self, at: usize, index: u32, event: &ContentEvent<'_>, kind: &ContentType) -> bool {
        if event.delta() == Presence::Value(true) {
            return false;
        }
        let Ok(place) = self.messages[at].part(index) else {
            return self.messages[at].parts.is_empty();
        };
        let part = &self.messages[at].parts[place];
        let (Some(text), CellValue::Text(digest)) = (event.string(main_member(kind)), &part.value) else {
            return part.is_empty();
        };
        part.kind == *kind && self.keys.digest(&text.to_str()) == *digest
    }
}
