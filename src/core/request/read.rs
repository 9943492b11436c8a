//! Reading JSON values the way the servers' validator (pydantic) does, noting everything that is wrong.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Fault, PathStep, Problem};
use crate::json::{Member, Value};

/// What was wrong so far, and where the reading is.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    pub(crate) found: Vec<Problem>,
    here: Vec<PathStep>,
}

impl Diagnostics {
    /// Reads something one step further in.
    pub(crate) fn inside<T>(&mut self, step: impl Into<PathStep>, read: impl FnOnce(&mut Self) -> T) -> T {
        self.enter(step.into());
        let value = read(self);
        self.leave();
        value
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn enter(&mut self, step: PathStep) {
        self.here.push(step);
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn leave(&mut self) {
        self.here.pop();
    }

    /// Notes a fault of the value that is being read.
    pub(crate) fn report<T>(&mut self, fault: Fault, got: Value) -> Option<T> {
        self.note(fault, got);
        None
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn note(&mut self, fault: Fault, got: Value) {
        self.found.push(Problem { place: self.here.clone(), fault, got });
    }

    /// Findings that start at the same place, for a try.
    pub(crate) fn branch(&self) -> Diagnostics {
        Diagnostics { found: Vec::new(), here: self.here.clone() }
    }
}

/// The members of an object, taken out one by one.
#[derive(Debug)]
pub(crate) struct Fields<'f> {
    members: Vec<Member>,
    /// The object as it came, when a required member is missing: the report shows it.
    whole: Option<Value>,
    diagnostics: &'f mut Diagnostics,
}

/// Reads a value, noting what is wrong with it.
pub(crate) type Read<T> = fn(Value, &mut Diagnostics) -> Option<T>;

impl<'f> Fields<'f> {
    /// Opens an object; anything else is reported as `otherwise`.
    pub(crate) fn open(
        value: Value,
        required: &[&str],
        otherwise: Fault,
        diagnostics: &'f mut Diagnostics,
    ) -> Option<Self> {
        let Value::Object(members) = value else {
            return diagnostics.report(otherwise, value);
        };
        let has = |name: &str| members.iter().any(|m| m.key == name);
        let whole = required.iter().any(|name| !has(name)).then(|| Value::Object(members.clone()));
        Some(Fields { members, whole, diagnostics })
    }

    /// A member as it came.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.members.iter().position(|m| m.key == name)?;
        Some(self.members.remove(at).value)
    }

    /// A member that may be left out or null, which are the same.
    pub(crate) fn optional<T>(&mut self, name: &'static str, read: Read<T>) -> Option<T> {
        let value = self.take(name).filter(|value| !value.is_null())?;
        self.also(name, value, read)
    }

    /// The same, put where it belongs: a large object is filled in place, or most of the code would be its moving.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn fill<T>(&mut self, name: &'static str, read: Read<T>, slot: &mut Option<T>) {
        *slot = self.optional(name, read);
    }

    /// A member that may be left out, but not be null.
    pub(crate) fn defaulted<T>(&mut self, name: &'static str, read: Read<T>) -> Option<T> {
        let value = self.take(name)?;
        self.also(name, value, read)
    }

    /// A member that has to be there. The fallback stands for what could not be read; the diagnostics say so.
    pub(crate) fn required<T: Default>(&mut self, name: &'static str, read: Read<T>) -> T {
        let value = self.take(name);
        let whole = &self.whole;
        self.diagnostics
            .inside(name, |diagnostics| match value {
                Some(value) => read(value, diagnostics),
                None => diagnostics.report(Fault::Missing, whole.clone().unwrap_or(Value::Null)),
            })
            .unwrap_or_default()
    }

    /// A member that was taken out before.
    pub(crate) fn also<T>(&mut self, name: &'static str, value: Value, read: Read<T>) -> Option<T> {
        self.diagnostics.inside(name, |diagnostics| read(value, diagnostics))
    }

    /// Whether every required member was there.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole.is_none()
    }

    /// What nobody took, in its order.
    pub(crate) fn rest(self) -> Vec<Member> {
        self.members
    }
}

/// Any value.
pub(crate) fn any(value: Value, _: &mut Diagnostics) -> Option<Value> {
    Some(value)
}

/// A string and nothing else.
pub(crate) fn string(value: Value, diagnostics: &mut Diagnostics) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        other => diagnostics.report(Fault::StringType, other),
    }
}

/// An object, as it came.
pub(crate) fn object(value: Value, diagnostics: &mut Diagnostics) -> Option<Value> {
    match value {
        Value::Object(_) => Some(value),
        other => diagnostics.report(Fault::DictType, other),
    }
}

/// A list; `item` is called for each element.
pub(crate) fn list<T>(value: Value, diagnostics: &mut Diagnostics, item: Read<T>) -> Option<Vec<T>> {
    let mut read = Vec::new();
    let is_list = each(value, diagnostics, &mut |value, diagnostics| {
        if let Some(item) = item(value, diagnostics) {
            read.push(item);
        }
    });
    is_list.then_some(read)
}

/// Whether it is a list; calls `item` for each element.
#[cfg_attr(target_family = "wasm", inline(never))]
fn each(value: Value, diagnostics: &mut Diagnostics, item: &mut dyn FnMut(Value, &mut Diagnostics)) -> bool {
    let Value::Array(items) = value else {
        diagnostics.note(Fault::ListType, value);
        return false;
    };
    for (at, value) in items.into_iter().enumerate() {
        diagnostics.inside(at, |diagnostics| item(value, diagnostics));
    }
    true
}

/// A list of strings.
pub(crate) fn strings(value: Value, diagnostics: &mut Diagnostics) -> Option<Vec<String>> {
    list(value, diagnostics, string)
}
