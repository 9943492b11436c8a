//! No module of the crate may name one above it, nor one beside it that is another protocol; and what lies beside
//! each other in a layer may not name each other in a circle.

mod circles;
pub mod package;
mod table;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use table::{EXCEPTIONS, Exception, LAYERS, Layer};

use crate::{
    code::{
        self, File,
        paths::{self, Mention, Scope},
        rust,
    },
    failure::Outcome,
};

const LIBRARY: &str = "agentwire";

/// One sentence for each name that breaks the order, and for each circle.
pub fn complaints(root: &Path) -> Outcome<Vec<String>> {
    let mut files = code::files(&root.join("src"), "", ".rs")?;
    let tests: Vec<String> =
        files.iter().flat_map(|file| rust::test_modules(&file.path, &file.text)).collect();
    files.retain(|file| !tests.iter().any(|test| file.path.starts_with(test.as_str())));
    Ok(judge(&House::new(&files), LAYERS, EXCEPTIONS))
}

/// The modules of a crate, and what its root gives out under other names.
struct House<'a> {
    files: &'a [File],
    modules: BTreeSet<Vec<String>>,
    aliases: BTreeMap<String, Vec<String>>,
}

impl<'a> House<'a> {
    fn new(files: &'a [File]) -> Self {
        let modules: BTreeSet<_> = files.iter().map(|file| paths::module_of(&file.path)).collect();
        let mut house = House { files, modules, aliases: BTreeMap::new() };
        // `pub use core::limits::Limits` is what `crate::Limits` means.
        for file in files.iter().filter(|file| file.path == "lib.rs") {
            let named = house.mentions(file, &[]);
            house.aliases = named
                .into_iter()
                .filter_map(|mention| mention.path.last().cloned().map(|name| (name, mention.path)))
                .collect();
        }
        house
    }

    fn mentions(&self, file: &File, module: &[String]) -> Vec<Mention> {
        // A program has a root of its own.
        let root = if module.first().is_some_and(|first| first == "cli") { &module[..1] } else { &[] };
        paths::mentions(&file.text, &Scope { module, root, library: LIBRARY, modules: &self.modules })
    }

    /// The path, with what the root calls by a shorter name in its place.
    fn meant(&self, path: &[String]) -> Vec<String> {
        match path.first().and_then(|first| self.aliases.get(first)) {
            Some(alias) if self.module(path).is_none() => [alias, &path[1..]].concat(),
            _ => path.to_vec(),
        }
    }

    /// The module that a path leads into.
    fn module<'p>(&self, path: &'p [String]) -> Option<&'p [String]> {
        (1..=path.len()).rev().map(|length| &path[..length]).find(|path| self.modules.contains(*path))
    }
}

fn judge(house: &House<'_>, layers: &[Layer], exceptions: &[Exception]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut arrows = BTreeMap::new();
    let mut excused = BTreeSet::new();
    for file in house.files {
        let from = paths::module_of(&file.path);
        if from.is_empty() {
            continue;
        }
        let Some(own) = layer_of(layers, &from) else {
            complaints.push(format!("{}: no layer has this folder: give it a row in the table", file.path));
            continue;
        };
        for mention in house.mentions(file, &from) {
            let path = house.meant(&mention.path);
            let Some(to) = house.module(&path) else { continue };
            let place = format!("{}:{}", file.path, mention.line);
            match layer_of(layers, to) {
                Some(other) if other.folder == own.folder && other.names == own.names => {
                    circles::note(&mut arrows, own.depth, &from, to, place);
                }
                Some(other) if own.may_name(&other) => {}
                _ => {
                    let (from, to) = (from.join("/"), to.join("/"));
                    match exceptions.iter().position(|exception| exception.covers(&from, &to)) {
                        Some(number) => drop(excused.insert(number)),
                        None => complaints.push(format!("{place} may not name `{to}`. {}", own.layer.is)),
                    }
                }
            }
        }
    }
    complaints.extend(circles::complaints(&arrows));
    let unused = exceptions.iter().enumerate().filter(|(number, _)| !excused.contains(number));
    complaints.extend(unused.map(|(_, Exception { from, to, .. })| {
        format!("{from} no longer names {to}: take the exception from the table")
    }));
    complaints.dedup();
    complaints
}

/// A layer, and what the `*` of its folder are in one of its modules.
struct Placed<'a> {
    layer: &'a Layer,
    folder: &'static str,
    names: Vec<&'a String>,
    /// How many names of the module are the folder.
    depth: usize,
}

impl Placed<'_> {
    fn may_name(&self, other: &Placed<'_>) -> bool {
        let agree = self.names.iter().zip(&other.names).all(|(a, b)| a == b);
        agree && self.layer.may_name.contains(&other.folder)
    }
}

/// The layer with the longest folder that has the module.
fn layer_of<'a>(layers: &'a [Layer], module: &'a [String]) -> Option<Placed<'a>> {
    let place = |layer: &'a Layer| {
        let parts: Vec<&str> = layer.folder.split('/').collect();
        let inside = module.len() >= parts.len()
            && parts.iter().zip(module).all(|(part, name)| *part == "*" || *part == name.as_str());
        let names =
            parts.iter().zip(module).filter(|(part, _)| **part == "*").map(|(_, name)| name).collect();
        inside.then_some(Placed { layer, folder: layer.folder, names, depth: parts.len() })
    };
    layers.iter().filter_map(place).max_by_key(|placed| placed.depth)
}

#[cfg(test)]
mod tests;
