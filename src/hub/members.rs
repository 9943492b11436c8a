//! Accessors of free JSON for the adapters of protocols.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{Member, Value};

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
        self.members().iter().filter(|member| !known.contains(&member.key.as_str())).cloned().collect()
    }

    /// Returns the items of an array, an empty slice for any other value.
    pub(crate) fn items(&self) -> &[Value] {
        match self {
            Value::Array(items) => items,
            _ => &[],
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
pub(crate) fn given<const N: usize>(members: [(&str, Option<Value>); N]) -> Vec<Member> {
    members.into_iter().filter_map(|(key, value)| Some(Member::new(key, value?))).collect()
}
