//! The blocks of the message, one after the other: what belongs to a later block waits.

use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

use super::WireOutput;
use super::written_events::{Streamed, WrittenEvents};
use crate::json::{ObjectWriter, Value};
use crate::protocols::anthropic::carrier::UNSIGNED;

/// The content of a block.
#[derive(Debug)]
pub(super) enum BlockKind {
    /// It begins with its first piece.
    Text,
    /// It begins with its first piece, or with its signature.
    Thinking,
    /// The call of a tool of the client, with the JSON of its start.
    ToolUse(String),
    /// Any other block: its JSON, which its start has as a whole. `None` until it is known.
    Whole(Option<String>),
}

/// A block of the message.
#[derive(Debug)]
struct WrittenBlock {
    kind: BlockKind,
    /// Its index in the message, when it has begun.
    index: Option<i64>,
    /// The pieces that have not been written.
    pending: String,
    has_text: bool,
    citations: Vec<Value>,
    signature: Option<Value>,
    /// The JSON of the blocks before it, which are written with its start.
    before: Vec<String>,
    /// The JSON of the blocks that follow it.
    after: Vec<String>,
    end: Option<BlockEnd>,
}

/// The end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockEnd {
    Stop,
    /// It has none: the stream ends with the block.
    None,
}

impl WrittenBlock {
    fn streamed(&self) -> Streamed {
        match self.kind {
            BlockKind::Thinking => Streamed::Thinking,
            BlockKind::ToolUse(_) => Streamed::Input,
            BlockKind::Text | BlockKind::Whole(_) => Streamed::Text,
        }
    }

    /// Whether it has something to write. A text may have to wait for its end.
    fn can_begin(&self, texts_wait: bool) -> bool {
        match &self.kind {
            BlockKind::Text => self.has_text && (self.end.is_some() || !texts_wait),
            BlockKind::Thinking => self.has_text || self.signature.is_some(),
            BlockKind::ToolUse(_) => self.has_text || self.end.is_some(),
            BlockKind::Whole(json) => json.is_some(),
        }
    }

    /// Whether a part of it is known.
    fn has_content(&self) -> bool {
        self.index.is_some() || self.has_text || self.signature.is_some()
    }

    /// Returns its JSON at its start.
    fn start(&mut self) -> String {
        let empty = |kind: &str, more: &[&str]| {
            let mut json = String::new();
            let mut block = ObjectWriter::open(&mut json, false);
            block.string("type", Some(kind));
            more.iter().for_each(|member| block.string(member, Some("")));
            block.close();
            json
        };
        match &mut self.kind {
            BlockKind::Text => empty("text", &["text"]),
            BlockKind::Thinking => empty("thinking", &["thinking", "signature"]),
            BlockKind::ToolUse(json) => core::mem::take(json),
            BlockKind::Whole(json) => json.take().unwrap_or_default(),
        }
    }
}

/// The blocks that have begun at the hub.
#[derive(Debug, Default)]
pub(super) struct BlockQueue {
    blocks: Vec<WrittenBlock>,
    /// Those that have not been written to their end, in their order.
    waiting: VecDeque<usize>,
    /// The number of blocks that were written.
    written: i64,
    /// The arguments so far of the call that is being written.
    input: String,
    /// Whether a text is written at its end, after the blocks that belong to it.
    texts_wait: bool,
}

impl BlockQueue {
    /// Creates a queue. `texts_wait`: what belongs to a text is before it, so that the text is the
    /// last block of an answer that ends with one.
    pub fn new(texts_wait: bool) -> Self {
        BlockQueue { texts_wait, ..Self::default() }
    }

    /// Whether what belongs to a text is before it.
    pub fn do_texts_wait(&self) -> bool {
        self.texts_wait
    }

    /// Adds a block after all others.
    pub fn add(&mut self, kind: BlockKind) -> usize {
        self.blocks.push(WrittenBlock {
            kind,
            index: None,
            pending: String::new(),
            has_text: false,
            citations: Vec::new(),
            signature: None,
            before: Vec::new(),
            after: Vec::new(),
            end: None,
        });
        self.waiting.push_back(self.blocks.len() - 1);
        self.blocks.len() - 1
    }

    /// Adds a block that is complete, after all others.
    pub fn add_whole(
        &mut self,
        json: String,
        events: &mut WrittenEvents,
        out: &mut WireOutput<'_>,
    ) {
        let block = self.add(BlockKind::Whole(Some(json)));
        self.end(block, events, out);
    }

    /// Adds a block that is complete directly before a text that waits, or after all others if the
    /// text was written.
    pub fn add_before(
        &mut self,
        text: usize,
        json: String,
        events: &mut WrittenEvents,
        out: &mut WireOutput<'_>,
    ) {
        match self.blocks[text].index {
            None => self.blocks[text].before.push(json),
            Some(_) => self.add_whole(json, events, out),
        }
    }

    /// Adds a block that is complete directly after another one, or after all others if that was
    /// written to its end.
    pub fn add_after(
        &mut self,
        other: usize,
        json: String,
        events: &mut WrittenEvents,
        out: &mut WireOutput<'_>,
    ) {
        match self.blocks[other].end {
            None => self.blocks[other].after.push(json),
            Some(_) => self.add_whole(json, events, out),
        }
    }

    /// Returns whether a block has had a piece.
    pub fn has_text(&self, block: usize) -> bool {
        self.blocks[block].has_text
    }

    /// Adds a piece to a block, and writes it if the block is the current one.
    pub fn push_piece(
        &mut self,
        at: usize,
        piece: &str,
        events: &mut WrittenEvents,
        out: &mut WireOutput<'_>,
    ) {
        if piece.is_empty() {
            return;
        }
        let block = &mut self.blocks[at];
        block.has_text = true;
        if let (Some(index), true) = (block.index, block.pending.is_empty())
            && self.waiting.front() == Some(&at)
        {
            let kind = block.streamed();
            self.add_written(piece);
            return events.piece(index, kind, piece, out);
        }
        block.pending.push_str(piece);
        self.advance(events, out);
    }

    /// Adds a citation to a text, which has its citations at its end.
    pub fn cite(&mut self, at: usize, citation: Value) {
        self.blocks[at].citations.push(citation);
    }

    /// Replaces the citations of a text by those of the server.
    pub fn set_citations(&mut self, at: usize, citations: Vec<Value>) {
        self.blocks[at].citations = citations;
    }

    /// Sets the signature of a thinking block.
    pub fn sign(&mut self, at: usize, signature: Value) {
        self.blocks[at].signature = Some(signature);
    }

    /// Returns whether a thinking block has a signature.
    pub fn is_signed(&self, at: usize) -> bool {
        self.blocks[at].signature.is_some()
    }

    /// Sets the JSON of a block that is written as a whole.
    pub fn set_whole(&mut self, at: usize, json: String) {
        self.blocks[at].kind = BlockKind::Whole(Some(json));
    }

    /// Ends a block.
    pub fn end(&mut self, at: usize, events: &mut WrittenEvents, out: &mut WireOutput<'_>) {
        self.blocks[at].end.get_or_insert(BlockEnd::Stop);
        self.advance(events, out);
    }

    /// Makes a block the last one, which ends without a stop: the stream ends with it. If it has
    /// begun, nothing can follow it.
    pub fn cut(&mut self, at: usize, out: &mut WireOutput<'_>) {
        if self.blocks[at].index.is_none() {
            self.waiting.retain(|waiting| *waiting != at);
            self.waiting.push_back(at);
        } else if self.waiting.len() > 1 {
            out.lose("call-cut-off", "", "what follows a call that was cut off is left out");
            self.waiting.truncate(1);
        }
        self.blocks[at].end.get_or_insert(BlockEnd::None);
    }

    /// Ends all blocks of an answer that has failed. The last one has no stop, because it is not
    /// complete: clients repeat the request if no block of the answer is.
    pub fn break_off(&mut self, events: &mut WrittenEvents, out: &mut WireOutput<'_>) {
        let begins = |at: &&usize| self.blocks[**at].has_content();
        if let Some(at) = self.waiting.iter().rev().find(begins).copied() {
            self.blocks[at].end.get_or_insert(BlockEnd::None);
        }
        self.end_all(events, out);
    }

    /// Ends all blocks. Those of which nothing is known are not written.
    pub fn end_all(&mut self, events: &mut WrittenEvents, out: &mut WireOutput<'_>) {
        for at in &self.waiting {
            self.blocks[*at].end.get_or_insert(BlockEnd::Stop);
        }
        self.advance(events, out);
    }

    /// Returns the arguments so far of a call that has not ended.
    pub fn input(&self, at: usize) -> &str {
        let block = &self.blocks[at];
        if block.index.is_some() { &self.input } else { &block.pending }
    }

    /// Replaces the arguments of a call. Returns false if some were written.
    pub fn replace_input(&mut self, at: usize, input: String) -> bool {
        let block = &mut self.blocks[at];
        if block.index.is_none() {
            block.has_text = !input.is_empty();
            block.pending = input;
        }
        block.index.is_none()
    }

    /// Counts a piece that was written of the current block.
    pub fn add_written(&mut self, piece: &str) {
        if let Some(at) = self.waiting.front()
            && matches!(self.blocks[*at].kind, BlockKind::ToolUse(_))
        {
            self.input.push_str(piece);
        }
    }

    /// Writes what is known, up to the first block that has not ended.
    fn advance(&mut self, events: &mut WrittenEvents, out: &mut WireOutput<'_>) {
        while let Some(&at) = self.waiting.front() {
            self.write(at, events, out);
            let Some(end) = self.blocks[at].end else { return };
            self.stop(at, end, events, out);
            self.waiting.pop_front();
        }
    }

    /// Writes what is known of the current block.
    fn write(&mut self, at: usize, events: &mut WrittenEvents, out: &mut WireOutput<'_>) {
        let block = &mut self.blocks[at];
        let kind = block.streamed();
        if block.index.is_none() && block.can_begin(self.texts_wait) {
            for json in core::mem::take(&mut block.before) {
                events.start_block(self.written, &json, out);
                events.stop_block(self.written, None, out);
                self.written += 1;
            }
            block.index = Some(self.written);
            self.written += 1;
            self.input.clear();
            let start = block.start();
            events.start_block(self.written - 1, &start, out);
        }
        let Some(index) = block.index else { return };
        let pending = core::mem::take(&mut block.pending);
        if !pending.is_empty() {
            self.add_written(&pending);
            events.piece(index, kind, &pending, out);
        }
    }

    fn stop(
        &mut self,
        at: usize,
        end: BlockEnd,
        events: &mut WrittenEvents,
        out: &mut WireOutput<'_>,
    ) {
        let block = &mut self.blocks[at];
        for citation in core::mem::take(&mut block.citations) {
            match block.index {
                Some(index) => {
                    events.delta(index, "citations_delta", ("citation", &citation), out);
                }
                None => out.lose("annotation", "", "the text that it belongs to is empty"),
            }
        }
        if let (Some(index), BlockEnd::Stop) = (block.index, end) {
            if let BlockKind::Thinking = &block.kind {
                let signature = block.signature.take().unwrap_or_else(|| UNSIGNED.into());
                events.delta(index, "signature_delta", ("signature", &signature), out);
            }
            let is_whole = matches!(block.kind, BlockKind::Whole(_));
            events.stop_block(index, (!is_whole).then(|| block.streamed()), out);
        }
        // Those before a text that was empty are not written yet.
        let left =
            core::mem::take(&mut block.before).into_iter().chain(core::mem::take(&mut block.after));
        for json in left {
            events.start_block(self.written, &json, out);
            events.stop_block(self.written, None, out);
            self.written += 1;
        }
    }
}
