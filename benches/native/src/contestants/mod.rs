//! The readers of a cell's chunks.

mod blocks;
mod borrowed;
mod digest;
mod state;
mod tagged;

use std::hint::black_box;

use agentwire::Reader;
use agentwire::agent_api::{AgentApi, Snapshot};

use crate::rounds::Contestant;
use state::State;

/// The answer of a pass. Its digest is computed outside of the clocks.
pub enum Answer {
    Ours(Box<Snapshot>),
    Theirs(State),
}

impl Answer {
    pub fn digest(&self) -> String {
        match self {
            Answer::Ours(snapshot) => digest::of_snapshot(snapshot),
            Answer::Theirs(state) => digest::of_state(state),
        }
    }
}

pub type Chunks<'c> = &'c [&'c [u8]];

/// Returns the contestants, agentwire first.
pub fn readers<'c>(chunks: Chunks<'c>) -> Vec<Contestant<'c, Answer>> {
    let contestant = |name, informal, pass: fn(Chunks<'_>) -> Answer| Contestant {
        name,
        informal,
        pass: Box::new(move || pass(chunks)),
    };
    vec![
        contestant("agentwire", false, agentwire),
        contestant("sse-stream + serde_json tagged enum + append", false, |chunks| {
            Answer::Theirs(tagged::read(chunks))
        }),
        contestant("sse-stream + serde_json borrowed flat struct + append", true, |chunks| {
            Answer::Theirs(borrowed::read(chunks))
        }),
    ]
}

/// An empty chunk starts the next stream, with a fresh reader.
fn agentwire(chunks: Chunks<'_>) -> Answer {
    let mut reader = Reader::new(AgentApi::default());
    for chunk in chunks {
        if chunk.is_empty() {
            black_box(std::mem::replace(&mut reader, Reader::new(AgentApi::default())).finish());
        }
        reader.push(chunk);
    }
    Answer::Ours(Box::new(reader.finish().snapshot))
}
