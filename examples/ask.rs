//! Sends a question to an agent over HTTP and prints the text as it arrives. Exits with 1 and the
//! cause if the answer is not complete.
//!
//! ```text
//! cargo run --example ask --features reqwest,uuid -- http://127.0.0.1:8788/process "What is new?"
//! ```

#![cfg_attr(not(test), expect(clippy::print_stdout, reason = "an example shows what it does"))]

use std::io::{Write, stdout};
use std::process::ExitCode;

use agentwire::adapters::reqwest::read;
use agentwire::agent_api::request::{AgentRequest, InputContent, InputMessage};
use agentwire::agent_api::{AgentApi, Role, Snapshot, Style};
use agentwire::builder::RandomIds;
use agentwire::snapshot::TextKind;
use agentwire::{EndReason, Outcome, Reader, Severity};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().unwrap_or_else(|| "http://127.0.0.1:8788/process".to_owned());
    let question = arguments.next().unwrap_or_else(|| "What is new?".to_owned());
    let outcome = ask(&url, &question, |text| {
        print!("{text}");
        drop(stdout().flush());
    });
    match outcome.await.and_then(answered) {
        Ok(outcome) => {
            println!("\n{}", outcome.snapshot.response.status);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("  because: {error}");
                cause = error.source();
            }
            ExitCode::FAILURE
        }
    }
}

/// Sends the question, shows the text as it arrives, and returns the snapshot and the report.
pub async fn ask(
    url: &str,
    question: &str,
    mut show: impl FnMut(&str),
) -> Result<Outcome<Snapshot>, Box<dyn std::error::Error>> {
    let mut request =
        AgentRequest::new(vec![InputMessage::new(Role::User, vec![InputContent::text(question)])]);
    request.ensure_session(&mut RandomIds);
    let asked = reqwest::Client::new().post(url).header("content-type", "application/json");
    let response = asked.body(request.to_json(Style::Compact)).send().await?;
    let mut run = read(response, Reader::new(AgentApi::default())).await?;
    while let Some(changes) = run.next_changes().await? {
        for delta in changes.text_deltas() {
            if delta.kind == TextKind::Answer {
                show(&delta.text);
            }
        }
    }
    Ok(run.finish())
}

/// Returns an error if the run failed or the stream is not complete.
pub fn answered(
    outcome: Outcome<Snapshot>,
) -> Result<Outcome<Snapshot>, Box<dyn std::error::Error>> {
    if let Some(error) = &outcome.snapshot.response.error {
        return Err(format!("{}: {}", error.code, error.message).into());
    }
    let Outcome { report, .. } = &outcome;
    if report.end_reason == EndReason::Terminal {
        return Ok(outcome);
    }
    let wrong =
        report.violations.iter().find(|violation| violation.rule.severity == Severity::Error);
    let cause = wrong.map_or_else(String::new, |wrong| {
        format!(": expected {}, got {}", wrong.rule.expected, wrong.got)
    });
    Err(format!("no whole Agent API answer in {} events{cause}", report.events).into())
}
