//! The public Rust API as a committed listing, so that a change of it is seen in the commit that makes it.
//!
//! What rustdoc knows as JSON is unstable: the format belongs to the toolchain, and asking a stable one for it takes
//! `RUSTC_BOOTSTRAP`. Of the format only names, kinds and signatures are read; what is not understood becomes `_`.

mod types;

use std::{collections::BTreeSet, fs, path::PathBuf};

use serde_json::Value;

use crate::{
    checkout,
    contract::difference,
    failure::{Failure, Outcome},
    process,
};

/// The listing that is accepted.
pub fn accepted() -> PathBuf {
    checkout::root().join("tests/public-api.txt")
}

/// How the API differs from the accepted listing; empty if it does not.
pub fn differences() -> Outcome<String> {
    let path = accepted();
    let accepted = fs::read_to_string(&path).unwrap_or_default();
    let current = listing()?;
    if accepted == current {
        return Ok(String::new());
    }
    Ok(difference(&accepted, &current))
}

/// One line for each public item, sorted.
pub fn listing() -> Outcome<String> {
    let target = checkout::root().join("target/api");
    let mut cargo = process::cargo();
    cargo.current_dir(checkout::root()).env("RUSTC_BOOTSTRAP", "1");
    cargo.args(["rustdoc", "--quiet", "--locked", "--lib", "--all-features", "--target-dir"]).arg(&target);
    cargo.args(["--", "-Z", "unstable-options", "--output-format", "json"]);
    process::expect(&mut cargo, process::LIMIT, "correct what is shown above")?;
    let path = target.join("doc/agentwire.json");
    let text = fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, &error))?;
    let surprise = || Failure::new("rustdoc's JSON is not what it was: see xtask/src/api");
    let json: Value = serde_json::from_str(&text).map_err(|_| surprise())?;
    let mut api =
        Api { index: &json["index"], lines: BTreeSet::new(), seen: BTreeSet::new(), later: Vec::new() };
    api.item(&json["root"], "agentwire");
    while let Some((id, path)) = api.later.pop() {
        api.item(&id, &path);
    }
    if api.lines.len() < 100 {
        return Err(surprise());
    }
    Ok(api.lines.into_iter().collect::<Vec<_>>().join("\n") + "\n")
}

struct Api<'j> {
    index: &'j Value,
    lines: BTreeSet<String>,
    /// Items that have a line: a further path to one is a line of its own, and what is in it is not repeated.
    seen: BTreeSet<String>,
    /// What is exported again: after what stands where it is declared.
    later: Vec<(Value, String)>,
}

impl Api<'_> {
    fn item(&mut self, id: &Value, path: &str) {
        let item = &self.index[id.to_string()];
        let Some((kind, inner)) = item["inner"].as_object().and_then(|inner| inner.iter().next()) else {
            return;
        };
        if kind != "use" && !self.seen.insert(id.to_string()) {
            self.lines.insert(format!("{path} (again)"));
            return;
        }
        let named = |child: &Value| {
            let name = self.index[child.to_string()]["name"].as_str().unwrap_or("_");
            (child.clone(), format!("{path}::{name}"))
        };
        let each = |list: &Value| list.as_array().into_iter().flatten().map(named).collect::<Vec<_>>();
        let mut children = Vec::new();
        let line = match kind.as_str() {
            "module" => {
                children = each(&inner["items"]);
                format!("mod {path}")
            }
            "use" => {
                let (module, _) = path.rsplit_once("::").unwrap_or_default();
                let name = inner["name"].as_str().unwrap_or("*");
                self.later.push((inner["id"].clone(), format!("{module}::{name}")));
                return;
            }
            "struct" => {
                children = each(&inner["kind"]["plain"]["fields"]);
                let fields = inner["kind"]["tuple"].as_array().into_iter().flatten();
                let fields: Vec<String> =
                    fields.filter(|id| !id.is_null()).map(|id| self.field(id)).collect();
                let generics = types::generics(&inner["generics"]);
                let tuple =
                    if fields.is_empty() { String::new() } else { format!("({})", fields.join(", ")) };
                format!("struct {path}{generics}{tuple}")
            }
            "enum" => {
                children = each(&inner["variants"]);
                format!("enum {path}{}", types::generics(&inner["generics"]))
            }
            "variant" => {
                children = each(&inner["kind"]["struct"]["fields"]);
                let fields = inner["kind"]["tuple"].as_array().into_iter().flatten();
                let fields: Vec<String> =
                    fields.filter(|id| !id.is_null()).map(|id| self.field(id)).collect();
                let tuple =
                    if fields.is_empty() { String::new() } else { format!("({})", fields.join(", ")) };
                format!("variant {path}{tuple}")
            }
            "trait" => {
                children = each(&inner["items"]);
                format!("trait {path}{}", types::generics(&inner["generics"]))
            }
            "struct_field" => format!("field {path}: {}", types::of(inner)),
            "function" => format!("fn {path}{}", types::signature(inner)),
            "constant" | "static" | "assoc_const" => format!("const {path}: {}", types::of(&inner["type"])),
            "assoc_type" => format!("type {path}"),
            "type_alias" => format!("type {path} = {}", types::of(&inner["type"])),
            _ => format!("{kind} {path}"),
        };
        self.lines.insert(line);
        for block in inner["impls"].as_array().into_iter().flatten() {
            children.extend(self.block(block, path));
        }
        children.into_iter().for_each(|(id, path)| self.item(&id, &path));
    }

    /// What an `impl` adds: members of the type, or a line that it has a trait.
    fn block(&mut self, id: &Value, path: &str) -> Vec<(Value, String)> {
        let block = &self.index[id.to_string()]["inner"]["impl"];
        if block["is_synthetic"] == true || !block["blanket_impl"].is_null() {
            return Vec::new();
        }
        if block["trait"].is_null() {
            let items = block["items"].as_array().into_iter().flatten();
            let named = |item: &Value| {
                let name = self.index[item.to_string()]["name"].as_str().unwrap_or("_");
                (item.clone(), format!("{path}::{name}"))
            };
            return items.map(named).collect();
        }
        self.lines.insert(format!("impl {} for {path}", types::path(&block["trait"])));
        Vec::new()
    }

    fn field(&self, id: &Value) -> String {
        types::of(&self.index[id.to_string()]["inner"]["struct_field"])
    }
}
