//! What a page or a worker has to load, and the limit that no change may exceed unnoticed.

use std::{collections::BTreeMap, fs, path::PathBuf, process::Command, time::Duration};

use serde_json::Value;

use crate::{
    build::VARIANTS,
    checkout,
    failure::{Failure, Outcome},
    node, process, progress,
};

pub struct Size {
    pub name: String,
    pub raw: u64,
    pub gzip: u64,
    pub brotli: u64,
}

pub fn print() -> Outcome<()> {
    progress::say(&format!("  {:<28} {:>10} {:>10} {:>10}", "bytes", "raw", "gzip -9", "brotli 11"));
    measure()?.iter().for_each(line);
    Ok(())
}

fn line(Size { name, raw, gzip, brotli }: &Size) {
    progress::say(&format!("  {name:<28} {raw:>10} {gzip:>10} {brotli:>10}"));
}

pub fn measure() -> Outcome<Vec<Size>> {
    let dist = checkout::dist();
    let mut command = node::script("measure.mjs");
    command.arg("sizes");
    for variant in VARIANTS {
        for end in ["wasm", "js", "packed.js"] {
            let name = format!("{}.{end}", variant.name);
            command.arg(format!("{name}={}", dist.join(&name).display()));
        }
    }
    // What a page loads before the wasm, as a bundler delivers it: an entry with all it exports, and what a page takes of it
    // that reads a response and nothing else.
    for variant in VARIANTS {
        let entry = dist.join(variant.entry("browser"));
        let name = variant.import();
        command.arg(format!("{name}, all of it=bundle:{}", entry.display()));
        command.arg(format!("{name}, init and read=bundle:init,read:{}", entry.display()));
    }
    // What the stores add to a page that reads one protocol.
    if let Some(reader) = VARIANTS.iter().find(|variant| variant.name == "agent-api") {
        let base = dist.join(reader.entry("browser"));
        for name in ["store", "react"] {
            let entry = dist.join(format!("{name}.js"));
            command.arg(format!(
                "agentwire/{name}, beside a reader=beside:{}:{}",
                entry.display(),
                base.display()
            ));
        }
    }
    ask(&mut command)
}

fn ask(command: &mut Command) -> Outcome<Vec<Size>> {
    let printed = process::expect(command, Duration::from_secs(120), "run `cargo xtask build` first")?;
    printed.lines().map(parse).collect()
}

/// One sentence per file that is larger than its budget allows, or has none.
pub fn over_budget(sizes: &[Size]) -> Outcome<Vec<String>> {
    let budget = budget()?;
    let complaint = |size: &Size| match budget.get(&size.name) {
        None => Some(format!("{} has no budget", size.name)),
        Some(limit) if size.brotli > *limit => {
            Some(format!("{} has {} bytes (brotli), the budget is {limit}", size.name, size.brotli))
        }
        Some(_) => None,
    };
    Ok(sizes.iter().filter_map(complaint).collect())
}

fn budget() -> Outcome<BTreeMap<String, u64>> {
    let path = path();
    let wrong = || {
        Failure::new(format!(
            "{} is no budget: an object with `limits`, which has a number of bytes for each file",
            path.display()
        ))
    };
    let text = fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, &error))?;
    let content: Value = serde_json::from_str(&text).map_err(|_| wrong())?;
    let limits = content["limits"].as_object().ok_or_else(wrong)?;
    limits.iter().map(|(name, limit)| Ok((name.clone(), limit.as_u64().ok_or_else(wrong)?))).collect()
}

fn path() -> PathBuf {
    checkout::pkg().join("size.json")
}

/// The numbers are taken from the end: a name may have spaces.
fn parse(line: &str) -> Outcome<Size> {
    let mut words = line.rsplitn(4, ' ');
    let mut number = || words.next().and_then(|word| word.parse().ok());
    if let (Some(brotli), Some(gzip), Some(raw)) = (number(), number(), number())
        && let Some(name) = words.next()
    {
        return Ok(Size { name: name.to_owned(), raw, gzip, brotli });
    }
    Err(Failure::new(format!(
        "xtask/scripts/measure.mjs answered `{line}`: it should print a name and three numbers"
    )))
}
