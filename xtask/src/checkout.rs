//! Where things are in this checkout, and the lock that keeps two runs in it apart.

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

pub fn dist() -> PathBuf {
    pkg().join("dist")
}

pub fn node_modules() -> PathBuf {
    root().join("node_modules")
}

/// Intermediate files and the stamps of finished steps; always below this checkout, wherever
/// cargo's target folder is.
pub fn state() -> Outcome<PathBuf> {
    let folder = root().join("target").join("xtask");
    fs::create_dir_all(&folder).map_err(|error| Failure::file("create", &folder, &error))?;
    Ok(folder)
}

/// Held while files that a second run would also write are written.
#[must_use]
pub struct Lock(#[expect(dead_code, reason = "the open file is the lock")] File);

pub fn lock() -> Outcome<Lock> {
    let path = state()?.join("lock");
    let file = File::create(&path).map_err(|error| Failure::file("create", &path, &error))?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        progress::note("waiting for another `cargo xtask` in this checkout");
        file.lock().map_err(|error| Failure::file("lock", &path, &error))?;
    }
    Ok(Lock(file))
}
