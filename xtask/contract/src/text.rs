//! Pieces of TypeScript.

use std::fmt::Write;

use agentwire::internals::options::{OptionShape, OptionValues};

/// A comment of documentation, as Rust has its lines: each begins with a space.
pub fn doc(lines: &[&str], indent: &str) -> String {
    match lines {
        [] => String::new(),
        [line] => format!("{indent}/**{line} */\n"),
        lines => {
            let inner: String = lines.iter().map(|line| format!("{indent} *{line}\n")).collect();
            format!("{indent}/**\n{inner}{indent} */\n")
        }
    }
}

/// The members of the interface that has these options.
pub fn option_members(options: &[OptionShape]) -> String {
    let mut out = String::new();
    for option in options {
        let values = match option.values {
            OptionValues::Words(words) => {
                words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | ")
            }
            OptionValues::Flag => "boolean".into(),
            OptionValues::Names => "readonly string[]".into(),
            OptionValues::Json => "unknown".into(),
        };
        out += &doc(option.doc, "  ");
        let _ = writeln!(out, "  readonly {}?: {values} | undefined;", option.name);
    }
    out
}

/// The rows by which options find their places, the first of them at `first`.
pub fn option_rows(options: &[OptionShape], first: usize) -> String {
    let rows = options.iter().enumerate().map(|(at, option)| {
        let values = match option.values {
            OptionValues::Words(words) => format!("{words:?}"),
            OptionValues::Flag => "\"flag\"".into(),
            OptionValues::Names => "\"names\"".into(),
            OptionValues::Json => "\"json\"".into(),
        };
        format!("{{ name: \"{}\", at: {}, values: {values} }}", option.name, first + at)
    });
    format!("[{}]", rows.collect::<Vec<_>>().join(", "))
}
