//! Content events: which content is meant, and what the piece does to it.

use super::part::{Whole, field_key, main_field, terminal};
use super::state::Value;
use super::{AgentApiFold, data};
use crate::agent_api::event::{ContentEvent, Field, MsgId};
use crate::agent_api::lifecycle::{self, Phase, Piece};
use crate::agent_api::rules;
use crate::agent_api::vocab::{ContentType, RunStatus};
use crate::fold::{Digest, Sink};
use crate::json::{Str, decode_into};
use crate::report::shorten;
use crate::violation::LIMIT_EXCEEDED;

/// Which message a content event belongs to.
enum Owner {
    /// That one.
    Message(usize),
    /// R24: the event says null, and one message is open: it can only confirm what is there.
    Hint(usize),
    /// None that could be told.
    Nobody,
}

impl AgentApiFold {
    pub(super) fn content(&mut self, event: ContentEvent<'_>, sink: &mut impl Sink) {
        self.inside_response("a content");
        let (at, hint) = match self.owner(&event, sink) {
            Owner::Message(at) => (at, false),
            Owner::Hint(at) => (at, true),
            Owner::Nobody => return,
        };
        self.latest = at;
        if self.messages[at].heartbeat {
            return;
        }
        let from = self.messages[at].phase;
        self.step(lifecycle::inside_message(from), from, Some(at), "a content");
        let ended = event.head.status.and_then(|status| terminal(&RunStatus::from(&*status.to_str())));
        if event.delta.is_none() {
            self.breach_in(&rules::DELTA_NULL, at, None, || "null".to_owned());
        }
        let delta = event.delta == Some(true);
        let piece = match (delta, ended.is_some()) {
            (true, _) => Piece::Delta,
            (false, true) => Piece::Completed,
            (false, false) => Piece::Snapshot,
        };
        let kind = event.content_type();
        let Some(index) = self.index(at, &event, &kind) else {
            return self.breach_in(&LIMIT_EXCEEDED, at, None, || "an index above 2^32".to_owned());
        };
        if hint && !self.confirms(at, index, &event, &kind) {
            return self
                .breach_in(&rules::CONTENT_UNATTRIBUTED, at, Some(index), || "null `msg_id`".to_owned());
        }
        match self.messages[at].part(index) {
            Ok(place) => {
                let from = self.messages[at].parts[place].phase;
                if let lifecycle::Step::Illegal(rule, _) = lifecycle::content(from, piece) {
                    self.breach_in(rule, at, Some(index), || "another content event".to_owned());
                }
            }
            Err(_) => {
                let next = self.messages[at].parts.last().map_or(0, |part| part.index + 1);
                if index > next {
                    self.breach_in(&rules::INDEX_GAP, at, Some(index), || {
                        format!("{index} instead of {next}")
                    });
                }
            }
        }
        match piece {
            Piece::Delta => self.delta(at, index, &event, &kind, ended.is_some(), sink),
            Piece::Snapshot => {
                self.breach_in(&rules::SNAPSHOT, at, Some(index), || "a whole value in progress".to_owned());
                self.whole_part(at, index, &event, Whole::Snapshot, sink);
            }
            Piece::Completed => self.whole_part(at, index, &event, Whole::Completed, sink),
        }
        if let Ok(place) = self.messages[at].part(index) {
            let part = &mut self.messages[at].parts[place];
            part.phase = lifecycle::content(part.phase, piece).phase(part.phase);
            if let Some(status) = ended {
                self.end_part(at, place, status, sink);
            }
        }
    }

    /// R24: by `msg_id`; where that is missing, by the one open message.
    fn owner(&mut self, event: &ContentEvent<'_>, sink: &mut impl Sink) -> Owner {
        if let MsgId::Id(id) = event.msg_id {
            return match self.find(id) {
                Some(at) => Owner::Message(at),
                None => match self.provisional_message(&id.to_str(), sink) {
                    Some(at) => Owner::Message(at),
                    None => Owner::Nobody,
                },
            };
        }
        let absent = event.msg_id == MsgId::Absent;
        let mut open = self.open.iter().copied();
        let owner = match (open.next(), open.next()) {
            (Some(at), None) if absent => Owner::Message(at),
            (Some(at), None) => Owner::Hint(at),
            (None, _) if absent && self.messages.is_empty() => match self.provisional_message("", sink) {
                Some(at) => Owner::Message(at),
                None => Owner::Nobody,
            },
            _ => Owner::Nobody,
        };
        let rule = match owner {
            Owner::Nobody => &rules::CONTENT_UNATTRIBUTED,
            Owner::Message(_) | Owner::Hint(_) => &rules::MSG_ID_NULL,
        };
        self.breach(rule, || if absent { "no `msg_id`" } else { "null" }.to_owned());
        owner
    }

    /// R24, R25: the index of the part that is meant.
    fn index(&mut self, at: usize, event: &ContentEvent<'_>, kind: &ContentType) -> Option<u32> {
        if let Some(index) = event.index.filter(|index| *index >= 0) {
            return u32::try_from(index).ok();
        }
        self.breach_in(&rules::INDEX_NULL, at, None, || match event.index {
            Some(index) => index.to_string(),
            None => "null".to_owned(),
        });
        let parts = &self.messages[at].parts;
        match parts.last() {
            Some(last) if last.kind == *kind && last.phase != Phase::Ended => Some(last.index),
            Some(last) => last.index.checked_add(1),
            None => Some(0),
        }
    }

    /// Whether an event without an owner may count: it adds a first part, or ends one that it repeats. It never appends
    /// and never replaces.
    fn confirms(&self, at: usize, index: u32, event: &ContentEvent<'_>, kind: &ContentType) -> bool {
        if event.delta == Some(true) {
            return false;
        }
        let Ok(place) = self.messages[at].part(index) else {
            return self.messages[at].parts.is_empty();
        };
        let part = &self.messages[at].parts[place];
        let (Some(text), Value::Text(digest)) = (event.string(main_field(kind)), &part.value) else {
            return part.is_empty();
        };
        let mut said = Digest::new(self.options.seed);
        said.push(text.to_str().as_bytes());
        part.kind == *kind && said == *digest
    }

    /// R26: a piece of a value.
    fn delta(
        &mut self,
        at: usize,
        index: u32,
        event: &ContentEvent<'_>,
        kind: &ContentType,
        ended: bool,
        sink: &mut impl Sink,
    ) {
        if ended {
            self.breach_in(&rules::DELTA_COMPLETED, at, Some(index), || "delta true".to_owned());
        }
        let place = match self.messages[at].part(index) {
            Ok(place) => place,
            Err(_) => match self.new_part(at, index, kind, sink) {
                Some(place) => place,
                None => return,
            },
        };
        let part = &self.messages[at].parts[place];
        if part.kind != *kind {
            let got = format!("a piece of {} for a {}", kind.as_str(), part.kind.as_str());
            return self.breach_in(&rules::CONTENT_TYPE_CHANGED, at, Some(index), || got);
        }
        if event.head.extra_count > 0 {
            let node = part.node;
            for (name, value) in event.extra() {
                sink.set_extra(node, &name, value);
            }
        }
        if *kind == ContentType::Data {
            if let Some(data) = event.data() {
                if ended && self.continues_data(at, place, data) {
                    return self.whole_part(at, index, event, Whole::Completed, sink);
                }
                self.merge_data(at, place, data, sink);
            }
            return;
        }
        let main = main_field(kind);
        for &field in Field::of_type(kind) {
            if field == main {
                continue;
            }
            if let Some(text) = event.string(field) {
                let node = self.messages[at].parts[place].node;
                self.set_string(node, field_key(field), text, sink);
            }
        }
        let Some(text) = event.string(main) else {
            return;
        };
        if (ended && self.continues_text(at, place, text)) || *kind == ContentType::Video {
            return self.replace_text(at, index, event, ended, sink);
        }
        if matches!(kind, ContentType::Image | ContentType::Audio | ContentType::File)
            && self.is_repeated_media(at, place, text, kind)
        {
            self.breach_in(&rules::MEDIA_REPEATED, at, Some(index), || shorten(&text.to_str()));
            return self.replace_text(at, index, event, ended, sink);
        }
        self.append(at, place, text, sink);
    }

    fn replace_text(
        &mut self,
        at: usize,
        index: u32,
        event: &ContentEvent<'_>,
        ended: bool,
        sink: &mut impl Sink,
    ) {
        let how = if ended { Whole::Completed } else { Whole::Snapshot };
        if let Ok(place) = self.messages[at].part(index) {
            // It says again what the pieces said, so it is no mismatch.
            self.messages[at].parts[place].pieces = false;
        }
        self.whole_part(at, index, event, how, sink);
    }

    fn append(&mut self, at: usize, place: usize, text: Str<'_>, sink: &mut impl Sink) {
        let seed = self.options.seed;
        let limit = self.options.limits.content_bytes;
        let part = &mut self.messages[at].parts[place];
        part.pieces = true;
        let mut lone = 0;
        let characters = match text.as_plain().filter(|_| !part.half.is_waiting()) {
            Some(plain) => plain,
            None => {
                self.scratch.clear();
                lone = decode_into(text, &mut part.half, &mut self.scratch);
                &self.scratch
            }
        };
        let length = part.len();
        if part.full || length + characters.len() as u64 > limit {
            let first = !core::mem::replace(&mut part.full, true);
            let index = part.index;
            if first {
                self.breach_in(&LIMIT_EXCEEDED, at, Some(index), || {
                    format!("more than `content_bytes` = {limit}")
                });
            }
            return;
        }
        match &mut part.value {
            Value::Text(digest) => digest.push(characters.as_bytes()),
            Value::None => {
                let mut digest = Digest::new(seed);
                digest.push(characters.as_bytes());
                part.value = Value::Text(digest);
            }
        }
        sink.append(part.node, field_key(main_field(&part.kind)), characters);
        if lone > 0 {
            let index = part.index;
            self.breach_in(&rules::LONE_SURROGATE, at, Some(index), || format!("{lone}"));
        }
    }

    /// R26: whether a completed piece says again, from its beginning, what the pieces before it said.
    fn continues_text(&self, at: usize, place: usize, text: Str<'_>) -> bool {
        let part = &self.messages[at].parts[place];
        let Value::Text(digest) = &part.value else {
            return false;
        };
        let text = text.to_str();
        let Some(start) = text.as_bytes().get(..digest.len() as usize) else {
            return false;
        };
        let mut said = Digest::new(self.options.seed);
        said.push(start);
        said == *digest
    }

    /// The same question for data: every text in it begins with the text that is there.
    fn continues_data(&self, at: usize, place: usize, data: crate::json::Raw<'_>) -> bool {
        let part = &self.messages[at].parts[place];
        part.shape.as_ref().is_some_and(|shape| data::continues(shape, data, self.options.seed))
    }

    /// R29b: a server that sends the whole URL with every chunk means the same one again.
    fn is_repeated_media(&self, at: usize, place: usize, text: Str<'_>, kind: &ContentType) -> bool {
        let part = &self.messages[at].parts[place];
        let Value::Text(digest) = &part.value else {
            return false;
        };
        if digest.len() == 0 {
            return false;
        }
        let text = text.to_str();
        let mut said = Digest::new(self.options.seed);
        said.push(text.as_bytes());
        let is_url = starts_like_a_url(&text);
        // Two equal pieces of base64 are two pieces; two equal URLs are one.
        (said == *digest && (is_url || *kind == ContentType::Image)) || is_url
    }
}

fn starts_like_a_url(text: &str) -> bool {
    ["http://", "https://", "data:", "file://", "blob:"].iter().any(|scheme| text.starts_with(scheme))
}
