//! The TypeScript of the package, compiled strictly, beside the generated files in `dist`.

use std::{collections::BTreeSet, fs, path::Path};

use super::{entries, notices, variant::VARIANTS};
use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::files_below,
    node, process,
    progress::Step,
};

const LICENSES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// Compiles `pkg/src`, writes the entry points, and removes the files of `dist` whose source no
/// longer exists: they would be published.
pub fn compile() -> Outcome<()> {
    let step = Step::begin("TypeScript");
    let (source, dist) = (checkout::pkg().join("src"), checkout::dist());
    let mut typescript = node::typescript(&checkout::pkg().join("tsconfig.json"));
    typescript
        .arg("--incremental")
        .arg("--tsBuildInfoFile")
        .arg(checkout::state()?.join("package.tsbuildinfo"));
    let mut wanted: BTreeSet<_> = LICENSES.iter().map(|license| dist.join(license)).collect();
    wanted.insert(dist.join(notices::FILE));
    wanted.extend(VARIANTS.iter().flat_map(|variant| variant.files()).map(|file| dist.join(file)));
    wanted.extend(entries::install(&dist)?.iter().map(|file| dist.join(file)));
    for file in files_below(&source)? {
        let target = dist.join(file.strip_prefix(&source).unwrap_or(&file));
        wanted.extend([target.with_extension("js"), target.with_extension("d.ts")]);
    }
    // The incremental record does not notice that an output was removed.
    if wanted.iter().any(|file| !file.exists()) {
        let _ = fs::remove_file(checkout::state()?.join("package.tsbuildinfo"));
    }
    process::expect(&mut typescript, "see the type errors above")?;
    for license in LICENSES {
        let (from, to) = (checkout::root().join(license), dist.join(license));
        fs::copy(&from, &to).map_err(Failure::file("copy", &from))?;
    }
    notices::write(&dist)?;
    let bundled = dist.join("node");
    for stale in files_below(&dist)?
        .iter()
        .filter(|file| !wanted.contains(*file) && !file.starts_with(&bundled))
    {
        fs::remove_file(stale).map_err(Failure::file("remove", stale))?;
    }
    step.end("compiled");
    Ok(())
}

/// Bundles the entry points of Node.
pub fn bundle() -> Outcome<()> {
    let step = Step::begin("bundles for Node");
    let dist = checkout::dist();
    let mut bundle = node::node();
    bundle.arg("xtask/scripts/bundle.mjs").arg(&dist).arg(dist.join("node"));
    bundle
        .args(VARIANTS.iter().map(|variant| format!("{}={}", variant.name, variant.entry("node"))));
    // The entry points that share a module with another one.
    bundle.args(["server", "runs-server"].map(|name| format!("{name}=entries/{name}/node.js")));
    bundle.args(["store=store.js", "node=server/node_listener.js"]);
    process::expect(&mut bundle, "see its output above")?;
    step.end("written");
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
