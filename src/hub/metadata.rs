//! Metadata of open messages that is kept until the message ends, for targets whose messages have
//! metadata.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use super::conversation::Sealed;
use super::kind::MessageEnd;
use super::step::{Step, StepMeta};
use crate::bytes::string_map::{Numbers, StringMap};
use crate::json::{Member, Value};

/// The member of a message's metadata with the opaque members of its parts, each sealed: a string,
/// or a list of them.
pub(crate) const OPAQUE: &str = "opaque";

/// Returns the sealed opaque members in the metadata of a message, if nothing else is there.
pub(crate) fn sealed_in(metadata: &Value) -> Option<Vec<(String, Sealed)>> {
    let texts = match metadata.get(OPAQUE)? {
        Value::String(text) => [text.clone()].into(),
        Value::Array(list) => list
            .iter()
            .map(|text| text.as_str().map(ToOwned::to_owned))
            .collect::<Option<Vec<_>>>()?,
        _ => return None,
    };
    let open = |text: String| Sealed::open(&text).map(|sealed| (text, sealed));
    texts.into_iter().map(open).collect::<Option<Vec<_>>>().filter(|sealed| !sealed.is_empty())
}

/// The metadata of the open messages, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct PendingMetadata(Numbers<Metadata>);

/// Members, with an index by name, because a stream can have any number of them.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    members: Vec<Member>,
    places: StringMap<usize>,
}

impl Metadata {
    /// Creates metadata from members. The last member with a name wins.
    pub fn of(members: &[Member]) -> Self {
        let mut metadata = Metadata::default();
        metadata.merge(members);
        metadata
    }

    /// Adds members. Each replaces the member with the same name.
    pub fn merge(&mut self, members: &[Member]) {
        members.iter().for_each(|member| self.set(&member.key, member.value.clone()));
    }

    /// Sets a member.
    pub fn set(&mut self, key: &str, value: Value) {
        *self.member(key) = value;
    }

    /// Returns the members as an object, `None` if the list is empty.
    pub fn object(&self) -> Option<Value> {
        (!self.members.is_empty()).then(|| Value::Object(self.members.clone()))
    }

    /// Returns the value of the member with a name, null if it is new.
    fn member(&mut self, key: &str) -> &mut Value {
        let Metadata { members, places } = self;
        let at = places.get(key).copied().unwrap_or(members.len());
        if at == members.len() {
            places.insert(key, at);
            members.push(Member::new(key, Value::Null));
        }
        &mut members[at].value
    }
}

impl PendingMetadata {
    /// Adds the fields of a message's start for which targets have no member.
    pub fn open(&mut self, step: &Step<'_>, context: StepMeta<'_>) {
        let Step::Open { message, name, parent, alternative, .. } = *step else { return };
        for (key, text) in [("name", name), ("parent", parent), ("lane", context.lane)] {
            if let Some(text) = text {
                self.set(message, key, text.into());
            }
        }
        if alternative > 0 {
            self.set(message, "alternative", i64::from(alternative).into());
        }
        self.merge(message, context.metadata);
    }

    /// Sets a member.
    pub fn set(&mut self, message: u32, key: &str, value: Value) {
        self.0.get_or_insert_default(message.into()).set(key, value);
    }

    /// Adds members. Each replaces the member with the same name.
    pub fn merge(&mut self, message: u32, members: &[Member]) {
        members.iter().for_each(|member| self.set(message, &member.key, member.value.clone()));
    }

    /// Appends an item to a member that is a list.
    pub fn add(&mut self, message: u32, key: &str, value: Value) {
        match self.0.get_or_insert_default(message.into()).member(key) {
            Value::Array(items) => items.push(value),
            other => *other = Value::Array([value].into()),
        }
    }

    /// Adds sealed opaque members: one string, or a list of them.
    pub fn seal(&mut self, message: u32, sealed: String) {
        let own = self.0.get_or_insert_default(message.into()).member(OPAQUE);
        *own = match core::mem::take(own) {
            Value::Null => sealed.into(),
            Value::Array(mut list) => {
                list.push(sealed.into());
                Value::Array(list)
            }
            first => Value::Array([first, sealed.into()].into()),
        };
    }

    /// Removes and returns the members of a message.
    pub fn take(&mut self, message: u32) -> Vec<Member> {
        self.0.remove(message.into()).unwrap_or_default().members
    }

    /// Returns the metadata of a message that ends: its own, and the members that were kept.
    pub fn end(&mut self, message: u32, end: &MessageEnd) -> Option<Value> {
        let members = self.take(message);
        if members.is_empty() {
            return end.metadata.clone();
        }
        let own = end.metadata.as_ref().map(Value::members).unwrap_or_default();
        let mut metadata = Metadata::of(own);
        for Member { key, value } in members {
            if metadata.places.get(&key).is_none() {
                metadata.set(&key, value);
            }
        }
        Some(Value::Object(metadata.members))
    }
}

// Accessors of free JSON for the adapters of protocols.

impl Value {
    /// Returns the members of an object, an empty slice for any other value.
    pub(crate) fn members(&self) -> &[Member] {
        match self {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the members of an object without those in `known`.
    pub(crate) fn members_without(&self, known: &[&str]) -> Vec<Member> {
        self.members()
            .iter()
            .filter(|member| !known.contains(&member.key.as_str()))
            .cloned()
            .collect()
    }

    /// Returns an object whose members have other names; `None` keeps a name.
    pub(crate) fn renamed(&self, name: impl Fn(&str) -> Option<&'static str>) -> Value {
        let Value::Object(members) = self else { return self.clone() };
        let renamed = |member: &Member| {
            Member::new(name(&member.key).unwrap_or(&member.key), member.value.clone())
        };
        Value::Object(members.iter().map(renamed).collect())
    }

    /// Returns the items of an array, an empty slice for any other value.
    pub(crate) fn items(&self) -> &[Value] {
        match self {
            Value::Array(items) => items,
            _ => &[],
        }
    }

    /// Returns an integer; `None` for any other value and if it does not fit.
    pub(crate) fn integer<T: FromStr>(&self) -> Option<T> {
        match self {
            Value::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Creates a list of texts, such as ids.
    pub(crate) fn list_of(texts: &[String]) -> Value {
        Value::Array(texts.iter().map(|text| text.as_str().into()).collect())
    }

    /// Returns the texts in a list.
    pub(crate) fn to_texts(&self) -> Vec<String> {
        self.items().iter().filter_map(Value::as_str).map(ToOwned::to_owned).collect()
    }
}

impl Member {
    pub(crate) fn new(key: &str, value: impl Into<Value>) -> Self {
        Member { key: key.to_owned(), value: value.into() }
    }
}

/// Returns the members whose value is present.
pub(crate) fn present_members<const N: usize>(members: [(&str, Option<Value>); N]) -> Vec<Member> {
    members.into_iter().filter_map(|(key, value)| Some(Member::new(key, value?))).collect()
}

/// Sets an undeclared member; null removes it. The search is linear, because
/// [`Limits::undeclared_members`] limits the number of members (1,000 by default).
///
/// [`Limits::undeclared_members`]: crate::Limits::undeclared_members
pub(crate) fn put_member(members: &mut Vec<Member>, name: &str, value: Value) {
    members.retain(|member| member.key != name);
    if !value.is_null() {
        members.push(Member::new(name, value));
    }
}
