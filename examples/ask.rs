//! Asks an agent over HTTP and prints its answer as it grows.
//!
//! ```text
//! cargo run --example ask --features reqwest -- http://127.0.0.1:8788/process "What is new?"
//! ```

#![cfg_attr(not(test), expect(clippy::print_stdout, reason = "an example shows what it does"))]

use agentwire::adapters::reqwest::read;
use agentwire::agent_api::request::{AgentRequest, InputContent, InputMessage};
use agentwire::agent_api::{AgentApi, Role, Snapshot, Style};
use agentwire::core::id::RandomIds;
use agentwire::{Change, Outcome, Reader};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().unwrap_or_else(|| "http://127.0.0.1:8788/process".to_owned());
    let question = arguments.next().unwrap_or_else(|| "What is new?".to_owned());
    let outcome = ask(&url, &question, |piece| print!("{piece}")).await?;
    println!("\n{}", outcome.snapshot.response.status);
    Ok(())
}

/// Asks, shows each piece of the answer's texts as it comes, and returns what it came to.
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
        for change in changes {
            if let Change::Append { piece, path, .. } = &change
                && path.to_string().ends_with(".text")
            {
                show(piece);
            }
        }
    }
    Ok(run.finish())
}
