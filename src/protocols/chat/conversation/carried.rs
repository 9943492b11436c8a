//! The state of other servers that clients have carried: sealed strings in the details of the
//! reasoning, and in the signatures of calls.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::hub::conversation::members::take;
use crate::hub::conversation::{Content, Part, Sealed, TextHash};
use crate::json::Value;
use crate::protocols::chat::carrier::{DETAILS, EXTRA_CONTENT, sealed_in, sealed_in_detail};

/// The strings of a message, each once.
#[derive(Default)]
pub(super) struct CarriedState {
    /// Those of the reasoning, in their order.
    reasoning: Vec<Sealed>,
    /// Those of the text.
    text: Vec<Sealed>,
    /// Those of the calls.
    calls: Vec<Sealed>,
}

impl CarriedState {
    /// Takes the strings of a message.
    pub fn take(message: &mut Value) -> Self {
        let (mut state, mut known) = (Self::default(), BTreeSet::new());
        if let Some(Value::Array(mut details)) = take(message, DETAILS) {
            details.retain(|detail| {
                let sealed = sealed_in_detail(detail);
                if let Some(sealed) = sealed {
                    state.add(sealed, &mut known);
                }
                sealed.is_none()
            });
            if !details.is_empty() {
                message.insert(DETAILS, Value::Array(details));
            }
        }
        if let Value::Object(members) = message
            && let Some(calls) = members.iter_mut().find(|member| member.key == "tool_calls")
            && let Value::Array(calls) = &mut calls.value
        {
            for call in calls {
                let lines = call.get(EXTRA_CONTENT).and_then(sealed_in).map(str::to_owned);
                if let Some(lines) = lines {
                    take(call, EXTRA_CONTENT);
                    lines.lines().for_each(|line| state.add(line, &mut known));
                }
            }
        }
        state
    }

    fn add(&mut self, text: &str, known: &mut BTreeSet<String>) {
        if !known.insert(text.to_owned()) {
            return;
        }
        if let Some(sealed) = Sealed::open(text) {
            match (&sealed.call, sealed.part) {
                (Some(_), _) => self.calls.push(sealed),
                (None, Some(_)) => self.text.push(sealed),
                (None, None) => self.reasoning.push(sealed),
            }
        }
    }

    /// Returns the reasoning of a message: a part for each string. A string belongs to the
    /// beginning of the text whose hash it has.
    pub fn reasoning(&mut self, own: Option<Part>) -> Vec<Part> {
        let carried = core::mem::take(&mut self.reasoning);
        if carried.is_empty() {
            return own.into_iter().collect();
        }
        let text = match own.map(|part| part.content) {
            Some(Content::Reasoning { text, .. }) => text,
            _ => String::new(),
        };
        let (mut rest, mut parts) = (&*text, Vec::new());
        for sealed in carried {
            let end = match sealed.hash {
                _ if sealed.block => 0,
                Some(hash) => prefix(rest, hash).unwrap_or(rest.len()),
                None => rest.len(),
            };
            let (own, left) = rest.split_at(end);
            rest = left;
            let mut part = Part::reasoning(own);
            let block = sealed.restore(&mut part);
            parts.push(part);
            parts.extend(block);
        }
        if !rest.is_empty() {
            parts.push(Part::reasoning(rest));
        }
        parts
    }

    /// Adds the other strings to the parts that they belong to.
    pub fn restore(self, parts: &mut Vec<Part>) {
        for sealed in self.calls {
            let is_call = |part: &&mut Part| {
                part.as_call().is_some_and(|call| Some(&call.id) == sealed.call.as_ref())
            };
            if let Some(part) = parts.iter_mut().find(is_call) {
                drop(sealed.restore(part));
            }
        }
        for sealed in self.text {
            let at = parts.iter().position(|part| part.as_text().is_some());
            match at {
                Some(at) => {
                    let block = sealed.restore(&mut parts[at]);
                    block.into_iter().for_each(|block| parts.insert(at + 1, block));
                }
                None => parts.push(Part::new(Content::Native).with_opaque(Some(sealed.opaque))),
            }
        }
    }
}

/// Returns the end of the shortest beginning of a text that has a hash.
fn prefix(text: &str, hash: u64) -> Option<usize> {
    let mut so_far = TextHash::default();
    if so_far.value() == hash {
        return Some(0);
    }
    text.char_indices().find_map(|(at, letter)| {
        let end = at + letter.len_utf8();
        so_far.add(&text[at..end]);
        (so_far.value() == hash).then_some(end)
    })
}
