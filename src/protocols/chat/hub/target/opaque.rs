//! Opaque members. Those of Chat Completions are members of their message or call, the others are
//! sealed, and also those of a known server: the servers of this protocol have state of several
//! kinds, and the next request may be for another one.
//!
//! Clients send `reasoning_details` back with their message, or only the signature that a call has
//! in `extra_content`, where compatible servers of Gemini have theirs. So the strings before a call
//! are in both, one below the other in a signature.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::{ToChat, WireOutput};
use crate::bytes::string_map::StringMap;
use crate::hub::{MessageKind, Note, ProtocolName as _, SealedPlace};
use crate::json::{Member, Value};
use crate::protocols::chat::Chat;
use crate::protocols::chat::conversation::carrier::{
    DETAILS, EXTRA_CONTENT, detail, extra_content, sealed_in,
};

/// The sealed strings that wait for a call.
#[derive(Debug, Default)]
pub(super) struct CarriedState {
    /// Those since the last call.
    recent: Vec<String>,
    /// The members of calls that have not begun.
    early: StringMap<Vec<CallState>>,
    /// How many those are.
    waiting: usize,
    /// The number of the details so far.
    details: usize,
}

/// The opaque members of a call.
#[derive(Debug)]
struct CallState {
    members: Vec<Member>,
    /// They as a block of the message, for a call that the model's server runs.
    block: Option<String>,
}

impl CarriedState {
    /// Adds the strings that wait to the members of a call that begins.
    pub fn give_to_call(&mut self, more: &mut Vec<Member>) {
        let mut strings = core::mem::take(&mut self.recent);
        if strings.is_empty() {
            return;
        }
        let own = more.iter_mut().find(|member| member.key == EXTRA_CONTENT);
        match own {
            Some(member) => {
                if let Some(own) = sealed_in(&member.value) {
                    strings.insert(0, own.to_owned());
                    member.value = extra_content(&strings);
                }
            }
            None => more.push(Member::new(EXTRA_CONTENT, extra_content(&strings))),
        }
    }
}

impl ToChat {
    pub(super) fn opaque(&mut self, note: &Note<'_>, out: &mut WireOutput<'_>) {
        let Note::Opaque { format, scope, members, block, message, call, .. } = *note else {
            return;
        };
        let is_own = format == Chat::NAME && scope.is_none();
        let Some(call) = call else {
            return match is_own {
                true => self.own_members(members, out),
                false => {
                    let is_reasoning =
                        message.is_none_or(|of| out.kind(of) == MessageKind::Reasoning);
                    let place = if is_reasoning { SealedPlace::Here } else { SealedPlace::After };
                    let sealed = out.sealed(note, place);
                    self.detail(&sealed, out);
                    self.carried.recent.push(sealed);
                }
            };
        };
        let id = self.calls.ids.of(call, out).to_owned();
        let state = CallState {
            members: match is_own {
                true => members.members().to_vec(),
                false => {
                    let sealed = out.sealed(note, SealedPlace::Call(&id));
                    [Member::new(EXTRA_CONTENT, extra_content(&[sealed]))].into()
                }
            },
            block: block.then(|| out.sealed(&without_call(note), SealedPlace::Here)),
        };
        match self.call_at(&id, out) {
            Some(at) => self.add_state(at, state, out),
            None => {
                self.carried.waiting += 1;
                self.carried.early.get_or_insert_default(&id).push(state);
            }
        }
    }

    /// Adds the members of a call that were known before it has begun.
    pub(super) fn add_early(&mut self, id: &str, at: usize, out: &mut WireOutput<'_>) {
        let early = self.carried.early.get_mut(id).map(core::mem::take).unwrap_or_default();
        self.carried.waiting -= early.len();
        early.into_iter().for_each(|state| self.add_state(at, state, out));
    }

    fn add_state(&mut self, at: usize, state: CallState, out: &mut WireOutput<'_>) {
        match state.block {
            Some(block) => {
                self.run_by_server(at);
                self.detail(&block, out);
                self.carried.recent.push(block);
            }
            None => self.add_to_call(at, state.members, out),
        }
    }

    /// Notes the members of calls that have not come.
    pub(super) fn lose_early(&mut self, out: &mut WireOutput<'_>) {
        for _ in 0..core::mem::take(&mut self.carried.waiting) {
            out.lose("opaque", "", "its call did not come");
        }
    }

    /// Writes members of the protocol: they are members of the message.
    fn own_members(&mut self, members: &Value, out: &mut WireOutput<'_>) {
        for Member { key, value } in members.members() {
            match key.as_str() {
                DETAILS => self.answer.member(DETAILS, value.clone(), out),
                EXTRA_CONTENT => self.answer.member(EXTRA_CONTENT, value.clone(), out),
                _ => out.lose("opaque", key, "the message has no such member"),
            }
        }
    }

    /// Writes a sealed string as a detail of the reasoning.
    pub(super) fn detail(&mut self, sealed: &str, out: &mut WireOutput<'_>) {
        let detail = detail(sealed, self.carried.details);
        self.carried.details += 1;
        self.answer.member(DETAILS, Value::Array([detail].into()), out);
    }
}

/// Returns members of a call as those of a block that belongs to nothing else.
fn without_call<'n>(note: &Note<'n>) -> Note<'n> {
    let mut note = *note;
    if let Note::Opaque { message, part, call, result, .. } = &mut note {
        (*message, *part, *call, *result) = (None, None, None, false);
    }
    note
}
