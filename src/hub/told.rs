//! What is said of a message beside its parts, kept until the message ends: for targets whose messages have metadata.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::context::Context;
use super::end::MessageEnd;
use super::step::Step;
use crate::bytes::string_map::Numbers;
use crate::json::{Member, Value};

/// The metadata of the messages that are open, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Told(Numbers<Vec<Member>>);

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
        let Some(members) = self.members(message) else { return };
        put(members, key, value);
    }

    /// Members, each in place of one of its name.
    pub fn merge(&mut self, message: u32, members: &[Member]) {
        members.iter().for_each(|member| self.tell(message, &member.key, member.value.clone()));
    }

    /// An item of the list that a member is.
    pub fn add(&mut self, message: u32, key: &str, value: Value) {
        let Some(members) = self.members(message) else { return };
        match members.iter_mut().find(|member| member.key == key) {
            Some(Member { value: Value::Array(items), .. }) => items.push(value),
            _ => members.push(Member { key: key.to_owned(), value: Value::Array([value].into()) }),
        }
    }

    /// What was said so far; it is not kept any more.
    pub fn take(&mut self, message: u32) -> Vec<Member> {
        self.0.remove(message.into()).unwrap_or_default()
    }

    /// The metadata of a message that ends: its own, and what was said of it.
    pub fn end(&mut self, message: u32, end: &MessageEnd) -> Option<Value> {
        let said = self.take(message);
        if said.is_empty() {
            return end.metadata.clone();
        }
        let mut metadata = end.metadata.clone().unwrap_or_default();
        for member in said {
            if metadata.get(&member.key).is_none() {
                metadata.insert(&member.key, member.value);
            }
        }
        Some(metadata)
    }

    fn members(&mut self, message: u32) -> Option<&mut Vec<Member>> {
        if self.0.get(message.into()).is_none() {
            self.0.insert(message.into(), Vec::new());
        }
        self.0.get_mut(message.into())
    }
}

/// Sets a member of a list of them.
pub(crate) fn put(members: &mut Vec<Member>, key: &str, value: Value) {
    match members.iter_mut().find(|member| member.key == key) {
        Some(member) => member.value = value,
        None => members.push(Member { key: key.to_owned(), value }),
    }
}
