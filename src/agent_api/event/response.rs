//! Response events.

use alloc::vec::Vec;

use super::head::{self, Head};
use super::message::MessageEvent;
use crate::error::DecodeError;
use crate::json::{Raw, Reader, Str};

/// A response event. (Spec 1.2, `AgentResponse`.)
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ResponseEvent<'a> {
    /// The members that every event has.
    pub head: Head<'a>,
    /// `id`, or `response_id` where a server of version 0.x writes that.
    pub id: Option<Str<'a>>,
    /// `created_at`, seconds.
    pub created_at: Option<i64>,
    /// `completed_at`, seconds.
    pub completed_at: Option<i64>,
    /// `output`: an array; [`ResponseEvent::messages`] reads it.
    pub output: Option<Raw<'a>>,
    /// `usage`
    pub usage: Option<Raw<'a>>,
    /// `session_id`
    pub session_id: Option<Str<'a>>,
}

impl<'a> ResponseEvent<'a> {
    /// The declared members, in the order of the runtime.
    pub const MEMBERS: &'static [&'static str] = &[
        "sequence_number",
        "object",
        "status",
        "error",
        "id",
        "response_id",
        "created_at",
        "completed_at",
        "output",
        "usage",
        "session_id",
    ];

    /// Reads a response from the JSON of one object.
    pub fn decode(json: &'a str, max_depth: u32) -> Result<Self, DecodeError> {
        head::whole(json, max_depth, Self::read)
    }

    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let mut event = ResponseEvent::default();
        let mut head = Head::default();
        let mut old_id = None;
        head::members(reader, &mut head, |name, value, seen| {
            match name {
                "id" => {
                    seen.once("id", 4);
                    event.id = value.string_or_null()?;
                }
                "response_id" => old_id = value.string_or_null()?,
                "created_at" => {
                    seen.once("created_at", 5);
                    event.created_at = head::integer_or_nothing(value)?;
                }
                "completed_at" => {
                    seen.once("completed_at", 6);
                    event.completed_at = head::integer_or_nothing(value)?;
                }
                "output" => {
                    seen.once("output", 7);
                    event.output = head::array_or_null(value)?;
                }
                "usage" => {
                    seen.once("usage", 8);
                    event.usage = value.value_or_null()?;
                }
                "session_id" => {
                    seen.once("session_id", 9);
                    event.session_id = value.string_or_null()?;
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        event.head = head;
        event.id = event.id.or(old_id);
        Ok(event)
    }

    /// The messages of `output`, in the order of the list.
    pub fn messages(&self) -> Messages<'a> {
        self.output.map_or_else(Vec::new, |list| head::each(list, MessageEvent::read))
    }

    /// The members of an object that are not declared.
    pub fn extra(&self) -> Vec<(alloc::borrow::Cow<'a, str>, Raw<'a>)> {
        self.head.extra(Self::MEMBERS)
    }
}

/// The messages of a response, each readable or not.
pub type Messages<'a> = Vec<Result<MessageEvent<'a>, DecodeError>>;
