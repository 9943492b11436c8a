//! The order of the modules below `src`: a module names only the modules of its folder and of the
//! folders listed for it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

type Layer = (&'static str, &'static [&'static str]);

/// A folder below `src`, where `*` is any one name, and the other folders that its modules may
/// name. A `*` there is the same name.
const LAYERS: [Layer; 21] = [
    ("bytes", &[]),
    ("host", &[]),
    ("json", &["bytes", "host"]),
    ("sse", &["bytes"]),
    ("core", &["bytes", "host", "json", "sse"]),
    ("engine", &["bytes", "json", "sse", "core"]),
    ("hub", &["bytes", "json", "sse", "core", "engine"]),
    ("protocols/*", &["bytes", "host", "json", "sse", "core", "engine"]),
    ("protocols/*/conversation", &["bytes", "json", "core", "hub", "protocols/*"]),
    (
        "protocols/*/hub",
        &[
            "bytes",
            "json",
            "sse",
            "core",
            "engine",
            "hub",
            "protocols/*",
            "protocols/*/conversation",
        ],
    ),
    (
        "protocols",
        &[
            "bytes",
            "json",
            "sse",
            "core",
            "engine",
            "hub",
            "protocols/*",
            "protocols/*/conversation",
            "protocols/*/hub",
        ],
    ),
    ("read", &["bytes", "json", "sse", "core", "engine", "protocols", "protocols/*"]),
    ("write", &["bytes", "json", "sse", "core", "engine", "protocols", "protocols/*", "read"]),
    (
        "convert",
        &[
            "bytes",
            "json",
            "sse",
            "core",
            "engine",
            "hub",
            "protocols",
            "protocols/*",
            "protocols/*/hub",
            "read",
        ],
    ),
    (
        "emit",
        &[
            "json",
            "sse",
            "core",
            "engine",
            "hub",
            "protocols",
            "protocols/*",
            "protocols/*/hub",
            "read",
            "convert",
        ],
    ),
    ("stores", &[]),
    ("threads", &["json", "sse", "core", "protocols/*", "emit", "stores"]),
    (
        "adapters",
        &[
            "json",
            "sse",
            "core",
            "engine",
            "hub",
            "protocols",
            "protocols/*",
            "read",
            "convert",
            "emit",
            "stores",
            "threads",
        ],
    ),
    (
        "model",
        &["json", "core", "hub", "protocols", "protocols/*", "read", "convert", "emit", "adapters"],
    ),
    (
        "wasm",
        &[
            "json",
            "sse",
            "core",
            "engine",
            "hub",
            "protocols",
            "protocols/*",
            "protocols/*/hub",
            "read",
            "write",
            "convert",
            "emit",
        ],
    ),
    (
        "cli",
        &[
            "json",
            "sse",
            "core",
            "engine",
            "hub",
            "protocols",
            "protocols/*",
            "protocols/*/hub",
            "read",
            "convert",
            "emit",
        ],
    ),
];

#[test]
fn modules_use_only_lower_layers() {
    let root = &agentwire_cases::path("src");
    let mut paths = Vec::new();
    collect(root, &mut paths);
    let relative =
        |path: &PathBuf| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
    let files: Vec<String> = paths.iter().map(relative).collect();
    let modules: BTreeSet<String> = files.iter().map(|file| module_of(file)).collect();
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| file.contains('/') && !is_test(file)) {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        for path in mentions(&text) {
            let target = resolve(&path, &modules);
            if !target.is_empty() && !is_allowed(&module_of(file), &target) {
                violations.push(format!("src/{file} names crate::{path}"));
            }
        }
    }
    assert!(files.len() > 100, "the sources were found");
    assert!(
        violations.is_empty(),
        "modules name only the layers below them:\n{}",
        violations.join("\n")
    );
}

#[test]
fn use_of_a_higher_layer_is_a_violation() {
    assert!(is_allowed("protocols/ag_ui/fold", "core/limits"));
    assert!(is_allowed("protocols/ag_ui/hub/source", "protocols/ag_ui/fold"));
    assert!(!is_allowed("protocols/ag_ui/fold", "protocols/a2a"));
    assert!(!is_allowed("protocols/ag_ui/fold", "hub"));
    assert!(!is_allowed("core/report", "engine"));
    let text = "use crate::core::{self, id::{Id, Clock}};\n// crate::comment::is_ignored\nlet x = crate::json::parse();";
    assert_eq!(mentions(text), ["core::self", "core::id::Id", "core::id::Clock", "json::parse"]);
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

fn is_test(file: &str) -> bool {
    file.split('/').any(|part| part == "tests" || part == "tests.rs")
}

/// Returns `core/report` for `core/report/mod.rs` and for `core/report.rs`.
fn module_of(file: &str) -> String {
    file.trim_end_matches(".rs").trim_end_matches("/mod").to_owned()
}

/// Returns the paths that follow `crate::` outside comments, with braces expanded.
fn mentions(text: &str) -> Vec<String> {
    let code: Vec<&str> =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if !code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
            expand("", &code[at + "crate::".len()..], &mut paths);
        }
    }
    paths
}

/// Appends the paths of a use tree that starts with the text; returns its length in bytes.
fn expand(before: &str, tree: &str, paths: &mut Vec<String>) -> usize {
    let end = tree
        .find(|sign: char| !sign.is_alphanumeric() && sign != '_' && sign != ':')
        .unwrap_or(tree.len());
    if !tree[end..].starts_with('{') {
        paths.push(format!("{before}{}", tree[..end].trim_end_matches(':')));
        return end;
    }
    let before = format!("{before}{}", &tree[..end]);
    let mut at = end + 1;
    loop {
        at += tree[at..].len() - tree[at..].trim_start_matches([' ', '\n', ',']).len();
        if tree[at..].is_empty() || tree[at..].starts_with('}') {
            return at + 1;
        }
        let length = expand(&before, &tree[at..], paths);
        at += length;
        // `as` and `*` end a path, too.
        at += tree[at..].find([',', '}']).unwrap_or(tree.len() - at);
    }
}

/// Returns the module that a path leads into; empty for a name at the root, which belongs to no
/// layer.
fn resolve(path: &str, modules: &BTreeSet<String>) -> String {
    let names: Vec<&str> = path.split("::").collect();
    let candidates = (1..=names.len()).rev().map(|length| names[..length].join("/"));
    candidates.into_iter().find(|candidate| modules.contains(candidate)).unwrap_or_default()
}

fn is_allowed(from: &str, to: &str) -> bool {
    let Some((own, names)) = layer_of(from) else { return false };
    let Some((other, other_names)) = layer_of(to) else { return false };
    let is_same_name = names.iter().zip(&other_names).all(|(a, b)| a == b);
    is_same_name && (own.0 == other.0 || own.1.contains(&other.0))
}

/// Returns the layer with the longest folder that contains the module, and the names that its `*`
/// match.
fn layer_of(module: &str) -> Option<(&'static Layer, Vec<&str>)> {
    let parts: Vec<&str> = module.split('/').collect();
    let fits = |layer: &Layer| {
        let folder: Vec<&str> = layer.0.split('/').collect();
        parts.len() >= folder.len()
            && folder.iter().zip(&parts).all(|(name, part)| *name == "*" || name == part)
    };
    let layer =
        LAYERS.iter().filter(|layer| fits(layer)).max_by_key(|layer| layer.0.split('/').count())?;
    let names = layer
        .0
        .split('/')
        .zip(&parts)
        .filter(|(name, _)| *name == "*")
        .map(|(_, part)| *part)
        .collect();
    Some((layer, names))
}
