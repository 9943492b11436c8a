//! The texts of the rules, for `agentwire/rules`.

use std::fmt::Write;

use agentwire::ProtocolKind;

pub fn print() -> String {
    let mut out = String::from(
        "/** The clause, the expected value and the recovery of each rule, by protocol and rule. */
export const TEXTS: { readonly [protocol: string]: {
  readonly [rule: string]: readonly [clause: string, expected: string, recovery: string] | undefined;
} } = {\n",
    );
    for kind in ProtocolKind::READABLE {
        let _ = writeln!(out, "  \"{}\": {{", kind.as_str());
        for rule in kind.rules() {
            // The texts are ASCII without control characters, which Rust and JavaScript quote
            // alike.
            let _ = writeln!(
                out,
                "    {:?}: [{:?}, {:?}, {:?}],",
                rule.id, rule.clause, rule.expected, rule.recovery
            );
        }
        out += "  },\n";
    }
    out + "};\n"
}
