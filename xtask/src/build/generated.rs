//! What the TypeScript has to know of the crate: `pkg/src/generated.ts`, and `pkg/src/rule_texts.ts` for who asks what a rule
//! says. Both are committed, so that they can be read and compared.

use std::fs;

use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::{Fingerprint, Stamp},
    process,
    progress::Step,
    setup,
};

const ADVICE: &str = "the file is not what Rust declares: run `cargo xtask build` and commit it";

/// Writes the files that are not what the crate says. Where nobody could commit them, that is a failure.
pub fn write() -> Outcome<()> {
    ["generated.ts", "rule_texts.ts"].into_iter().try_for_each(write_one)
}

fn write_one(name: &str) -> Outcome<()> {
    let step = Step::begin(name);
    let root = checkout::root();
    let path = checkout::pkg().join("src").join(name);
    let present = fs::read_to_string(&path).unwrap_or_default();
    let inputs = Fingerprint::default()
        .folder(&root.join("src"))?
        .folder(&root.join("xtask/contract"))?
        .text(&present);
    let stamp = Stamp::new(name, inputs)?;
    if stamp.is_current(std::slice::from_ref(&path)) {
        step.end("up to date");
        return Ok(());
    }
    let mut cargo = process::cargo();
    cargo.current_dir(&root).args(["run", "--quiet", "--locked", "--package", "xtask-contract", "--", name]);
    let printed = process::expect(&mut cargo, process::LIMIT, "correct what is shown above")?;
    if present == printed {
        stamp.set()?;
        step.end("the same");
        return Ok(());
    }
    if setup::in_ci() {
        return Err(Failure::new(format!("{}: {ADVICE}", path.display())));
    }
    fs::write(&path, printed).map_err(|error| Failure::file("write", &path, &error))?;
    step.end("changed: commit it");
    Ok(())
}
