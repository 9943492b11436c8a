//! The cost of a stream at two sizes, and that of its part that does not grow.

use std::fmt;

use crate::curves::{self, stream::Stream};
use crate::floods;
use crate::guest::{Guest, Work};

/// The protocols, in the order of their numbers. The first ones are also written.
const PROTOCOLS: [&str; 11] = [
    "agent-api",
    "agentscope",
    "ag-kit",
    "ag-ui",
    "responses",
    "a2a",
    "ai-sdk",
    "chat",
    "anthropic",
    "gemini",
    "interactions",
];
const TARGETS: u32 = 7;
const AG_UI: u32 = 3;

/// The size of the smallest stream: large enough to distinguish a quadratic cost from the cost of
/// every event.
const SIZE: usize = 1000;

/// The most that the exponent of a cost may be.
const EXPONENT: f64 = 1.2;

/// The most instructions for each byte of the largest stream. An empty item of a list has three
/// bytes, and costs as much as any.
const INSTRUCTIONS: u64 = 32_768;

/// The most bytes that may be written for each byte of the stream, and in any case.
const WRITTEN: (u64, u64) = (64, 1 << 16);

/// A kind of stream.
pub struct Kind {
    name: String,
    protocol: u32,
    /// The number that the smallest stream is written with.
    size: usize,
    write: Box<dyn Fn(usize) -> String + Sync>,
}

/// How the cost of one thing that is done with a kind of stream grows.
pub struct Verdict {
    name: String,
    /// The bytes of the largest stream.
    bytes: u64,
    /// The bytes of the two streams, without those of the part that does not grow.
    grown_bytes: [u64; 2],
    /// The instructions for both sizes, without those for the constant part. `None` if there are
    /// too many.
    grown_instructions: [Option<u64>; 2],
    /// The instructions for the largest.
    instructions: u64,
    /// The bytes that are written for the largest.
    written: u64,
}

/// All kinds whose names contain one of these words; all kinds without words.
pub fn all(words: &[String]) -> Vec<Kind> {
    let number = |name: &str| {
        let protocol = PROTOCOLS.iter().position(|protocol| *protocol == name);
        protocol.expect("a protocol of the list") as u32
    };
    let kinds = curves::ALL.iter().flat_map(|(protocol, curves)| {
        curves.iter().map(|&(name, write)| {
            let write = move |n| {
                let mut stream = Stream::default();
                write(&mut stream, n);
                stream.0
            };
            Kind {
                name: name.to_owned(),
                protocol: number(protocol),
                size: SIZE,
                write: Box::new(write),
            }
        })
    });
    let floods = floods::all().into_iter().map(|flood| Kind {
        name: flood.name.clone(),
        protocol: number(&flood.protocol),
        size: flood.n.div_ceil(4),
        write: Box::new(move |n| flood.write(n)),
    });
    let is_meant = |kind: &Kind| {
        let name = format!("{} {}", PROTOCOLS[kind.protocol as usize], kind.name);
        words.is_empty() || words.iter().any(|word| name.contains(word))
    };
    kinds.chain(floods).filter(is_meant).collect()
}

impl Kind {
    /// Measures all operations on such streams.
    pub fn measure(&self, guest: &Guest) -> Vec<Verdict> {
        let streams = [0, 1, 4].map(|times| (self.write)(times * self.size));
        let compacts = (self.protocol == AG_UI).then_some(Work::Compact);
        let works = [Work::Read, Work::Patches].into_iter().chain(compacts);
        let works = works.chain((0..TARGETS).map(Work::Convert));
        works.map(|work| self.judged(guest, work, &streams)).collect()
    }

    /// A cost that begins between the two sizes looks like growth: the next two sizes decide.
    fn judged(&self, guest: &Guest, work: Work, streams: &[String; 3]) -> Verdict {
        let first = self.verdict(guest, work, streams);
        if first.passes() || first.exponent().is_none() {
            return first;
        }
        self.verdict(guest, work, &[0, 4, 16].map(|times| (self.write)(times * self.size)))
    }

    fn verdict(&self, guest: &Guest, work: Work, streams: &[String; 3]) -> Verdict {
        let costs =
            streams.each_ref().map(|stream| guest.cost(work, self.protocol, stream.as_bytes()));
        let [constant, grown @ ..] = costs;
        let constant = constant.map_or(0, |cost| cost.instructions);
        let lengths = streams.each_ref().map(|stream| stream.len() as u64);
        let done = match work {
            Work::Convert(to) => format!("convert to {}", PROTOCOLS[to as usize]),
            other => format!("{other:?}").to_lowercase(),
        };
        Verdict {
            name: format!("{}, {}: {done}", PROTOCOLS[self.protocol as usize], self.name),
            bytes: lengths[2],
            grown_bytes: [lengths[1] - lengths[0], lengths[2] - lengths[0]],
            grown_instructions: grown
                .map(|cost| Some(cost?.instructions.saturating_sub(constant).max(1))),
            instructions: grown[1].map_or(u64::MAX, |cost| cost.instructions),
            written: grown[1].map_or(0, |cost| cost.written),
        }
    }
}

impl Verdict {
    /// The exponent by which the instructions grow. `None` if there were too many.
    fn exponent(&self) -> Option<f64> {
        let [small, large] = self.grown_instructions.map(|count| Some((count? as f64).ln()));
        let [short, long] = self.grown_bytes.map(|bytes| (bytes as f64).ln());
        Some((large? - small?) / (long - short))
    }

    pub fn passes(&self) -> bool {
        let (each, any) = WRITTEN;
        self.exponent().is_some_and(|exponent| exponent <= EXPONENT)
            && self.instructions <= INSTRUCTIONS * self.bytes
            && self.written <= each * self.bytes + any
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes;
        let written = self.written as f64 / bytes as f64;
        let Some(exponent) = self.exponent() else {
            return write!(f, "{}: {bytes} bytes take too many instructions", self.name);
        };
        let each = self.instructions / bytes;
        write!(
            f,
            "{}: {bytes} bytes, {each} instructions each, exponent {exponent:.2}, writes {written:.1} each",
            self.name
        )
    }
}
