//! Content events, and the parts inside message events.

use alloc::vec::Vec;

use super::head::{self, Form, HEAD, Head, Slots};
use crate::core::error::DecodeError;
use crate::json::{Element, Raw, Str};
use crate::protocols::agent_api::ContentType;

/// A content event, or a part of a message. (Spec 1.2, `Content`.)
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ContentEvent<'a> {
    /// The members that every event has.
    pub head: Head<'a>,
    /// `type`
    pub r#type: Option<Str<'a>>,
    /// `index`
    pub index: Option<i64>,
    /// `delta`; absent counts as false, null is `None`.
    pub delta: Option<bool>,
    /// `msg_id`
    pub msg_id: MsgId<'a>,
    slots: Slots<'a, { FORMS.len() }>,
}

/// The `msg_id` of a content event. Absent and null mean different things: the documented examples leave it out, servers
/// of version 1.0 write null in events that only repeat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MsgId<'a> {
    /// The member is not there.
    Absent,
    /// The member is null.
    Null,
    /// The message's id.
    Id(Str<'a>),
}

/// A member that holds a content's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the protocol's")]
pub enum Field {
    Text,
    Refusal,
    ImageUrl,
    VideoUrl,
    Data,
    Format,
    FileUrl,
    FileId,
    Filename,
    FileData,
}

impl Field {
    const ALL: [Field; 10] = [
        Field::Text,
        Field::Refusal,
        Field::ImageUrl,
        Field::VideoUrl,
        Field::Data,
        Field::Format,
        Field::FileUrl,
        Field::FileId,
        Field::Filename,
        Field::FileData,
    ];

    /// The member's name.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Text => "text",
            Field::Refusal => "refusal",
            Field::ImageUrl => "image_url",
            Field::VideoUrl => "video_url",
            Field::Data => "data",
            Field::Format => "format",
            Field::FileUrl => "file_url",
            Field::FileId => "file_id",
            Field::Filename => "filename",
            Field::FileData => "file_data",
        }
    }

    /// The members that contents of a type have.
    pub const fn of_type(kind: &ContentType) -> &'static [Field] {
        match kind {
            ContentType::Text => &[Field::Text],
            ContentType::Refusal => &[Field::Refusal],
            ContentType::Image => &[Field::ImageUrl],
            ContentType::Video => &[Field::VideoUrl],
            ContentType::Data => &[Field::Data],
            ContentType::Audio => &[Field::Data, Field::Format],
            ContentType::File => &[Field::FileUrl, Field::FileId, Field::Filename, Field::FileData],
            ContentType::Other(_) => &[],
        }
    }
}

/// How many members contents of every type have; those of [`Field`] follow.
const EVERY_TYPE: usize = 8;

/// What [`ContentEvent::MEMBERS`] may be.
const FORMS: [Form; 18] = [
    HEAD[0],
    HEAD[1],
    HEAD[2],
    HEAD[3],
    Form::Text,
    Form::Integer,
    Form::Boolean,
    Form::Id,
    Form::Any,
    Form::Any,
    Form::Any,
    Form::Any,
    Form::Any,
    Form::Any,
    Form::Any,
    Form::Any,
    Form::Any,
    Form::Any,
];

impl<'a> ContentEvent<'a> {
    /// The declared members, in the order of the runtime.
    pub const MEMBERS: &'static [&'static str] = &[
        "sequence_number",
        "object",
        "status",
        "error",
        "type",
        "index",
        "delta",
        "msg_id",
        "text",
        "refusal",
        "image_url",
        "video_url",
        "data",
        "format",
        "file_url",
        "file_id",
        "filename",
        "file_data",
    ];

    /// Reads a content from an object.
    pub fn decode(object: Element<'a, 'a>) -> Result<Self, DecodeError> {
        let (head, slots) = head::members(object, Self::MEMBERS, &FORMS)?;
        let event = ContentEvent {
            head,
            r#type: slots.text(4),
            index: slots.integer(5),
            delta: slots.value(6).map_or(Some(false), |delta| delta.bool().ok()),
            msg_id: match slots.value(7).map(Element::string) {
                None => MsgId::Absent,
                Some(Ok(id)) => MsgId::Id(id),
                Some(Err(_)) => MsgId::Null,
            },
            slots,
        };
        event.check_types()?;
        Ok(event)
    }

    /// The members that are not declared: for a content of a type that the protocol does not know, all that it has.
    pub fn extra(&self) -> Vec<(alloc::borrow::Cow<'a, str>, Raw<'a>)> {
        match self.content_type() {
            ContentType::Other(_) => self.head.other_than(&Self::MEMBERS[..EVERY_TYPE]),
            _ => self.head.extra(Self::MEMBERS),
        }
    }

    /// The type; where the event names none, the one that has its first member.
    pub fn content_type(&self) -> ContentType {
        let Some(name) = self.r#type else {
            return match self.first() {
                Some(Field::Refusal) => ContentType::Refusal,
                Some(Field::ImageUrl) => ContentType::Image,
                Some(Field::VideoUrl) => ContentType::Video,
                Some(Field::Data) if self.data().is_some() => ContentType::Data,
                Some(Field::Data | Field::Format) => ContentType::Audio,
                Some(Field::FileUrl | Field::FileId | Field::Filename | Field::FileData) => ContentType::File,
                Some(Field::Text) | None => ContentType::Text,
            };
        };
        name.as_plain().and_then(ContentType::known).unwrap_or_else(|| ContentType::from(&*name.to_str()))
    }

    /// The member with a value that stands first.
    fn first(&self) -> Option<Field> {
        let present = Field::ALL.into_iter().filter(|field| self.get(*field).is_some());
        present.min_by_key(|field| self.slots.places.get(EVERY_TYPE + *field as usize).copied())
    }

    /// The string in a member; `None` when it is absent, null or no string.
    pub fn string(&self, field: Field) -> Option<Str<'a>> {
        self.get(field)?.string().ok()
    }

    /// The text of a text content.
    pub fn text(&self) -> Option<Str<'a>> {
        self.string(Field::Text)
    }

    /// The object of a data content.
    pub fn data(&self) -> Option<Element<'a, 'a>> {
        self.get(Field::Data).filter(|data| data.first() != b'"')
    }

    /// The value of a member that is not null.
    fn get(&self, field: Field) -> Option<Element<'a, 'a>> {
        self.slots.json(EVERY_TYPE + field as usize)
    }

    /// Members of the content's own type must have the declared JSON type.
    fn check_types(&self) -> Result<(), DecodeError> {
        let kind = self.content_type();
        for &field in Field::of_type(&kind) {
            let (first, expected) = match kind {
                ContentType::Data => (b'{', "object or null"),
                _ => (b'"', "string or null"),
            };
            if let Some(wrong) = self.get(field).filter(|value| value.first() != first) {
                return Err(DecodeError::new(wrong.mismatch(expected), field.name()));
            }
        }
        Ok(())
    }
}
