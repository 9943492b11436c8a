//! The members of an object of the answer that a source keeps until it emits them.

use alloc::vec::Vec;

use crate::engine::Field;
use crate::json::{Member, Value};

/// The members of one object, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct KeptMembers {
    declared: Vec<(Field, Value)>,
    pub undeclared: Vec<Member>,
}

impl KeptMembers {
    pub fn set(&mut self, key: Field, value: Value) {
        match self.get_mut(key) {
            Some(known) => *known = value,
            None => self.declared.push((key, value)),
        }
    }

    pub fn unset(&mut self, key: Field) {
        self.declared.retain(|(known, _)| *known != key);
    }

    pub fn get(&self, key: Field) -> Option<&Value> {
        self.declared.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    pub fn get_mut(&mut self, key: Field) -> Option<&mut Value> {
        self.declared.iter_mut().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    /// Returns a member if it is present and not null.
    pub fn given(&self, key: Field) -> Option<&Value> {
        self.get(key).filter(|value| !value.is_null())
    }

    /// Returns a text.
    pub fn text(&self, key: Field) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// Returns a text, which is empty if the member is absent.
    pub fn word(&self, key: Field) -> &str {
        self.text(key).unwrap_or_default()
    }

    /// Returns a text if it is not empty.
    pub fn filled(&self, key: Field) -> Option<&str> {
        self.text(key).filter(|text| !text.is_empty())
    }

    /// Returns the declared members.
    pub fn declared(&self) -> impl Iterator<Item = (Field, &Value)> {
        self.declared.iter().map(|(key, value)| (*key, value))
    }

    /// Returns an undeclared member.
    pub fn undeclared(&self, name: &str) -> Option<&Value> {
        self.undeclared.iter().find(|member| member.key == name).map(|member| &member.value)
    }
}
