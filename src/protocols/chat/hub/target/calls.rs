//! Calls. A client runs every call that it receives, so it receives only those of its own tools.
//!
//! A call of a tool that the request lists is written at once. Any other call is held back until
//! the end of the run: if the agent has run it by then, the client receives it as sealed state only.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::answer::{GrowingText, Lengths, kind_of, member_of};
use super::{ToChat, WireOutput};
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::hub::{CallIds, InputFormat, MessageKind, Step, ToolKind, put_member};
use crate::json::{Member, Value};
use crate::protocols::chat::conversation::carrier::ExecutedCall;

/// The calls of the run.
#[derive(Debug, Default)]
pub(super) struct WrittenCalls {
    pub ids: CallIds,
    /// The names of the client's tools, if the request is known.
    tools: BTreeSet<String>,
    all: Vec<WrittenCall>,
    by_id: StringMap<usize>,
    /// The calls whose input has not ended, by message and part.
    by_part: Numbers<usize>,
    /// How many were written.
    written: usize,
    /// A call was cut off.
    pub is_cut_off: bool,
}

#[derive(Debug)]
struct WrittenCall {
    id: String,
    name: String,
    input: InputFormat,
    /// The model's server or an agent runs it, never the client.
    is_of_server: bool,
    /// The state of the server has the whole call.
    has_block: bool,
    place: CallPlace,
}

#[derive(Debug)]
enum CallPlace {
    /// It was written, with this index.
    Written(usize),
    /// Its input so far, and its opaque members.
    HeldBack { text: String, more: Vec<Member> },
    /// The agent has run it.
    Executed,
}

/// The name of a call that has none.
const UNNAMED: &str = "unnamed";

const EXECUTED: &str = "the agent has run it, and clients run every call that they receive";

impl WrittenCalls {
    /// Creates the calls of the answer to a request.
    pub fn of(request: &Value) -> Self {
        let tools = request.get("tools").map(Value::items).unwrap_or_default();
        let name = |tool: &Value| {
            let of = |kind: &str| Some(String::from(tool.get(kind)?.text("name")?));
            of("function").or_else(|| of("custom"))
        };
        WrittenCalls { tools: tools.iter().filter_map(name).collect(), ..Self::default() }
    }

    /// Whether the client has to run a call.
    pub fn has_written(&self) -> bool {
        self.written > 0
    }
}

impl ToChat {
    pub(super) fn call(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Call { message, part, id, name, input, .. } = *step else { return };
        let id = self.calls.ids.of(id, out).to_owned();
        let is_of_server =
            matches!(out.kind(message), MessageKind::Call(ToolKind::Mcp | ToolKind::Component));
        let at = self.calls.all.len();
        self.calls.by_id.insert(&id, at);
        self.calls.by_part.insert(pair(message, part), at);
        let is_known = !is_of_server && self.calls.tools.contains(name);
        let place = CallPlace::HeldBack { text: String::new(), more: Vec::new() };
        if name.is_empty() {
            out.lose("call-name-missing", &id, "clients require a name: the call got one");
        }
        let name = if name.is_empty() { UNNAMED } else { name };
        let (name, early) = (name.to_owned(), id.clone());
        let has_block = false;
        self.calls.all.push(WrittenCall { id, name, input, is_of_server, has_block, place });
        self.add_early(&early, at, out);
        if is_known && !self.calls.all[at].is_of_server {
            self.write_call(at, out);
        }
    }

    /// Appends a piece to the input of a call.
    pub(super) fn arguments(
        &mut self,
        (message, part): (u32, u32),
        piece: &str,
        out: &mut WireOutput<'_>,
    ) {
        let Some(&at) = self.calls.by_part.get(pair(message, part)) else { return };
        let call = &mut self.calls.all[at];
        match &mut call.place {
            CallPlace::Written(index) => {
                self.answer.piece(GrowingText::Input(*index, call.input), piece, out);
            }
            CallPlace::HeldBack { text, .. } => text.push_str(piece),
            CallPlace::Executed => {}
        }
    }

    /// Ends the input of a call, which is complete or cut off.
    pub(super) fn end_input(&mut self, message: u32, part: u32, whole: bool) {
        if let Some(at) = self.calls.by_part.remove(pair(message, part)) {
            let is_executed = matches!(self.calls.all[at].place, CallPlace::Executed);
            self.calls.is_cut_off |= !whole && !is_executed;
        }
    }

    /// Leaves out the result of a call, and the call unless it was written. Its state comes back in
    /// the next request.
    pub(super) fn result(
        &mut self,
        id: &str,
        output: &str,
        is_error: bool,
        out: &mut WireOutput<'_>,
    ) {
        let Some(at) = self.call_at(id, out) else { return };
        let call = &mut self.calls.all[at];
        let (text, more) = match core::mem::replace(&mut call.place, CallPlace::Executed) {
            CallPlace::HeldBack { text, more } => (text, more),
            place => {
                call.place = place;
                let reason = "the client has received the call, and runs it as well";
                return out.lose("executed-call", &call.id, reason);
            }
        };
        out.lose("executed-call", &call.id, EXECUTED);
        if !call.has_block {
            let kind = kind_of(call.input);
            let tool = Value::from([
                ("name", call.name.as_str().into()),
                (member_of(call.input), text.into()),
            ]);
            let mut written =
                Value::from([("id", call.id.as_str().into()), ("type", kind.into()), (kind, tool)]);
            more.into_iter().for_each(|member| written.insert(&member.key, member.value));
            let Lengths { reasoning, content } = self.answer.lengths();
            let (call, output, before) = (written, output.to_owned(), [reasoning, content]);
            self.detail(&ExecutedCall { call, output, is_error, before }.seal(), out);
        }
    }

    /// Marks a call that the model's server runs.
    pub(super) fn run_by_server(&mut self, at: usize) {
        let call = &mut self.calls.all[at];
        (call.is_of_server, call.has_block) = (true, true);
    }

    /// Adds members to a call, unless it is left out.
    pub(super) fn add_to_call(
        &mut self,
        at: usize,
        members: Vec<Member>,
        out: &mut WireOutput<'_>,
    ) {
        let call = &mut self.calls.all[at];
        match &mut call.place {
            CallPlace::Written(index) => self.answer.call_members(*index, members, out),
            CallPlace::HeldBack { more, .. } => add(more, members),
            CallPlace::Executed => {}
        }
    }

    /// Returns the call with an id of the source.
    pub(super) fn call_at(&mut self, id: &str, out: &mut WireOutput<'_>) -> Option<usize> {
        let id = self.calls.ids.of(id, out);
        self.calls.by_id.get(id).copied()
    }

    /// Writes the calls that were held back and that the client has to run.
    pub(super) fn write_held_back(&mut self, out: &mut WireOutput<'_>) {
        for at in 0..self.calls.all.len() {
            let call = &self.calls.all[at];
            match call.place {
                CallPlace::HeldBack { .. } if !call.is_of_server => self.write_call(at, out),
                CallPlace::HeldBack { .. } => out.lose("executed-call", &call.id, EXECUTED),
                _ => {}
            }
        }
    }

    fn write_call(&mut self, at: usize, out: &mut WireOutput<'_>) {
        let index = self.calls.written;
        let call = &mut self.calls.all[at];
        let place = core::mem::replace(&mut call.place, CallPlace::Written(index));
        let CallPlace::HeldBack { text, mut more } = place else { return };
        self.carried.give_to_call(&mut more);
        self.calls.written += 1;
        self.answer.call((index, call.input), (&call.id, &call.name), more, out);
        if !text.is_empty() {
            self.answer.piece(GrowingText::Input(index, call.input), &text, out);
        }
    }
}

/// Adds members, each in place of the one with its name.
pub(super) fn add(members: &mut Vec<Member>, more: Vec<Member>) {
    for member in more {
        put_member(members, &member.key, member.value);
    }
}
