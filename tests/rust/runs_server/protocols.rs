//! The protocols with a store, with the agent of `tests/js/support/answers.mjs`.

use agentwire::adapters::axum::{AgentContext, AgentService};
use agentwire::agent_api::request::RequestAnswer;
use agentwire::emit::{AnyError, ConversationRequest, Out};
use agentwire::json::Value;
use axum::Router;
use axum::http::request::Parts;

use crate::{history, sessions};

/// Does what the last message asks: `count N MS` writes N numbers, one each MS milliseconds;
/// `recall` repeats the earlier messages; `who` names the user; `fail` fails before it writes;
/// `ask` waits for an approval, which the next message is.
async fn agent(
    out: Out,
    request: ConversationRequest,
    context: AgentContext,
) -> Result<(), AnyError> {
    let approval = request.answers().into_iter().find_map(|answer| match answer {
        RequestAnswer::Approval { approved, .. } => Some(approved),
        _ => None,
    });
    if let Some(approved) = approval {
        out.text(if approved { "approved" } else { "declined" }).await;
        return Ok(());
    }
    let texts: Vec<String> = request.messages().iter().map(|message| message.text()).collect();
    let (last, earlier) = texts.split_last().ok_or("a message")?;
    let mut words = last.split(' ');
    match words.next() {
        Some("ask") => out.interrupt("i", Some("approval"), &Value::Object(Vec::new())).await,
        Some("fail") => return Err("a secret of the agent".into()),
        Some("recall") => out.text(&earlier.join("|")).await,
        Some("who") => out.text(context.user.as_deref().unwrap_or("a stranger")).await,
        _ => crate::agent::count(&out, words, "好 ").await,
    }
    Ok(())
}

/// Returns a service without a store. `options` are those of `createHandler` in JavaScript; with
/// `agent`, the agent is that of `history` or `sessions`.
pub fn service(options: &Value) -> (AgentService, Router) {
    let is = |name: &str| options.get(name) == Some(&Value::Bool(true));
    let (service, router) = match options.get("agent").and_then(Value::as_str) {
        Some("history") => history::service(),
        Some(_) => (sessions::service(), Router::new()),
        None => (AgentService::new(of_path), Router::new()),
    };
    let service = match options.get("agent") {
        Some(_) if is("users") => service.authenticate(named),
        None if !is("isPublic") => service.authenticate(crate::agent::user),
        _ => service,
    };
    (service, router)
}

/// The agent of the runs endpoints, and that of the protocols.
async fn of_path(
    out: Out,
    request: ConversationRequest,
    context: AgentContext,
) -> Result<(), AnyError> {
    match context.http.uri.path().starts_with("/api/v1/agent") {
        true => crate::agent::agent(out, request, context).await,
        false => agent(out, request, context).await,
    }
}

/// Returns the user whom a header names.
async fn named(request: Parts) -> Result<Option<String>, AnyError> {
    let user = request.headers.get("x-user").and_then(|user| user.to_str().ok());
    Ok(user.map(str::to_owned))
}
