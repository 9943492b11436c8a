//! JSON as text: a part of a document, and text that was checked.

use super::value::Value;
use alloc::string::String;

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
