//! Opaque members: the client keeps the metadata of the provider of texts, files, calls and
//! results.

use alloc::borrow::ToOwned;

use super::{ToAiSdk, WireOutput, WrittenText, chunk, clean, own_metadata};
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::hub::{MessageKind, Note, ProtocolName as _, SealedPlace};
use crate::json::{Member, Value};
use crate::protocols::ai_sdk::AiSdk;
use crate::protocols::ai_sdk::hub::{PROVIDER, STATE};

/// The metadata of the provider that wait for their chunk.
#[derive(Debug, Default)]
pub(super) struct States {
    /// By message and part.
    parts: Numbers<Value>,
    /// By the ids of the calls.
    calls: StringMap<Option<Value>>,
    results: StringMap<Option<Value>>,
    /// How many wait.
    waiting: usize,
}

impl States {
    fn keep(&mut self, before: Option<Value>) {
        self.waiting += usize::from(before.is_none());
    }

    fn found(&mut self, state: Option<Value>) -> Option<Value> {
        self.waiting -= usize::from(state.is_some());
        state
    }

    /// Returns the metadata of a part whose chunk is written.
    pub fn take_part(&mut self, at: u64) -> Option<Value> {
        let state = self.parts.remove(at);
        self.found(state)
    }

    /// Returns the metadata of a call whose input is written.
    pub fn take_call(&mut self, id: &str) -> Option<Value> {
        let state = self.calls.get_mut(id).and_then(Option::take);
        self.found(state)
    }

    /// Returns the metadata of a result that is written.
    pub fn take_result(&mut self, id: &str) -> Option<Value> {
        let state = self.results.get_mut(id).and_then(Option::take);
        self.found(state)
    }

    /// Notes what has waited in vain.
    pub fn end(&mut self, out: &mut WireOutput<'_>) {
        for _ in 0..core::mem::take(self).waiting {
            out.lose(
                "opaque",
                "",
                "what it belongs to did not come, or is not a part of a message",
            );
        }
    }
}

impl WrittenText {
    /// Adds metadata to those of its end.
    pub fn add(&mut self, state: Value) {
        let (Some(Value::Object(known)), Value::Object(new)) = (&mut self.metadata, &state) else {
            self.metadata = Some(state);
            return;
        };
        for Member { key, value } in new {
            match known.iter_mut().find(|member| member.key == *key) {
                Some(member) => value
                    .members()
                    .iter()
                    .for_each(|inner| member.value.insert(&inner.key, inner.value.clone())),
                None => known.push(Member { key: key.clone(), value: value.clone() }),
            }
        }
    }

    /// Whether its metadata have more than what they had at its start.
    pub fn has_state(&self) -> bool {
        self.metadata.as_ref().is_some_and(|metadata| {
            metadata
                .members()
                .iter()
                .any(|member| member.key != PROVIDER || member.value.get(STATE).is_some())
        })
    }
}

impl ToAiSdk {
    pub(super) fn opaque(&mut self, note: &Note<'_>, out: &mut WireOutput<'_>) {
        const LATE: &str = "what it belongs to had ended";
        let Note::Opaque { format, members, message, part, call, result, .. } = *note else {
            return;
        };
        let name = match (call, result) {
            (Some(_), true) => "resultProviderMetadata",
            (Some(_), false) => "callProviderMetadata",
            (None, _) => "providerMetadata",
        };
        let own = members.get(name).filter(|own| format == AiSdk::NAME && are_objects(own));
        let state = match own {
            Some(own) => clean(own.clone(), "", out),
            None => own_metadata(STATE, &out.sealed(note, SealedPlace::Here)),
        };
        if let Some(id) = call {
            let id = self.call_ids.of(id, out).to_owned();
            let known = self.calls.get(&id);
            let before = match (result, known) {
                (true, Some(call)) if call.has_result => return out.lose("opaque", &id, LATE),
                (true, _) => self.states.results.get_or_insert_default(&id).replace(state),
                (false, Some(call)) if call.ended => {
                    return self.carrier(
                        &own_metadata(STATE, &out.sealed(note, SealedPlace::Call(&id))),
                        out,
                    );
                }
                (false, _) => self.states.calls.get_or_insert_default(&id).replace(state),
            };
            return self.states.keep(before);
        }
        let Some(message) = message else { return out.lose("opaque", "", "it belongs to no part") };
        let at = pair(message, part.unwrap_or(0));
        let is_open = out.message(message).is_some_and(|message| message.open);
        match self.texts.get_mut(at) {
            Some(text) => text.add(state),
            None if !is_open => out.lose("opaque", out.place(message), LATE),
            None if out.kind(message) == MessageKind::Reasoning => self.carrier(&state, out),
            None => {
                let before = self.states.parts.remove(at);
                self.states.parts.insert(at, state);
                self.states.keep(before);
            }
        }
    }

    /// Writes a reasoning without a text, which has only metadata.
    fn carrier(&mut self, metadata: &Value, out: &mut WireOutput<'_>) {
        self.end_text(out);
        self.content(out);
        let id = self.next_id("text_");
        chunk("reasoning-start", out, |chunk| {
            chunk.string("id", Some(&id));
            chunk.value("providerMetadata", Some(metadata));
        });
        chunk("reasoning-end", out, |chunk| chunk.string("id", Some(&id)));
    }
}

/// Whether a value is metadata of providers: an object of objects. (V2.)
fn are_objects(value: &Value) -> bool {
    matches!(value, Value::Object(members) if members.iter().all(|member| matches!(member.value, Value::Object(_))))
}
