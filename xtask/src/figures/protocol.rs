//! What each protocol takes, part by part.

use super::{row, tree::Tree};
use crate::code::Lines;

const ROOM: &str = "src/protocols/";

/// The protocols, as their folders are called: `ag_kit`.
pub fn names(tree: &Tree) -> Vec<String> {
    let inside = tree.files.iter().filter_map(|file| file.path.strip_prefix(ROOM)?.split_once('/'));
    let mut names: Vec<String> = inside.map(|(name, _)| name.to_owned()).collect();
    names.dedup();
    names
}

/// Whether the file is the protocol's own: in a folder of its name, or called so.
pub fn is_own(path: &str, protocol: &str) -> bool {
    let written = |part: &str| {
        let stem = part.split('.').next().unwrap_or_default();
        stem.replace('-', "_") == protocol
    };
    path.split('/').any(written)
}

pub fn report(tree: &Tree, protocols: &[String]) -> Vec<String> {
    let mut out = vec![row("protocol", ["files", "lines", "code"])];
    for protocol in protocols {
        let room = format!("{ROOM}{protocol}/");
        out.push(sum(tree, &format!("{}, all of its Rust", spelled(protocol)), |path| {
            path.starts_with(&room)
        }));
        for (part, folders) in PARTS {
            let is_in = |path: &str| folders.contains(&part_of(&path[room.len()..]));
            out.push(sum(tree, &format!("  {part}"), |path| path.starts_with(&room) && is_in(path)));
        }
        let named = |path: &str| PARTS.iter().any(|(_, folders)| folders.contains(&part_of(path)));
        out.push(sum(tree, "  model, events, fold", |path| {
            path.strip_prefix(&room).is_some_and(|path| !named(path))
        }));
        out.push(sum(tree, "  beside it: bindings", |path| {
            path.starts_with("src/") && !path.starts_with(ROOM) && is_own(path, protocol)
        }));
        out.push(sum(tree, "  beside it: TypeScript", |path| {
            path.starts_with("pkg/src/") && is_own(path, protocol)
        }));
    }
    out
}

/// The parts that every protocol has, by the names of their folders or files.
const PARTS: [(&str, &[&str]); 4] = [
    ("spoke to the hub", &["hub", "to_hub", "from_hub"]),
    ("requests", &["request", "requests"]),
    ("builder", &["builder"]),
    ("rules, lifecycle", &["rules", "lifecycle"]),
];

/// The lines of code of a protocol: neither blank lines, nor comments, nor tests.
#[cfg(test)]
pub fn code(tree: &Tree, protocol: &str) -> usize {
    let room = format!("{ROOM}{protocol}/");
    tree.code().filter(|file| file.path.starts_with(&room)).map(|file| tree.lines(file).code).sum()
}

/// What lies directly in the protocol's folder: `fold/text.rs` is of `fold`.
fn part_of(path: &str) -> &str {
    path.split(['/', '.']).next().unwrap_or_default()
}

fn sum(tree: &Tree, name: &str, wanted: impl Fn(&str) -> bool) -> String {
    let lines: Vec<Lines> =
        tree.code().filter(|file| wanted(&file.path)).map(|file| tree.lines(file)).collect();
    let sum: Lines = lines.iter().copied().sum();
    row(name, [lines.iter().filter(|lines| lines.plain > 0).count(), sum.plain, sum.code])
}

/// The name as people are given it: `ag-kit`.
pub fn spelled(protocol: &str) -> String {
    protocol.replace('_', "-")
}
