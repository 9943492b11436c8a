//! A package for tests: the whole toolkit with one protocol more, the toy. It is made as the one that is shipped is, from the
//! same sources; the toy's own are in `tests/toy`. Nothing of it is in `pkg`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{generated, glue, variant, variant::Variant, wasm};
use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::files_below,
    node, process,
    progress::Step,
};

/// The whole toolkit and the toy.
const TOY: Variant =
    Variant { name: "agentwire", features: "wasm,toy", profile: "wasm-toy", inlining: &variant::SPARING };

const PACKAGE: &str = r#"{
  "name": "agentwire",
  "type": "module",
  "exports": {
    ".": {
      "types": "./dist/index.d.ts",
      "node": "./dist/entries/agentwire/node.js",
      "default": "./dist/entries/agentwire/browser.js"
    },
    "./rules": { "types": "./dist/rules.d.ts", "default": "./dist/rules.js" }
  }
}
"#;

/// Where it is.
pub fn folder() -> Outcome<PathBuf> {
    Ok(checkout::state()?.join("toy"))
}

/// Makes the package.
pub fn package() -> Outcome<PathBuf> {
    let _lock = checkout::lock()?;
    let folder = folder()?;
    let (source, dist) = (folder.join("src"), folder.join("dist"));
    for old in [&source, &dist] {
        if old.exists() {
            fs::remove_dir_all(old).map_err(|error| Failure::file("remove", old, &error))?;
        }
    }
    copy(&checkout::pkg().join("src"), &source)?;
    copy(&checkout::root().join("tests/toy"), &source.join("toy"))?;
    for section in generated::print(&["--features", "toy"])?.split("=== ").skip(1) {
        let (name, content) = section.split_once('\n').unwrap_or((section, ""));
        // The schemas are for the tests of what is shipped.
        if !name.starts_with('/') {
            write(&source.join(name), content.as_bytes())?;
        }
    }
    // Only the toolkit is made.
    for entry in fs::read_dir(source.join("entries")).into_iter().flatten().flatten() {
        if entry.path().is_dir() && entry.file_name() != TOY.name {
            fs::remove_dir_all(entry.path())
                .map_err(|error| Failure::file("remove", &entry.path(), &error))?;
        }
    }
    let compiled = wasm::compile(&TOY)?;
    let made = glue::generate(&TOY, &compiled)?;
    let optimised = wasm::optimise(&TOY, &made)?;
    let types = &variant::DECLARATIONS;
    let declarations = glue::declarations(&TOY, types, &glue::generate(types, &wasm::compile(types)?)?)?;
    glue::install(&TOY, &made, &optimised, declarations, &dist)?;
    write(&folder.join("package.json"), PACKAGE.as_bytes())?;
    let config = fs::read(checkout::pkg().join("tsconfig.json"))
        .map_err(|error| Failure::file("read", &checkout::pkg().join("tsconfig.json"), &error))?;
    write(&folder.join("tsconfig.json"), &config)?;
    let step = Step::begin("TypeScript with the toy");
    let project = folder.join("tsconfig.json");
    process::expect(&mut node::typescript(&project), process::LIMIT, "see the type errors above")?;
    step.end("compiled");
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    for file in files_below(from)? {
        if file.extension().is_some_and(|end| end == "ts") {
            let content = fs::read(&file).map_err(|error| Failure::file("read", &file, &error))?;
            write(&to.join(file.strip_prefix(from).unwrap_or(&file)), &content)?;
        }
    }
    Ok(())
}

fn write(path: &Path, content: &[u8]) -> Outcome<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))?;
    }
    fs::write(path, content).map_err(|error| Failure::file("write", path, &error))
}
