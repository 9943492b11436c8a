//! One target under libFuzzer.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::parts;
use crate::{
    checkout,
    failure::{Failure, Outcome},
    process,
};

/// Longer inputs say little that these do not, and cost speed. What grows too fast does so within this length.
const LONGEST: usize = 8192;

/// What a run of a target came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Hunt {
    pub target: String,
    /// How many inputs were tried.
    pub runs: u64,
    /// How many edges of the program they reached, where that is counted.
    pub coverage: Option<u64>,
    /// What was found and what to do about it. A target stops at its first finding.
    pub finding: Option<String>,
}

impl Hunt {
    /// The target could not run.
    pub fn failed(target: &str, failure: &Failure) -> Self {
        failure.report();
        Hunt { target: target.to_owned(), finding: Some(failure.sentence().to_owned()), ..Hunt::default() }
    }
}

/// Searches for so long: where the last search ended, if what it found is kept, or the same way each time.
pub fn hunt(target: &str, time: Duration, keep: bool) -> Outcome<Hunt> {
    let program = parts::program(target)?;
    let artifacts = parts::folder_of("artifacts", target)?;
    let mut command = fuzzer(&program, &artifacts, time);
    command.arg(format!("-seed_inputs=@{}", parts::seeds(target)?.display()));
    command.arg(format!("-dict={}", parts::folder("seeds").join("words").display()));
    command.args([&format!("-max_len={LONGEST}"), "-print_final_stats=1"]);
    if keep {
        command.arg(parts::folder_of("corpus", target)?);
    } else {
        // The same inputs, as many and in the same order: a test that fails should fail again. What comparisons tell is left out,
        // because some of them compare addresses, which differ each time.
        command.args(["-seed=1", "-runs=25000", "-use_cmp=0"]);
    }
    let run = process::run(&mut command, time + process::LIMIT)?;
    let (mut hunt, artifact) = read(target, &run.output);
    match artifact {
        Some(artifact) => hunt.finding = Some(explain(target, &program, &artifact, &run.output)?),
        None if run.success => {}
        None => {
            return Err(Failure::new(format!("the target `{target}` could not run")).with_output(run.output));
        }
    }
    Ok(hunt)
}

/// The command for a while of work, with what bounds a single input: memory, and seconds.
fn fuzzer(program: &Path, artifacts: &Path, time: Duration) -> Command {
    let mut command = Command::new(program);
    command.current_dir(checkout::root()).arg(format!("-max_total_time={}", time.as_secs().max(1)));
    command.args(["-timeout=20", "-rss_limit_mb=2048"]);
    command.arg(format!("-artifact_prefix={}/", artifacts.display()));
    command
}

/// The counts in libFuzzer's output, and the input that it has kept.
fn read(target: &str, output: &str) -> (Hunt, Option<PathBuf>) {
    let number = |text: &str| text.split_whitespace().next().and_then(|word| word.parse().ok());
    let mut hunt = Hunt { target: target.to_owned(), ..Hunt::default() };
    let mut artifact = None;
    for line in output.lines() {
        if let Some(count) = line.strip_prefix("stat::number_of_executed_units:") {
            hunt.runs = number(count).unwrap_or(0);
        } else if let Some((_, path)) = line.split_once("Test unit written to ") {
            artifact = Some(PathBuf::from(path.trim()));
        } else if let Some((_, count)) = line.split_once(" cov: ").filter(|_| line.starts_with('#')) {
            hunt.coverage = number(count).or(hunt.coverage);
        }
    }
    (hunt, artifact)
}

/// What a finding says, for people; the input is made smaller if that takes no longer than half a minute.
fn explain(target: &str, program: &Path, artifact: &Path, output: &str) -> Outcome<String> {
    let smaller = artifact.with_extension("smaller");
    let mut minimise = fuzzer(program, &parts::folder_of("artifacts", target)?, Duration::from_secs(30));
    minimise
        .args(["-minimize_crash=1", "-runs=100000"])
        .arg(format!("-exact_artifact_path={}", smaller.display()));
    // That it ends with a failure says nothing: it fails as long as the input does.
    let _ = process::run(minimise.arg(artifact), Duration::from_secs(90));
    let fails = |input: &Path| {
        input.exists()
            && process::run(Command::new(program).arg(input), process::LIMIT).is_ok_and(|run| !run.success)
    };
    let input = if fails(&smaller) { smaller } else { artifact.to_owned() };
    let size = fs::metadata(&input).map_or(0, |file| file.len());
    let said: Vec<&str> = output.lines().skip_while(|line| !says_what(line)).take(3).collect();
    Ok(format!(
        "{}\n  input:     {} ({size} bytes)\n  reproduce: {} {}\n  then mend it, and move the input to \
         tests/fuzzing/findings/{target}/, where the tests run it again",
        said.join("\n  ").chars().take(1500).collect::<String>(),
        shown(&input),
        shown(program),
        shown(&input),
    ))
}

/// A path as it is typed in this checkout.
fn shown(path: &Path) -> String {
    path.strip_prefix(checkout::root()).unwrap_or(path).display().to_string()
}

fn says_what(line: &str) -> bool {
    line.contains("panicked at") || line.contains("ERROR: libFuzzer")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fuzzers_output_is_counted() {
        let output = "\
INFO: seed corpus: files: 3
#3183\tREDUCE cov: 690 ft: 2745 corp: 362/470Kb lim: 8192 exec/s: 3183 rss: 32Mb
#28945\tDONE   cov: 739 ft: 3489 corp: 659/1225Kb lim: 8192 exec/s: 1378 rss: 33Mb
stat::number_of_executed_units: 28945
";
        let expected = Hunt { target: "t".to_owned(), runs: 28945, coverage: Some(739), finding: None };
        assert_eq!(read("t", output), (expected, None));
    }

    #[test]
    fn an_input_that_was_kept_is_a_finding() {
        let output = "\
thread '<unnamed>' panicked at x.rs:1:2:
artifact_prefix='a/'; Test unit written to a/crash-1
stat::number_of_executed_units: 2
";
        let (hunt, artifact) = read("t", output);
        assert_eq!((hunt.runs, artifact), (2, Some(PathBuf::from("a/crash-1"))));
    }
}
