//! The types of members: how a sink finds them, what they do with what it is told.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use super::shape::{Model, Shape};
use crate::core::json_patch::Tree;
use crate::core::sink::{Key, Kind, SinkValue};
use crate::json::{self, Raw, Value, write_list, write_string};

/// The type of a member.
pub trait Member: Debug {
    /// It has this value now.
    fn set(&mut self, value: SinkValue<'_>);

    /// It got longer.
    fn append(&mut self, _piece: &str) {}

    /// It holds one object more, which is returned as its place.
    fn open(&mut self, _kind: Kind) -> usize {
        0
    }

    /// The object that it holds at a place.
    fn child(&mut self, _at: usize) -> Option<&mut dyn Object> {
        None
    }

    /// What it holds is a list.
    fn is_list(&self) -> bool {
        false
    }

    /// It holds anything.
    fn is_present(&self) -> bool {
        true
    }

    /// The last object of its list belongs at that place.
    fn move_last(&mut self, _at: usize) {}

    /// The object at that place of its list is gone.
    fn remove(&mut self, _at: usize) {}

    /// Its list consists of the objects that stand at these places.
    fn arrange(&mut self, _places: &[usize]) {}

    /// The free JSON that it is, if it can be changed in place.
    fn tree(&mut self) -> Option<&mut Tree> {
        None
    }

    /// As JSON.
    fn write(&self, out: &mut String);
}

/// What a type of member looks like.
pub trait Shaped {
    /// The shape.
    const SHAPE: Shape;
}

/// A declared object.
pub trait Object: Debug {
    /// The member of that number.
    fn member(&mut self, key: Key) -> Option<&mut dyn Member>;

    /// As JSON.
    fn write(&self, out: &mut String);
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

    fn write(&self, out: &mut String) {
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

    fn write(&self, out: &mut String) {
        Value::write(self, out);
    }
}

impl Shaped for Value {
    const SHAPE: Shape = Shape::Json;
}

impl Member for Tree {
    fn set(&mut self, value: SinkValue<'_>) {
        let mut json = Value::Null;
        *self = match value {
            SinkValue::Json(raw) => Tree::from_raw(raw),
            SinkValue::Free(value) => Tree::of(value),
            other => {
                json.set(other);
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

    fn write(&self, out: &mut String) {
        Tree::write(self, out);
    }
}

impl Shaped for Tree {
    const SHAPE: Shape = Shape::Tree;
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
        match self {
            Some(list) if list.is_list() => list.open(kind),
            _ => self.insert(T::default()).open(kind),
        }
    }

    fn is_list(&self) -> bool {
        self.as_ref().is_some_and(T::is_list)
    }

    fn is_present(&self) -> bool {
        self.is_some()
    }

    fn tree(&mut self) -> Option<&mut Tree> {
        self.get_or_insert_default().tree()
    }

    fn child(&mut self, at: usize) -> Option<&mut dyn Object> {
        self.as_mut()?.child(at)
    }

    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
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

    fn write(&self, out: &mut String) {
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

    fn is_list(&self) -> bool {
        true
    }

    fn move_last(&mut self, at: usize) {
        if let Some(last) = self.pop() {
            self.insert(at.min(self.len()), last);
        }
    }

    fn remove(&mut self, at: usize) {
        self.remove(at);
    }

    fn arrange(&mut self, places: &[usize]) {
        let mut before: Vec<Option<T>> = core::mem::take(self).into_iter().map(Some).collect();
        self.extend(places.iter().filter_map(|at| before.get_mut(*at)?.take()));
    }

    fn child(&mut self, at: usize) -> Option<&mut dyn Object> {
        self.get_mut(at).map(|object| object as &mut dyn Object)
    }

    fn write(&self, out: &mut String) {
        write_list(self, out, Object::write);
    }
}

impl<T: Shaped> Shaped for Vec<T> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);
}

/// An object as JSON.
pub(crate) fn object_to_json(object: &dyn Object) -> String {
    let mut out = String::new();
    object.write(&mut out);
    out
}

/// Gives an object the members that JSON has of it.
pub(crate) fn set_members(object: &mut dyn Object, value: SinkValue<'_>, kind: Kind, model: &Model) {
    let mut json = Value::Null;
    json.set(value);
    let (Value::Object(members), Some(shape)) = (json, model.objects.get(kind.0 as usize)) else { return };
    for json::Member { key, value } in members {
        let Some(at) = shape.members.iter().position(|member| member.name == key) else { continue };
        let Some(member) = object.member(Key(model.first_key(kind.0) + at as u8)) else { continue };
        match &value {
            Value::Null => member.set(SinkValue::Null),
            Value::String(text) => member.set(SinkValue::Str(text)),
            other => member.set(SinkValue::Json(Raw(&other.to_json()))),
        }
    }
}
