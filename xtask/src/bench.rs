//! `cargo xtask bench`: the package and the crate against named opponents, as ratios inside one run.

use std::process::ExitCode;

use crate::{build, failure::Outcome, node, process, progress, setup};

pub fn run(arguments: &[String]) -> Outcome<ExitCode> {
    progress::say("set-up");
    setup::everything()?;
    progress::say("build");
    build::package()?;
    progress::say("bench");
    let mut bench = node::node();
    bench.arg("benches/run.mjs").args(arguments);
    process::become_it(&mut bench)
}
