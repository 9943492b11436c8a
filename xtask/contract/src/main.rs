//! Prints what JavaScript has to know of the crate, from the crate's own declarations: `xtask-contract generated.ts`.

use agentwire::protocols::ProtocolKind;

fn main() {
    println!("// Made by `cargo xtask build` from the declarations in Rust; changed there, never here.");
    println!();
    match std::env::args().nth(1).as_deref() {
        Some("rule_texts.ts") => rule_texts(),
        _ => generated(),
    }
}

fn generated() {
    let names: Vec<String> =
        ProtocolKind::READABLE.iter().map(|kind| format!("\"{}\"", kind.as_str())).collect();
    println!("/** The protocols that can be read, in the order in which the core numbers them. */");
    println!("export const PROTOCOLS = [{}] as const;", names.join(", "));
}

fn rule_texts() {
    println!("/** Clause, what is expected, and what the reader does otherwise; by protocol and rule. */");
    println!("export const TEXTS: {{ readonly [protocol: string]: {{");
    println!(
        "  readonly [rule: string]: readonly [clause: string, expected: string, recovery: string] | undefined;"
    );
    println!("}} }} = {{");
    for kind in ProtocolKind::READABLE {
        println!("  \"{}\": {{", kind.as_str());
        for rule in kind.rules() {
            // The texts are ASCII without control characters, which Rust and JavaScript quote alike.
            println!("    {:?}: [{:?}, {:?}, {:?}],", rule.id, rule.clause, rule.expected, rule.recovery);
        }
        println!("  }},");
    }
    println!("}};");
}
