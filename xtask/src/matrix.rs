//! `cargo xtask matrix`: the packed package in every home that it promises to run in, and a table of what came of it.
//!
//! The tools are those of `tests/matrix/package.json`, installed by its lock file into a folder of their own. What cannot be
//! installed here is told in its row. `--quick` tries the homes that need nothing of that, as the suite of that name does.

use std::{fs, path::PathBuf, process::ExitCode, time::Duration};

use crate::{
    build, checkout,
    failure::{Failure, Outcome},
    node, process, progress,
    setup::{self, chromium},
};

const INSTALL: Duration = Duration::from_secs(15 * 60);

pub fn run(arguments: &[String]) -> Outcome<ExitCode> {
    setup::for_build()?;
    build::package()?;
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let tools = tools(quick)?;
    let mut command = homes(&tools)?;
    command.args(arguments);
    let run = process::run(&mut command, 2 * process::LIMIT)?;
    progress::say(run.output.trim_end());
    Ok(if run.success { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The homes that need no tools of their own, for the suite.
pub fn quick() -> Outcome<String> {
    let mut command = homes(&tools(true)?)?;
    process::expect(command.arg("--quick"), process::LIMIT, "the rows that fail are above")
}

fn homes(tools: &PathBuf) -> Outcome<std::process::Command> {
    chromium::prepare()?;
    let mut command = node::node();
    command.current_dir(checkout::root()).arg("tests/matrix/run.mjs").arg(tools);
    if let Some(browser) = chromium::find()? {
        command.env("CHROMIUM", browser);
    }
    Ok(command)
}

/// The folder of the tools, with them in it unless they are not needed.
fn tools(quick: bool) -> Outcome<PathBuf> {
    let (from, folder) =
        (checkout::root().join("tests/matrix"), checkout::root().join("target/matrix/tools"));
    fs::create_dir_all(&folder).map_err(|error| Failure::file("create", &folder, &error))?;
    if quick {
        return Ok(folder);
    }
    let (wanted, present) = (from.join("package-lock.json"), folder.join("package-lock.json"));
    let read = |path: &PathBuf| fs::read(path).unwrap_or_default();
    if read(&wanted) == read(&present) && folder.join("node_modules").exists() {
        return Ok(folder);
    }
    for file in ["package.json", "package-lock.json"] {
        let (from, to) = (from.join(file), folder.join(file));
        fs::copy(&from, &to).map_err(|error| Failure::file("copy", &from, &error))?;
    }
    let step = progress::Step::begin("tools of the matrix");
    let mut npm = process::npm();
    npm.current_dir(&folder).args(["ci", "--no-audit", "--no-fund", "--loglevel", "error"]);
    if let Err(failure) = process::expect(&mut npm, INSTALL, "the homes that need them are not run") {
        // Half of them are worse than none: what is missing is told in its row.
        let _ = fs::remove_dir_all(folder.join("node_modules"));
        let _ = fs::remove_file(&present);
        step.end("not available");
        failure.report();
        return Ok(folder);
    }
    step.end("installed");
    Ok(folder)
}
