//! `agentwire fold`

use std::process::ExitCode;

use agentwire::read::AnyOutcome;

use crate::input::{ReadStream, StreamInput, Unreadable};
use crate::output::print;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: StreamInput,
    /// Print on one line.
    #[arg(long)]
    compact: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let ReadStream { outcome, complaint } = arguments.input.read()?;
    if let Some(complaint) = complaint {
        eprintln!("agentwire: {complaint}");
        return Ok(ExitCode::FAILURE);
    }
    let AnyOutcome { snapshot, report, .. } = outcome;
    arguments.input.summarize(&arguments.input.file, snapshot.protocol(), &report);
    let mut report = report.to_json();
    if let Some(calls) = snapshot.calls_to_json() {
        report = with_member(report, "toolCalls", &calls);
    }
    let answer = snapshot.to_json();
    // An answer can be large, and is not needed any more.
    drop(snapshot);
    print(&with_member(answer, "report", &report), !arguments.compact)?;
    Ok(ExitCode::SUCCESS)
}

/// Adds a member to an object, which is not empty.
fn with_member(mut object: String, name: &str, json: &str) -> String {
    object.pop();
    object + &format!(",\"{name}\":{json}}}")
}
