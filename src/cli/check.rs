//! `agentwire check`

use std::process::ExitCode;

use agentwire::{Report, Severity, Violation};
use clap::ValueEnum;

use crate::input::{Input, Unreadable};
use crate::json::{line, print};

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// How to print.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Leave out what is milder; notes are about what is legal or harmless.
    #[arg(long, value_enum, default_value_t = Least::Warning)]
    least: Least,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// One line per violation and a last line that counts.
    Text,
    /// The report as one JSON object.
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum Least {
    Note,
    Warning,
    Error,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let mut report = arguments.input.read()?.report;
    let worst = report.worst();
    let least = match arguments.least {
        Least::Note => Severity::Note,
        Least::Warning => Severity::Warning,
        Least::Error => Severity::Error,
    };
    report.violations.retain(|violation| violation.rule.severity >= least);
    match arguments.format {
        Format::Json => print(&report.to_json(), true)?,
        Format::Text => text(&report)?,
    }
    Ok(if worst == Some(Severity::Error) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn text(report: &Report) -> Result<(), Unreadable> {
    for violation in &report.violations {
        line(&sentence(violation))?;
    }
    // A stream without violations prints nothing, so that checks of many streams show only what is wrong.
    if !report.violations.is_empty() {
        let total = report.total();
        line(&format!(
            "{} events, {total} breaches of rules in all, ended: {}",
            report.events,
            report.ended.as_str()
        ))?;
    }
    Ok(())
}

fn sentence(violation: &Violation) -> String {
    let Violation { rule, at, got, .. } = violation;
    let mut place = format!("event {} (byte {})", at.event, at.offset);
    if let Some(id) = &at.message_id {
        place += &format!(", id {id}");
    }
    if let Some(index) = at.index {
        place += &format!(", content {index}");
    }
    format!(
        "{}: {} [{}] {place}: expected {}, got {got}; {}",
        rule.severity.as_str(),
        rule.id,
        rule.clause,
        rule.expected,
        rule.recovery
    )
}
