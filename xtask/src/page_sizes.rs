//! The README's table of what a page loads: made of what was measured, and compared with it.

use std::{fs, path::PathBuf};

use crate::{
    build::VARIANTS,
    checkout,
    failure::{Failure, Outcome},
    size::Size,
};

const BEGIN: &str = "<!-- sizes: written by `cargo xtask bless` -->\n";
const END: &str = "<!-- end of sizes -->";

/// A sentence if the table says something else than what was measured, by more than a kilobyte and a fiftieth. Smaller
/// differences come with every change.
pub fn complaint(sizes: &[Size]) -> Outcome<Option<String>> {
    let (_, written, _) = parts(&read()?)?;
    let measured = table(sizes)?;
    let is_close = |a: u64, b: u64| a.abs_diff(b) <= 1.max(a / 50);
    let (was, is) = (numbers(&written), numbers(&measured));
    let is_stale = was.len() != is.len() || was.iter().zip(&is).any(|(a, b)| !is_close(*a, *b));
    let sentence = "README.md says otherwise what a page loads: put this there, or run `cargo xtask bless`";
    Ok(is_stale.then(|| format!("{sentence}\n{measured}")))
}

/// Puts what was measured into the README.
pub fn write(sizes: &[Size]) -> Outcome<()> {
    let readme = read()?;
    let (before, _, after) = parts(&readme)?;
    let path = path();
    fs::write(&path, format!("{before}{}{after}", table(sizes)?))
        .map_err(|error| Failure::file("write", &path, &error))
}

/// The first figure for JavaScript is that of a page that reads and does nothing else, the second that of all the entry has.
fn table(sizes: &[Size]) -> Outcome<String> {
    let bytes = |name: &str| {
        let found = sizes.iter().find(|size| size.name == name);
        found.map(|size| size.brotli).ok_or_else(|| Failure::new(format!("nothing measured is `{name}`")))
    };
    // The toolkit and the reader of all protocols are the first two; here they are the last.
    let [toolkit, reader, single @ ..] = VARIANTS else { unreachable!("there are more modules than two") };
    let mut table = "| import | WebAssembly | JavaScript | together |\n|---|---|---|---|\n".to_owned();
    for variant in single.iter().chain([reader, toolkit]) {
        let import = variant.import();
        let (least, most) =
            (bytes(&format!("{import}, init and read"))?, bytes(&format!("{import}, all of it"))?);
        for (entry, how, wasm) in [
            (import.clone(), "inside a JavaScript chunk", bytes(&format!("{}.packed.js", variant.name))?),
            (format!("{import}/slim"), "as a file of its own", bytes(&format!("{}.wasm", variant.name))?),
        ] {
            table += &format!(
                "| `{entry}`, {how} | {} KB | {} to {} KB | {} to {} KB |\n",
                kilobytes(wasm),
                kilobytes(least),
                kilobytes(most),
                kilobytes(wasm + least),
                kilobytes(wasm + most),
            );
        }
    }
    for name in ["agentwire/store", "agentwire/react"] {
        let added = kilobytes(bytes(&format!("{name}, beside a reader"))?);
        table += &format!("| `{name}`, besides | none | {added} KB | {added} KB |\n");
    }
    Ok(table)
}

fn kilobytes(bytes: u64) -> u64 {
    (bytes + 500) / 1000
}

fn numbers(table: &str) -> Vec<u64> {
    table.split(|sign: char| !sign.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// The README before the table, the table, and the README after it.
fn parts(readme: &str) -> Outcome<(String, String, String)> {
    let found = readme
        .split_once(BEGIN)
        .and_then(|(before, rest)| rest.split_once(END).map(|(table, after)| (before, table, after)));
    let (before, table, after) =
        found.ok_or_else(|| Failure::new(format!("README.md has no `{}` with `{END}`", BEGIN.trim())))?;
    Ok((format!("{before}{BEGIN}"), table.to_owned(), format!("{END}{after}")))
}

fn read() -> Outcome<String> {
    let path = path();
    fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, &error))
}

fn path() -> PathBuf {
    checkout::root().join("README.md")
}
