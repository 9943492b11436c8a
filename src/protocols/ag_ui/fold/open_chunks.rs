//! The texts and calls that chunks have begun: each subagent has one at most, and an id occurs once
//! per kind. (B.5.)

use alloc::{boxed::Box, vec::Vec};

use crate::bytes::string_map::StringMap;
use crate::protocols::ag_ui::events::EventKind;
use crate::protocols::ag_ui::lifecycle::{StreamKind, Subagent};

/// A text, a reasoning message or a call that chunks have begun.
#[derive(Clone, Debug)]
pub(super) struct OpenChunk {
    pub subagent: Subagent,
    pub kind: StreamKind,
    pub id: Box<str>,
    /// The fields that later chunks have to repeat, or omit.
    pub fields: [Option<Box<str>>; 2],
    /// The subagent that the first chunk named.
    pub named: Subagent,
}

/// The texts and calls that chunks have begun, by subagent and by id.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenChunks {
    /// The entries in the order in which they were opened. An ended entry leaves its place empty
    /// until all have ended.
    all: Vec<Option<OpenChunk>>,
    /// The place of the main agent's entry.
    main: Option<usize>,
    subagents: StringMap<Option<usize>>,
    kinds: [Kind; StreamKind::COUNT],
}

/// The open entries of one kind.
#[derive(Clone, Debug, Default)]
struct Kind {
    ids: StringMap<Option<usize>>,
    count: usize,
    /// The sum of their places, which is the place itself if there is only one entry.
    places: usize,
}

impl OpenChunks {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn len(&self) -> usize {
        self.kinds.iter().map(|kind| kind.count).sum()
    }

    pub fn get(&self, at: usize) -> Option<&OpenChunk> {
        self.all.get(at)?.as_ref()
    }

    /// Returns the place of the stream of a subagent.
    pub fn of(&self, subagent: Option<&str>) -> Option<usize> {
        match subagent {
            None => self.main,
            Some(subagent) => self.subagents.get(subagent).copied().flatten(),
        }
    }

    /// Returns the place of the stream of a kind with that id.
    pub fn with_id(&self, kind: StreamKind, id: &str) -> Option<usize> {
        self.kinds[kind as usize].ids.get(id).copied().flatten()
    }

    /// Returns the number of streams of this kind.
    pub fn count(&self, kind: StreamKind) -> usize {
        self.kinds[kind as usize].count
    }

    /// Returns the only entry of a kind.
    pub fn only(&self, kind: StreamKind) -> Option<&OpenChunk> {
        let kind = &self.kinds[kind as usize];
        self.get(kind.places).filter(|_| kind.count == 1)
    }

    /// Adds a stream to a subagent that does not have one, and returns its place.
    pub fn push(&mut self, stream: OpenChunk) -> usize {
        let at = self.all.len();
        self.point(&stream, Some(at));
        let kind = &mut self.kinds[stream.kind as usize];
        kind.count += 1;
        kind.places += at;
        self.all.push(Some(stream));
        at
    }

    /// Removes the stream at a place.
    fn remove(&mut self, at: usize) -> Option<OpenChunk> {
        let stream = self.all.get_mut(at)?.take()?;
        self.point(&stream, None);
        let kind = &mut self.kinds[stream.kind as usize];
        kind.count -= 1;
        kind.places -= at;
        if self.kinds.iter().all(|kind| kind.count == 0) {
            *self = OpenChunks::default();
        }
        Some(stream)
    }

    /// Removes the streams that an event ends: all, or that of the sender of the event. A chunk
    /// that continues a stream is recognized by its id instead.
    pub fn end_before(&mut self, kind: EventKind, subagent: Option<&str>) -> Vec<OpenChunk> {
        use EventKind::*;
        match kind {
            RunStarted | RunFinished | RunError | MessagesSnapshot => {
                core::mem::take(self).all.into_iter().flatten().collect()
            }
            Raw
            | ActivitySnapshot
            | ActivityDelta
            | ReasoningEncryptedValue
            | SubagentStarted
            | TextMessageChunk
            | ToolCallChunk
            | ReasoningMessageChunk => Vec::new(),
            _ => self.end(subagent).into_iter().collect(),
        }
    }

    /// Removes the stream of a subagent.
    pub fn end(&mut self, subagent: Option<&str>) -> Option<OpenChunk> {
        self.remove(self.of(subagent)?)
    }

    fn point(&mut self, stream: &OpenChunk, at: Option<usize>) {
        match &stream.subagent {
            None => self.main = at,
            Some(subagent) => self.subagents.insert(subagent, at),
        }
        self.kinds[stream.kind as usize].ids.insert(&stream.id, at);
    }
}
