//! Writes the snapshot of a recorded stream as JSON and parses it again. The stream can be of any
//! protocol.
//!
//! ```text
//! cargo run --example keep -- tests/data/corpus/ag-kit/k01_basic_text/stream.sse
//! ```

#![cfg_attr(not(test), expect(clippy::print_stdout, reason = "an example shows what it does"))]

use std::process::ExitCode;

use agentwire::AnyReader;
use agentwire::read::AnyOutcome;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a recorded stream")?;
    let stream = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let json = keep(&stream)?;
    let kept: AnyOutcome = serde_json::from_str(&json)?;
    println!(
        "{json}\n{} with {} violations",
        kept.snapshot.protocol().as_str(),
        kept.report.violations.len()
    );
    if kept.report.events == 0 {
        return Err(format!("{path} has no events: is it a recorded stream?").into());
    }
    Ok(())
}

/// Returns the final snapshot of a stream as JSON.
pub fn keep(stream: &[u8]) -> serde_json::Result<String> {
    let mut reader = AnyReader::new(); // detects the protocol from the first event
    reader.push(stream);
    serde_json::to_string_pretty(&reader.finish())
}
