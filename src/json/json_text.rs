//! Free JSON as text that is kept.

use alloc::string::String;

use super::value::Value;

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
