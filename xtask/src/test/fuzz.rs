//! The fuzz targets, each for a short while, and mutated streams of all corpora.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use super::{Session, count::Tally};
use crate::{checkout, failure::Outcome, fuzz, node, process, progress};

/// For all targets together.
const TIME: Duration = Duration::from_secs(120);

pub fn smoke(session: &mut Session) -> Outcome<()> {
    if let Some(reason) = fuzz::missing() {
        progress::note(&format!("skipped: {reason}"));
        session.tally.skipped += 1;
        return Ok(());
    }
    let started = Instant::now();
    let hunts = fuzz::smoke(TIME)?;
    fuzz::print(&hunts, started.elapsed());
    let failed = hunts.iter().filter(|hunt| hunt.finding.is_some()).count() as u64;
    session.tally.failed += failed;
    session.tally.passed += hunts.len() as u64 - failed;
    Ok(())
}

/// How many mutated streams are read and converted, and how many are read by the package as well: the same ones each time.
const MUTATED: [&str; 2] = ["60000", "1"];
const COMPARED: [&str; 2] = ["30000", "1"];

/// Mutated streams of all corpora: whole against cut, and the package against the native reader.
pub fn mutations(session: &mut Session) -> Outcome<()> {
    let mut native = process::cargo();
    native.current_dir(checkout::root());
    native.args(["run", "--release", "--locked", "--package", "agentwire-fuzzing", "--bin", "mutated", "--"]);
    count(session, "read and converted, whole and cut", native.args(MUTATED))?;
    session.require_build()?;
    let mut package = node::node();
    package.current_dir(checkout::root()).args(["tests/fuzzing/differential.mjs", "--mutated"]);
    count(session, "read by the package and natively", package.args(COMPARED))
}

fn count(session: &mut Session, name: &str, command: &mut Command) -> Outcome<()> {
    let step = progress::Step::begin(name);
    let run = process::run(command, process::LIMIT)?;
    let passed = u64::from(run.success);
    session.conclude(step, &run, Tally { passed, failed: 1 - passed, ..Tally::default() });
    Ok(())
}
