//! Debian's packages, on a Debian where we may install some.

use std::{fs, path::Path, process::Command, time::Duration};

use crate::{
    failure::{Failure, Outcome},
    process, progress,
};

const UPDATE: Duration = Duration::from_secs(5 * 60);
const INSTALL: Duration = Duration::from_secs(15 * 60);

/// `Err` says why apt is no way here.
pub fn available() -> Outcome<()> {
    if !Path::new("/etc/debian_version").exists() || process::on_path("apt-get").is_none() {
        return Err(Failure::new("this is no Debian system"));
    }
    let user = process::run(Command::new("id").arg("-u"), Duration::from_secs(10))?;
    if user.output.trim() != "0" {
        return Err(Failure::new("apt-get needs root"));
    }
    Ok(())
}

pub fn install(packages: &[&str]) -> Outcome<()> {
    let list = packages.join(" ");
    // Package lists that were never fetched, or are old, name files that are gone.
    if !process::run(apt_get().arg("update"), UPDATE)?.success {
        progress::note("apt-get update failed; trying with the package lists that are there");
    }
    let mut install = apt_get();
    install.args(["install", "-y", "--no-install-recommends"]).args(packages);
    process::expect(&mut install, INSTALL, &format!("install {list} by hand")).map(drop)
}

/// Whether dpkg knows the package as installed.
pub fn installed(package: &str) -> bool {
    let list = format!("/var/lib/dpkg/info/{package}.list");
    fs::exists(list).unwrap_or(false)
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command
        .env("DEBIAN_FRONTEND", "noninteractive")
        // Another installation on the machine is waited for.
        .args(["-q", "-o", "DPkg::Lock::Timeout=300"]);
    command
}
