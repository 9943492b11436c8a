//! Writes the JavaScript bindings of one wasm module:
//! `xtask-bindgen <in.wasm> <out folder> <name> [lean]`. With
//! [`lean`], they contain only the parts that the package uses.
//!
//! wasm-bindgen's own command line is not used because its version could differ from that of the
//! library's dependency; this one is resolved by the same lock file.

mod lean;

use std::{env, path::Path, process::ExitCode};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (module, folder, name, is_lean) = match arguments.as_slice() {
        [module, folder, name] => (module, folder, name, false),
        [module, folder, name, how] if how == "lean" => (module, folder, name, true),
        _ => {
            eprintln!("usage: xtask-bindgen <in.wasm> <out folder> <name> [lean]");
            return ExitCode::FAILURE;
        }
    };
    let mut bindgen = Bindgen::new();
    // The target for bundlers, because one of its files contains only the glue: it neither loads a
    // module nor creates an instance. Each entry point of the package loads the module in its own
    // way.
    let written = bindgen.input_path(module).bundler(true).and_then(|bindgen| {
        bindgen
            .typescript(true)
            .out_name(name)
            // wasm-opt needs the target features to know what it may emit, and strips both sections
            // after that.
            .remove_name_section(false)
            .remove_producers_section(false)
            .generate(folder)
    });
    let written = written.map_err(|error| format!("{error:?}"));
    let written =
        if is_lean { written.and_then(|()| lean::make(Path::new(folder), name)) } else { written };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
