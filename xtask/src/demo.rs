//! `cargo xtask demo`: the playground and its worker on this machine, from a bare checkout with one
//! command.

use std::process::ExitCode;

use crate::{
    build, checkout,
    failure::{Failure, Outcome},
    node, process, progress, setup,
};

const SERVER: &str = "www/dev.mjs";

pub fn run(arguments: &[String]) -> Outcome<ExitCode> {
    check(arguments)?;
    progress::say("set-up");
    setup::for_build()?;
    progress::say("build");
    build::package()?;
    if !checkout::root().join(SERVER).exists() {
        return Err(Failure::new(format!(
            "{SERVER} is missing, and it is what serves the playground: restore it"
        )));
    }
    progress::say("demo");
    let mut server = node::node();
    server.arg(SERVER).args(arguments);
    process::become_it(&mut server)
}

/// A slip is told before minutes of building, not after.
fn check(arguments: &[String]) -> Outcome<()> {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--check" => {}
            "--port" => {
                if rest.next().and_then(|port| port.parse::<u16>().ok()).is_none() {
                    return Err(Failure::new("`--port` needs a number from 0 to 65535 after it"));
                }
            }
            other => {
                return Err(Failure::new(format!("`demo` knows no `{other}`: use `--check` and `--port N`")));
            }
        }
    }
    Ok(())
}
