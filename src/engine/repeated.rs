//! Members that events repeat.

use alloc::borrow::Cow;
use alloc::string::String;

use super::{Context, Field, FieldValue, ObjectId};
use crate::bytes::string_map::StringMap;
use crate::core::declare::model::shape::ObjectShape;
use crate::json::{Element, Raw, Str};

/// The values of members that events repeat: only a new value changes the answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repeated(StringMap<String>);

impl Repeated {
    /// Sets a member, unless it is absent or has this value.
    pub fn set(
        &mut self,
        node: ObjectId,
        key: Field,
        name: &str,
        value: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        if let Some(value) = value {
            self.change(name, value.raw().as_str(), || cx.set(node, key, FieldValue::Free(value)));
        }
    }

    /// Sets a member to a text, unless it has this value.
    pub fn set_text(
        &mut self,
        node: ObjectId,
        key: Field,
        name: &str,
        text: Str<'_>,
        cx: &mut Context<'_>,
    ) {
        self.change(name, text.raw(), || cx.set_text(node, key, &text.to_str()));
    }

    /// Sets members that the protocol does not declare. Members with the name of one that the
    /// object has are left out.
    pub fn set_extra<'a>(
        &mut self,
        node: ObjectId,
        shape: &ObjectShape,
        members: impl Iterator<Item = (Cow<'a, str>, Raw<'a>)>,
        cx: &mut Context<'_>,
    ) {
        for (name, value) in members.filter(|(name, _)| shape.member(name).is_none()) {
            self.change(&name, value.as_str(), || cx.set_extra(node, &name, value));
        }
    }

    fn change(&mut self, name: &str, value: &str, set: impl FnOnce() -> bool) {
        if self.0.get(name).is_none_or(|known| known != value) && set() {
            self.0.insert(name, value.into());
        }
    }
}
