//! Subcommands of cargo that the tests use, installed with `cargo install` if they are missing.

use super::step;
use crate::{failure::Outcome, process};

/// Runs the Rust tests.
pub fn nextest() -> Outcome<()> {
    prepare("cargo-nextest", "0.9.143")
}

/// Checks each feature by itself.
pub fn hack() -> Outcome<()> {
    prepare("cargo-hack", "0.6.46")
}

/// Runs the fuzz targets.
pub fn fuzz() -> Outcome<()> {
    prepare("cargo-fuzz", "0.13.2")
}

/// An installed program of any version is used; `version` is installed otherwise.
fn prepare(name: &str, version: &str) -> Outcome<()> {
    step(name, || {
        let subcommand = name.trim_start_matches("cargo-");
        if process::run(&mut process::cargo(&[subcommand, "--version"]))
            .is_ok_and(|run| run.success)
        {
            return Ok("present");
        }
        let mut install = process::cargo(&["install", "--locked", name, "--version", version]);
        process::expect(&mut install, "install it by hand")?;
        Ok("installed")
    })
}
