//! The texts and arguments in the last list of messages, which clients have from there.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::bytes::string_map::StringMap;
use crate::hub::Input;
use crate::json::{Member, Value};

/// The texts of a list by the ids of their messages, and the arguments by those of their calls.
#[derive(Debug, Default)]
pub(super) struct Listed {
    texts: StringMap<String>,
    arguments: StringMap<String>,
}

/// A call that a list contained before its own events came.
#[derive(Debug)]
pub(super) struct Repeated {
    pub at: (u32, u32),
    pub id: String,
    pub name: String,
    pub input: Input,
    pub more: Vec<Member>,
    /// The number of bytes of its arguments that have come again.
    pub said: usize,
}

impl Listed {
    pub fn of(messages: &Value) -> Self {
        let mut listed = Listed::default();
        for message in messages.items() {
            let text = message.text("content").unwrap_or_default();
            listed.texts.insert(message.text("id").unwrap_or_default(), text.to_owned());
            for call in message.get("toolCalls").map(Value::items).unwrap_or_default() {
                let arguments = call.get("function").and_then(|function| function.text("arguments"));
                let id = call.text("id").unwrap_or_default();
                listed.arguments.insert(id, arguments.unwrap_or_default().to_owned());
            }
        }
        listed
    }

    /// Returns the text of a message, if it is not empty.
    pub fn text(&self, message: &str) -> Option<&str> {
        self.texts.get(message).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// Returns the arguments of a call in the list.
    pub fn arguments(&self, call: &str) -> Option<&str> {
        self.arguments.get(call).map(String::as_str)
    }

    /// Returns whether the list has that text of a message, or those arguments of a call.
    pub fn has(&self, message: &str, call: Option<&str>, text: &str) -> bool {
        let known = call.map_or_else(|| self.texts.get(message), |call| self.arguments.get(call));
        known.is_some_and(|known| known == text)
    }
}
