//! Fast path for a message event that repeats the previous one with another status, and perhaps with the contents that
//! have arrived since: every message goes from `created` to `in_progress` to `completed` like that.
//!
//! Correctness: the previous event was read in full and caused no violation. Only events about messages and responses
//! change its values, and those discard the cache. Any other event takes the general path.

use alloc::string::String;
use core::ops::Range;

use super::AgentApiMeaning;
use super::fingerprint_cache::numbered;
use super::message::Source;
use super::state::PartState;
use crate::bytes;
use crate::engine::{Context, Keys};
use crate::protocols::agent_api::events::MessageEvent;
use crate::protocols::agent_api::lifecycle::Phase;

/// The previous event, without its number.
#[derive(Debug, Default)]
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
pub(super) struct Restatement<'a> {
    number: Option<i64>,
    status: &'a str,
}

impl StatusCache {
    /// Discards the event, because another event about messages follows.
    pub fn forget(&mut self) {
        self.at = None;
    }

    /// Keeps an event without violations, if it has the order of the runtime: number, status, `content`.
    pub fn learn(&mut self, at: usize, event: &MessageEvent<'_>) {
        /// Events without contents are not longer, and the memory of a reader is bounded.
        const LONGEST: usize = 1024;
        let Some((_, json)) = numbered(event.json().raw().as_str()).filter(|(_, json)| json.len() <= LONGEST)
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

    /// Reads an event that equals the cached one except for its number, its status and its `parts`, all or none of
    /// which it lists.
    pub fn read<'a>(&self, json: &'a str, parts: &[PartState], keys: &Keys) -> Option<Restatement<'a>> {
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
        (same && status.bytes().all(is_name)).then_some(Restatement { number, status })
    }
}

/// Returns the text after a list of all the parts.
fn after_list<'a>(json: &'a str, parts: &[PartState], keys: &Keys) -> Option<&'a str> {
    let mut rest = json;
    for (at, part) in parts.iter().enumerate() {
        rest = bytes::after(rest, if at == 0 { "[" } else { "," })?;
        let length = part.fingerprints?.length(rest, keys).ok()??;
        rest = rest.get(length..)?;
    }
    bytes::after(rest, "]")
}

impl AgentApiMeaning {
    /// Applies an event that only repeats the previous one about a message; returns whether it does so.
    pub(super) fn status_cache(&mut self, json: &str, cx: &mut Context<'_>) -> bool {
        let Some(at) = self.status_cache.at.filter(|_| self.phase != Phase::Ended) else { return false };
        let Some(event) = self.status_cache.read(json, &self.messages[at].parts, &self.keys) else {
            return false;
        };
        cx.sequence(event.number);
        let breaches = cx.breaches();
        self.inside_response("a message", cx);
        self.touch(at);
        let next = self.next_phase(at, Some(event.status), Source::Event, cx);
        self.message_status(at, event.number, Some(event.status), &next, cx);
        self.enter(at, &next, cx);
        if cx.breaches() == breaches {
            self.remember_ended(at, json);
        }
        true
    }
}
