//! The JavaScript side of a wasm module: generated bindings, and the module as a file and as text.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use base64::{Engine, prelude::BASE64_STANDARD};

use super::variant::Variant;
use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::{Fingerprint, Stamp},
    node, process,
    progress::Step,
};

const MODULE_TYPES: &str = "declare const module: WebAssembly.Module;\nexport default module;\n";

const PACKED_TYPES: &str =
    "/** The wasm module, gzip, base64. */\ndeclare const base64: string;\nexport default base64;\n";

const INLINE_TYPES: &str =
    "/** The wasm module, base64. */\ndeclare const base64: string;\nexport default base64;\n";

/// Writes the bindings of a compiled module into a folder and returns that folder.
pub fn generate(variant: &Variant, compiled: &Path) -> Outcome<PathBuf> {
    let step = Step::begin(format!("{}: bindings", variant.name));
    let folder = variant.folder()?.join("bindings");
    let root = checkout::root();
    let inputs = Fingerprint::default()
        .folder(&root.join("xtask/bindgen"))?
        .text(&generator_version()?)
        .file(compiled)?;
    let stamp = Stamp::new(&format!("{}-bindings", variant.name), inputs)?;
    let outputs = ["_bg.js", "_bg.wasm", ".d.ts"].map(|end| folder.join(format!("{}{end}", variant.name)));
    if stamp.is_current(&outputs) {
        step.end("up to date");
        return Ok(folder);
    }
    let mut cargo = process::cargo();
    // Not with `--release`: optimising the generator takes five times longer than all its runs.
    cargo.current_dir(root).args(["run", "--locked", "--package", "xtask-bindgen", "--"]);
    cargo.arg(compiled).arg(&folder).arg(variant.name);
    process::expect(&mut cargo, process::LIMIT, "the bindings generator's words are above")?;
    stamp.set()?;
    step.end("generated");
    Ok(folder)
}

/// Puts the files of one module into `dist`.
pub fn install(variant: &Variant, generated: &Path, optimised: &Path, declarations: Vec<u8>) -> Outcome<()> {
    let dist = checkout::dist();
    fs::create_dir_all(&dist).map_err(|error| Failure::file("create", &dist, &error))?;
    let name = variant.name;
    let module = read(optimised)?;
    let glue = read(&generated.join(format!("{name}_bg.js")))?;
    let inline = format!("export default \"{}\";\n", BASE64_STANDARD.encode(&module));
    let files = [
        ("js", glue),
        ("d.ts", declarations),
        ("wasm", module),
        ("wasm.d.ts", MODULE_TYPES.into()),
        ("inline.js", inline.into_bytes()),
        ("inline.d.ts", INLINE_TYPES.into()),
        ("packed.d.ts", PACKED_TYPES.into()),
    ];
    for (end, content) in files {
        let path = dist.join(format!("{name}.{end}"));
        // An unchanged file keeps its time, for the tools that watch the folder.
        if fs::read(&path).is_ok_and(|present| present == content) {
            continue;
        }
        fs::write(&path, content).map_err(|error| Failure::file("write", &path, &error))?;
    }
    let mut pack = node::script("pack.mjs");
    pack.arg(optimised).arg(dist.join(format!("{name}.packed.js")));
    process::expect(&mut pack, Duration::from_secs(60), "see its words above").map(drop)
}

/// The generated declarations of a module. Every class can be disposed of with `using`, which a project with an older
/// `lib` has no types for.
pub fn declarations(variant: &Variant, generated: &Path) -> Outcome<Vec<u8>> {
    let types = read(&generated.join(format!("{}.d.ts", variant.name)))?;
    let needle = b"Symbol.dispose";
    if !types.windows(needle.len()).any(|window| window == needle) {
        return Ok(types);
    }
    Ok([b"/// <reference lib=\"esnext.disposable\" />\n".as_slice(), &types].concat())
}

/// The lock file's entry: the generator's sources alone do not tell which version it links.
fn generator_version() -> Outcome<String> {
    let path = checkout::root().join("Cargo.lock");
    let lock = fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, &error))?;
    let entry = lock.split("[[package]]").find(|entry| entry.contains("name = \"wasm-bindgen-cli-support\""));
    Ok(entry.unwrap_or_default().to_owned())
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(|error| Failure::file("read", path, &error))
}
