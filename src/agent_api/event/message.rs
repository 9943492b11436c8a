//! Message events.

use alloc::vec::Vec;

use super::content::ContentEvent;
use super::head::{self, Head};
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
        let mut event = MessageEvent::default();
        let mut head = Head::default();
        head::members(reader, &mut head, |name, value, seen| {
            match name {
                "id" => {
                    seen.once("id", 4);
                    event.id = value.string_or_null()?;
                }
                "type" => {
                    seen.once("type", 5);
                    event.r#type = value.string_or_null()?;
                }
                "role" => {
                    seen.once("role", 6);
                    event.role = value.string_or_null()?;
                }
                "content" => {
                    seen.once("content", 7);
                    event.content = head::array_or_null(value)?;
                }
                "code" => {
                    seen.once("code", 8);
                    event.code = value.string_or_null()?;
                }
                "message" => {
                    seen.once("message", 9);
                    event.message = value.string_or_null()?;
                }
                "usage" => {
                    seen.once("usage", 10);
                    event.usage = value.value_or_null()?;
                }
                "metadata" => {
                    seen.once("metadata", 11);
                    event.metadata = value.value_or_null()?;
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        event.head = head;
        Ok(event)
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
