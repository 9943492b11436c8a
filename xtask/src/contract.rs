//! What may not change by accident: the generated declarations, and what the wasm module may ask of its
//! host.

use std::{collections::BTreeSet, fmt::Write, fs, path::PathBuf, time::Duration};

use crate::{
    build::{VARIANTS, Variant},
    checkout,
    failure::{Failure, Outcome},
    fingerprint::files_below,
    node, process,
};

/// Where the accepted declarations and the import allow-list are.
pub fn folder() -> PathBuf {
    checkout::pkg().join("api")
}

/// Compares each reference with the file of its name in `dist`; the answer is a readable
/// difference, or nothing.
pub fn differences() -> Outcome<String> {
    let mut text = String::new();
    let mut references = files_below(&folder())?;
    references.retain(|file| file.to_string_lossy().ends_with(".d.ts"));
    for variant in VARIANTS {
        let expected = folder().join(format!("{}.d.ts", variant.name));
        if !references.contains(&expected) {
            let _ = writeln!(text, "{} is missing", expected.display());
        }
    }
    for reference in references {
        let name = reference.strip_prefix(folder()).unwrap_or(&reference).to_owned();
        let accepted = read(&reference)?;
        let current = read(&checkout::dist().join(&name)).unwrap_or_default();
        if accepted.trim() != current.trim() {
            let _ = writeln!(text, "{}:", name.display());
            text.push_str(&difference(accepted.trim(), current.trim()));
        }
    }
    Ok(text)
}

/// Complaints about imports that are not on the list, and about entries that nothing imports any more.
pub fn import_complaints() -> Outcome<Vec<String>> {
    let path = folder().join("imports.txt");
    let allowed: BTreeSet<String> = read(&path)?
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    let mut command = node::script("measure.mjs");
    command.arg("imports");
    for variant in VARIANTS {
        command.arg(checkout::dist().join(format!("{}.wasm", variant.name)));
    }
    let printed = process::expect(&mut command, Duration::from_secs(60), "run `cargo xtask build` first")?;
    // The modules that only read ask for the same.
    let common = |line: String| {
        let module = |variant: &&Variant| line.starts_with(&format!("./{}_bg.js ", variant.name));
        match VARIANTS.iter().skip(1).find(module) {
            Some(variant) => line.replacen(variant.name, "reader", 1),
            None => line,
        }
    };
    let present: BTreeSet<String> = printed.lines().map(without_hash).map(common).collect();
    let surplus = present.difference(&allowed).map(|name| format!("imported, but not allowed: {name}"));
    let unused = allowed.difference(&present).map(|name| format!("allowed, but not imported: {name}"));
    Ok(surplus.chain(unused).collect())
}

/// The bindings generator ends names with a hash that differs between builds of the same source.
fn without_hash(line: &str) -> String {
    let (name, body) = line.split_at(line.find(" = ").unwrap_or(line.len()));
    match name.rsplit_once('_') {
        Some((stem, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            format!("{stem}{body}")
        }
        _ => line.to_owned(),
    }
}

/// Only what differs between the first and the last differing line, which is enough to recognise one's own
/// change.
pub fn difference(accepted: &str, current: &str) -> String {
    let (accepted, current): (Vec<&str>, Vec<&str>) = (accepted.lines().collect(), current.lines().collect());
    let start = accepted.iter().zip(&current).take_while(|(a, b)| a == b).count();
    let end =
        accepted[start..].iter().rev().zip(current[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let mut text = format!("@@ line {} @@\n", start + 1);
    for line in &accepted[start..accepted.len() - end] {
        let _ = writeln!(text, "- {line}");
    }
    for line in &current[start..current.len() - end] {
        let _ = writeln!(text, "+ {line}");
    }
    text
}

fn read(path: &std::path::Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))
}

#[cfg(test)]
mod tests {
    use super::{difference, without_hash};

    #[test]
    fn a_difference_names_its_first_line_and_both_sides() {
        assert_eq!(difference("a\nb\nc\nd", "a\nx\nc\nd"), "@@ line 2 @@\n- b\n+ x\n");
        assert_eq!(difference("a\nd", "a\nb\nd"), "@@ line 2 @@\n+ b\n");
        assert_eq!(difference("a\na", "a"), "@@ line 2 @@\n- a\n");
    }

    #[test]
    fn only_a_hash_is_cut_off() {
        assert_eq!(without_hash("./x_bg.js __wbg_throw_4c88d8bf264fd984"), "./x_bg.js __wbg_throw");
        assert_eq!(
            without_hash("./x_bg.js __wbg_throw_4c88d8bf264fd984 = throw 1;"),
            "./x_bg.js __wbg_throw = throw 1;"
        );
        assert_eq!(
            without_hash("./x_bg.js __wbindgen_init_table = a_b();"),
            "./x_bg.js __wbindgen_init_table = a_b();"
        );
    }
}
