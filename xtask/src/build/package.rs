//! The TypeScript of the package, compiled strictly, and the published files that are made of it.

use std::{collections::BTreeSet, fs, path::Path};

use super::{
    notices,
    variant::{VARIANTS, bindings, wasm_files},
};
use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::files_below,
    node, process,
    progress::Step,
};

const LICENSES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// Compiles `pkg/src` to `pkg/build`, and removes the files there whose source no longer exists.
pub fn compile() -> Outcome<()> {
    let step = Step::begin("TypeScript");
    let (source, modules) = (checkout::pkg().join("src"), checkout::modules());
    let mut typescript = node::typescript(&checkout::pkg().join("tsconfig.json"));
    typescript
        .arg("--incremental")
        .arg("--tsBuildInfoFile")
        .arg(checkout::state()?.join("package.tsbuildinfo"));
    let mut wanted: BTreeSet<_> = VARIANTS
        .iter()
        .flat_map(|variant| bindings(variant.name))
        .map(|file| modules.join(file))
        .collect();
    // A file of declarations only is not compiled.
    for file in files_below(&source)?.iter().filter(|file| !file.ends_with("wasm.d.ts")) {
        let target = modules.join(file.strip_prefix(&source).unwrap_or(file));
        wanted.extend([target.with_extension("js"), target.with_extension("d.ts")]);
    }
    // The incremental record does not notice that an output was removed.
    if wanted.iter().any(|file| !file.exists()) {
        let _ = fs::remove_file(checkout::state()?.join("package.tsbuildinfo"));
    }
    process::expect(&mut typescript, "see the type errors above")?;
    remove_others(&modules, &wanted)?;
    step.end("compiled");
    Ok(())
}

/// Makes `pkg/dist` of the compiled modules.
pub fn bundle() -> Outcome<()> {
    let step = Step::begin("bundles");
    let dist = checkout::dist();
    let mut kept: BTreeSet<_> = LICENSES.iter().map(|license| dist.join(license)).collect();
    kept.insert(dist.join(notices::FILE));
    let wasm = VARIANTS.iter().flat_map(|variant| wasm_files(variant.name));
    kept.extend(wasm.map(|file| dist.join("wasm").join(file)));
    remove_others(&dist, &kept)?;
    for license in LICENSES {
        let (from, to) = (checkout::root().join(license), dist.join(license));
        fs::copy(&from, &to).map_err(Failure::file("copy", &from))?;
    }
    notices::write(&dist)?;
    let mut bundle = node::node();
    bundle.arg("xtask/scripts/bundle.mjs").arg(checkout::modules()).arg(&dist);
    process::expect(&mut bundle, "see its output above")?;
    let mut documentation = node::node();
    documentation.arg("docs/packaged.mjs").arg(&dist);
    process::expect(&mut documentation, "see its output above")?;
    step.end("written, with the documentation");
    Ok(())
}

/// Removes the files of a folder that are not wanted: they would be published or imported.
fn remove_others(folder: &Path, wanted: &BTreeSet<std::path::PathBuf>) -> Outcome<()> {
    for stale in files_below(folder)?.iter().filter(|file| !wanted.contains(*file)) {
        fs::remove_file(stale).map_err(Failure::file("remove", stale))?;
    }
    Ok(())
}

/// Writes a file and the folders above it. An unchanged file keeps its time, for the tools that
/// watch the folder.
pub fn write(path: &Path, content: &[u8]) -> Outcome<()> {
    if fs::read(path).is_ok_and(|present| present == content) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Failure::file("create", folder))?;
    }
    fs::write(path, content).map_err(Failure::file("write", path))
}
