//! Message events.

use alloc::vec::Vec;

use super::content::ContentEvent;
use super::head::{self, Form, HEAD, Head};
use crate::core::error::DecodeError;
use crate::json::{Element, Raw, Str};

/// A message event, or a message inside a response. (Spec 1.2, `Message`.)
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MessageEvent<'a> {
    /// The members that every event has.
    pub head: Head<'a>,
    /// `id`
    pub id: Option<Str<'a>>,
    /// `type`
    pub r#type: Option<Str<'a>>,
    /// `role`
    pub role: Option<Str<'a>>,
    /// `content`: an array; [`MessageEvent::parts`] reads it.
    pub content: Option<Element<'a, 'a>>,
    /// `code`
    pub code: Option<Str<'a>>,
    /// `message`
    pub message: Option<Str<'a>>,
    /// `usage`
    pub usage: Option<Element<'a, 'a>>,
    /// `metadata`
    pub metadata: Option<Element<'a, 'a>>,
}

/// What [`MessageEvent::MEMBERS`] may be.
const FORMS: [Form; 12] = [
    HEAD[0],
    HEAD[1],
    HEAD[2],
    HEAD[3],
    Form::Id,
    Form::Text,
    Form::Text,
    Form::List,
    Form::Text,
    Form::Text,
    Form::Any,
    Form::Any,
];

impl<'a> MessageEvent<'a> {
    /// The declared members, in the order of the runtime.
    pub const MEMBERS: &'static [&'static str] = &[
        "sequence_number",
        "object",
        "status",
        "error",
        "id",
        "type",
        "role",
        "content",
        "code",
        "message",
        "usage",
        "metadata",
    ];

    /// Reads a message from an object.
    pub fn decode(object: Element<'a, 'a>) -> Result<Self, DecodeError> {
        let (head, slots) = head::members(object, Self::MEMBERS, &FORMS)?;
        Ok(MessageEvent {
            head,
            id: slots.text(4),
            r#type: slots.text(5),
            role: slots.text(6),
            content: slots.json(7),
            code: slots.text(8),
            message: slots.text(9),
            usage: slots.json(10),
            metadata: slots.json(11),
        })
    }

    /// The parts of `content`, in the order of the list, each readable or not.
    pub fn parts(&self) -> impl Iterator<Item = Result<ContentEvent<'a>, DecodeError>> + use<'a> {
        let parts = self.content.and_then(|list| list.array().ok());
        parts.into_iter().flatten().map(ContentEvent::decode)
    }

    /// The members of an object that are not declared.
    pub fn extra(&self) -> Vec<(alloc::borrow::Cow<'a, str>, Raw<'a>)> {
        self.head.extra(Self::MEMBERS)
    }
}
