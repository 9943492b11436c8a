//! The types of members: how a sink finds them, and their reactions to its calls.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use super::shape::{ModelShape, ValueShape};
use crate::core::id::Id;
use crate::core::sink::{Field, FieldValue, ObjectKind};
use crate::json::{
    self, ObjectWriter as JsonObject, Raw, Value, push_integer, put, write_list, write_string,
};

#[cfg(feature = "patches")]
use crate::core::json_patch::Tree;

/// Options for writing an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// Members without a value are omitted. Otherwise they are written as null.
    pub compact: bool,
    /// How lists are written.
    pub lists: ListForm,
    /// The object is an event with a piece of a text: its `delta` is true. In an answer, `delta` is
    /// always false.
    pub is_piece: bool,
}

/// How the lists of an object, and those of the objects in them, are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListForm {
    /// As lists.
    #[default]
    Written,
    /// As lists, but an empty list of an object that is itself in a list is null.
    NullIfEmptyInside,
    /// As lists, but an empty list is null.
    NullIfEmpty,
    /// As null.
    Null,
}

/// The type of a member.
pub trait DeclaredMember {
    /// Sets the value.
    fn set(&mut self, value: FieldValue<'_>);

    /// Makes the member absent.
    fn unset(&mut self) {
        self.set(FieldValue::Null);
    }

    /// Adds an object, and returns its position.
    fn open(&mut self, _kind: ObjectKind) -> usize {
        0
    }

    /// Returns a member of an object inside the one at a position.
    fn inside(
        &mut self,
        _at: u32,
        _way: &[ModelPathStep],
        _key: Field,
    ) -> Option<&mut dyn DeclaredMember>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the value for a change. A value that is absent is created if `create` is true.
    fn slot(&mut self, _create: bool) -> Option<MemberSlot<'_>> {
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

/// The value of a member that can be changed in part.
#[expect(missing_debug_implementations, reason = "the objects of a list need not have it")]
pub enum MemberSlot<'a> {
    /// A text, to which pieces are appended.
    Text(&'a mut String),
    /// An id, which other members can share.
    Id(&'a mut Id),
    /// Free JSON.
    Json(&'a mut Value),
    /// Free JSON that is patched.
    #[cfg(feature = "patches")]
    Tree(&'a mut Tree),
    /// A list of objects.
    List(&'a mut dyn ObjectList),
    /// Undeclared members.
    Extra(&'a mut Vec<json::Member>),
}

/// A list of objects.
pub trait ObjectList {
    /// Swaps the objects at two positions.
    fn swap(&mut self, one: usize, other: usize);

    /// Truncates the list.
    fn truncate(&mut self, length: usize);
}

impl<T> ObjectList for Vec<T> {
    fn swap(&mut self, one: usize, other: usize) {
        if one.max(other) < self.len() {
            self.as_mut_slice().swap(one, other);
        }
    }

    fn truncate(&mut self, length: usize) {
        Vec::truncate(self, length);
    }
}

/// The shape of a type of member.
pub trait Shaped {
    /// The shape.
    const SHAPE: ValueShape;
}

/// The number of all undeclared members of an object together.
pub const EXTRA: Field = Field(u8::MAX);

/// A step from an object to one inside it.
#[derive(Clone, Copy, Debug)]
pub struct ModelPathStep {
    /// The member that contains the object.
    pub list: Field,
    /// Its position in the member.
    pub at: u32,
}

/// A declared object.
pub trait DeclaredObject {
    /// Returns the member with a number.
    fn member(&mut self, key: Field) -> Option<&mut dyn DeclaredMember>;

    /// Returns a member of an object inside this one. `way` has the steps to it, the last one
    /// first.
    fn find(&mut self, way: &[ModelPathStep], key: Field) -> Option<&mut dyn DeclaredMember>;

    /// Writes the object as JSON.
    fn write(&self, out: &mut String, writing: Writing);
}

/// A type that is created when an engine opens an object.
pub trait OfKind: DeclaredObject + Sized {
    /// Creates an object of a kind.
    fn of_kind(kind: ObjectKind) -> Self;
}

/// Writes a member of an object, or omits it. `member_key!` creates the key.
pub(crate) fn write_member(
    key: &'static str,
    member: &impl DeclaredMember,
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
pub(crate) fn object_to_json(object: &dyn DeclaredObject) -> String {
    let mut out = String::new();
    object.write(&mut out, Writing::default());
    out
}

/// Serializes an object as its JSON.
#[cfg(feature = "serde")]
pub(crate) fn serialize<S: serde::Serializer>(
    object: &dyn DeclaredObject,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    json::serialize_json(&object_to_json(object), serializer)
}

/// Sets the members of an object from JSON.
pub(crate) fn set_members(
    object: &mut dyn DeclaredObject,
    value: FieldValue<'_>,
    model: &ModelShape,
) {
    let mut json = Value::Null;
    json.set(value);
    let Value::Object(members) = json else { return };
    for json::Member { key, value } in members {
        let Some(member) = model.find_key(&key).and_then(|key| object.member(key)) else {
            continue;
        };
        match &value {
            Value::Null => member.set(FieldValue::Null),
            Value::String(text) => member.set(FieldValue::Str(text)),
            other => member.set(FieldValue::Json(Raw(&other.to_json()))),
        }
    }
}

// The types of members: texts, integers, ids, free JSON, values that may be absent, and lists.

impl DeclaredMember for String {
    fn set(&mut self, value: FieldValue<'_>) {
        self.clear();
        if let FieldValue::Str(text) = value {
            self.push_str(text);
        }
    }

    fn slot(&mut self, _: bool) -> Option<MemberSlot<'_>> {
        Some(MemberSlot::Text(self))
    }

    fn write(&self, out: &mut String, _: Writing) {
        write_string(self, out);
    }
}

impl Shaped for String {
    const SHAPE: ValueShape = ValueShape::Text;
}

impl DeclaredMember for Value {
    fn set(&mut self, value: FieldValue<'_>) {
        *self = match value {
            FieldValue::Json(raw) => Value::from_raw(raw),
            FieldValue::Free(value) => Value::of(value),
            FieldValue::Str(text) => text.into(),
            FieldValue::Bool(value) => value.into(),
            FieldValue::Int(value) => value.into(),
            FieldValue::Null | FieldValue::Word(_) => Value::Null,
        };
    }

    fn slot(&mut self, _: bool) -> Option<MemberSlot<'_>> {
        Some(MemberSlot::Json(self))
    }

    fn write(&self, out: &mut String, _: Writing) {
        Value::write(self, out);
    }
}

impl Shaped for Value {
    const SHAPE: ValueShape = ValueShape::Json;
}

/// Integers. Null and numbers that do not fit become 0.
macro_rules! integer {
    ($($Integer:ty),*) => {$(
        impl DeclaredMember for $Integer {
            fn set(&mut self, value: FieldValue<'_>) {
                *self = match value {
                    FieldValue::Int(number) => number.try_into().unwrap_or_default(),
                    FieldValue::Json(Raw(number)) => number.parse().unwrap_or_default(),
                    _ => 0,
                };
            }

            fn write(&self, out: &mut String, _: Writing) {
                push_integer((*self).into(), out);
            }
        }

        impl Shaped for $Integer {
            const SHAPE: ValueShape = ValueShape::Integer;
        }
    )*};
}
integer!(i64, u32);

impl DeclaredMember for Id {
    fn set(&mut self, value: FieldValue<'_>) {
        if let FieldValue::Str(text) = value {
            *self = text.into();
        }
    }

    fn slot(&mut self, _: bool) -> Option<MemberSlot<'_>> {
        Some(MemberSlot::Id(self))
    }

    fn write(&self, out: &mut String, _: Writing) {
        write_string(self, out);
    }
}

impl Shaped for Id {
    const SHAPE: ValueShape = ValueShape::Text;
}

impl<T: DeclaredMember + Default> DeclaredMember for Option<T> {
    fn set(&mut self, value: FieldValue<'_>) {
        *self = None;
        if value != FieldValue::Null {
            self.get_or_insert_default().set(value);
        }
    }

    fn open(&mut self, kind: ObjectKind) -> usize {
        self.insert(T::default()).open(kind)
    }

    fn inside(
        &mut self,
        at: u32,
        way: &[ModelPathStep],
        key: Field,
    ) -> Option<&mut dyn DeclaredMember> {
        self.as_mut()?.inside(at, way, key)
    }

    fn slot(&mut self, create: bool) -> Option<MemberSlot<'_>> {
        if create { self.get_or_insert_default() } else { self.as_mut()? }.slot(create)
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
    const SHAPE: ValueShape = ValueShape::Nullable(&T::SHAPE);
}

impl DeclaredMember for Vec<String> {
    fn set(&mut self, value: FieldValue<'_>) {
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

impl<T: OfKind> DeclaredMember for Vec<T> {
    fn set(&mut self, _: FieldValue<'_>) {
        self.clear();
    }

    fn open(&mut self, kind: ObjectKind) -> usize {
        self.push(T::of_kind(kind));
        self.len() - 1
    }

    fn inside(
        &mut self,
        at: u32,
        way: &[ModelPathStep],
        key: Field,
    ) -> Option<&mut dyn DeclaredMember> {
        self.get_mut(at as usize)?.find(way, key)
    }

    fn slot(&mut self, _: bool) -> Option<MemberSlot<'_>> {
        Some(MemberSlot::List(self))
    }

    fn is_null(&self, writing: Writing) -> bool {
        writing.lists == ListForm::Null || writing.lists == ListForm::NullIfEmpty && self.is_empty()
    }

    fn write(&self, out: &mut String, writing: Writing) {
        let lists = if writing.lists == ListForm::Written {
            ListForm::Written
        } else {
            ListForm::NullIfEmpty
        };
        let inside = Writing { lists, ..writing };
        write_list(self, out, |item, out| item.write(out, inside));
    }
}

/// Undeclared members.
impl DeclaredMember for Vec<json::Member> {
    fn set(&mut self, _: FieldValue<'_>) {}

    fn slot(&mut self, _: bool) -> Option<MemberSlot<'_>> {
        Some(MemberSlot::Extra(self))
    }

    fn write(&self, _: &mut String, _: Writing) {}
}

impl<T: Shaped> Shaped for Vec<T> {
    const SHAPE: ValueShape = ValueShape::List(&T::SHAPE);
}

// Members that are absent until they are set, and free JSON that is patched.

/// A member that is absent, and not null, until it is set.
#[derive(Clone, PartialEq)]
pub struct Absent<T>(Option<T>);

impl<T: fmt::Debug> fmt::Debug for Absent<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("Absent"),
        }
    }
}

impl<T> Default for Absent<T> {
    fn default() -> Self {
        Absent(None)
    }
}

impl<T> From<Option<T>> for Absent<T> {
    fn from(value: Option<T>) -> Self {
        Absent(value)
    }
}

impl<T> Deref for Absent<T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.0
    }
}

/// Null makes the member absent, unless its type is nullable.
impl<T: DeclaredMember + Shaped + Default> DeclaredMember for Absent<T> {
    fn set(&mut self, value: FieldValue<'_>) {
        self.0 = None;
        if value != FieldValue::Null || matches!(T::SHAPE, ValueShape::Nullable(_)) {
            self.0.get_or_insert_default().set(value);
        }
    }

    fn unset(&mut self) {
        self.0 = None;
    }

    fn open(&mut self, kind: ObjectKind) -> usize {
        self.0.get_or_insert_default().open(kind)
    }

    fn inside(
        &mut self,
        at: u32,
        way: &[ModelPathStep],
        key: Field,
    ) -> Option<&mut dyn DeclaredMember> {
        self.0.as_mut()?.inside(at, way, key)
    }

    fn slot(&mut self, create: bool) -> Option<MemberSlot<'_>> {
        if create { self.0.get_or_insert_default() } else { self.0.as_mut()? }.slot(create)
    }

    fn is_absent(&self) -> bool {
        self.0.is_none()
    }

    fn write(&self, out: &mut String, writing: Writing) {
        if let Some(value) = &self.0 {
            value.write(out, writing);
        }
    }
}

impl<T: Shaped> Shaped for Absent<T> {
    const SHAPE: ValueShape = ValueShape::Absent(&T::SHAPE);
}

#[cfg(feature = "patches")]
impl DeclaredMember for Tree {
    fn set(&mut self, value: FieldValue<'_>) {
        *self = match value {
            FieldValue::Json(raw) => Tree::from_raw(raw),
            FieldValue::Free(value) => Tree::of(value),
            other => {
                let mut json = Value::Null;
                DeclaredMember::set(&mut json, other);
                Tree::from_raw(Raw(&json.to_json()))
            }
        };
    }

    fn slot(&mut self, _: bool) -> Option<MemberSlot<'_>> {
        Some(MemberSlot::Tree(self))
    }

    fn write(&self, out: &mut String, _: Writing) {
        Tree::write(self, out);
    }
}

#[cfg(feature = "patches")]
impl Shaped for Tree {
    const SHAPE: ValueShape = ValueShape::Tree;
}

// The common interface of the answers of all protocols: `model!` implements it for every root.

/// A native answer of any protocol.
pub trait DeclaredAnswer: DeclaredObject {
    /// Returns the answer as JSON: an object with at least one member.
    fn answer_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Writing::default());
        out
    }

    /// Returns the tool calls as JSON if they are not part of the answer.
    fn calls_json(&self) -> Option<String> {
        None
    }
}
