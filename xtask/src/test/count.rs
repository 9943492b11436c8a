//! How many tests ran, read from what the test runners print at their end.

use std::{fmt, ops::AddAssign};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl Tally {
    /// The sum of cargo's lines `test result: ok. 12 passed; 0 failed; 1 ignored; …`, one per test program.
    pub fn of_cargo(output: &str) -> Self {
        let mut sum = Self::default();
        for line in output.lines().filter_map(|line| line.trim().strip_prefix("test result: ")) {
            // The first part also has the verdict before its number: the number is the last word but one.
            for part in line.split(';') {
                let mut words = part.split_whitespace().rev();
                let (label, number) = (words.next(), words.next());
                let number = number.and_then(|number| number.parse().ok()).unwrap_or(0);
                match label {
                    Some("passed") => sum.passed += number,
                    Some("failed") => sum.failed += number,
                    Some("ignored") => sum.skipped += number,
                    _ => {}
                }
            }
        }
        sum
    }

    /// The summary of node's runner: `ℹ pass 3` or `# pass 3`, depending on its reporter. The last
    /// one counts: a test may itself have started a runner.
    pub fn of_node(output: &str) -> Self {
        let last = |label: &str| -> u64 {
            output
                .lines()
                .rev()
                .filter_map(|line| line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# ")))
                .find_map(|line| line.strip_prefix(label)?.trim().parse().ok())
                .unwrap_or(0)
        };
        Self {
            passed: last("pass "),
            failed: last("fail ") + last("cancelled "),
            skipped: last("skipped ") + last("todo "),
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn cargo_prints_one_result_per_program() {
        let output = "
test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.02s
test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
";
        assert_eq!(Tally::of_cargo(output), Tally { passed: 14, failed: 1, skipped: 1 });
    }

    #[test]
    fn node_prints_one_summary_in_either_reporter() {
        let spec = "ℹ tests 7\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\nℹ skipped 2\nℹ todo 0\n";
        assert_eq!(Tally::of_node(spec), Tally { passed: 3, failed: 2, skipped: 2 });
        assert_eq!(Tally::of_node(&spec.replace('ℹ', "#")), Tally { passed: 3, failed: 2, skipped: 2 });
    }

    #[test]
    fn no_summary_is_no_test() {
        assert_eq!(Tally::of_node("it crashed"), Tally::default());
        assert_eq!(Tally::of_cargo("it did not compile"), Tally::default());
    }
}
