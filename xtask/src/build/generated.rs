//! `pkg/src/generated.ts`: what the TypeScript has to know of the crate. It is committed, so that it can be read and compared.

use std::fs;

use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::{Fingerprint, Stamp},
    process,
    progress::Step,
    setup,
};

const ADVICE: &str = "pkg/src/generated.ts is not what Rust declares: run `cargo xtask build` and commit it";

/// Writes the file if it is not what the crate says. Where nobody could commit it, that is a failure.
pub fn write() -> Outcome<()> {
    let step = Step::begin("generated TypeScript");
    let root = checkout::root();
    let path = checkout::pkg().join("src/generated.ts");
    let present = fs::read_to_string(&path).unwrap_or_default();
    let inputs = Fingerprint::default()
        .folder(&root.join("src"))?
        .folder(&root.join("xtask/contract"))?
        .text(&present);
    let stamp = Stamp::new("generated", inputs)?;
    if stamp.is_current(std::slice::from_ref(&path)) {
        step.end("up to date");
        return Ok(());
    }
    let mut cargo = process::cargo();
    cargo.current_dir(&root).args(["run", "--quiet", "--locked", "--package", "xtask-contract"]);
    let printed = process::expect(&mut cargo, process::LIMIT, "correct what is shown above")?;
    if present == printed {
        stamp.set()?;
        step.end("the same");
        return Ok(());
    }
    if setup::in_ci() {
        return Err(Failure::new(ADVICE));
    }
    fs::write(&path, printed).map_err(|error| Failure::file("write", &path, &error))?;
    step.end("changed: commit it");
    Ok(())
}
