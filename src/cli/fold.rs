//! `agentwire fold`

use std::process::ExitCode;

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
    print(&arguments.input.read()?.to_json(), !arguments.compact)?;
    Ok(ExitCode::SUCCESS)
}
