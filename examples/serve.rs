//! One agent behind axum, in all protocols that are written. `a2a.rs` shows A2A tasks that
//! continue without their connection.
//!
//! ```text
//! cargo run --example serve --features axum
//! curl -N -H 'content-type: application/json' http://127.0.0.1:8788/process \
//!     -d '{"session_id":"s1","user_id":"u1","input":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}' \
//!     | cargo run --features cli -- check -
//! ```

use std::process::ExitCode;
use std::time::Duration;

use agentwire::a2a::card::AgentCard;
use agentwire::adapters::axum::{AgentContext, AgentService};
use agentwire::emit::{AnyError, ConversationRequest, Out};
use axum::Router;

#[tokio::main]
async fn main() -> ExitCode {
    match listen().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn listen() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8788").await?;
    eprintln!("http://{}/process", listener.local_addr()?);
    axum::serve(listener, app())
        .with_graceful_shutdown(async { drop(tokio::signal::ctrl_c().await) })
        .await
}

/// The agent behind the usual paths of all protocols.
pub fn app() -> Router {
    let service = AgentService::new(agent)
        .card(AgentCard {
            name: "Counter".to_owned(),
            description: "Counts the words of the question and repeats it.".to_owned(),
            version: "1.0.0".to_owned(),
            ..Default::default()
        })
        .on_error(|failure| {
            eprintln!("{}: {}", failure.id, failure.error);
            None
        });
    Router::new().fallback_service(service)
}

/// Calls a tool and then repeats the user's text, word by word.
async fn agent(out: Out, request: ConversationRequest, _: AgentContext) -> Result<(), AnyError> {
    let asked = request.text();
    out.reasoning("Let me look.").await;
    let call = out.call("count_words").await;
    call.arguments("{\"text\":\"").await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    call.arguments("…\"}").await;
    call.result(&asked.split_whitespace().count().to_string()).await;
    if asked.contains("fail") {
        return Err("a secret of the server".into());
    }
    for word in asked.split_inclusive(' ') {
        tokio::time::sleep(Duration::from_millis(5)).await;
        out.text(word).await;
    }
    Ok(())
}
