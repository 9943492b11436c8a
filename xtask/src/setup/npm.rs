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
    let install = || install(&checkout::root().join("docs"), "vitepress", PARTIAL_LOCK);
    step("npm packages of the site", install)
}

/// Installs the coding agents of the tests.
pub fn prepare_agents() -> Outcome<()> {
    let folder = checkout::root().join("tests/js/agents");
    step("coding agents", || {
        let installed = install(&folder, "@openai/codex", PARTIAL_LOCK)?;
        if installed != PRESENT {
            // Their install scripts put the program for this platform in place.
            let mut rebuild = process::npm();
            rebuild.current_dir(&folder).args(["rebuild", "--loglevel", "error"]);
            rebuild.args(["@anthropic-ai/claude-code", "opencode-ai"]);
            process::expect(&mut rebuild, "npm has to run the scripts of the coding agents")?;
        }
        Ok(installed)
    })
}

/// The command for a folder whose lock file does not name the binaries of every platform, which
/// `npm ci` refuses. This uses the versions of the lock file, too.
const PARTIAL_LOCK: &[&str] = &["install", "--no-save"];

/// What the installation of a folder whose packages are present returns.
const PRESENT: &str = "present";

/// Installs the packages of a folder, unless those of its lock file are present; `present` is one
/// of them.
fn install(folder: &Path, present: &str, command: &[&str]) -> Outcome<&'static str> {
    node::check_version()?;
    let lock = Fingerprint::default().file(&folder.join("package-lock.json"))?;
    let modules = folder.join("node_modules");
    // Inside the folder that it describes: removing the folder removes the stamp.
    let stamp = Stamp::new(modules.join(".xtask-stamp"), &lock);
    if stamp.is_current(&modules.join(present)) {
        return Ok(PRESENT);
    }
    let mut install = process::npm();
    install
        .current_dir(folder)
        // Install scripts run only where they are needed, and newer npm asks before it runs one.
        .args(command)
        .args(["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"])
        // The lock file contains versions and checksums but no address: the registry is the user's
        // choice.
        .env("npm_config_omit_lockfile_registry_resolved", "true");
    process::expect(&mut install, "npm has to succeed in this folder")?;
    stamp.set()?;
    Ok("installed")
}
