//! The JavaScript side of a wasm module: generated bindings, and the module as a file and as text.

use std::{fs, path::Path};

use base64::{Engine, prelude::BASE64_STANDARD};

use super::{
    Quality,
    package::write,
    variant::{Variant, bindings, wasm_files},
};
use crate::{
    failure::{Failure, Outcome},
    node, process,
};

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

/// Writes the bindings of one module into `modules`, with declarations that begin with `types`, and
/// its WebAssembly into `wasm`: as a file, as text for pages, and a module for each platform of
/// `imports` in package.json.
pub fn install(
    variant: &Variant,
    generated: &Path,
    optimised: &Path,
    types: &str,
    quality: Quality,
    modules: &Path,
    wasm: &Path,
) -> Outcome<()> {
    let name = variant.name;
    let module = read(optimised)?;
    let glue =
        instantiable(&String::from_utf8_lossy(&read(&generated.join(format!("{name}_bg.js")))?))?;
    let declarations =
        String::from_utf8_lossy(&read(&generated.join(format!("{name}.d.ts")))?).into_owned();
    write(&modules.join(format!("{name}.js")), glue.as_bytes())?;
    write(&modules.join(format!("{name}.d.ts")), declared(name, types, &declarations)?.as_bytes())?;

    let text = BASE64_STANDARD.encode(&module);
    let files = [
        ("wasm", module),
        // Node, Deno, Bun: inlined, so that no bundler and no file tracing can lose it.
        ("node.js", format!("export default Buffer.from(\"{text}\", \"base64\");\n").into_bytes()),
        // They compile WebAssembly only at deployment, as a separate module.
        ("workerd.js", format!("export {{ default }} from \"./{name}.wasm\";\n").into_bytes()),
        (
            "edge-light.js",
            format!("export {{ default }} from \"./{name}.wasm?module\";\n").into_bytes(),
        ),
        // Pages load it on demand, as a separate chunk.
        ("page.js", format!("export default () => import(\"./{name}.packed.js\");\n").into_bytes()),
    ];
    for (end, content) in files {
        write(&wasm.join(format!("{name}.{end}")), &content)?;
    }
    let mut pack = node::node();
    pack.arg("xtask/scripts/pack.mjs").arg(optimised).arg(wasm.join(format!("{name}.packed.js")));
    pack.arg(format!("{quality:?}").to_lowercase());
    process::expect(&mut pack, "see its output above").map(drop)
}

/// Installs the files of one module under another name.
pub fn install_copy(from: &str, to: &str, modules: &Path, wasm: &Path) -> Outcome<()> {
    let copies = bindings(from).into_iter().zip(bindings(to)).map(|names| (modules, names));
    let others = wasm_files(from).into_iter().zip(wasm_files(to)).map(|names| (wasm, names));
    for (folder, (from_file, to_file)) in copies.chain(others) {
        let mut content = read(&folder.join(from_file))?;
        if !to_file.ends_with("wasm") {
            let text = String::from_utf8_lossy(&content);
            content = text.replace(&format!("\"./{from}."), &format!("\"./{to}.")).into_bytes();
        }
        write(&folder.join(to_file), &content)?;
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
