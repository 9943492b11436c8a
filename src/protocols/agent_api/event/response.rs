//! Response events.

use alloc::vec::Vec;

use super::head::{self, Form, HEAD, Head};
use super::message::MessageEvent;
use crate::core::error::DecodeError;
use crate::json::{Element, Raw, Str};

/// A response event. (Spec 1.2, `AgentResponse`.)
#[derive(Clone, Debug)]
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
    pub output: Option<Element<'a, 'a>>,
    /// `usage`
    pub usage: Option<Element<'a, 'a>>,
    /// `session_id`
    pub session_id: Option<Str<'a>>,
}

/// What [`ResponseEvent::MEMBERS`] may be.
const FORMS: [Form; 11] = [
    HEAD[0],
    HEAD[1],
    HEAD[2],
    HEAD[3],
    Form::Id,
    Form::Id,
    Form::Any,
    Form::Any,
    Form::List,
    Form::Any,
    Form::Id,
];

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

    /// Reads a response from an object.
    pub fn decode(object: Element<'a, 'a>) -> Result<Self, DecodeError> {
        let (head, slots) = head::members(object, Self::MEMBERS, &FORMS)?;
        Ok(ResponseEvent {
            head,
            id: slots.text(4).or(slots.text(5)),
            created_at: slots.integer(6),
            completed_at: slots.integer(7),
            output: slots.json(8),
            usage: slots.json(9),
            session_id: slots.text(10),
        })
    }

    /// The elements of `output`.
    pub(crate) fn listed(&self) -> impl Iterator<Item = Element<'a, 'a>> + use<'a> {
        self.output.and_then(|list| list.array().ok()).into_iter().flatten()
    }

    /// The messages of `output`, in the order of the list, each readable or not.
    ///
    /// ```
    /// use agentwire::{agent_api::event::Event, json::Document};
    ///
    /// let document = Document::read(r#"{"object":"response","output":[{"object":"message","id":"m1"},5]}"#, 128)?;
    /// let Event::Response(response) = Event::decode(&document)? else { panic!("a response event") };
    /// let ids: Vec<_> = response.messages().map(|message| message.ok()?.id?.as_plain()).collect();
    /// assert_eq!(ids, [Some("m1"), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn messages(&self) -> impl Iterator<Item = Result<MessageEvent<'a>, DecodeError>> + use<'a> {
        self.listed().map(MessageEvent::decode)
    }

    /// The members of an object that are not declared.
    pub fn extra(&self) -> Vec<(alloc::borrow::Cow<'a, str>, Raw<'a>)> {
        self.head.extra(Self::MEMBERS)
    }
}
