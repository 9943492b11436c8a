//! What is written by hand in the project, and which of it is tests.

use std::{fs, path::Path};

use crate::{
    code::{self, File, Lines, rust, typescript},
    failure::{Failure, Outcome},
};

/// Folders of what is made, fetched or recorded, by their names wherever they are.
const LEFT_OUT: [&str; 10] = [
    "target",
    "node_modules",
    ".git",
    "dist",
    "corpus",
    "findings",
    "artifacts",
    "results",
    "api",
    "generated",
];

/// The ends of what is code.
const CODE: [&str; 7] = [".rs", ".ts", ".tsx", ".mjs", ".js", ".cjs", ".py"];
/// The ends of what else people write and read.
const PROSE: [&str; 5] = [".md", ".html", ".css", ".toml", ".grid"];

pub struct Tree {
    pub files: Vec<File>,
    /// The beginnings of the paths of Rust files that are compiled for tests only.
    tests: Vec<String>,
}

impl Tree {
    pub fn read(root: &Path) -> Outcome<Self> {
        let mut files = Vec::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).map_err(|error| Failure::file("read", &folder, &error))?;
            for entry in entries {
                let path = entry.map_err(|error| Failure::file("read", &folder, &error))?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if path.is_dir() && !LEFT_OUT.contains(&&*name) {
                    folders.push(path);
                } else if path.is_file() && CODE.iter().chain(&PROSE).any(|end| name.ends_with(end)) {
                    files.push(code::file(root, &path)?);
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self::of(files))
    }

    pub fn of(files: Vec<File>) -> Self {
        let rust = files.iter().filter(|file| file.path.ends_with(".rs"));
        let tests = rust.flat_map(|file| rust::test_modules(&file.path, &file.text)).collect();
        Tree { files, tests }
    }

    pub fn code(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| CODE.iter().any(|end| file.path.ends_with(end)))
    }

    /// The lines of a file that are no tests.
    pub fn lines(&self, file: &File) -> Lines {
        if is_test(&file.path) || self.tests.iter().any(|test| file.path.starts_with(test)) {
            Lines::default()
        } else if file.path.ends_with(".rs") {
            rust::lines(&file.text)
        } else {
            typescript::lines(&file.text)
        }
    }
}

/// Whether the whole folder is tests.
pub fn is_test(path: &str) -> bool {
    path.starts_with("tests/")
}
