//! The JavaScript side of a wasm module: generated bindings, and the module as a file and as text.

use std::{fs, path::Path};

use base64::{Engine, prelude::BASE64_STANDARD};

use super::{
    Quality,
    package::write,
    variant::{Variant, files},
};
use crate::{
    failure::{Failure, Outcome},
    node, process,
};

const MODULE_TYPES: &str = r#"import type { WasmModule } from "./core/platform.js";
declare const module: WasmModule;
export default module;
"#;

const PACKED_TYPES: &str = "/** The wasm module, gzip, base64. */\ndeclare const base64: string;\nexport default base64;\n";

const INLINE_TYPES: &str =
    "/** The wasm module, base64. */\ndeclare const base64: string;\nexport default base64;\n";

const BIND_TYPES: &str = "
/**
 * Makes everything that is declared here for one instance of the module. Two calls share nothing. The file exports only this
 * function: the declarations are for their types.
 */
export function bind(): typeof import(\"./NAME.js\") & object;
";

/// Writes the bindings of a compiled module into a folder.
pub fn generate(variant: &Variant, compiled: &Path, folder: &Path) -> Outcome<()> {
    let mut cargo = process::tool("xtask-bindgen");
    cargo.arg("--").arg(compiled).arg(folder).arg(variant.name).arg("lean");
    process::expect(&mut cargo, "see the output of the bindings generator above").map(drop)
}

/// Writes the files of one module into a folder. Its declarations begin with `types`.
pub fn install(
    variant: &Variant,
    generated: &Path,
    optimised: &Path,
    types: &str,
    quality: Quality,
    dist: &Path,
) -> Outcome<()> {
    let name = variant.name;
    let module = read(optimised)?;
    let glue =
        instantiable(&String::from_utf8_lossy(&read(&generated.join(format!("{name}_bg.js")))?))?;
    let declarations =
        String::from_utf8_lossy(&read(&generated.join(format!("{name}.d.ts")))?).into_owned();
    let files = [
        ("js", glue.into_bytes()),
        ("d.ts", declared(name, types, &declarations)?.into_bytes()),
        (
            "inline.js",
            format!("export default \"{}\";\n", BASE64_STANDARD.encode(&module)).into_bytes(),
        ),
        ("wasm", module),
        ("wasm.d.ts", MODULE_TYPES.into()),
        ("inline.d.ts", INLINE_TYPES.into()),
        ("packed.d.ts", PACKED_TYPES.into()),
    ];
    for (end, content) in files {
        write(&dist.join(format!("{name}.{end}")), &content)?;
    }
    let mut pack = node::node();
    pack.arg("xtask/scripts/pack.mjs").arg(optimised).arg(dist.join(format!("{name}.packed.js")));
    pack.arg(format!("{quality:?}").to_lowercase());
    process::expect(&mut pack, "see its output above").map(drop)
}

/// Installs the files of one module under another name.
pub fn install_copy(from: &str, to: &str, dist: &Path) -> Outcome<()> {
    for (from_file, to_file) in files(from).iter().zip(files(to)) {
        let mut content = read(&dist.join(from_file))?;
        if to_file.ends_with("d.ts") {
            let text = String::from_utf8_lossy(&content);
            content = text.replace(&format!("./{from}.js"), &format!("./{to}.js")).into_bytes();
        }
        write(&dist.join(to_file), &content)?;
    }
    Ok(())
}

/// Wraps the bindings in a function that makes them. The generator writes them for one instance,
/// kept in variables of the file; the package discards an instance after a trap and makes another,
/// and the two must not share objects. `__wbg_forget` drops the views of the memory, which keep it
/// alive.
fn instantiable(glue: &str) -> Outcome<String> {
    let unexpected = |line: &str| {
        Failure::new(format!(
            "unexpected line of the bindings generator, see `instantiable`: {line}"
        ))
    };
    let mut out = String::from("export function bind() {\n");
    let (mut names, mut views) = (Vec::new(), String::new());
    for line in glue.lines() {
        let exported = line.strip_prefix("export ");
        if let Some(declaration) = exported {
            let name =
                ["class ", "function "].iter().find_map(|kind| declaration.strip_prefix(kind));
            let end = |name: &str| {
                name.find(|character: char| !character.is_alphanumeric() && character != '_')
            };
            names.push(
                name.and_then(|name| name.get(..end(name)?))
                    .ok_or_else(|| unexpected(line))?
                    .to_owned(),
            );
        } else if line.starts_with("import ") {
            return Err(unexpected(line));
        } else if line.starts_with("let cached") {
            views.extend(line.strip_prefix("let ").and_then(|view| view.strip_suffix("null;")));
        }
        out.extend([exported.unwrap_or(line), "\n"]);
    }
    out.extend(["function __wbg_forget() {\n    ", &views, "null;\n}\n"]);
    out.extend(["return { ", &names.join(", "), ", __wbg_forget };\n}\n"]);
    Ok(out)
}

/// The declarations of a module, with `types` before its classes, and that of the function that
/// instantiates it. Every class can be disposed of with `using`, whose types an older `lib` of a
/// project lacks.
fn declared(name: &str, types: &str, declarations: &str) -> Outcome<String> {
    let reference = "/// <reference lib=\"esnext.disposable\" />\n";
    let before = if declarations.contains("Symbol.dispose") { reference } else { "" };
    let head = "/* eslint-disable */\n\n";
    let (start, classes) = declarations.split_once(head).ok_or_else(|| {
        Failure::new("the bindings generator wrote declarations without its usual head")
    })?;
    Ok([before, start, head, types, classes, &BIND_TYPES.replace("NAME", name)].concat())
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(Failure::file("read", path))
}
