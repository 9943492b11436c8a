//! The public API, one line for each item. `UPDATE_SNAPSHOTS=yes cargo xtask test api` accepts the
//! present one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

/// The maximum number of names in the root of the crate, without modules.
const ROOT_NAMES: usize = 15;

fn rustdoc() -> Result<PathBuf, Failure> {
    Ok(rustdoc_json::Builder::default()
        .manifest_path("../../../Cargo.toml")
        .target_dir("../../../target/api")
        .features(["axum-ws", "model", "runs-server", "sqlite", "postgres", "redis"])
        .build()?)
}

#[test]
fn public_api_matches_the_accepted_one_and_each_item_has_one_path() -> Result<(), Failure> {
    let json = rustdoc()?;
    let index: Value = serde_json::from_str(&std::fs::read_to_string(&json)?)?;
    let mut paths = BTreeMap::new();
    collect(&index, &index["root"], "agentwire", &mut paths);
    let several: Vec<_> = paths.values().filter(|paths| paths.len() > 1).collect();
    assert!(several.is_empty(), "items with several paths: {several:#?}");
    let is_root = |path: &&String| path.matches("::").count() == 1 && path.contains(char::is_uppercase);
    let root: Vec<_> = paths.values().flatten().filter(is_root).collect();
    assert!(root.len() <= ROOT_NAMES, "{} names at the root: {root:#?}", root.len());

    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()?;
    snapshot_testing::assert_eq_or_update(api.to_string(), "public-api.txt");
    Ok(())
}

/// Collects the paths by which the items below a module are named, by the numbers of the items.
fn collect(json: &Value, module: &Value, path: &str, paths: &mut BTreeMap<String, Vec<String>>) {
    let item = |id: &Value| &json["index"][id.to_string()];
    for id in item(module)["inner"]["module"]["items"].as_array().into_iter().flatten() {
        let imported = &item(id)["inner"]["use"];
        let (target, name) = match imported.is_null() {
            true => (id, &item(id)["name"]),
            false => (&imported["id"], &imported["name"]),
        };
        let (Some(name), false) = (name.as_str(), item(target)["inner"]["impl"].is_object()) else { continue };
        let path = format!("{path}::{name}");
        if item(target)["inner"]["module"].is_object() {
            collect(json, target, &path, paths);
        } else {
            paths.entry(target.to_string()).or_default().push(path);
        }
    }
}
