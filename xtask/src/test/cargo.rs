//! The suites that need only cargo.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{Session, Tally};
use crate::{
    build::VECTORS,
    checkout,
    failure::{Failure, Outcome},
    process, progress,
    setup::{self, WASM_TARGET, cargo_tool},
};

/// The libraries whose tests and lints belong to every run. They are always chosen together, because cargo compiles a package
/// again for another choice.
const LIBRARIES: [&str; 6] = [
    "--package=agentwire",
    "--package=agentwire-cases",
    "--package=agentwire-fuzzing",
    "--package=agentwire-outside",
    "--all-features",
    "--locked",
];

/// The other packages whose tests and lints belong to every run.
const PROGRAMS: [&str; 2] = ["--package=xtask", "--package=xtask-contract"];

const ADVICE: &str = "correct the errors above";

pub fn formatting(session: &mut Session) -> Outcome<()> {
    session.check("cargo fmt --check", || expect(&["fmt", "--all", "--check"], "run `cargo fmt --all`"));
    Ok(())
}

/// The lints of the code that is compiled only for wasm. Those of everything else come with the compilation of the tests.
pub fn lints(session: &mut Session) -> Outcome<()> {
    if session.quick {
        session.note_skipped("clippy for wasm");
        return Ok(());
    }
    setup::for_wasm()?;
    // The code for the vector instructions of wasm is compiled only here.
    let flags = format!("target.{WASM_TARGET}.rustflags=['{VECTORS}']");
    let features =
        ["clippy", "--locked", "--no-default-features", "--features=wasm", "--target", WASM_TARGET];
    session.check("clippy, wasm", || {
        expect(&[features.as_slice(), &["--config", &flags], &["--", "-D", "warnings"]].concat(), ADVICE)
    });
    Ok(())
}

/// Whether the tests and their programs are compiled.
static HAS_COMPILED: AtomicBool = AtomicBool::new(false);

/// Returns a program that was compiled with the tests.
pub fn compiled(program: &str) -> Option<PathBuf> {
    let path = checkout::root().join("target/debug").join(program);
    (HAS_COMPILED.load(Ordering::Relaxed) && path.exists()).then_some(path)
}

/// Returns the command line with the gateway: the one of the tests, or a new one.
pub fn gateway() -> Outcome<PathBuf> {
    if let Some(program) = compiled("agentwire") {
        return Ok(program);
    }
    expect(&["build", "--locked", "--all-features", "--bin=agentwire"], ADVICE)?;
    Ok(checkout::root().join("target/debug/agentwire"))
}

/// All Rust tests: nextest for everything but the examples in the documentation, which only cargo can run.
pub fn tests(session: &mut Session) -> Outcome<()> {
    cargo_tool::nextest()?;
    session.check("clippy and compilation of the tests", || {
        process::expect(&mut linted(&[&["nextest", "run", "--no-run"], &LIBRARIES, &PROGRAMS]), ADVICE)?;
        HAS_COMPILED.store(true, Ordering::Relaxed);
        Ok(())
    });
    if !HAS_COMPILED.load(Ordering::Relaxed) {
        return Ok(());
    }
    let mut command = linted(&[&["nextest", "run", "--no-fail-fast"], &LIBRARIES, &PROGRAMS]);
    if session.quick {
        command.args(["-E", "not (binary(properties) | binary(hostile) | package(agentwire-fuzzing))"]);
        session.note_skipped("properties, hostile inputs, fuzz findings and documentation examples in Rust");
    }
    conclude(session, "tests", command)?;
    if session.quick {
        return Ok(());
    }
    conclude(session, "documentation examples", linted(&[&["test", "--doc"], &LIBRARIES]))
}

/// Returns a command of cargo in which clippy compiles the workspace: the code is checked once, for the lints and for the tests.
fn linted(arguments: &[&[&str]]) -> Command {
    let mut command = process::cargo(&arguments.concat());
    // What `cargo clippy -- -D warnings` sets for its own compilation.
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    command
}

/// The property tests with ten times as many cases as in every run.
pub fn properties(session: &mut Session) -> Outcome<()> {
    cargo_tool::nextest()?;
    let mut command = linted(&[&["nextest", "run", "--no-fail-fast"], &LIBRARIES, &PROGRAMS]);
    command
        .args(["-E", "binary(properties) | package(agentwire-fuzzing)"])
        .env("PROPTEST_CASES_FACTOR", "10");
    conclude(session, "properties, many cases", command)
}

pub fn documentation(session: &mut Session) -> Outcome<()> {
    for (name, features) in [("default features", None), ("all features", Some("--all-features"))] {
        session.check(&format!("cargo doc, {name}"), || {
            let mut command = process::cargo(&["doc", "--no-deps", "--locked"]);
            command.args(features).env("RUSTDOCFLAGS", "-D warnings");
            process::expect(&mut command, ADVICE).map(drop)
        });
    }
    Ok(())
}

/// The public Rust API, compared with its committed listing.
pub fn public_api(session: &mut Session) -> Outcome<()> {
    let mut command = process::cargo(&["test", "--locked", "--manifest-path", "tests/api/Cargo.toml"]);
    // rustdoc's JSON, which the listing is made from, is an unstable option.
    command.args(["--target-dir", "target/api"]).env("RUSTC_BOOTSTRAP", "1");
    conclude(session, "public API", command)
}

/// Each feature by itself: a missing `cfg` shows only there.
pub fn features(session: &mut Session) -> Outcome<()> {
    cargo_tool::hack()?;
    // A build needs at least one protocol.
    let protocols = "--include-features=agent-api,ag-kit,ag-ui,responses,a2a,ai-sdk,chat,anthropic,gemini";
    for (name, choice) in [("each protocol by itself", protocols), ("each feature", "--features=agent-api")] {
        session.check(name, || {
            let mut command = process::cargo(&["hack", "check", "--locked", "--each-feature", choice]);
            command.args(["--package=agentwire", "--exclude-no-default-features"]);
            command.env("RUSTFLAGS", "-D warnings").args(["--target-dir", "target/features"]);
            process::expect(&mut command, ADVICE).map(drop)
        });
    }
    Ok(())
}

/// The supported targets in addition to the host: the options of cargo, and their name.
const TARGETS: [(&str, &[&str], &str); 4] = [
    (WASM_TARGET, &[], "the default features"),
    (WASM_TARGET, &["--no-default-features", "--features=agent-api,web"], "the feature `web`"),
    ("thumbv7em-none-eabi", BARE, "everything but std, uuid and the adapters"),
    // Without compare-and-swap.
    ("thumbv6m-none-eabi", BARE, "everything but std, uuid and the adapters"),
];

/// The features that need only an allocator.
const BARE: &[&str] = &[
    "--no-default-features",
    "--features=agent-api,ag-kit,ag-ui,responses,a2a,ai-sdk,chat,anthropic,gemini,hub,serde,simd",
];

pub fn targets(session: &mut Session) -> Outcome<()> {
    for (target, features, name) in TARGETS {
        setup::target(target)?;
        session.check(&format!("{target}, {name}"), || {
            let mut command = process::cargo(&["check", "--locked", "--lib", "--target", target]);
            process::expect(command.args(features), ADVICE).map(drop)
        });
    }
    Ok(())
}

/// Runs the fuzz targets with a fixed number of inputs each, the same ones every time.
pub fn fuzz(session: &mut Session) -> Outcome<()> {
    cargo_tool::fuzz()?;
    let seeds = checkout::root().join("target/fuzz/seeds");
    let mut write =
        process::cargo(&["run", "--quiet", "--locked", "--package=agentwire-fuzzing", "--bin=seeds"]);
    process::expect(write.arg("--").arg(&seeds), ADVICE)?;
    let listed = process::expect(&mut process::cargo(&["fuzz", "list"]), ADVICE)?;
    for target in listed.lines() {
        let corpus = seeds.parent().unwrap_or(&seeds).join("corpus").join(target);
        fs::create_dir_all(&corpus).map_err(Failure::file("create", &corpus))?;
        session.check(&format!("fuzz target {target}, 25,000 inputs"), || {
            let mut command = process::cargo(&["fuzz", "run", "--sanitizer=none", target]);
            command.arg(&corpus).arg(seeds.join(target)).arg("--");
            // Comparisons are not used as hints, because some of them compare addresses, which differ between runs.
            command.args([
                "-seed=1",
                "-runs=25000",
                "-use_cmp=0",
                "-max_len=8192",
                "-timeout=20",
                "-rss_limit_mb=2048",
            ]);
            command.arg(format!("-dict={}", seeds.join("words").display()));
            let advice =
                "correct the defect, and copy the input to tests/fuzzing/findings, where every run reads it";
            process::expect(command.env("RUSTC_BOOTSTRAP", "1"), advice).map(drop)
        });
    }
    Ok(())
}

/// Measures the growth of the number of instructions with a stream, counted by a wasm interpreter.
pub fn cost_curves(session: &mut Session) -> Outcome<()> {
    setup::for_wasm()?;
    let folder = ["--locked", "--release", "--target-dir", "target/scale"];
    let mut guest = process::cargo(&["build", "--package=agentwire-scale-guest"]);
    process::expect(guest.args(["--target", WASM_TARGET]).args(folder), ADVICE)?;
    let module = format!("target/scale/{WASM_TARGET}/release/agentwire_scale_guest.wasm");
    let mut curves = process::cargo(&["run", "--package=agentwire-scale"]);
    curves.args(folder).arg("--").arg(checkout::root().join(module));
    conclude(session, "cost curves", curves)
}

/// Reads and converts mutated streams of all corpora, whole and cut: the same ones each time.
pub fn mutations(session: &mut Session) -> Outcome<()> {
    session.check("60,000 mutated streams", || {
        let arguments =
            ["run", "--release", "--locked", "--package=agentwire-fuzzing", "--bin=mutated", "--"];
        expect(&[&arguments[..], &["60000", "1"]].concat(), "see the first difference above")
    });
    Ok(())
}

fn conclude(session: &mut Session, name: &str, mut command: Command) -> Outcome<()> {
    let step = progress::Step::begin(name);
    // The same random inputs each time, so that a failure is repeatable. `cargo test` without these variables uses new
    // ones each time.
    let run = process::run(command.env("PROPTEST_RNG_SEED", "1"))?;
    session.conclude(step, &run, Tally::of_cargo(&run.output));
    Ok(())
}

fn expect(arguments: &[&str], advice: &str) -> Outcome<()> {
    process::expect(&mut process::cargo(arguments), advice).map(drop)
}
