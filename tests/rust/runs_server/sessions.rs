//! The protocols with the agent of `tests/js/support/sessions.mjs`, which asks, calls and waits.

use std::time::Duration;

use agentwire::adapters::axum::{AgentContext, AgentService};
use agentwire::agent_api::request::RequestAnswer;
use agentwire::emit::{AnyError, ConversationRequest, Out};
use agentwire::json::Value;

/// Answers the last text of the user.
async fn agent(out: Out, request: ConversationRequest, _: AgentContext) -> Result<(), AnyError> {
    let answers = request.answers();
    if !answers.is_empty() {
        let told = answers.iter().map(|answer| match answer {
            RequestAnswer::Approval { id, approved, .. } => format!("{id}: {approved}"),
            RequestAnswer::Call { id, output, .. } => format!("{id}: {output}"),
            _ => String::new(),
        });
        out.text(&told.collect::<Vec<_>>().join(",")).await;
        return Ok(());
    }
    match &*request.text() {
        "ask" => {
            out.text("Delete?").await;
            for id in ["q1", "q2"] {
                let arguments = format!(r#"{{"path":"{id}"}}"#);
                let payload = [("name", "delete".into()), ("arguments", arguments.into())];
                out.interrupt(id, Some("confirmation"), &Value::from(payload)).await;
            }
        }
        "browse" => {
            for id in ["c1", "c2"] {
                let call = out.call_with_id("browser", id).await;
                call.arguments(&format!(r#"{{"url":"{id}"}}"#)).await;
                call.complete().await;
            }
        }
        "slow" => tick(&out, 400).await,
        "count" => tick(&out, 40).await,
        "fail" => return Err("secret".into()),
        text => out.text(&format!("{}: {text}", request.messages().len())).await,
    }
    Ok(())
}

async fn tick(out: &Out, ticks: u32) {
    for tick in 0..ticks {
        out.text(&format!("{tick} ")).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Returns the service.
pub fn service() -> AgentService {
    AgentService::new(agent)
}
