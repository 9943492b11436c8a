//! Writing a stream of 20,000 text deltas: the builder, which refuses what is illegal, against structs for
//! serde_json, which print the same bytes.

use agentwire::Misuse;
use agentwire::agent_api::builder::{BuilderOptions, ResponseBuilder};
use agentwire::core::id::Counter;
use serde::Serialize;

use crate::arguments::Effort;
use crate::rounds::{Comparison, Contestant, compare};

mod by_hand;

#[derive(Serialize)]
pub struct Emission {
    events: usize,
    bytes: usize,
    #[serde(flatten)]
    comparison: Comparison,
}

const DELTAS: usize = 20_000;
const WORDS: [&str; 6] = ["the", " and", " \"quoted\"", "你好", " stream", ".\n"];
const NOW: i64 = 1_760_000_000;

pub fn all(effort: Effort) -> Result<Emission, String> {
    eprintln!("native: emission");
    let tokens: Vec<&str> = (0..DELTAS).map(|at| WORDS[at * 5 % WORDS.len()]).collect();
    let bytes = agentwire(&tokens).map_err(|misuse| misuse.to_string())?.len();
    let contestant = |name, pass: fn(&[&str]) -> Vec<u8>| {
        let tokens = &tokens;
        Contestant { name, informal: false, pass: Box::new(move || pass(tokens)) }
    };
    let contestants = [
        contestant("agentwire", |tokens| agentwire(tokens).unwrap_or_default()),
        contestant("serde_json, structs by hand", by_hand::write),
    ];
    let comparison = compare(&contestants, effort, |bytes| digest(bytes))?;
    Ok(Emission { events: DELTAS + 6, bytes, comparison })
}

fn agentwire(tokens: &[&str]) -> Result<Vec<u8>, Misuse> {
    let mut out = Vec::new();
    let mut send =
        |event: agentwire::agent_api::builder::WireEvent| out.extend_from_slice(event.to_sse().as_bytes());
    let response =
        ResponseBuilder::new(BuilderOptions::new(Counter::default(), || NOW).session_id("session"));
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
    Ok(out)
}

fn digest(bytes: &[u8]) -> String {
    let hash =
        bytes.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    format!("{}:{hash:08x}", bytes.len())
}
