//! `agentwire check`

use std::path::PathBuf;
use std::process::ExitCode;

use agentwire::{Report, Severity, Violation};
use clap::ValueEnum;

use crate::input::{ReadStream, StreamInput, Unreadable, counted};
use crate::output::{print, write};

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    input: StreamInput,
    /// More files to check in the same way. Each line then begins with the name of its file.
    #[arg(value_name = "FILE")]
    more: Vec<PathBuf>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Hide violations of a lower severity.
    #[arg(long, value_enum, default_value_t = Least::Warning)]
    least: Least,
}

#[derive(Clone, Copy, ValueEnum)]
enum OutputFormat {
    /// One line per violation and a last line that counts.
    Text,
    /// The report of each file as one JSON object.
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum Least {
    Note,
    Warning,
    Error,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Unreadable> {
    let least = match arguments.least {
        Least::Note => Severity::Note,
        Least::Warning => Severity::Warning,
        Least::Error => Severity::Error,
    };
    let Arguments { input, more, .. } = arguments;
    let (mut has_errors, mut is_unreadable) = (false, false);
    for file in std::iter::once(&input.file).chain(more) {
        let ReadStream { outcome, complaint } = match input.read_file(file) {
            Ok(read) => read,
            // An unreadable file does not stop the checks of the others.
            Err(Unreadable(problem)) => {
                eprintln!("agentwire: {problem}");
                is_unreadable = true;
                continue;
            }
        };
        let mut report = outcome.report;
        has_errors |= complaint.is_some() || report.worst() == Some(Severity::Error);
        match complaint {
            Some(complaint) => eprintln!("agentwire: {complaint}"),
            None => input.summarize(file, outcome.snapshot.protocol(), &report),
        }
        report.violations.retain(|violation| violation.rule.severity >= least);
        match arguments.format {
            OutputFormat::Json => print(&report.to_json(), true)?,
            OutputFormat::Text if more.is_empty() => text(&report, "")?,
            OutputFormat::Text => text(&report, &format!("{}: ", file.display()))?,
        }
    }
    Ok(match (is_unreadable, has_errors) {
        (true, _) => ExitCode::from(2),
        (false, true) => ExitCode::FAILURE,
        (false, false) => ExitCode::SUCCESS,
    })
}

fn text(report: &Report, before: &str) -> Result<(), Unreadable> {
    let mut lines = String::new();
    for violation in &report.violations {
        lines += &format!("{before}{}\n", sentence(violation));
    }
    // A stream without violations prints nothing, so that checks of many streams show only what is
    // wrong.
    if !report.violations.is_empty() {
        let violations = counted(report.total(), "violation", "violations");
        let events = counted(report.events, "event", "events");
        lines += &format!(
            "{before}{events}, {violations} in all, ended: {}\n",
            report.end_reason.as_str()
        );
    }
    write(&lines).map(drop)
}

/// Returns a violation as a line.
pub fn sentence(violation: &Violation) -> String {
    let Violation { rule, at, got, .. } = violation;
    let mut place = format!("event {} (byte {})", at.event, at.offset);
    if let Some(id) = &at.message_id {
        place += &format!(", id {id}");
    }
    if let Some(index) = at.index {
        place += &format!(", content {index}");
    }
    // A violation is a line.
    let got = got.replace(['\r', '\n'], " ");
    format!(
        "{}: {} [{}] {place}: expected {}, got {got}; {}",
        rule.severity.as_str(),
        rule.id,
        rule.clause,
        rule.expected,
        rule.recovery
    )
}
