//! What the first event of a stream says, for the protocols to tell whether it is theirs.

use crate::core::observed::Observed;
use crate::json::{Document, Element, Str};

/// The data of a stream's first event, as far as it tells the protocol.
#[derive(Debug)]
pub(crate) enum Opening<'d, 'a> {
    /// The end marker that several protocols have in the place of an event.
    Done,
    /// A JSON object.
    Object(Element<'d, 'a>),
}

/// Recognizes the protocol of an event, for a fold whose own protocol does not open so.
#[derive(Clone, Copy, Debug)]
pub struct Recognizer(pub(crate) fn(&Opening<'_, '_>) -> Option<Observed<'static>>);

impl<'d, 'a> Opening<'d, 'a> {
    /// What the event is; nothing if it is neither of the two.
    pub fn of(data: &str, document: Option<&'d Document<'a>>) -> Option<Self> {
        match document {
            _ if is_done(data) => Some(Opening::Done),
            Some(document) if document.root().object().is_ok() => Some(Opening::Object(document.root())),
            _ => None,
        }
    }

    /// A member of the object; the last one, should it be repeated.
    pub fn member(&self, name: &str) -> Option<Element<'d, 'a>> {
        let Opening::Object(object) = self else { return None };
        object.object().ok()?.filter(|(key, _)| key.as_plain() == Some(name)).last().map(|(_, value)| value)
    }

    /// The string that a member of the object is.
    pub fn word(&self, name: &str) -> Option<Str<'a>> {
        self.member(name)?.string().ok()
    }

    /// Whether that string is one of these.
    pub fn is_one_of(&self, name: &str, words: &[&str]) -> bool {
        self.word(name).is_some_and(|word| words.iter().any(|known| word == *known))
    }

    /// Whether a member is there that is not null.
    pub fn has(&self, name: &str) -> bool {
        self.member(name).is_some_and(|value| !value.is_null())
    }

    /// Whether a member is an object.
    pub fn has_object(&self, name: &str) -> bool {
        self.member(name).is_some_and(|value| value.object().is_ok())
    }

    /// Whether it is an error: those of different protocols are alike.
    pub fn is_error(&self) -> bool {
        self.has("error") || self.is_one_of("type", &["error"])
    }
}

/// The end marker that several protocols have, white space around it or not.
pub(crate) fn is_done(data: &str) -> bool {
    is_marker(data, "[DONE]")
}

/// Whether the data of an event is that marker, white space around it or not.
pub(crate) fn is_marker(data: &str, marker: &str) -> bool {
    data.trim_ascii() == marker
}

/// Whether a name is spelled in capitals, as some protocols spell their event types: `RUN_STARTED`.
pub(crate) fn is_in_capitals(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}
