//! The fold: what the events of a stream change in the answer. Reading continues where the official
//! client throws; the input that it refuses is a violation.

use alloc::{string::String, vec::Vec};

use super::events::{EVENTS, Wire};
use super::model::{
    AnthropicRedactedThinking, AnthropicText, AnthropicThinking, AnthropicToolUse, Block,
    BlockType, Snapshot, Status,
};
use super::rules;
use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::failure::ErrorMessage;
use crate::core::{EndReason, EventReading, Observed, Opening, Rule};
use crate::engine::{
    CommonRules, Context, Declared, EventTable, Field, FieldValue, Fold, ObjectId, ObjectLimit,
    Subject, TextSlot, Translated, protocol,
};
use crate::json::{self, Element, Raw, Str, decimal};
use crate::protocols::anthropic::events::BlockDelta;
use crate::sse::{self, Framing};

protocol! {
    /// The Anthropic Messages protocol.
    Anthropic "Anthropic Messages": AnthropicFold => Snapshot {}
}

/// The object of the message.
const ROOT: ObjectId = 0;

/// The progress of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// The message has not begun.
    #[default]
    Before,
    /// The message is growing.
    Open,
    /// `message_stop` was received.
    Stopped,
    /// An error was received.
    Failed,
}

/// The fold of the events of Anthropic Messages.
#[derive(Clone, Debug, Default)]
pub struct AnthropicFold {
    phase: Phase,
    /// An event whose SSE name differs from its type was reported.
    is_misnamed: bool,
    /// The name of the current SSE event.
    name: String,
    has_usage: bool,
    stop_reason: String,
    id: String,
    /// The ids of the calls.
    calls: StringMap<()>,
    blocks: Vec<BlockObject>,
    /// The blocks by their indexes.
    indexes: Numbers<usize>,
}

/// The object of a block.
#[derive(Clone, Debug)]
struct BlockObject {
    node: ObjectId,
    owner: Subject,
    kind: BlockType,
    /// The text that arrives in pieces: text, thinking, or the JSON text of an input, which is
    /// kept.
    text: Option<TextSlot>,
    has_citations: bool,
    stopped: bool,
}

impl BlockObject {
    fn is_tool(&self) -> bool {
        matches!(self.kind, BlockType::ToolUse | BlockType::ServerToolUse | BlockType::McpToolUse)
    }
}

/// Whether the first event of a stream is a whole message. Objects of other protocols have the same
/// type.
fn is_whole(opening: &Opening<'_, '_>) -> bool {
    let has_content = opening.member("content").is_some_and(|content| content.array().is_ok());
    has_content && opening.has("model") && !opening.has("object")
}

impl Declared for AnthropicFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;
    const NAMES_EVENTS: bool = true;

    /// Recognizes events by their types. Other protocols have errors too, but not with the error as
    /// an object.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        match opening.word("type") {
            Some(name) if name == "ping" => false,
            Some(name) if name == "error" => opening.has_object("error"),
            Some(name) if name == "message" => is_whole(opening),
            _ => EVENTS.contains_event(opening),
        }
    }

    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        let is_error = reading.name.is_some_and(|name| name == "error");
        reading.row.is_some()
            && (!is_error || reading.named("error").is_some_and(ErrorMessage::has_message))
    }

    /// A message is what its stream sends, and ends by itself.
    fn whole_answer(json: Element<'_, '_>) -> Option<Vec<Translated>> {
        let named = |name, members: &[&str]| Translated {
            name,
            data: ["{\"type\":\"", name, "\"", &members.concat(), "}"].concat(),
        };
        let content = json.member("content")?.array().ok()?;
        if json.member("type")?.string().ok()? != "message" {
            return None;
        }
        let mut events =
            alloc::vec![named("message_start", &[",\"message\":", json.raw().as_str()])];
        for (index, _) in content.enumerate() {
            events.push(named("content_block_stop", &[",\"index\":", &decimal(index as i64)]));
        }
        let raw = |name: &str| json.member(name).map_or("null", |value| value.raw().as_str());
        let (reason, sequence) = (raw("stop_reason"), raw("stop_sequence"));
        let delta = [",\"delta\":{\"stop_reason\":", reason, ",\"stop_sequence\":", sequence, "}"];
        events.push(named("message_delta", &delta));
        events.push(named("message_stop", &[]));
        Some(events)
    }

    fn json_text(_: &str, member: &str) -> Option<&'static Rule> {
        (member == "partial_json").then_some(&rules::TOOL_ARGUMENTS)
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        Translated { name: "error", data: failure.event("\"type\":\"error\",") }
    }
}

impl Fold for AnthropicFold {
    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        let rule = match self.phase {
            Phase::Stopped => &rules::AFTER_STOP,
            Phase::Failed => &rules::AFTER_ERROR,
            Phase::Before | Phase::Open => {
                self.name.clear();
                self.name.push_str(event.name);
                return true;
            }
        };
        cx.record(rule, Observed::Text(event.data));
        false
    }

    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let name = event.name.map(Str::to_str).unwrap_or_default();
        // Only SSE has names of events.
        let is_named = cx.options().framing == Framing::Sse && !self.name.is_empty();
        if is_named && *name != *self.name && !core::mem::replace(&mut self.is_misnamed, true) {
            cx.record(&rules::EVENT_NAME, Observed::Instead(&self.name, &name));
        }
        let wire = Wire::of(event);
        if self.phase == Phase::Before
            && !matches!(
                wire,
                Wire::MessageStart { .. } | Wire::Ping {} | Wire::Error { .. } | Wire::Other { .. }
            )
        {
            self.phase = Phase::Open;
            cx.record(&rules::NOT_STARTED, Observed::Name(&name));
        }
        match wire {
            Wire::MessageStart { message } => {
                if let Some(message) = message.json() {
                    self.start(message, event, cx);
                }
            }
            Wire::ContentBlockStart { index, content_block } => {
                if let Some(block) = content_block.json() {
                    self.start_block(index, block, cx);
                }
            }
            Wire::ContentBlockDelta { index, delta } => {
                if let Some(delta) = delta.object() {
                    self.delta(index, &delta, cx);
                }
            }
            Wire::ContentBlockStop { index } => match self.block(index, cx) {
                Some(at) if self.blocks[at].stopped => {
                    let owner = self.blocks[at].owner;
                    cx.record_in(
                        &rules::AFTER_BLOCK_STOP,
                        owner,
                        None,
                        Observed::Words("another stop"),
                    );
                }
                Some(at) => self.stop_block(at, cx),
                None => {}
            },
            Wire::MessageDelta { delta, usage } => {
                for (name, value) in delta.json().into_iter().flat_map(Element::members) {
                    match (&*name.to_str(), value.string()) {
                        ("stop_reason", Ok(reason)) => {
                            self.stop_reason = reason.to_str().into_owned();
                            cx.set_text(ROOT, Snapshot::stop_reason, &self.stop_reason);
                        }
                        ("stop_sequence", Ok(text)) => {
                            cx.set_text(ROOT, Snapshot::stop_sequence, &text.to_str());
                        }
                        ("stop_reason" | "stop_sequence", Err(_)) => {}
                        // It stays the one of the start. (C14.)
                        ("container", _) if value.is_null() => {}
                        (name, _) => set_extra(name, value.raw(), cx),
                    }
                }
                // Null is what has not changed since the start. (C14.)
                for (name, value) in event.undeclared().filter(|(_, value)| value.0 != "null") {
                    set_extra(&name, value, cx);
                }
                self.usage(usage, cx);
            }
            Wire::MessageStop {} => self.end(cx),
            Wire::Ping {} => {}
            Wire::Error { error } => {
                if let Some(error) = error {
                    cx.set(ROOT, Snapshot::error, FieldValue::Free(error));
                }
                for (name, value) in event.undeclared() {
                    set_extra(&name, value, cx);
                }
                cx.set(ROOT, Snapshot::status, Status::Failed.value());
                self.phase = Phase::Failed;
                cx.end(EndReason::ErrorFrame);
            }
            Wire::Other { .. } => {
                cx.unknown(&name);
                cx.record(&rules::UNKNOWN_EVENT, Observed::Name(&name));
            }
        }
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        if matches!(self.phase, Phase::Before | Phase::Open)
            && cx.report().end_reason == EndReason::Open
        {
            cx.set(ROOT, Snapshot::status, Status::Incomplete.value());
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            if !aborted {
                let rule = if self.phase == Phase::Before {
                    &rules::NO_MESSAGE
                } else {
                    &rules::TRUNCATED
                };
                cx.record(rule, Observed::Words("the end of the stream"));
            }
        }
        for block in &self.blocks {
            if let Some(text) = block.text {
                cx.end_text(text);
            }
            if !block.stopped && self.phase != Phase::Stopped {
                let id = cx.id(block.owner).into();
                cx.unfinished(id);
            }
        }
    }

    fn has_ended(&self) -> bool {
        matches!(self.phase, Phase::Stopped | Phase::Failed)
    }
}

/// Reports a property of another type. Null is treated as absent.
fn wrong(value: Element<'_, '_>, name: &'static str, cx: &mut Context<'_>) {
    if !value.is_null() {
        cx.record(&rules::MEMBER_TYPE, Observed::Named("another type of", name));
    }
}

/// Sets a property of the message that it does not declare. Declared ones have their own events.
fn set_extra(name: &str, value: Raw<'_>, cx: &mut Context<'_>) {
    if Snapshot::SHAPE.member(name).is_none() {
        cx.set_extra(ROOT, name, value);
    }
}

impl AnthropicFold {
    /// Starts the message. (C10.)
    fn start(
        &mut self,
        message: Element<'_, '_>,
        event: &EventReading<'_, '_>,
        cx: &mut Context<'_>,
    ) {
        if self.phase == Phase::Open {
            return cx.record(&rules::STARTED_TWICE, Observed::Text(event.json.raw().as_str()));
        }
        self.phase = Phase::Open;
        for (name, value) in message.members() {
            let key = match &*name.to_str() {
                "content" => continue,
                "usage" => {
                    self.usage(Some(value), cx);
                    continue;
                }
                "id" => Snapshot::id,
                "role" => Snapshot::role,
                "model" => Snapshot::model,
                "stop_reason" => Snapshot::stop_reason,
                "stop_sequence" => Snapshot::stop_sequence,
                name => {
                    set_extra(name, value.raw(), cx);
                    continue;
                }
            };
            match value.string() {
                Ok(text) => {
                    cx.set_text(ROOT, key, &text.to_str());
                    if key == Snapshot::id {
                        self.id = text.to_str().into_owned();
                    }
                }
                Err(_) => wrong(value, "the message", cx),
            }
        }
        let content = message.member("content").into_iter().flat_map(Element::items);
        for (index, block) in content.enumerate() {
            self.start_block(Some(index as i64), block, cx);
        }
    }

    /// Sets the counts of tokens that are present: they are totals. (C14.)
    fn usage(&mut self, usage: Option<Element<'_, '_>>, cx: &mut Context<'_>) {
        let Some(usage) = usage.filter(|usage| usage.object().is_ok()) else { return };
        if !self.has_usage {
            self.has_usage = cx.set(ROOT, Snapshot::usage, FieldValue::Free(usage));
            return;
        }
        for (name, value) in usage.members().filter(|(_, value)| !value.is_null()) {
            cx.set_in(ROOT, Snapshot::usage, &[&*name.to_str()], FieldValue::Free(value));
        }
    }

    /// Returns the block with an index.
    fn block(&self, index: Option<i64>, cx: &mut Context<'_>) -> Option<usize> {
        let found = index.and_then(|index| self.indexes.get(index as u64)).copied();
        if found.is_none() {
            cx.record(&rules::BLOCK_MISSING, Observed::Number(index, self.blocks.len() as i64));
        }
        found
    }

    fn start_block(&mut self, index: Option<i64>, block: Element<'_, '_>, cx: &mut Context<'_>) {
        let next = self.blocks.len() as i64;
        if index != Some(next) {
            cx.record(&rules::BLOCK_INDEX, Observed::Number(index, next));
        }
        let name = block.member("type").map(Element::words).unwrap_or_default();
        let Some(new) = self.open_block(index.unwrap_or(next), BlockType::from(&*name), cx) else {
            return;
        };
        for (name, value) in block.members() {
            let name = name.to_str();
            if name != "type" {
                new.set(&name, value, cx);
            }
        }
        // Another model continues the answer. (C11.)
        let to = block.member("to").filter(|_| new.kind.as_str() == "fallback");
        if let Some(Ok(model)) = to.and_then(|to| to.member("model")).map(Element::string) {
            cx.set_text(ROOT, Snapshot::model, &model.to_str());
        }
        if !new.is_tool() {
            return;
        }
        let (node, owner) = (new.node, new.owner);
        let given = block.member("id");
        // That it is too long has been reported.
        let is_long = given.is_some_and(|id| id.string().is_ok() && id.id().is_err());
        let id = given.and_then(|id| id.id().ok()).map(Str::to_str).unwrap_or_default();
        if id.is_empty() || self.calls.get(&id).is_some() {
            // Results are told apart by the ids of their calls.
            let message = if self.id.is_empty() { "call" } else { &self.id };
            let made = [message, "-", cx.id(owner)].concat();
            if !is_long {
                cx.record_in(&rules::TOOL_ID, owner, None, Observed::Text(block.raw().as_str()));
            }
            cx.set_short(node, AnthropicToolUse::id, &made);
            self.calls.insert(&made, ());
        } else {
            self.calls.insert(&id, ());
        }
    }

    fn open_block(
        &mut self,
        index: i64,
        kind: BlockType,
        cx: &mut Context<'_>,
    ) -> Option<&mut BlockObject> {
        let owner = cx.next_owner();
        let node = cx.open(kind.kind(), ROOT, Snapshot::content, ObjectLimit::Messages, owner)?;
        let owner = cx.own(&decimal(index));
        if let BlockType::Other(name) = &kind {
            cx.set_text(node, Block::r#type, name);
        }
        let streamed = match kind {
            BlockType::Text => Some(AnthropicText::text),
            BlockType::Thinking => Some(AnthropicThinking::thinking),
            _ => None,
        };
        let text = streamed.map(|key| cx.text(node, key, owner));
        self.indexes.insert(index as u64, self.blocks.len());
        self.blocks.push(BlockObject {
            node,
            owner,
            kind,
            text,
            has_citations: false,
            stopped: false,
        });
        self.blocks.last_mut()
    }

    /// Returns the block of a delta. A piece of a text begins one that was not started.
    fn block_of_delta(
        &mut self,
        index: Option<i64>,
        name: &str,
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        let found = self.block(index, cx);
        if found.is_none() {
            let kind = match name {
                "text_delta" => BlockType::Text,
                "thinking_delta" => BlockType::Thinking,
                _ => return None,
            };
            self.open_block(index.unwrap_or(self.blocks.len() as i64), kind, cx)?;
            return Some(self.blocks.len() - 1);
        }
        found
    }

    fn delta(&mut self, index: Option<i64>, delta: &BlockDelta<'_>, cx: &mut Context<'_>) {
        let name = delta.r#type().map(Str::to_str).unwrap_or_default();
        let known = [
            "text_delta",
            "input_json_delta",
            "thinking_delta",
            "signature_delta",
            "citations_delta",
            "compaction_delta",
        ];
        if !known.contains(&&*name) {
            cx.unknown(&name);
            return cx.record(&rules::UNKNOWN_DELTA, Observed::Name(&name));
        }
        let Some(at) = self.block_of_delta(index, &name, cx) else { return };
        let block = &mut self.blocks[at];
        if block.stopped {
            cx.record_in(&rules::AFTER_BLOCK_STOP, block.owner, None, Observed::Name(&name));
        }
        let piece = match (&*name, &block.kind) {
            ("text_delta", BlockType::Text) => delta.text(),
            ("thinking_delta", BlockType::Thinking) => delta.thinking(),
            ("input_json_delta", _) if block.is_tool() && !block.stopped => {
                if block.text.is_none() {
                    block.text = Some(cx.kept_text(block.node, Block::partial_json, block.owner));
                }
                delta.partial_json()
            }
            ("signature_delta", BlockType::Thinking) => {
                if let Some(signature) = delta.signature() {
                    cx.set_text(block.node, AnthropicThinking::signature, &signature.to_str());
                }
                return;
            }
            ("citations_delta", BlockType::Text) => {
                if let Some(citation) = delta.citation() {
                    block.add_citation(citation, cx);
                }
                return;
            }
            // It has the final values of the block. (C11.)
            ("compaction_delta", BlockType::Other(kind)) if kind == "compaction" => {
                for (name, value) in delta.json().members().filter(|(name, _)| *name != "type") {
                    cx.set_extra(block.node, &name.to_str(), value.raw());
                }
                return;
            }
            _ if block.stopped => return,
            _ => {
                let got = Observed::Instead(&name, block.kind.as_str());
                return cx.record_in(&rules::DELTA_MISMATCH, block.owner, None, got);
            }
        };
        if let (Some(piece), Some(text)) = (piece, block.text) {
            cx.append(text, piece);
        }
    }

    /// Ends a block. The input of a tool is parsed. (C11.)
    fn stop_block(&mut self, at: usize, cx: &mut Context<'_>) {
        let block = &mut self.blocks[at];
        block.stopped = true;
        let text = block.text.map(|text| cx.end_text(text));
        let mut is_whole = true;
        if let Some(input) = text.filter(|_| block.is_tool()) {
            match json::read_any(&input, cx.options().limits.json_depth) {
                Ok(None) => {}
                Ok(Some(value)) => {
                    cx.set(block.node, AnthropicToolUse::input, FieldValue::Free(value.root()));
                }
                Err(_) => {
                    is_whole = false;
                    cx.record_in(&rules::INPUT_NOT_JSON, block.owner, None, Observed::Text(&input));
                }
            }
        }
        if is_whole {
            cx.note_text_end(block.node, Block::partial_json);
        }
    }

    /// Ends the message.
    fn end(&mut self, cx: &mut Context<'_>) {
        for at in 0..self.blocks.len() {
            if !self.blocks[at].stopped {
                let owner = self.blocks[at].owner;
                cx.record_in(
                    &rules::BLOCK_NOT_STOPPED,
                    owner,
                    None,
                    Observed::Words("`message_stop`"),
                );
                self.stop_block(at, cx);
            }
        }
        let status = match &*self.stop_reason {
            "max_tokens" | "model_context_window_exceeded" | "refusal" => Status::Incomplete,
            _ => Status::Completed,
        };
        cx.set(ROOT, Snapshot::status, status.value());
        self.phase = Phase::Stopped;
        cx.end(EndReason::Terminal);
    }
}

impl BlockObject {
    /// Sets a property of a block at its start.
    fn set(&mut self, name: &str, value: Element<'_, '_>, cx: &mut Context<'_>) {
        let key: Field = match (name, &self.kind) {
            ("text", BlockType::Text) | ("thinking", BlockType::Thinking) => {
                return match (value.string(), self.text) {
                    (Ok(piece), Some(text)) if !piece.is_empty() => _ = cx.append(text, piece),
                    (Ok(_), _) => {}
                    (Err(_), _) => wrong(value, "the text", cx),
                };
            }
            ("citations", _) => {
                self.has_citations = value.array().is_ok();
                cx.set(self.node, Block::citations, FieldValue::Free(value));
                return;
            }
            ("input", _) if self.is_tool() => {
                cx.set(self.node, AnthropicToolUse::input, FieldValue::Free(value));
                return;
            }
            // It is added here.
            ("partial_json", _) => return,
            ("signature", BlockType::Thinking) => AnthropicThinking::signature,
            ("data", BlockType::RedactedThinking) => AnthropicRedactedThinking::data,
            ("id", _) if self.is_tool() => match cx.refuses_id(value, self.owner) {
                true => return,
                false => AnthropicToolUse::id,
            },
            ("name", _) if self.is_tool() => AnthropicToolUse::name,
            _ => {
                cx.set_extra(self.node, name, value.raw());
                return;
            }
        };
        match value.string() {
            Ok(text) => _ = cx.set_text(self.node, key, &text.to_str()),
            Err(_) => wrong(value, "a property of the block", cx),
        }
    }

    /// Adds a citation to a text.
    fn add_citation(&mut self, citation: Element<'_, '_>, cx: &mut Context<'_>) {
        let list = ["[", citation.raw().as_str(), "]"].concat();
        if self.has_citations {
            cx.extend_in(self.node, Block::citations, &[], Raw(&list));
        } else {
            self.has_citations = cx.set_json(self.node, Block::citations, &list);
        }
    }
}
