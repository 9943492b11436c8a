//! Members of steps as members of JSON objects. In wasm, reading and writing are not inlined: there are many members,
//! and all are rare.

use crate::json::{Object, Value};

/// A member of a step.
pub(super) trait Field<'a>: Sized {
    fn write(&self, key: &str, object: &mut Object<'_>);
    fn read(key: &str, from: &'a Value) -> Option<Self>;
}

impl<'a> Field<'a> for &'a str {
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, key: &str, object: &mut Object<'_>) {
        object.string(key, Some(self));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn read(key: &str, from: &'a Value) -> Option<Self> {
        from.get(key)?.as_str()
    }
}

impl<'a> Field<'a> for &'a Value {
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, key: &str, object: &mut Object<'_>) {
        object.value(key, Some(self));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn read(key: &str, from: &'a Value) -> Option<Self> {
        from.get(key)
    }
}

impl<'a> Field<'a> for u32 {
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, key: &str, object: &mut Object<'_>) {
        object.integer(key, Some((*self).into()));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn read(key: &str, from: &'a Value) -> Option<Self> {
        match from.get(key)? {
            Value::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }
}

impl<'a> Field<'a> for bool {
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, key: &str, object: &mut Object<'_>) {
        object.bool(key, Some(*self).filter(|is| *is));
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn read(key: &str, from: &'a Value) -> Option<Self> {
        Some(from.get(key) == Some(&Value::Bool(true)))
    }
}

/// An optional member may be missing, but a member that is present must have the right type.
impl<'a, F: Field<'a>> Field<'a> for Option<F> {
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn write(&self, key: &str, object: &mut Object<'_>) {
        if let Some(value) = self {
            value.write(key, object);
        }
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn read(key: &str, from: &'a Value) -> Option<Self> {
        match from.get(key) {
            None | Some(Value::Null) => Some(None),
            Some(_) => F::read(key, from).map(Some),
        }
    }
}
