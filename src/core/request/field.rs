//! The types that members of requests have: how each is read, written and checked.

use alloc::string::String;

use super::shape::Shape;
use super::{Diagnostics, Fault, coerce};
use crate::json::float::{self, Spelling};
use crate::json::{Value, push_integer, put, write_string};

/// The type of a member.
pub(crate) trait Field {
    /// Takes the value, or notes what is wrong with it.
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics);

    /// What the rules of a member look at.
    fn view(&self) -> View<'_> {
        View::Other
    }

    /// As JSON. `compact` leaves out what is not set.
    fn write(&self, out: &mut String, compact: bool);

    /// Notes what a server would refuse.
    fn check(&self, _: &mut Diagnostics) {}
}

/// A type of member that can be made.
pub(crate) trait Typed: Field {
    /// What it looks like.
    const SHAPE: Shape;

    /// What stands in its place until it was read.
    fn blank() -> Self;
}

/// A value, as far as rules look at it.
#[derive(Debug)]
pub(crate) enum View<'a> {
    /// Nothing: absent or null.
    None,
    Text(&'a str),
    Integer(i64),
    Bool(bool),
    Json(&'a Value),
    /// A list of so many.
    List(usize),
    Other,
}

impl View<'_> {
    /// What is left out of the compact form where its absence means the same.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, View::None | View::Bool(false) | View::List(0) | View::Text(""))
    }
}

/// What of two a value was read as.
fn settle<T>(slot: &mut T, read: Result<T, Fault>, value: Value, diagnostics: &mut Diagnostics) {
    match read {
        Ok(value) => *slot = value,
        Err(fault) => diagnostics.note(fault, &value),
    }
}

/// A string and nothing else.
impl Field for String {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        match value {
            Value::String(text) => *self = text,
            other => diagnostics.note(Fault::StringType, &other),
        }
    }

    fn view(&self) -> View<'_> {
        View::Text(self)
    }

    fn write(&self, out: &mut String, _: bool) {
        write_string(self, out);
    }
}

/// True or false, also in other spellings.
impl Field for bool {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        settle(self, coerce::boolean(&value), value, diagnostics);
    }

    fn view(&self) -> View<'_> {
        View::Bool(*self)
    }

    fn write(&self, out: &mut String, _: bool) {
        put(out, if *self { "true" } else { "false" });
    }
}

/// An integer of 64 bits, also in other spellings.
impl Field for i64 {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        settle(self, coerce::integer(&value), value, diagnostics);
    }

    fn view(&self) -> View<'_> {
        View::Integer(*self)
    }

    fn write(&self, out: &mut String, _: bool) {
        push_integer(*self, out);
    }
}

/// As the Python servers write floats: 0.00001 and 1.5e-7.
const FLOATS: Spelling = Spelling { plain_from: 1e-5, wide: false };

/// A finite number, also in other spellings. One that is not finite counts as none where JSON is written.
impl Field for f64 {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        settle(self, coerce::number(&value), value, diagnostics);
    }

    fn view(&self) -> View<'_> {
        if self.is_finite() { View::Other } else { View::None }
    }

    fn write(&self, out: &mut String, _: bool) {
        put(out, &FLOATS.of(*self));
    }

    fn check(&self, diagnostics: &mut Diagnostics) {
        if !self.is_finite() {
            diagnostics.note(Fault::FiniteNumber, &float::name(*self).into());
        }
    }
}

/// Any JSON.
impl Field for Value {
    fn read(&mut self, value: Value, _: &mut Diagnostics) {
        *self = value;
    }

    fn view(&self) -> View<'_> {
        View::Json(self)
    }

    fn write(&self, out: &mut String, _: bool) {
        Value::write(self, out);
    }
}

/// What may be null, which is `None`.
impl<T: Typed> Field for Option<T> {
    fn read(&mut self, value: Value, diagnostics: &mut Diagnostics) {
        match value {
            Value::Null => *self = None,
            value => self.get_or_insert_with(T::blank).read(value, diagnostics),
        }
    }

    fn view(&self) -> View<'_> {
        self.as_ref().map_or(View::None, Field::view)
    }

    fn write(&self, out: &mut String, compact: bool) {
        match self {
            Some(value) => value.write(out, compact),
            None => put(out, "null"),
        }
    }

    fn check(&self, diagnostics: &mut Diagnostics) {
        if let Some(value) = self {
            value.check(diagnostics);
        }
    }
}

/// The types that Rust has.
macro_rules! typed {
    ($($Type:ty, $shape:ident;)*) => {$(
        impl Typed for $Type {
            const SHAPE: Shape = Shape::$shape;

            fn blank() -> Self {
                Self::default()
            }
        }
    )*};
}

typed! {
    String, Text;
    bool, Bool;
    i64, Number;
    f64, Number;
    Value, Json;
}

impl<T: Typed> Typed for Option<T> {
    const SHAPE: Shape = Shape::Nullable(&T::SHAPE);

    fn blank() -> Self {
        None
    }
}

/// Makes open lists of words types of members: any string is one. With what the types are called in TypeScript.
macro_rules! word_fields {
    ($($Words:ident)*) => {$(
        impl $crate::core::request::Field for $Words {
            fn read(&mut self, value: $crate::json::Value, diagnostics: &mut $crate::core::request::Diagnostics) {
                let mut text = alloc::string::String::new();
                $crate::core::request::Field::read(&mut text, value, diagnostics);
                *self = text.as_str().into();
            }

            fn view(&self) -> $crate::core::request::View<'_> {
                $crate::core::request::View::Text(self.as_str())
            }

            fn write(&self, out: &mut alloc::string::String, _: bool) {
                $crate::json::write_string(self.as_str(), out);
            }
        }

        impl $crate::core::request::Typed for $Words {
            const SHAPE: $crate::core::request::shape::Shape =
                $crate::core::request::shape::Shape::Named(stringify!($Words));

            fn blank() -> Self {
                "".into()
            }
        }
    )*};
}
pub(crate) use word_fields;
