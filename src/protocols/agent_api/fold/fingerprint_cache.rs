//! What is said again, byte for byte: servers repeat every content in its message, and every message in the response.
//!
//! An object that ended without a breach is remembered by the fingerprint of its JSON. Standing again in the list of what
//! holds it, it is neither read nor taken: it would change nothing.
//!
//! What makes it right: whatever touches a content or a message afterwards forgets that JSON, and an event in which not
//! all is as it was recalled is read again without.

use super::AgentApiFold;
use super::event::numbered;
use super::state::MessageState;
use crate::core::fold::{Digest, Keys};
use crate::json::{self, FingerprintLookup};
use crate::protocols::agent_api::enums::MessageType;
use crate::protocols::agent_api::event::{Event, Head, MessageEvent};
use crate::protocols::agent_api::lifecycle::Phase;

/// The JSON that gave a content or a message its last state.
#[derive(Clone, Copy, Debug)]
pub(super) struct FingerprintCache {
    number: Option<i64>,
    /// Of all that follows the number.
    rest: Digest,
}

impl FingerprintCache {
    /// Remembers an object, if it is written as the runtime does it: the number first.
    pub fn of(json: &str, keys: &Keys) -> Option<Self> {
        let (number, rest) = numbered(json)?;
        Some(FingerprintCache { number, rest: keys.digest(rest) })
    }

    /// Length of the same object at the start of a text; its number may be null. An error means that what stands there
    /// is as long and yet another one.
    pub fn length(&self, text: &str, keys: &Keys) -> Result<Option<usize>, Other> {
        let Some((number, rest)) = numbered(text) else { return Ok(None) };
        if number.is_some() && number != self.number {
            return Ok(None);
        }
        let (length, bytes) = (self.rest.len() as usize, rest.as_bytes());
        let Some(rest) = rest.get(..length).filter(|_| matches!(bytes.get(length), Some(b',' | b']'))) else {
            return Ok(None);
        };
        if keys.digest(rest) != self.rest {
            return Err(Other);
        }
        Ok(Some(text.len() - bytes.len() + length))
    }
}

/// Another object.
pub(super) struct Other;

/// What may be said again.
pub(super) struct Recalled<'f> {
    messages: &'f [MessageState],
    /// The message that is expected to list its contents.
    latest: usize,
    keys: &'f Keys,
}

impl FingerprintLookup for Recalled<'_> {
    fn recall(&mut self, name: &str, place: u32, rest: &str) -> Option<usize> {
        let place = place as usize;
        let said = match name {
            "content" => self.messages.get(self.latest)?.parts.get(place)?.fingerprints,
            "output" => self.messages.get(place)?.fingerprints,
            _ => None,
        };
        said?.length(rest, self.keys).unwrap_or_else(|Other| {
            // A server that knows the lengths shall not have everything digested over and over.
            self.messages = &[];
            None
        })
    }
}

impl AgentApiFold {
    /// What an event may say again; nothing, if it is read the second time.
    pub(super) fn recalled(&self, first: bool) -> Recalled<'_> {
        let messages = if first { self.messages.as_slice() } else { &[] };
        Recalled { messages, latest: self.latest, keys: &self.keys }
    }

    /// Whether an event with recalled objects is the one that they were expected in.
    pub(super) fn is_recalled(&self, event: &Event<'_>) -> bool {
        match event {
            Event::Response(response) => response.output.is_some_and(json::Element::has_recalled),
            Event::Message(message) => self.is_recalled_message(message),
            Event::Content(_) | Event::Error(_) | Event::Other { .. } => false,
        }
    }

    /// Whether a message lists all that it has as it is, in order.
    fn is_recalled_message(&self, event: &MessageEvent<'_>) -> bool {
        let Some(state) = event.id.and_then(|id| self.find(id)).filter(|at| *at == self.latest) else {
            return false;
        };
        let state = &self.messages[state];
        let same_kind = event.r#type.is_none_or(|kind| MessageType::from(&*kind.to_str()) == state.kind);
        let Some(list) = event.content.filter(|list| same_kind && list.has_recalled()) else { return false };
        let places = 0..state.parts.len() as u32;
        list.array().is_ok_and(|list| list.map(json::Element::recalled).eq(places.map(Some)))
    }

    /// A content has come whole and is as it will stand in its message.
    pub(super) fn remember_part(&mut self, at: usize, place: usize, head: &Head<'_>) {
        if head.json.may_be_nested(IN_RESPONSE) {
            self.messages[at].parts[place].fingerprints =
                FingerprintCache::of(head.json.raw().as_str(), &self.keys);
        }
    }

    /// An event about a message has broken no rule: the message is as it will stand in the response, or as the next event
    /// about it says again.
    pub(super) fn remember_message(&mut self, at: usize, event: &MessageEvent<'_>) {
        if self.messages[at].node.is_some() && event.head.json.may_be_nested(IN_OUTPUT) {
            self.status_cache.learn(at, event);
            self.remember_ended(at, event.head.json.raw().as_str());
        }
    }

    /// The JSON of an event that a message may have ended with.
    pub(super) fn remember_ended(&mut self, at: usize, json: &str) {
        let state = &mut self.messages[at];
        if state.phase == Phase::Ended {
            state.fingerprints = FingerprintCache::of(json, &self.keys);
        }
    }
}

/// How many containers are around a message in a response: the response and the list.
const IN_OUTPUT: u32 = 2;
/// How many are around a content there.
const IN_RESPONSE: u32 = IN_OUTPUT + 2;
