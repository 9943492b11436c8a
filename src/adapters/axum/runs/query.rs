//! The parameters of an address.

use std::string::String;
use std::vec::Vec;

use crate::json::{Member, Value};

/// The parameters of an address.
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    pub fn parse(text: &str) -> Self {
        Query(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
    }

    pub fn without(&self, names: &[&str]) -> Query {
        Query(self.0.iter().filter(|(key, _)| !names.contains(&&**key)).cloned().collect())
    }

    pub fn to_json(&self) -> String {
        let member =
            |(key, value): &(String, String)| Member { key: key.clone(), value: (&**value).into() };
        Value::Object(self.0.iter().map(member).collect()).to_json()
    }
}
