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

const BIND_TYPES: &str = "
/**
 * Makes all that is declared here, for one instance of the module. No two calls share anything. It is the only thing that
 * the file exports: the declarations are for their types.
 */
export function bind(): typeof import(\"./NAME.js\") & object;
";

/// Writes the bindings of a compiled module into a folder and returns that folder.
pub fn generate(variant: &Variant, compiled: &Path) -> Outcome<PathBuf> {
    let step = Step::begin(format!("{}: bindings", variant.name));
    let folder = variant.folder()?.join("bindings");
    let root = checkout::root();
    let inputs = Fingerprint::default()
        .folder(&root.join("xtask/bindgen"))?
        .text(&generator_version()?)
        .file(compiled)?;
    let stamp = Stamp::new(&format!("{}-bindings", variant.profile), inputs)?;
    let outputs = ["_bg.js", "_bg.wasm", ".d.ts"].map(|end| folder.join(format!("{}{end}", variant.name)));
    if stamp.is_current(&outputs) {
        step.end("up to date");
        return Ok(folder);
    }
    let mut cargo = process::cargo();
    // Not with `--release`: optimising the generator takes five times longer than all its runs.
    cargo.current_dir(root).args(["run", "--locked", "--package", "xtask-bindgen", "--"]);
    cargo.arg(compiled).arg(&folder).arg(variant.name).arg("lean");
    process::expect(&mut cargo, process::LIMIT, "the bindings generator's words are above")?;
    stamp.set()?;
    step.end("generated");
    Ok(folder)
}

/// Puts the files of one module into a folder.
pub fn install(
    variant: &Variant,
    generated: &Path,
    optimised: &Path,
    declarations: Vec<u8>,
    dist: &Path,
) -> Outcome<()> {
    fs::create_dir_all(dist).map_err(|error| Failure::file("create", dist, &error))?;
    let name = variant.name;
    let module = read(optimised)?;
    let glue = instantiable(&read(&generated.join(format!("{name}_bg.js")))?)?;
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
    pack(variant, optimised, &dist.join(format!("{name}.packed.js")))
}

/// The module compressed, as text.
fn pack(variant: &Variant, optimised: &Path, packed: &Path) -> Outcome<()> {
    let step = Step::begin(format!("{}: compressed", variant.name));
    let inputs = Fingerprint::default()
        .file(&checkout::root().join("xtask/scripts/pack.mjs"))?
        .file(&checkout::node_modules().join("@gfx/zopfli/package.json"))?
        .file(optimised)?;
    let stamp = Stamp::new(&format!("{}-packed", variant.profile), inputs)?;
    if stamp.is_current(&[packed.to_owned()]) {
        step.end("up to date");
        return Ok(());
    }
    let mut pack = node::script("pack.mjs");
    pack.arg(optimised).arg(packed);
    process::expect(&mut pack, Duration::from_secs(180), "see its words above")?;
    stamp.set()?;
    step.end("done");
    Ok(())
}

/// The bindings as a function that makes them: the generator writes them for one instance, which they keep in variables
/// of their file, and the package throws an instance away after a trap and makes another. What belongs to one instance
/// then cannot reach the other, and readers may go on in the old one. `__wbg_forget` drops the views of the memory, which
/// hold it.
fn instantiable(glue: &[u8]) -> Outcome<Vec<u8>> {
    let surprise = |line: &str| {
        Failure::new(format!("the bindings generator writes what it used not to, see `instantiable`: {line}"))
    };
    let mut out = String::from("export function bind() {\n");
    let (mut names, mut views) = (Vec::new(), String::new());
    let glue = String::from_utf8_lossy(glue);
    for line in needed(&glue)?.lines() {
        let exported = line.strip_prefix("export ");
        if let Some(declaration) = exported {
            let name = ["class ", "function "].iter().find_map(|kind| declaration.strip_prefix(kind));
            let end =
                |name: &str| name.find(|character: char| !character.is_alphanumeric() && character != '_');
            names
                .push(name.and_then(|name| name.get(..end(name)?)).ok_or_else(|| surprise(line))?.to_owned());
        } else if line.starts_with("import ") {
            return Err(surprise(line));
        } else if line.starts_with("let cached") {
            views.extend(line.strip_prefix("let ").and_then(|view| view.strip_suffix("null;")));
        }
        out.extend([exported.unwrap_or(line), "\n"]);
    }
    out.extend(["function __wbg_forget() {\n    ", &views, "null;\n}\n"]);
    out.extend(["return { ", &names.join(", "), ", __wbg_forget };\n}\n"]);
    Ok(out.into_bytes())
}

/// The bindings without what no caller of theirs can need: objects are made and freed by the package's own classes, which give
/// each call what it takes, and every engine that has the wasm's vectors has `encodeInto`.
fn needed(glue: &str) -> Outcome<String> {
    let mut out = String::new();
    let mut skipped = false;
    for line in glue.lines() {
        let line = line.trim_end();
        skipped |= line.starts_with("function _assertClass(") || line.starts_with("if (!('encodeInto' in");
        let is_call =
            line.trim_start().starts_with("_assertClass(") || line.starts_with("if (Symbol.dispose) ");
        if !skipped && !is_call {
            out.extend([line, "\n"]);
        }
        skipped &= line != "}";
    }
    cut(&mut out, "    if (realloc === undefined) {", "\n    }\n")?;
    // Readers leave their texts in the exchange, so that nothing decodes one here.
    for (function, start) in
        [("getStringFromWasm0(", "function getStringFromWasm0("), ("decodeText(", "let cachedTextDecoder =")]
    {
        if out.matches(function).count() == 1 {
            cut(&mut out, start, "\n}\n")?;
        }
    }
    Ok(out)
}

/// Takes out what begins and ends so, if it is there.
fn cut(glue: &mut String, start: &str, end: &str) -> Outcome<()> {
    let Some(from) = glue.find(start) else { return Ok(()) };
    let length = glue[from..]
        .find(end)
        .ok_or_else(|| Failure::new(format!("the bindings are not what they were: `{start}`")))?;
    glue.replace_range(from..from + length + end.len(), "");
    Ok(())
}

/// The declarations of a module, which were generated from itself or another one, and that of the function that makes what
/// they declare. Every class can be disposed of with `using`, which a project with an older `lib` has no types for.
pub fn declarations(variant: &Variant, declared_by: &Variant, generated: &Path) -> Outcome<Vec<u8>> {
    let types = read(&generated.join(format!("{}.d.ts", declared_by.name)))?;
    let needle = b"Symbol.dispose";
    let disposable = types.windows(needle.len()).any(|window| window == needle);
    let before = if disposable { "/// <reference lib=\"esnext.disposable\" />\n" } else { "" };
    Ok([before.as_bytes(), &types, BIND_TYPES.replace("NAME", variant.name).as_bytes()].concat())
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
