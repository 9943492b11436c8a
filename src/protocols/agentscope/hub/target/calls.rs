//! Tool calls, their results, and what they wait for. (M7, M8.)

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::super::events::Event;
use super::super::METADATA;
use super::{ToAgentScope, WireOutput, is_readable, object};
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::PieceTemplate;
use crate::hub::approval::{OpenQuestions, is_without_tool, question_with_text};
use crate::hub::{CallIds, MessageKind, RunEnd, Step, ToolKind};
use crate::json::{Value, decimal};

/// The calls that were started.
#[derive(Debug, Default)]
pub(super) struct WrittenCalls {
    ids: CallIds,
    all: Vec<WrittenCall>,
    by_id: StringMap<usize>,
    /// The places of the calls, by message and part.
    places: Numbers<usize>,
    /// The calls of the open questions.
    questions: OpenQuestions<usize>,
    template: Option<(usize, PieceTemplate)>,
    /// Calls wait for the client.
    waits: bool,
}

#[derive(Debug)]
struct WrittenCall {
    id: String,
    name: String,
    input: String,
    /// The client runs it.
    is_clients: bool,
    /// The input is complete.
    ended: bool,
    has_result: bool,
    is_asked: bool,
    /// The rules that the user can accept.
    rules: Option<Value>,
}

impl WrittenCalls {
    pub fn forget_template(&mut self) {
        self.template = None;
    }

    /// Whether the reply waits: for answers, or for the client.
    pub fn waits(&self) -> bool {
        self.waits || self.all.iter().any(|call| call.is_asked)
    }
}

impl WrittenCall {
    /// Returns the call as a block of an event.
    fn block(&self, state: &str) -> Value {
        let mut block = object(|block| {
            block.string("type", Some("tool_call"));
            block.string("id", Some(&self.id));
            block.string("name", Some(&self.name));
            block.string("input", Some(&self.input));
            block.string("state", Some(state));
        });
        block.insert("suggested_rules", self.rules.clone().unwrap_or(Value::Array(Vec::new())));
        block
    }
}

impl ToAgentScope {
    /// Returns the members that most events have.
    fn stamp(&mut self) -> (String, String) {
        (self.event_id(), self.now())
    }

    pub(super) fn call(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Call { message, part, id, name, more, .. } = *step else { return };
        for member in more {
            out.lose("call-members", &member.key, "calls have an id, a name and an input");
        }
        let is_clients = !matches!(
            out.kind(message),
            MessageKind::Call(ToolKind::Plugin | ToolKind::Component | ToolKind::Mcp)
        );
        let id = self.calls.ids.of(id, out).to_owned();
        let is_taken = self.calls.by_id.get(&id).is_some();
        let own = is_taken.then(|| {
            out.lose("call-id", &id, "a question has this id: the call got another one");
            self.number += 1;
            [&id, "_", &*decimal(self.number)].concat()
        });
        let at = self.start_call(own.as_ref().unwrap_or(&id), name, is_clients, out);
        // The source means the call from here on.
        self.calls.by_id.insert(&id, at);
        self.calls.places.insert(pair(message, part), at);
    }

    fn start_call(
        &mut self,
        id: &str,
        name: &str,
        is_clients: bool,
        out: &mut WireOutput<'_>,
    ) -> usize {
        let (event_id, time) = self.stamp();
        out.emit(
            Event::ToolCallStart {
                reply_id: (&*self.reply).into(),
                tool_call_id: id.into(),
                tool_call_name: name.into(),
                id: Some(event_id.into()),
                created_at: Some(time.into()),
                metadata: None,
            }
            .to_wire(),
        );
        let at = self.calls.all.len();
        self.calls.by_id.insert(id, at);
        self.calls.all.push(WrittenCall {
            id: id.to_owned(),
            name: name.to_owned(),
            input: String::new(),
            is_clients,
            ended: false,
            has_result: false,
            is_asked: false,
            rules: None,
        });
        at
    }

    pub(super) fn arguments(
        &mut self,
        (message, part): (u32, u32),
        piece: &str,
        out: &mut WireOutput<'_>,
    ) {
        if let Some(at) = self.calls.places.get(pair(message, part)).copied() {
            self.add_input(at, piece, out);
        }
    }

    fn add_input(&mut self, at: usize, piece: &str, out: &mut WireOutput<'_>) {
        let call = &mut self.calls.all[at];
        if call.ended {
            return;
        }
        call.input.push_str(piece);
        if let Some((last, template)) = &self.calls.template
            && *last == at
        {
            return out.emit(template.event(None, piece));
        }
        let event = Event::ToolCallDelta {
            reply_id: (&*self.reply).into(),
            tool_call_id: (&*call.id).into(),
            delta: "".into(),
            id: None,
            created_at: None,
            metadata: None,
        };
        let template = PieceTemplate::new(&event.to_wire(), None);
        out.emit(template.event(None, piece));
        self.calls.template = Some((at, template));
    }

    /// Ends the input of the call of a part.
    pub(super) fn end_input(&mut self, place: u64, out: &mut WireOutput<'_>) {
        if let Some(at) = self.calls.places.get(place).copied() {
            self.end_call(at, out);
        }
    }

    /// Ends the calls whose input was cut off.
    pub(super) fn end_open_calls(&mut self, out: &mut WireOutput<'_>) {
        for at in 0..self.calls.all.len() {
            self.end_call(at, out);
        }
    }

    fn end_call(&mut self, at: usize, out: &mut WireOutput<'_>) {
        self.calls.forget_template();
        if core::mem::replace(&mut self.calls.all[at].ended, true) {
            return;
        }
        let (event_id, time) = self.stamp();
        out.emit(
            Event::ToolCallEnd {
                reply_id: (&*self.reply).into(),
                tool_call_id: (&*self.calls.all[at].id).into(),
                id: Some(event_id.into()),
                created_at: Some(time.into()),
                metadata: None,
            }
            .to_wire(),
        );
    }

    /// Returns the place of a call by its id at the source.
    fn called(&mut self, id: &str, out: &mut WireOutput<'_>) -> Option<usize> {
        let id = self.calls.ids.of(id, out).to_owned();
        self.calls.by_id.get(&id).copied()
    }

    pub(super) fn result(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Result { id, output, content, preview, more, .. } = *step else { return };
        if preview {
            return;
        }
        let Some(at) = self.called(id, out) else { return };
        let mut metadata = None;
        for member in more {
            if member.key == METADATA && is_readable(&member.value) {
                metadata = Some(member.value.clone());
            } else {
                out.lose("call-members", &member.key, "results have an output and metadata");
            }
        }
        let blocks = content.map(Value::items).unwrap_or_default();
        let is_own = !blocks.is_empty()
            && blocks.iter().all(|block| match block.text("type") {
                Some("text") => block.text("text").is_some(),
                Some("data") => {
                    let member =
                        |name: &str| block.get("source").and_then(|source| source.text(name));
                    member("media_type").is_some()
                        && member("data").is_some() != member("url").is_some()
                }
                _ => false,
            });
        if content.is_some() && !is_own {
            out.lose("result-parts", id, "results have texts and media: the text stays");
        }
        self.start_result(at, out);
        if is_own {
            for block in blocks {
                match block.text("text") {
                    Some(text) => self.result_text(at, text, out),
                    None => self.result_data(at, block, out),
                }
            }
        } else {
            self.result_text(at, output, out);
        }
        self.end_result(at, "success", metadata, out);
    }

    pub(super) fn tool_error(
        &mut self,
        id: &str,
        cause: Option<&str>,
        text: &str,
        out: &mut WireOutput<'_>,
    ) {
        let Some(at) = self.called(id, out) else { return };
        self.start_result(at, out);
        self.result_text(at, text, out);
        self.end_result(at, if cause == Some("denied") { "denied" } else { "error" }, None, out);
    }

    fn start_result(&mut self, at: usize, out: &mut WireOutput<'_>) {
        self.end_call(at, out);
        let (event_id, time) = self.stamp();
        let call = &mut self.calls.all[at];
        (call.has_result, call.is_asked) = (true, false);
        out.emit(
            Event::ToolResultStart {
                reply_id: (&*self.reply).into(),
                tool_call_id: (&*call.id).into(),
                tool_call_name: (&*call.name).into(),
                id: Some(event_id.into()),
                created_at: Some(time.into()),
                metadata: None,
            }
            .to_wire(),
        );
    }

    fn result_text(&mut self, at: usize, text: &str, out: &mut WireOutput<'_>) {
        out.emit(
            Event::ToolResultTextDelta {
                reply_id: (&*self.reply).into(),
                tool_call_id: (&*self.calls.all[at].id).into(),
                delta: text.into(),
                id: None,
                created_at: None,
                metadata: None,
            }
            .to_wire(),
        );
    }

    fn result_data(&mut self, at: usize, block: &Value, out: &mut WireOutput<'_>) {
        let member = |name: &str| block.get("source").and_then(|source| source.text(name));
        let id = block.text("id").filter(|id| !id.is_empty()).map(ToOwned::to_owned);
        let block_id = id.unwrap_or_else(|| self.options.ids.next_id("block_"));
        out.emit(
            Event::ToolResultDataDelta {
                reply_id: (&*self.reply).into(),
                tool_call_id: (&*self.calls.all[at].id).into(),
                block_id: Some(block_id.into()),
                media_type: member("media_type").unwrap_or_default().into(),
                data: member("data").map(Into::into),
                url: member("url").map(Into::into),
                id: None,
                created_at: None,
                metadata: None,
            }
            .to_wire(),
        );
    }

    fn end_result(
        &mut self,
        at: usize,
        state: &str,
        metadata: Option<Value>,
        out: &mut WireOutput<'_>,
    ) {
        let (event_id, time) = self.stamp();
        out.emit(
            Event::ToolResultEnd {
                reply_id: (&*self.reply).into(),
                tool_call_id: (&*self.calls.all[at].id).into(),
                state: state.into(),
                id: Some(event_id.into()),
                created_at: Some(time.into()),
                metadata,
            }
            .to_wire(),
        );
    }

    /// Writes a question: a call that waits for the user. One that is not about a call becomes a
    /// call.
    pub(super) fn ask(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Interrupt {
            id, reason, payload, call, text, expires_at, response_schema, ..
        } = *step
        else {
            return;
        };
        // A question with the id of a call is about this call.
        let same = Some(id).filter(|id| self.calls.by_id.get(id).is_some());
        let known = call.or(same).and_then(|call| self.called(call, out));
        let at = known.unwrap_or_else(|| {
            out.lose("call-missing", id, "a question is about a call: one was inserted");
            let ([name, arguments, _], _) = question_with_text(payload, text);
            let own = Some(id.to_owned())
                .filter(|id| !id.is_empty() && self.calls.by_id.get(id).is_none());
            let call = own.unwrap_or_else(|| {
                self.number += 1;
                ["question_", &decimal(self.number)].concat()
            });
            let call = self.calls.ids.of(&call, out).to_owned();
            let at = self.start_call(&call, &name, true, out);
            self.add_input(at, &arguments, out);
            at
        });
        let is_own = {
            let call = &self.calls.all[at];
            let is_call = payload.text("name") == Some(&*call.name);
            known.is_none()
                || (is_call || is_without_tool(payload) && payload.is_null())
                    && text.is_none()
                    && call.id == id
        };
        if !is_own || reason.or(expires_at).is_some() || response_schema.is_some() {
            out.lose(
                "interrupt-members",
                id,
                "a question is its call and the rules that the user can accept",
            );
        }
        self.end_call(at, out);
        let rules = payload.get("suggested_rules").filter(|rules| is_readable(rules)).cloned();
        let call = &mut self.calls.all[at];
        (call.is_asked, call.rules) = (true, rules);
        let tool_calls = Value::Array([call.block("asking")].into());
        let (event_id, time) = self.stamp();
        out.emit(
            Event::RequireUserConfirm {
                reply_id: (&*self.reply).into(),
                tool_calls,
                id: Some(event_id.into()),
                created_at: Some(time.into()),
                metadata: None,
            }
            .to_wire(),
        );
        self.calls.questions.push(id, at);
    }

    /// Writes the answer to a question that was asked in this run.
    pub(super) fn answer(
        &mut self,
        id: &str,
        approved: Option<bool>,
        reason: Option<&str>,
        out: &mut WireOutput<'_>,
    ) {
        if let Some(reason) = reason {
            out.lose("approval", reason, "answers are yes or no");
        }
        for at in self.calls.questions.take(id) {
            let call = &mut self.calls.all[at];
            call.is_asked = false;
            let confirmed = approved == Some(true);
            // A call that was declined does not wait for a result.
            call.has_result |= !confirmed;
            let block = call.block(if confirmed { "allowed" } else { "finished" });
            let result = Value::from([("confirmed", confirmed.into()), ("tool_call", block)]);
            let (event_id, time) = self.stamp();
            out.emit(
                Event::UserConfirmResult {
                    reply_id: (&*self.reply).into(),
                    confirm_results: Value::Array([result].into()),
                    id: Some(event_id.into()),
                    created_at: Some(time.into()),
                    metadata: None,
                }
                .to_wire(),
            );
        }
    }

    /// Writes which calls wait for the client to execute them, at the end of a run that may wait.
    pub(super) fn end_calls(&mut self, end: &RunEnd, out: &mut WireOutput<'_>) {
        self.calls.forget_template();
        if !end.may_ask() {
            return;
        }
        let waits = |call: &&WrittenCall| {
            let is_listed = end.pending.is_empty() || end.pending.contains(&call.id);
            call.is_clients && call.ended && !call.has_result && !call.is_asked && is_listed
        };
        let waiting: Vec<Value> =
            self.calls.all.iter().filter(waits).map(|call| call.block("submitted")).collect();
        if waiting.is_empty() {
            return;
        }
        self.calls.waits = true;
        let (event_id, time) = self.stamp();
        out.emit(
            Event::RequireExternalExecution {
                reply_id: (&*self.reply).into(),
                tool_calls: Value::Array(waiting),
                id: Some(event_id.into()),
                created_at: Some(time.into()),
                metadata: None,
            }
            .to_wire(),
        );
    }
}
