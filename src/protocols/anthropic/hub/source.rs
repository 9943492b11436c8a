//! From Anthropic Messages to the hub.
//!
//! The engine reads the stream, and its changes become steps. Text blocks that follow each other
//! are the parts of one message; each other block is a message of its own. Members of a block that
//! only the next request needs are opaque; a block that no other provider has is opaque as a whole.

use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::declare::model::member::DeclaredMember as _;
use crate::core::{EndReason, Opening};
use crate::engine::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::hub::conversation::Sealed;
use crate::hub::{
    EndStatus, FoldSource, GrowingMessage, Hub, KeptMembers, MessageKind, MessagePhase, ModelRun,
    Note, OpaquePlace, RunEnd, Step, StepSink, StepSource, ToolKind, json_of, put_member,
};
use crate::json::{Digits, Element, Member, Raw, Value, add};
use crate::protocols::anthropic::carrier::{AGENT, UNINDEXED, UNSIGNED};
use crate::protocols::anthropic::model::{
    AnthropicMcpToolUse, AnthropicRedactedThinking, AnthropicServerToolUse, AnthropicText,
    AnthropicThinking, AnthropicToolUse,
};
use crate::protocols::anthropic::{Block, MODEL, Snapshot, Status};

/// Reads Anthropic Messages: the source of a conversion.
pub type FromAnthropic = FoldSource;

/// The state of the message, and of its emitted content.
#[derive(Debug, Default)]
pub struct AnthropicSource {
    run: ModelRun,
    status: Status,
    stop_reason: String,
    stop_sequence: Value,
    blocks: Vec<BlockState>,
    /// The block that the event has started.
    new: Option<usize>,
    /// The blocks with members of the next text.
    ahead: Vec<usize>,
    /// The message of the last text blocks.
    texts: GrowingMessage<(), TextBlocks>,
    /// The messages of earlier text blocks of which parts are open, with the number of those.
    open_texts: Numbers<u32>,
    /// The calls that an agent has run itself: the writer of this protocol has made their blocks.
    of_agent: StringMap<()>,
}

/// The text blocks of a message that is growing.
#[derive(Debug, Default)]
struct TextBlocks {
    count: u32,
    /// The number of blocks that have not ended.
    open: u32,
}

#[derive(Debug)]
struct BlockState {
    kind: ObjectKind,
    /// The type of a block that is not declared.
    name: String,
    /// How far it has been emitted. The message of a text is that of other texts, too.
    phase: MessagePhase,
    part: u32,
    has_pieces: bool,
    members: KeptMembers,
    /// The citations of a text.
    citations: Vec<Value>,
    /// It is the call or the result of a tool that an agent has run itself.
    is_of_agent: bool,
}

impl BlockState {
    fn new(kind: ObjectKind) -> Self {
        BlockState {
            kind,
            name: String::new(),
            phase: MessagePhase::Waiting,
            part: 0,
            has_pieces: false,
            members: KeptMembers::default(),
            citations: Vec::new(),
            is_of_agent: false,
        }
    }

    /// Returns the tool of a call or of a result.
    fn tool(&self) -> Option<(ToolKind, bool)> {
        match self.kind {
            AnthropicToolUse::KIND => Some((ToolKind::Function, true)),
            AnthropicServerToolUse::KIND => Some((ToolKind::Plugin, true)),
            AnthropicMcpToolUse::KIND => Some((ToolKind::Mcp, true)),
            _ if self.name == "mcp_tool_result" => Some((ToolKind::Mcp, false)),
            _ if self.name.ends_with("tool_result") => Some((ToolKind::Plugin, false)),
            _ => None,
        }
    }

    /// Whether the server expects the whole block back: others have nothing like it.
    fn is_own(&self) -> bool {
        !matches!(self.kind, AnthropicText::KIND | AnthropicThinking::KIND | AnthropicToolUse::KIND)
            && !self.is_of_agent
    }

    /// Returns the string that carries members of another server.
    fn carrier(&self) -> &str {
        match self.kind {
            AnthropicThinking::KIND => self.members.word(AnthropicThinking::signature),
            AnthropicRedactedThinking::KIND => self.members.word(AnthropicRedactedThinking::data),
            _ => "",
        }
    }

    /// Returns the members of the block that only the next request needs: all of them, or those
    /// apart from its content.
    fn opaque(&self) -> Value {
        let mut members = Vec::new();
        let mut add = |name, value: &Value| members.push(Member::new(name, value.clone()));
        if self.is_own() {
            add("type", &self.type_name().into());
        }
        match self.kind {
            AnthropicText::KIND => {
                let is_own =
                    |citation: &&Value| citation.text("encrypted_index") != Some(UNINDEXED);
                let own: Vec<Value> = self.citations.iter().filter(is_own).cloned().collect();
                if !own.is_empty() {
                    add("citations", &Value::Array(own));
                }
            }
            AnthropicThinking::KIND => {
                if let Some(signature) = self.members.get(AnthropicThinking::signature)
                    && !matches!(signature.as_str(), Some("" | UNSIGNED))
                {
                    add("signature", signature);
                }
            }
            _ if self.is_own() => {
                for (key, value) in self.members.declared() {
                    if let Some(name) = MODEL.key(key) {
                        add(name, value);
                    }
                }
            }
            _ => {}
        }
        if self.is_of_agent {
            return Value::Null;
        }
        // A call of the model itself, as usual.
        let is_usual = |member: &&Member| {
            self.kind == AnthropicToolUse::KIND
                && member.key == "caller"
                && member.value.text("type") == Some("direct")
        };
        let undeclared = self.members.undeclared.iter();
        members.extend(undeclared.filter(|member| !is_usual(member)).cloned());
        Value::Object(members)
    }

    fn type_name(&self) -> &str {
        match self.kind {
            AnthropicRedactedThinking::KIND => "redacted_thinking",
            AnthropicServerToolUse::KIND => "server_tool_use",
            AnthropicMcpToolUse::KIND => "mcp_tool_use",
            _ => &self.name,
        }
    }
}

impl AnthropicSource {
    /// Ends the growing message of text blocks: the next one begins another message.
    fn end_texts(&mut self, hub: &mut Hub<'_>) {
        if let Some(texts) = self.texts.end() {
            match texts.content.open {
                0 => hub.close(texts.message),
                open => self.open_texts.insert(texts.message.into(), open),
            }
        }
    }

    /// Begins a block, unless it has begun. Returns its message.
    fn begin(&mut self, at: usize, hub: &mut Hub<'_>) -> u32 {
        if let Some(message) = self.blocks[at].phase.number() {
            return message;
        }
        self.run.start(hub);
        self.mark(at);
        let is_text = self.blocks[at].kind == AnthropicText::KIND;
        let message = if is_text { self.begin_text(at, hub) } else { self.begin_other(at, hub) };
        self.blocks[at].phase = MessagePhase::Open(message);
        message
    }

    /// Marks the call or result of a tool that an agent has run itself.
    fn mark(&mut self, at: usize) {
        let block = &mut self.blocks[at];
        let text = |name| block.members.undeclared(name).and_then(Value::as_str);
        block.is_of_agent = match block.tool() {
            Some((ToolKind::Mcp, true)) if text("server_name") == Some(AGENT) => {
                self.of_agent.insert(block.members.word(AnthropicToolUse::id), ());
                true
            }
            Some((ToolKind::Mcp, false)) => {
                text("tool_use_id").is_some_and(|id| self.of_agent.get(id).is_some())
            }
            _ => false,
        };
    }

    fn begin_text(&mut self, at: usize, hub: &mut Hub<'_>) -> u32 {
        let message = self.texts.number().unwrap_or_else(|| {
            let message = self.run.open(MessageKind::Message, 0, hub);
            self.texts.begin(message, ())
        });
        if let Some(texts) = self.texts.get_mut() {
            self.blocks[at].part = texts.content.count;
            texts.content.count += 1;
            texts.content.open += 1;
        }
        message
    }

    fn begin_other(&mut self, at: usize, hub: &mut Hub<'_>) -> u32 {
        self.end_texts(hub);
        let block = &self.blocks[at];
        let kind = match (block.kind, block.tool()) {
            (_, Some((tool, true))) => MessageKind::Call(tool),
            (_, Some((tool, false))) => MessageKind::Result(tool),
            // A block that only the server understands is a reasoning without a text.
            (_, None) => MessageKind::Reasoning,
        };
        let message = self.run.open(kind, 0, hub);
        match kind {
            MessageKind::Call(_) => {
                let id = block.members.word(AnthropicToolUse::id);
                let name = block.members.word(AnthropicToolUse::name);
                if !block.is_own() {
                    hub.opaque(&block.opaque(), OpaquePlace::call(message, id));
                }
                hub.emit(&Step::call(message, 0, id, name, &[]));
            }
            MessageKind::Result(_) => emit_result(block, message, hub),
            _ => {}
        }
        message
    }

    /// Emits the members of a block that only carries those of another block. Returns whether it
    /// does.
    fn emit_carried(&mut self, at: usize, hub: &mut Hub<'_>) -> bool {
        let block = &self.blocks[at];
        let Some(sealed) = Sealed::open(block.carrier()) else { return false };
        if sealed.next {
            self.ahead.push(at);
            self.blocks[at].phase = MessagePhase::Omitted;
            return true;
        }
        if sealed.call.is_none() && sealed.part.is_none() {
            return false;
        }
        // Those of a text follow it.
        let before = self.blocks.get(at.wrapping_sub(1));
        let before = before.filter(|before| before.kind == AnthropicText::KIND);
        let place = match before.and_then(|before| Some((before.phase.number()?, before.part))) {
            Some((message, part)) if sealed.part.is_some() => OpaquePlace::part(message, part),
            _ => OpaquePlace::default(),
        };
        hub.carried(block.carrier(), &Value::Null, place);
        self.blocks[at].phase = MessagePhase::Omitted;
        true
    }

    /// Ends a block that is whole. A call without a delta has the input of its start. (C11.)
    fn end_block(&mut self, at: usize, hub: &mut Hub<'_>) {
        if self.blocks[at].phase == MessagePhase::Omitted {
            return;
        }
        self.begin(at, hub);
        let block = &mut self.blocks[at];
        let Some(message) = block.phase.end() else { return };
        let part = block.part;
        if let (Some((_, true)), false) = (block.tool(), block.has_pieces) {
            let input = block.members.get(AnthropicToolUse::input);
            let input = input.map_or_else(|| "{}".into(), Value::to_json);
            hub.emit(&Step::Arguments { message, part, piece: &input });
        }
        let place = OpaquePlace::part(message, part);
        match block.tool() {
            // Those of a result, and of a call of the client, precede it.
            Some((_, false)) => {}
            Some((_, true)) if !block.is_own() => {}
            Some((_, true)) => {
                let call = OpaquePlace::call(message, block.members.word(AnthropicToolUse::id));
                hub.opaque(&block.opaque(), call.of_block());
            }
            None if block.is_own() => {
                hub.carried(block.carrier(), &block.opaque(), place.of_block())
            }
            None if block.carrier() == UNSIGNED => {}
            None => hub.carried(block.carrier(), &block.opaque(), place),
        }
        if self.blocks[at].kind == AnthropicText::KIND {
            for carrier in core::mem::take(&mut self.ahead) {
                hub.carried(self.blocks[carrier].carrier(), &Value::Null, place);
            }
        }
        let block = &self.blocks[at];
        hub.emit(&Step::EndPart { message, part, whole: true });
        if block.kind != AnthropicText::KIND {
            return hub.close(message);
        }
        if let Some(texts) = self.texts.get_mut()
            && texts.message == message
        {
            texts.content.open -= 1;
        } else if let Some(open) = self.open_texts.get_mut(message.into()) {
            *open -= 1;
            if *open == 0 {
                self.open_texts.remove(message.into());
                hub.close(message);
            }
        }
    }
}

/// Emits the result of a tool of the server, which is whole in the start of its block.
fn emit_result(block: &BlockState, message: u32, hub: &mut Hub<'_>) {
    let member = |name: &str| block.members.undeclared(name);
    let id = member("tool_use_id").and_then(Value::as_str).unwrap_or_default();
    hub.opaque(&block.opaque(), OpaquePlace::result(Some(message), id).of_block());
    let content = member("content").unwrap_or(&Value::Null);
    let is_error = member("is_error") == Some(&Value::Bool(true));
    let code = content
        .text("error_code")
        .filter(|_| content.text("type").is_some_and(|name| name.ends_with("_error")));
    let texts: Option<String> = match content {
        Value::Array(parts) => parts.iter().map(|part| part.text("text")).collect(),
        _ => None,
    };
    let output = texts.map_or_else(|| content.to_text(), Into::into);
    if is_error || code.is_some() {
        let text = code.unwrap_or(&output);
        return hub.note(Note::ToolError { id, cause: Some("tool"), text });
    }
    hub.emit(&Step::result(message, 0, id, &output));
}

/// The counts of tokens that are not part of `input_tokens`, here and at the hub, where they are.
const CACHED: [(&str, &str); 2] = [
    ("cache_read_input_tokens", "cached_input_tokens"),
    ("cache_creation_input_tokens", "cache_write_input_tokens"),
];

/// Returns the token usage with the names of the hub.
fn usage(usage: &Value) -> Option<Value> {
    let Value::Object(members) = usage else { return None };
    let mut members = members.clone();
    let mut input = None;
    for member in &mut members {
        let cached = CACHED.iter().find(|(name, _)| *name == member.key);
        if let (Value::Number(count), true) =
            (&member.value, cached.is_some() || member.key == "input_tokens")
        {
            input =
                Some(input.map_or_else(|| count.clone(), |sum: Digits| add(&sum, count).into()));
        }
        if let Some((_, name)) = cached {
            member.key = (*name).into();
        }
    }
    if let (Some(member), Some(input)) =
        (members.iter_mut().find(|member| member.key == "input_tokens"), input)
    {
        member.value = Value::Number(input);
    }
    Some(Value::Object(members))
}

impl StepSource for AnthropicSource {
    /// Always true, because pieces are not kept.
    fn repeats(&self) -> bool {
        true
    }

    fn appended(&mut self, _: ObjectId, _: Field, _: &[&str], text: &str) -> bool {
        !text.is_empty()
    }

    fn after(&mut self, hub: &mut Hub<'_>) {
        if let Some(at) = self.new.take() {
            if self.blocks[at].kind != AnthropicRedactedThinking::KIND
                || !self.emit_carried(at, hub)
            {
                self.begin(at, hub);
            }
        } else if !self.run.id.is_empty() {
            self.run.start(hub);
        }
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.run.start(hub);
        self.end_texts(hub);
        // Calls whose input is not JSON: they are whole if the model has ended by itself, otherwise
        // they were cut off.
        for at in 0..self.blocks.len() {
            let BlockState { phase, kind, .. } = self.blocks[at];
            match (phase, self.status) {
                _ if kind == AnthropicText::KIND => {}
                (MessagePhase::Open(_), Status::Completed) => self.end_block(at, hub),
                (MessagePhase::Open(message), _) => hub.close_as(message, EndStatus::Incomplete),
                _ => {}
            }
        }
        if !matches!(&*self.stop_reason, "" | "end_turn" | "tool_use" | "stop_sequence")
            && self.status == Status::Completed
        {
            self.run.metadata.push(Member::new("stop_reason", self.stop_reason.as_str()));
        }
        if !self.stop_sequence.is_null() {
            self.run.metadata.push(Member::new("stop_sequence", self.stop_sequence.clone()));
        }
        hub.metadata(core::mem::take(&mut self.run.metadata), None);
        let mut end = match self.status {
            _ if matches!(ended, EndReason::Aborted | EndReason::Eof) => return None,
            Status::Failed => {
                hub.lose_error(&self.run.error, &["type"]);
                let message = self.run.error.text("message").unwrap_or("The message has failed.");
                RunEnd::failed(self.run.error.text("type"), message)
            }
            Status::Completed => RunEnd::new(EndStatus::Completed),
            Status::Incomplete => RunEnd::incomplete(&*self.stop_reason),
            Status::InProgress => return None,
        };
        end.usage = usage(self.run.usage.value());
        Some(end)
    }
}

impl Sink for StepSink<'_, '_, AnthropicSource> {
    fn begin(&mut self, event: Element<'_, '_>) {
        if Opening::Object(event).is_one_of("type", &["ping"]) {
            self.hub.emit(&Step::Heartbeat);
        }
    }

    fn open(&mut self, kind: ObjectKind, _: ObjectId, _: Field) {
        let StepSink { state, hub } = self;
        // The message may have several blocks in its start.
        if let Some(at) = state.new.take() {
            state.begin(at, hub);
        }
        state.new = Some(state.blocks.len());
        state.blocks.push(BlockState::new(kind));
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        let Some(at) = (node as usize).checked_sub(1) else {
            return match key {
                Snapshot::status => state.status = Status::of(value).unwrap_or_default(),
                Snapshot::id => state.run.id.set(value),
                Snapshot::model => state.run.model.set(value),
                Snapshot::stop_reason => state.stop_reason.set(value),
                Snapshot::stop_sequence => state.stop_sequence.set(value),
                Snapshot::usage => state.run.usage.replace(json_of(value, &MODEL)),
                Snapshot::error => state.run.error.set(value),
                _ => {}
            };
        };
        match key {
            Block::citations => state.emit_citations(at, &json_of(value, &MODEL), hub),
            Block::r#type => state.blocks[at].name = MODEL.text(value).into(),
            _ => state.blocks[at].members.set(key, json_of(value, &MODEL)),
        }
    }

    fn append(&mut self, node: ObjectId, key: Field, piece: &str) {
        let StepSink { state, hub } = self;
        let Some(at) = (node as usize).checked_sub(1).filter(|_| !piece.is_empty()) else { return };
        let message = state.begin(at, hub);
        let block = &mut state.blocks[at];
        block.has_pieces = true;
        let part = block.part;
        hub.emit(&match key {
            AnthropicText::text => Step::Text { message, part, piece },
            AnthropicThinking::thinking => Step::reasoning(message, part, piece),
            _ => Step::Arguments { message, part, piece },
        });
    }

    fn end(&mut self, node: ObjectId, _: Field) {
        let StepSink { state, hub } = self;
        if let Some(at) = (node as usize).checked_sub(1) {
            state.end_block(at, hub);
        }
    }

    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {
        let state = &mut self.state;
        let extra = match (node as usize).checked_sub(1) {
            Some(at) => &mut state.blocks[at].members.undeclared,
            None => &mut state.run.metadata,
        };
        put_member(extra, name, Value::from_raw(value));
    }

    fn change_in(&mut self, node: ObjectId, _: Field, path: &[&str], change: JsonChange<'_>) {
        let StepSink { state, hub } = self;
        match (change, path, (node as usize).checked_sub(1)) {
            (JsonChange::Set(value), [name], None) => {
                state.run.usage.set_at(&[*name], json_of(value, &MODEL))
            }
            (JsonChange::Extend(items), _, Some(at)) => {
                state.emit_citations(at, &Value::from_raw(items), hub)
            }
            _ => {}
        }
    }
}

impl AnthropicSource {
    fn emit_citations(&mut self, at: usize, citations: &Value, hub: &mut Hub<'_>) {
        for annotation in citations.items() {
            let message = self.begin(at, hub);
            let block = &mut self.blocks[at];
            block.citations.push(annotation.clone());
            hub.note(Note::Annotation { message, part: Some(block.part), annotation });
        }
    }
}
