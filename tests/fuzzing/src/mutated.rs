//! Mutated streams of the whole corpus, read and converted whole and in chunks.
//!
//! `cargo xtask test mutations` checks a fixed number of them;
//! `cargo run --release --package agentwire-fuzzing --bin mutated <count> [seed]` checks the given number.

use agentwire::convert::Endpoint;
use agentwire_cases::cut;

use crate::answers::read;
use crate::converting;
use crate::corpus::Corpus;
use crate::random::Random;
use crate::setting;
use crate::{json_mutation, mutation, reading};

/// Streams are not longer.
const LONGEST: usize = 6000;

/// Generates inputs: six bytes of options, as in the target `reading`, and a stream.
#[derive(Debug)]
pub struct Inputs {
    streams: Vec<(u8, Vec<u8>)>,
    seeds: Vec<Vec<u8>>,
    random: Random,
}

impl Inputs {
    /// Inputs that are the same for the same seed.
    pub fn new(corpus: &Corpus, seed: u64) -> Self {
        let mut streams = Vec::new();
        for (protocol, known) in &corpus.protocols {
            let number = setting::number_of(protocol);
            streams.extend(known.iter().map(|stream| (number, stream[..stream.len().min(LONGEST)].to_vec())));
        }
        let seeds = streams.iter().map(|(_, stream)| stream.clone()).collect();
        Inputs { streams, seeds, random: Random::new(seed) }
    }

    /// Returns the next input.
    pub fn input(&mut self) -> Vec<u8> {
        let Inputs { streams, seeds, random } = self;
        let (number, stream) = random.one_of(streams).clone();
        let stream = if random.once_in(3) {
            let mut bytes = stream;
            for _ in 0..=random.below(6) {
                let (what, place, with) = (random.number(), random.number(), random.number());
                mutation::take(
                    ((what >> 8) as u8, (place >> 8) as u16, (with >> 8) as u16),
                    seeds,
                    &mut bytes,
                );
                bytes.truncate(LONGEST);
            }
            bytes
        } else {
            let mut bytes = json_mutation::mutated(&stream, seeds, random);
            bytes.truncate(2 * LONGEST);
            bytes
        };
        let number = if random.once_in(8) { setting::AUTO } else { number };
        let flags = if random.once_in(4) { random.below(128) as u8 } else { 0 };
        let limits = if random.once_in(8) { random.below(256) as u8 } else { 0 };
        let mut input = vec![number, flags, limits, random.below(256) as u8, random.below(256) as u8, 0];
        input.extend(stream);
        input
    }
}

/// - Reading yields the same snapshot, tool calls and report whole and in chunks.
/// - A conversion to each protocol writes the same bytes and reports the same losses whole and in chunks.
/// - The output is legal for a strict reader of the target, and has a terminal event.
pub fn check(input: &[u8]) {
    let (setting, stream) = setting::split(input);
    let chunks = cut::random(stream, setting.cut);
    let results = |chunks: &[&[u8]]| reading::results(&read(&setting, chunks));
    assert_eq!(results(&chunks), results(&[stream]), "read at a random cut");
    let from = setting.protocol.map(Endpoint::Protocol);
    for to in converting::PROTOCOLS {
        let convert =
            |chunks: &[&[u8]]| converting::convert(&setting, from, Endpoint::Protocol(to), chunks, false);
        let whole = convert(&[stream]);
        assert_eq!(convert(&chunks), whole, "to {} at a random cut", to.as_str());
        converting::assert_legal(from, to, &whole.0);
    }
}
