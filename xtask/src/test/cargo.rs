//! The suites that need only cargo.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{Session, Tally};
use crate::{
    checkout,
    failure::{Failure, Outcome},
    process, progress,
    setup::{self, WASM_TARGET, cargo_tool},
};

/// Packages whose tests are compiled together, because cargo compiles a package again for another
/// choice of features.
pub struct Packages {
    options: &'static [&'static str],
    is_compiled: AtomicBool,
}

/// The core with its default features, and the programs of the repository.
pub static CORE: Packages = Packages {
    options: &[
        "--package=agentwire-tests",
        "--package=agentwire-cases",
        "--package=agentwire-fuzzing",
        "--package=agentwire-external-protocol",
        "--package=xtask",
        "--package=xtask-contract",
        "--locked",
    ],
    is_compiled: AtomicBool::new(false),
};

/// The crate with all features: servers, clients, the command line, the examples, and the unit
/// tests.
pub static ADAPTERS: Packages = Packages {
    options: &["--package=agentwire", "--all-features", "--locked"],
    is_compiled: AtomicBool::new(false),
};

/// The sources of which only the tests of [`ADAPTERS`] depend.
pub const SOURCES_OF_ADAPTERS: [&str; 16] = [
    "src/adapters",
    "src/cli",
    "src/emit",
    "src/model",
    "src/stores",
    "src/threads",
    "tests/rust/cli",
    "tests/rust/conversations_agent",
    "tests/rust/gateway",
    "tests/rust/http",
    "tests/rust/probe",
    "tests/rust/runs_server",
    "tests/rust/stores",
    "examples/*.rs",
    "Cargo.toml",
    "Cargo.lock",
];

const ADVICE: &str = "correct the errors above";

impl Packages {
    /// Returns a program that was compiled with these packages in this run.
    pub fn compiled(&self, program: &str) -> Option<PathBuf> {
        let path = checkout::root().join("target/debug").join(program);
        (self.is_compiled.load(Ordering::Relaxed) && path.exists()).then_some(path)
    }

    /// Compiles the tests with the lints.
    fn compile(&self, session: &mut Session) -> bool {
        session.check("clippy and compilation of the tests", || {
            process::expect(&mut self.linted(&["nextest", "run", "--no-run"]), ADVICE)?;
            self.is_compiled.store(true, Ordering::Relaxed);
            Ok(())
        });
        self.is_compiled.load(Ordering::Relaxed)
    }

    /// Returns a command of cargo in which clippy compiles the workspace: the code is checked once,
    /// for the lints and for the tests.
    fn linted(&self, arguments: &[&str]) -> Command {
        let mut command = process::cargo(&[arguments, self.options].concat());
        process::lint(&mut command);
        command
    }
}

/// Returns a program of the crate with all features, also one of its examples: that of the tests,
/// or a new one.
pub fn program(name: &str) -> Outcome<PathBuf> {
    if let Some(program) = ADAPTERS.compiled(name) {
        return Ok(program);
    }
    let target = match name.strip_prefix("examples/") {
        Some(example) => format!("--example={example}"),
        None => format!("--bin={name}"),
    };
    expect(&["build", "--locked", "--all-features", &target], ADVICE)?;
    Ok(checkout::root().join("target/debug").join(name))
}

/// The tests of the core.
pub fn tests(session: &mut Session) -> Outcome<()> {
    cargo_tool::nextest()?;
    if !CORE.compile(session) {
        return Ok(());
    }
    let mut command = CORE.linted(&["nextest", "run", "--no-fail-fast"]);
    if session.quick {
        command.args([
            "-E",
            "not (binary(properties) | binary(hostile) | package(agentwire-fuzzing))",
        ]);
        session.note_skipped("properties, hostile inputs and fuzz findings in Rust");
    }
    conclude(session, "tests", command)
}

/// The tests of the crate with all features: nextest for everything but the examples in the
/// documentation, which only cargo can run.
pub fn adapters(session: &mut Session) -> Outcome<()> {
    cargo_tool::nextest()?;
    if !ADAPTERS.compile(session) {
        return Ok(());
    }
    conclude(session, "tests", ADAPTERS.linted(&["nextest", "run", "--no-fail-fast"]))?;
    conclude(session, "documentation examples", ADAPTERS.linted(&["test", "--doc"]))
}

/// The property tests with ten times as many cases as in every run.
pub fn properties(session: &mut Session) -> Outcome<()> {
    cargo_tool::nextest()?;
    let mut command = CORE.linted(&["nextest", "run", "--no-fail-fast"]);
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
    let mut command = process::cargo(&[
        "test",
        "--locked",
        "--manifest-path",
        "tests/rust/public_api/Cargo.toml",
    ]);
    // rustdoc's JSON, which the listing is made from, is an unstable option.
    command.args(["--target-dir", "target/api"]).env("RUSTC_BOOTSTRAP", "1");
    conclude(session, "public API", command)
}

/// Each feature by itself: a missing `cfg` shows only there.
pub fn features(session: &mut Session) -> Outcome<()> {
    cargo_tool::hack()?;
    // A build needs at least one protocol.
    let protocols = "--include-features=agent-api,agentscope,ag-kit,ag-ui,responses,a2a,ai-sdk,chat,anthropic,gemini,interactions";
    for (name, choice) in
        [("each protocol by itself", protocols), ("each feature", "--features=agent-api")]
    {
        session.check(name, || {
            let mut command =
                process::cargo(&["hack", "check", "--locked", "--each-feature", choice]);
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
    "--features=agent-api,agentscope,ag-kit,ag-ui,responses,a2a,ai-sdk,chat,anthropic,gemini,interactions,hub,serde,simd",
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
    let mut write = process::cargo(&[
        "run",
        "--quiet",
        "--locked",
        "--package=agentwire-fuzzing",
        "--bin=seeds",
    ]);
    process::expect(write.arg("--").arg(&seeds), ADVICE)?;
    let listed = process::expect(&mut process::cargo(&["fuzz", "list"]), ADVICE)?;
    for target in listed.lines() {
        let corpus = seeds.parent().unwrap_or(&seeds).join("corpus").join(target);
        fs::create_dir_all(&corpus).map_err(Failure::file("create", &corpus))?;
        session.check(&format!("fuzz target {target}, 25,000 inputs"), || {
            let mut command = process::cargo(&["fuzz", "run", "--sanitizer=none", target]);
            command.arg(&corpus).arg(seeds.join(target)).arg("--");
            // Comparisons are not used as hints, because some of them compare addresses, which
            // differ between runs.
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
                "correct the defect, and copy the input to tests/data/findings, where every run reads it";
            process::expect(command.env("RUSTC_BOOTSTRAP", "1"), advice).map(drop)
        });
    }
    Ok(())
}

/// Measures the growth of the number of instructions with a stream, counted by a wasm interpreter.
pub fn cost_curves(session: &mut Session) -> Outcome<()> {
    setup::for_wasm()?;
    let folder = ["--locked", "--release", "--target-dir", "target/cost-curves"];
    let mut guest = process::cargo(&["build", "--package=agentwire-cost-curves-guest"]);
    process::expect(guest.args(["--target", WASM_TARGET]).args(folder), ADVICE)?;
    let module =
        format!("target/cost-curves/{WASM_TARGET}/release/agentwire_cost_curves_guest.wasm");
    let mut curves = process::cargo(&["run", "--package=agentwire-cost-curves"]);
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
    // The same random inputs each time, so that a failure is repeatable. `cargo test` without these
    // variables uses new ones each time.
    let run = process::run(command.env("PROPTEST_RNG_SEED", "1"))?;
    session.conclude(step, &run, Tally::of_cargo(&run.output));
    Ok(())
}

/// Runs cargo, which is expected to succeed.
pub fn expect(arguments: &[&str], advice: &str) -> Outcome<()> {
    process::expect(&mut process::cargo(arguments), advice).map(drop)
}
