//! Removes the parts of a module and its bindings that the package does not use.

use std::{fs, path::Path};

use walrus::{FunctionId, Module, ir};

/// Called by the generated code after a wrong call: a recursive one, or one without an object.
const THROW: &str = "__wbg___wbindgen_throw_";
/// Fills the table of JavaScript values.
const FILL: &str = "__wbindgen_init_externref_table";
const TABLE: &str = "__wbindgen_externrefs";
/// Called by the package itself.
const START: &str = "__wbindgen_start";

/// Replaces the reports of wrong calls with traps, like those of other errors in Rust: the package
/// handles traps, and the module does not format a message in each function. Keeps the exports that
/// the bindings call, and the table of values if they use it.
pub fn make(folder: &Path, name: &str) -> Result<(), String> {
    let [module_path, glue_path] =
        ["wasm", "js"].map(|end| folder.join(format!("{name}_bg.{end}")));
    let mut module = Module::from_file(&module_path).map_err(|error| format!("{error:?}"))?;
    let mut glue = fs::read_to_string(&glue_path).map_err(|error| error.to_string())?;
    if let Some((function, import)) = imported(&module, THROW) {
        replace(&mut module, function, &[ir::Unreachable {}.into()])?;
        glue = without(&glue, &import)?;
    }
    let unfilled = without(&glue, FILL)?;
    if !unfilled.contains(TABLE)
        && let Some((function, _)) = imported(&module, FILL)
    {
        replace(&mut module, function, &[])?;
        glue = unfilled;
    }
    let unused = |name: &str| {
        name.starts_with("__") && name != START && !glue.contains(&format!("wasm.{name}"))
    };
    let unused: Vec<_> = module
        .exports
        .iter()
        .filter(|export| unused(&export.name))
        .map(|export| export.id())
        .collect();
    unused.into_iter().for_each(|export| module.exports.delete(export));
    module.emit_wasm_file(&module_path).map_err(|error| format!("{error:?}"))?;
    fs::write(&glue_path, freed(&glue)?).map_err(|error| error.to_string())
}

/// Returns the imported function whose name has this prefix, and its full name.
fn imported(module: &Module, start: &str) -> Option<(FunctionId, String)> {
    module.imports.iter().find(|import| import.name.starts_with(start)).and_then(|import| {
        match import.kind {
            walrus::ImportKind::Function(function) => Some((function, import.name.clone())),
            _ => None,
        }
    })
}

/// Replaces an imported function with one of these instructions.
fn replace(module: &mut Module, function: FunctionId, body: &[ir::Instr]) -> Result<(), String> {
    let written = module.replace_imported_func(function, |(out, _)| {
        for instruction in body {
            out.instr(instruction.clone());
        }
    });
    written.map(drop).map_err(|error| format!("{error:?}"))
}

/// Returns the bindings without a function that they export.
fn without(glue: &str, function: &str) -> Result<String, String> {
    let end = "\n}\n";
    let found = glue
        .split_once(&format!("export function {function}("))
        .and_then(|(before, rest)| rest.split_once(end).map(|(_, after)| [before, after].concat()));
    found.ok_or_else(|| format!("the bindings have no function {function}"))
}

/// Returns the bindings with one method per class that frees an object, where the generator writes
/// two, and one function for engines without `FinalizationRegistry`.
fn freed(glue: &str) -> Result<String, String> {
    let without = "(typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(";
    let second = "        return ptr;\n    }\n    free() {\n        const ptr = this.__destroy_into_raw();\n";
    let mut freed = glue
        .replace(second, "")
        .replace("__destroy_into_raw() {", "free() {")
        .replace(without, "finalization(");
    if freed.contains("__destroy_into_raw") || freed.contains("FinalizationRegistry") {
        return Err("objects are freed in another way than they used to be".to_owned());
    }
    freed += "function finalization(free) {
    return typeof FinalizationRegistry === 'undefined'
        ? { register() {}, unregister() {} }
        : new FinalizationRegistry(free);
}
";
    Ok(freed)
}
