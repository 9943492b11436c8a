//! Free JSON as an owned tree: key order kept, numbers kept as digits.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use super::digits::Digits;
use super::document::Document;
use super::element::Element;
use super::error::Error;
use super::number::decimal;
use super::write;
use crate::bytes::string_map::StringMap;

/// A JSON value whose shape the protocol leaves open (`data`, `metadata`, `usage`, tool arguments).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as its original digits: it is not rounded.
    Number(Digits),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object, in the order of its keys on the wire.
    Object(Vec<Member>),
}

/// One key of an object with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Value,
}

impl Value {
    /// Reads one JSON text; `max_depth` limits the nesting of containers.
    ///
    /// A repeated key keeps its first place and takes its last value, as JavaScript does.
    ///
    /// # Errors
    ///
    /// The position at which the text is not JSON or is nested too deep, and the reason.
    pub fn parse(text: &str, max_depth: u32) -> Result<Value, Error> {
        Self::parse_settled(text, max_depth, |_| ())
    }

    /// Reads one JSON text; `settle` receives the members of each object before repeated keys are
    /// removed.
    pub(crate) fn parse_settled(
        text: &str,
        max_depth: u32,
        settle: fn(&mut Vec<Member>),
    ) -> Result<Value, Error> {
        Document::read(text, max_depth).map(|document| Self::settled(document.root(), settle))
    }

    pub(crate) fn from_raw(raw: Raw<'_>) -> Value {
        // A `Raw` is always valid JSON.
        Self::parse(raw.as_str(), u32::MAX).unwrap_or(Value::Null)
    }

    /// Creates the tree of a value in a document.
    pub fn of(element: Element<'_, '_>) -> Value {
        Self::settled(element, |_| ())
    }

    fn settled(element: Element<'_, '_>, settle: fn(&mut Vec<Member>)) -> Value {
        match element.first() {
            b'"' => Value::String(
                element.string().map(|text| text.to_str().into_owned()).unwrap_or_default(),
            ),
            b'{' => {
                // A list that grows would take up to three times its memory.
                let mut members = Vec::with_capacity(element.members().count());
                for (key, value) in element.members() {
                    members.push(Member {
                        key: key.to_str().into_owned(),
                        value: Self::settled(value, settle),
                    });
                }
                settle(&mut members);
                keep_last(&mut members);
                Value::Object(members)
            }
            b'[' => {
                let mut items = Vec::with_capacity(element.items().count());
                for item in element.items() {
                    items.push(Self::settled(item, settle));
                }
                Value::Array(items)
            }
            b't' => Value::Bool(true),
            b'f' => Value::Bool(false),
            b'-' | b'0'..=b'9' => Value::Number(element.raw().as_str().into()),
            _ => Value::Null,
        }
    }

    /// Returns the value of a key, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Object(members) => members.iter().find(|m| m.key == key).map(|m| &m.value),
            _ => None,
        }
    }

    /// Sets a key of an object; `Null` becomes an object.
    pub fn insert(&mut self, key: &str, value: Value) {
        if matches!(self, Value::Null) {
            *self = Value::Object(Vec::new());
        }
        if let Value::Object(members) = self {
            match members.iter_mut().find(|m| m.key == key) {
                Some(member) => member.value = value,
                None => members.push(Member { key: key.to_owned(), value }),
            }
        }
    }

    /// Returns the boolean, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the characters, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the characters of a member, if it is a string.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// Returns a text as it is, null as an empty text, anything else as JSON: some servers send
    /// arguments and outputs in these forms.
    pub(crate) fn to_text(&self) -> Cow<'_, str> {
        match self {
            Value::String(text) => text.as_str().into(),
            Value::Null => "".into(),
            other => other.to_json().into(),
        }
    }

    /// Reports whether this is `Null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Returns compact JSON.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// Appends compact JSON to `out`.
    pub fn write(&self, out: &mut String) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Value::Number(digits) => out.push_str(digits),
            Value::String(text) => write::write_string(text, out),
            Value::Array(items) => write::write_list(items, out, Value::write),
            Value::Object(members) => {
                let mut object = write::ObjectWriter::open(out, false);
                for member in members {
                    member.value.write(object.member(&member.key));
                }
                object.close();
            }
        }
    }
}

/// Keeps each key once: at its first place, with its last value.
pub(super) fn keep_last(members: &mut Vec<Member>) {
    if !has_repeated(members) {
        return;
    }
    let mut unique: Vec<Member> = Vec::with_capacity(members.len());
    let mut places = StringMap::default();
    for member in members.drain(..) {
        match places.get(&member.key) {
            Some(&place) => {
                let slot: &mut Member = &mut unique[place];
                slot.value = member.value;
            }
            None => {
                places.insert(&member.key, unique.len());
                unique.push(member);
            }
        }
    }
    *members = unique;
}

/// Returns whether a key occurs twice.
fn has_repeated(members: &[Member]) -> bool {
    const FEW: usize = 8;
    if members.len() <= FEW {
        let is_repeated =
            |(at, member): (usize, &Member)| members[..at].iter().any(|one| one.key == member.key);
        return members.iter().enumerate().any(is_repeated);
    }
    let mut keys: StringMap<()> = StringMap::default();
    members.iter().for_each(|member| keys.insert(&member.key, ()));
    keys.len() < members.len()
}

impl write::ObjectWriter<'_> {
    /// Writes free JSON, or a member without a value.
    pub fn value(&mut self, key: &str, value: Option<&Value>) {
        match value {
            Some(value) => value.write(self.member(key)),
            None => self.null(key),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Number(decimal(number).into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl<K: Into<String>, const N: usize> From<[(K, Value); N]> for Value {
    fn from(members: [(K, Value); N]) -> Self {
        Value::Object(
            members.into_iter().map(|(key, value)| Member { key: key.into(), value }).collect(),
        )
    }
}

// JSON as text: a part of a document, and text that was checked.

/// The text of one valid JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(pub(crate) &'a str);

impl<'a> Raw<'a> {
    /// Returns the bytes of the value.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// Reports whether the value is `null`.
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }
}

/// JSON as owned text, created from a [`Value`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(pub(crate) String);

impl JsonText {
    /// Returns the JSON.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Value> for JsonText {
    fn from(value: Value) -> Self {
        JsonText::from(&value)
    }
}

impl From<&Value> for JsonText {
    fn from(value: &Value) -> Self {
        JsonText(value.to_json())
    }
}
