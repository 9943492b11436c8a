//! `cargo xtask count`: what a protocol costs in lines, and in how many files it and a content type are named.
//!
//! Every figure is made from the files as they are, without git and without compiling.

mod named;
mod protocol;
mod tree;

use std::path::Path;

use tree::Tree;

use crate::{
    checkout,
    code::{File, Lines},
    failure::Outcome,
    progress,
};

/// The content type whose spread is measured.
const CONTENT_TYPE: &str = "video";

/// How many of the largest files are listed.
const LARGEST: usize = 8;

pub fn print() -> Outcome<()> {
    report(&checkout::root())?.iter().for_each(|line| progress::say(line));
    Ok(())
}

/// The whole answer, line by line.
fn report(root: &Path) -> Outcome<Vec<String>> {
    let tree = Tree::read(root)?;
    let protocols = protocol::names(&tree);
    let mut out =
        vec!["Lines without tests: `lines` counts all, `code` neither blank lines nor comments.".to_owned()];
    out.push(String::new());
    out.extend(protocol::report(&tree, &protocols));
    out.push(String::new());
    out.extend(named::report(&tree, &protocols, CONTENT_TYPE));
    out.push(String::new());
    out.extend(largest(&tree));
    out.push(String::new());
    out.push(row("all", ["files", "lines", "code", "tests"]));
    out.extend(
        ["src", "pkg/src", "xtask", "tests", "benches", "www"].iter().map(|folder| total(&tree, folder)),
    );
    Ok(out)
}

fn largest(tree: &Tree) -> Vec<String> {
    let mut files: Vec<(usize, &str)> =
        tree.code().map(|file| (file.text.lines().count(), file.path.as_str())).collect();
    files.sort_by(|(a, one), (b, other)| b.cmp(a).then(one.cmp(other)));
    let rows = files.iter().take(LARGEST).map(|(lines, path)| row(path, [lines]));
    [row("largest files", ["lines"])].into_iter().chain(rows).collect()
}

/// The code of a folder: what is no test, and how long the tests are.
fn total(tree: &Tree, folder: &str) -> String {
    let below = format!("{folder}/");
    let files: Vec<&File> = tree.code().filter(|file| file.path.starts_with(&below)).collect();
    let own: Lines = files.iter().map(|file| tree.lines(file)).sum();
    let all: usize = files.iter().map(|file| file.text.lines().count()).sum();
    row(folder, [files.len(), own.plain, own.code, all - own.plain])
}

fn row<const N: usize>(name: &str, figures: [impl ToString; N]) -> String {
    let columns: String = figures.iter().map(|figure| format!("{:>9}", figure.to_string())).collect();
    format!("{name:<44}{columns}")
}

#[cfg(test)]
mod tests;
