//! The types of members: how a sink finds them, what they do with what it is told.

use alloc::string::String;
use alloc::vec::Vec;

use super::shape::{Model, Shape};
use crate::core::id::Id;
use crate::core::sink::{Key, Kind, SinkValue};
use crate::json::{self, Object as JsonObject, Raw, Value};

/// How an object is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// Members without a value are left out, not null.
    pub compact: bool,
    /// What becomes of its lists.
    pub lists: Lists,
    /// It is a piece of what it says: members that are always false are true.
    pub is_piece: bool,
}

/// What becomes of the lists of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lists {
    /// All are written.
    #[default]
    Written,
    /// All are written; empty ones of the objects inside are null.
    NullInside,
    /// Empty ones are null.
    NullIfEmpty,
    /// They are null.
    Null,
}

/// The type of a member.
pub trait Member {
    /// It has this value now.
    fn set(&mut self, value: SinkValue<'_>);

    /// It is not there any more.
    fn unset(&mut self) {
        self.set(SinkValue::Null);
    }

    /// It got longer.
    fn append(&mut self, _piece: &str) {}

    /// It holds one object more, which is returned as its place.
    fn open(&mut self, _kind: Kind) -> usize {
        0
    }

    /// A member of an object inside of the one that it holds at a place.
    fn inside(&mut self, _at: u32, _way: &[Step], _key: Key) -> Option<&mut dyn Member>
    where
        Self: Sized,
    {
        None
    }

    /// The undeclared members, of the member that is those.
    fn extra(&mut self) -> Option<&mut Vec<json::Member>> {
        None
    }

    /// The free JSON that it holds, to be changed; null where it has no value.
    fn json(&mut self) -> Option<&mut Value> {
        None
    }

    /// The text that it is.
    fn text(&self) -> Option<&str> {
        None
    }

    /// The id that it is, for other members to have it, too.
    fn id(&self) -> Option<Id> {
        None
    }

    /// It is this id now.
    fn set_id(&mut self, _id: Id) {}

    /// The objects at two places of a list change places.
    fn swap(&mut self, _one: usize, _other: usize) {}

    /// A list has only so many objects.
    fn truncate(&mut self, _length: usize) {}

    /// The free JSON that it holds, if that is patched.
    #[cfg(feature = "patches")]
    fn tree(&mut self) -> Option<&mut crate::core::json_patch::Tree> {
        None
    }

    /// Whether it is not there at all.
    fn is_absent(&self) -> bool {
        false
    }

    /// Whether it has no value, or is written like that.
    fn is_null(&self, _writing: Writing) -> bool {
        false
    }

    /// As JSON.
    fn write(&self, out: &mut String, writing: Writing);
}

/// What a type of member looks like.
pub trait Shaped {
    /// The shape.
    const SHAPE: Shape;
}

/// The number of the undeclared members of an object, all of them together.
pub const EXTRA: Key = Key(u8::MAX);

/// From an object to one inside of it.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The member that holds it.
    pub list: Key,
    /// Its place there.
    pub at: u32,
}

/// A declared object.
pub trait Object {
    /// The member of that number.
    fn member(&mut self, key: Key) -> Option<&mut dyn Member>;

    /// A member of an object inside of it, to which these steps lead, the last one first.
    fn find(&mut self, way: &[Step], key: Key) -> Option<&mut dyn Member>;

    /// As JSON.
    fn write(&self, out: &mut String, writing: Writing);
}

/// What can be made when a fold opens an object.
pub trait OfKind: Object + Sized {
    /// An object of that kind.
    fn of_kind(kind: Kind) -> Self;
}

/// Writes a member of an object, or leaves it out. The key is as `member_key!` makes it.
pub(crate) fn write_member(
    key: &'static str,
    member: &impl Member,
    object: &mut JsonObject<'_>,
    writing: Writing,
) {
    if member.is_absent() {
        return;
    }
    if member.is_null(writing) {
        return object.declared_null(key);
    }
    member.write(object.declared(key), writing);
}

/// Writes the members that are not declared.
pub(crate) fn write_extra(extra: &[json::Member], object: &mut JsonObject<'_>) {
    extra.iter().for_each(|member| object.value(&member.key, Some(&member.value)));
}

/// An object as JSON.
pub(crate) fn object_to_json(object: &dyn Object) -> String {
    let mut out = String::new();
    object.write(&mut out, Writing::default());
    out
}

/// An object as serde has it: as its JSON.
#[cfg(feature = "serde")]
pub(crate) fn serialize<S: serde::Serializer>(object: &dyn Object, serializer: S) -> Result<S::Ok, S::Error> {
    json::serialize_json(&object_to_json(object), serializer)
}

/// Gives an object the members that JSON has of it.
pub(crate) fn set_members(object: &mut dyn Object, value: SinkValue<'_>, model: &Model) {
    let mut json = Value::Null;
    json.set(value);
    let Value::Object(members) = json else { return };
    for json::Member { key, value } in members {
        let Some(member) = model.find_key(&key).and_then(|key| object.member(key)) else { continue };
        match &value {
            Value::Null => member.set(SinkValue::Null),
            Value::String(text) => member.set(SinkValue::Str(text)),
            other => member.set(SinkValue::Json(Raw(&other.to_json()))),
        }
    }
}
