//! The example of a worker in Rust, and the bindings that JavaScript runs it by.

use std::path::PathBuf;

use crate::{
    checkout,
    failure::{Failure, Outcome},
    process,
    progress::Step,
    setup::wasm_target::{Route, TARGET},
};

/// Builds it; returns the folder with `rust_worker_bg.js` and `rust_worker_bg.wasm`.
pub fn build() -> Outcome<PathBuf> {
    let root = checkout::root();
    // In a folder of its own, because it is the library with other features than those of the package.
    let target = root.join("target/wasm-web");
    let step = Step::begin("the worker in Rust");
    let mut cargo = process::cargo();
    cargo.current_dir(&root).args([
        "build",
        "--locked",
        "--package=agentwire-rust-worker",
        "--target",
        TARGET,
    ]);
    cargo.arg("--target-dir").arg(&target);
    Route::current()?.apply(&mut cargo)?;
    process::expect(&mut cargo, process::LIMIT, "correct examples/rust-worker")?;
    let module = target.join(TARGET).join("debug/agentwire_rust_worker.wasm");
    if !module.exists() {
        return Err(Failure::new("cargo built no module of examples/rust-worker"));
    }
    let folder = target.join("bindings");
    let mut bindgen = process::cargo();
    bindgen.current_dir(&root).args(["run", "--quiet", "--locked", "--package", "xtask-bindgen", "--"]);
    bindgen.arg(&module).arg(&folder).arg("rust_worker");
    process::expect(&mut bindgen, process::LIMIT, "the bindings generator's words are above")?;
    step.end("built");
    Ok(folder)
}
