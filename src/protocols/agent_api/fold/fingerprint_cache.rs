//! Cache for repetitions, byte for byte: servers repeat every content in its message, and every
//! message in the response.
//!
//! An object that ended without a violation is remembered by the fingerprint of its JSON. When it
//! appears again in the list of its parent, it is neither read nor applied, because it would change
//! nothing.
//!
//! Correctness: any later change of a content or a message discards its fingerprint, and an event
//! that differs from the remembered state is read again without the cache.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use super::message::MessageOrigin;
use super::{AgentApiFold, FoldedPart};
use crate::bytes::{self, Bracket};
use crate::engine::{Context, Digest, DigestKey};
use crate::json::{self, Element, Skip};
use crate::protocols::agent_api::MessageType;
use crate::protocols::agent_api::events::MessageEvent;
use crate::protocols::agent_api::lifecycle::ObjectPhase;

/// Splits an object, written as the runtime does it, into the number at its beginning, which may be
/// null, and the rest.
pub(super) fn numbered(json: &str) -> Option<(Option<i64>, &str)> {
    let number = bytes::after(json, "{\"sequence_number\":")?;
    if let Some(rest) = bytes::after(number, "null") {
        return Some((None, rest));
    }
    let (value, end) = json::number::count(number.as_bytes(), 0)?;
    Some((Some(value), number.get(end..)?))
}

/// The fingerprint of the JSON that gave a content or a message its last state.
#[derive(Clone, Copy, Debug)]
pub(super) struct FingerprintCache {
    number: Option<i64>,
    /// The digest of the text after the number.
    rest: Digest,
}

impl FingerprintCache {
    /// Creates the fingerprint of an object, if it begins with its number, as the runtime writes
    /// it.
    pub fn of(json: &str, keys: &DigestKey) -> Option<Self> {
        let (number, rest) = numbered(json)?;
        Some(FingerprintCache { number, rest: keys.digest(rest) })
    }

    /// Returns the length of the same object at the start of a text; its number may be null.
    pub fn length(&self, text: &str, keys: &DigestKey) -> Option<usize> {
        let (_, rest) =
            numbered(text).filter(|(number, _)| number.is_none() || *number == self.number)?;
        let (length, bytes) = (self.rest.len() as usize, rest.as_bytes());
        let object =
            rest.get(..length).filter(|_| matches!(bytes.get(length), Some(b',' | b']')))?;
        (keys.digest(object) == self.rest).then(|| text.len() - bytes.len() + length)
    }
}

impl AgentApiFold {
    /// Collects the places where an event repeats remembered objects: contents in a message,
    /// messages in a response. Expects the list as the runtime writes it. As long as each element
    /// equals the remembered object of its position, it need not be read.
    pub(super) fn find_repeated(&self, data: &str, skips: &mut Vec<Skip>) {
        let contents = self.messages.get(self.latest).and_then(|message| message.parts.first());
        let has_contents = contents.is_some_and(|part| part.fingerprints.is_some());
        if !has_contents
            && self.messages.first().is_none_or(|message| message.fingerprints.is_none())
        {
            return;
        }
        let Some((_, rest)) = numbered(data) else { return };
        let is_response = bytes::after(rest, ",\"object\":\"response\"").is_some();
        let is_message = bytes::after(rest, ",\"object\":\"message\"").is_some();
        let latest = self.messages.get(self.latest).filter(|_| is_message);
        let remembered = |place: usize| match latest {
            Some(message) => message.parts.get(place)?.fingerprints,
            None => self.messages.get(place).filter(|_| is_response)?.fingerprints,
        };
        if remembered(0).is_none() {
            return;
        }
        let name = if is_response { "\"output\":[" } else { "\"content\":[" };
        let Some(mut at) = after_first(data, name) else { return };
        for place in 0.. {
            let Some(fingerprint) = remembered(place) else { return };
            let Some(element) = data.get(at..) else { return };
            // A server with knowledge of the lengths must not be able to cause repeated digests of
            // long texts: the first difference ends the search.
            let Some(length) = fingerprint.length(element, &self.keys) else { return };
            skips.push(Skip { from: at as u32, to: (at + length) as u32, tag: place as u32 });
            // A comma or the end of the list follows the element.
            at += length + 1;
        }
    }

    /// Returns whether a message lists all of its parts unchanged and in order.
    pub(super) fn is_recalled_message(&self, event: &MessageEvent<'_>, cx: &Context<'_>) -> bool {
        let Some(at) = event.id().and_then(|id| self.find(id, cx)).filter(|at| *at == self.latest)
        else {
            return false;
        };
        let state = &self.messages[at];
        let same_kind =
            event.kind().is_none_or(|kind| MessageType::from(&*kind.to_str()) == state.kind);
        let Some(list) = event.content().filter(|list| same_kind && list.has_skipped()) else {
            return false;
        };
        let places = 0..state.parts.len() as u32;
        list.elements().map(Element::skipped).eq(places.map(Some))
    }

    /// Remembers a completed content, which its message is expected to repeat.
    pub(super) fn remember_part(&mut self, at: usize, place: usize, json: Element<'_, '_>) {
        if json.may_be_nested(IN_RESPONSE) {
            self.messages[at].parts[place].fingerprints =
                FingerprintCache::of(json.raw().as_str(), &self.keys);
        }
    }

    /// Remembers an event about a message without violations, which the response or the next event
    /// about the message is expected to repeat.
    pub(super) fn remember_message(&mut self, at: usize, event: &MessageEvent<'_>) {
        if self.messages[at].node.is_some() && event.json().may_be_nested(IN_OUTPUT) {
            self.status_cache.learn(at, event);
            self.remember_ended(at, event.json().raw().as_str());
        }
    }

    /// Remembers the JSON of an event about a message, if the message has ended.
    pub(super) fn remember_ended(&mut self, at: usize, json: &str) {
        let state = &mut self.messages[at];
        if state.phase == ObjectPhase::Ended {
            state.fingerprints = FingerprintCache::of(json, &self.keys);
        }
    }
}

/// The number of containers around a message in a response: the response and the list.
const IN_OUTPUT: u32 = 2;
/// The number of containers around a content in a response.
const IN_RESPONSE: u32 = IN_OUTPUT + 2;

/// Returns the position after the first occurrence of `name`, which ends with a bracket.
fn after_first(text: &str, name: &str) -> Option<usize> {
    let (text, name) = (text.as_bytes(), name.as_bytes());
    let mut end = 0;
    loop {
        end = bytes::find::<Bracket>(text, end) + 1;
        if text.get(..end)?.ends_with(name) {
            return Some(end);
        }
    }
}

/// The previous event, without its number.
#[derive(Clone, Debug, Default)]
pub(super) struct StatusCache {
    /// The position of the message; `None` for an empty cache.
    at: Option<usize>,
    json: String,
    /// The range of the status in `json`, without the quotes.
    status: Range<usize>,
    /// The range of the list of contents, or of null, in `json`.
    content: Range<usize>,
}

/// The values in which a repeated event differs.
pub(super) struct RepeatedEvent<'a> {
    number: Option<i64>,
    status: &'a str,
}

impl StatusCache {
    /// Discards the event, because another event about messages follows.
    pub fn forget(&mut self) {
        self.at = None;
    }

    /// Keeps an event without violations, if it has the order of the runtime: number, status,
    /// `content`.
    pub fn learn(&mut self, at: usize, event: &MessageEvent<'_>) {
        /// Events without contents are not longer, and the memory of a reader is bounded.
        const LONGEST: usize = 1024;
        let Some((_, json)) =
            numbered(event.json().raw().as_str()).filter(|(_, json)| json.len() <= LONGEST)
        else {
            return;
        };
        let place = |part: &str| {
            let start = (part.as_ptr() as usize).checked_sub(json.as_ptr() as usize)?;
            Some(start..start + part.len())
        };
        let Ok(mut members) = event.json().object() else { return };
        let mut content = None;
        while let Some(value) = members.next_value() {
            if value.is_of("content") {
                content = place(value.raw().as_str());
            }
        }
        let status = event.status().and_then(|status| place(status.raw()));
        if let (Some(status), Some(content), None) = (status, content, event.0.repeated) {
            self.json.clear();
            self.json.push_str(json);
            (self.at, self.status, self.content) = (Some(at), status, content);
        }
    }

    /// Reads an event that equals the cached one except for its number, its status and its `parts`,
    /// all or none of which it lists.
    pub fn read<'a>(
        &self,
        json: &'a str,
        parts: &[FoldedPart],
        keys: &DigestKey,
    ) -> Option<RepeatedEvent<'a>> {
        let (number, rest) = numbered(json)?;
        let rest = bytes::after(rest, self.json.get(..self.status.start)?)?;
        let (status, rest) = rest.split_at_checked(rest.bytes().position(|byte| byte == b'"')?)?;
        let is_name = |byte: u8| byte == b'_' || byte.is_ascii_lowercase();
        let rest = bytes::after(rest, self.json.get(self.status.end..self.content.start)?)?;
        let rest = match bytes::after(rest, "null") {
            Some(rest) => rest,
            None => after_list(rest, parts, keys)?,
        };
        let same = bytes::same(rest.as_bytes(), self.json.as_bytes().get(self.content.end..)?);
        (same && status.bytes().all(is_name)).then_some(RepeatedEvent { number, status })
    }
}

/// Returns the text after a list of all the parts.
fn after_list<'a>(json: &'a str, parts: &[FoldedPart], keys: &DigestKey) -> Option<&'a str> {
    let mut rest = json;
    for (at, part) in parts.iter().enumerate() {
        rest = bytes::after(rest, if at == 0 { "[" } else { "," })?;
        let length = part.fingerprints?.length(rest, keys)?;
        rest = rest.get(length..)?;
    }
    bytes::after(rest, "]")
}

impl AgentApiFold {
    /// Applies an event that only repeats the previous one about a message; returns whether it does
    /// so.
    pub(super) fn status_cache(&mut self, json: &str, cx: &mut Context<'_>) -> bool {
        let Some(at) = self.status_cache.at.filter(|_| self.phase != ObjectPhase::Ended) else {
            return false;
        };
        let Some(event) = self.status_cache.read(json, &self.messages[at].parts, &self.keys) else {
            return false;
        };
        cx.sequence(event.number);
        let violations = cx.violations();
        self.inside_response("a message", cx);
        self.touch(at);
        let next = self.next_phase(at, Some(event.status), MessageOrigin::Event, cx);
        self.message_status(at, event.number, Some(event.status), &next, cx);
        self.enter(at, &next, cx);
        if cx.violations() == violations {
            self.remember_ended(at, json);
        }
        true
    }
}
