//! What is said of a message beside its parts, kept until the message ends: for targets whose messages have metadata.

use alloc::vec::Vec;

use super::context::Context;
use super::end::MessageEnd;
use super::step::Step;
use crate::bytes::string_map::{Numbers, StringMap};
use crate::json::{Member, Value};

/// The metadata of the messages that are open, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Told(Numbers<Metadata>);

/// Members, and the place of each by its name: a stream can bring as many as it likes.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    members: Vec<Member>,
    places: StringMap<usize>,
}

impl Metadata {
    /// Those members, the last one of each name.
    pub fn of(members: &[Member]) -> Self {
        let mut metadata = Metadata::default();
        metadata.merge(members);
        metadata
    }

    /// Adds members, each in place of one of its name.
    pub fn merge(&mut self, members: &[Member]) {
        members.iter().for_each(|member| self.set(&member.key, member.value.clone()));
    }

    /// Sets a member.
    pub fn set(&mut self, key: &str, value: Value) {
        *self.member(key) = value;
    }

    /// The members, as an object; none if there are none.
    pub fn object(&self) -> Option<Value> {
        (!self.members.is_empty()).then(|| Value::Object(self.members.clone()))
    }

    /// The member of that name, null if it is new.
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

impl Told {
    /// A message opens: what is said of it that targets have no member for.
    pub fn open(&mut self, step: &Step<'_>, context: Context<'_>) {
        let Step::Open { message, name, parent, alternative, .. } = *step else { return };
        for (key, text) in [("name", name), ("parent", parent), ("lane", context.lane)] {
            if let Some(text) = text {
                self.tell(message, key, text.into());
            }
        }
        if alternative > 0 {
            self.tell(message, "alternative", i64::from(alternative).into());
        }
        self.merge(message, context.metadata);
    }

    /// A member, in place of one of that name.
    pub fn tell(&mut self, message: u32, key: &str, value: Value) {
        self.0.get_or_insert_default(message.into()).set(key, value);
    }

    /// Members, each in place of one of its name.
    pub fn merge(&mut self, message: u32, members: &[Member]) {
        members.iter().for_each(|member| self.tell(message, &member.key, member.value.clone()));
    }

    /// An item of the list that a member is.
    pub fn add(&mut self, message: u32, key: &str, value: Value) {
        match self.0.get_or_insert_default(message.into()).member(key) {
            Value::Array(items) => items.push(value),
            other => *other = Value::Array([value].into()),
        }
    }

    /// What was said so far; it is not kept any more.
    pub fn take(&mut self, message: u32) -> Vec<Member> {
        self.0.remove(message.into()).unwrap_or_default().members
    }

    /// The metadata of a message that ends: its own, and what was said of it.
    pub fn end(&mut self, message: u32, end: &MessageEnd) -> Option<Value> {
        let said = self.take(message);
        if said.is_empty() {
            return end.metadata.clone();
        }
        let own = end.metadata.as_ref().map(Value::members).unwrap_or_default();
        let mut metadata = Metadata::of(own);
        for Member { key, value } in said {
            if metadata.places.get(&key).is_none() {
                metadata.set(&key, value);
            }
        }
        Some(Value::Object(metadata.members))
    }
}
