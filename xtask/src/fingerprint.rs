//! Remembers what a step was made from, so that a step whose inputs are as they were is not run again.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

use crate::{
    checkout,
    failure::{Failure, Outcome},
};

/// Collects the inputs of a step. Contents count, times of change do not: a checkout or a branch
/// switch touches files.
#[derive(Default)]
pub struct Fingerprint(DefaultHasher);

impl Fingerprint {
    pub fn text(mut self, text: &str) -> Self {
        text.hash(&mut self.0);
        self
    }

    pub fn file(mut self, path: &Path) -> Outcome<Self> {
        let content = fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
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

    /// The standard hasher may change with the toolchain, which costs one needless run and nothing else.
    pub fn finish(self) -> String {
        format!("{:016x}", self.0.finish())
    }
}

/// The record of a step's last good run.
pub struct Stamp {
    path: PathBuf,
    inputs: String,
}

impl Stamp {
    pub fn new(step: &str, inputs: Fingerprint) -> Outcome<Self> {
        let path = checkout::state()?.join(format!("{step}.stamp"));
        Ok(Self::at(path, inputs))
    }

    pub fn at(path: PathBuf, inputs: Fingerprint) -> Self {
        Self { path, inputs: inputs.finish() }
    }

    pub fn is_current(&self, outputs: &[PathBuf]) -> bool {
        fs::read_to_string(&self.path).is_ok_and(|last| last == self.inputs)
            && outputs.iter().all(|file| file.exists())
    }

    pub fn set(&self) -> Outcome<()> {
        fs::write(&self.path, &self.inputs).map_err(|error| Failure::file("write", &self.path, &error))
    }
}

/// All files below a folder, sorted; none if the folder does not exist.
pub fn files_below(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        let entries = fs::read_dir(&folder).map_err(|error| Failure::file("read", &folder, &error))?;
        for entry in entries {
            let path = entry.map_err(|error| Failure::file("read", &folder, &error))?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}
