//! Opaque members: those of Responses are members of their items, the others are sealed in the
//! `encrypted_content` of a reasoning item. That of a call is directly before the call, if they are
//! known by then; all others follow what they belong to.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::calls::WrittenCall;
use super::{ToResponses, WireOutput, add};
use crate::hub::{MessageKind, Note, ProtocolName as _, SealedPlace};
use crate::json::Value;
use crate::protocols::responses::Responses;

/// The member of a reasoning item that clients send back.
pub(super) const ENCRYPTED: &str = "encrypted_content";

/// The entry of `include` by which a client requests it.
const INCLUDED: &str = "reasoning.encrypted_content";

/// The members of items that are written from other data.
const KNOWN: &[&str] = &[
    "type",
    "id",
    "status",
    "role",
    "content",
    "summary",
    "call_id",
    "name",
    "arguments",
    "input",
];

/// Returns whether a request includes further data in the response, and not the encrypted content.
pub(super) fn is_without_state(echo: &Value) -> bool {
    let include = echo.get("include");
    matches!(include, Some(Value::Array(list)) if !list.iter().any(|entry| entry.as_str() == Some(INCLUDED)))
}

impl ToResponses {
    pub(super) fn opaque(&mut self, note: &Note<'_>, out: &mut WireOutput<'_>) {
        let Note::Opaque { format, message, call, .. } = *note else { return };
        if self.is_without_state {
            let place = call.or_else(|| Some(out.place(message?))).unwrap_or_default();
            return out.lose("opaque", place, "the request does not include encrypted reasoning");
        }
        if format == Responses::NAME {
            return self.own_members(note, out);
        }
        let is_reasoning =
            message.is_some_and(|message| out.kind(message) == MessageKind::Reasoning);
        if let Some(call) = call {
            let id = self.call_ids.of(call, out).to_owned();
            let sealed = out.sealed(note, SealedPlace::Call(&id));
            return match self.open_call(&id) {
                Some(call) => call.carriers.push(sealed),
                None => self.carrier(sealed, out),
            };
        }
        let place = if is_reasoning { SealedPlace::Here } else { SealedPlace::After };
        let sealed = out.sealed(note, place);
        match message.and_then(|message| self.messages.get_mut(message.into())) {
            Some(open) if is_reasoning => open.own.insert(ENCRYPTED, sealed.into()),
            Some(open) => open.carriers.push(sealed),
            None => {
                let sealed = out.sealed(note, SealedPlace::After);
                self.carrier(sealed, out);
            }
        }
    }

    /// Keeps members of Responses for the end of their item, or writes an item that is nothing
    /// else.
    fn own_members(&mut self, note: &Note<'_>, out: &mut WireOutput<'_>) {
        let Note::Opaque { members, block, message, call, .. } = *note else { return };
        // Items of the server's tools are written from their steps.
        if block && call.is_some() {
            return;
        }
        let of_message = members.get("message");
        let more = Value::Object(of_message.unwrap_or(members).members_without(KNOWN));
        if let Some(call) = call {
            let id = self.call_ids.of(call, out).to_owned();
            let r#type = members.text("type");
            return match self.open_call(&id) {
                // A whole item is that of a tool of the server.
                Some(call) if r#type.is_some_and(|name| !call.is_item_of(name)) => {
                    out.lose("opaque", &id, "its item has another type");
                }
                Some(call) => add(&mut call.more, more),
                None => self.early_members.insert(&id, more),
            };
        }
        let Some(message) = message else { return };
        let r#type = members.text("type").unwrap_or_default();
        if block && out.kind(message) == MessageKind::Reasoning && r#type != "reasoning" {
            self.count_item(message);
            return self.whole_item(r#type, members.text("id"), more, out);
        }
        let is_part = out.kind(message) != MessageKind::Reasoning && of_message.is_none();
        match self.messages.get_mut(message.into()) {
            // The annotations of a text have their own step.
            _ if is_part => {}
            Some(open) => add(&mut open.own, more),
            None => out.lose("opaque", out.place(message), "its item has ended"),
        }
    }

    /// Returns the call with that id, unless its item has not begun or has ended.
    fn open_call(&mut self, id: &str) -> Option<&mut WrittenCall> {
        self.items[*self.calls.get(id)?].open_call()
    }

    /// Writes reasoning items without a text that only carry members.
    pub(super) fn carriers(&mut self, sealed: Vec<String>, out: &mut WireOutput<'_>) {
        sealed.into_iter().for_each(|sealed| self.carrier(sealed, out));
    }

    fn carrier(&mut self, sealed: String, out: &mut WireOutput<'_>) {
        self.whole_item("reasoning", None, [(ENCRYPTED, sealed.into())].into(), out);
    }
}
