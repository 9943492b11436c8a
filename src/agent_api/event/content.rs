//! Content events, and the parts inside message events.

use alloc::vec::Vec;

use super::head::{self, Head, Seen};
use crate::agent_api::vocab::ContentType;
use crate::error::DecodeError;
use crate::json::{self, ErrorKind, Raw, Reader, Str};

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
    fields: [Option<(Field, FieldValue<'a>)>; Field::ALL.len()],
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

#[derive(Clone, Copy, Debug)]
enum FieldValue<'a> {
    Text(Str<'a>),
    /// Not a string and not null.
    Json(Raw<'a>),
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

    fn of(name: &str) -> Option<Field> {
        Self::ALL.into_iter().find(|field| field.name() == name)
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

    /// Reads a content from the JSON of one object.
    pub fn decode(json: &'a str, max_depth: u32) -> Result<Self, DecodeError> {
        head::whole(json, max_depth, Self::read)
    }

    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let mut event = ContentEvent {
            head: Head::default(),
            r#type: None,
            index: None,
            delta: Some(false),
            msg_id: MsgId::Absent,
            fields: [None; Field::ALL.len()],
        };
        let mut head = Head::default();
        head::members(reader, &mut head, |name, value, seen| event.member(name, value, seen))?;
        event.head = head;
        event.check_types()?;
        Ok(event)
    }

    /// The members that are not declared: for a content of a type that the protocol does not know, all that it has.
    pub fn extra(&self) -> Vec<(alloc::borrow::Cow<'a, str>, Raw<'a>)> {
        const EVERY_TYPE: usize = 8;
        match self.content_type() {
            ContentType::Other(_) => self.head.other_than(&Self::MEMBERS[..EVERY_TYPE]),
            _ => self.head.extra(Self::MEMBERS),
        }
    }

    /// The type; where the event names none, the one that has its first member.
    pub fn content_type(&self) -> ContentType {
        let Some(name) = self.r#type else {
            return match self.fields[0] {
                Some((Field::Refusal, _)) => ContentType::Refusal,
                Some((Field::ImageUrl, _)) => ContentType::Image,
                Some((Field::VideoUrl, _)) => ContentType::Video,
                Some((Field::Data, FieldValue::Json(_))) => ContentType::Data,
                Some((Field::Data | Field::Format, _)) => ContentType::Audio,
                Some((Field::FileUrl | Field::FileId | Field::Filename | Field::FileData, _)) => {
                    ContentType::File
                }
                Some((Field::Text, _)) | None => ContentType::Text,
            };
        };
        name.as_plain().and_then(ContentType::known).unwrap_or_else(|| ContentType::from(&*name.to_str()))
    }

    /// The string in a member; `None` when it is absent, null or no string.
    pub fn string(&self, field: Field) -> Option<Str<'a>> {
        match self.get(field)? {
            FieldValue::Text(text) => Some(text),
            FieldValue::Json(_) => None,
        }
    }

    /// The text of a text content.
    pub fn text(&self) -> Option<Str<'a>> {
        self.string(Field::Text)
    }

    /// The object of a data content.
    pub fn data(&self) -> Option<Raw<'a>> {
        match self.get(Field::Data)? {
            FieldValue::Text(_) => None,
            FieldValue::Json(raw) => (!raw.is_null()).then_some(raw),
        }
    }

    fn get(&self, field: Field) -> Option<FieldValue<'a>> {
        self.fields.iter().map_while(|slot| *slot).find(|(of, _)| *of == field).map(|(_, value)| value)
    }

    fn member(&mut self, name: &str, value: &mut Reader<'a>, seen: &mut Seen) -> Result<bool, json::Error> {
        match name {
            "type" => {
                seen.once("type", 4);
                self.r#type = value.string_or_null()?;
            }
            "index" => {
                seen.once("index", 5);
                self.index = value.integer_or_null()?;
            }
            "delta" => {
                seen.once("delta", 6);
                self.delta = value.bool_or_null()?;
            }
            "msg_id" => {
                seen.once("msg_id", 7);
                self.msg_id = value.string_or_null()?.map_or(MsgId::Null, MsgId::Id);
            }
            _ => {
                let Some(field) = Field::of(name) else {
                    return Ok(false);
                };
                seen.once(field.name(), 8 + field as u32);
                let read = match value.peek() {
                    Some(b'"') => Some(FieldValue::Text(value.string()?)),
                    _ => value.value_or_null()?.map(FieldValue::Json),
                };
                self.put(field, read);
            }
        }
        Ok(true)
    }

    /// Slots fill from the front; a repeated member takes the place of the first.
    fn put(&mut self, field: Field, value: Option<FieldValue<'a>>) {
        let place = self.fields.iter().take_while(|slot| slot.is_some_and(|(of, _)| of != field)).count();
        if let (Some(value), Some(slot)) = (value, self.fields.get_mut(place)) {
            *slot = Some((field, value));
        } else if let Some(Some((_, kept))) = self.fields.get_mut(place) {
            *kept = FieldValue::Json(Raw("null"));
        }
    }

    /// Members of the content's own type must have the declared JSON type.
    fn check_types(&self) -> Result<(), DecodeError> {
        let kind = self.content_type();
        for &field in Field::of_type(&kind) {
            let expected = match (kind == ContentType::Data, self.get(field)) {
                (_, None) => continue,
                (false, Some(FieldValue::Text(_))) => continue,
                (true, Some(FieldValue::Json(raw))) if raw.as_str().starts_with('{') => continue,
                (_, Some(FieldValue::Json(raw))) if raw.is_null() => continue,
                (false, Some(FieldValue::Json(_))) => "string or null",
                (true, Some(_)) => "object or null",
            };
            let error = json::Error { kind: ErrorKind::WrongType { expected }, at: 0 };
            return Err(DecodeError::new(error, field.name()));
        }
        Ok(())
    }
}
