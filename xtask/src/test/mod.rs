//! `cargo xtask test`: the suites, those of cargo and those of the package at the same time. A
//! failure does not stop the others.

mod cargo;
mod changes;
mod javascript;
mod tally;

use std::{
    collections::VecDeque,
    process::ExitCode,
    sync::{Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use tally::Tally;

use crate::{
    build::{self, Lints, Quality},
    failure::{Failure, Outcome},
    process::Run,
    progress, setup,
};

/// A named part of the tests.
struct Suite {
    name: &'static str,
    lane: Lane,
    runs: Runs,
    run: fn(&mut Session) -> Outcome<()>,
}

/// Suites of one lane run one after the other; the lanes run at the same time. When the suites of
/// cargo have ended, their lane takes over the last suites of the package.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Cargo,
    Package,
}
use Lane::{Cargo, Package};

/// The runs that include a suite, in addition to those that name it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// All runs. `--quick` leaves out the slow part of the suite.
    Quick,
    /// All runs but `--quick`.
    Every,
    /// Runs with `--all`, and all but `--quick` if a file below one of these paths differs from the
    /// main branch: see [`changes`].
    All(&'static [&'static str]),
}
use Runs::{All, Every, Quick};

#[rustfmt::skip]
const SUITES: &[Suite] = &[
    Suite { name: "rust", lane: Cargo, runs: Quick, run: cargo::tests },
    Suite { name: "fmt", lane: Package, runs: Quick, run: javascript::formatting },
    Suite { name: "build", lane: Package, runs: Every, run: |session| session.require_build(Quality::Test) },
    Suite { name: "types", lane: Package, runs: Quick, run: javascript::types },
    Suite { name: "node", lane: Package, runs: Quick, run: |session| javascript::folder(session, "node") },
    // The longest first: the other lane takes over the last ones.
    Suite { name: "browser", lane: Package, runs: Every, run: |session| javascript::browser(session, "package") },
    Suite { name: "workerd", lane: Package, runs: Every, run: |session| javascript::folder(session, "workerd") },
    Suite { name: "packaging", lane: Package, runs: Every, run: javascript::packaging },
    // Last, because it compares with a program that is compiled with the Rust tests.
    Suite { name: "hostile", lane: Package, runs: Every, run: |session| javascript::folder(session, "hostile") },

    Suite { name: "adapters", lane: Cargo, runs: All(&cargo::SOURCES_OF_ADAPTERS), run: cargo::adapters },
    Suite { name: "docs", lane: Cargo, runs: All(&[]), run: cargo::documentation },
    Suite { name: "api", lane: Cargo, runs: All(&["tests/rust/public_api"]), run: cargo::public_api },
    Suite { name: "features", lane: Cargo, runs: All(&[]), run: cargo::features },
    Suite { name: "targets", lane: Cargo, runs: All(&[]), run: cargo::targets },
    Suite { name: "properties", lane: Cargo, runs: All(&[]), run: cargo::properties },
    Suite { name: "fuzz", lane: Cargo, runs: All(&["fuzz"]), run: cargo::fuzz },
    Suite { name: "mutations", lane: Cargo, runs: All(&[]), run: cargo::mutations },
    Suite { name: "cost-curves", lane: Cargo, runs: All(&["tests/rust/cost_curves"]), run: cargo::cost_curves },
    Suite { name: "corpus", lane: Package, runs: All(&["tests/data/corpus", "tests/js/corpus"]), run: |session| javascript::folder(session, "corpus") },
    Suite { name: "chats", lane: Package, runs: All(&["tests/js/browser/chat_*"]), run: javascript::chats },
    Suite { name: "faults", lane: Package, runs: All(&["pkg/src/runs", "tests/js/faults", "www/worker/runs"]), run: |session| javascript::folder(session, "faults") },
    Suite { name: "random", lane: Package, runs: All(&[]), run: javascript::random },
    Suite { name: "differential", lane: Package, runs: All(&["tests/js/hostile/differential.mjs"]), run: javascript::differential },
    Suite { name: "clients", lane: Package, runs: All(&["tests/js/official_clients/more"]), run: javascript::clients },
    Suite { name: "gateway", lane: Package, runs: All(&["tests/js/gateway"]), run: javascript::gateway },
    Suite { name: "agents", lane: Package, runs: All(&["tests/js/agents"]), run: javascript::agents },
    Suite { name: "conformance", lane: Package, runs: All(&["src/cli/probe*", "tests/js/conformance"]), run: javascript::conformance },
    Suite { name: "conversations", lane: Package, runs: All(&["tests/js/conversations"]), run: javascript::conversations },
    Suite { name: "requests", lane: Package, runs: All(&["tests/js/official_clients/requests"]), run: javascript::requests },
    Suite { name: "playground", lane: Package, runs: All(&["tests/js/browser/playground*", "www"]), run: |session| javascript::browser(session, "playground") },
    Suite { name: "stores", lane: Package, runs: All(&["tests/js/stores"]), run: |session| javascript::folder(session, "stores") },
    Suite { name: "toy", lane: Package, runs: All(&["src/protocols/toy", "tests/js/toy_protocol"]), run: javascript::toy },
    Suite { name: "rust-worker", lane: Package, runs: All(&["examples/rust-worker", "tests/js/rust_worker"]), run: javascript::rust_worker },
    Suite { name: "site", lane: Package, runs: All(&["docs/.vitepress", "tests/js/site"]), run: javascript::site },
    Suite { name: "platforms", lane: Package, runs: All(&["tests/js/platforms"]), run: javascript::platforms },
    Suite { name: "release", lane: Package, runs: All(&[]), run: javascript::release },
];

/// The options of a run.
#[derive(Default)]
struct Options {
    quick: bool,
    all: bool,
    /// No suite of `--all` starts later than this after the start of the run.
    limit: Option<Duration>,
    /// The only suites to run, if there are any.
    names: Vec<String>,
    /// Suites to run in addition.
    with: Vec<String>,
}

/// The state of one lane.
struct Session {
    quick: bool,
    /// The counts of the suite that is running.
    tally: Tally,
    /// The quality of the package that was built in this run.
    built: Option<Quality>,
    /// The parts that a quick run leaves out.
    left_out: Vec<String>,
}

impl Session {
    fn note_skipped(&mut self, what: &str) {
        self.left_out.push(what.to_owned());
    }

    /// Counts the tests of one run of a test runner, and prints its output if it failed.
    fn conclude(&mut self, step: progress::Step, run: &Run, mut tally: Tally) {
        if !run.success {
            // A program that does not compile or start counts no test, and is a failure
            // nevertheless.
            tally.failed = tally.failed.max(1);
            progress::line(run.output.trim_end());
        }
        step.end(&tally.to_string());
        self.tally += tally;
    }

    /// Counts one check.
    fn check(&mut self, name: &str, work: impl FnOnce() -> Outcome<()>) {
        let step = progress::Step::begin(name);
        match work() {
            Ok(()) => {
                step.end("ok");
                self.tally.passed += 1;
            }
            Err(failure) => {
                failure.report();
                step.end("FAILED");
                self.tally.failed += 1;
            }
        }
    }

    /// Builds the package, once per run and quality.
    fn require_build(&mut self, quality: Quality) -> Outcome<()> {
        if self.built != Some(quality) {
            setup::for_build()?;
            build::package(quality, Lints::Deny)?;
            self.built = Some(quality);
            self.tally.passed += 1;
        }
        Ok(())
    }
}

/// The result of one suite.
struct Row {
    name: &'static str,
    time: Duration,
    tally: Tally,
}

pub fn run(arguments: &[String]) -> Outcome<ExitCode> {
    let options = parse(arguments)?;
    let started = Instant::now();
    let chosen =
        |lane| SUITES.iter().filter(|suite| suite.lane == lane && options.choose(suite)).collect();
    let (cargo, package) = (Mutex::new(chosen(Cargo)), Mutex::new(chosen(Package)));
    let (rows, mut left_out) = thread::scope(|scope| {
        let (options, cargo, package) = (&options, &cargo, &package);
        let (built, is_built) = mpsc::channel();
        let lanes = [
            scope.spawn(move || {
                let mut lane = LaneRun::new(options, started);
                while let Some(suite) = next(cargo, |suites| suites.pop_front()) {
                    lane.run(suite);
                }
                // Fails if the package was not built, or its suites have ended.
                lane.session.built = is_built.recv().ok();
                while lane.session.built.is_some()
                    && let Some(suite) = next(package, take_over)
                {
                    lane.run(suite);
                }
                lane.end()
            }),
            scope.spawn(move || {
                let mut lane = LaneRun::new(options, started);
                while let Some(suite) = next(package, |suites| suites.pop_front()) {
                    lane.run(suite);
                    if let Some(quality) = lane.session.built {
                        // The other lane may have ended.
                        let _ = built.send(quality);
                    }
                }
                lane.end()
            }),
        ];
        let lanes = lanes.map(|lane| lane.join().expect("a lane does not panic"));
        lanes.into_iter().fold((Vec::new(), Vec::new()), |(mut rows, mut left_out), lane| {
            rows.extend(lane.0);
            left_out.extend(lane.1);
            (rows, left_out)
        })
    });

    let row = |[name, time, passed, failed, skipped]: [&str; 5]| {
        progress::line(&format!("{name:<12}{time:>12}{passed:>9}{failed:>9}{skipped:>9}"));
    };
    progress::line("");
    row(["suite", "time", "passed", "failed", "skipped"]);
    let mut total = Tally::default();
    for Row { name, time, tally } in rows {
        let [passed, failed, skipped] =
            [tally.passed, tally.failed, tally.skipped].map(|count| count.to_string());
        row([name, &progress::seconds(time), &passed, &failed, &skipped]);
        total += tally;
    }
    if options.quick {
        left_out.extend(
            SUITES.iter().filter(|suite| suite.runs == Every).map(|suite| suite.name.to_owned()),
        );
    }
    if !left_out.is_empty() {
        progress::line(&format!("\nnot run: {}", left_out.join("; ")));
    }
    progress::line(&format!("\n{} in all\n{total}", progress::seconds(started.elapsed())));
    Ok(if total.failed == 0 && total.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

type Queue = VecDeque<&'static Suite>;

fn next(
    queue: &Mutex<Queue>,
    take: fn(&mut Queue) -> Option<&'static Suite>,
) -> Option<&'static Suite> {
    take(&mut queue.lock().expect("a suite does not panic"))
}

/// Takes the last suite that is of every run: some others build the package again.
fn take_over(suites: &mut Queue) -> Option<&'static Suite> {
    suites.remove(suites.iter().rposition(|suite| suite.runs == Every)?)
}

/// The suites that one lane has run.
struct LaneRun<'a> {
    options: &'a Options,
    started: Instant,
    session: Session,
    rows: Vec<Row>,
}

impl<'a> LaneRun<'a> {
    fn new(options: &'a Options, started: Instant) -> Self {
        let session = Session {
            quick: options.quick,
            tally: Tally::default(),
            built: None,
            left_out: Vec::new(),
        };
        LaneRun { options, started, session, rows: Vec::new() }
    }

    fn run(&mut self, suite: &Suite) {
        let is_late = self.options.limit.is_some_and(|limit| self.started.elapsed() > limit);
        if matches!(suite.runs, All(_)) && is_late {
            return self.session.note_skipped(&format!("{} (no time left)", suite.name));
        }
        let begun = Instant::now();
        self.session.tally = Tally::default();
        if let Err(failure) = (suite.run)(&mut self.session) {
            failure.report();
            self.session.tally.failed += 1;
        }
        self.rows.push(Row { name: suite.name, time: begun.elapsed(), tally: self.session.tally });
    }

    /// Returns the results and what was left out.
    fn end(self) -> (Vec<Row>, Vec<String>) {
        (self.rows, self.session.left_out)
    }
}

impl Options {
    fn choose(&self, suite: &Suite) -> bool {
        let is_named = |names: &[String]| names.iter().any(|name| name == suite.name);
        let is_default = || match suite.runs {
            Quick => true,
            Every => !self.quick,
            All(paths) => self.all || !self.quick && changes::touch(paths),
        };
        is_named(&self.with)
            || if self.names.is_empty() { is_default() } else { is_named(&self.names) }
    }
}

fn parse(arguments: &[String]) -> Outcome<Options> {
    let is_suite = |name: &str| SUITES.iter().any(|suite| suite.name == name);
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--all" => options.all = true,
            "--minutes" => {
                let minutes = rest.next().and_then(|minutes| minutes.parse::<u64>().ok());
                let missing = || Failure::new("`--minutes` needs a whole number after it");
                options.limit = Some(Duration::from_secs(60 * minutes.ok_or_else(missing)?));
            }
            "--with" => match rest.next() {
                Some(name) if is_suite(name) => options.with.push(name.to_owned()),
                _ => return Err(Failure::new("`--with` needs the name of a suite after it")),
            },
            name if is_suite(name) => options.names.push(name.to_owned()),
            other => {
                let known: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
                let known = known.join(", ");
                return Err(Failure::new(format!(
                    "unknown option or suite `{other}`; the suites are {known}"
                )));
            }
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{All, SUITES};
    use crate::checkout;

    fn text(path: &str) -> String {
        fs::read_to_string(checkout::root().join(path)).expect("the file is readable")
    }

    #[test]
    fn the_workflow_has_a_job_for_each_suite_that_is_not_of_every_run() {
        let workflow = text(".github/workflows/ci.yml");
        let jobs: Vec<&str> = workflow
            .lines()
            .filter_map(|line| line.split_once("suites: ")?.1.split(['}', ',']).next())
            .flat_map(str::split_whitespace)
            .collect();
        for suite in SUITES.iter().filter(|suite| matches!(suite.runs, All(_))) {
            assert!(jobs.contains(&suite.name), "no job of the workflow runs {}", suite.name);
        }
    }

    #[test]
    fn the_table_of_suites_has_each_suite_and_its_files() {
        let page = text("tests/README.md");
        for suite in SUITES {
            let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", suite.name)));
            let row =
                row.unwrap_or_else(|| panic!("tests/README.md has no row for {}", suite.name));
            if let All(paths) = suite.runs
                && suite.name != "adapters"
            {
                for path in paths {
                    assert!(row.contains(&format!("`{path}`")), "{}: {path}", suite.name);
                }
            }
        }
    }
}
