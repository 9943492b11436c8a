//! Debian's packages, on a Debian system where this user may install some.

use std::{path::Path, process::Command};

use crate::{
    failure::{Failure, Outcome},
    process, progress,
};

pub fn install(packages: &[&str]) -> Outcome<()> {
    let list = packages.join(" ");
    if !Path::new("/etc/debian_version").exists() || process::on_path("apt-get").is_none() {
        return Err(Failure::new(format!("this is not a Debian system: install {list} by hand")));
    }
    if process::run(Command::new("id").arg("-u"))?.output.trim() != "0" {
        return Err(Failure::new(format!("apt-get needs root: install {list} by hand")));
    }
    // Old package lists name files that no longer exist.
    if !process::run(apt_get().arg("update"))?.success {
        progress::line("    apt-get update failed; the present package lists are used");
    }
    let mut install = apt_get();
    install.args(["install", "-y", "--no-install-recommends"]).args(packages);
    process::expect(&mut install, &format!("install {list} by hand")).map(drop)
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    // Another installation on the machine is waited for.
    command.env("DEBIAN_FRONTEND", "noninteractive").args(["-q", "-o", "DPkg::Lock::Timeout=300"]);
    command
}
