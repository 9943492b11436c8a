//! The TypeScript of the package, compiled strictly, beside the generated files in `dist`.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::variant::VARIANTS;
use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::{Fingerprint, Stamp, files_below},
    node, process,
    progress::Step,
};

const LICENSES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

pub fn compile() -> Outcome<()> {
    let step = Step::begin("TypeScript");
    let (pkg, dist) = (checkout::pkg(), checkout::dist());
    let source = pkg.join("src");
    let config = pkg.join("tsconfig.json");
    let mut inputs = Fingerprint::default()
        .folder(&source)?
        .file(&config)?
        .file(&checkout::node_modules().join("typescript/package.json"))?;
    for variant in VARIANTS {
        inputs = inputs.file(&dist.join(format!("{}.d.ts", variant.name)))?;
    }
    for license in LICENSES {
        inputs = inputs.file(&checkout::root().join(license))?;
    }
    let stamp = Stamp::new("typescript", inputs)?;
    let wanted = wanted_files(&source, &dist)?;
    if stamp.is_current(&wanted.iter().cloned().collect::<Vec<_>>()) {
        step.end("up to date");
        return Ok(());
    }
    process::expect(&mut node::typescript(&config), process::LIMIT, "see the type errors above")?;
    for license in LICENSES {
        let (from, to) = (checkout::root().join(license), dist.join(license));
        fs::copy(&from, &to).map_err(|error| Failure::file("copy", &from, &error))?;
    }
    // What was compiled from a source that is gone would be published.
    let bundled = dist.join("node");
    let files = files_below(&dist)?;
    for stale in files.iter().filter(|file| !wanted.contains(*file) && !file.starts_with(&bundled)) {
        fs::remove_file(stale).map_err(|error| Failure::file("remove", stale, &error))?;
    }
    stamp.set()?;
    step.end("compiled");
    Ok(())
}

/// Bundles what Node imports.
pub fn bundle() -> Outcome<()> {
    let step = Step::begin("bundles for Node");
    let dist = checkout::dist();
    let folder = dist.join("node");
    let script = checkout::root().join("xtask/scripts/bundle.mjs");
    let mut inputs =
        Fingerprint::default().file(&script)?.file(&checkout::node_modules().join("esbuild/package.json"))?;
    for file in files_below(&dist)? {
        if file.extension().is_some_and(|end| end == "js") && !file.starts_with(&folder) {
            inputs = inputs.file(&file)?;
        }
    }
    let stamp = Stamp::new("node-bundles", inputs)?;
    let names = VARIANTS.iter().map(|variant| variant.name).chain(["store", "react"]);
    let files: Vec<_> = names.map(|name| folder.join(format!("{name}.js"))).collect();
    if stamp.is_current(&files) {
        step.end("up to date");
        return Ok(());
    }
    let mut bundle = node::script("bundle.mjs");
    bundle.arg(&dist).arg(&folder);
    bundle.args(VARIANTS.iter().map(|variant| format!("{}={}", variant.name, variant.entry("node"))));
    bundle.arg("store=store.js");
    process::expect(&mut bundle, Duration::from_secs(60), "see its words above")?;
    stamp.set()?;
    step.end("written");
    Ok(())
}

/// Everything that belongs into `dist`.
fn wanted_files(source: &Path, dist: &Path) -> Outcome<BTreeSet<PathBuf>> {
    let mut wanted: BTreeSet<PathBuf> = LICENSES.iter().map(|license| dist.join(license)).collect();
    wanted.extend(VARIANTS.iter().flat_map(|variant| variant.files()).map(|file| dist.join(file)));
    for file in files_below(source)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if !name.ends_with(".ts") || name.ends_with(".d.ts") {
            continue;
        }
        let target = dist.join(file.strip_prefix(source).unwrap_or(&file));
        wanted.insert(target.with_extension("js"));
        wanted.insert(target.with_extension("d.ts"));
    }
    Ok(wanted)
}
