//! Mutated streams of the whole corpus, read and converted whole and in chunks.
//!
//! `cargo xtask test mutations` checks a fixed number of them;
//! `cargo run --release --package agentwire-fuzzing --bin mutated <count> [seed]` checks the given
//! number.

use agentwire::convert::ConversionSide;
use agentwire::read::{AnyOptions, AnyOutcome, Mode};
use agentwire::{AnyReader, EndReason, Severity};
use agentwire_cases::cut;

use crate::answers::read;
use crate::converting;
use crate::corpus::Corpus;
use crate::random::Random;
use crate::setting;
use crate::{content, json_mutation, mutation, reading};

/// Streams are not longer.
const LONGEST: usize = 6000;

/// A stream to read and convert.
#[derive(Debug)]
pub struct Input {
    /// Six bytes of options, as in the target `reading`, and the stream.
    pub bytes: Vec<u8>,
    /// The texts of content that the stream still has of the one that it was made of.
    contents: Vec<content::Text>,
}

/// The number of a protocol, a stream of it, and its texts of content that are in its answer.
type Seed = (u8, Vec<u8>, Vec<content::Text>);

/// Generates inputs.
#[derive(Debug)]
pub struct Inputs {
    streams: Vec<Seed>,
    seeds: Vec<Vec<u8>>,
    random: Random,
}

impl Inputs {
    /// Inputs that are the same for the same seed.
    pub fn new(corpus: &Corpus, seed: u64) -> Self {
        let mut streams = Vec::new();
        for (protocol, known) in &corpus.protocols {
            let number = setting::number_of(protocol);
            streams.extend(known.iter().map(|stream| {
                let stream = stream[..stream.len().min(LONGEST)].to_vec();
                let (setting, _) = setting::split(&[number]);
                let answer = read(&setting, &[&stream]).snapshot.to_json();
                let mut contents = content::of_stream(&stream);
                contents.retain(|text| {
                    answer.contains(serde_json::json!(text).to_string().trim_matches('"'))
                });
                (number, stream, contents)
            }));
        }
        let seeds = streams.iter().map(|(_, stream, _)| stream.clone()).collect();
        Inputs { streams, seeds, random: Random::new(seed) }
    }

    /// Returns the next input.
    pub fn input(&mut self) -> Input {
        let Inputs { streams, seeds, random } = self;
        let (number, seed, mut contents) = random.one_of(streams).clone();
        let stream = if random.once_in(3) {
            let mut bytes = seed.clone();
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
            let mut bytes = json_mutation::mutated(&seed, seeds, random);
            bytes.truncate(2 * LONGEST);
            bytes
        };
        let number = if random.once_in(8) { setting::AUTO } else { number };
        let flags = if random.once_in(4) { random.below(128) as u8 } else { 0 };
        let limits = if random.once_in(8) { random.below(256) as u8 } else { 0 };
        let mut bytes =
            vec![number, flags, limits, random.below(256) as u8, random.below(256) as u8, 0];
        let still = content::of_stream(&stream);
        contents.retain(|text| still.contains(text));
        bytes.extend(stream);
        Input { bytes, contents }
    }
}

/// - Reading yields the same snapshot, tool calls and report whole and in chunks.
/// - A conversion to each protocol writes the same bytes and reports the same losses whole and in
///   chunks.
/// - The output is legal for a strict reader of the target, and has a terminal event.
/// - An answer and an output without content have a violation, an unknown event or a loss if the
///   stream has content, or are not a
///   success.
pub fn check(input: &Input) {
    let (setting, stream) = setting::split(&input.bytes);
    let chunks = cut::random(stream, setting.cut);
    let outcome = read(&setting, &[stream]);
    assert_eq!(
        reading::results(&read(&setting, &chunks)),
        reading::results(&outcome),
        "read at a random cut"
    );
    let is_usual = setting.choices.options.mode == Mode::Lenient && !setting.small;
    let has_content = is_usual && !input.contents.is_empty() && !is_explained(&outcome);
    let assert_full = |outcome: &AnyOutcome, how: &str| {
        let snapshot = outcome.snapshot.to_json();
        let is_full = outcome.report.end_reason != EndReason::Terminal || content::is_in(&snapshot);
        assert!(is_full, "an empty success {how}: {:?} became {snapshot}", input.contents);
    };
    if has_content {
        assert_full(&outcome, "of a reader");
    }
    let from = setting.protocol.map(ConversionSide::Protocol);
    for to in converting::PROTOCOLS {
        let convert = |chunks: &[&[u8]]| {
            converting::convert(&setting, from, ConversionSide::Protocol(to), chunks, false)
        };
        let whole = convert(&[stream]);
        assert_eq!(convert(&chunks), whole, "to {} at a random cut", to.as_str());
        converting::assert_legal(from, to, &whole.0);
        if has_content && whole.1.starts_with("{\"losses\":[]") {
            let mut reader = AnyReader::with_options(Some(to), AnyOptions::default());
            reader.push(whole.0.as_bytes());
            assert_full(&reader.finish(), to.as_str());
        }
    }
}

/// Whether a report names what may be missing.
fn is_explained(AnyOutcome { report, .. }: &AnyOutcome) -> bool {
    !report.unknown.is_empty() || report.worst().is_some_and(|worst| worst >= Severity::Warning)
}
