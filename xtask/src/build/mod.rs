//! Makes `pkg/dist` from the crate and `pkg/src`. Steps with unchanged inputs are not run again.

mod generated;
mod glue;
mod notices;
mod package;
pub mod rust_worker;
pub mod toy;
mod variant;
mod wasm;

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use variant::VARIANTS;
pub use variant::Variant;

use crate::{
    checkout,
    failure::{Failure, Outcome},
    fingerprint::{Fingerprint, Stamp},
    process,
};

/// How much time the build spends on the size of the modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quality {
    /// Four modules, optimised once; the reader is installed under the names of the others, too.
    Test,
    /// All modules, optimised until nothing gets smaller, and compressed by Zopfli.
    Release,
}

/// The cargo profiles of the modules, equal but for their folders, which cargo locks: one for each
/// compilation at a time.
const PROFILES: [&str; 2] = ["wasm", "wasm-second"];

/// What a build checks in addition to what the compiler does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lints {
    Off,
    /// A warning of clippy in the code of the toolkit fails the build.
    Deny,
}

/// Builds the npm package. The set-up must have been run.
pub fn package(quality: Quality, lints: Lints) -> Outcome<()> {
    let _lock = checkout::lock("build")?;
    generated::write()?;
    let (modules, wasm) = (checkout::modules(), checkout::dist().join("wasm"));
    let (compiled, others): (Vec<&Variant>, Vec<_>) = VARIANTS
        .iter()
        .partition(|variant| quality == Quality::Release || variant.in_tests() == variant.name);
    // Two at a time: both the last step of a compilation and wasm-opt use one processor.
    let next = AtomicUsize::new(0);
    let worker = |profile| {
        while let Some(variant) = compiled.get(next.fetch_add(1, Ordering::Relaxed)) {
            module(variant, quality, lints, &modules, &wasm, profile)
                .inspect_err(|_| next.store(compiled.len(), Ordering::Relaxed))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| worker(PROFILES[1]));
        worker(PROFILES[0]).and(
            other.join().unwrap_or_else(|_| Err(Failure::new("the build of a module panicked"))),
        )
    })?;
    for variant in others {
        glue::install_copy(variant.in_tests(), variant.name, &modules, &wasm)?;
    }
    package::compile()?;
    package::bundle()?;
    built(quality)?.set()
}

/// Makes the files of one module.
fn module(
    variant: &Variant,
    quality: Quality,
    lints: Lints,
    modules: &Path,
    wasm: &Path,
    profile: &str,
) -> Outcome<()> {
    let generated = bindings(variant, lints, profile)?;
    let optimised = wasm::optimise(variant, &generated, quality)?;
    // The toolkit's declarations begin with the types of whole objects.
    let toy: &[&str] = if variant.features.ends_with("toy") { &["--features", "toy"] } else { &[] };
    let types = if variant.is_toolkit() {
        // What cargo prints is before the first section.
        let printed = generated::print(&[toy, &["--", "declarations"]].concat())?;
        generated::sections(&printed).map(|(_, declarations)| declarations).collect()
    } else {
        String::new()
    };
    glue::install(variant, &generated, &optimised, &types, quality, modules, wasm)
}

/// Compiles a module and writes its bindings, unless its sources are unchanged. Contents are
/// compared, so that cargo does not compile again in a copy of the checkout.
fn bindings(variant: &Variant, lints: Lints, profile: &str) -> Outcome<PathBuf> {
    let root = checkout::root();
    // The toolkit contains the code of all others.
    let lints = if variant.is_toolkit() { lints } else { Lints::Off };
    let mut inputs = Fingerprint::default().text(&format!("{variant:?}"));
    for folder in ["src", "xtask/src/build", "xtask/bindgen/src"] {
        inputs = inputs.folder(&root.join(folder))?;
    }
    for file in ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"] {
        inputs = inputs.file(&root.join(file))?;
    }
    let toolchain =
        process::expect(Command::new("rustc").arg("--version"), "install Rust with rustup")?;
    let stamp = Stamp::new(variant.folder()?.join("bindings.stamp"), &inputs.text(&toolchain));
    let linted = stamp.beside("lints.stamp");
    let folder = variant.folder()?.join("bindings");
    if !stamp.is_current(&folder) || lints == Lints::Deny && !linted.is_current(&folder) {
        glue::generate(variant, &wasm::compile(variant, lints, profile)?, &folder)?;
        stamp.set()?;
        if lints == Lints::Deny {
            linted.set()?;
        }
    }
    Ok(folder)
}

/// Whether the package is a build of the present sources, in either quality.
pub fn is_current() -> Outcome<bool> {
    let index = checkout::dist().join("agentwire.js");
    Ok(built(Quality::Test)?.is_current(&index) || built(Quality::Release)?.is_current(&index))
}

/// The record of the inputs of the last build.
fn built(quality: Quality) -> Outcome<Stamp> {
    let root = checkout::root();
    let mut inputs = Fingerprint::default().text(&format!("{quality:?}"));
    for folder in [
        "src",
        "pkg/src",
        "xtask/contract/src",
        "xtask/src/build",
        "xtask/scripts",
        "xtask/bindgen/src",
    ] {
        inputs = inputs.folder(&root.join(folder))?;
    }
    for file in ["Cargo.toml", "Cargo.lock", "pkg/tsconfig.json", "package-lock.json"] {
        inputs = inputs.file(&root.join(file))?;
    }
    Ok(Stamp::new(checkout::state()?.join("package.stamp"), &inputs))
}

impl Variant {
    /// The folder of the intermediate files of this build.
    fn folder(&self) -> Outcome<PathBuf> {
        Ok(checkout::state()?.join(format!("module-{}", self.id)))
    }
}
