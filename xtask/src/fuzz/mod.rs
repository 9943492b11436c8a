//! `cargo xtask fuzz`: the targets of `tests/fuzzing` under libFuzzer, and the native reader against the wasm, each with
//! its share of the time.
//!
//! The instrumentation is in every stable compiler; what a machine may lack is a C++ compiler for libFuzzer itself.

mod differential;
mod hunt;
mod parts;

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

pub use hunt::Hunt;
pub use parts::missing;

use crate::{
    beside, build,
    failure::{Failure, Outcome},
    progress, setup,
};

const DIFFERENTIAL: &str = "differential";

pub fn run(arguments: &[String]) -> Outcome<ExitCode> {
    let (chosen, time) = parse(arguments)?;
    if let Some(reason) = missing() {
        return Err(reason);
    }
    let mut targets = parts::targets()?;
    targets.push(DIFFERENTIAL.to_owned());
    if let Some(unknown) = chosen.iter().find(|name| !targets.contains(name)) {
        return Err(Failure::new(format!("there is no target `{unknown}`: use {}", targets.join(", "))));
    }
    targets.retain(|name| chosen.is_empty() || chosen.contains(name));
    if targets.iter().any(|name| name == DIFFERENTIAL) {
        progress::say("package");
        setup::for_build()?;
        build::package()?;
    }
    progress::say("targets");
    parts::prepare()?;
    progress::say("search");
    let started = Instant::now();
    let hunts = hunt_all(&targets, time, true);
    print(&hunts, started.elapsed());
    let found = hunts.iter().any(|hunt| hunt.finding.is_some());
    Ok(if found { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// All targets for so long together, starting from nothing but their seeds.
pub fn smoke(time: Duration) -> Outcome<Vec<Hunt>> {
    parts::prepare()?;
    Ok(hunt_all(&parts::targets()?, time, false))
}

/// The shares of the time are equal. What is found on the way is kept as a start for the next time, if `keep` says so. A target
/// that cannot run is a finding, too.
fn hunt_all(targets: &[String], time: Duration, keep: bool) -> Vec<Hunt> {
    let share = time.mul_f64(beside::workers(targets.len()) as f64 / targets.len() as f64);
    beside::each(targets, |name| {
        let hunt = match name.as_str() {
            DIFFERENTIAL => differential::hunt(share),
            _ => hunt::hunt(name, share, keep),
        };
        hunt.unwrap_or_else(|failure| Hunt::failed(name, &failure))
    })
}

/// What was done and found, as a table with a total, and each finding with what to do about it.
pub fn print(hunts: &[Hunt], time: Duration) {
    let row = |[target, runs, coverage, findings]: [&str; 4]| {
        progress::say(&format!("{target:<14}{runs:>12}{coverage:>10}{findings:>10}"));
    };
    progress::say("");
    row(["target", "runs", "coverage", "findings"]);
    for hunt in hunts {
        let coverage = hunt.coverage.map_or_else(|| "-".to_owned(), |count| count.to_string());
        let findings = u8::from(hunt.finding.is_some()).to_string();
        row([&hunt.target, &hunt.runs.to_string(), &coverage, &findings]);
    }
    for hunt in hunts {
        if let Some(finding) = &hunt.finding {
            progress::say(&format!("\n{}: {finding}", hunt.target));
        }
    }
    let runs: u64 = hunts.iter().map(|hunt| hunt.runs).sum();
    let found = hunts.iter().filter(|hunt| hunt.finding.is_some()).count();
    progress::say(&format!("\n{runs} runs in {}, {found} findings", progress::seconds(time)));
}

fn parse(arguments: &[String]) -> Outcome<(Vec<String>, Duration)> {
    let wrong = || Failure::new("`--minutes` is followed by a number above 0, for example `--minutes 10`");
    let (mut chosen, mut minutes) = (Vec::new(), 10.0);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--minutes" {
            minutes = arguments.next().and_then(|number| number.parse().ok()).ok_or_else(wrong)?;
        } else if argument.starts_with('-') {
            return Err(Failure::new(format!("there is no option `{argument}`: use --minutes")));
        } else {
            chosen.push(argument.clone());
        }
    }
    let is_possible = minutes > 0.0 && minutes < 1e5;
    if is_possible { Ok((chosen, Duration::from_secs_f64(60.0 * minutes))) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_targets_and_minutes() {
        let parse = |line: &str| {
            let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            super::parse(&arguments)
        };
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(parse("").unwrap(), (vec![], Duration::from_secs(600)));
        assert_eq!(parse("a --minutes 0.5 b").unwrap(), (names(&["a", "b"]), Duration::from_secs(30)));
        for line in ["--minutes", "--minutes x", "--minutes -1", "--minutes nan", "--hours 2"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
