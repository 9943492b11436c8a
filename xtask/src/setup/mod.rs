//! Installs what is missing and leaves alone what is there: a second run changes nothing.

pub mod apt;
pub mod chromium;
pub mod npm;
pub mod wasm_target;

use std::env;

use crate::{
    checkout,
    failure::{Failure, Outcome},
    progress,
};

pub fn everything() -> Outcome<()> {
    for_build()?;
    if let Err(reason) = chromium::prepare() {
        if in_ci() {
            return Err(reason);
        }
        progress::note(&format!("the browser tests will be skipped: {reason}"));
    }
    Ok(())
}

pub fn for_build() -> Outcome<()> {
    for_wasm()?;
    let _lock = checkout::lock()?;
    npm::prepare()
}

/// What compiling to wasm needs.
pub fn for_wasm() -> Outcome<()> {
    let _lock = checkout::lock()?;
    wasm_target::prepare()
}

/// On a CI machine nothing may be skipped for want of a tool: nobody would see it.
pub fn in_ci() -> bool {
    env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// A step that ends in a word for its line, or in a failure whose line says so.
fn step(name: &str, work: impl FnOnce() -> Outcome<&'static str>) -> Outcome<()> {
    let step = progress::Step::begin(name);
    match work() {
        Ok(word) => {
            step.end(word);
            Ok(())
        }
        Err(failure) => {
            step.end("not available");
            Err::<(), Failure>(failure)
        }
    }
}
