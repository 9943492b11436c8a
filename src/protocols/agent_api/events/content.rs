//! Access to the members of a content event of any type.

use alloc::borrow::Cow;

use super::ContentEvent;
use crate::core::DecodeError;
use crate::engine::Key;
use crate::json::{Element, Raw, Str};
use crate::protocols::agent_api::model::{DataContent, TextContent};
use crate::protocols::agent_api::{ContentType, MODEL};

/// The number of members that contents of every type have. The members of single types follow them.
const EVERY_TYPE: usize = 8;

/// The positions of the members of single types in an event, by their numbers in the answer.
static PLACES: [u8; 256] = {
    let mut places = [0; 256];
    let mut at = EVERY_TYPE;
    while at < ContentEvent::MEMBERS.len() {
        places[MODEL.key_of(ContentEvent::MEMBERS[at]).0 as usize] = at as u8;
        at += 1;
    }
    places
};

impl<'a> ContentEvent<'a> {
    /// Returns the undeclared members; for a content of an unknown type, all members that not every type has.
    pub fn extra(&self, kind: &ContentType) -> impl Iterator<Item = (Cow<'a, str>, Raw<'a>)> + use<'a> {
        let is_known = !matches!(kind, ContentType::Other(_));
        let any = (!is_known || self.0.has_undeclared())
            .then(|| self.0.other_than(if is_known { Self::MEMBERS.len() } else { EVERY_TYPE }));
        any.into_iter().flatten()
    }

    /// Returns the type. Without a `type`, the first member that belongs to a single type determines it; the default is
    /// text.
    pub fn content_type(&self) -> ContentType {
        let Some(name) = self.kind() else {
            return self
                .0
                .first_from(EVERY_TYPE)
                .and_then(|at| self.type_with(at))
                .unwrap_or(ContentType::Text);
        };
        name.as_plain().and_then(ContentType::known).unwrap_or_else(|| ContentType::from(&*name.to_str()))
    }

    /// Returns the first type with the member at this position of the event. A `data` that is not an object belongs to
    /// an audio.
    fn type_with(&self, at: usize) -> Option<ContentType> {
        let has_member = |kind: &ContentType| kind.members().iter().any(|key| usize::from(place(*key)) == at);
        let kind = ContentType::NAMES.iter().map(|name| ContentType::from(*name)).find(has_member)?;
        Some(if kind == ContentType::Data && self.data().is_none() { ContentType::Audio } else { kind })
    }

    /// Returns the string in a member; `None` if the member is absent, null or another type.
    pub(crate) fn string(&self, member: Key) -> Option<Str<'a>> {
        self.value(member)?.string().ok()
    }

    /// Returns the text of a text content.
    pub fn text(&self) -> Option<Str<'a>> {
        self.string(TextContent::text)
    }

    /// Returns the object of a data content.
    pub fn data(&self) -> Option<Element<'a, 'a>> {
        self.value(DataContent::data).filter(|data| data.first() != b'"')
    }

    /// Returns the value of a member, unless it is null.
    fn value(&self, member: Key) -> Option<Element<'a, 'a>> {
        self.0.get(place(member).into())
    }

    /// Checks that the members of the content's own type have the declared JSON type.
    pub(super) fn check_types(&self) -> Result<(), DecodeError> {
        let kind = self.content_type();
        for &member in kind.members() {
            let (first, expected) = match kind {
                ContentType::Data => (b'{', "object or null"),
                _ => (b'"', "string or null"),
            };
            if let Some(wrong) = self.value(member).filter(|value| value.first() != first) {
                return Err(DecodeError::new(
                    wrong.mismatch(expected),
                    MODEL.key(member).unwrap_or_default(),
                ));
            }
        }
        Ok(())
    }
}

fn place(member: Key) -> u8 {
    PLACES[usize::from(member.0)]
}
