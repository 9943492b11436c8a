//! From the hub to AgentScope.
//!
//! All messages become blocks of one reply. A reply whose calls wait for the user or for the client
//! does not end. (M8.)

mod blocks;
mod calls;
mod end;

use alloc::borrow::ToOwned;
use alloc::string::String;

use self::blocks::WrittenBlocks;
use self::calls::WrittenCalls;
use super::usage::{self, Tokens};
use super::{HINT, MODEL_NAME};
use crate::core::id::iso8601;
use crate::core::{FreeJsonCheck, Limits, WireEvent};
use crate::hub::ids::can_repeat;
use crate::hub::{
    FromHub, LossChecker, Note, ProtocolName as _, RunEnd, Step, UnsupportedSteps, WriteOptions,
};
use crate::json::{ObjectWriter, Value};
use crate::protocols::agentscope::AgentScope;
use crate::protocols::agentscope::events::Event;

pub(super) type WireOutput<'o> = crate::hub::EventOutput<'o, WireEvent>;

/// The steps that AgentScope cannot represent.
const UNSUPPORTED: UnsupportedSteps = &[
    ("activity", NO_EVENT),
    ("alternative", "a reply is one answer: this one became part of it"),
    ("annotation", "texts of AgentScope have no citations"),
    ("arguments-replaced", "the input of a call only grows"),
    ("call-input", "the input of a call is JSON text, and this is plain text"),
    ("error-message", "AgentScope has errors of replies only"),
    ("interrupt-members", "a question is its call and the rules that the user can accept"),
    (
        "lane",
        "AgentScope's subagents have sessions of their own: the output of this one became the reply's",
    ),
    ("messages", NO_EVENT),
    ("message-status", "blocks have no status"),
    ("opaque", "AgentScope's servers keep the state of the model"),
    ("output", "a result is written whole"),
    ("part-dropped", "replies only grow"),
    ("preview", "a call has one result"),
    ("progress", "AgentScope has progress of MCP tools only, in another form"),
    ("refusal", "AgentScope has no refusals: it became text"),
    ("role", "a reply is a message of the agent"),
    ("run-result", "the result of a reply is its text"),
    ("state", NO_EVENT),
    ("status", NO_EVENT),
    ("tool-family", "AgentScope has one kind of tools"),
    ("after-end", "a stream is one reply"),
];

const NO_EVENT: &str = "AgentScope has no event for it";
const NAMES: &str = "only the agent has a name";
const METADATA: &str = "only replies and results have metadata";
const UNREADABLE: &str = "AgentScope's readers could not have read it";

/// The name of the agent if neither the options nor the source have one.
const AGENT: &str = "agent";

/// Writes AgentScope: the target of a conversion. Heartbeats are comments.
#[derive(Debug)]
pub struct ToAgentScope {
    options: WriteOptions,
    losses: LossChecker,
    /// The members of the start, until it is written.
    begins: Option<Beginning>,
    reply: String,
    session: String,
    name: String,
    model: String,
    /// The number of the next id.
    number: i64,
    blocks: WrittenBlocks,
    calls: WrittenCalls,
    /// A call of the model has started, and its end was not written.
    in_model_call: bool,
    /// The tokens that were used, and those that were written.
    used: Tokens,
    written: Tokens,
    metadata: Value,
}

#[derive(Debug)]
struct Beginning {
    created_at: Option<i64>,
}

impl ToAgentScope {
    /// Creates a target at the start of a stream. The option `echo` has the `name` of the agent.
    /// Ids that the options do not have are taken from the source, if it has them.
    pub fn new(options: WriteOptions) -> Self {
        ToAgentScope {
            options,
            losses: LossChecker::default(),
            begins: None,
            reply: String::new(),
            session: String::new(),
            name: String::new(),
            model: String::new(),
            number: 0,
            blocks: WrittenBlocks::default(),
            calls: WrittenCalls::default(),
            in_model_call: false,
            used: Tokens::default(),
            written: Tokens::default(),
            metadata: Value::Null,
        }
    }

    pub(super) fn can_write_pieces(&self) -> bool {
        self.blocks.latest().is_some()
    }

    pub(super) fn write_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        if let Some(template) = self.blocks.latest() {
            template.append(None, (text, ends), out);
        }
    }

    /// Keeps the members of the start: the name of the agent comes with the first message.
    fn begin(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Start { id, session_id, parent_id, model, created_at } = *step else { return };
        if let Some(parent) = parent_id {
            out.lose("run-ids", parent, "replies have no parents");
        }
        let given = self.options.run_id.take();
        let id = given.or_else(|| id.filter(|id| can_repeat(id)).map(ToOwned::to_owned));
        self.reply = id.unwrap_or_else(|| self.options.ids.next_id("reply_"));
        let given = self.options.session_id.take();
        let session = given.or_else(|| session_id.map(ToOwned::to_owned));
        self.session = session.unwrap_or_else(|| self.options.ids.next_id("session_"));
        if let Some(model) = model {
            out.lose("run-ids", model, "the model is the name of its calls");
        }
        self.model = model.unwrap_or_default().into();
        self.begins = Some(Beginning { created_at });
    }

    /// Writes the start of the reply, before any other event.
    fn start(&mut self, name: Option<&str>, out: &mut WireOutput<'_>) {
        let Some(Beginning { created_at }) = self.begins.take() else { return };
        let own = self.options.echo.text("name").map(ToOwned::to_owned);
        self.name = own.or_else(|| name.map(ToOwned::to_owned)).unwrap_or_else(|| AGENT.into());
        let time = created_at.unwrap_or_else(|| (self.options.clock)());
        let id = self.event_id();
        out.emit(
            Event::ReplyStart {
                reply_id: (&*self.reply).into(),
                session_id: (&*self.session).into(),
                name: (&*self.name).into(),
                role: Some("assistant".into()),
                id: Some(id.into()),
                created_at: Some(iso8601(time).into()),
                metadata: None,
            }
            .to_wire(),
        );
    }

    /// Returns the id of an event.
    fn event_id(&mut self) -> String {
        self.options.ids.next_id("event_")
    }

    /// Returns the time of an event.
    fn now(&self) -> String {
        iso8601((self.options.clock)())
    }

    /// Writes a call of the model, with the tokens that were used since the last one. (M9.)
    fn end_model_call(&mut self, out: &mut WireOutput<'_>) {
        if !core::mem::take(&mut self.in_model_call) {
            return;
        }
        let mut tokens = self.used;
        tokens.iter_mut().zip(self.written).for_each(|(used, before)| *used -= before);
        self.written = self.used;
        let [input_tokens, output_tokens, cache_input, cache_creation] =
            tokens.map(|count| count.max(0));
        let (id, time) = (self.event_id(), self.now());
        out.emit(
            Event::ModelCallEnd {
                reply_id: (&*self.reply).into(),
                input_tokens,
                output_tokens,
                cache_input_tokens: Some(cache_input),
                cache_creation_input_tokens: Some(cache_creation),
                finished_reason: Some("completed".into()),
                id: Some(id.into()),
                created_at: Some(time.into()),
                metadata: None,
            }
            .to_wire(),
        );
    }

    /// Writes the start of a call of the model, whose name may be unknown.
    fn start_model_call(&mut self, name: Option<&str>, otherwise: &str, out: &mut WireOutput<'_>) {
        self.end_model_call(out);
        let own = Some(&*self.model).filter(|model| !model.is_empty());
        let model_name = name.or(own).unwrap_or(otherwise).to_owned();
        let (id, time) = (self.event_id(), self.now());
        out.emit(
            Event::ModelCallStart {
                reply_id: (&*self.reply).into(),
                model_name: model_name.into(),
                id: Some(id.into()),
                created_at: Some(time.into()),
                metadata: None,
            }
            .to_wire(),
        );
        self.in_model_call = true;
    }

    /// Writes an event of the service.
    fn custom(&mut self, name: &str, value: Value, out: &mut WireOutput<'_>) {
        if !is_readable(&value) {
            return out.lose("refused", name, UNREADABLE);
        }
        let value = if let Value::Object(_) = value {
            value
        } else {
            out.lose("custom", name, "values are objects: this one became the member `value`");
            Value::from([("value", value)])
        };
        let (id, time) = (self.event_id(), self.now());
        let (id, created_at) = (Some(id.into()), Some(time.into()));
        let name = name.into();
        out.emit(
            Event::Custom { name, value: Some(value), id, created_at, metadata: None }.to_wire(),
        );
    }

    fn hint(&mut self, hint: &Value, out: &mut WireOutput<'_>) -> bool {
        let content = hint.get("hint");
        let Some(content @ (Value::String(_) | Value::Array(_))) = content else { return false };
        if !is_readable(content) {
            return false;
        }
        let block = hint.text("id").filter(|id| can_repeat(id)).map(ToOwned::to_owned);
        let block = block.unwrap_or_else(|| self.options.ids.next_id("block_"));
        let (id, time) = (self.event_id(), self.now());
        out.emit(
            Event::HintBlock {
                reply_id: (&*self.reply).into(),
                block_id: block.into(),
                source: hint.text("source").map(Into::into),
                hint: content.clone(),
                id: Some(id.into()),
                created_at: Some(time.into()),
                metadata: None,
            }
            .to_wire(),
        );
        true
    }

    fn use_tokens(&mut self, usage: &Value, out: &mut WireOutput<'_>) {
        self.used = usage::from_hub(usage);
        let has_total = usage.get("total_tokens").and_then(Value::integer::<i64>);
        if has_total.is_some_and(|total| total != self.used[0].saturating_add(self.used[1])) {
            out.lose("usage", "total_tokens", "the total is that of input and output");
        }
        for name in ["reasoning_tokens", "output_tokens_details", "models"] {
            if usage.get(name).is_some_and(|value| !is_zero(value)) {
                out.lose("usage", name, "AgentScope counts input, output and cached tokens");
            }
        }
    }

    fn note(&mut self, note: &Note<'_>, out: &mut WireOutput<'_>) {
        match *note {
            Note::Usage { usage, message: None } => self.use_tokens(usage, out),
            Note::Usage { .. } => out.lose("usage", "", "only replies count tokens"),
            Note::Metadata { value, message: None, call: None } => {
                if is_readable(value) {
                    let members = value.members();
                    members
                        .iter()
                        .for_each(|member| self.metadata.insert(&member.key, member.value.clone()));
                } else {
                    out.lose("refused", "", UNREADABLE);
                }
            }
            Note::Metadata { message, call, .. } => {
                let place = message.map_or("", |message| out.place(message));
                out.lose("metadata", call.unwrap_or(place), METADATA);
            }
            Note::Replace { message, part, text, call: None } => {
                self.replace_text((message, part), text, out);
            }
            Note::ToolError { id, cause, text } => self.tool_error(id, cause, text, out),
            Note::StepStart { kind: Some("reasoning"), name: Some(name), .. } => {
                out.lose("step", name, "reasoning has no title");
            }
            Note::StepStart { kind: Some("reasoning"), .. } => {}
            Note::StepEnd { kind: Some("reasoning"), .. } => {}
            Note::StepStart { name, .. } => self.start_model_call(name, MODEL_NAME, out),
            // The tokens can follow.
            Note::StepEnd { .. } if self.used == self.written => {}
            Note::StepEnd { .. } => self.end_model_call(out),
            Note::Custom { name: HINT, value } if self.hint(value, out) => {}
            Note::Custom { name, value } => self.custom(name, value.clone(), out),
            Note::Passthrough { protocol: AgentScope::NAME, name, data } => {
                let event = Event::decode(data, Limits::default().json_depth);
                if matches!(event, Ok(Event::Other { .. })) {
                    out.emit(WireEvent::raw(data));
                } else {
                    out.lose("unknown-event", name, "it is not an event of AgentScope");
                }
            }
            Note::Passthrough { name, .. } => out.lose("unknown-event", name, NO_EVENT),
            _ => {}
        }
    }
}

/// Whether free JSON can be a member of an object in an event.
pub(super) fn is_readable(value: &Value) -> bool {
    let deepest = Limits::default().json_depth - 4;
    FreeJsonCheck { deepest, call: "" }.value(value, deepest).is_ok()
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.iter().all(|member| member.key == "cached_tokens" || is_zero(&member.value))
        }
        Value::Array(items) => items.is_empty(),
        other => other.is_null() || other.integer::<i64>() == Some(0),
    }
}

/// Returns an object with a text.
pub(super) fn object(write: impl FnOnce(&mut ObjectWriter<'_>)) -> Value {
    let mut json = String::new();
    let mut object = ObjectWriter::open(&mut json, true);
    write(&mut object);
    object.close();
    Value::parse(&json, Limits::DEEPEST).unwrap_or_default()
}

impl FromHub for ToAgentScope {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        if !matches!(step, Step::Note(Note::Passthrough { .. })) {
            self.losses.check(UNSUPPORTED, step, out);
        }
        if !out.meta().metadata.is_empty() {
            out.lose("metadata", "", METADATA);
        }
        match *step {
            Step::Start { .. } => return self.begin(step, out),
            Step::Open { name, .. } => {
                self.start(name, out);
                if name.is_some_and(|name| name != self.name) {
                    out.lose("message-members", name.unwrap_or(""), NAMES);
                }
            }
            Step::Heartbeat | Step::Note(Note::Passthrough { .. } | Note::Metadata { .. }) => {}
            _ => self.start(None, out),
        }
        match *step {
            Step::Text { message, part, piece } | Step::Refusal { message, part, piece } => {
                return self.piece((message, part), false, piece, out);
            }
            Step::Reasoning { message, part, piece, .. } => {
                return self.piece((message, part), true, piece, out);
            }
            Step::Heartbeat => return,
            _ => self.blocks.forget_latest(),
        }
        match *step {
            Step::Open { message, id, parent, .. } => {
                if let Some(parent) = parent {
                    out.lose("message-members", parent, "blocks have no parents");
                }
                self.blocks.open(message, id, out);
            }
            Step::Call { .. } => self.call(step, out),
            Step::Arguments { message, part, piece } => self.arguments((message, part), piece, out),
            Step::Result { .. } => self.result(step, out),
            Step::Interrupt { .. } => self.ask(step, out),
            Step::Answer { id, approved, reason, .. } => self.answer(id, approved, reason, out),
            Step::Whole { message, part, payload, preview } => {
                if !preview {
                    self.whole((message, part), payload, out);
                } else if payload.name() != "data" {
                    out.lose("preview", out.place(message), "a later one replaces it");
                }
            }
            Step::Media { message, part, kind, piece, media_type } => {
                self.media((message, part), (kind, media_type), piece, out);
            }
            Step::EndPart { message, part, whole } => self.end_part((message, part), whole, out),
            Step::Close { message, end } => {
                let place = out.message(message).map_or("", |message| &message.place);
                if end.metadata.is_some() {
                    out.lose("metadata", place, METADATA);
                }
                if end.usage.is_some() {
                    out.lose("usage", place, "only replies count tokens");
                }
            }
            Step::Note(ref note) => self.note(note, out),
            Step::End(end) => self.end(end, out),
            _ => {}
        }
    }
}

impl ToAgentScope {
    fn end(&mut self, end: &RunEnd, out: &mut WireOutput<'_>) {
        if let Some(usage) = &end.usage {
            self.use_tokens(usage, out);
        }
        self.end_calls(end, out);
        if self.used != self.written && !self.in_model_call {
            self.start_model_call(None, "", out);
        }
        self.end_model_call(out);
        self.finish(end, out);
    }
}
