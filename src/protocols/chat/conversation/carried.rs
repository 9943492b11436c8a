//! The state that clients have carried: sealed strings in the details of the reasoning, and in the
//! signatures of calls.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::carrier::{DETAILS, EXTRA_CONTENT, ExecutedCall, sealed_in, sealed_in_detail};
use super::read::text_of_details;
use super::requirements::{FORMAT, REASONING};
use crate::hub::conversation::members::take;
use crate::hub::conversation::{Content, Opaque, Part, Sealed, TextHash, ToolResult};
use crate::json::{Member, Value};

/// The strings of a message, each once.
#[derive(Default)]
pub(super) struct CarriedState {
    /// Those of the reasoning. If the agent has run calls, also those calls, the server's own
    /// details and the strings of the texts, in their order.
    ordered: Vec<Carried>,
    /// Those of the text after these calls.
    text: Vec<Sealed>,
    /// Those of the calls.
    calls: Vec<Sealed>,
}

enum Carried {
    Reasoning(Sealed),
    Text(Sealed),
    /// A detail of the reasoning that the server of the request has given.
    Detail(Value),
    Call(ExecutedCall),
}

impl CarriedState {
    /// Takes the strings of a message.
    pub fn take(message: &mut Value) -> Self {
        let (mut state, mut known) = (Self::default(), BTreeSet::new());
        match take(message, DETAILS) {
            Some(Value::Array(details)) => {
                for detail in details {
                    match sealed_in_detail(&detail) {
                        Some(sealed) => state.add(sealed, &mut known),
                        None => state.ordered.push(Carried::Detail(detail)),
                    }
                }
            }
            Some(other) => message.insert(DETAILS, other),
            None => {}
        }
        if let Value::Object(members) = message
            && let Some(calls) = members.iter_mut().find(|member| member.key == "tool_calls")
            && let Value::Array(calls) = &mut calls.value
        {
            calls.iter_mut().for_each(|call| state.take_from_call(call, &mut known));
        }
        if !state.ordered.iter().any(|carried| matches!(carried, Carried::Call(_))) {
            state.leave_order(message);
        }
        state
    }

    fn take_from_call(&mut self, call: &mut Value, known: &mut BTreeSet<String>) {
        let lines = call.get(EXTRA_CONTENT).and_then(sealed_in).map(str::to_owned);
        if let Some(lines) = lines {
            take(call, EXTRA_CONTENT);
            lines.lines().for_each(|line| self.add(line, known));
        }
    }

    fn add(&mut self, text: &str, known: &mut BTreeSet<String>) {
        if !known.insert(text.to_owned()) {
            return;
        }
        let Some(sealed) = Sealed::open(text) else { return };
        if let Some(mut executed) = ExecutedCall::open(&sealed) {
            self.take_from_call(&mut executed.call, known);
            return self.ordered.push(Carried::Call(executed));
        }
        match (&sealed.call, sealed.part) {
            (Some(_), _) => self.calls.push(sealed),
            (None, Some(_)) => self.ordered.push(Carried::Text(sealed)),
            (None, None) => self.ordered.push(Carried::Reasoning(sealed)),
        }
    }

    /// Without calls that the agent has run there is one reasoning and one text: the server's own
    /// details stay in the message.
    fn leave_order(&mut self, message: &mut Value) {
        let mut details = Vec::new();
        for carried in core::mem::take(&mut self.ordered) {
            match carried {
                Carried::Text(sealed) => self.text.push(sealed),
                Carried::Detail(detail) => details.push(detail),
                other => self.ordered.push(other),
            }
        }
        if !details.is_empty() {
            message.insert(DETAILS, Value::Array(details));
        }
    }

    /// Returns the reasoning of a message, given as one part: a part for each string, which belongs
    /// to the beginning of the text whose hash it has. Calls that the agent has run are between
    /// them, each after the text that preceded it, which is taken from that of the message.
    /// `read` reads such a call.
    pub fn reasoning(
        &mut self,
        own: Option<Part>,
        content: &mut Option<Value>,
        read: impl Fn(Value) -> Part,
    ) -> Vec<Part> {
        let carried = core::mem::take(&mut self.ordered);
        if carried.is_empty() {
            return own.into_iter().collect();
        }
        let has_state = carried.iter().any(|carried| matches!(carried, Carried::Reasoning(_)));
        let (thoughts, opaque) = match own {
            Some(Part { content: Content::Reasoning { text, .. }, opaque, .. }) => (text, opaque),
            _ => (String::new(), None),
        };
        let said = match content {
            Some(Value::String(text)) => core::mem::take(text),
            _ => String::new(),
        };
        let (mut thoughts, mut text) = (Remaining::of(&thoughts), Remaining::of(&said));
        let (mut parts, mut details, mut of_text) = (Vec::new(), Vec::new(), Vec::new());
        for carried in carried {
            match carried {
                Carried::Reasoning(sealed) => {
                    let end = match sealed.hash {
                        _ if sealed.block => 0,
                        Some(hash) => prefix(thoughts.rest, hash).unwrap_or(thoughts.rest.len()),
                        None => thoughts.rest.len(),
                    };
                    let mut part = Part::reasoning(thoughts.take(end));
                    let block = sealed.restore(&mut part);
                    parts.push(part);
                    parts.extend(block);
                }
                Carried::Text(sealed) => of_text.push(sealed),
                Carried::Detail(detail) => details.push(detail),
                Carried::Call(executed) => {
                    let thought = thoughts.take_to(executed.before[0]);
                    parts.extend(reasoning(thought, core::mem::take(&mut details), has_state));
                    let said = text.take_to(executed.before[1]);
                    let first = parts.len();
                    parts.extend(Some(said).filter(|text| !text.is_empty()).map(Part::text));
                    restore_texts(core::mem::take(&mut of_text), &mut parts, first);
                    parts.push(call(executed, &read));
                }
            }
        }
        let is_whole = thoughts.taken == 0 && !has_state && details.is_empty();
        if is_whole && opaque.is_some() {
            parts.push(Part::reasoning(thoughts.rest).with_opaque(opaque));
        } else {
            parts.extend(reasoning(thoughts.rest, details, has_state));
        }
        self.text.append(&mut of_text);
        if let Some(Value::String(left)) = content {
            text.rest.clone_into(left);
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
        let is_run = |part: &Part| part.as_call().is_some_and(|call| call.result.is_some());
        let first = parts.iter().rposition(is_run).map_or(0, |last| last + 1);
        restore_texts(self.text, parts, first);
    }
}

/// Returns reasoning that no string belongs to, if there is any: it belongs to the server of the
/// request, unless the message has the state of another one.
fn reasoning(text: &str, details: Vec<Value>, has_state: bool) -> Option<Part> {
    let is_own = !text.is_empty() && !has_state;
    let mut members = Vec::from_iter(is_own.then(|| Member::new(REASONING[0], text)));
    let details = Value::Array(details);
    let read = if text.is_empty() { text_of_details(&details) } else { text.to_owned() };
    if !details.items().is_empty() {
        members.push(Member::new(DETAILS, details));
    }
    let is_given = !read.is_empty() || !members.is_empty();
    is_given.then(|| Part::reasoning(read).with_opaque(Opaque::new(FORMAT, members)))
}

/// Adds the strings of a text to the first one at or after a position.
fn restore_texts(list: Vec<Sealed>, parts: &mut Vec<Part>, first: usize) {
    for sealed in list {
        match parts.iter().skip(first).position(|part| part.as_text().is_some()) {
            Some(at) => {
                let block = sealed.restore(&mut parts[first + at]);
                block.into_iter().for_each(|block| parts.insert(first + at + 1, block));
            }
            None => parts.push(Part::new(Content::Native).with_opaque(Some(sealed.opaque))),
        }
    }
}

/// Returns the part of a call that the agent has run, with its result.
fn call(executed: ExecutedCall, read: impl Fn(Value) -> Part) -> Part {
    let ExecutedCall { call, output, is_error, .. } = executed;
    let mut part = read(call);
    if let Content::Call(call) = &mut part.content {
        let result = ToolResult::new(call.id.clone(), [Part::text(output)].into());
        call.result = Some(ToolResult { error: is_error, ..result });
    }
    part
}

/// A text of which the beginning is taken.
struct Remaining<'t> {
    rest: &'t str,
    taken: usize,
}

impl<'t> Remaining<'t> {
    fn of(text: &'t str) -> Self {
        Remaining { rest: text, taken: 0 }
    }

    /// Takes so many bytes.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.taken += bytes;
        taken
    }

    /// Takes the text before a position of the whole text; nothing if the text was changed.
    fn take_to(&mut self, end: usize) -> &'t str {
        match end.checked_sub(self.taken).filter(|bytes| self.rest.is_char_boundary(*bytes)) {
            Some(bytes) => self.take(bytes),
            None => "",
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
