//! The project's own source files, read as text for the checks that need to know what a file says and not what
//! it does: counts of lines, and which module names which.

pub mod paths;
pub mod rust;
pub mod typescript;

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    failure::{Failure, Outcome},
    fingerprint::files_below,
};

/// A source file.
pub struct File {
    /// Below the folder that was asked for, with `/` between the names.
    pub path: String,
    pub text: String,
}

/// All files below a folder whose names end so, sorted by path.
pub fn files(root: &Path, below: &str, end: &str) -> Outcome<Vec<File>> {
    let mut paths = files_below(&root.join(below))?;
    paths.retain(|path| path.to_string_lossy().ends_with(end));
    paths.iter().map(|path| file(root, path)).collect()
}

/// One file, its path told from `root`.
pub fn file(root: &Path, path: &Path) -> Outcome<File> {
    let text = fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
    Ok(File { path: relative(root, path), text })
}

/// A path below `root`, spelled alike on every system.
pub fn relative(root: &Path, path: &Path) -> String {
    let path: PathBuf = path.strip_prefix(root).unwrap_or(path).into();
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// How long a file is.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Lines {
    /// All lines.
    pub plain: usize,
    /// Those of them that are neither blank nor comment alone.
    pub code: usize,
}

impl std::ops::AddAssign for Lines {
    fn add_assign(&mut self, other: Self) {
        self.plain += other.plain;
        self.code += other.code;
    }
}

impl std::iter::Sum for Lines {
    fn sum<I: Iterator<Item = Self>>(lines: I) -> Self {
        lines.fold(Self::default(), |mut sum, lines| {
            sum += lines;
            sum
        })
    }
}

/// Counts the lines that `wanted` keeps; `blanked` is the text without its comments.
fn count(blanked: &str, mut wanted: impl FnMut(usize) -> bool) -> Lines {
    let mut lines = Lines::default();
    for (number, line) in blanked.lines().enumerate() {
        if wanted(number) {
            lines.plain += 1;
            lines.code += usize::from(!line.trim().is_empty());
        }
    }
    lines
}
