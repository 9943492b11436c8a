//! Calls and their results.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::blocks::BlockKind;
use super::opaque::is_readable;
use super::{ToAnthropic, WireOutput};
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::Limits;
use crate::hub::{InputFormat, MessageKind, Step, ToolKind};
use crate::json::{Member, ObjectWriter, Value, read_any};
use crate::protocols::anthropic::carrier::AGENT;

/// The calls of the run.
#[derive(Debug)]
pub(super) struct CallBlocks {
    /// The tools that the client runs; `None` without a request.
    own: Option<StringMap<()>>,
    /// The calls that have ended and of which only the result or the end of the run shows who runs
    /// them.
    ended: Vec<usize>,
    list: Vec<WrittenCall>,
    /// Their positions by id, and those of calls whose arguments have not ended by message and part.
    by_id: StringMap<usize>,
    open: Numbers<usize>,
    /// What came before the calls and results that it belongs to.
    early: StringMap<OpaqueOfCall>,
    /// The last call, in the order of their starts, that has a block.
    latest: usize,
    results: StringMap<OpaqueOfCall>,
}

/// The opaque members of a call, or of its result.
#[derive(Debug, Default)]
pub(super) struct OpaqueOfCall {
    /// The whole block.
    pub block: Option<Value>,
    /// What is left of a block besides its content.
    pub more: Value,
    /// The JSON of the blocks that carry members of other protocols.
    pub carriers: Vec<String>,
}

/// A call, as far as it has been written.
#[derive(Debug)]
struct WrittenCall {
    id: String,
    name: String,
    kind: ToolKind,
    form: CallForm,
    /// The arguments that no block has.
    arguments: String,
    /// Whether its arguments are complete, when they have ended.
    whole: Option<bool>,
    opaque: OpaqueOfCall,
    result: Option<(String, bool)>,
}

/// The form of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallForm {
    /// The client runs the tool: the arguments are streamed as the input of this block.
    Client(usize),
    /// The server or the agent runs the tool: this block, which is written as a whole.
    Server(usize),
    /// The result shows that the agent runs the tool, and the end of the run that the client does.
    Unknown,
    Written,
}

impl CallBlocks {
    /// Creates the calls of a run whose client runs these tools.
    pub fn new(own: Option<StringMap<()>>) -> Self {
        CallBlocks {
            own,
            ended: Vec::new(),
            list: Vec::new(),
            by_id: StringMap::default(),
            open: Numbers::default(),
            early: StringMap::default(),
            latest: 0,
            results: StringMap::default(),
        }
    }

    fn is_of_client(&self, name: &str) -> bool {
        self.own.as_ref().is_some_and(|own| own.get(name).is_some())
    }

    /// Returns whether the client has to run a tool: the message stops for it.
    pub fn are_pending(&self) -> bool {
        let mut calls = self.list.iter();
        calls.any(|call| matches!(call.form, CallForm::Client(_)) && call.result.is_none())
    }

    /// Notes that a call has a block now: calls are in the order of these.
    fn placed(&mut self, at: usize, out: &mut WireOutput<'_>) {
        if at < self.latest {
            let reason = "calls of the agent are in the order of their results";
            out.lose("call-order", &self.list[at].id, reason);
        }
        self.latest = self.latest.max(at);
    }

    /// Returns the id of a call of the client whose arguments have not ended.
    pub fn cut_off(&self) -> Option<&str> {
        let is_open =
            |call: &WrittenCall| !matches!(call.form, CallForm::Server(_) | CallForm::Written);
        let mut calls = self.list.iter();
        Some(&calls.find(|call| is_open(call) && call.whole != Some(true))?.id)
    }

    /// Returns the place for opaque members of a call, or of its result; `None` if that was
    /// written.
    pub fn opaque_of(&mut self, id: &str, is_result: bool) -> Option<&mut OpaqueOfCall> {
        let known = self.by_id.get(id).map(|at| &mut self.list[*at]);
        match (is_result, known) {
            (true, Some(call)) if call.result.is_some() => None,
            (true, _) => Some(self.results.get_or_insert_default(id)),
            (false, None) => Some(self.early.get_or_insert_default(id)),
            (false, Some(call)) if call.form == CallForm::Written => None,
            (false, Some(call)) => Some(&mut call.opaque),
        }
    }
}

impl ToAnthropic {
    pub(super) fn call(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Call { message, part, id, name, input, .. } = *step else { return };
        let id = self.call_ids.of(id, out).to_owned();
        let kind = match out.kind(message) {
            MessageKind::Call(kind) => kind,
            _ => ToolKind::Function,
        };
        let opaque = self.calls.early.get_mut(&id).map(core::mem::take).unwrap_or_default();
        let (early, late) = if opaque.block.is_some() {
            (Vec::new(), opaque.carriers)
        } else {
            (opaque.carriers, Vec::new())
        };
        let opaque = OpaqueOfCall { carriers: late, ..opaque };
        for carrier in early {
            self.blocks.add_whole(carrier, &mut self.events, out);
        }
        let form = if kind != ToolKind::Function {
            CallForm::Server(self.blocks.add(BlockKind::Whole(None)))
        } else if input == InputFormat::Json && self.calls.is_of_client(name) {
            let start = tool_use(&id, name, &opaque.more);
            CallForm::Client(self.blocks.add(BlockKind::ToolUse(start)))
        } else {
            CallForm::Unknown
        };
        let at = self.calls.list.len();
        if form != CallForm::Unknown {
            self.calls.latest = at;
        }
        self.calls.by_id.insert(&id, at);
        self.calls.open.insert(pair(message, part), at);
        self.calls.list.push(WrittenCall {
            id,
            name: name.to_owned(),
            kind,
            form,
            arguments: String::new(),
            whole: None,
            opaque,
            result: None,
        });
    }

    /// Adds a piece of the arguments of a call. Those of the client are streamed if they are an
    /// object.
    pub(super) fn arguments(&mut self, at: u64, piece: &str, out: &mut WireOutput<'_>) {
        let Some(&at) = self.calls.open.get(at) else { return };
        let call = &mut self.calls.list[at];
        if let CallForm::Client(block) = call.form {
            let is_object = piece.trim_start().starts_with('{') && call.arguments.is_empty();
            if is_object || self.blocks.has_text(block) {
                return self.blocks.push_piece(block, piece, &mut self.events, out);
            }
            if piece.trim_start().is_empty() && call.arguments.is_empty() {
                return;
            }
        }
        call.arguments.push_str(piece);
    }

    /// Ends the arguments of a call. Returns false if the part is not a call.
    pub(super) fn end_call(&mut self, at: u64, whole: bool, out: &mut WireOutput<'_>) -> bool {
        let Some(at) = self.calls.open.remove(at) else { return false };
        let call = &mut self.calls.list[at];
        call.whole = Some(whole);
        match call.form {
            CallForm::Client(block) if whole => self.end_client_call(at, block, out),
            CallForm::Server(block) => {
                let json = self.calls.list[at].server_block(out);
                if whole {
                    self.blocks.set_whole(block, json);
                }
                let call = &mut self.calls.list[at];
                call.form = CallForm::Written;
                for carrier in core::mem::take(&mut call.opaque.carriers) {
                    self.blocks.add_after(block, carrier, &mut self.events, out);
                }
                self.blocks.end(block, &mut self.events, out);
                self.write_result(at, out);
            }
            CallForm::Unknown => {
                let has_result = call.result.is_some();
                self.calls.ended.push(at);
                if has_result {
                    self.agent_calls(at, out);
                }
            }
            // The end of the run shows what becomes of it.
            CallForm::Client(_) | CallForm::Written => {}
        }
        true
    }

    /// Ends the block of a call of the client. Arguments that are not JSON end the stream, because
    /// the client could not read them.
    fn end_client_call(&mut self, at: usize, block: usize, out: &mut WireOutput<'_>) {
        let call = &mut self.calls.list[at];
        let depth = Limits::default().json_depth;
        if !self.blocks.has_text(block) && !call.arguments.is_empty() {
            let input = object_of(&call.arguments, &call.id, out);
            self.blocks.replace_input(block, input);
        } else if read_any(self.blocks.input(block), depth).is_err() {
            let text = self.blocks.input(block).to_owned();
            let input = object_of(&text, &call.id, out);
            if !self.blocks.replace_input(block, input) {
                let message = "The arguments of a call are not JSON.";
                return self.fail("api_error", message, out);
            }
        }
        for carrier in core::mem::take(&mut self.calls.list[at].opaque.carriers) {
            self.blocks.add_after(block, carrier, &mut self.events, out);
        }
        self.blocks.end(block, &mut self.events, out);
    }

    /// Writes the result of a call, or its failure.
    pub(super) fn result(
        &mut self,
        id: &str,
        text: &str,
        is_error: bool,
        out: &mut WireOutput<'_>,
    ) {
        let id = self.call_ids.of(id, out).to_owned();
        let Some(&at) = self.calls.by_id.get(&id) else { return };
        let call = &mut self.calls.list[at];
        if let CallForm::Client(_) = call.form {
            return out.lose(
                "result-repeated",
                &id,
                "the client runs this tool: it has its own result",
            );
        }
        call.result = Some((text.to_owned(), is_error));
        match call.form {
            CallForm::Written => self.write_result(at, out),
            CallForm::Unknown if call.whole.is_some() => self.agent_calls(at, out),
            _ => {}
        }
    }

    /// Writes a call that the agent has run, and its result. If the tools of the client are known,
    /// the agent runs the others that have ended, too: parallel calls precede their results.
    fn agent_calls(&mut self, at: usize, out: &mut WireOutput<'_>) {
        let mut calls = Vec::from([at]);
        if self.calls.own.is_some() {
            calls = core::mem::take(&mut self.calls.ended);
            calls.sort_unstable();
        }
        for at in calls {
            if self.calls.list[at].form == CallForm::Unknown {
                self.agent_call(at, out);
            }
        }
        self.write_result(at, out);
    }

    fn agent_call(&mut self, at: usize, out: &mut WireOutput<'_>) {
        self.calls.placed(at, out);
        let call = &mut self.calls.list[at];
        let json = call.server_block(out);
        call.form = CallForm::Written;
        let carriers = core::mem::take(&mut call.opaque.carriers);
        for json in [json].into_iter().chain(carriers) {
            self.blocks.add_whole(json, &mut self.events, out);
        }
    }

    /// Writes the result of a call that was written.
    fn write_result(&mut self, at: usize, out: &mut WireOutput<'_>) {
        let call = &self.calls.list[at];
        let Some((text, is_error)) = &call.result else { return };
        let opaque = self.calls.results.get_mut(&call.id).map(core::mem::take).unwrap_or_default();
        let json = match opaque.block {
            Some(block) => block.to_json(),
            None => tool_result(&call.id, text, *is_error),
        };
        for json in [json].into_iter().chain(opaque.carriers) {
            self.blocks.add_whole(json, &mut self.events, out);
        }
    }

    /// Places the calls of which the agent has given no result: the client runs them. Calls that
    /// were cut off have no stop if the run has failed, and are left out if another one was.
    pub(super) fn end_calls(&mut self, has_failed: bool, out: &mut WireOutput<'_>) {
        let mut cut = None;
        for at in 0..self.calls.list.len() {
            let call = &mut self.calls.list[at];
            let whole = call.whole == Some(true);
            match call.form {
                CallForm::Unknown if whole => {
                    self.calls.placed(at, out);
                    let call = &mut self.calls.list[at];
                    let input = object_of(&call.arguments, &call.id, out);
                    let block = self.blocks.add(BlockKind::ToolUse(call.tool_use()));
                    call.form = CallForm::Client(block);
                    let carriers = core::mem::take(&mut call.opaque.carriers);
                    if input != "{}" {
                        self.blocks.push_piece(block, &input, &mut self.events, out);
                    }
                    for carrier in carriers {
                        self.blocks.add_after(block, carrier, &mut self.events, out);
                    }
                    self.blocks.end(block, &mut self.events, out);
                }
                CallForm::Client(block) if !whole => cut = Some(block),
                CallForm::Unknown if cut.is_none() => {
                    let block = self.blocks.add(BlockKind::ToolUse(call.tool_use()));
                    call.form = CallForm::Client(block);
                    let arguments = core::mem::take(&mut call.arguments);
                    self.blocks.push_piece(block, &arguments, &mut self.events, out);
                    cut = Some(block);
                }
                CallForm::Unknown => out.lose("call-cut-off", &call.id, CUT_OFF),
                _ => {}
            }
        }
        if let Some(block) = cut.filter(|_| has_failed) {
            self.blocks.cut(block, out);
        }
    }
}

const CUT_OFF: &str = "its arguments never ended: it is left out, or clients would run it";

impl WrittenCall {
    fn tool_use(&self) -> String {
        tool_use(&self.id, &self.name, &self.opaque.more)
    }

    /// Returns the JSON of a call that the client does not run.
    fn server_block(&self, out: &mut WireOutput<'_>) -> String {
        if let Some(block) = &self.opaque.block {
            return block.to_json();
        }
        if self.kind != ToolKind::Mcp {
            let reason = "a tool that the agent runs became one of an MCP server";
            out.lose("tool-family", &self.id, reason);
        }
        let input = object_of(&self.arguments, &self.id, out);
        let value = Value::parse(&input, Limits::default().json_depth).unwrap_or_default();
        let input = if is_readable(&value) { value } else { [(INPUT, input.into())].into() };
        let mut json = String::new();
        let mut block = ObjectWriter::open(&mut json, false);
        block.string("type", Some("mcp_tool_use"));
        block.string("id", Some(&self.id));
        block.string("name", Some(&self.name));
        block.string("server_name", Some(AGENT));
        block.value("input", Some(&input));
        block.close();
        json
    }
}

/// The member of an input that has arguments which are not an object.
const INPUT: &str = "input";

/// Returns the arguments of a call as a JSON object.
fn object_of(arguments: &str, id: &str, out: &mut WireOutput<'_>) -> String {
    let arguments = arguments.trim();
    let is_object = || {
        let read = read_any(arguments, Limits::default().json_depth);
        matches!(read, Ok(Some(document)) if document.root().object().is_ok())
    };
    match arguments {
        "" | "null" => "{}".into(),
        _ if is_object() => arguments.to_owned(),
        _ => {
            out.lose("call-input", id, "an input is an object: the arguments are a member of one");
            Value::from([(INPUT, arguments.into())]).to_json()
        }
    }
}

fn tool_use(id: &str, name: &str, more: &Value) -> String {
    let mut json = String::new();
    let mut block = ObjectWriter::open(&mut json, false);
    block.string("type", Some("tool_use"));
    block.string("id", Some(id));
    block.string("name", Some(name));
    block.value("input", Some(&Value::Object(Vec::new())));
    for Member { key, value } in more.members_without(&["type", "id", "name", "input"]) {
        block.value(&key, Some(&value));
    }
    block.close();
    json
}

fn tool_result(id: &str, text: &str, is_error: bool) -> String {
    let mut json = String::new();
    let mut block = ObjectWriter::open(&mut json, false);
    block.string("type", Some("mcp_tool_result"));
    block.string("tool_use_id", Some(id));
    block.bool("is_error", Some(is_error));
    let text = Value::from([("type", "text".into()), ("text", text.into())]);
    block.value("content", Some(&Value::Array([text].into())));
    block.close();
    json
}
