//! Conversion of a stream from bytes to bytes, for callgrind.

use std::hint::black_box;
use std::path::Path;

use agentwire::ProtocolKind;
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::builder::Counter;
use agentwire::convert::{ConvertOptions, Converter};

use crate::corpus;

const NOW: i64 = 1_760_000_000;

/// Runs passes without clocks: the difference between two runs is the cost of a pass.
pub fn repeat(
    folder: &Path,
    corpus: &str,
    (from, to): (&str, &str),
    passes: usize,
) -> Result<(), String> {
    let chunks = corpus::chunks(folder, corpus, "net")?;
    let (from, to) = (protocol(from)?, protocol(to)?);
    for _ in 0..passes {
        black_box(pass(&chunks, from, to)?);
    }
    Ok(())
}

/// Converts each chunk to a text, as a server sends it on.
fn pass(chunks: &[Vec<u8>], from: ProtocolKind, to: ProtocolKind) -> Result<usize, String> {
    let options = ConvertOptions::new(BuilderOptions::new(Counter::default(), || NOW));
    let mut converter = Converter::new(from, to, options).map_err(|misuse| misuse.to_string())?;
    let mut bytes = 0;
    for chunk in chunks {
        let mut out = String::new();
        converter.push(chunk, &mut out);
        bytes += black_box(out).len();
    }
    let mut out = String::new();
    converter.finish(&mut out);
    Ok(bytes + black_box(out).len())
}

fn protocol(name: &str) -> Result<ProtocolKind, String> {
    let found = ProtocolKind::READABLE.iter().find(|kind| kind.as_str() == name);
    found.copied().ok_or_else(|| format!("there is no protocol `{name}`"))
}
