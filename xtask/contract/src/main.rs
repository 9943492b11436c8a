//! Prints `pkg/src/generated.ts`: what JavaScript has to know of the crate, from the crate's own declarations.

use agentwire::protocols::ProtocolKind;

fn main() {
    let names: Vec<String> =
        ProtocolKind::READABLE.iter().map(|kind| format!("\"{}\"", kind.as_str())).collect();
    println!("// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.");
    println!();
    println!("/** The protocols that can be read, in the order in which the core numbers them. */");
    println!("export const PROTOCOLS = [{}] as const;", names.join(", "));
}
