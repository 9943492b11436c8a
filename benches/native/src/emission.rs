//! Writing streams of text deltas: the builder of the Agent API and the writer of events, which
//! refuse violations, against structs for serde_json, which write the same bytes.

use agentwire::UsageError;
use agentwire::ag_kit::{AgKit, events::Event};
use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
use agentwire::builder::Counter;
use agentwire::builder::WireEvent;
use agentwire::write::{EventError, EventWriter};
use serde::Serialize;
use std::hint::black_box;

use crate::arguments::Effort;
use crate::rounds::{Comparison, Contestant, compare};

mod by_hand;

#[derive(Serialize)]
pub struct Emission {
    streams: Vec<Written>,
}

#[derive(Serialize)]
struct Written {
    title: String,
    events: usize,
    bytes: usize,
    #[serde(flatten)]
    comparison: Comparison,
}

/// A workload: a number of streams, one after the other.
struct Workload {
    name: &'static str,
    streams: usize,
    deltas: usize,
    /// Events in addition to the deltas.
    others: usize,
    builder: Pass,
    by_hand: Pass,
}

/// Appends one stream of these texts to the bytes.
type Pass = fn(&[&str], &mut Vec<u8>);

/// The same as in `js/emission.mjs`.
const WORKLOADS: [Workload; 3] = [
    Workload {
        name: "long",
        streams: 1,
        deltas: 20_000,
        others: 6,
        builder: agent_api,
        by_hand: by_hand::write,
    },
    Workload {
        name: "short",
        streams: 1_000,
        deltas: 20,
        others: 6,
        builder: agent_api,
        by_hand: by_hand::write,
    },
    Workload {
        name: "ag-kit",
        streams: 1,
        deltas: 20_000,
        others: 1,
        builder: ag_kit,
        by_hand: by_hand::write_ag_kit,
    },
];
const WORDS: [&str; 6] = ["the", " and", " \"quoted\"", "你好", " stream", ".\n"];
const NOW: i64 = 1_760_000_000;

pub fn all(effort: Effort) -> Result<Emission, String> {
    let streams =
        WORKLOADS.iter().map(|workload| one(workload, effort)).collect::<Result<_, String>>()?;
    Ok(Emission { streams })
}

/// Runs passes without clocks, for callgrind: the difference between two runs is the cost of a
/// pass.
pub fn repeat(workload: &str, contestant: &str, passes: usize) -> Result<(), String> {
    let found = WORKLOADS.iter().find(|known| known.name == workload);
    let workload = found.ok_or_else(|| format!("there is no workload `{workload}`"))?;
    let tokens = workload.tokens();
    let contestants = workload.contestants(&tokens);
    let found = contestants.iter().find(|known| known.name == contestant);
    let contestant = found.ok_or_else(|| format!("there is no contestant `{contestant}`"))?;
    for _ in 0..passes {
        black_box((contestant.pass)());
    }
    Ok(())
}

fn one(workload: &Workload, effort: Effort) -> Result<Written, String> {
    eprintln!("native: emission, {}", workload.name);
    let tokens = workload.tokens();
    let contestants = workload.contestants(&tokens);
    let bytes = (contestants[0].pass)().len();
    let comparison = compare(&contestants, effort, |bytes| digest(bytes))?;
    let Workload { name, streams, deltas, others, .. } = *workload;
    let title = format!("{name}: {streams} × {} events", deltas + others);
    Ok(Written { title, events: streams * (deltas + others), bytes, comparison })
}

impl Workload {
    fn tokens(&self) -> Vec<&'static str> {
        (0..self.deltas).map(|at| WORDS[at * 5 % WORDS.len()]).collect()
    }

    fn contestants<'t>(&self, tokens: &'t [&'static str]) -> [Contestant<'t, Vec<u8>>; 2] {
        let streams = self.streams;
        let contestant = |name, stream: Pass| {
            let pass = move || {
                let mut out = Vec::new();
                (0..streams).for_each(|_| stream(tokens, &mut out));
                out
            };
            Contestant { name, informal: false, pass: Box::new(pass) }
        };
        [
            contestant("agentwire", self.builder),
            contestant("serde_json, structs by hand", self.by_hand),
        ]
    }
}

fn agent_api(tokens: &[&str], out: &mut Vec<u8>) {
    let mut write = || -> Result<(), UsageError> {
        let mut send = |event: WireEvent| out.extend_from_slice(event.as_sse().as_bytes());
        let response = ResponseBuilder::new(
            BuilderOptions::new(Counter::default(), || NOW).session_id("session"),
        );
        send(response.created()?);
        send(response.in_progress()?);
        let message = response.create_message_builder("assistant", "message")?;
        send(message.in_progress()?);
        let content = message.create_content_builder("text")?;
        for token in tokens {
            send(content.add_text_delta(token)?);
        }
        send(content.complete()?);
        send(message.complete()?);
        send(response.completed()?);
        Ok(())
    };
    write().expect("the stream is legal");
}

fn ag_kit(tokens: &[&str], out: &mut Vec<u8>) {
    let mut write = || -> Result<(), EventError> {
        let mut send = |event: WireEvent| out.extend_from_slice(event.as_sse().as_bytes());
        let mut turn = EventWriter::new(AgKit::default()).expect("no options");
        for token in tokens {
            send(turn.write(&Event::Text { content: (*token).into() })?);
        }
        send(turn.write(&Event::Done)?);
        turn.finish().map(drop)
    };
    write().expect("the stream is legal");
}

fn digest(bytes: &[u8]) -> String {
    let hash = bytes
        .iter()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    format!("{}:{hash:08x}", bytes.len())
}
