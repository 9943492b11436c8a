//! The types of members: texts, integers, ids, free JSON, values that may be absent, and lists.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::member::{Lists, Member, OfKind, Shaped, Step, Writing};
use super::shape::Shape;
use crate::core::id::Id;
use crate::core::sink::{Key, Kind, SinkValue};
use crate::json::{self, Value, push_integer, put, write_list, write_string};

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

    fn text(&self) -> Option<&str> {
        Some(self)
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

/// Integers. Null and numbers that do not fit become 0.
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

    fn text(&self) -> Option<&str> {
        self.as_ref()?.text()
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
