//! The types of members: how a sink finds them, and their reactions to its calls.

use alloc::string::String;
use alloc::vec::Vec;

use super::shape::{Model, Shape};
use crate::core::id::Id;
use crate::core::sink::{Key, Kind, SinkValue};
use crate::json::{self, Object as JsonObject, Raw, Value};

/// Options for writing an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// Members without a value are omitted, not null.
    pub compact: bool,
    /// How lists are written.
    pub lists: Lists,
    /// The object is a piece: members that are always false are true.
    pub is_piece: bool,
}

/// How the lists of an object are written.
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
    /// Sets the value.
    fn set(&mut self, value: SinkValue<'_>);

    /// Makes the member absent.
    fn unset(&mut self) {
        self.set(SinkValue::Null);
    }

    /// Appends to the text.
    fn append(&mut self, _piece: &str) {}

    /// Adds an object, and returns its position.
    fn open(&mut self, _kind: Kind) -> usize {
        0
    }

    /// Returns a member of an object inside the one at a position.
    fn inside(&mut self, _at: u32, _way: &[Step], _key: Key) -> Option<&mut dyn Member>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the undeclared members, if the member contains them.
    fn extra(&mut self) -> Option<&mut Vec<json::Member>> {
        None
    }

    /// Returns the free JSON of the member for a change; null if it does not have a value.
    fn json(&mut self) -> Option<&mut Value> {
        None
    }

    /// Returns the text of the member.
    fn text(&self) -> Option<&str> {
        None
    }

    /// Returns the id of the member, which other members can share.
    fn id(&self) -> Option<Id> {
        None
    }

    /// Sets the id.
    fn set_id(&mut self, _id: Id) {}

    /// Swaps the objects at two positions of a list.
    fn swap(&mut self, _one: usize, _other: usize) {}

    /// Truncates a list.
    fn truncate(&mut self, _length: usize) {}

    /// Returns the free JSON of the member, if it is patched.
    #[cfg(feature = "patches")]
    fn tree(&mut self) -> Option<&mut crate::core::json_patch::Tree> {
        None
    }

    /// Whether the member is absent.
    fn is_absent(&self) -> bool {
        false
    }

    /// Whether the member does not have a value, or is written as null.
    fn is_null(&self, _writing: Writing) -> bool {
        false
    }

    /// Writes the value as JSON.
    fn write(&self, out: &mut String, writing: Writing);
}

/// The shape of a type of member.
pub trait Shaped {
    /// The shape.
    const SHAPE: Shape;
}

/// The number of all undeclared members of an object together.
pub const EXTRA: Key = Key(u8::MAX);

/// A step from an object to one inside it.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The member that contains the object.
    pub list: Key,
    /// Its position in the member.
    pub at: u32,
}

/// A declared object.
pub trait Object {
    /// Returns the member with a number.
    fn member(&mut self, key: Key) -> Option<&mut dyn Member>;

    /// Returns a member of an object inside this one. `way` has the steps to it, the last one first.
    fn find(&mut self, way: &[Step], key: Key) -> Option<&mut dyn Member>;

    /// Writes the object as JSON.
    fn write(&self, out: &mut String, writing: Writing);
}

/// A type that is created when an engine opens an object.
pub trait OfKind: Object + Sized {
    /// Creates an object of a kind.
    fn of_kind(kind: Kind) -> Self;
}

/// Writes a member of an object, or omits it. `member_key!` creates the key.
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

/// Writes the undeclared members.
pub(crate) fn write_extra(extra: &[json::Member], object: &mut JsonObject<'_>) {
    extra.iter().for_each(|member| object.value(&member.key, Some(&member.value)));
}

/// Returns an object as JSON.
pub(crate) fn object_to_json(object: &dyn Object) -> String {
    let mut out = String::new();
    object.write(&mut out, Writing::default());
    out
}

/// Serializes an object as its JSON.
#[cfg(feature = "serde")]
pub(crate) fn serialize<S: serde::Serializer>(object: &dyn Object, serializer: S) -> Result<S::Ok, S::Error> {
    json::serialize_json(&object_to_json(object), serializer)
}

/// Sets the members of an object from JSON.
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
