//! The cost curves of `tests/scale`: how the number of instructions grows with a stream.

use std::process::Command;

use super::{Session, count::Tally};
use crate::{
    checkout,
    failure::{Failure, Outcome},
    process, progress,
    setup::{
        self,
        wasm_target::{Route, TARGET},
    },
};

/// Builds what is measured to wasm, and runs it in the interpreter that counts. A folder of its own keeps both programs beside
/// those of the tests.
pub fn run(session: &mut Session) -> Outcome<()> {
    setup::for_wasm()?;
    let step = progress::Step::begin("what is measured, as wasm");
    // Without instructions that move many bytes at once, which would count as one.
    let flags = format!("target.{TARGET}.rustflags=['-Ctarget-feature=-bulk-memory']");
    let mut guest =
        cargo(&["build", "--package=agentwire-scale-guest", "--config", &flags, "--target", TARGET]);
    Route::current()?.apply(&mut guest)?;
    process::expect(&mut guest, process::LIMIT, "see the errors above")?;
    step.end("compiled");

    let step = progress::Step::begin("cost curves");
    let module = checkout::root().join(TARGET_FOLDER).join(TARGET).join("release/agentwire_scale_guest.wasm");
    if !module.exists() {
        return Err(Failure::new(format!("cargo built no {}", module.display())));
    }
    let mut curves = cargo(&["run", "--package=agentwire-scale", "--"]);
    let run = process::run(curves.arg(module), process::LIMIT)?;
    session.conclude(step, &run, Tally::of_cargo(&run.output));
    Ok(())
}

const TARGET_FOLDER: &str = "target/scale";

fn cargo(arguments: &[&str]) -> Command {
    let mut command = process::cargo();
    command.current_dir(checkout::root());
    let (verb, rest) = arguments.split_at(1);
    command.args(verb).args(["--locked", "--release", "--target-dir", TARGET_FOLDER]).args(rest);
    command
}
