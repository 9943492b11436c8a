//! A package for tests: the toolkit with one protocol more, the toy, whose sources are in
//! `tests/js/toy_protocol`. It is made as the published package is, without bundles, in a folder of
//! its own.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{Lints, Quality, Variant, generated, package::write, variant};
use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::files_below,
    node, process,
};

const TOY: Variant =
    Variant { name: "agentwire", features: "wasm,toy", id: "toy", inlining: variant::SPARING };

const PACKAGE: &str = r##"{
  "name": "agentwire",
  "type": "module",
  "exports": {
    ".": "./build/entries/agentwire.js",
    "./server": "./build/entries/server.js",
    "./rules": "./build/rules.js"
  },
  "imports": {
    "#wasm/*": { "node": "./dist/wasm/*.node.js", "default": "./dist/wasm/*.page.js" }
  }
}
"##;

/// Makes the package and returns its folder.
pub fn package() -> Outcome<PathBuf> {
    let _lock = checkout::lock("build")?;
    let folder = checkout::state()?.join("toy");
    let (source, modules, dist) = (folder.join("src"), folder.join("build"), folder.join("dist"));
    for old in [&source, &modules, &dist].into_iter().filter(|old| old.exists()) {
        fs::remove_dir_all(old).map_err(Failure::file("remove", old))?;
    }
    copy(&checkout::pkg().join("src"), &source)?;
    copy(&checkout::root().join("tests/js/toy_protocol"), &source.join("toy"))?;
    // The schemas, whose paths start with `/`, are for the tests of the published package.
    for (name, content) in generated::sections(&generated::print(&["--features", "toy"])?) {
        if !name.starts_with('/') && !has_other_module(Path::new(name)) {
            write(&source.join("generated").join(name), content.as_bytes())?;
        }
    }
    super::module(
        &TOY,
        Quality::Test,
        Lints::Off,
        &modules,
        &dist.join("wasm"),
        super::PROFILES[0],
    )?;
    write(&folder.join("package.json"), PACKAGE.as_bytes())?;
    let project = folder.join("tsconfig.json");
    fs::copy(checkout::pkg().join("tsconfig.json"), &project)
        .map_err(Failure::file("write", &project))?;
    process::expect(&mut node::typescript(&project), "see the type errors above")?;
    Ok(folder)
}

/// Whether a file is an entry point of a module that this package lacks.
fn has_other_module(file: &Path) -> bool {
    ["entry.ts", "entries/reader.ts", "entries/runs.ts"].iter().any(|end| file.ends_with(end))
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    let is_copied = |file: &&PathBuf| {
        file.extension().is_some_and(|end| end == "ts") && !has_other_module(file)
    };
    for file in files_below(from)?.iter().filter(is_copied) {
        let content = fs::read(file).map_err(Failure::file("read", file))?;
        write(&to.join(file.strip_prefix(from).unwrap_or(file)), &content)?;
    }
    Ok(())
}
