//! Members that are absent until they are set, and free JSON that is patched.

use alloc::string::String;
use core::ops::Deref;

use super::member::{Member, Shaped, Step, Writing};
use super::shape::Shape;
#[cfg(feature = "patches")]
use crate::core::json_patch::Tree;
use crate::core::sink::{Key, Kind, SinkValue};
#[cfg(feature = "patches")]
use crate::json::Raw;
use crate::json::Value;

/// A member that is absent, and not null, until it is set.
#[derive(Clone, Debug, PartialEq)]
pub struct Absent<T>(Option<T>);

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
impl<T: Member + Shaped + Default> Member for Absent<T> {
    fn set(&mut self, value: SinkValue<'_>) {
        self.0 = None;
        if value != SinkValue::Null || matches!(T::SHAPE, Shape::Nullable(_)) {
            self.0.get_or_insert_default().set(value);
        }
    }

    fn unset(&mut self) {
        self.0 = None;
    }

    fn append(&mut self, piece: &str) {
        self.0.get_or_insert_default().append(piece);
    }

    fn open(&mut self, kind: Kind) -> usize {
        self.0.get_or_insert_default().open(kind)
    }

    fn inside(&mut self, at: u32, way: &[Step], key: Key) -> Option<&mut dyn Member> {
        self.0.as_mut()?.inside(at, way, key)
    }

    fn text(&self) -> Option<&str> {
        self.0.as_ref()?.text()
    }

    fn json(&mut self) -> Option<&mut Value> {
        self.0.get_or_insert_default().json()
    }

    #[cfg(feature = "patches")]
    fn tree(&mut self) -> Option<&mut Tree> {
        self.0.get_or_insert_default().tree()
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.0.get_or_insert_default().swap(one, other);
    }

    fn truncate(&mut self, length: usize) {
        self.0.get_or_insert_default().truncate(length);
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
    const SHAPE: Shape = Shape::Absent(&T::SHAPE);
}

#[cfg(feature = "patches")]
impl Member for Tree {
    fn set(&mut self, value: SinkValue<'_>) {
        *self = match value {
            SinkValue::Json(raw) => Tree::from_raw(raw),
            SinkValue::Free(value) => Tree::of(value),
            other => {
                let mut json = Value::Null;
                Member::set(&mut json, other);
                Tree::from_raw(Raw(&json.to_json()))
            }
        };
    }

    fn append(&mut self, piece: &str) {
        Tree::append::<&str>(self, &[], piece);
    }

    fn tree(&mut self) -> Option<&mut Tree> {
        Some(self)
    }

    fn write(&self, out: &mut String, _: Writing) {
        Tree::write(self, out);
    }
}

#[cfg(feature = "patches")]
impl Shaped for Tree {
    const SHAPE: Shape = Shape::Tree;
}
