//! `cargo xtask test --quick`: what finds most mistakes in under two minutes, once everything has been compiled before.
//!
//! It builds no package: the suites that need one run on what was built last, if that is still what the sources say.

use super::{Session, contracts, javascript, rust};
use crate::{build, failure::Outcome, progress};

/// The part of a suite that is quick.
pub type Part = fn(&mut Session) -> Outcome<()>;

/// Files of tests/node that take longer than the others together, or find what the others find.
const SLOW: [&str; 4] =
    ["memory.test.mjs", "mutations.test.mjs", "programs.test.mjs", "programs_reader.test.mjs"];

/// Of the random programs and streams that tests of node give to official clients. All of them are 500 or 600 a test.
const PROGRAMS: u32 = 100;

pub fn lints(session: &mut Session) -> Outcome<()> {
    session.note_left_out("clippy for each feature by itself, for wasm and the fuzz targets");
    rust::lints_of_all_features(session);
    Ok(())
}

pub fn rust(session: &mut Session) -> Outcome<()> {
    session.note_left_out("rust's properties, hostile inputs, doc tests and fuzz targets");
    rust::run_tests(session, "library", &["--all-features", "--lib", "--test", "suite", "--test", "cli"])?;
    rust::run_tests(session, "task runner", &["--package", "xtask"])
}

pub fn types(session: &mut Session) -> Outcome<()> {
    if is_built(session, "types")? {
        contracts::type_tests_alone(session);
    }
    Ok(())
}

pub fn node(session: &mut Session) -> Outcome<()> {
    if !is_built(session, "node")? {
        return Ok(());
    }
    session.note_left_out(&format!(
        "of node: {}, and random programs against official clients after the first {PROGRAMS}",
        SLOW.join(", ")
    ));
    javascript::run_less(session, "node", &SLOW, PROGRAMS)
}

fn is_built(session: &mut Session, suite: &str) -> Outcome<bool> {
    let is_built = build::is_current()?;
    if !is_built {
        progress::note("left out: the package is older than its sources, `cargo xtask build` makes it anew");
        session.note_left_out(&format!("{suite}, for want of a package that is up to date"));
    }
    Ok(is_built)
}
