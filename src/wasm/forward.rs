//! Passing the answer of a model or of another agent on to the client of a run.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::mem::take;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::a2a::parsed;
use super::convert::{ConverterOutput, source};
use super::exchange::grow_ahead;
use super::options;
use crate::emit::Writer;
use crate::emit::relay::{
    AnswerOrigin, ForwardOptions, Forwarding, PassedEnd, RelayOutput, RelayWork, write_result,
};
use crate::hub::RunEnd;
use crate::hub::conversation::Back;
use crate::hub::source::Write;
use crate::json::{ObjectWriter, write_list};

/// The output of the run of an agent in JavaScript.
#[derive(Clone, Debug)]
pub(super) enum RunOutput {
    /// A response of the Agent API, which a builder writes.
    Builder(Rc<RefCell<Writer>>),
    /// Such a response that is converted.
    Converter(Rc<RefCell<ConverterOutput>>),
}

impl RelayOutput for RunOutput {
    fn relay(&self, bytes: u64, work: &mut RelayWork<'_>) -> Option<u64> {
        match self {
            RunOutput::Builder(writer) => {
                let mut writer = writer.borrow_mut();
                writer.add_input_bytes(bytes);
                writer.relay(work)
            }
            RunOutput::Converter(output) => output.borrow_mut().relay(bytes, work),
        }
    }

    fn pieces(&self, state: u64, work: &mut dyn FnMut(&mut Write<'_>)) -> bool {
        match self {
            RunOutput::Builder(writer) => {
                writer.borrow_mut().pieces(state).map(|mut write| work(&mut write)).is_some()
            }
            RunOutput::Converter(output) => output.borrow_mut().pieces(state, work),
        }
    }

    fn limit_repeats(&self, is_limited: bool) {
        // A converter always limits them.
        if let RunOutput::Builder(writer) = self {
            writer.borrow_mut().limit_repeats(is_limited);
        }
    }
}

impl RunOutput {
    /// Returns the output since the last call.
    fn take(&self) -> Vec<u8> {
        grow_ahead();
        let text = match self {
            RunOutput::Builder(writer) => writer.borrow_mut().take(),
            RunOutput::Converter(output) => take(&mut output.borrow_mut().relayed),
        };
        text.into_bytes()
    }
}

/// An answer that is passed on. Each method returns the output for the client.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawForwarding {
    forwarding: Forwarding<RunOutput>,
    ended: Option<PassedEnd>,
}

impl RawForwarding {
    /// Starts passing an answer on. `from` is the number of its protocol, as for a converter;
    /// `settings` are the options of a reader; `origin` is an object with the `names` of tools that
    /// the model knows in another form than the client, and the `scope` of what only its server
    /// understands, or empty.
    pub(super) fn new(
        output: RunOutput,
        from: usize,
        settings: &str,
        origin: &str,
        seed: u64,
    ) -> Result<RawForwarding, JsValue> {
        let given = parsed(origin);
        let back = given.get("names").map(Back::from_json).unwrap_or_default();
        let scope = given.text("scope").map(String::from);
        let origin = AnswerOrigin { back, scope, is_dropped: false };
        let options = ForwardOptions { read: options::read(settings, seed)?, origin };
        grow_ahead();
        Ok(RawForwarding {
            forwarding: Forwarding::new(source(from), options, output)?,
            ended: None,
        })
    }
}

#[wasm_bindgen]
impl RawForwarding {
    /// Reads the next bytes of the answer.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<u8> {
        self.forwarding.push(chunk);
        self.forwarding.output().take()
    }

    /// Ends the answer because its bytes have ended, or because it was cut off.
    pub fn finish(&mut self, is_cut_off: bool) -> Vec<u8> {
        match is_cut_off {
            true => self.forwarding.cut_off(),
            false => self.forwarding.finish(),
        }
        self.ended = self.forwarding.take();
        if let Some(ended) = &mut self.ended {
            ended.calls.retain(|passed| passed.is_main);
        }
        self.forwarding.output().take()
    }

    /// Writes the result of a call of the answer, by its place in the list of [`end`](Self::end).
    pub fn result(&mut self, call: usize, output: &str) -> Vec<u8> {
        let calls = self.ended.as_mut().map(|ended| &mut ended.calls);
        if let Some(passed) = calls.and_then(|calls| calls.get_mut(call)) {
            passed.is_answered = true;
            write_result(self.forwarding.output(), &passed.call.id, passed.kind, output);
        }
        self.forwarding.output().take()
    }

    /// Returns the number of the protocol of the answer; an unused number if it is not known, or
    /// for a protocol of JavaScript.
    pub fn source(&self) -> u32 {
        options::number(self.forwarding.protocol())
    }

    /// Returns how the answer has ended, as JSON: `status`, `reason`, `error`, `result`, `pending`
    /// and `usage` of its end, its `model`, its `text`, its `calls`, the number of its `questions`,
    /// and its `losses`.
    pub fn end(&self) -> String {
        self.ended.as_ref().map(json).unwrap_or_default()
    }
}

fn json(PassedEnd { end, model, text, calls, questions, losses }: &PassedEnd) -> String {
    let mut out = String::new();
    let mut object = ObjectWriter::open(&mut out, true);
    let RunEnd { status, error, reason, result, usage, .. } = end;
    object.string("status", Some(status.as_str()));
    object.string("reason", reason.as_deref());
    if let Some(error) = error {
        let mut members = ObjectWriter::open(object.member("error"), true);
        members.string("code", error.code.as_deref());
        members.string("message", Some(&error.message));
        members.close();
    }
    object.value("result", result.as_ref());
    object.value("pending", end.pending_list().as_ref());
    object.value("usage", usage.as_ref());
    object.string("model", model.as_deref());
    object.string("text", Some(text));
    write_list(calls, object.member("calls"), |passed, out| {
        let mut call = ObjectWriter::open(out, true);
        call.string("id", Some(&passed.call.id));
        call.string("name", Some(&passed.call.name));
        call.string("arguments", Some(&passed.call.arguments));
        call.bool("answered", Some(passed.is_answered));
        call.bool("waits", Some(passed.waits()));
        call.close();
    });
    object.integer("questions", Some((*questions).into()));
    object.member("losses").push_str(&losses.to_json());
    object.close();
    out
}
