//! A chat whose answers survive a lost connection, a reload and a restart of the server, on a
//! SQLite file. Every visitor is a user: a service with accounts returns the user of its session.
//!
//! ```text
//! cargo run --example runs --features runs-server,sqlite -- chat.sqlite
//! ```
//!
//! The client is `RunsClient` of `agentwire/runs`: see `docs/guides/runs.md`.

use std::process::ExitCode;
use std::time::Duration;

use agentwire::adapters::axum::AgentService;
use agentwire::adapters::axum::runs::{FolderBlobs, RunsEndpoints};
use agentwire::emit::{AnyError, ConversationRequest, Out};
use agentwire::stores::SqliteStore;
use axum::Router;
use axum::http::request::Parts;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or_else(|| "chat.sqlite".into());
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8790".into());
    match serve(&file, &address).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(file: &str, address: &str) -> Result<(), AnyError> {
    let runs = chat(file)?;
    runs.start();
    let listener = TcpListener::bind(address).await?;
    eprintln!("http://{}/api/v1/agent", listener.local_addr()?);
    // Events are small: the system must not delay them.
    let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
    axum::serve(listener, Router::new().fallback_service(runs.clone()))
        .with_graceful_shutdown(async move {
            drop(tokio::signal::ctrl_c().await);
            runs.close().await;
        })
        .await?;
    Ok(())
}

/// The service, whose messages and events are in the file.
pub fn chat(file: &str) -> Result<AgentService, AnyError> {
    let endpoints = RunsEndpoints::default()
        .blobs(FolderBlobs::new(format!("{file}.blobs")))
        .secret(std::env::var("SECRET").unwrap_or_default());
    Ok(AgentService::new(async |out, request, _| answer(out, request).await)
        .authenticate(user)
        .store(SqliteStore::open(file)?)
        .runs(endpoints))
}

/// The user is the token: this is a demo.
async fn user(request: Parts) -> Result<Option<String>, AnyError> {
    let header = request.headers.get("authorization").and_then(|value| value.to_str().ok());
    Ok(header.and_then(|header| header.strip_prefix("Bearer ")).map(str::to_owned))
}

/// Answers word by word. A real agent passes the request on:
/// `out.forward(call_model(&model, &request).await?).await?`.
async fn answer(out: Out, request: ConversationRequest) -> Result<(), AnyError> {
    let text = format!(
        "You have sent {} messages; the last one was: {}",
        request.messages().len(),
        request.text()
    );
    for word in text.split_inclusive(' ') {
        tokio::time::sleep(Duration::from_millis(30)).await;
        out.text(word).await;
    }
    Ok(())
}
