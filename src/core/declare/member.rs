//! The types of members: how a sink finds them, what they do with what it is told.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::shape::{Model, Shape};
use crate::core::id::Id;
use crate::core::sink::{Key, Kind, SinkValue};
use crate::json::{self, Object as JsonObject, Raw, Value, push_integer, put, write_list, write_string};

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

impl Member for String {
    fn set(&mut self, value: SinkValue<'_>) {
        self.clear();
        if let SinkValue::Str(text) = value {
            self.push_str(text);
        }
    }

    fn append(&mut self, piece: &str) {
        self.push_str(piece);
    }

    fn write(&self, out: &mut String, _: Writing) {
        write_string(self, out);
    }
}

impl Shaped for String {
    const SHAPE: Shape = Shape::Text;
}

impl Member for Value {
    fn set(&mut self, value: SinkValue<'_>) {
        *self = match value {
            SinkValue::Json(raw) => Value::from_raw(raw),
            SinkValue::Free(value) => Value::of(value),
            SinkValue::Str(text) => text.into(),
            SinkValue::Bool(value) => value.into(),
            SinkValue::Int(value) => value.into(),
            SinkValue::Null | SinkValue::Word(_) => Value::Null,
        };
    }

    fn json(&mut self) -> Option<&mut Value> {
        Some(self)
    }

    fn write(&self, out: &mut String, _: Writing) {
        Value::write(self, out);
    }
}

impl Shaped for Value {
    const SHAPE: Shape = Shape::Json;
}

/// Integers, of which null and what does not fit are none.
macro_rules! integer {
    ($($Integer:ty),*) => {$(
        impl Member for $Integer {
            fn set(&mut self, value: SinkValue<'_>) {
                *self = match value {
                    SinkValue::Int(number) => number.try_into().unwrap_or_default(),
                    _ => 0,
                };
            }

            fn write(&self, out: &mut String, _: Writing) {
                push_integer((*self).into(), out);
            }
        }

        impl Shaped for $Integer {
            const SHAPE: Shape = Shape::Integer;
        }
    )*};
}
integer!(i64, u32);

impl Member for Id {
    fn set(&mut self, value: SinkValue<'_>) {
        if let SinkValue::Str(text) = value {
            *self = text.into();
        }
    }

    fn id(&self) -> Option<Id> {
        Some(self.clone())
    }

    fn set_id(&mut self, id: Id) {
        *self = id;
    }

    fn write(&self, out: &mut String, _: Writing) {
        write_string(self, out);
    }
}

impl Shaped for Id {
    const SHAPE: Shape = Shape::Text;
}

impl<T: Member + Default> Member for Option<T> {
    fn set(&mut self, value: SinkValue<'_>) {
        *self = None;
        if value != SinkValue::Null {
            self.get_or_insert_default().set(value);
        }
    }

    fn append(&mut self, piece: &str) {
        self.get_or_insert_default().append(piece);
    }

    fn open(&mut self, kind: Kind) -> usize {
        self.insert(T::default()).open(kind)
    }

    fn inside(&mut self, at: u32, way: &[Step], key: Key) -> Option<&mut dyn Member> {
        self.as_mut()?.inside(at, way, key)
    }

    fn json(&mut self) -> Option<&mut Value> {
        self.get_or_insert_default().json()
    }

    fn id(&self) -> Option<Id> {
        self.as_ref()?.id()
    }

    fn set_id(&mut self, id: Id) {
        self.get_or_insert_default().set_id(id);
    }

    fn is_null(&self, _: Writing) -> bool {
        self.is_none()
    }

    fn write(&self, out: &mut String, writing: Writing) {
        match self {
            Some(value) => value.write(out, writing),
            None => put(out, "null"),
        }
    }
}

impl<T: Shaped> Shaped for Option<T> {
    const SHAPE: Shape = Shape::Nullable(&T::SHAPE);
}

impl Member for Vec<String> {
    fn set(&mut self, value: SinkValue<'_>) {
        let mut list = Value::Null;
        list.set(value);
        self.clear();
        if let Value::Array(items) = list {
            self.extend(items.iter().filter_map(|item| item.as_str().map(ToOwned::to_owned)));
        }
    }

    fn write(&self, out: &mut String, _: Writing) {
        write_list(self, out, |text, out| write_string(text, out));
    }
}

impl<T: OfKind> Member for Vec<T> {
    fn set(&mut self, _: SinkValue<'_>) {
        self.clear();
    }

    fn open(&mut self, kind: Kind) -> usize {
        self.push(T::of_kind(kind));
        self.len() - 1
    }

    fn inside(&mut self, at: u32, way: &[Step], key: Key) -> Option<&mut dyn Member> {
        self.get_mut(at as usize)?.find(way, key)
    }

    fn swap(&mut self, one: usize, other: usize) {
        if one.max(other) < self.len() {
            self.as_mut_slice().swap(one, other);
        }
    }

    fn truncate(&mut self, length: usize) {
        Vec::truncate(self, length);
    }

    fn is_null(&self, writing: Writing) -> bool {
        writing.lists == Lists::Null || writing.lists == Lists::NullIfEmpty && self.is_empty()
    }

    fn write(&self, out: &mut String, writing: Writing) {
        let lists = if writing.lists == Lists::Written { Lists::Written } else { Lists::NullIfEmpty };
        let inside = Writing { lists, ..writing };
        write_list(self, out, |item, out| item.write(out, inside));
    }
}

/// Undeclared members.
impl Member for Vec<json::Member> {
    fn set(&mut self, _: SinkValue<'_>) {}

    fn extra(&mut self) -> Option<&mut Vec<json::Member>> {
        Some(self)
    }

    fn write(&self, _: &mut String, _: Writing) {}
}

impl<T: Shaped> Shaped for Vec<T> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);
}

/// Writes a member of an object, or leaves it out.
pub(crate) fn write_member(name: &str, member: &impl Member, object: &mut JsonObject<'_>, writing: Writing) {
    if member.is_null(writing) {
        return object.value(name, None);
    }
    member.write(object.member(name), writing);
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
    serde::Serialize::serialize(&Value::from_raw(Raw(&object_to_json(object))), serializer)
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
