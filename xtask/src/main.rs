//! `cargo xtask`: everything that is done with this repository, from a bare checkout to the packed npm
//! package.
//!
//! It knows the order of the steps and what each needs, and leaves the work to cargo, node, npm and apt.

mod api;
mod bench;
mod beside;
mod bless;
mod build;
mod checkout;
mod clients;
mod code;
mod contract;
mod demo;
mod failure;
mod figures;
mod fingerprint;
mod fuzz;
mod layers;
mod matrix;
mod node;
mod page_sizes;
mod process;
mod progress;
mod setup;
mod size;
mod test;

use std::{env, process::ExitCode};

use failure::{Failure, Outcome};

const HELP: &str = "\
cargo xtask <command>

  setup                        install what is missing: wasm target, npm packages, a browser for the tests
  build                        build the npm package into pkg/dist
  demo [--check] [--port N]    build, then serve the playground and the worker on this machine
  test [--quick|--all] [suite …]  run the suites, or those named; `--quick` takes two minutes and lists what it left out,
                               `--all` adds the long ones: searches, cost curves, more official clients
  fuzz [target …] [--minutes N]  search for inputs that break a promise, 10 minutes unless told otherwise
  matrix [--quick] [home …]    try the packed package in every home: runtimes, bundlers, frameworks, browsers; a table
  size                         sizes of what the package ships, and what each protocol adds to them
  count                        lines of each protocol, and how many files name it or a content type
  bench [--quick] [--home H]   ratios against named opponents; `--write` keeps them in benches/RESULTS.md
  api                          the public Rust API, a line for each item
  bless                        accept the generated declarations and the list of the Rust API as the new reference
  help                         this text

Environment:
  CI=true                      a browser that cannot be had is a failure instead of a skip
  CHROMIUM=<path>              the browser to test with
  AGENTWIRE_WASM_ROUTE=<name>  where the wasm target is to come from: installed, rustup or apt
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(failure) => {
            failure.report();
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Outcome<ExitCode> {
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", arguments),
    };
    if !rest.is_empty() && !matches!(command, "bench" | "demo" | "fuzz" | "matrix" | "test") {
        return Err(Failure::new(format!(
            "`cargo xtask {command}` takes no arguments: leave out `{}`",
            rest.join(" ")
        )));
    }
    match command {
        "setup" => setup::everything()?,
        "build" => {
            setup::for_build()?;
            build::package()?;
            size::print()?;
        }
        "api" => progress::say(api::listing()?.trim_end()),
        "bench" => return bench::run(rest),
        "count" => figures::print()?,
        "demo" => return demo::run(rest),
        "fuzz" => return fuzz::run(rest),
        "matrix" => return matrix::run(rest),
        "test" => return test::run(rest),
        "size" => {
            setup::for_build()?;
            build::package()?;
            size::print()?;
        }
        "bless" => bless::run()?,
        "help" | "--help" | "-h" => progress::say(HELP.trim_end()),
        other => {
            return Err(Failure::new(format!(
                "there is no command `{other}`: `cargo xtask help` lists them"
            )));
        }
    }
    Ok(ExitCode::SUCCESS)
}
