//! `agentwire fold`

use std::process::ExitCode;

use agentwire::agent_api::Style;

use crate::input::{Input, Unreadable};
use crate::json::print;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Print on one line.
    #[arg(long)]
    compact: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let outcome = arguments.input.read()?;
    let response = outcome.snapshot.response.to_json(Style::Wire);
    let mut report = outcome.report.to_json();
    report.pop();
    report.push_str(",\"toolCalls\":");
    report.push_str(&outcome.snapshot.tool_calls_json());
    report.push('}');
    let mut out = response;
    out.pop();
    out.push_str(",\"report\":");
    out.push_str(&report);
    out.push('}');
    print(&out, !arguments.compact)?;
    Ok(ExitCode::SUCCESS)
}
