//! The calls and questions in messages, with their outputs.

use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;

use crate::json::Value;
use crate::protocols::agent_api::request::{InputContent, InputMessage};
use crate::protocols::agent_api::{Payload, ToolFamily, ToolSide};

/// A call or a question, with its output. The positions are those of a message and of its content.
#[derive(Debug)]
pub(super) struct PairedCall<'r> {
    pub id: Option<&'r str>,
    pub name: Option<&'r str>,
    /// Whether it is a question.
    pub asks: bool,
    pub call: Option<&'r Value>,
    pub output: Option<&'r Value>,
}

/// The calls of messages, and the contents that show them.
#[derive(Debug, Default)]
pub(super) struct PairedCalls<'r> {
    calls: Vec<PairedCall<'r>>,
    /// The first call with an id, by whether it is a question.
    by_id: BTreeMap<(bool, &'r str), usize>,
    /// The call that is shown at the content at this address.
    shown: BTreeMap<*const Value, usize>,
}

impl<'r> PairedCalls<'r> {
    /// Pairs the calls of messages.
    pub fn of(messages: &'r [InputMessage]) -> Self {
        let mut calls = PairedCalls::default();
        for message in messages {
            let Some((family, side)) = message.r#type.tool() else { continue };
            let asks = family == ToolFamily::McpApproval;
            for data in message.content.iter().flatten().filter_map(data_of) {
                match side {
                    ToolSide::Call => calls.called(data, asks),
                    ToolSide::Output => calls.answered(data, asks),
                }
            }
        }
        calls
    }

    /// Returns the call that the data of a content belong to, and whether it is shown there: that
    /// of an output is shown in the place of its call, if it has one.
    pub fn at(&self, data: &Value) -> Option<(&PairedCall<'r>, bool)> {
        let call = self.calls.get(*self.shown.get(&core::ptr::from_ref(data))?)?;
        let is_here = call.call.or(call.output).is_some_and(|shown| core::ptr::eq(shown, data));
        Some((call, is_here))
    }

    fn called(&mut self, data: &'r Value, asks: bool) {
        let id = text(data, if asks { "id" } else { "call_id" });
        match self.known(id, asks).filter(|at| self.calls[*at].call.is_none()) {
            Some(at) => {
                let known = &mut self.calls[at];
                known.call = Some(data);
                known.name = known.name.or_else(|| name_of(data, asks));
                self.shown.insert(core::ptr::from_ref(data), at);
            }
            None => self.open(data, id, asks, true),
        }
    }

    fn answered(&mut self, data: &'r Value, asks: bool) {
        let id = text(data, if asks { "approval_request_id" } else { "call_id" });
        // An output without an id belongs to the latest call with its name that has no output.
        let meant = self.known(id, asks).or_else(|| {
            let name = name_of(data, asks);
            let is_meant = |call: &PairedCall<'_>| call.name == name && call.output.is_none();
            id.is_none().then(|| self.calls.iter().rposition(is_meant)).flatten()
        });
        match meant {
            Some(at) => {
                if self.calls[at].output.is_none() {
                    self.calls[at].output = Some(data);
                    self.shown.insert(core::ptr::from_ref(data), at);
                }
            }
            None => self.open(data, id, asks, false),
        }
    }

    fn known(&self, id: Option<&'r str>, asks: bool) -> Option<usize> {
        self.by_id.get(&(asks, id?)).copied()
    }

    fn open(&mut self, data: &'r Value, id: Option<&'r str>, asks: bool, is_call: bool) {
        let at = self.calls.len();
        if let Some(id) = id {
            self.by_id.entry((asks, id)).or_insert(at);
        }
        let (call, output) = if is_call { (Some(data), None) } else { (None, Some(data)) };
        self.shown.insert(core::ptr::from_ref(data), at);
        self.calls.push(PairedCall { id, name: name_of(data, asks), asks, call, output });
    }
}

/// Returns the data of a content.
pub(super) fn data_of(content: &InputContent) -> Option<&Value> {
    match &content.payload {
        Payload::Data { data: Some(data @ Value::Object(_)) } => Some(data),
        _ => None,
    }
}

/// Returns the name of a tool. An interrupt has a reason instead.
fn name_of(data: &Value, asks: bool) -> Option<&str> {
    text(data, "name").or_else(|| text(data, "reason").filter(|_| asks))
}

/// Returns a member that is a text and not empty.
fn text<'v>(data: &'v Value, key: &str) -> Option<&'v str> {
    data.text(key).filter(|text| !text.is_empty())
}

/// Returns the arguments of a call, or the payload of a question, as text.
pub(super) fn input_text(call: &PairedCall<'_>) -> String {
    let data = call.call.unwrap_or(&Value::Null);
    let of = |key: &str| data.get(key).filter(|value| !value.is_null());
    let input = of("arguments").or_else(|| of("payload").filter(|_| call.asks));
    input.map(|input| input.to_text().into_owned()).unwrap_or_default()
}
