//! Replays a recorded stream as a network would deliver it, and shows the answer growing.
//!
//! ```text
//! cargo run --example replay -- tests/corpus/agent-api/14_mcp_list_approval_call_output/stream.sse
//! curl -N -H 'content-type: application/json' -d '{"session_id":"s1","input":[…]}' http://127.0.0.1:8787/process \
//!     | cargo run --example replay -- -
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::io::Read;

use agentwire::Reader;
use agentwire::agent_api::{AgentApi, Payload, Snapshot};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "-".to_owned());
    let mut source: Box<dyn Read> =
        if path == "-" { Box::new(std::io::stdin()) } else { Box::new(std::fs::File::open(path)?) };

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
        println!("  {} {:?}", call.name.as_deref().unwrap_or("?"), outcome.snapshot.arguments(call));
    }
    println!("{} events, {} breaches", outcome.report.events, outcome.report.total());
    Ok(())
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
