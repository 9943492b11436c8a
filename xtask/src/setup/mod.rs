//! Installs what is missing and leaves alone what is present: a second run changes nothing.

pub mod apt;
pub mod cargo_tool;
pub mod chromium;
mod npm;
mod wasm_target;

use std::env;

use crate::{checkout, failure::Outcome, progress};

pub use wasm_target::TARGET as WASM_TARGET;

pub fn everything() -> Outcome<()> {
    for_build()?;
    cargo_tool::nextest()?;
    or_skip(chromium::prepare())
}

/// Installs what the build of the package needs.
pub fn for_build() -> Outcome<()> {
    for_wasm()?;
    let _lock = checkout::lock("set-up")?;
    npm::prepare()
}

/// Installs what the documentation site needs in addition to the build.
pub fn site() -> Outcome<()> {
    let _lock = checkout::lock("set-up")?;
    npm::prepare_site()
}

/// Installs the coding agents of the tests.
pub fn agents() -> Outcome<()> {
    let _lock = checkout::lock("set-up")?;
    npm::prepare_agents()
}

/// Installs what compiling to wasm needs.
pub fn for_wasm() -> Outcome<()> {
    let _lock = checkout::lock("set-up")?;
    wasm_target::prepare(WASM_TARGET)
}

/// Installs the standard library of a target.
pub fn target(name: &str) -> Outcome<()> {
    wasm_target::prepare(name)
}

/// Whether a missing tool is a failure instead of a skip.
pub fn in_ci() -> bool {
    env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

fn or_skip(outcome: Outcome<()>) -> Outcome<()> {
    match outcome {
        Err(failure) if !in_ci() => {
            progress::line(&format!(
                "  the tests that need it are skipped: {}",
                failure.sentence()
            ));
            Ok(())
        }
        outcome => outcome,
    }
}

/// A step whose result is one word, or a failure.
fn step(name: &str, work: impl FnOnce() -> Outcome<&'static str>) -> Outcome<()> {
    let step = progress::Step::begin(name);
    let outcome = work();
    step.end(outcome.as_ref().unwrap_or(&"not available"));
    outcome.map(drop)
}
