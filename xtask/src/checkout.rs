//! The paths of this checkout, and the lock that keeps two runs apart.

use std::{
    env,
    fs::{self, File, TryLockError},
    path::PathBuf,
};

use crate::{
    failure::{Failure, Outcome},
    progress,
};

pub fn root() -> PathBuf {
    let xtask = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.parent().map_or_else(|| PathBuf::from("."), PathBuf::from)
}

pub fn pkg() -> PathBuf {
    root().join("pkg")
}

/// The published files.
pub fn dist() -> PathBuf {
    pkg().join("dist")
}

/// The compiled TypeScript and the bindings of the modules, of which the published files are made.
/// Tests import modules from here that the package does not export.
pub fn modules() -> PathBuf {
    pkg().join("build")
}

pub fn node_modules() -> PathBuf {
    root().join("node_modules")
}

/// Returns the folder of intermediate files and stamps; always below this checkout, wherever
/// cargo's target folder is.
pub fn state() -> Outcome<PathBuf> {
    let folder = root().join("target/xtask");
    fs::create_dir_all(&folder).map_err(Failure::file("create", &folder))?;
    Ok(folder)
}

/// Held while files are written that another run, or the other group of test suites, would also
/// write.
#[must_use]
pub struct Lock(#[expect(dead_code, reason = "the open file is the lock")] File);

pub fn lock(name: &str) -> Outcome<Lock> {
    let path = state()?.join(format!("{name}.lock"));
    let file = File::create(&path).map_err(Failure::file("create", &path))?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        progress::line(&format!(
            "    waiting for the {name} of another `cargo xtask` in this checkout"
        ));
        file.lock().map_err(Failure::file("lock", &path))?;
    }
    Ok(Lock(file))
}
