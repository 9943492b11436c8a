//! Rust's standard library for another target: present, or added by rustup.

use std::{fs, process::Command};

use super::step;
use crate::{failure::Outcome, process};

pub const TARGET: &str = "wasm32-unknown-unknown";

pub fn prepare(target: &str) -> Outcome<()> {
    step(&format!("target {target}"), || {
        if is_installed(target) {
            return Ok("present");
        }
        let mut add = Command::new("rustup");
        add.args(["target", "add", target]);
        process::expect(
            &mut add,
            "install the target where the Rust distribution server can be reached",
        )?;
        Ok("added by rustup")
    })
}

fn is_installed(target: &str) -> bool {
    let mut query = Command::new("rustc");
    query.args(["--print", "target-libdir", "--target", target]);
    process::run(&mut query).is_ok_and(|run| {
        run.success && fs::read_dir(run.output.trim()).is_ok_and(|mut files| files.next().is_some())
    })
}
