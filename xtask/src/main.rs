//! `cargo xtask`: set-up, build, demo and tests, from a bare checkout. It orders the steps; cargo,
//! node, npm and apt do the work.

mod build;
mod checkout;
mod demo;
mod docs;
mod failure;
mod fingerprint;
mod node;
mod process;
mod progress;
mod setup;
mod test;

use std::{env, process::ExitCode};

use build::{Lints, Quality};
use failure::{Failure, Outcome};

const HELP: &str = "\
cargo xtask <command>

  setup                       install what is missing: wasm target, npm packages, browser, test runner
  build [--release]           build the npm package into pkg/dist; `--release` as it is published (slower, smaller)
  demo [--check] [--port N]   build, then serve the playground and the worker on this machine
  test [suite …]              run the tests, or the named suites
       --quick                only the fast suites, on the package as it was built last
       --with <suite>         also this suite
       --all                  also the long suites: each feature, other targets, fuzzing, all platforms, more clients
       --minutes N            start none of the long suites after N minutes, and list those that were not started
  docs                        build the documentation site into target/site
  bench [--quick] [--home H]  print ratios against named opponents; `--write` updates benches/RESULTS.md

Environment:
  CI=true                     a tool that cannot be installed is a failure instead of a skip
  CHROMIUM=<path>             the browser to test with
  UPDATE_SNAPSHOTS=1          `test api types` accepts the present API as the reference
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    dispatch(&arguments).unwrap_or_else(|failure| {
        failure.report();
        ExitCode::FAILURE
    })
}

fn dispatch(arguments: &[String]) -> Outcome<ExitCode> {
    let (command, rest) =
        arguments.split_first().map_or(("help", arguments), |(first, rest)| (first.as_str(), rest));
    let asks_for_help = rest.iter().any(|argument| argument == "--help" || argument == "-h");
    match if asks_for_help { "help" } else { command } {
        "setup" => setup::everything()?,
        "build" => {
            let quality = match rest {
                [] => Quality::Test,
                [option] if option == "--release" => Quality::Release,
                _ => return Err(Failure::new("`build` takes no argument but `--release`")),
            };
            setup::for_build()?;
            build::package(quality, Lints::Off)?;
        }
        "demo" => return demo::run(rest),
        "docs" => docs::run()?,
        "test" => return test::run(rest),
        "bench" => {
            setup::everything()?;
            build::package(Quality::Release, Lints::Off)?;
            return process::replace_with(node::node().arg("benches/run.mjs").args(rest));
        }
        "help" | "--help" | "-h" => progress::line(HELP.trim_end()),
        other => {
            return Err(Failure::new(format!(
                "unknown command `{other}`: `cargo xtask help` lists the commands"
            )));
        }
    }
    Ok(ExitCode::SUCCESS)
}
