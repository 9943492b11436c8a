//! Circles among the modules that lie directly in one layer.

use std::collections::{BTreeMap, BTreeSet};

/// From one module to another, with the first place that names it.
pub type Arrows = BTreeMap<(String, String), String>;

/// Notes that one module names another of its own layer, whose folder takes `depth` names. What is directly in the layer
/// counts; the layer's own `mod.rs` stands for all of it, and may list what it holds.
pub fn note(arrows: &mut Arrows, depth: usize, from: &[String], to: &[String], place: String) {
    if let (Some(_), Some(_)) = (from.get(depth), to.get(depth)) {
        let (from, to) = (from[..=depth].join("::"), to[..=depth].join("::"));
        if from != to {
            arrows.entry((from, to)).or_insert(place);
        }
    }
}

/// One sentence for each pair of modules that reach each other.
pub fn complaints(arrows: &Arrows) -> Vec<String> {
    let in_circle = |(from, to): &(String, String)| reach(arrows, to).contains(from.as_str());
    let closing = arrows.iter().filter(|(arrow, _)| in_circle(arrow));
    closing
        .map(|((from, to), place)| format!("{place}: `{from}` names `{to}`, which leads back to it"))
        .collect()
}

/// All that a module leads to.
fn reach<'a>(arrows: &'a Arrows, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for (_, to) in arrows.keys().filter(|(from, _)| from == module) {
            if reached.insert(to.as_str()) {
                open.push(to);
            }
        }
    }
    reached
}
