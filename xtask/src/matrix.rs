//! `cargo xtask matrix`: the packed package in every home that it promises to run in, and a table of what came of it.
//!
//! The tools are those of `tests/matrix/package.json`, installed by its lock file into a folder of their own. What cannot be
//! installed here is told in its row. `--quick` tries the homes that need nothing of that.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use crate::{
    build, checkout,
    failure::{Failure, Outcome},
    node, process, progress,
    setup::{self, chromium},
};

const INSTALL: Duration = Duration::from_secs(15 * 60);
/// The suite has other things to do than to wait for a slow registry: then it tries the homes that need no tools.
const INSTALL_FOR_SUITE: Duration = Duration::from_secs(3 * 60);

pub fn run(arguments: &[String]) -> Outcome<ExitCode> {
    setup::for_build()?;
    build::package()?;
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let tools = folder()?;
    if !quick {
        install(&tools, INSTALL)?;
    }
    let mut command = homes(&tools)?;
    command.args(arguments);
    let run = process::run(&mut command, 2 * process::LIMIT)?;
    progress::say(run.output.trim_end());
    Ok(if run.success { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All homes, for the suite, or those that need no tools where these cannot be had in time.
pub fn suite() -> Outcome<process::Run> {
    let tools = folder()?;
    let installed = install(&tools, INSTALL_FOR_SUITE)?;
    let mut command = homes(&tools)?;
    if !installed {
        command.arg("--quick");
    }
    process::run(&mut command, process::LIMIT)
}

fn homes(tools: &Path) -> Outcome<std::process::Command> {
    chromium::prepare()?;
    let mut command = node::node();
    command.current_dir(checkout::root()).arg("tests/matrix/run.mjs").arg(tools);
    if let Some(browser) = chromium::find()? {
        command.env("CHROMIUM", browser);
    }
    Ok(command)
}

fn folder() -> Outcome<PathBuf> {
    let folder = checkout::root().join("target/matrix/tools");
    fs::create_dir_all(&folder).map_err(|error| Failure::file("create", &folder, &error))?;
    Ok(folder)
}

/// Whether the tools are in their folder, after they were brought there if need be.
fn install(folder: &Path, limit: Duration) -> Outcome<bool> {
    let from = checkout::root().join("tests/matrix");
    let (wanted, present) = (from.join("package-lock.json"), folder.join("package-lock.json"));
    let read = |path: &PathBuf| fs::read(path).unwrap_or_default();
    if read(&wanted) == read(&present) && folder.join("node_modules").exists() {
        return Ok(true);
    }
    for file in ["package.json", "package-lock.json"] {
        let (from, to) = (from.join(file), folder.join(file));
        fs::copy(&from, &to).map_err(|error| Failure::file("copy", &from, &error))?;
    }
    let step = progress::Step::begin("tools of the matrix");
    let mut npm = process::npm();
    // `npm ci` refuses a lock file that does not name the binaries of every platform, and npm writes only those that the
    // registry has. This takes the versions of the lock file too, and does not change it.
    npm.current_dir(folder).args(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel", "error"]);
    if let Err(failure) = process::expect(&mut npm, limit, "the homes that need them are not run") {
        // Half of them are worse than none: what is missing is told in its row.
        let _ = fs::remove_dir_all(folder.join("node_modules"));
        let _ = fs::remove_file(&present);
        step.end("not available");
        failure.report();
        return Ok(false);
    }
    step.end("installed");
    Ok(true)
}
