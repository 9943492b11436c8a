//! The npm packages of the build and the tests, exactly as the lock file names them.

use std::{process::Command, time::Duration};

use super::step;
use crate::{
    checkout,
    failure::Outcome,
    fingerprint::{Fingerprint, Stamp},
    node, process,
};

const LIMIT: Duration = Duration::from_secs(15 * 60);

pub fn prepare() -> Outcome<()> {
    step("npm packages", || {
        node::check_version()?;
        let lock = Fingerprint::default().file(&checkout::root().join("package-lock.json"))?;
        // Inside the folder that it speaks of, so that a removed folder takes its stamp along.
        let stamp = Stamp::at(checkout::node_modules().join(".xtask-stamp"), lock);
        if stamp.is_current(&[checkout::node_modules().join("agentwire")]) {
            return Ok("present");
        }
        let advice = "see the output above; `npm ci` in this folder has to work";
        process::expect(&mut clean_install(), LIMIT, advice)?;
        stamp.set()?;
        Ok("installed")
    })
}

fn clean_install() -> Command {
    let mut command = process::npm();
    command
        .current_dir(checkout::root())
        // No package that we use needs its install script, and newer npm asks before it runs one.
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"])
        // The lock file names versions and checksums but no address: the registry is the user's choice.
        .env("npm_config_omit_lockfile_registry_resolved", "true");
    command
}
