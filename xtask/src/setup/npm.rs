//! The npm packages of the build, the tests and the site, in the versions of the lock files.

use std::path::Path;

use super::step;
use crate::{
    checkout,
    failure::Outcome,
    fingerprint::{Fingerprint, Stamp},
    node, process,
};

/// Installs the packages of the build and the tests.
pub fn prepare() -> Outcome<()> {
    step("npm packages", || install(&checkout::root(), "agentwire", &["ci"]))
}

/// Installs the packages of the documentation site.
pub fn prepare_site() -> Outcome<()> {
    // `npm ci` refuses a lock file that does not name the binaries of every platform. This uses the
    // versions of the lock file, too.
    let install =
        || install(&checkout::root().join("docs"), "vitepress", &["install", "--no-save"]);
    step("npm packages of the site", install)
}

/// Installs the coding agents of the tests.
pub fn prepare_agents() -> Outcome<()> {
    let folder = checkout::root().join("tests/js/agents");
    step("coding agents", || install(&folder, "@openai/codex", &["ci"]))
}

/// Installs the packages of a folder, unless those of its lock file are present; `present` is one
/// of them.
fn install(folder: &Path, present: &str, command: &[&str]) -> Outcome<&'static str> {
    node::check_version()?;
    let lock = Fingerprint::default().file(&folder.join("package-lock.json"))?;
    let modules = folder.join("node_modules");
    // Inside the folder that it describes: removing the folder removes the stamp.
    let stamp = Stamp::new(modules.join(".xtask-stamp"), &lock);
    if stamp.is_current(&modules.join(present)) {
        return Ok("present");
    }
    let mut install = process::npm();
    install
        .current_dir(folder)
        // No package that we use needs its install script, and newer npm asks before it runs one.
        .args(command)
        .args(["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"])
        // The lock file contains versions and checksums but no address: the registry is the user's
        // choice.
        .env("npm_config_omit_lockfile_registry_resolved", "true");
    process::expect(&mut install, "npm has to succeed in this folder")?;
    stamp.set()?;
    Ok("installed")
}
