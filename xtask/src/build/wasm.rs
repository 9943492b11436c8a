//! From Rust to an optimised wasm module.

use std::path::{Path, PathBuf};

use super::{
    Lints, Quality,
    variant::{OPTIMISATION, RELEASE_OPTIMISATION, STACK, STRIP, VECTORS, Variant, WASM_FEATURES},
};
use crate::{
    checkout,
    failure::Outcome,
    fingerprint::{Fingerprint, Stamp},
    node, process,
    progress::Step,
    setup::WASM_TARGET,
};

/// Compiles the crate and returns the module.
pub fn compile(variant: &Variant, lints: Lints, profile: &str) -> Outcome<PathBuf> {
    let step = Step::begin(format!("{}: wasm module", variant.name));
    // A target folder of its own: cargo locks the folder that it builds in, and the Rust tests are
    // built at the same time.
    let folder = checkout::root().join("target/package");
    let mut cargo = process::cargo(&[
        "rustc",
        "--package=agentwire",
        "--lib",
        "--crate-type=cdylib",
        "--locked",
    ]);
    cargo.arg("--target-dir").arg(&folder).args(["--target", WASM_TARGET, "--profile", profile]);
    cargo.args([
        "--no-default-features",
        "--features",
        variant.features,
        "--config",
        &flags(variant),
    ]);
    // The variants share compiled dependencies, but not the name of the module.
    cargo.arg("--").arg(format!("-Cextra-filename=-{}", variant.id));
    // It would replace the flags that `.cargo/config.toml` sets for the target.
    cargo.env_remove("RUSTFLAGS");
    if lints == Lints::Deny {
        process::lint(&mut cargo);
    }
    process::expect(&mut cargo, "the crate has to compile for wasm: see the errors above")?;
    step.end("compiled");
    Ok(folder.join(format!("{WASM_TARGET}/{profile}/deps/agentwire-{}.wasm", variant.id)))
}

/// The compiler flags. Source paths are remapped, so that the module is the same wherever it is
/// built.
fn flags(variant: &Variant) -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let user = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    let folders = [Some(checkout::root()), home, user];
    let remap =
        folders.iter().flatten().map(|folder| format!("--remap-path-prefix={}=", folder.display()));
    let others = [VECTORS, STACK].into_iter().chain(variant.inlining).map(str::to_owned);
    let flags: Vec<String> = remap.chain(others).map(|flag| format!("'{flag}'")).collect();
    format!("target.{WASM_TARGET}.rustflags=[{}]", flags.join(","))
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
