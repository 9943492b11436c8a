//! Keeps the answer of a recorded stream as JSON, whatever protocol it speaks, and reads it back.
//!
//! ```text
//! cargo run --example keep -- tests/corpus/ag-kit/k01_basic_text/stream.sse
//! ```

#![cfg_attr(not(test), expect(clippy::print_stdout, reason = "an example shows what it does"))]

use agentwire::AnyReader;
use agentwire::read::AnyOutcome;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a recorded stream")?;
    let json = keep(&std::fs::read(path)?)?;
    let kept: AnyOutcome = serde_json::from_str(&json)?;
    println!(
        "{json}\n{} with {} violations",
        kept.snapshot.protocol().as_str(),
        kept.report.violations.len()
    );
    Ok(())
}

/// What a stream comes to, as JSON.
pub fn keep(stream: &[u8]) -> serde_json::Result<String> {
    let mut reader = AnyReader::new(None, Default::default()); // of the protocol that its first event tells
    reader.push(stream);
    serde_json::to_string_pretty(&reader.finish())
}
