//! From Rust to an optimised wasm module.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::places;
use super::variant::{OPTIMISATION, STACK, STRIP, VECTORS, Variant, WASM_FEATURES};
use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::{Fingerprint, Stamp},
    node, process,
    progress::Step,
    setup::wasm_target::{Route, TARGET},
};

/// Compiles the crate; cargo knows best what has changed.
pub fn compile(variant: &Variant) -> Outcome<PathBuf> {
    let step = Step::begin(format!("{}: wasm module", variant.name));
    let route = Route::current()?;
    let mut cargo = process::cargo();
    cargo.current_dir(checkout::root()).args([
        "rustc",
        "--package=agentwire",
        "--lib",
        "--crate-type=cdylib",
        "--no-default-features",
        "--locked",
        "--message-format=json-render-diagnostics",
    ]);
    cargo.args(["--target", TARGET, "--features", variant.features, "--profile", variant.profile]);
    cargo.arg("--config").arg(flags(variant)?);
    if variant.features.starts_with("wasm") && variant.profile != "wasm" {
        cargo.arg("--config").arg(format!("profile.{}.inherits=\"wasm\"", variant.profile));
    }
    route.apply(&mut cargo)?;
    let run = process::run(&mut cargo, process::LIMIT)?;
    let (messages, diagnostics): (Vec<&str>, Vec<&str>) =
        run.output.lines().partition(|line| line.starts_with("{\"reason\""));
    if !run.success {
        let sentence = format!("the crate does not compile for {TARGET}: see the errors above");
        return Err(Failure::new(sentence).with_output(diagnostics.join("\n")));
    }
    let module = messages.iter().rev().find_map(|line| module_in(line)).ok_or_else(|| {
        Failure::new("cargo built no wasm module: is the library's name still `agentwire`?")
    })?;
    step.end(match route {
        Route::Toolchain => "compiled",
        Route::BuildStd => "compiled, the standard library included,",
    });
    Ok(module)
}

/// How the compiler inlines, which instructions it may use, how large the stack is, and that messages of panics name source files as they are
/// called in their crates, not where this machine has them: what is shipped is then the same wherever it is built.
fn flags(variant: &Variant) -> Outcome<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let user = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    let folders = [Some(checkout::root().to_path_buf()), home, user];
    let flags = folders.iter().flatten().map(|folder| format!("'--remap-path-prefix={}='", folder.display()));
    let flags: Vec<String> = flags
        .chain(
            [VECTORS, STACK]
                .into_iter()
                .chain(variant.inlining.iter().copied())
                .map(|flag| format!("'{flag}'")),
        )
        .collect();
    Ok(format!("target.{TARGET}.rustflags=[{}]", flags.join(",")))
}

/// The wasm file in one of cargo's messages about what it built.
fn module_in(message: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    if message["reason"] != "compiler-artifact" || message["target"]["name"] != "agentwire" {
        return None;
    }
    let files = message["filenames"].as_array()?;
    files.iter().filter_map(Value::as_str).find(|file| file.ends_with(".wasm")).map(PathBuf::from)
}

/// Runs wasm-opt over the module that the bindings generator has left.
pub fn optimise(variant: &Variant, generated: &Path) -> Outcome<PathBuf> {
    let step = Step::begin(format!("{}: wasm-opt {}", variant.name, OPTIMISATION[0]));
    let input = generated.join(format!("{}_bg.wasm", variant.name));
    let output = variant.folder()?.join(format!("{}.wasm", variant.name));
    let mut wasm_opt = node::tool("binaryen/bin/wasm-opt");
    wasm_opt.args(OPTIMISATION).args(WASM_FEATURES).args(STRIP);
    wasm_opt.arg(&input).arg("--output").arg(&output);

    let tool = checkout::node_modules().join("binaryen/package.json");
    let options = format!("{OPTIMISATION:?} {WASM_FEATURES:?} {STRIP:?}");
    let rest = checkout::root().join("xtask/src/build");
    let inputs = Fingerprint::default().text(&options).file(&tool)?.folder(&rest)?.file(&input)?;
    let stamp = Stamp::new(&format!("{}-wasm-opt", variant.profile), inputs)?;
    if stamp.is_current(std::slice::from_ref(&output)) {
        step.end("up to date");
        return Ok(output);
    }
    // wasm-opt leaves half a file behind when it is interrupted.
    let _ = fs::remove_file(&output);
    process::expect(&mut wasm_opt, process::LIMIT, "see its words above")?;
    lessen(&output)?;
    stamp.set()?;
    step.end("done");
    Ok(output)
}

/// Takes out what wasm-opt leaves and nothing needs: hints of alignment where they are not the natural ones, which change nothing in
/// what an access does and make every other one of the same kind compress worse, and [places](places::forget) of panics.
fn lessen(module: &Path) -> Outcome<()> {
    let text = module.with_extension("wat");
    let tool = |name: &str, from: &Path, to: &Path| {
        let mut tool = node::tool(&format!("binaryen/bin/{name}"));
        tool.args(WASM_FEATURES).arg(from).arg("--output").arg(to);
        process::expect(&mut tool, process::LIMIT, "see its words above")
    };
    tool("wasm-dis", module, &text)?;
    let content = fs::read_to_string(&text).map_err(|error| Failure::file("read", &text, &error))?;
    let natural: Vec<&str> = content.split(" align=").collect();
    let natural = natural.iter().enumerate().map(|(at, part)| match at {
        0 => part,
        _ => part.trim_start_matches(|sign: char| sign.is_ascii_digit()),
    });
    let natural: String = natural.collect();
    fs::write(&text, &natural).map_err(|error| Failure::file("write", &text, &error))?;
    tool("wasm-as", &text, module)?;
    let mut bytes = fs::read(module).map_err(|error| Failure::file("read", module, &error))?;
    places::forget(&mut bytes, &places::constants(&natural)).ok_or_else(|| {
        Failure::new(format!("{} has another data section than expected", module.display()))
    })?;
    fs::write(module, bytes).map_err(|error| Failure::file("write", module, &error))
}
