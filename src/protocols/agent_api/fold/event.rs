//! An event: its JSON, its number, and what it is about.

use alloc::string::String;

use super::AgentApiFold;
use crate::bytes;
use crate::core::error::DecodeError;
use crate::core::fold::Metered;
use crate::core::observed::Observed;
use crate::core::violation::LIMIT_EXCEEDED;
use crate::json::{self, Document, Tape};
use crate::protocols::agent_api::event::Event;
use crate::protocols::agent_api::lifecycle::Phase;
use crate::protocols::agent_api::rules;

/// How events begin as the runtime writes them.
pub(super) const START: &str = "{\"sequence_number\":";

/// The number that an object begins with, which may be null, and all that follows it.
pub(super) fn numbered(json: &str) -> Option<(Option<i64>, &str)> {
    let number = bytes::after(json, START)?;
    if let Some(rest) = bytes::after(number, "null") {
        return Some((None, rest));
    }
    let (value, end) = json::number::count(number.as_bytes(), 0)?;
    Some((Some(value), number.get(end..)?))
}

impl AgentApiFold {
    /// Takes the data of an event, read for the `first` time. Returns whether it was taken: it was not if something in it
    /// was skipped that belongs elsewhere.
    pub(super) fn take(&mut self, data: &str, first: bool, tape: &mut Tape, sink: &mut Metered<'_>) -> bool {
        let depth = self.options.limits.json_depth;
        let mut skips = core::mem::take(&mut self.skips);
        skips.clear();
        if first {
            self.said_again(data, &mut skips);
        }
        let read = Document::read_skipping(tape, data, depth, &skips);
        self.skips = skips;
        let mut document = match read {
            Ok(document) => document,
            Err(refused) => {
                self.malformed(&refused.into(), data);
                return true;
            }
        };
        document.id_bytes = self.options.limits.id_bytes;
        let is_right = match Event::decode(&document) {
            Ok(event) if document.has_skipped() && !self.is_recalled(&event) => false,
            Ok(event) => {
                self.decoded(event, sink);
                true
            }
            Err(_) if document.has_skipped() => false,
            Err(error) => {
                self.malformed(&error, data);
                true
            }
        };
        document.give_back(tape);
        is_right
    }

    #[inline(never)]
    fn decoded(&mut self, event: Event<'_>, sink: &mut Metered<'_>) {
        let (repeated, number) = match &event {
            Event::Response(event) => (event.0.repeated, event.sequence_number()),
            Event::Message(event) => (event.0.repeated, event.sequence_number()),
            Event::Content(event) => (event.0.repeated, event.sequence_number()),
            Event::Error(error) => return self.error_frame(error, sink),
            Event::Other { name, .. } => {
                let name = name.map_or_else(String::new, |name| name.to_str().into_owned());
                self.report.unknown(&self.options.limits, &name);
                return self.breach(&rules::UNKNOWN_OBJECT, Observed::Name(&name));
            }
        };
        self.sequence(repeated, number);
        if self.phase == Phase::Ended {
            return self.breach(&rules::AFTER_TERMINAL, Observed::Words("an event"));
        }
        match event {
            Event::Response(response) => self.response(response, sink),
            Event::Message(message) => self.message(message, sink),
            Event::Content(content) => {
                self.repeat.locate(&content);
                self.content(content, sink);
            }
            Event::Error(_) | Event::Other { .. } => {}
        }
    }

    /// R8: numbers are for people and for resuming; the order of arrival is the truth.
    fn sequence(&mut self, repeated: Option<&str>, number: Option<i64>) {
        if let Some(name) = repeated {
            self.breach(&rules::DUPLICATE_KEY, Observed::Named("twice", name));
        }
        let before = self.breaches;
        self.number(number);
        self.repeat.numbered(self.breaches - before);
    }

    #[inline]
    pub(super) fn number(&mut self, number: Option<i64>) {
        let expected = self.next_sequence;
        if number != Some(expected) {
            self.breach(&rules::SEQUENCE_NUMBER, Observed::Number(number, expected));
        }
        self.next_sequence = number.unwrap_or(expected).saturating_add(1);
    }

    /// What is no event.
    #[cold]
    pub(super) fn malformed(&mut self, error: &DecodeError, data: &str) {
        self.malformed_in(error, data, usize::MAX, None);
    }

    /// What is no event, or no part of one, in that message if there is one.
    #[cold]
    pub(super) fn malformed_in(&mut self, error: &DecodeError, what: &str, at: usize, index: Option<u32>) {
        match error.code {
            DecodeError::ID_TOO_LONG => {
                let most = self.options.limits.id_bytes as u64;
                self.breach_in(&LIMIT_EXCEEDED, at, index, Observed::Over("id_bytes", most));
            }
            _ => self.breach_in(&rules::MALFORMED_EVENT, at, index, Observed::NoEvent(error, what)),
        }
    }
}
