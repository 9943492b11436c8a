//! Replays a recorded stream in chunks, as from a network, and shows how the snapshot grows.
//!
//! ```text
//! cargo run --example replay -- tests/data/corpus/agent-api/14_mcp_list_approval_call_output/stream.sse
//! curl -N -H 'content-type: application/json' -d '{"session_id":"s1","input":[…]}' http://127.0.0.1:8787/process \
//!     | cargo run --example replay -- -
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::fs::File;
use std::io::Read;
use std::process::ExitCode;

use agentwire::agent_api::{AgentApi, Payload, Snapshot};
use agentwire::{EndReason, Reader, Severity};

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
    let path = std::env::args().nth(1).unwrap_or_else(|| "-".to_owned());
    let mut source: Box<dyn Read> =
        if path == "-" { Box::new(std::io::stdin()) } else { Box::new(open(&path)?) };

    let mut reader = Reader::new(AgentApi::default());
    let mut chunk = [0; 512];
    loop {
        let length = source.read(&mut chunk)?;
        if length == 0 {
            break;
        }
        reader.push(&chunk[..length]);
        println!("{:>7} bytes  {}", reader.report().bytes, summary(reader.snapshot()));
    }

    let outcome = reader.finish();
    println!("\n{}", outcome.snapshot.response.status);
    for message in &outcome.snapshot.response.output {
        println!("  {} ({}): {}", message.r#type, message.status, message.text());
    }
    for call in &outcome.snapshot.tool_calls {
        println!(
            "  {} {:?}",
            call.name.as_deref().unwrap_or("?"),
            outcome.snapshot.arguments(call)
        );
    }
    let report = &outcome.report;
    println!("{} events, {} violations", report.events, report.total());
    if report.end_reason != EndReason::Terminal {
        let wrong =
            report.violations.iter().find(|violation| violation.rule.severity == Severity::Error);
        let cause = wrong.map_or_else(String::new, |wrong| {
            format!(": expected {}, got {}", wrong.rule.expected, wrong.got)
        });
        return Err(format!("no whole Agent API stream{cause}").into());
    }
    Ok(())
}

fn open(path: &str) -> Result<File, String> {
    File::open(path).map_err(|error| format!("{path}: {error}"))
}

fn summary(snapshot: &Snapshot) -> String {
    let last = snapshot.response.output.last();
    match last.and_then(|message| message.content.last()).map(|content| &content.payload) {
        Some(Payload::Text { text: Some(text) }) => {
            let tail: String = text.chars().rev().take(48).collect();
            format!("…{}", tail.chars().rev().collect::<String>().replace('\n', " "))
        }
        Some(payload) => format!("({})", payload.content_type()),
        None => format!("({})", snapshot.response.status),
    }
}
