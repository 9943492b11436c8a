//! Pieces of TypeScript.

use std::fmt::Write;

use agentwire::internals::options::{OptionShape, OptionValues};

/// Formats a documentation comment from its lines in Rust, each of which begins with a space.
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

/// Returns the union of some strings.
pub fn words(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" | ")
}

/// Returns the members of the interface with these options.
pub fn option_members(options: &[OptionShape]) -> String {
    let mut out = String::new();
    for option in options {
        let values = match option.values {
            OptionValues::Words(list) => words(list),
            OptionValues::Flag => "boolean".into(),
            OptionValues::Names => "readonly string[]".into(),
            OptionValues::Json => "unknown".into(),
        };
        out += &doc(option.doc, "  ");
        let _ = writeln!(out, "  readonly {}?: {values} | undefined;", option.name);
    }
    out
}

/// Returns the rows that map options to their positions, the first of them at `first`.
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
