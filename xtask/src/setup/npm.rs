//! The npm packages of the build and the tests, in the versions of the lock file.

use super::step;
use crate::{
    checkout,
    failure::Outcome,
    fingerprint::{Fingerprint, Stamp},
    node, process,
};

pub fn prepare() -> Outcome<()> {
    step("npm packages", || {
        node::check_version()?;
        let lock = Fingerprint::default().file(&checkout::root().join("package-lock.json"))?;
        // Inside the folder that it describes: removing the folder removes the stamp.
        let stamp = Stamp::new(checkout::node_modules().join(".xtask-stamp"), &lock);
        if stamp.is_current(&checkout::node_modules().join("agentwire")) {
            return Ok("present");
        }
        let mut install = process::npm();
        install
            .current_dir(checkout::root())
            // No package that we use needs its install script, and newer npm asks before it runs one.
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"])
            // The lock file contains versions and checksums but no address: the registry is the user's choice.
            .env("npm_config_omit_lockfile_registry_resolved", "true");
        process::expect(&mut install, "`npm ci` in this folder has to succeed")?;
        stamp.set()?;
        Ok("installed")
    })
}
