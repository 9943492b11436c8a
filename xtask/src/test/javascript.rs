//! The suites that node's test runner runs, one folder below `tests` each.

use std::path::PathBuf;

use super::{Session, count::Tally};
use crate::{
    build, checkout, clients,
    failure::{Failure, Outcome},
    fingerprint::files_below,
    matrix, node, process, progress,
    setup::{self, chromium},
};

/// Generous, because two cores may be busy with something else, and because a whole file is a test, too: that of the floods takes
/// four minutes. It is there for the test that never ends.
const MILLISECONDS_PER_TEST: &str = "900000";

/// So many files run at a time at least. Node takes one core less than there are, and files that start servers and browsers wait
/// most of their time.
const LEAST_FILES_AT_ONCE: usize = 2;

pub fn exists(name: &str) -> bool {
    test_files(name).is_ok_and(|files| !files.is_empty())
}

pub fn run(session: &mut Session, name: &str) -> Outcome<()> {
    session.require_build()?;
    run_files(session, name, &[], &[])
}

/// On the package as it is, without the files of these names, and so many programs in each test of random ones.
pub fn run_less(session: &mut Session, name: &str, left_out: &[&str], programs: u32) -> Outcome<()> {
    run_files(session, name, left_out, &[("PROGRAMS", programs.to_string())])
}

/// On a package of its own, which has one protocol more.
pub fn toy(session: &mut Session) -> Outcome<()> {
    setup::for_build()?;
    let package = build::toy::package()?.display().to_string();
    let browser = find_browser();
    let browser =
        browser.map_or_else(|_| ("AGENTWIRE_NO_BROWSER", "1".to_owned()), |path| ("CHROMIUM", path));
    run_files(session, "toy", &[], &[("TOY_PACKAGE", package), browser])
}

/// On the example of a worker in Rust.
pub fn web(session: &mut Session) -> Outcome<()> {
    setup::for_build()?;
    let program = build::rust_worker::build()?.display().to_string();
    let browser = find_browser();
    let browser =
        browser.map_or_else(|_| ("AGENTWIRE_NO_BROWSER", "1".to_owned()), |path| ("CHROMIUM", path));
    run_files(session, "web", &[], &[("RUST_WORKER", program), browser])
}

/// The packed package in every home whose tools can be had; says which it left out.
pub fn matrix(session: &mut Session) -> Outcome<()> {
    session.require_build()?;
    let step = progress::Step::begin("homes of the package");
    let run = matrix::suite()?;
    let rows = run.output.lines().filter_map(|line| line.strip_prefix("| "));
    let (mut tally, mut left_out) = (Tally::default(), Vec::new());
    for row in rows {
        let mut cells = row.split(" | ");
        match (cells.next(), cells.next()) {
            (Some(_), Some("works")) => tally.passed += 1,
            (Some(_), Some("FAILS")) => tally.failed += 1,
            (Some(home), Some(result)) if result.starts_with("not run") => left_out.push(home),
            _ => {}
        }
    }
    if !left_out.is_empty() {
        progress::note(&format!("left out: {}", left_out.join("; ")));
    }
    if run.output.contains("recipes not run") || !left_out.is_empty() {
        progress::note("left out: the recipes of servers for Deno, Bun and Next");
    }
    session.conclude(step, &run, tally);
    Ok(())
}

/// More official clients than every run has; names those that cannot be installed.
pub fn clients(session: &mut Session) -> Outcome<()> {
    session.require_build()?;
    if !clients::install_npm()? {
        session.tally.skipped += 1;
        return Ok(());
    }
    let python = clients::install_python()?.map(|path| ("PYTHON", path.display().to_string()));
    run_files(session, "official/more", &[], python.as_slice())
}

/// Needs a browser as a whole.
pub fn browser(session: &mut Session) -> Outcome<()> {
    session.require_build()?;
    match find_browser() {
        Ok(path) => run_files(session, "browser", &[], &[("CHROMIUM", path)]),
        Err(reason) if setup::in_ci() => Err(reason),
        Err(reason) => {
            progress::note(&format!("skipped: {reason}"));
            session.tally.skipped += 1;
            Ok(())
        }
    }
}

/// Needs a browser for some of its tests, which skip themselves when they are told that there is none.
pub fn packaging(session: &mut Session) -> Outcome<()> {
    session.require_build()?;
    let variable = match find_browser() {
        Ok(path) => ("CHROMIUM", path),
        Err(reason) if setup::in_ci() => return Err(reason),
        Err(reason) => {
            progress::note(&format!("without the tests in a browser: {reason}"));
            ("AGENTWIRE_NO_BROWSER", reason.sentence().to_owned())
        }
    };
    run_files(session, "packaging", &[], &[variable])
}

fn find_browser() -> Outcome<String> {
    chromium::prepare()?;
    let path = chromium::find()?.ok_or_else(|| Failure::new("no Chromium: run `cargo xtask setup`"))?;
    Ok(path.display().to_string())
}

fn run_files(
    session: &mut Session,
    name: &str,
    left_out: &[&str],
    variables: &[(&str, String)],
) -> Outcome<()> {
    let mut files = test_files(name)?;
    files.retain(|file| !left_out.iter().any(|name| file.ends_with(name)));
    let step = progress::Step::begin(format!("{} files of tests/{name}", files.len()));
    let mut command = node::node();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    command.args(["--test", "--test-reporter=spec", "--test-timeout", MILLISECONDS_PER_TEST]);
    command.arg(format!("--test-concurrency={}", cores.max(LEAST_FILES_AT_ONCE)));
    // Named one by one: what node makes of a folder's name differs between its versions.
    command.args(files);
    command.env("NO_COLOR", "1").envs(variables.iter().map(|(key, value)| (key, value)));
    let run = process::run(&mut command, process::LIMIT)?;
    session.conclude(step, &run, Tally::of_node(&run.output));
    Ok(())
}

fn test_files(name: &str) -> Outcome<Vec<PathBuf>> {
    let mut files = files_below(&checkout::root().join("tests").join(name))?;
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let is_of_package = file.components().any(|part| part.as_os_str() == "node_modules");
        !is_of_package && (name.ends_with(".test.mjs") || name.ends_with(".test.js"))
    });
    Ok(files)
}
