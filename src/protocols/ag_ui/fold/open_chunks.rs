//! The texts and calls that chunks have opened: at most one in each lane, and each id once per kind.

use alloc::{boxed::Box, vec::Vec};

use crate::bytes::string_map::StringMap;
use crate::protocols::ag_ui::lifecycle::{Lane, Thing};

/// The text or call that the chunks of a lane have opened.
#[derive(Debug)]
pub(super) struct OpenChunk {
    pub lane: Lane,
    pub thing: Thing,
    pub id: Box<str>,
    /// The fields of the first chunk.
    pub fields: [Option<Box<str>>; 2],
    /// The lane that the first chunk named.
    pub named: Lane,
}

/// All open texts and calls, by lane and by id.
#[derive(Debug, Default)]
pub(super) struct OpenChunks {
    /// The entries in the order in which they were opened. An ended entry leaves its place empty until all have
    /// ended.
    all: Vec<Option<OpenChunk>>,
    /// The place of the main agent's entry.
    main: Option<usize>,
    lanes: StringMap<Option<usize>>,
    kinds: [Kind; Thing::COUNT],
}

/// The open entries of one kind.
#[derive(Debug, Default)]
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

    /// Returns the place of the entry of a lane.
    pub fn in_lane(&self, lane: Option<&str>) -> Option<usize> {
        match lane {
            None => self.main,
            Some(lane) => self.lanes.get(lane).copied().flatten(),
        }
    }

    /// Returns the entry of a kind with that id.
    pub fn with_id(&self, thing: Thing, id: &str) -> Option<&OpenChunk> {
        self.get(self.kinds[thing as usize].ids.get(id).copied().flatten()?)
    }

    /// Returns the number of lanes that have an open entry of this kind.
    pub fn count(&self, thing: Thing) -> usize {
        self.kinds[thing as usize].count
    }

    /// Returns the only entry of a kind.
    pub fn only(&self, thing: Thing) -> Option<&OpenChunk> {
        let kind = &self.kinds[thing as usize];
        self.get(kind.places).filter(|_| kind.count == 1)
    }

    /// Adds an entry to a lane that does not have one, and returns its place.
    pub fn push(&mut self, chunk: OpenChunk) -> usize {
        let at = self.all.len();
        self.point(&chunk, Some(at));
        let kind = &mut self.kinds[chunk.thing as usize];
        kind.count += 1;
        kind.places += at;
        self.all.push(Some(chunk));
        at
    }

    pub fn remove(&mut self, at: usize) -> Option<OpenChunk> {
        let chunk = self.all.get_mut(at)?.take()?;
        self.point(&chunk, None);
        let kind = &mut self.kinds[chunk.thing as usize];
        kind.count -= 1;
        kind.places -= at;
        if self.kinds.iter().all(|kind| kind.count == 0) {
            *self = OpenChunks::default();
        }
        Some(chunk)
    }

    /// Removes all entries, and returns them in the order in which they were opened.
    pub fn take(&mut self) -> impl Iterator<Item = OpenChunk> + use<> {
        core::mem::take(self).all.into_iter().flatten()
    }

    fn point(&mut self, chunk: &OpenChunk, at: Option<usize>) {
        match &chunk.lane {
            None => self.main = at,
            Some(lane) => self.lanes.insert(lane, at),
        }
        self.kinds[chunk.thing as usize].ids.insert(&chunk.id, at);
    }
}
