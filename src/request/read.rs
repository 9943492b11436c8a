//! Reading JSON values the way the servers' validator (pydantic) does, noting everything that is wrong.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Fault, Problem, Step};
use crate::json::{Member, Value};

/// What was wrong so far, and where the reading is.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) found: Vec<Problem>,
    here: Vec<Step>,
}

impl Findings {
    /// Reads something one step further in.
    pub(crate) fn inside<T>(&mut self, step: impl Into<Step>, read: impl FnOnce(&mut Self) -> T) -> T {
        self.enter(step.into());
        let value = read(self);
        self.leave();
        value
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    fn enter(&mut self, step: Step) {
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
    pub(crate) fn branch(&self) -> Findings {
        Findings { found: Vec::new(), here: self.here.clone() }
    }
}

/// The members of an object, taken out one by one.
#[derive(Debug)]
pub(crate) struct Fields<'f> {
    members: Vec<Member>,
    /// The object as it came, when a required member is missing: the report shows it.
    whole: Option<Value>,
    findings: &'f mut Findings,
}

/// Reads a value, noting what is wrong with it.
pub(crate) type Read<T> = fn(Value, &mut Findings) -> Option<T>;

impl<'f> Fields<'f> {
    /// Opens an object; anything else is reported as `otherwise`.
    pub(crate) fn open(
        value: Value,
        required: &[&str],
        otherwise: Fault,
        findings: &'f mut Findings,
    ) -> Option<Self> {
        let Value::Object(members) = value else {
            return findings.report(otherwise, value);
        };
        let has = |name: &str| members.iter().any(|m| m.key == name);
        let whole = required.iter().any(|name| !has(name)).then(|| Value::Object(members.clone()));
        Some(Fields { members, whole, findings })
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

    /// A member that has to be there. The fallback stands for what could not be read; the findings say so.
    pub(crate) fn required<T: Default>(&mut self, name: &'static str, read: Read<T>) -> T {
        let value = self.take(name);
        let whole = &self.whole;
        self.findings
            .inside(name, |findings| match value {
                Some(value) => read(value, findings),
                None => findings.report(Fault::Missing, whole.clone().unwrap_or(Value::Null)),
            })
            .unwrap_or_default()
    }

    /// A member that was taken out before.
    pub(crate) fn also<T>(&mut self, name: &'static str, value: Value, read: Read<T>) -> Option<T> {
        self.findings.inside(name, |findings| read(value, findings))
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
pub(crate) fn any(value: Value, _: &mut Findings) -> Option<Value> {
    Some(value)
}

/// A string and nothing else.
pub(crate) fn string(value: Value, findings: &mut Findings) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        other => findings.report(Fault::StringType, other),
    }
}

/// An object, as it came.
pub(crate) fn object(value: Value, findings: &mut Findings) -> Option<Value> {
    match value {
        Value::Object(_) => Some(value),
        other => findings.report(Fault::DictType, other),
    }
}

/// A list; `item` is called for each element.
pub(crate) fn list<T>(value: Value, findings: &mut Findings, item: Read<T>) -> Option<Vec<T>> {
    let mut read = Vec::new();
    let is_list = each(value, findings, &mut |value, findings| {
        if let Some(item) = item(value, findings) {
            read.push(item);
        }
    });
    is_list.then_some(read)
}

/// Whether it is a list; calls `item` for each element.
#[cfg_attr(target_family = "wasm", inline(never))]
fn each(value: Value, findings: &mut Findings, item: &mut dyn FnMut(Value, &mut Findings)) -> bool {
    let Value::Array(items) = value else {
        findings.note(Fault::ListType, value);
        return false;
    };
    for (at, value) in items.into_iter().enumerate() {
        findings.inside(at, |findings| item(value, findings));
    }
    true
}

/// A list of strings.
pub(crate) fn strings(value: Value, findings: &mut Findings) -> Option<Vec<String>> {
    list(value, findings, string)
}
