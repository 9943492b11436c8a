//! Free JSON as text.

use alloc::string::String;

use super::value::Value;

/// One JSON value as text, checked to be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(pub(crate) &'a str);

impl<'a> Raw<'a> {
    /// The bytes of the value.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// True for `null`.
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }
}

/// JSON as text that is kept: made of a [`Value`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(pub(crate) String);

impl JsonText {
    /// The JSON.
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
