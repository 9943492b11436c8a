//! What a run needs: the programs, built with the compiler's instrumentation, and the inputs they start from.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{
    checkout,
    failure::{Failure, Outcome},
    process,
    progress::Step,
};

/// What cargo-fuzz compiles with, but for the sanitizers: `unsafe` is forbidden here, and with them only a nightly compiler
/// would do.
const INSTRUMENTED: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg",
    "fuzzing",
];

/// Why there can be no run on this machine, if there cannot.
pub fn missing() -> Option<Failure> {
    if cfg!(windows) {
        return Some(Failure::new("libFuzzer is not built on Windows: use Linux or macOS"));
    }
    let is_there = env::var_os("CXX").is_some() || process::on_path("c++").is_some();
    (!is_there).then(|| Failure::new("no C++ compiler for libFuzzer: install g++ or clang"))
}

/// The targets, in the order of their names.
pub fn targets() -> Outcome<Vec<String>> {
    let folder = checkout::root().join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).map_err(|error| Failure::file("read", &folder, &error))?;
    let names = entries.flatten().filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

/// Builds the programs and writes the seeds.
pub fn prepare() -> Outcome<()> {
    let step = Step::begin("programs");
    let root = checkout::root();
    let mut cargo = process::cargo();
    cargo.current_dir(&root).args(["build", "--release", "--locked", "--manifest-path", "fuzz/Cargo.toml"]);
    // With a target named, the flags are not for build scripts and macros.
    cargo.args(["--target", &host()?]).arg("--target-dir").arg(folder("build"));
    cargo.env("CARGO_ENCODED_RUSTFLAGS", INSTRUMENTED.join("\x1f"));
    process::expect(&mut cargo, process::LIMIT, "correct what is shown above")?;
    step.end("built");

    let step = Step::begin("seeds");
    let mut cargo = process::cargo();
    cargo.current_dir(&root).args(["run", "--quiet", "--locked", "--package", "agentwire-fuzzing"]);
    cargo.args(["--bin", "seeds", "--"]).arg(folder("seeds"));
    process::expect(&mut cargo, process::LIMIT, "correct what is shown above")?;
    step.end("written");
    Ok(())
}

/// The program of a target.
pub fn program(target: &str) -> Outcome<PathBuf> {
    Ok(folder("build").join(host()?).join("release").join(target))
}

/// One of the folders of the fuzzer.
pub fn folder(name: &str) -> PathBuf {
    checkout::root().join("target/fuzz").join(name)
}

/// A folder of a target; it is made if it is not there.
pub fn folder_of(name: &str, target: &str) -> Outcome<PathBuf> {
    let folder = folder(name).join(target);
    fs::create_dir_all(&folder).map_err(|error| Failure::file("create", &folder, &error))?;
    Ok(folder)
}

/// A file that lists the seeds of a target, as libFuzzer wants them.
pub fn seeds(target: &str) -> Outcome<PathBuf> {
    let own = folder_of("seeds", target)?;
    let entries = fs::read_dir(&own).map_err(|error| Failure::file("read", &own, &error))?;
    let paths: Vec<String> = entries.flatten().map(|entry| entry.path().display().to_string()).collect();
    let list = Path::new(&own).with_extension("list");
    fs::write(&list, paths.join(",")).map_err(|error| Failure::file("write", &list, &error))?;
    Ok(list)
}

fn host() -> Outcome<String> {
    let advice = "a Rust toolchain is needed";
    let version = process::expect(Command::new("rustc").arg("-vV"), Duration::from_secs(20), advice)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure::new("`rustc -vV` does not say for which host it is"))
}
