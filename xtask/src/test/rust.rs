//! The suites that need only cargo.

use std::process::Command;

use serde_json::Value;

use super::{Session, check, count::Tally};
use crate::{
    api, beside,
    build::VECTORS,
    checkout,
    failure::{Failure, Outcome},
    process, progress,
    setup::{
        self,
        wasm_target::{Route, TARGET},
    },
};

pub fn formatting(session: &mut Session) -> Outcome<()> {
    session.check("cargo fmt --check", || {
        let mut command = cargo(&["fmt", "--all", "--check"]);
        process::expect(&mut command, process::LIMIT, "run `cargo fmt --all`").map(drop)
    });
    Ok(())
}

/// The features that are protocols.
const PROTOCOLS: [&str; 5] = ["agent-api", "ag-kit", "ag-ui", "responses", "a2a"];

/// A name for what is linted, and the arguments of cargo.
type Lint = (String, Vec<String>);

/// Every feature has to compile without the others: a missing `cfg` shows only there. Those checks and all others are done beside
/// each other, for a check uses one processor most of its time; in two folders, for cargo locks the one that it works in.
pub fn lints(session: &mut Session) -> Outcome<()> {
    let mut features_alone = Vec::new();
    for feature in features()? {
        // A build has at least one protocol.
        let together =
            if PROTOCOLS.contains(&&*feature) { feature } else { format!("{},{feature}", PROTOCOLS[0]) };
        let arguments = ["--no-default-features", "--features", &together, "--target-dir", "target/lints"];
        features_alone.push(named(&format!("features {together}"), &arguments));
    }
    let mut others = vec![
        named("default features", &["--all-targets"]),
        named("all features", &ALL_FEATURES),
        named(
            "fuzz targets",
            &["--package", "agentwire-fuzzing", "--package", "agentwire-cases", "--all-targets"],
        ),
        named("task runner", &TASK_RUNNER),
    ];
    // What is compiled with wasm's vectors only. The compiler that stands in where the toolchain has no target brings no
    // clippy; its warnings are those of the build. Which of the two it is, a fresh machine only knows after the set-up.
    setup::for_wasm()?;
    if Route::current()? == Route::Toolchain {
        let flags = format!("target.{TARGET}.rustflags=['{VECTORS}']");
        let features = ["--no-default-features", "--features", "wasm", "--target", TARGET];
        let target = ["--target-dir", "target/wasm-lints", "--config", &flags];
        others.push(named("wasm", &[features.as_slice(), &target].concat()));
        // What a Rust program for the web gets that only names the crate.
        others.push(named("wasm, default features", &[&["--target", TARGET][..], &target[..2]].concat()));
    }
    for tally in beside::each(&[others, features_alone], |lints| lints.iter().map(lint).collect::<Vec<_>>()) {
        tally.into_iter().for_each(|tally| session.tally += tally);
    }
    Ok(())
}

/// What most lints are found by.
pub fn lints_of_all_features(session: &mut Session) {
    session.tally += lint(&named("all features", &ALL_FEATURES));
    session.tally += lint(&named("task runner", &TASK_RUNNER));
}

const ALL_FEATURES: [&str; 2] = ["--all-features", "--all-targets"];
const TASK_RUNNER: [&str; 3] = ["--package", "xtask", "--all-targets"];

fn named(name: &str, arguments: &[&str]) -> Lint {
    (name.to_owned(), arguments.iter().map(|&argument| argument.to_owned()).collect())
}

fn lint((name, arguments): &Lint) -> Tally {
    check(name, || {
        let mut command = cargo(&["clippy", "--locked"]);
        command.args(arguments).args(["--", "-D", "warnings"]);
        process::expect(&mut command, process::LIMIT, "correct what is shown above").map(drop)
    })
}

pub fn tests(session: &mut Session) -> Outcome<()> {
    // Without a list of targets cargo runs all that Cargo.toml has: unit, integration, examples,
    // documentation.
    run_tests(session, "library", &["--all-features"])?;
    run_tests(session, "fuzz targets", &["--package", "agentwire-fuzzing"])?;
    run_tests(session, "task runner", &["--package", "xtask"])?;
    outside(session)?;
    session.check("contents of the crate", || {
        let mut command = cargo(&["package", "--quiet", "--list", "--allow-dirty"]);
        let listed = process::expect(&mut command, process::LIMIT, "correct `include` in Cargo.toml")?;
        let strange: Vec<&str> = listed.lines().filter(|file| !is_of_the_crate(file)).collect();
        if strange.is_empty() {
            return Ok(());
        }
        let sentence = "the crate would ship files that are not its own: correct `include` in Cargo.toml";
        Err(Failure::new(sentence).with_output(strange.join("\n")))
    });
    Ok(())
}

/// Whether a file belongs into the published crate.
fn is_of_the_crate(file: &str) -> bool {
    const FILES: [&str; 8] = [
        ".cargo_vcs_info.json",
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "Cargo.toml.orig",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
    ];
    FILES.contains(&file) || file.starts_with("src/") || file.starts_with("examples/")
}

pub fn documentation(session: &mut Session) -> Outcome<()> {
    // A link to an item of an optional feature resolves only where that is on.
    for (name, features) in [("cargo doc", &[][..]), ("cargo doc, all features", &["--all-features"])] {
        session.check(name, || {
            let mut command = cargo(&["doc", "--no-deps", "--locked"]);
            command.args(features).env("RUSTDOCFLAGS", "-D warnings");
            process::expect(&mut command, process::LIMIT, "correct what is shown above").map(drop)
        });
    }
    public_api(session);
    Ok(())
}

/// The API that the crate promises is the one that is listed.
fn public_api(session: &mut Session) {
    session.check("public API", || {
        let differences = api::differences()?;
        if differences.is_empty() {
            return Ok(());
        }
        let sentence =
            "the public API is not as listed: undo that, or accept it with `cargo xtask bless` and say why";
        Err(Failure::new(sentence).with_output(differences))
    });
}

/// A crate outside of the workspace, which sees only what is public.
fn outside(session: &mut Session) -> Outcome<()> {
    run_tests(
        session,
        "a protocol of somebody else's",
        &["--manifest-path", "tests/outside/Cargo.toml", "--target-dir", "target/outside"],
    )
}

pub fn run_tests(session: &mut Session, name: &str, arguments: &[&str]) -> Outcome<()> {
    let step = progress::Step::begin(name);
    let mut command = cargo(&["test", "--locked", "--no-fail-fast"]);
    // The same random inputs each time, so that what fails fails again. `cargo test` by itself has others each time.
    command.env("PROPTEST_RNG_SEED", "1");
    let run = process::run(command.args(arguments), process::LIMIT)?;
    session.conclude(step, &run, Tally::of_cargo(&run.output));
    Ok(())
}

/// The crate's features but for `default`, which is linted for itself.
fn features() -> Outcome<Vec<String>> {
    let mut command = cargo(&["metadata", "--no-deps", "--format-version=1", "--locked"]);
    let output = process::expect(&mut command, process::LIMIT, "correct Cargo.toml or Cargo.lock")?;
    let unreadable =
        || Failure::new("`cargo metadata` did not describe the package `agentwire`: is it still named so?");
    let line = output.lines().find(|line| line.starts_with('{')).ok_or_else(unreadable)?;
    let metadata: Value = serde_json::from_str(line).map_err(|_| unreadable())?;
    let packages = metadata["packages"].as_array().ok_or_else(unreadable)?;
    let package = packages.iter().find(|package| package["name"] == "agentwire").ok_or_else(unreadable)?;
    let features = package["features"].as_object().ok_or_else(unreadable)?;
    Ok(features.keys().filter(|name| *name != "default").cloned().collect())
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = process::cargo();
    command.current_dir(checkout::root()).args(arguments);
    command
}
