//! The meaning of the events of a stream. Reading continues where the official client throws; the input that it refuses is a
//! violation.

use alloc::{string::String, vec::Vec};

use super::events::{EVENTS, Wire};
use super::model::{
    AnthropicRedactedThinking, AnthropicText, AnthropicThinking, AnthropicToolUse, Block, BlockType,
    Snapshot, Status,
};
use super::rules;
use crate::bytes::string_map::Numbers;
use crate::core::{EndReason, Observed, Opening, Reading};
use crate::engine::{
    CommonRules, Context, Counted, Declared, EventTable, Key, Meaning, Node, Owner, SinkValue, TextCell,
    protocol,
};
use crate::json::{self, Element, Raw, Str, decimal};
use crate::protocols::anthropic::events::BlockDelta;
use crate::sse::{self, Framing};

protocol! {
    /// The Anthropic Messages protocol.
    Anthropic "Anthropic Messages": AnthropicMeaning => Snapshot {}
}

/// The object of the message.
const ROOT: Node = 0;

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

/// The meaning of the events of Anthropic Messages.
#[derive(Debug, Default)]
pub struct AnthropicMeaning {
    phase: Phase,
    /// An event whose SSE name differs from its type was reported.
    is_misnamed: bool,
    /// The name of the current SSE event.
    name: String,
    has_usage: bool,
    stop_reason: String,
    blocks: Vec<BlockObject>,
    /// The blocks by their indexes.
    indexes: Numbers<usize>,
}

/// The object of a block.
#[derive(Debug)]
struct BlockObject {
    node: Node,
    owner: Owner,
    kind: BlockType,
    /// The text that arrives in pieces: text, thinking, or the JSON text of an input, which is kept.
    text: Option<TextCell>,
    has_citations: bool,
    stopped: bool,
}

impl BlockObject {
    fn is_tool(&self) -> bool {
        matches!(self.kind, BlockType::ToolUse | BlockType::ServerToolUse | BlockType::McpToolUse)
    }
}

impl Declared for AnthropicMeaning {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;

    /// Recognizes events by their types. Other protocols have errors too, but not with the error as an object.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        match opening.word("type") {
            Some(name) if name == "ping" => false,
            Some(name) if name == "error" => opening.has_object("error"),
            _ => EVENTS.contains_event(opening),
        }
    }
}

impl Meaning for AnthropicMeaning {
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

    fn event(&mut self, event: &Reading<'_, '_>, cx: &mut Context<'_>) {
        let name = event.name.map(Str::to_str).unwrap_or_default();
        // Only SSE has names of events.
        let is_named = cx.options().framing == Framing::Sse;
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
                    cx.record_in(&rules::AFTER_BLOCK_STOP, owner, None, Observed::Words("another stop"));
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
                        (name, _) => set_extra(name, value.raw(), cx),
                    }
                }
                for (name, value) in event.undeclared() {
                    set_extra(&name, value, cx);
                }
                self.usage(usage, cx);
            }
            Wire::MessageStop {} => self.end(cx),
            Wire::Ping {} => {}
            Wire::Error { error } => {
                if let Some(error) = error {
                    cx.set(ROOT, Snapshot::error, SinkValue::Free(error));
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
        if matches!(self.phase, Phase::Before | Phase::Open) && cx.report().end_reason == EndReason::Open {
            cx.set(ROOT, Snapshot::status, Status::Incomplete.value());
            cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
            if !aborted {
                let rule = if self.phase == Phase::Before { &rules::NO_MESSAGE } else { &rules::TRUNCATED };
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

impl AnthropicMeaning {
    /// Starts the message. (C10.)
    fn start(&mut self, message: Element<'_, '_>, event: &Reading<'_, '_>, cx: &mut Context<'_>) {
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
                Ok(text) => _ = cx.set_text(ROOT, key, &text.to_str()),
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
            self.has_usage = cx.set(ROOT, Snapshot::usage, SinkValue::Free(usage));
            return;
        }
        for (name, value) in usage.members().filter(|(_, value)| !value.is_null()) {
            cx.set_in(ROOT, Snapshot::usage, &[&*name.to_str()], SinkValue::Free(value));
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
        let kind = BlockType::from(&*name);
        let owner = cx.next_owner();
        let Some(node) = cx.open(kind.kind(), ROOT, Snapshot::content, Counted::Messages, owner) else {
            return;
        };
        let index = index.unwrap_or(next);
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
        let mut new = BlockObject { node, owner, kind, text, has_citations: false, stopped: false };
        for (name, value) in block.members() {
            let name = name.to_str();
            if name != "type" {
                new.set(&name, value, cx);
            }
        }
        self.indexes.insert(index as u64, self.blocks.len());
        self.blocks.push(new);
    }

    fn delta(&mut self, index: Option<i64>, delta: &BlockDelta<'_>, cx: &mut Context<'_>) {
        let name = delta.r#type().map(Str::to_str).unwrap_or_default();
        let known =
            ["text_delta", "input_json_delta", "thinking_delta", "signature_delta", "citations_delta"];
        if !known.contains(&&*name) {
            cx.unknown(&name);
            return cx.record(&rules::UNKNOWN_DELTA, Observed::Name(&name));
        }
        let Some(at) = self.block(index, cx) else { return };
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
                    cx.set(block.node, AnthropicToolUse::input, SinkValue::Free(value.root()));
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
                cx.record_in(&rules::BLOCK_NOT_STOPPED, owner, None, Observed::Words("`message_stop`"));
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
        let key: Key = match (name, &self.kind) {
            ("text", BlockType::Text) | ("thinking", BlockType::Thinking) => {
                return match (value.string(), self.text) {
                    (Ok(piece), Some(text)) if !piece.is_empty() => _ = cx.append(text, piece),
                    (Ok(_), _) => {}
                    (Err(_), _) => wrong(value, "the text", cx),
                };
            }
            ("citations", _) => {
                self.has_citations = value.array().is_ok();
                cx.set(self.node, Block::citations, SinkValue::Free(value));
                return;
            }
            ("input", _) if self.is_tool() => {
                cx.set(self.node, AnthropicToolUse::input, SinkValue::Free(value));
                return;
            }
            // It is added here.
            ("partial_json", _) => return,
            ("signature", BlockType::Thinking) => AnthropicThinking::signature,
            ("data", BlockType::RedactedThinking) => AnthropicRedactedThinking::data,
            ("id", _) if self.is_tool() => AnthropicToolUse::id,
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
