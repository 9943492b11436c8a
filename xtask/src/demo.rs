//! `cargo xtask demo`: the playground and its worker on this machine, from a bare checkout.

use std::process::ExitCode;

use crate::{
    build::{self, Lints, Quality},
    failure::{Failure, Outcome},
    node, process, setup,
};

pub fn run(arguments: &[String]) -> Outcome<ExitCode> {
    check(arguments)?;
    setup::for_build()?;
    build::package(Quality::Test, Lints::Off)?;
    process::replace_with(node::node().arg("www/dev.mjs").args(arguments))
}

/// Reports a mistyped option before the build, not after it.
fn check(arguments: &[String]) -> Outcome<()> {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--check" => {}
            "--port" if rest.next().is_some_and(|port| port.parse::<u16>().is_ok()) => {}
            "--port" => {
                return Err(Failure::new("`--port` needs a number from 0 to 65535 after it"));
            }
            other => {
                return Err(Failure::new(format!(
                    "unknown option `{other}`: use `--check` and `--port N`"
                )));
            }
        }
    }
    Ok(())
}
