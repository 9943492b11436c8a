//! node and the programs that npm installed, started through node itself: the shims in `.bin`
//! differ by system.

use std::{path::Path, process::Command};

use crate::{
    checkout,
    failure::{Failure, Outcome},
    process,
};

/// The lowest version in `engines` of `pkg/package.json`.
const LOWEST: (u32, u32) = (20, 19);

pub fn node() -> Command {
    let mut command = Command::new("node");
    command.current_dir(checkout::root());
    command
}

/// A script below `node_modules`.
pub fn tool(script: &str) -> Command {
    let mut command = node();
    command.arg(checkout::node_modules().join(script));
    command
}

pub fn typescript(project: &Path) -> Command {
    let mut command = tool("typescript/bin/tsc");
    command.arg("--project").arg(project).args(["--pretty", "false"]);
    command
}

pub fn check_version() -> Outcome<()> {
    let advice = format!("install node {}.{} or newer", LOWEST.0, LOWEST.1);
    let printed = process::expect(node().arg("--version"), &advice)?;
    let mut numbers = printed
        .trim()
        .trim_start_matches('v')
        .split('.')
        .map_while(|part| part.parse::<u32>().ok());
    if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < LOWEST {
        return Err(Failure::new(format!("node {} is too old: {advice}", printed.trim())));
    }
    Ok(())
}
