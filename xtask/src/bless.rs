//! `cargo xtask bless`: what the package is now becomes what the tests compare with. The commit says why.

use std::fs;

use crate::{
    api,
    build::{self, VARIANTS},
    checkout, contract,
    failure::{Failure, Outcome},
    fingerprint::files_below,
    page_sizes, progress, setup, size,
};

pub fn run() -> Outcome<()> {
    setup::for_build()?;
    build::package()?;
    let folder = contract::folder();
    fs::create_dir_all(&folder).map_err(|error| Failure::file("create", &folder, &error))?;
    let mut references = files_below(&folder)?;
    references.retain(|file| file.to_string_lossy().ends_with(".d.ts"));
    references.extend(VARIANTS.iter().map(|variant| folder.join(format!("{}.d.ts", variant.name))));
    references.sort();
    references.dedup();
    for reference in references {
        let built = checkout::dist().join(reference.strip_prefix(&folder).unwrap_or(&reference));
        let current = fs::read_to_string(&built).map_err(|error| Failure::file("read", &built, &error))?;
        let promise = format!("{}\n", current.trim());
        fs::write(&reference, promise).map_err(|error| Failure::file("write", &reference, &error))?;
    }
    let listing = api::accepted();
    fs::write(&listing, api::listing()?).map_err(|error| Failure::file("write", &listing, &error))?;
    size::print()?;
    // Budgets are promises, so they are edited by hand: what was measured is none.
    let sizes = size::measure()?;
    page_sizes::write(&sizes)?;
    for complaint in size::over_budget(&sizes)? {
        progress::note(&format!("not accepted, make it smaller or edit pkg/size.json yourself: {complaint}"));
    }
    // The list of imports is a claim about safety: it is written by hand.
    for complaint in contract::import_complaints()? {
        progress::note(&format!("not accepted, edit pkg/api/imports.txt yourself: {complaint}"));
    }
    progress::note("accepted; `git diff pkg tests/public-api.txt README.md` shows what changed");
    Ok(())
}
