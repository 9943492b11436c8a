//! Lists of all messages: texts and calls that a list contains before their own events.

use alloc::{borrow::ToOwned, string::String};

use super::ToAgUi;
use crate::bytes::string_map::StringMap;
use crate::core::WireEvent;
use crate::hub::EventOutput;
use crate::hub::metadata::Metadata;
use crate::json::Value;

/// The reason of a loss: a text was replaced.
pub(super) const ONLY_GROWS: &str = "texts of AG-UI can only be appended to";

/// The texts of a list by the ids of their messages, and the arguments by those of their calls.
#[derive(Debug, Default)]
pub(super) struct ListedTexts {
    texts: StringMap<String>,
    arguments: StringMap<String>,
}

impl ListedTexts {
    pub fn of(messages: &Value) -> Self {
        let mut listed = ListedTexts::default();
        for message in messages.items() {
            let text = message.text("content").unwrap_or_default();
            listed.texts.insert(message.text("id").unwrap_or_default(), text.to_owned());
            for call in message.get("toolCalls").map(Value::items).unwrap_or_default() {
                let arguments =
                    call.get("function").and_then(|function| function.text("arguments"));
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

impl ToAgUi {
    /// Records a list of messages. Clients replace the messages and calls that it has: what earlier
    /// events have added to their metadata is gone.
    pub(super) fn list(&mut self, messages: &Value) {
        self.listed = ListedTexts::of(messages);
        for message in messages.items() {
            if let Some(&open) = message.text("id").and_then(|id| self.texts.get(id)) {
                self.pending.take(open);
            }
            for call in message.get("toolCalls").map(Value::items).unwrap_or_default() {
                let open = call.text("id").and_then(|id| self.calls.get_mut(id));
                if let Some(Some((_, metadata))) = open {
                    *metadata = Metadata::default();
                }
            }
        }
    }

    /// Replaces a whole text or arguments. This is a loss, unless clients have the same value from
    /// the last list of messages.
    pub(super) fn replace(
        &mut self,
        message: u32,
        text: &str,
        call: Option<&str>,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        if let Some(item) = self.items.get_mut(message.into()) {
            item.listed = None;
        }
        let item = self.items.get(message.into());
        let begun = self.written.get(message.into()).map(String::as_str);
        let id = begun.or(item.and_then(|item| item.id.as_deref())).unwrap_or_default();
        if !self.listed.has(id, call, text) {
            match call {
                Some(call) => out.lose("arguments-replaced", call, ONLY_GROWS),
                None => out.lose("text-replaced", out.place(message), ONLY_GROWS),
            }
        }
    }
}
