//! Opaque members: AG-UI's clients carry one string for each message and each call.

use alloc::{borrow::ToOwned, string::String};

use super::ToAgUi;
use super::writer::text;
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::WireEvent;
use crate::hub::{EventOutput, MessageKind, Note, ProtocolName as _, SealedPlace};
use crate::protocols::ag_ui::AgUi;
use crate::protocols::ag_ui::events::{Event, event};

/// The values that wait for the start of their call or for its result, by the ids of the calls, and
/// the messages of the results.
#[derive(Debug, Default)]
pub(super) struct Values {
    of_calls: StringMap<Option<String>>,
    of_results: StringMap<Option<String>>,
    results: StringMap<(String, Option<String>)>,
    /// The ids of the texts that have ended and are not the first of their message, by message and
    /// part.
    texts: Numbers<String>,
    /// How many wait.
    waiting: usize,
}

impl Values {
    fn take(
        waiting: &mut usize,
        values: &mut StringMap<Option<String>>,
        call: &str,
    ) -> Option<String> {
        let value = values.get_mut(call)?.take()?;
        *waiting -= 1;
        Some(value)
    }

    fn keep(
        waiting: &mut usize,
        values: &mut StringMap<Option<String>>,
        call: &str,
        value: String,
    ) {
        let before = values.get_or_insert_default(call).replace(value);
        *waiting += usize::from(before.is_none());
    }

    /// Keeps the id of a text that has ended.
    pub fn text_ended(&mut self, at: u64, id: String) {
        if at as u32 > 0 {
            self.texts.insert(at, id);
        }
    }

    /// Notes the values whose call or result did not come.
    pub fn end(&mut self, out: &mut EventOutput<'_, WireEvent>) {
        let waiting = core::mem::take(self).waiting;
        (0..waiting)
            .for_each(|_| out.lose("opaque", "", "its call, or the result of this, did not come"));
    }
}

impl ToAgUi {
    pub(super) fn opaque(&mut self, note: &Note<'_>, out: &mut EventOutput<'_, WireEvent>) {
        let Note::Opaque { format, members, message, part, call, result, .. } = *note else {
            return;
        };
        let own = members.text("encryptedValue").filter(|_| format == AgUi::NAME);
        let value = own.map_or_else(|| out.sealed(note, SealedPlace::Here), ToOwned::to_owned);
        match call {
            Some(call) => {
                let call = self.call_ids.of(call, out).to_owned();
                self.opaque_of_call(&call, result, value, out);
            }
            None => self.opaque_of_part(message, part.unwrap_or(0), &value, out),
        }
    }

    fn opaque_of_call(
        &mut self,
        call: &str,
        result: bool,
        value: String,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        if result {
            match self.values.results.get(call).cloned() {
                Some((id, lane)) => self.encrypted("message", &id, lane.as_deref(), &value, out),
                None => {
                    let Values { of_results, waiting, .. } = &mut self.values;
                    Values::keep(waiting, of_results, call, value);
                }
            }
        } else if self.calls.get(call).is_some() {
            let lane = self.calls.get(call).and_then(|call| call.as_ref()?.0.clone());
            self.encrypted("tool-call", call, lane.as_deref(), &value, out);
        } else {
            let Values { of_calls, waiting, .. } = &mut self.values;
            Values::keep(waiting, of_calls, call, value);
        }
    }

    /// Writes the value of a text or a reasoning. What is neither is not a message of AG-UI's
    /// clients.
    fn opaque_of_part(
        &mut self,
        message: Option<u32>,
        part: u32,
        value: &str,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        const REASON: &str = "in AG-UI only messages, calls and results have such a value";
        let Some(message) = message else { return out.lose("opaque", "", REASON) };
        let is_reasoning = out.kind(message) == MessageKind::Reasoning;
        if is_reasoning && self.items.get(message.into()).is_some_and(|item| !item.has_written) {
            self.begin_empty(message, out);
        }
        let at = pair(message, part);
        let begun = self.parts.get(at).or_else(|| self.values.texts.get(at));
        let first = self.written.get(message.into()).filter(|id| !self.ids.is_activity(id));
        match begun.or(first).cloned() {
            Some(id) => {
                let lane = self.items.get(message.into()).and_then(|item| item.lane.clone());
                self.encrypted("message", &id, lane.as_deref(), value, out);
            }
            None => out.lose("opaque", out.place(message), REASON),
        }
    }

    /// Writes the value that has waited for a call.
    pub(super) fn call_begun(
        &mut self,
        call: &str,
        lane: Option<&str>,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let Values { of_calls, waiting, .. } = &mut self.values;
        if let Some(value) = Values::take(waiting, of_calls, call) {
            self.encrypted("tool-call", call, lane, &value, out);
        }
    }

    /// Writes the value that has waited for a result.
    pub(super) fn result_written(
        &mut self,
        call: &str,
        (id, lane): (&str, Option<&str>),
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        self.values.results.insert(call, (id.to_owned(), lane.map(ToOwned::to_owned)));
        let Values { of_results, waiting, .. } = &mut self.values;
        if let Some(value) = Values::take(waiting, of_results, call) {
            self.encrypted("message", id, lane, &value, out);
        }
    }

    fn encrypted(
        &mut self,
        subtype: &str,
        id: &str,
        lane: Option<&str>,
        value: &str,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let event = event!(ReasoningEncryptedValue in lane, None; {
            subtype: text(subtype), entity_id: text(id), encrypted_value: text(value),
        });
        self.write.send(id, &event, out);
    }
}
