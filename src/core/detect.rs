//! The first event of a stream, by which protocols recognize their streams.

use crate::core::violation::Observed;
use crate::json::{Document, Element, Str};

/// The data of a stream's first event, as far as it identifies the protocol.
#[derive(Debug)]
pub(crate) enum Opening<'d, 'a> {
    /// The end marker that several protocols have instead of an event.
    Done,
    /// A JSON object.
    Object(Element<'d, 'a>),
}

/// Recognizes the protocol of an event, for an engine whose own protocol does not begin with it.
#[derive(Clone, Copy, Debug)]
pub struct Recognizer(pub(crate) fn(&Opening<'_, '_>) -> Option<Observed<'static>>);

impl<'d, 'a> Opening<'d, 'a> {
    /// Returns the kind of opening of an event; `None` if it is not one of the two.
    pub fn of(data: &str, document: Option<&'d Document<'a>>) -> Option<Self> {
        match document {
            _ if is_done(data) => Some(Opening::Done),
            Some(document) if document.root().object().is_ok() => {
                Some(Opening::Object(document.root()))
            }
            // A list of events.
            Some(document) => document
                .root()
                .items()
                .next()
                .filter(|first| first.object().is_ok())
                .map(Opening::Object),
            None => None,
        }
    }

    /// Returns a member of the object. If the name is repeated, the last member counts.
    pub fn member(&self, name: &str) -> Option<Element<'d, 'a>> {
        let Opening::Object(object) = self else { return None };
        object
            .object()
            .ok()?
            .filter(|(key, _)| key.as_plain() == Some(name))
            .last()
            .map(|(_, value)| value)
    }

    /// Returns the string value of a member of the object.
    pub fn word(&self, name: &str) -> Option<Str<'a>> {
        self.member(name)?.string().ok()
    }

    /// Whether the string value of a member is one of these words.
    pub fn is_one_of(&self, name: &str, words: &[&str]) -> bool {
        self.word(name).is_some_and(|word| words.iter().any(|known| word == *known))
    }

    /// Whether a member is present and not null.
    pub fn has(&self, name: &str) -> bool {
        self.member(name).is_some_and(|value| !value.is_null())
    }

    /// Whether a member is an object.
    pub fn has_object(&self, name: &str) -> bool {
        self.member(name).is_some_and(|value| value.object().is_ok())
    }

    /// Whether it is an error. The errors of different protocols are alike.
    pub fn is_error(&self) -> bool {
        self.has("error") || self.is_one_of("type", &["error"])
    }
}

/// Whether the data is the end marker of several protocols, with or without white space around it.
pub(crate) fn is_done(data: &str) -> bool {
    is_marker(data, "[DONE]")
}

/// Whether the data of an event is a marker, with or without white space around it.
pub(crate) fn is_marker(data: &str, marker: &str) -> bool {
    data.trim_ascii() == marker
}

/// Whether a name is in capitals, as the event types of some protocols are: `RUN_STARTED`.
pub(crate) fn is_in_capitals(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}
