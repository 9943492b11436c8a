//! `cargo xtask test`: the suites from fast to slow. A failure does not stop the later ones.

mod contracts;
mod count;
mod fuzz;
mod javascript;
mod layers;
mod quick;
mod rust;
mod scale;
mod targets;

use std::{process::ExitCode, time::Instant};

use Tier::{All, Every};
use count::Tally;

use crate::{
    build,
    failure::{Failure, Outcome},
    process, progress, setup, size,
};

/// One named part of the tests.
struct Suite {
    name: &'static str,
    /// A suite whose files do not exist (yet) is left out.
    exists: fn() -> bool,
    run: fn(&mut Session) -> Outcome<()>,
    /// What of it `--quick` runs.
    quick: Option<quick::Part>,
    /// The runs that include it.
    tier: Tier,
}

/// The runs that include a suite.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tier {
    /// Every run.
    Every,
    /// Runs with `--all`, and runs that name the suite.
    All,
}

const SUITES: &[Suite] = &[
    Suite { name: "fmt", exists: always, run: rust::formatting, quick: Some(rust::formatting), tier: Every },
    Suite { name: "layers", exists: always, run: layers::run, quick: Some(layers::run), tier: Every },
    Suite { name: "clippy", exists: always, run: rust::lints, quick: Some(quick::lints), tier: Every },
    Suite { name: "rust", exists: always, run: rust::tests, quick: Some(quick::rust), tier: Every },
    Suite { name: "targets", exists: always, run: targets::run, quick: None, tier: Every },
    Suite { name: "docs", exists: always, run: rust::documentation, quick: None, tier: Every },
    Suite { name: "build", exists: always, run: build_suite, quick: None, tier: Every },
    Suite { name: "types", exists: always, run: contracts::run, quick: Some(quick::types), tier: Every },
    Suite {
        name: "node",
        exists: || javascript::exists("node"),
        run: |session| javascript::run(session, "node"),
        quick: Some(quick::node),
        tier: Every,
    },
    Suite {
        name: "toy",
        exists: || javascript::exists("toy"),
        run: javascript::toy,
        quick: None,
        tier: Every,
    },
    Suite {
        name: "web",
        exists: || javascript::exists("web"),
        run: javascript::web,
        quick: None,
        tier: Every,
    },
    Suite {
        name: "hostile",
        exists: || javascript::exists("hostile"),
        run: |session| javascript::run(session, "hostile"),
        quick: None,
        tier: Every,
    },
    Suite {
        name: "workerd",
        exists: || javascript::exists("workerd"),
        run: |session| javascript::run(session, "workerd"),
        quick: None,
        tier: Every,
    },
    Suite {
        name: "browser",
        exists: || javascript::exists("browser"),
        run: javascript::browser,
        quick: None,
        tier: Every,
    },
    Suite {
        name: "packaging",
        exists: || javascript::exists("packaging"),
        run: javascript::packaging,
        quick: None,
        tier: Every,
    },
    Suite { name: "clients", exists: always, run: javascript::clients, quick: None, tier: All },
    Suite { name: "matrix", exists: always, run: javascript::matrix, quick: None, tier: All },
    Suite { name: "scale", exists: always, run: scale::run, quick: None, tier: All },
    Suite { name: "fuzz", exists: always, run: fuzz::smoke, quick: None, tier: Every },
    Suite { name: "mutations", exists: always, run: fuzz::mutations, quick: None, tier: All },
];

/// What the suites of one run share.
#[derive(Default)]
struct Session {
    /// The counts of the suite that is running.
    tally: Tally,
    /// Whether the package was built, once somebody has tried.
    built: Option<bool>,
    /// What `--quick` has not run of the suites that it ran.
    left_out: Vec<String>,
}

impl Session {
    /// Notes what a quick run does not look at, for its last lines.
    fn note_left_out(&mut self, what: &str) {
        self.left_out.push(what.to_owned());
    }

    /// Counts what one run of a test runner came to, and shows its output if it failed.
    fn conclude(&mut self, step: progress::Step, run: &process::Run, mut tally: Tally) {
        if !run.success {
            // What does not compile or start counts no test, and is a failure nevertheless.
            tally.failed = tally.failed.max(1);
        }
        step.end(&tally.to_string());
        self.tally += tally;
        if !run.success {
            progress::say(run.output.trim_end());
        }
    }
}

pub fn run(arguments: &[String]) -> Outcome<ExitCode> {
    let (options, names): (Vec<_>, Vec<_>) =
        arguments.iter().cloned().partition(|word| word.starts_with('-'));
    let (quick, all) = match options.as_slice() {
        [] => (false, false),
        [option] if option == "--quick" => (true, false),
        [option] if option == "--all" => (false, true),
        _ => return Err(Failure::new(format!("`{}` is neither `--quick` nor `--all`", options.join(" ")))),
    };
    let mut session = Session::default();
    let mut chosen = choose(&names, all)?;
    if quick {
        chosen.retain(|suite| {
            if suite.quick.is_none() {
                session.note_left_out(suite.name);
            }
            suite.quick.is_some()
        });
    }
    let mut rows = Vec::new();
    for suite in chosen {
        progress::say(suite.name);
        let started = Instant::now();
        session.tally = Tally::default();
        let run = suite.quick.filter(|_| quick).unwrap_or(suite.run);
        if let Err(failure) = run(&mut session) {
            failure.report();
            session.tally.failed += 1;
        }
        rows.push((suite.name, started.elapsed(), session.tally));
    }

    let row = |name: &str, columns: [&str; 4]| {
        let [time, passed, failed, skipped] = columns;
        progress::say(&format!("{name:<12}{time:>9}{passed:>9}{failed:>9}{skipped:>9}"));
    };
    progress::say("");
    row("suite", ["time", "passed", "failed", "skipped"]);
    let mut total = Tally::default();
    for (name, time, tally) in rows {
        let counts = [tally.passed, tally.failed, tally.skipped].map(|count| count.to_string());
        row(name, [&progress::seconds(time), &counts[0], &counts[1], &counts[2]]);
        total += tally;
    }
    if !session.left_out.is_empty() {
        progress::say(&format!("\nleft out: {}", session.left_out.join("; ")));
    }
    progress::say(&format!("\n{total}"));
    Ok(if total.failed == 0 && total.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The suites of these names, or without names those of the run's tier.
fn choose(names: &[String], all: bool) -> Outcome<Vec<&'static Suite>> {
    if let Some(unknown) = names.iter().find(|name| SUITES.iter().all(|suite| suite.name != **name)) {
        let known: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
        return Err(Failure::new(format!("there is no suite `{unknown}`: use {}", known.join(", "))));
    }
    let wanted = |suite: &&Suite| {
        let is_wanted = match names {
            [] => all || suite.tier == Every,
            names => names.iter().any(|name| name == suite.name),
        };
        is_wanted && (suite.exists)()
    };
    Ok(SUITES.iter().filter(wanted).collect())
}

impl Session {
    /// Counts one check.
    fn check(&mut self, name: &str, work: impl FnOnce() -> Outcome<()>) {
        self.tally += check(name, work);
    }

    /// Builds the package, once per run.
    fn require_build(&mut self) -> Outcome<()> {
        if self.built.is_none() {
            self.built = Some(false);
            setup::for_build()?;
            build::package()?;
            self.built = Some(true);
        }
        if self.built == Some(true) {
            return Ok(());
        }
        Err(Failure::new(
            "not run, because the package could not be built: see the failure of the build above",
        ))
    }
}

/// One check that either holds or not; its failure is told at once and the suite goes on.
fn check(name: &str, work: impl FnOnce() -> Outcome<()>) -> Tally {
    let step = progress::Step::begin(name);
    match work() {
        Ok(()) => {
            step.end("ok");
            Tally { passed: 1, ..Tally::default() }
        }
        Err(failure) => {
            step.end("FAILED");
            failure.report();
            Tally { failed: 1, ..Tally::default() }
        }
    }
}

fn build_suite(session: &mut Session) -> Outcome<()> {
    session.require_build()?;
    session.tally.passed += 1;
    size::print()
}

fn always() -> bool {
    true
}
