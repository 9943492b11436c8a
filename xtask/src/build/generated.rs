//! The files that are printed from the declarations in Rust: TypeScript in `pkg/src`, JSON Schemas in `tests/schemas`. They are
//! committed, so that they can be read and compared.

use std::{collections::BTreeSet, fs, path::PathBuf};

use super::variant::PROTOCOLS;
use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::files_below,
    process,
    progress::Step,
    setup,
};

/// Part of the first or second line of each printed file.
const MARK: &str = "Made by `cargo xtask build` from the declarations in Rust; changed there, never here.";

/// Writes the files that differ from what the crate declares. In CI, a difference is a failure.
pub fn write() -> Outcome<()> {
    let step = Step::begin("generated TypeScript");
    let (folder, schemas) = (checkout::pkg().join("src"), checkout::root().join("tests/schemas"));
    let printed = print(&[])?;
    let names: Vec<String> = PROTOCOLS.iter().map(|name| format!("{name:?}")).collect();
    if !printed.contains(&format!("export const PROTOCOLS = [{}] as const;", names.join(", "))) {
        return Err(Failure::new(
            "each protocol of the crate's registry needs a line in xtask/src/build/variant.rs",
        ));
    }
    let mut wanted = BTreeSet::new();
    let mut changed = Vec::new();
    for (name, content) in sections(&printed) {
        // A path that starts with `/` starts at the root of the checkout.
        let path =
            name.strip_prefix('/').map_or_else(|| folder.join(name), |path| checkout::root().join(path));
        if fs::read_to_string(&path).unwrap_or_default() != content {
            changed.push((path.clone(), Some(content)));
        }
        wanted.insert(path);
    }
    let is_stale = |path: &PathBuf| {
        let is_printed = |text: String| text.lines().take(2).any(|line| line.contains(MARK));
        !wanted.contains(path) && fs::read_to_string(path).is_ok_and(is_printed)
    };
    let present = [files_below(&folder)?, files_below(&schemas)?].concat();
    changed.extend(present.into_iter().filter(is_stale).map(|path| (path, None)));
    if let Some((path, _)) = changed.first().filter(|_| setup::in_ci()) {
        let sentence =
            "the file differs from the declarations in Rust: run `cargo xtask build` and commit it";
        return Err(Failure::new(format!("{}: {sentence}", path.display())));
    }
    for (path, content) in &changed {
        match content {
            Some(content) => super::package::write(path, content.as_bytes())?,
            None => fs::remove_file(path).map_err(Failure::file("remove", path))?,
        }
    }
    step.end(if changed.is_empty() { "the same" } else { "changed: commit it" });
    Ok(())
}

/// Prints all files, each after a line with its path; `features` are options of cargo.
pub fn print(features: &[&str]) -> Outcome<String> {
    let mut cargo = process::cargo(&["run", "--quiet", "--locked", "--package", "xtask-contract"]);
    process::expect(cargo.args(features), "correct the errors above")
}

/// Splits the printed text into paths and contents.
pub fn sections(printed: &str) -> impl Iterator<Item = (&str, &str)> {
    printed.split("=== ").skip(1).map(|section| section.split_once('\n').unwrap_or((section, "")))
}
