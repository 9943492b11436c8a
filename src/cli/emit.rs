//! `agentwire emit`: stub until the builders land
use crate::input::Unreadable;
use std::process::ExitCode;
#[derive(clap::Args)]
pub struct Arguments {}
pub fn run(_: &Arguments) -> Result<ExitCode, Unreadable> {
    Ok(ExitCode::SUCCESS)
}
