//! Makes `pkg/dist` out of the crate and `pkg/src`; a step whose inputs are unchanged is not run again.

mod generated;
mod glue;
mod package;
mod places;
pub mod rust_worker;
pub mod toy;
mod variant;
mod wasm;

use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

pub use variant::{PROTOCOLS, VARIANTS, VECTORS, Variant};

use crate::{
    beside, checkout,
    failure::Outcome,
    fingerprint::{Fingerprint, Stamp},
};

/// Builds the npm package. The set-up must have been run.
pub fn package() -> Outcome<()> {
    let _lock = checkout::lock()?;
    generated::write()?;
    // Both the last step of a module's compilation and wasm-opt use one processor.
    let has_failed = AtomicBool::new(false);
    let ends = beside::each(VARIANTS, |variant| {
        // After a failure no further module is begun.
        if has_failed.load(Ordering::Relaxed) {
            return Ok(());
        }
        module(variant).inspect_err(|_| has_failed.store(true, Ordering::Relaxed))
    });
    ends.into_iter().collect::<Outcome<()>>()?;
    package::compile()?;
    package::bundle()?;
    built()?.set()
}

/// Makes the files of one module.
fn module(variant: &Variant) -> Outcome<()> {
    let compiled = wasm::compile(variant)?;
    let generated = glue::generate(variant, &compiled)?;
    let optimised = wasm::optimise(variant, &generated)?;
    let declarations = match variant.declared_by() {
        Some(other) => glue::declarations(variant, other, &glue::generate(other, &wasm::compile(other)?)?)?,
        None => glue::declarations(variant, variant, &generated)?,
    };
    glue::install(variant, &generated, &optimised, declarations, &checkout::dist())
}

/// Whether the package that was built last is what the sources say now.
pub fn is_current() -> Outcome<bool> {
    Ok(built()?.is_current(&[checkout::dist().join("index.js")]))
}

/// The record of what the package was made from: files alone, so that it is asked in no time.
fn built() -> Outcome<Stamp> {
    let root = checkout::root();
    let mut inputs = Fingerprint::default();
    for folder in ["src", "pkg/src", "xtask/src/build", "xtask/scripts", "xtask/bindgen/src"] {
        inputs = inputs.folder(&root.join(folder))?;
    }
    for file in ["Cargo.toml", "Cargo.lock", "pkg/tsconfig.json", "package-lock.json"] {
        inputs = inputs.file(&root.join(file))?;
    }
    Stamp::new("package", inputs)
}

impl Variant {
    /// Where the intermediate files of this build are.
    fn folder(&self) -> Outcome<PathBuf> {
        Ok(checkout::state()?.join(self.profile))
    }
}
