//! The targets that the crate promises to compile for besides those that its tests run on.

use std::time::Duration;

use super::Session;
use crate::{
    checkout,
    failure::{Failure, Outcome},
    process,
    progress::Step,
    setup,
};

/// A target, the features that it is promised with, and what it stands for.
const TARGETS: [(&str, &[&str], &str); 4] = [
    ("wasm32-unknown-unknown", &[], "the default features"),
    (
        "wasm32-unknown-unknown",
        &["--no-default-features", "--features", "agent-api,web"],
        "the feature `web`",
    ),
    ("thumbv7em-none-eabi", BARE, "everything but std, uuid and the adapters"),
    // It has no compare-and-swap, so that what needs one shows.
    ("thumbv6m-none-eabi", BARE, "everything but std, uuid and the adapters"),
];

/// What needs an allocator only.
const BARE: &[&str] =
    &["--no-default-features", "--features", "agent-api,ag-kit,ag-ui,responses,a2a,hub,serde,simd"];

const DOWNLOAD: Duration = Duration::from_secs(180);

pub fn run(session: &mut Session) -> Outcome<()> {
    setup::for_wasm()?;
    for (target, features, what) in TARGETS {
        if let Err(reason) = installed(target) {
            if setup::in_ci() {
                return Err(reason);
            }
            crate::progress::note(&format!("skipped: {reason}"));
            session.tally.skipped += 1;
            continue;
        }
        session.check(&format!("{target}, {what}"), || {
            let mut cargo = process::cargo();
            cargo.current_dir(checkout::root()).args(["check", "--locked", "--lib", "--target", target]);
            cargo.args(["--target-dir", "target/targets"]).args(features).env("RUSTFLAGS", "-D warnings");
            // It would take the place of what `.cargo/config.toml` has for the target.
            if target.starts_with("wasm32") {
                cargo.env_remove("RUSTFLAGS");
            }
            process::expect(&mut cargo, process::LIMIT, "correct what is shown above").map(drop)
        });
    }
    Ok(())
}

/// Lets rustup bring a target that is missing.
fn installed(target: &str) -> Outcome<()> {
    let list = |command: &[&str]| {
        let mut rustup = std::process::Command::new("rustup");
        process::run(rustup.args(command), DOWNLOAD)
    };
    let present = list(&["target", "list", "--installed"])?;
    if present.success && present.output.lines().any(|line| line == target) {
        return Ok(());
    }
    let step = Step::begin(format!("rustup target add {target}"));
    let added = list(&["target", "add", target])?;
    step.end(if added.success { "installed" } else { "not available" });
    if added.success {
        return Ok(());
    }
    Err(Failure::new(format!("no standard library for {target}: `rustup target add {target}`")))
}
