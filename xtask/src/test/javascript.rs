//! The suites that run on the built package.

use std::{env, fs, path::PathBuf, process::Command};

use super::{Session, Tally, cargo};
use crate::{
    build::{self, Quality},
    checkout, docs,
    failure::{Failure, Outcome},
    fingerprint::files_below,
    node, process, progress,
    setup::{self, chromium},
};

/// The time limit of a test that hangs; tests have no limit of their own. A file counts as a test,
/// too.
const MILLISECONDS_PER_TEST: &str = "900000";

/// Files of tests/js/node that take longer than the others together.
const SLOW: [&str; 5] = [
    "memory.test.mjs",
    "mutations.test.mjs",
    "programs.test.mjs",
    "protocol_corpus.test.mjs",
    "reader_corpus.test.mjs",
];

/// Tests that need a browser skip themselves if this variable is set: to the reason.
const NO_BROWSER: &str = "AGENTWIRE_NO_BROWSER";

/// The native programs of suites, with their variables and the packages that they are compiled
/// with. Without the variable, a test starts cargo.
const NATIVE: [(&str, &str, &str, &cargo::Packages); 2] = [
    ("hostile", "ANSWERS", "answers", &cargo::CORE),
    ("stores", "RUNS_PROGRAM", "examples/runs_acceptance", &cargo::ADAPTERS),
];

/// The numbers of random inputs per test: of builder programs, of streams, and of mutated
/// recordings.
type Inputs = [(&'static str, &'static str); 3];

/// Those of a quick run. A default run has the numbers in the tests, 200, 100 and 1,000.
const FEW: Inputs = [("PROGRAMS", "50"), ("STREAMS", "50"), ("MUTATIONS", "200")];

/// Those of the suite `random`.
const MANY: Inputs = [("PROGRAMS", "1000"), ("STREAMS", "500"), ("MUTATIONS", "10000")];

/// The format of all sources, and the lints of TypeScript and JavaScript.
pub fn formatting(session: &mut Session) -> Outcome<()> {
    setup::for_build()?;
    session.check("cargo fmt --check", || {
        cargo::expect(&["fmt", "--all", "--check"], "run `cargo fmt --all`")
    });
    session.check("biome ci", || {
        let mut biome = node::tool("@biomejs/biome/bin/biome");
        process::expect(biome.args(["ci", "--colors=off"]), "run `npx biome check --write`")
            .map(drop)
    });
    Ok(())
}

/// Runs the test files below a folder of `tests/js`.
pub fn folder(session: &mut Session, name: &str) -> Outcome<()> {
    if !is_ready(session, name)? {
        return Ok(());
    }
    let mut command = node::node();
    if name == "corpus" {
        command.envs([find_browser()?]);
    }
    for (_, variable, program, packages) in NATIVE.iter().filter(|(suite, ..)| *suite == name) {
        command.envs(packages.compiled(program).map(|program| (variable, program)));
    }
    let mut files = test_files(name)?;
    if session.quick {
        files.retain(|file| !SLOW.iter().any(|name| file.ends_with(name)));
        command.envs(FEW);
        session.note_skipped(&format!("{} of node", SLOW.join(", ")));
    }
    run_files(session, name, files, command)
}

/// The packed tarball in projects of users. It is packed and installed once for all files.
pub fn packaging(session: &mut Session) -> Outcome<()> {
    session.require_build(Quality::Test)?;
    packed(session)
}

/// Tests the tarball of the package that was built last.
fn packed(session: &mut Session) -> Outcome<()> {
    // Outside of the checkout, whose packages would be found there.
    let folder = env::temp_dir().join(format!("agentwire-packed-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(Failure::file("create", &folder))?;
    let mut pack = node::node();
    pack.arg("tests/js/packaging/pack.mjs").arg(&folder);
    let outcome = process::expect(&mut pack, "see its output above").and_then(|printed| {
        let mut command = node::node();
        command.env("AGENTWIRE_PACKED", printed.trim()).envs([find_browser()?]);
        run_files(session, "packaging", test_files("packaging")?, command)
    });
    let _ = fs::remove_dir_all(&folder);
    outcome
}

/// The tests of a project in Chromium, which Playwright's runner starts.
pub fn browser(session: &mut Session, project: &str) -> Outcome<()> {
    in_chromium(session, project, &[])
}

fn in_chromium(session: &mut Session, project: &str, variables: &[(&str, &str)]) -> Outcome<()> {
    session.require_build(Quality::Test)?;
    let browser = find_browser()?;
    if browser.0 == NO_BROWSER {
        session.tally.skipped += 1;
        return Ok(());
    }
    let step = progress::Step::begin(format!("tests/js/browser, {project}"));
    let mut command = node::tool("@playwright/test/cli.js");
    let run = process::run(
        command
            .args([
                "test",
                "--config",
                "tests/js/browser/playwright.config.mjs",
                "--project",
                project,
            ])
            .envs(variables.iter().copied())
            .envs([browser]),
    )?;
    session.conclude(step, &run, Tally::of_playwright(&run.output));
    Ok(())
}

/// Every test of the README's chat in each protocol.
pub fn chats(session: &mut Session) -> Outcome<()> {
    in_chromium(session, "chats", &[("EVERY_CASE", "1")])
}

/// The layers of `pkg/src`, and the programs of tests/js/types, which have to compile as a user's
/// would.
pub fn types(session: &mut Session) -> Outcome<()> {
    setup::for_build()?;
    // The build prints a part of the sources.
    if is_ready(session, "types")? {
        session.check("layers of the package", || {
            process::expect(process::npm().args(["run", "--silent", "layers"]), "move the import")
                .map(drop)
        });
        for (name, folder) in
            [("type tests", "types"), ("type tests with the AI SDK", "types/ai_sdk")]
        {
            session.check(name, || {
                let config = checkout::root().join("tests/js").join(folder).join("tsconfig.json");
                let mut command = node::typescript(&config);
                // Only what has changed since the last run is checked again.
                let known =
                    checkout::state()?.join(folder.replace('/', "_")).with_extension("tsbuildinfo");
                command.arg("--incremental").arg("--tsBuildInfoFile").arg(known);
                process::expect(&mut command, "see the type errors above").map(drop)
            });
        }
    }
    Ok(())
}

/// Tests a package with an additional protocol.
pub fn toy(session: &mut Session) -> Outcome<()> {
    setup::for_build()?;
    let mut command = node::node();
    command.env("TOY_PACKAGE", build::toy::package()?).envs([find_browser()?]);
    run_files(session, "toy_protocol", test_files("toy_protocol")?, command)
}

/// Tests the example of a worker in Rust.
pub fn rust_worker(session: &mut Session) -> Outcome<()> {
    setup::for_build()?;
    let mut command = node::node();
    command.env("RUST_WORKER", build::rust_worker::build()?).envs([find_browser()?]);
    run_files(session, "rust_worker", test_files("rust_worker")?, command)
}

/// The tests of the package in Node that have random inputs, with many of them.
pub fn random(session: &mut Session) -> Outcome<()> {
    session.require_build(Quality::Test)?;
    let mut files = test_files("node")?;
    let names = MANY.map(|(name, _)| format!("process.env.{name}"));
    files.retain(|file| {
        fs::read_to_string(file).is_ok_and(|text| names.iter().any(|name| text.contains(name)))
    });
    let mut command = node::node();
    command.envs(MANY);
    run_files(session, "node", files, command)
}

/// Compares the results of the package and of the native crate on mutated streams.
pub fn differential(session: &mut Session) -> Outcome<()> {
    session.require_build(Quality::Test)?;
    session.check("30,000 mutated streams in the package and natively", || {
        let mut command = node::node();
        command.args(["tests/js/hostile/differential.mjs", "--mutated", "30000", "1"]);
        process::expect(&mut command, "see the first difference above").map(drop)
    });
    Ok(())
}

/// The official clients that are not among the packages of every run, installed when they are
/// needed.
pub fn clients(session: &mut Session) -> Outcome<()> {
    session.require_build(Quality::Test)?;
    let folder = checkout::root().join("tests/js/official_clients/more");
    let mut npm = process::npm();
    npm.current_dir(&folder).args([
        "install",
        "--ignore-scripts",
        "--no-package-lock",
        "--no-audit",
        "--no-fund",
    ]);
    process::expect(
        &mut npm,
        "the clients of tests/js/official_clients/more have to be installable",
    )?;
    let mut command = node::node();
    command.env("PYTHON", python("official_clients/more")?);
    run_files(session, "official_clients/more", test_files("official_clients/more")?, command)
}

/// The requests of all conversions against the types of the official Python clients.
pub fn requests(session: &mut Session) -> Outcome<()> {
    session.require_build(Quality::Test)?;
    let mut command = node::node();
    command.env("PYTHON", python("official_clients/requests")?);
    run_files(
        session,
        "official_clients/requests",
        test_files("official_clients/requests")?,
        command,
    )
}

/// Installs the packages of the `requirements.txt` in a folder of `tests`, in an environment of
/// their own. Returns the interpreter.
fn python(folder: &str) -> Outcome<PathBuf> {
    let environment = checkout::root().join("target/python").join(folder);
    let interpreter = environment.join("bin/python");
    let mut create = Command::new("python3");
    create.args(["-m", "venv"]).arg(environment);
    let mut pip = Command::new(&interpreter);
    let requirements = checkout::root().join("tests/js").join(folder).join("requirements.txt");
    pip.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements);
    for command in [&mut create, &mut pip] {
        process::expect(
            command,
            &format!("the Python packages of tests/js/{folder} have to be installable"),
        )?;
    }
    Ok(interpreter)
}

/// The official clients that ask a model through the gateway.
pub fn gateway(session: &mut Session) -> Outcome<()> {
    setup::for_build()?;
    let mut command = node::node();
    command
        .env("GATEWAY", cargo::program("agentwire")?)
        .env("SOCKETS_AGENT", cargo::program("examples/sockets_agent")?);
    run_files(session, "gateway", test_files("gateway")?, command)
}

/// Coding agents that work through the gateway in front of fake models. They are a gigabyte, and
/// installed when they are needed.
pub fn agents(session: &mut Session) -> Outcome<()> {
    setup::for_build()?;
    setup::agents()?;
    let mut command = node::node();
    command.env("GATEWAY", cargo::program("agentwire")?).env("PYTHON", python("agents")?);
    // In an environment of its own, as it requires versions of the packages that others share.
    command.env("AIDER", python("agents/aider")?.with_file_name("aider"));
    run_files(session, "agents", test_files("agents")?, command)
}

/// Servers of the package, the gateway and the servers of official libraries, asked by `agentwire
/// probe`; and the tests of Open Responses.
pub fn conformance(session: &mut Session) -> Outcome<()> {
    session.require_build(Quality::Test)?;
    let mut command = node::node();
    command.env("GATEWAY", cargo::program("agentwire")?).env("PYTHON", python("conformance")?);
    run_files(session, "conformance", test_files("conformance")?, command)
}

/// Conversations of every client with every fake model, through servers in both languages. The
/// suite `node` has the fast part.
pub fn conversations(session: &mut Session) -> Outcome<()> {
    session.require_build(Quality::Test)?;
    let mut command = node::node();
    command
        .env("GATEWAY", cargo::program("agentwire")?)
        .env("CONVERSATIONS_AGENT", cargo::program("examples/conversations_agent")?);
    run_files(session, "conversations", test_files("conversations")?, command)
}

/// The packed package in every runtime, bundler and framework whose tools can be installed.
pub fn platforms(session: &mut Session) -> Outcome<()> {
    session.require_build(Quality::Test)?;
    let step = progress::Step::begin("platforms of the package");
    let mut command = node::node();
    let run = process::run(command.arg("tests/js/platforms/run.mjs").envs([find_browser()?]))?;
    let rows: Vec<&str> = run.output.lines().filter(|line| line.starts_with("| ")).collect();
    let count = |result: &str| {
        rows.iter().filter(|row| row.contains(&format!(" | {result}"))).count() as u64
    };
    let tally = Tally { passed: count("works"), failed: count("FAILS"), skipped: count("not run") };
    session.conclude(step, &run, tally);
    Ok(())
}

/// The package as it is published, which has more modules than that of the tests: the packed
/// tarball, every case of the corpus in the module of its protocol, and the sizes of the files
/// against the limits of `.size-limit.mjs`.
pub fn release(session: &mut Session) -> Outcome<()> {
    session.require_build(Quality::Release)?;
    packed(session)?;
    let mut command = node::node();
    command.env("EVERY_CASE", "1");
    let files = test_files("node/read")?
        .into_iter()
        .filter(|file| file.ends_with("protocol_corpus.test.mjs"))
        .collect();
    run_files(session, "node/read", files, command)?;
    session.check("sizes of the release", || {
        let mut command = node::tool("size-limit/bin.js");
        let printed = process::expect(
            &mut command,
            "make it smaller, or raise the limit and state the reason",
        )?;
        progress::line(printed.trim_end());
        Ok(())
    });
    Ok(())
}

/// Builds the documentation site, which fails if a link is dead.
pub fn site(session: &mut Session) -> Outcome<()> {
    session.require_build(Quality::Test)?;
    session.check("documentation site", docs::site);
    let mut command = node::node();
    command.envs([find_browser()?]);
    run_files(session, "site", test_files("site")?, command)
}

/// Builds the package. A quick run uses the one that was built last, if it is up to date.
fn is_ready(session: &mut Session, suite: &str) -> Outcome<bool> {
    if !session.quick {
        session.require_build(Quality::Test)?;
        return Ok(true);
    }
    let is_current = build::is_current()?;
    if !is_current {
        session.note_skipped(&format!(
            "{suite}: the package is older than its sources, `cargo xtask build` updates it"
        ));
    }
    Ok(is_current)
}

/// Returns the environment variable that names the browser, or the reason for its absence.
fn find_browser() -> Outcome<(&'static str, PathBuf)> {
    match chromium::prepare().and_then(|()| chromium::find()) {
        Ok(path) => Ok(("CHROMIUM", path)),
        Err(reason) if setup::in_ci() => Err(reason),
        Err(reason) => Ok((NO_BROWSER, reason.sentence().into())),
    }
}

fn run_files(
    session: &mut Session,
    name: &str,
    files: Vec<PathBuf>,
    mut command: Command,
) -> Outcome<()> {
    let step = progress::Step::begin(format!("{} files of tests/js/{name}", files.len()));
    // One more than cores, because many tests wait for a server.
    let at_once = std::thread::available_parallelism().map_or(2, usize::from) + 1;
    command.args(["--test", "--test-reporter=spec", "--test-timeout", MILLISECONDS_PER_TEST]);
    // Named one by one: versions of node differ in what they find in a folder.
    command.arg(format!("--test-concurrency={at_once}")).args(files).env("NO_COLOR", "1");
    let run = process::run(&mut command)?;
    session.conclude(step, &run, Tally::of_node(&run.output));
    Ok(())
}

fn test_files(name: &str) -> Outcome<Vec<PathBuf>> {
    let mut files = files_below(&checkout::root().join("tests/js").join(name))?;
    files.retain(|file| {
        let name = file.to_string_lossy();
        !name.contains("node_modules")
            && (name.ends_with(".test.mjs") || name.ends_with(".test.js"))
    });
    Ok(files)
}
