//! A package for tests: the toolkit with one protocol more, the toy, whose sources are in
//! `tests/js/toy_protocol`. It is made as the published package is, in a folder of its own.

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

const PACKAGE: &str = r#"{
  "name": "agentwire",
  "type": "module",
  "exports": {
    ".": {
      "types": "./dist/index.d.ts",
      "node": "./dist/entries/agentwire/node.js",
      "default": "./dist/entries/agentwire/browser.js"
    },
    "./server": {
      "types": "./dist/server.d.ts",
      "node": "./dist/entries/server/node.js",
      "default": "./dist/entries/server/browser.js"
    },
    "./rules": { "types": "./dist/rules.d.ts", "default": "./dist/rules.js" }
  }
}
"#;

/// Makes the package and returns its folder.
pub fn package() -> Outcome<PathBuf> {
    let _lock = checkout::lock("build")?;
    let folder = checkout::state()?.join("toy");
    let (source, dist) = (folder.join("src"), folder.join("dist"));
    for old in [&source, &dist].into_iter().filter(|old| old.exists()) {
        fs::remove_dir_all(old).map_err(Failure::file("remove", old))?;
    }
    copy(&checkout::pkg().join("src"), &source)?;
    copy(&checkout::root().join("tests/js/toy_protocol"), &source.join("toy"))?;
    // The schemas, whose paths start with `/`, are for the tests of the published package.
    for (name, content) in generated::sections(&generated::print(&["--features", "toy"])?) {
        if !name.starts_with('/') {
            write(&source.join("generated").join(name), content.as_bytes())?;
        }
    }
    super::module(&TOY, Quality::Test, Lints::Off, &dist, super::PROFILES[0])?;
    super::entries::install(&dist)?;
    write(&folder.join("package.json"), PACKAGE.as_bytes())?;
    let project = folder.join("tsconfig.json");
    fs::copy(checkout::pkg().join("tsconfig.json"), &project)
        .map_err(Failure::file("write", &project))?;
    process::expect(&mut node::typescript(&project), "see the type errors above")?;
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    for file in
        files_below(from)?.iter().filter(|file| file.extension().is_some_and(|end| end == "ts"))
    {
        let content = fs::read(file).map_err(Failure::file("read", file))?;
        write(&to.join(file.strip_prefix(from).unwrap_or(file)), &content)?;
    }
    Ok(())
}
