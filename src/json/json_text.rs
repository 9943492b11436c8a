//! Free JSON as owned text.

use alloc::string::String;

use super::value::Value;

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
