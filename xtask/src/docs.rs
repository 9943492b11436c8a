//! `cargo xtask docs`: the documentation site, with the reference of the TypeScript API and that of
//! rustdoc.

use crate::{
    build::{self, Lints, Quality},
    checkout,
    failure::Outcome,
    node, process,
    progress::{self, Step},
    setup,
};

/// Builds the package, whose declarations the site documents, and the site.
pub fn run() -> Outcome<()> {
    setup::for_build()?;
    build::package(Quality::Test, Lints::Off)?;
    site()
}

/// Builds the site into `target/site`, of the package that was built last.
pub fn site() -> Outcome<()> {
    setup::site()?;
    let step = Step::begin("rustdoc");
    let mut rustdoc =
        process::cargo(&["doc", "--package=agentwire", "--no-deps", "--all-features", "--locked"]);
    rustdoc.arg("--target-dir").arg(checkout::state()?.join("rustdoc"));
    process::expect(&mut rustdoc, "correct the errors above")?;
    step.end("written");
    let step = Step::begin("site");
    let mut site = node::node();
    site.arg("docs/build.mjs").arg(checkout::state()?.join("rustdoc/doc"));
    process::expect(&mut site, "see its output: a dead link ends the build")?;
    step.end("written");
    progress::line(&format!("\n{}", checkout::root().join("target/site/index.html").display()));
    Ok(())
}
