//! Message events.

use alloc::vec::Vec;

use super::content::ContentEvent;
use super::head::{self, Form, HEAD, Head, Slot};
use crate::error::DecodeError;
use crate::json::{Raw, Reader, Str};

/// A message event, or a message inside a response. (Spec 1.2, `Message`.)
#[derive(Clone, Debug, Default)]
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
    pub content: Option<Raw<'a>>,
    /// `code`
    pub code: Option<Str<'a>>,
    /// `message`
    pub message: Option<Str<'a>>,
    /// `usage`
    pub usage: Option<Raw<'a>>,
    /// `metadata`
    pub metadata: Option<Raw<'a>>,
}

/// How [`MessageEvent::MEMBERS`] are read.
const FORMS: [Form; 12] = [
    HEAD[0],
    HEAD[1],
    HEAD[2],
    HEAD[3],
    Form::Text,
    Form::Text,
    Form::Text,
    Form::List,
    Form::Text,
    Form::Text,
    Form::Json,
    Form::Json,
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

    /// Reads a message from the JSON of one object.
    pub fn decode(json: &'a str, max_depth: u32) -> Result<Self, DecodeError> {
        head::whole(json, max_depth, Self::read)
    }

    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let mut slots = [Slot::Absent; FORMS.len()];
        let head = head::members(reader, Self::MEMBERS, &FORMS, &mut slots)?;
        let [_, _, _, _, id, kind, role, content, code, message, usage, metadata] = slots;
        Ok(MessageEvent {
            head,
            id: id.text(),
            r#type: kind.text(),
            role: role.text(),
            content: content.json(),
            code: code.text(),
            message: message.text(),
            usage: usage.json(),
            metadata: metadata.json(),
        })
    }

    /// The parts of `content`, in the order of the list.
    pub fn parts(&self) -> Parts<'a> {
        self.content.map_or_else(Vec::new, |list| head::each(list, ContentEvent::read))
    }

    /// The members of an object that are not declared.
    pub fn extra(&self) -> Vec<(alloc::borrow::Cow<'a, str>, Raw<'a>)> {
        self.head.extra(Self::MEMBERS)
    }
}

/// The parts of a message, each readable or not.
pub type Parts<'a> = Vec<Result<ContentEvent<'a>, DecodeError>>;
