//! More official clients, which are not among the packages of every run: those of `tests/official/more`, from npm into a folder
//! there, from PyPI into an environment below `target`.

use std::{path::PathBuf, process::Command, time::Duration};

use crate::{
    checkout,
    failure::Outcome,
    fingerprint::{Fingerprint, Stamp},
    process, progress,
};

const INSTALL: Duration = Duration::from_secs(10 * 60);

/// Where the tests of these clients are.
pub fn folder() -> PathBuf {
    checkout::root().join("tests/official/more")
}

/// Installs the packages for JavaScript unless they are there; false if they cannot be had.
pub fn install_npm() -> Outcome<bool> {
    let named = Fingerprint::default().file(&folder().join("package.json"))?;
    let modules = folder().join("node_modules");
    let mut command = process::npm();
    command.current_dir(folder());
    command.args([
        "install",
        "--ignore-scripts",
        "--no-package-lock",
        "--no-audit",
        "--no-fund",
        "--loglevel",
        "error",
    ]);
    install(
        "clients for JavaScript",
        &Stamp::at(modules.join(".xtask-stamp"), named),
        &modules,
        &mut [command],
    )
}

/// Installs the packages for Python unless they are there; the interpreter that has them, if they can be had.
pub fn install_python() -> Outcome<Option<PathBuf>> {
    let requirements = folder().join("requirements.txt");
    let named = Fingerprint::default().file(&requirements)?;
    let environment = checkout::root().join("target/official-python");
    let python = environment.join("bin/python");
    let Some(system) = process::on_path("python3") else {
        progress::note("left out: the clients for Python: there is no `python3`");
        return Ok(None);
    };
    let mut create = Command::new(system);
    create.args(["-m", "venv"]).arg(&environment);
    let mut fill = Command::new(&python);
    fill.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements);
    let stamp = Stamp::at(environment.join(".xtask-stamp"), named);
    Ok(install("clients for Python", &stamp, &python, &mut [create, fill])?.then_some(python))
}

fn install(what: &str, stamp: &Stamp, made: &PathBuf, commands: &mut [Command]) -> Outcome<bool> {
    if stamp.is_current(&[made.clone()]) {
        return Ok(true);
    }
    let step = progress::Step::begin(what);
    for command in commands {
        let run = process::run(command, INSTALL)?;
        if !run.success {
            step.end("not installed");
            progress::note(&format!("left out: {what}: {}", run.output.lines().last().unwrap_or_default()));
            return Ok(false);
        }
    }
    stamp.set()?;
    step.end("installed");
    Ok(true)
}
