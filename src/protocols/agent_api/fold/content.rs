//! Content events: finds the addressed content, and applies the piece to it. Most pieces append to
//! a value, a few replace it.

use alloc::string::String;

use super::data::{Outline, continues, starts_with};
use super::part::{FullValue, main_member, terminal};
use super::{AgentApiFold, CellValue, FoldedMessage, set_other_texts};
use crate::core::{LIMIT_EXCEEDED, Observed};
use crate::engine::{Context, Digest, ObjectId};
use crate::json::{Element, Str, SurrogateHalf, joined};
use crate::protocols::agent_api::events::{ContentEvent, Presence};
use crate::protocols::agent_api::lifecycle::{self, ContentEventKind, ObjectPhase};
use crate::protocols::agent_api::model::DataContent;
use crate::protocols::agent_api::{ContentType, rules};

impl AgentApiFold {
    #[inline(never)]
    pub(super) fn content(&mut self, event: &ContentEvent<'_>, cx: &mut Context<'_>) {
        self.inside_response("a content", cx);
        let Some((at, hint)) = self.owner(event, cx) else { return };
        self.touch(at);
        if self.messages[at].heartbeat {
            return;
        }
        let from = self.messages[at].phase;
        self.step(lifecycle::inside_message(from), from, at, "a content", cx);
        let ended = terminal(event.status());
        if event.delta() == Presence::Null {
            self.record_in(cx, &rules::DELTA_NULL, at, None, Observed::Words("null"));
        }
        let delta = event.delta() == Presence::Value(true);
        let piece = match (delta, ended.is_some()) {
            (true, _) => ContentEventKind::Delta,
            (false, true) => ContentEventKind::Completed,
            (false, false) => ContentEventKind::Snapshot,
        };
        let kind = event.content_type();
        let Some(index) = self.index(at, event, &kind, cx) else {
            return self.record_in(
                cx,
                &LIMIT_EXCEEDED,
                at,
                None,
                Observed::Words("an index above 2^32"),
            );
        };
        if hint && !self.confirms(at, index, event, &kind) {
            let got = Observed::Words("null `msg_id`");
            return self.record_in(cx, &rules::CONTENT_UNATTRIBUTED, at, Some(index), got);
        }
        match self.messages[at].part(index) {
            Ok(place) => {
                let from = self.messages[at].parts[place].phase;
                if let lifecycle::StatusTransition::Illegal(rule, _) =
                    lifecycle::content(from, piece)
                {
                    self.record_in(
                        cx,
                        rule,
                        at,
                        Some(index),
                        Observed::Words("another content event"),
                    );
                }
            }
            Err(_) => {
                // The index after the largest one does not fit into `u32`.
                let next =
                    self.messages[at].parts.last().map_or(0, |part| i64::from(part.index) + 1);
                if i64::from(index) > next {
                    let got = Observed::Number(Some(index.into()), next);
                    self.record_in(cx, &rules::INDEX_GAP, at, Some(index), got);
                }
            }
        }
        let violations = cx.violations();
        match piece {
            ContentEventKind::Delta => self.delta(at, index, event, &kind, ended.is_some(), cx),
            ContentEventKind::Snapshot => {
                let got = Observed::Words("a whole value in progress");
                self.record_in(cx, &rules::SNAPSHOT, at, Some(index), got);
                self.whole_part(at, index, event, FullValue::Snapshot, cx);
            }
            ContentEventKind::Completed => {
                self.whole_part(at, index, event, FullValue::Completed, cx)
            }
        }
        let is_clean = piece == ContentEventKind::Completed
            && cx.violations() == violations
            && event.index() == Some(index.into());
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
    /// Returns whether `msg_id` is null, too: such an event may only add a first part or repeat an
    /// existing one.
    fn owner(&mut self, event: &ContentEvent<'_>, cx: &mut Context<'_>) -> Option<(usize, bool)> {
        if let Presence::Value(id) = event.msg_id() {
            let at = self.find(id, cx).or_else(|| self.open_message(&id.to_str(), false, cx));
            return at.map(|at| (at, false));
        }
        let absent = event.msg_id() == Presence::Absent;
        let owner = match self.open.only() {
            Some(at) => Some((at, !absent)),
            None if absent && self.messages.is_empty() => {
                self.open_message("", false, cx).map(|at| (at, false))
            }
            None => None,
        };
        let rule = if owner.is_some() { &rules::MSG_ID_NULL } else { &rules::CONTENT_UNATTRIBUTED };
        cx.record(rule, Observed::Words(if absent { "no `msg_id`" } else { "null" }));
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
        self.record_in(cx, &rules::INDEX_NULL, at, None, Observed::Number(event.index(), 0));
        let parts = &self.messages[at].parts;
        match parts.last() {
            Some(last) if last.kind == *kind && last.phase != ObjectPhase::Ended => {
                Some(last.index)
            }
            Some(last) => last.index.checked_add(1),
            None => Some(0),
        }
    }

    /// Returns whether an event without an owner counts: it adds a first part, or ends a part that
    /// it repeats. It never appends and never replaces.
    fn confirms(
        &self,
        at: usize,
        index: u32,
        event: &ContentEvent<'_>,
        kind: &ContentType,
    ) -> bool {
        if event.delta() == Presence::Value(true) {
            return false;
        }
        let Ok(place) = self.messages[at].part(index) else {
            return self.messages[at].parts.is_empty();
        };
        let part = &self.messages[at].parts[place];
        let (Some(text), CellValue::Text(digest)) = (event.string(main_member(kind)), &part.value)
        else {
            return part.is_empty();
        };
        part.kind == *kind && self.keys.digest(&text.to_str()) == *digest
    }
}

/// The place where a piece was appended: the positions of the message and of the content in it, and
/// the key if the piece extended a text in its data.
#[derive(Clone, Debug, Default)]
pub(super) struct ContentPosition {
    pub at: usize,
    pub place: usize,
    pub key: Option<String>,
    pub node: ObjectId,
}

impl ContentPosition {
    /// Returns the digest and the pending half of a character of the text in the data.
    pub fn data<'m>(
        &self,
        messages: &'m mut [FoldedMessage],
    ) -> Option<(&'m mut Digest, &'m mut SurrogateHalf)> {
        let part = &mut messages[self.at].parts[self.place];
        let Some(Outline::Object(members)) = part.shape.as_deref_mut() else { return None };
        match members.get_mut(self.key.as_deref()?) {
            Some(Outline::Text(digest, half)) => Some((digest, half)),
            _ => None,
        }
    }
}

impl AgentApiFold {
    /// R26: applies a piece of a value.
    pub(super) fn delta(
        &mut self,
        at: usize,
        index: u32,
        event: &ContentEvent<'_>,
        kind: &ContentType,
        ended: bool,
        cx: &mut Context<'_>,
    ) {
        if ended {
            self.record_in(
                cx,
                &rules::DELTA_COMPLETED,
                at,
                Some(index),
                Observed::Words("delta true"),
            );
        }
        let known = self.messages[at].part(index).ok();
        let Some(place) = known.or_else(|| self.new_part(at, index, kind, cx)) else { return };
        let part = &mut self.messages[at].parts[place];
        part.fingerprints = None;
        if part.kind != *kind {
            let got = (kind.clone(), part.kind.clone());
            let got = Observed::Instead(got.0.as_str(), got.1.as_str());
            return self.record_in(cx, &rules::CONTENT_TYPE_CHANGED, at, Some(index), got);
        }
        let unknown = matches!(kind, ContentType::Other(_));
        if event.0.has_undeclared() || unknown {
            let node = part.node;
            for (name, value) in event.extra(kind) {
                cx.set_extra(node, &name, value);
            }
        }
        if unknown {
            return;
        }
        if *kind == ContentType::Data {
            if let Some(data) = event.data() {
                if ended && self.continues_data(at, place, data) {
                    return self.whole_part(at, index, event, FullValue::Completed, cx);
                }
                self.merge_data(at, place, data, cx);
            }
            return;
        }
        let (node, main) = (part.node, main_member(kind));
        set_other_texts(node, event, kind, cx);
        let Some(text) = event.string(main) else { return };
        if (ended && self.continues_text(at, place, text)) || *kind == ContentType::Video {
            return self.replace_text(at, index, event, ended, cx);
        }
        if matches!(kind, ContentType::Image | ContentType::Audio | ContentType::File)
            && self.is_repeated_media(at, place, text, kind)
        {
            self.record_in(
                cx,
                &rules::MEDIA_REPEATED,
                at,
                Some(index),
                Observed::Text(&text.to_str()),
            );
            return self.replace_text(at, index, event, ended, cx);
        }
        // The next piece of an image may be the same URL again.
        if matches!(kind, ContentType::Text | ContentType::Refusal) {
            self.appended = ContentPosition { at, place, node, key: None };
            cx.appends(node, main, text);
        }
        self.append(at, place, text, cx);
    }

    fn replace_text(
        &mut self,
        at: usize,
        index: u32,
        event: &ContentEvent<'_>,
        ended: bool,
        cx: &mut Context<'_>,
    ) {
        let how = if ended { FullValue::Completed } else { FullValue::Snapshot };
        if let Ok(place) = self.messages[at].part(index) {
            // The event repeats the value of the pieces, so a difference is not a mismatch.
            self.messages[at].parts[place].pieces = false;
        }
        self.whole_part(at, index, event, how, cx);
    }

    fn append(&mut self, at: usize, place: usize, text: Str<'_>, cx: &mut Context<'_>) {
        let keys = &self.keys;
        let part = &mut self.messages[at].parts[place];
        part.pieces = true;
        let (characters, lone) = joined(text, &mut part.half, &mut self.scratch);
        let (node, key) = (part.node, main_member(&part.kind));
        if !cx.append_text(node, key, characters) {
            return;
        }
        match &mut part.value {
            CellValue::Text(digest) => digest.push(keys, characters.as_bytes()),
            CellValue::None | CellValue::Pieces => {
                let mut digest = Digest::default();
                digest.push(keys, characters.as_bytes());
                part.value = CellValue::Text(digest);
            }
        }
        if lone > 0 {
            let index = part.index;
            self.record_in(
                cx,
                &rules::LONE_SURROGATE,
                at,
                Some(index),
                Observed::Count(lone.into()),
            );
        }
    }

    /// Appends to the value that the previous event extended.
    #[inline]
    pub(super) fn append_to_target(&mut self, text: Str<'_>, cx: &mut Context<'_>) {
        let (at, place) = (self.appended.at, self.appended.place);
        if self.appended.key.is_none() {
            return self.append(at, place, text, cx);
        }
        let (Some((digest, half)), Some(key)) =
            (self.appended.data(&mut self.messages), self.appended.key.as_deref())
        else {
            return;
        };
        let (characters, _) = joined(text, half, &mut self.scratch);
        let node = self.appended.node;
        if cx.append_in(node, DataContent::data, &[key], characters) {
            digest.push(&self.keys, characters.as_bytes());
        }
    }

    /// R26: returns whether a completed piece repeats, from the beginning, the text of the pieces
    /// before it.
    fn continues_text(&self, at: usize, place: usize, text: Str<'_>) -> bool {
        let value = &self.messages[at].parts[place].value;
        matches!(value, CellValue::Text(digest) if starts_with(&text.to_str(), digest, &self.keys))
    }

    /// R26: returns whether every text in a completed piece of data begins with the existing text.
    fn continues_data(&self, at: usize, place: usize, data: Element<'_, '_>) -> bool {
        let part = &self.messages[at].parts[place];
        part.shape.as_ref().is_some_and(|shape| continues(shape, data, &self.keys))
    }

    /// R29b: returns whether a piece repeats the whole value, as from servers that send the whole
    /// URL with every chunk.
    fn is_repeated_media(
        &self,
        at: usize,
        place: usize,
        text: Str<'_>,
        kind: &ContentType,
    ) -> bool {
        const SCHEMES: [&str; 5] = ["http://", "https://", "data:", "file://", "blob:"];
        let CellValue::Text(digest) = &self.messages[at].parts[place].value else { return false };
        let text = text.to_str();
        // Two equal pieces of base64 are two pieces; two equal URLs are one.
        let is_same = || {
            SCHEMES.iter().any(|scheme| text.starts_with(scheme))
                || *kind == ContentType::Image && self.keys.digest(&text) == *digest
        };
        digest.len() > 0 && is_same()
    }
}
