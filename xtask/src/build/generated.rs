//! What the TypeScript and the tests have to know of the crate: files in `pkg/src` and JSON Schemas that are printed from the
//! declarations in Rust. They are committed, so that they can be read and compared.

use std::{fs, path::Path};

use super::variant::PROTOCOLS;
use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::{Fingerprint, Stamp, files_below},
    process,
    progress::Step,
    setup,
};

const ADVICE: &str = "the file is not what Rust declares: run `cargo xtask build` and commit it";

/// What stands in the first two lines of each of the files.
const MARK: &str = "Made by `cargo xtask build` from the declarations in Rust; changed there, never here.";

/// Where the JSON Schemas of answers and events are.
const SCHEMAS: &str = "tests/schemas";

/// Writes the files that are not what the crate says. Where nobody could commit them, that is a failure.
pub fn write() -> Outcome<()> {
    let step = Step::begin("generated TypeScript");
    let root = checkout::root();
    let folder = checkout::pkg().join("src");
    let inputs = || -> Outcome<Fingerprint> {
        let mut inputs =
            Fingerprint::default().folder(&root.join("src"))?.folder(&root.join("xtask/contract"))?;
        for file in [files_below(&folder)?, files_below(&root.join(SCHEMAS))?].concat() {
            if is_generated(&file) {
                inputs = inputs.text(&file.to_string_lossy()).file(&file)?;
            }
        }
        Ok(inputs)
    };
    let first = folder.join("generated.ts");
    if Stamp::new("generated", inputs()?)?.is_current(std::slice::from_ref(&first)) {
        step.end("up to date");
        return Ok(());
    }
    let printed = print(&[])?;
    let names: Vec<String> = PROTOCOLS.iter().map(|name| format!("{name:?}")).collect();
    if !printed.contains(&format!("export const PROTOCOLS = [{}] as const;", names.join(", "))) {
        return Err(Failure::new(
            "each protocol of the crate's registry has a line in xtask/src/build/variant.rs",
        ));
    }
    let mut wanted = Vec::new();
    let mut changed = 0;
    for section in printed.split("=== ").skip(1) {
        let (name, content) = section.split_once('\n').unwrap_or((section, ""));
        // What is not the package's own has a path from the root.
        let path = match name.strip_prefix("/") {
            Some(path) => root.join(path),
            None => folder.join(name),
        };
        changed += usize::from(write_one(&path, content)?);
        wanted.push(path);
    }
    let present = [files_below(&folder)?, files_below(&root.join(SCHEMAS))?].concat();
    for stale in present.iter().filter(|file| !wanted.contains(file) && is_generated(file)) {
        fs::remove_file(stale).map_err(|error| Failure::file("remove", stale, &error))?;
        changed += 1;
    }
    Stamp::new("generated", inputs()?)?.set()?;
    step.end(if changed == 0 { "the same" } else { "changed: commit it" });
    Ok(())
}

/// All files, each after a line with its path.
pub fn print(features: &[&str]) -> Outcome<String> {
    let mut cargo = process::cargo();
    cargo.current_dir(checkout::root());
    cargo.args(["run", "--quiet", "--locked", "--package", "xtask-contract"]).args(features);
    process::expect(&mut cargo, process::LIMIT, "correct what is shown above")
}

/// Whether the file was not what it should be.
fn write_one(path: &Path, content: &str) -> Outcome<bool> {
    if fs::read_to_string(path).is_ok_and(|present| present == content) {
        return Ok(false);
    }
    if setup::in_ci() {
        return Err(Failure::new(format!("{}: {ADVICE}", path.display())));
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))?;
    }
    fs::write(path, content).map_err(|error| Failure::file("write", path, &error))?;
    Ok(true)
}

fn is_generated(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.lines().take(2).any(|line| line.contains(MARK)))
}
