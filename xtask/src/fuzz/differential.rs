//! The native reader against the wasm: no fuzzer can call both, so a script reads what the fuzzer has found for the target
//! `reading`, and mutations of it.

use std::time::Duration;

use super::hunt::Hunt;
use crate::{
    failure::{Failure, Outcome},
    node, process,
};

const SCRIPT: &str = "tests/fuzzing/differential.mjs";

pub fn hunt(time: Duration) -> Outcome<Hunt> {
    let mut script = node::node();
    script.arg(SCRIPT).arg(time.as_secs().max(1).to_string());
    script.args(["target/fuzz/seeds/reading", "target/fuzz/corpus/reading"]);
    let run = process::run(&mut script, time + process::LIMIT)?;
    let Some((runs, findings)) = run.success.then(|| counts(&run.output)).flatten() else {
        return Err(
            Failure::new("the native reader and the wasm could not be compared").with_output(run.output)
        );
    };
    let finding = (findings > 0).then(|| {
        let what: String =
            run.output.lines().take(3).collect::<Vec<_>>().join("\n  ").chars().take(3000).collect();
        format!(
            "{findings} inputs, the first of them\n  {what}\n  then mend it, and move the input to \
             tests/fuzzing/findings/reading/, where the tests run it again"
        )
    });
    Ok(Hunt { target: super::DIFFERENTIAL.to_owned(), runs, coverage: None, finding })
}

/// The last line: `4000 inputs, 0 findings`.
fn counts(output: &str) -> Option<(u64, u64)> {
    let (inputs, findings) = output.lines().last()?.split_once(" inputs, ")?;
    Some((inputs.parse().ok()?, findings.strip_suffix(" findings")?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_last_line_counts() {
        assert_eq!(super::counts("x: y\n400 inputs, 1 findings\n"), Some((400, 1)));
        assert_eq!(super::counts("it crashed"), None);
    }
}
