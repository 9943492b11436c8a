//! Remembers the inputs of a step, so that a step with unchanged inputs is not run again.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

use crate::{
    checkout,
    failure::{Failure, Outcome},
};

/// Collects the inputs of a step. Contents count, modification times do not: a checkout touches
/// files.
#[derive(Default)]
pub struct Fingerprint(DefaultHasher);

impl Fingerprint {
    pub fn text(mut self, text: &str) -> Self {
        text.hash(&mut self.0);
        self
    }

    pub fn file(mut self, path: &Path) -> Outcome<Self> {
        let content = fs::read(path).map_err(Failure::file("read", path))?;
        path.strip_prefix(checkout::root()).unwrap_or(path).hash(&mut self.0);
        content.hash(&mut self.0);
        Ok(self)
    }

    pub fn folder(mut self, folder: &Path) -> Outcome<Self> {
        for file in files_below(folder)? {
            self = self.file(&file)?;
        }
        Ok(self)
    }
}

/// The record of a step's last successful run.
pub struct Stamp {
    path: PathBuf,
    inputs: String,
}

impl Stamp {
    /// The standard hasher may change with the toolchain, which costs one needless run.
    pub fn new(path: PathBuf, inputs: &Fingerprint) -> Self {
        Self { path, inputs: format!("{:016x}", inputs.0.finish()) }
    }

    /// The record of another step with the same inputs, in a file beside this one.
    pub fn beside(&self, name: &str) -> Self {
        Self { path: self.path.with_file_name(name), inputs: self.inputs.clone() }
    }

    pub fn is_current(&self, output: &Path) -> bool {
        output.exists() && fs::read_to_string(&self.path).is_ok_and(|last| last == self.inputs)
    }

    pub fn set(&self) -> Outcome<()> {
        fs::write(&self.path, &self.inputs).map_err(Failure::file("write", &self.path))
    }
}

/// Returns all files below a folder, sorted; no file if the folder does not exist.
pub fn files_below(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder).map_err(Failure::file("read", &folder))? {
            let path = entry.map_err(Failure::file("read", &folder))?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}
