//! From Rust to an optimised wasm module.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{
    Quality,
    variant::{OPTIMISATION, RELEASE_OPTIMISATION, STACK, STRIP, VECTORS, Variant, WASM_FEATURES},
};
use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::{Fingerprint, Stamp},
    node, process,
    progress::Step,
    setup::WASM_TARGET,
};

/// Compiles the crate; cargo finds out what has changed.
pub fn compile(variant: &Variant) -> Outcome<PathBuf> {
    let step = Step::begin(format!("{}: wasm module", variant.name));
    let mut cargo =
        process::cargo(&["rustc", "--package=agentwire", "--lib", "--crate-type=cdylib", "--locked"]);
    // A target folder of its own: cargo locks the folder that it builds in, and the Rust tests are built at the same time.
    cargo.args(["--target-dir", "target/package", "--target", WASM_TARGET]);
    cargo.args(["--no-default-features", "--features", variant.features, "--profile", variant.profile]);
    cargo.args(["--message-format=json-render-diagnostics", "--config", &flags(variant)]);
    if variant.profile.starts_with("wasm-") {
        cargo.arg("--config").arg(format!("profile.{}.inherits=\"wasm\"", variant.profile));
    }
    // It would replace the flags that `.cargo/config.toml` sets for the target.
    cargo.env_remove("RUSTFLAGS");
    let run = process::run(&mut cargo)?;
    let (messages, diagnostics): (Vec<&str>, Vec<&str>) =
        run.output.lines().partition(|line| line.starts_with("{\"reason\""));
    if !run.success {
        let sentence = format!("the crate does not compile for {WASM_TARGET}: see the errors above");
        return Err(Failure::new(sentence).with_output(diagnostics.join("\n")));
    }
    let module = messages.iter().rev().find_map(|line| module_in(line));
    step.end("compiled");
    module.ok_or_else(|| Failure::new("cargo built no wasm module: is the library's name still `agentwire`?"))
}

/// The compiler flags. Source paths are remapped, so that the module is the same wherever it is built.
fn flags(variant: &Variant) -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let user = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    let folders = [Some(checkout::root()), home, user];
    let remap = folders.iter().flatten().map(|folder| format!("--remap-path-prefix={}=", folder.display()));
    let others = [VECTORS, STACK].into_iter().chain(variant.inlining.iter().copied()).map(str::to_owned);
    let flags: Vec<String> = remap.chain(others).map(|flag| format!("'{flag}'")).collect();
    format!("target.{WASM_TARGET}.rustflags=[{}]", flags.join(","))
}

/// Returns the wasm file in one of cargo's messages about an artefact.
fn module_in(message: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    if message["reason"] != "compiler-artifact" || message["target"]["name"] != "agentwire" {
        return None;
    }
    let files = message["filenames"].as_array()?;
    files.iter().filter_map(Value::as_str).find(|file| file.ends_with(".wasm")).map(PathBuf::from)
}

/// Runs wasm-opt on the module that the bindings generator has written.
pub fn optimise(variant: &Variant, generated: &Path, quality: Quality) -> Outcome<PathBuf> {
    let step = Step::begin(format!("{}: wasm-opt", variant.name));
    let input = generated.join(format!("{}_bg.wasm", variant.name));
    let output = variant.folder()?.join(format!("{}.wasm", variant.name));
    let mut wasm_opt = node::tool("binaryen/bin/wasm-opt");
    wasm_opt.args(OPTIMISATION).args(WASM_FEATURES).args(STRIP);
    if quality == Quality::Release {
        wasm_opt.args(RELEASE_OPTIMISATION);
    }
    wasm_opt.arg(&input).arg("--output").arg(&output);

    let tool = checkout::node_modules().join("binaryen/package.json");
    let inputs = Fingerprint::default().text(&format!("{wasm_opt:?}")).file(&tool)?.file(&input)?;
    let stamp = Stamp::new(output.with_extension("stamp"), &inputs);
    if stamp.is_current(&output) {
        step.end("up to date");
        return Ok(output);
    }
    // wasm-opt leaves half a file behind when it is interrupted.
    let _ = std::fs::remove_file(&output);
    process::expect(&mut wasm_opt, "see its output above")?;
    stamp.set()?;
    step.end("optimised");
    Ok(output)
}
