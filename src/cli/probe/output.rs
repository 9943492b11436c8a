//! The output of a probe: a table, JSON, or JUnit's XML.

use std::io::{IsTerminal as _, stderr};

use agentwire::json::Value;

use super::check::{Check, Contract, Fault, Judged, Level, Scenario};
use super::run::{Findings, Progress, Tally};
use super::secrets::Secrets;
use crate::input::{Unreadable, counted};
use crate::output::{print, write};

/// Prints each check as it is judged.
pub struct Table {
    pub secrets: Secrets,
    pub is_quiet: bool,
    /// The reason why nothing can be printed.
    pub failure: Option<Unreadable>,
}

impl Progress for Table {
    fn asking(&mut self, scenario: &'static Scenario) {
        if stderr().is_terminal() && !self.is_quiet {
            eprint!("\r{:<40}\r", format!("  … {}", scenario.name));
        }
    }

    fn judged(&mut self, check: &'static Check, result: &Judged) {
        if self.is_quiet {
            return;
        }
        let mut lines = row(check, result);
        for line in details(result) {
            lines += &format!("       {}\n", self.secrets.line(line));
        }
        if let Err(failure) = write(&lines) {
            self.failure.get_or_insert(failure);
        }
    }
}

/// Returns the row of a check.
fn row(check: &Check, judged: &Judged) -> String {
    let Check { id, level, expects, .. } = check;
    format!("{:<6} {:<7} {id:<26} {expects}\n", result(check, judged), level.as_str())
}

/// Returns the name of a result.
fn result(check: &Check, judged: &Judged) -> &'static str {
    match (judged, check.level) {
        (Ok(()), _) => "ok",
        (Err(Fault::Skipped(_)), _) => "skip",
        (Err(Fault::Failed(_)), Level::Must) => "FAIL",
        (Err(Fault::Failed(_)), Level::Should) => "warn",
    }
}

fn details(judged: &Judged) -> &[String] {
    match judged {
        Ok(()) => &[],
        Err(Fault::Failed(lines)) => lines,
        Err(Fault::Skipped(reason)) => std::slice::from_ref(reason),
    }
}

/// Prints the last line of the table.
pub fn summarize(findings: &Findings) -> Result<(), Unreadable> {
    let Tally { passed, failed, warned, skipped } = findings.tally();
    let checks = counted(findings.checks.len() as u64, "check", "checks");
    let requests = counted(findings.requests as u64, "request", "requests");
    let warnings = counted(warned as u64, "warning", "warnings");
    let line = format!(
        "{checks}, {requests}: {passed} passed, {failed} failed, {warnings}, {skipped} skipped\n"
    );
    write(&line).map(drop)
}

/// Prints the findings as one JSON object.
pub fn json(
    contract: &Contract,
    url: &str,
    findings: &Findings,
    secrets: &Secrets,
) -> Result<(), Unreadable> {
    let Tally { passed, failed, warned, skipped } = findings.tally();
    let number = |number: usize| Value::from(number as i64);
    let check = |(check, judged): &(&'static Check, Judged)| {
        let details =
            details(judged).iter().map(|line| secrets.line(line).as_str().into()).collect();
        Value::from([
            ("id", check.id.into()),
            ("level", check.level.as_str().into()),
            ("result", result(check, judged).to_ascii_lowercase().as_str().into()),
            ("expects", check.expects.into()),
            ("source", source(contract, check).into()),
            ("details", Value::Array(details)),
        ])
    };
    let checks = findings.checks.iter().map(check).collect();
    let all = Value::from([
        ("protocol", contract.protocol.as_str().into()),
        ("url", url.into()),
        ("requests", number(findings.requests)),
        ("passed", number(passed)),
        ("failed", number(failed)),
        ("warned", number(warned)),
        ("skipped", number(skipped)),
        ("checks", Value::Array(checks)),
    ]);
    print(&all.to_json(), true)
}

/// Prints the findings as a test suite of JUnit. A failed check of the level `should` has passed.
pub fn junit(
    contract: &Contract,
    findings: &Findings,
    secrets: &Secrets,
) -> Result<(), Unreadable> {
    let Tally { failed, skipped, .. } = findings.tally();
    let (name, all) = (contract.protocol.as_str(), findings.checks.len());
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"agentwire probe {name}\" tests=\"{all}\" failures=\"{failed}\" skipped=\"{skipped}\">\n"
    );
    for (check, judged) in &findings.checks {
        out += &format!("  <testcase classname=\"{name}\" name=\"{}\"", check.id);
        let text =
            details(judged).iter().map(|line| secrets.line(line)).collect::<Vec<_>>().join("\n");
        let text = escaped(&text);
        out += &match (judged, check.level) {
            (Ok(()), _) => "/>\n".to_owned(),
            (Err(Fault::Skipped(_)), _) => format!("><skipped message=\"{text}\"/></testcase>\n"),
            (Err(Fault::Failed(_)), Level::Must) => {
                format!(
                    "><failure message=\"{}\">{text}</failure></testcase>\n",
                    escaped(check.expects)
                )
            }
            (Err(Fault::Failed(_)), Level::Should) => {
                format!("><system-out>{text}</system-out></testcase>\n")
            }
        };
    }
    out += "</testsuite>\n";
    write(&out).map(drop)
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

/// Prints the checks of a protocol.
pub fn list(contract: &Contract, as_json: bool) -> Result<(), Unreadable> {
    if as_json {
        let check = |check: &Check| {
            Value::from([
                ("id", check.id.into()),
                ("level", check.level.as_str().into()),
                ("expects", check.expects.into()),
                ("source", source(contract, check).into()),
            ])
        };
        let all = contract.all_checks().map(check).collect();
        return print(&Value::Array(all).to_json(), true);
    }
    let mut lines = String::new();
    for check in contract.all_checks() {
        let Check { id, level, expects, .. } = check;
        let source = source(contract, check);
        lines += &format!("{:<7} {id:<26} {expects} ({source})\n", level.as_str());
    }
    write(&lines).map(drop)
}

/// Returns where the rule of a check comes from.
fn source<'a>(contract: &'a Contract, check: &'a Check) -> &'a str {
    if check.source.is_empty() { contract.source } else { check.source }
}
