//! Types and signatures in rustdoc's JSON, as one would write them.

use serde_json::Value;

/// A type.
pub fn of(json: &Value) -> String {
    let Some((kind, inner)) = json.as_object().and_then(|json| json.iter().next()) else {
        return "_".to_owned();
    };
    match kind.as_str() {
        "primitive" | "generic" => inner.as_str().unwrap_or("_").to_owned(),
        "resolved_path" => path(inner),
        "borrowed_ref" => {
            let lifetime = inner["lifetime"].as_str().map(|name| format!("{name} ")).unwrap_or_default();
            let mutable = if inner["is_mutable"] == true { "mut " } else { "" };
            format!("&{lifetime}{mutable}{}", of(&inner["type"]))
        }
        "slice" => format!("[{}]", of(inner)),
        "array" => format!("[{}; {}]", of(&inner["type"]), inner["len"].as_str().unwrap_or("_")),
        "tuple" => format!("({})", list(inner, of)),
        "dyn_trait" => format!("dyn {}", join(&inner["traits"], " + ", |bound| path(&bound["trait"]))),
        "impl_trait" => format!("impl {}", bounds(inner)),
        "qualified_path" => {
            let name = inner["name"].as_str().unwrap_or("_");
            format!("{}::{name}", of(&inner["self_type"]))
        }
        "function_pointer" => format!("fn{}", parameters(&inner["sig"])),
        _ => "_".to_owned(),
    }
}

/// The name of a type or trait, and what is between its angle brackets.
pub fn path(json: &Value) -> String {
    let name = json["path"].as_str().or(json["name"].as_str()).unwrap_or("_");
    let name = name.rsplit("::").next().unwrap_or(name);
    let arguments = &json["args"]["angle_bracketed"];
    let argument = |argument: &Value| match (&argument["type"], argument["lifetime"].as_str()) {
        (_, Some(lifetime)) => lifetime.to_owned(),
        (Value::Null, _) => "_".to_owned(),
        (other, _) => of(other),
    };
    let mut inside: Vec<String> = each(&arguments["args"]).map(argument).collect();
    inside.extend(each(&arguments["constraints"]).map(|bound| {
        let is = &bound["binding"]["equality"]["type"];
        format!("{} = {}", bound["name"].as_str().unwrap_or("_"), of(is))
    }));
    let called = &json["args"]["parenthesized"];
    if !called.is_null() {
        let output =
            if called["output"].is_null() { String::new() } else { format!(" -> {}", of(&called["output"])) };
        return format!("{name}({}){output}", list(&called["inputs"], of));
    }
    if inside.is_empty() { name.to_owned() } else { format!("{name}<{}>", inside.join(", ")) }
}

/// The parameters between angle brackets.
pub fn generics(json: &Value) -> String {
    let shown = |parameter: &&Value| parameter["kind"]["type"]["is_synthetic"] != true;
    let parameters: Vec<String> = each(&json["params"])
        .filter(shown)
        .map(|parameter| {
            let name = parameter["name"].as_str().unwrap_or("_");
            match bounds(&parameter["kind"]["type"]["bounds"]) {
                bounds if bounds.is_empty() => name.to_owned(),
                bounds => format!("{name}: {bounds}"),
            }
        })
        .collect();
    if parameters.is_empty() { String::new() } else { format!("<{}>", parameters.join(", ")) }
}

/// What a function is given and gives.
pub fn signature(json: &Value) -> String {
    let is = |what: &str, word: &'static str| if json["header"][what] == true { word } else { "" };
    let words = [is("is_const", " const"), is("is_async", " async"), is("is_unsafe", " unsafe")].concat();
    format!("{}{}{words}", generics(&json["generics"]), parameters(&json["sig"]))
}

fn parameters(sig: &Value) -> String {
    let input = |input: &Value| match (input[0].as_str(), of(&input[1])) {
        (Some("self"), kind) if kind == "Self" => "self".to_owned(),
        (Some("self"), kind) => kind.replace("Self", "self"),
        (_, kind) => kind,
    };
    let output = if sig["output"].is_null() { String::new() } else { format!(" -> {}", of(&sig["output"])) };
    format!("({}){output}", list(&sig["inputs"], input))
}

fn bounds(json: &Value) -> String {
    join(json, " + ", |bound| match (&bound["trait_bound"], bound["outlives"].as_str()) {
        (_, Some(lifetime)) => lifetime.to_owned(),
        (Value::Null, _) => "_".to_owned(),
        (known, _) => path(&known["trait"]),
    })
}

fn each(json: &Value) -> impl Iterator<Item = &Value> {
    json.as_array().into_iter().flatten()
}

fn list(json: &Value, with: impl Fn(&Value) -> String) -> String {
    join(json, ", ", with)
}

fn join(json: &Value, between: &str, with: impl Fn(&Value) -> String) -> String {
    each(json).map(with).collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn signatures_are_written_as_in_rust() {
        let function = json!({
            "generics": {"params": [{"name": "F", "kind": {"type": {"is_synthetic": false, "bounds": [
                {"trait_bound": {"trait": {"path": "core::fmt::Debug", "args": null}}}]}}}]},
            "header": {"is_async": true},
            "sig": {
                "inputs": [
                    ["self", {"borrowed_ref": {"is_mutable": true, "lifetime": null, "type": {"generic": "Self"}}}],
                    ["chunk", {"borrowed_ref": {"is_mutable": false, "lifetime": null, "type": {"slice": {"primitive": "u8"}}}}],
                ],
                "output": {"resolved_path": {"path": "Changes", "args": {"angle_bracketed": {"args": [{"lifetime": "'_"}]}}}},
            },
        });
        assert_eq!(signature(&function), "<F: Debug>(&mut self, &[u8]) -> Changes<'_> async");
        assert_eq!(of(&json!({"something_new": 1})), "_");
        assert_eq!(of(&json!(null)), "_");
    }
}
