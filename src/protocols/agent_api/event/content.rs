//! What a content event says, whichever type it is of.

use alloc::borrow::Cow;

use super::ContentEvent;
use crate::core::error::DecodeError;
use crate::json::{Element, Raw, Str};
use crate::protocols::agent_api::ContentType;

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

impl<'a> ContentEvent<'a> {
    /// The members that are not declared: for a content of a type that the protocol does not know, all that it has.
    pub fn extra(&self, kind: &ContentType) -> impl Iterator<Item = (Cow<'a, str>, Raw<'a>)> + use<'a> {
        let is_known = !matches!(kind, ContentType::Other(_));
        let any = (!is_known || self.0.has_undeclared())
            .then(|| self.0.other_than(if is_known { Self::MEMBERS.len() } else { EVERY_TYPE }));
        any.into_iter().flatten()
    }

    /// The type; where the event names none, the one that has its first member.
    pub fn content_type(&self) -> ContentType {
        let Some(name) = self.kind() else {
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
        Field::ALL.get(self.0.first_from(EVERY_TYPE)? - EVERY_TYPE).copied()
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
        self.0.get(EVERY_TYPE + field as usize)
    }

    /// Members of the content's own type must have the declared JSON type.
    pub(super) fn check_types(&self) -> Result<(), DecodeError> {
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
