//! Opaque members: those of Anthropic are blocks, and members of blocks, again. Others are sealed:
//! those of a reasoning are its signature, and any others are the data of a `redacted_thinking`
//! block, which clients send back. That of a call is directly before the call, if they are known by
//! then; all others follow what they belong to. Only if the client needs it, that of a text is before
//! the text, which waits for its end.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::{ToAnthropic, WireOutput};
use crate::core::{FreeJsonCheck, Limits};
use crate::hub::{MessageKind, Note, ProtocolName as _, SealedPlace};
use crate::json::{ObjectWriter, Value};
use crate::protocols::anthropic::Anthropic;

/// Whether readers can read free JSON in a block.
pub(super) fn is_readable(value: &Value) -> bool {
    let deepest = Limits::default().json_depth - 3;
    FreeJsonCheck { deepest, call: "" }.value(value, deepest).is_ok()
}

/// Returns the JSON of a block that carries a string.
fn carrier(sealed: &str) -> String {
    let mut json = String::new();
    let mut block = ObjectWriter::open(&mut json, false);
    block.string("type", Some("redacted_thinking"));
    block.string("data", Some(sealed));
    block.close();
    json
}

const UNREADABLE: &str = "clients could not have read the block: left out";

impl ToAnthropic {
    pub(super) fn opaque(&mut self, note: &Note<'_>, out: &mut WireOutput<'_>) {
        let Note::Opaque { format, call, message, .. } = *note else { return };
        match (call, message) {
            (Some(call), _) => self.opaque_of_call(call, note, out),
            (None, Some(message)) if format == Anthropic::NAME => self.own(message, note, out),
            (None, Some(message)) => self.sealed(message, note, out),
            (None, None) => out.lose("opaque", "", "it belongs to no part"),
        }
    }

    fn opaque_of_call(&mut self, call: &str, note: &Note<'_>, out: &mut WireOutput<'_>) {
        let Note::Opaque { format, members, block, result, .. } = *note else { return };
        let id = self.call_ids.of(call, out).to_owned();
        let is_own = format == Anthropic::NAME;
        let json = carrier(&out.sealed(note, SealedPlace::Call(&id)));
        let (kind, of) = match result {
            true => ("_tool_result", "tool_use_id"),
            false => ("_tool_use", "id"),
        };
        let is_block = block
            && members.text("type").is_some_and(|name| name.ends_with(kind))
            && members.text(of) == Some(call)
            && id == call;
        if is_own && (block && !is_block || !is_readable(members)) {
            return out.lose("opaque", &id, UNREADABLE);
        }
        match (self.calls.opaque_of(&id, result), is_own) {
            (Some(place), true) if block => place.block = Some(members.clone()),
            (Some(place), true) => place.more = members.clone(),
            (Some(place), false) => place.carriers.push(json),
            (None, true) => out.lose("opaque", &id, "what it belongs to has ended"),
            (None, false) => self.blocks.add_whole(json, &mut self.events, out),
        }
    }

    /// Writes members of Anthropic: the signature of a thinking, or a block of which other
    /// protocols have nothing.
    fn own(&mut self, message: u32, note: &Note<'_>, out: &mut WireOutput<'_>) {
        let Note::Opaque { members, block, part, .. } = *note else { return };
        let is_thinking = out.kind(message) == MessageKind::Reasoning;
        let kind = members.text("type").unwrap_or_default();
        if block {
            let is_known = ["text", "thinking", ""].contains(&kind)
                || kind.ends_with("tool_use")
                || kind.ends_with("tool_result");
            if is_known || !is_readable(members) {
                return out.lose("opaque", out.place(message), UNREADABLE);
            }
            return self.blocks.add_whole(members.to_json(), &mut self.events, out);
        }
        if let (true, Some(signature)) = (is_thinking, members.text("signature")) {
            let at = self.thinking_block(message);
            self.blocks.sign(at, signature.into());
        }
        if let (false, Some(citations)) = (is_thinking, members.get("citations")) {
            self.own_citations(message, part.unwrap_or(0), citations);
        }
        let known: &[&str] = if is_thinking { &["signature"] } else { &["citations"] };
        if !members.members_without(known).is_empty() {
            out.lose("opaque", out.place(message), "its block has begun");
        }
    }

    /// Writes members of another protocol.
    fn sealed(&mut self, message: u32, note: &Note<'_>, out: &mut WireOutput<'_>) {
        let Note::Opaque { block, part, .. } = *note else { return };
        if out.kind(message) != MessageKind::Reasoning {
            let text = self.text_of(message, part.unwrap_or(0));
            let is_before = self.blocks.do_texts_wait() && text.is_some();
            let place = if is_before { SealedPlace::Before } else { SealedPlace::After };
            let json = carrier(&out.sealed(note, place));
            return match text {
                Some(text) if is_before => {
                    self.blocks.add_before(text, json, &mut self.events, out);
                }
                Some(text) => self.blocks.add_after(text, json, &mut self.events, out),
                None => self.blocks.add_whole(json, &mut self.events, out),
            };
        }
        let sealed = out.sealed(note, SealedPlace::Here);
        match self.thought_of(message) {
            Some(at) if !block && self.blocks.has_text(at) && !self.blocks.is_signed(at) => {
                self.blocks.sign(at, sealed.into());
            }
            Some(at) => self.blocks.add_after(at, carrier(&sealed), &mut self.events, out),
            None => self.blocks.add_whole(carrier(&sealed), &mut self.events, out),
        }
    }
}
