//! Texts, reasoning, media and hints. (M5, M6.)

use alloc::string::String;
use alloc::vec::Vec;

use super::super::lifecycle::{self, BlockEvent, BlockState};
use super::super::model::{DataBlock, HintBlock, Snapshot, TextBlock, ThinkingBlock};
use super::super::rules;
use super::{AgentScopeFold, ROOT};
use crate::bytes::Base64Joiner;
use crate::bytes::string_map::StringMap;
use crate::core::Observed;
use crate::engine::{
    Context, Field, FieldValue, ObjectId, ObjectKind, ObjectLimit, Subject, TextSlot,
};
use crate::json::{Element, ObjectWriter, Str};

/// The blocks that are not of calls, in the order of their starts.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    texts: FoldedBlocks<Option<TextSlot>>,
    thoughts: FoldedBlocks<Option<TextSlot>>,
    data: FoldedBlocks<DataState>,
}

/// The blocks of a kind, by their ids.
#[derive(Clone, Debug)]
pub(super) struct FoldedBlocks<C> {
    pub all: Vec<FoldedBlock<C>>,
    by_id: StringMap<usize>,
}

/// A block. One that a limit has refused has no object.
#[derive(Clone, Debug)]
pub(super) struct FoldedBlock<C> {
    pub node: Option<ObjectId>,
    pub owner: Subject,
    /// Number and offset of the event that opened it.
    pub opened: (u64, u64),
    pub state: BlockState,
    pub content: C,
}

/// The state of media.
#[derive(Clone, Debug, Default)]
pub(super) struct DataState {
    joiner: Base64Joiner,
}

impl<C> Default for FoldedBlocks<C> {
    fn default() -> Self {
        FoldedBlocks { all: Vec::new(), by_id: StringMap::default() }
    }
}

impl<C> FoldedBlocks<C> {
    /// Returns the place of the block with an id.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Applies an event to the block with an id. Returns its place if the event has an effect. One
    /// that starts has to be [added](Self::add).
    pub fn apply(
        &mut self,
        id: &str,
        event: BlockEvent,
        name: &'static str,
        cx: &mut Context<'_>,
    ) -> Option<Option<usize>> {
        let at = self.place(id);
        let from = at.map_or(BlockState::Absent, |at| self.all[at].state);
        let step = lifecycle::block(from, event);
        if let Err(rule) = step.legal(from) {
            cx.record_of(rule, id, Observed::Name(name));
            if event == BlockEvent::Start || at.is_none() {
                return None;
            }
        }
        if let Some(at) = at {
            self.all[at].state = step.phase(from);
        }
        Some(at)
    }

    /// Adds a block that has started.
    pub fn add(
        &mut self,
        id: &str,
        node: Option<ObjectId>,
        content: C,
        cx: &mut Context<'_>,
    ) -> usize {
        let (owner, opened) = (cx.own(id), cx.at());
        self.by_id.insert(id, self.all.len());
        self.all.push(FoldedBlock { node, owner, opened, state: BlockState::Open, content });
        self.all.len() - 1
    }

    /// The blocks that have not ended.
    fn open(&self) -> impl Iterator<Item = &FoldedBlock<C>> {
        self.all.iter().filter(|block| block.state == BlockState::Open)
    }

    /// Reports the blocks that have not ended at the end of the reply.
    pub fn report_open(&self, cx: &mut Context<'_>) {
        for FoldedBlock { opened, owner, .. } in self.open() {
            cx.record_at(
                &rules::BLOCK_NOT_ENDED,
                *opened,
                *owner,
                Observed::Words("the end of the reply"),
            );
        }
    }

    /// Lists the blocks that have not ended at the end of the stream.
    pub fn list_unfinished(&self, cx: &mut Context<'_>) {
        for block in self.open() {
            let id = cx.id(block.owner).into();
            cx.unfinished(id);
        }
    }
}

impl Blocks {
    pub fn report_open(&self, cx: &mut Context<'_>) {
        self.texts.report_open(cx);
        self.thoughts.report_open(cx);
        self.data.report_open(cx);
    }

    /// Ends the texts and media with the stream.
    pub fn finish(&mut self, cx: &mut Context<'_>) {
        for block in self.texts.all.iter().chain(&self.thoughts.all) {
            if let Some(slot) = block.content {
                cx.end_text(slot);
            }
        }
        for block in &mut self.data.all {
            if let Some(node) = block.node {
                block.content.end(node, DataBlock::source, cx);
            }
        }
        self.texts.list_unfinished(cx);
        self.thoughts.list_unfinished(cx);
        self.data.list_unfinished(cx);
    }
}

/// Returns the JSON of the source of media: base64 or a URL.
fn source(kind: &str, member: &str, value: &str, media_type: &str) -> String {
    let mut json = String::new();
    let mut source = ObjectWriter::open(&mut json, true);
    source.string("type", Some(kind));
    source.string(member, Some(value));
    source.string("media_type", Some(media_type));
    source.close();
    json
}

impl DataState {
    /// Sets the source of media that have begun.
    pub fn begin(node: ObjectId, key: Field, media_type: &str, cx: &mut Context<'_>) {
        cx.set_json(node, key, &source("base64", "data", "", media_type));
    }

    /// Adds a piece, or sets the URL. (M6.)
    pub fn add(
        &mut self,
        (node, key): (ObjectId, Field),
        media_type: &str,
        (data, url): (Option<Str<'_>>, Option<Str<'_>>),
        id: &str,
        cx: &mut Context<'_>,
    ) {
        match (data.map(Str::to_str), url.map(Str::to_str)) {
            (None, Some(url)) => {
                *self = DataState::default();
                cx.set_json(node, key, &source("url", "url", &url, media_type));
            }
            (Some(piece), None) => match self.joiner.add(&piece) {
                Some(piece) if piece.is_empty() => {}
                Some(piece) => drop(cx.append_in(node, key, &["data"], &piece)),
                None => cx.record_of(&rules::DATA_NOT_BASE64, id, Observed::Text(&piece)),
            },
            _ => cx.record_of(&rules::DATA_SOURCE, id, Observed::Words("both or none")),
        }
    }

    /// Adds the bytes that were kept.
    pub fn end(&mut self, node: ObjectId, key: Field, cx: &mut Context<'_>) {
        let rest = self.joiner.end();
        if !rest.is_empty() {
            cx.append_in(node, key, &["data"], &rest);
        }
    }
}

/// Whether either `data` or `url` is given, as [`DataState::add`] requires.
pub(super) fn has_source(
    (data, url): (Option<Str<'_>>, Option<Str<'_>>),
    id: &str,
    cx: &mut Context<'_>,
) -> bool {
    let is_right = data.is_some() != url.is_some();
    if !is_right {
        cx.record_of(&rules::DATA_SOURCE, id, Observed::Words("both or none"));
    }
    is_right
}

impl AgentScopeFold {
    /// Opens a block at the end of the reply, unless there are too many.
    pub(super) fn open(&mut self, kind: ObjectKind, cx: &mut Context<'_>) -> Option<ObjectId> {
        cx.open(kind, ROOT, Snapshot::content, ObjectLimit::Messages, cx.next_owner())
    }

    /// Notes the end of a block.
    pub(super) fn stamp(&self, node: ObjectId, key: Field, cx: &mut Context<'_>) {
        cx.set_short(node, TextBlock::finished_at, &self.time);
        cx.note_text_end(node, key);
    }

    fn texts(&mut self, is_thought: bool) -> &mut FoldedBlocks<Option<TextSlot>> {
        if is_thought { &mut self.blocks.thoughts } else { &mut self.blocks.texts }
    }

    pub(super) fn start_text(&mut self, id: Str<'_>, is_thought: bool, cx: &mut Context<'_>) {
        self.go_on(cx);
        let id = id.to_str();
        let name = if is_thought { "THINKING_BLOCK_START" } else { "TEXT_BLOCK_START" };
        if self.texts(is_thought).apply(&id, BlockEvent::Start, name, cx).is_none() {
            return;
        }
        let (kind, key) = kind_of(is_thought);
        let node = self.open(kind, cx);
        let owner = cx.next_owner();
        let slot = node.map(|node| {
            cx.set_short(node, TextBlock::id, &id);
            cx.text(node, key, owner)
        });
        self.texts(is_thought).add(&id, node, slot, cx);
    }

    pub(super) fn text_delta(
        &mut self,
        id: Str<'_>,
        is_thought: bool,
        delta: Str<'_>,
        cx: &mut Context<'_>,
    ) {
        let name = if is_thought { "THINKING_BLOCK_DELTA" } else { "TEXT_BLOCK_DELTA" };
        let texts = self.texts(is_thought);
        if let Some(Some(at)) = texts.apply(&id.to_str(), BlockEvent::Delta, name, cx)
            && let Some(slot) = texts.all[at].content
        {
            cx.append(slot, delta);
        }
    }

    pub(super) fn end_text(
        &mut self,
        id: Str<'_>,
        is_thought: bool,
        text: Option<Str<'_>>,
        cx: &mut Context<'_>,
    ) {
        let name = if is_thought { "THINKING_BLOCK_END" } else { "TEXT_BLOCK_END" };
        let texts = self.texts(is_thought);
        let Some(Some(at)) = texts.apply(&id.to_str(), BlockEvent::End, name, cx) else { return };
        let block = &texts.all[at];
        let (Some(slot), Some(node)) = (block.content, block.node) else { return };
        cx.end_text(slot);
        if let Some(text) = text {
            cx.replace_text(slot, &text.to_str());
        }
        self.stamp(node, kind_of(is_thought).1, cx);
    }

    pub(super) fn start_data(
        &mut self,
        id: Str<'_>,
        media_type: Str<'_>,
        name: Option<Str<'_>>,
        cx: &mut Context<'_>,
    ) {
        self.go_on(cx);
        let id = id.to_str();
        let data = &mut self.blocks.data;
        if data.apply(&id, BlockEvent::Start, "DATA_BLOCK_START", cx).is_none() {
            return;
        }
        let node = self.open(DataBlock::KIND, cx);
        if let Some(node) = node {
            cx.set_short(node, DataBlock::id, &id);
            if let Some(name) = name {
                cx.set_text(node, DataBlock::name, &name.to_str());
            }
            DataState::begin(node, DataBlock::source, &media_type.to_str(), cx);
        }
        self.blocks.data.add(&id, node, DataState::default(), cx);
    }

    pub(super) fn data_delta(
        &mut self,
        id: Str<'_>,
        media_type: Str<'_>,
        piece: (Option<Str<'_>>, Option<Str<'_>>),
        cx: &mut Context<'_>,
    ) {
        let id = id.to_str();
        if !has_source(piece, &id, cx) {
            return;
        }
        let data = &mut self.blocks.data;
        if let Some(Some(at)) = data.apply(&id, BlockEvent::Delta, "DATA_BLOCK_DELTA", cx)
            && let Some(node) = data.all[at].node
        {
            let place = (node, DataBlock::source);
            data.all[at].content.add(place, &media_type.to_str(), piece, &id, cx);
        }
    }

    pub(super) fn end_data(&mut self, id: Str<'_>, cx: &mut Context<'_>) {
        let data = &mut self.blocks.data;
        if let Some(Some(at)) = data.apply(&id.to_str(), BlockEvent::End, "DATA_BLOCK_END", cx)
            && let Some(node) = data.all[at].node
        {
            data.all[at].content.end(node, DataBlock::source, cx);
            self.stamp(node, DataBlock::source, cx);
        }
    }

    pub(super) fn hint(
        &mut self,
        id: Str<'_>,
        source: Option<Str<'_>>,
        hint: Option<Element<'_, '_>>,
        cx: &mut Context<'_>,
    ) {
        let id = id.to_str();
        let Some(hint) = hint.filter(|hint| hint.string().is_ok() || hint.array().is_ok()) else {
            return cx.record_of(&rules::HINT, &id, Observed::Words("another value"));
        };
        let Some(node) = self.open(HintBlock::KIND, cx) else { return };
        cx.own(&id);
        cx.set_short(node, HintBlock::id, &id);
        cx.set(node, HintBlock::hint, FieldValue::Free(hint));
        if let Some(source) = source {
            cx.set_text(node, HintBlock::source, &source.to_str());
        }
        cx.note_text_end(node, HintBlock::hint);
    }
}

fn kind_of(is_thought: bool) -> (ObjectKind, Field) {
    if is_thought {
        (ThinkingBlock::KIND, ThinkingBlock::thinking)
    } else {
        (TextBlock::KIND, TextBlock::text)
    }
}
