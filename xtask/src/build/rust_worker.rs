//! The example of a worker in Rust, and its JavaScript bindings.

use std::path::PathBuf;

use crate::{checkout, failure::Outcome, process, progress::Step, setup::WASM_TARGET};

/// Builds it; returns the folder with `rust_worker_bg.js` and `rust_worker_bg.wasm`.
pub fn build() -> Outcome<PathBuf> {
    // A target folder of its own: the features of the library differ from those of the package.
    let target = checkout::root().join("target/wasm-web");
    let step = Step::begin("the worker in Rust");
    let mut cargo = process::cargo(&[
        "build",
        "--locked",
        "--package=agentwire-rust-worker",
        "--target",
        WASM_TARGET,
    ]);
    process::expect(cargo.arg("--target-dir").arg(&target), "correct examples/rust-worker")?;
    let folder = target.join("bindings");
    let mut bindgen = process::tool("xtask-bindgen");
    bindgen
        .arg("--")
        .arg(target.join(WASM_TARGET).join("debug/agentwire_rust_worker.wasm"))
        .arg(&folder)
        .arg("rust_worker");
    process::expect(&mut bindgen, "see its output above")?;
    step.end("built");
    Ok(folder)
}
