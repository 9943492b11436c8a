//! Counts of tests, read from the output of the test runners.

use std::{fmt, ops::AddAssign};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl Tally {
    /// Sums the lines `Summary [ 4.0s] 12 tests run: 11 passed (1 slow), 1 failed, 5 skipped` of
    /// nextest and `test result: ok. 12 passed; 0 failed; 1 ignored; …` of cargo.
    pub fn of_cargo(output: &str) -> Self {
        // The output of a failed test, which nextest indents, has results, too.
        let is_summary =
            |line: &&str| line.starts_with("test result: ") || line.trim().starts_with("Summary [");
        output.lines().filter(is_summary).fold(Self::default(), |mut sum, line| {
            sum += Self::of_words(line);
            sum
        })
    }

    /// The summary of Playwright: one line each for `3 passed (4.2s)`, `1 failed`, `2 skipped`.
    pub fn of_playwright(output: &str) -> Self {
        let is_count = |line: &&str| {
            line.starts_with("  ") && line.trim().starts_with(|first: char| first.is_ascii_digit())
        };
        Self::of_words(&output.lines().filter(is_count).collect::<Vec<_>>().join(", "))
    }

    /// The summary of node's runner: `ℹ pass 3` or `# pass 3`, depending on its reporter. The last
    /// one counts: a test may itself have started a runner.
    pub fn of_node(output: &str) -> Self {
        let lines = || {
            output
                .lines()
                .rev()
                .filter_map(|line| line.strip_prefix("ℹ ").or(line.strip_prefix("# ")))
        };
        let last = |label: &str| {
            lines().find_map(|line| line.strip_prefix(label)?.trim().parse::<u64>().ok())
        };
        let count = |label: &str| last(label).unwrap_or(0);
        Self {
            passed: count("pass "),
            failed: count("fail ") + count("cancelled "),
            skipped: count("skipped ") + count("todo "),
        }
    }

    /// Reads each number that is followed by `passed`, `failed`, `skipped` or one of their
    /// synonyms.
    fn of_words(text: &str) -> Self {
        let mut tally = Self::default();
        let words: Vec<&str> =
            text.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let Ok(count) = pair[0].parse::<u64>() else { continue };
            match pair[1] {
                "passed" => tally.passed += count,
                "failed" | "interrupted" => tally.failed += count,
                "skipped" | "ignored" => tally.skipped += count,
                _ => {}
            }
        }
        tally
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

    fn tally(passed: u64, failed: u64, skipped: u64) -> Tally {
        Tally { passed, failed, skipped }
    }

    #[test]
    fn summaries_of_cargo_and_nextest_are_added() {
        let output = "
test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.02s
     Summary [   4.085s] 1132 tests run: 1131 passed (1 slow), 1 failed, 5 skipped
";
        assert_eq!(Tally::of_cargo(output), tally(1143, 1, 6));
    }

    #[test]
    fn a_node_summary_is_parsed_from_both_reporters() {
        let spec =
            "ℹ tests 7\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\nℹ skipped 2\nℹ todo 0\n";
        assert_eq!(Tally::of_node(spec), tally(3, 2, 2));
        assert_eq!(Tally::of_node(&spec.replace('ℹ', "#")), tally(3, 2, 2));
    }

    #[test]
    fn a_playwright_summary_is_parsed() {
        let output = "Running 6 tests using 2 workers\n  1 failed\n    [chromium] › a.spec.mjs:3:1 › a\n  2 skipped\n  3 passed (4.2s)\n";
        assert_eq!(Tally::of_playwright(output), tally(3, 1, 2));
    }

    #[test]
    fn output_without_a_summary_counts_no_tests() {
        assert_eq!(Tally::of_node("it crashed"), Tally::default());
        assert_eq!(Tally::of_cargo("it did not compile"), Tally::default());
    }
}
