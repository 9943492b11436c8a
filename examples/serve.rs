//! One agent behind axum, in four protocols: what is asked is the handler's argument, the answer its response. A2A, which keeps tasks,
//! is in `a2a.rs`.
//!
//! ```text
//! cargo run --example serve --features axum
//! curl -N -H 'content-type: application/json' http://127.0.0.1:8788/process \
//!     -d '{"session_id":"s1","user_id":"u1","input":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}' \
//!     | cargo run --features cli -- check -
//! ```

use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agentwire::ProtocolKind;
use agentwire::adapters::axum::{AgentJson, JsonResponse, SseResponse};
use agentwire::ag_kit::request::SendMessageInput;
use agentwire::ag_ui::request::RunAgentInput;
use agentwire::agent_api::request::AgentRequest;
use agentwire::builder::RandomIds;
use agentwire::emit::{AnyError, EmitOptions, Out, emit};
use agentwire::hub::{Losses, request::convert};
use agentwire::json::Value;
use agentwire::responses::request::CreateResponse;
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::post};

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
    axum::serve(listener, app()).with_graceful_shutdown(async { drop(tokio::signal::ctrl_c().await) }).await
}

/// The agent behind the usual path of each protocol.
pub fn app() -> Router {
    Router::new()
        .route(
            "/process",
            post(async |AgentJson(request)| answer(ProtocolKind::AgentApi, request, Value::Null)),
        )
        .route(
            "/send-message",
            post(async |AgentJson(request): AgentJson<SendMessageInput>| {
                answer(ProtocolKind::AgKit, convert(&request, &mut Losses::default()), Value::Null)
            }),
        )
        .route(
            "/ag-ui",
            post(async |AgentJson(request): AgentJson<RunAgentInput>| {
                answer(ProtocolKind::AgUi, convert(&request, &mut Losses::default()), Value::Null)
            }),
        )
        .route(
            "/v1/responses",
            post(async |AgentJson(request): AgentJson<CreateResponse>| {
                let asked = convert(&request, &mut Losses::default());
                answer(ProtocolKind::Responses, asked, request.echo())
            }),
        )
}

/// `echo` is what the answer repeats of its request.
fn answer(protocol: ProtocolKind, mut request: AgentRequest, echo: Value) -> Response {
    request.ensure_session(&mut RandomIds);
    let session = request.session_id.clone().unwrap_or_default();
    let id = request.response_id().unwrap_or_default().to_owned();
    let options = EmitOptions::random(protocol, now)
        .write(|write| write.session_id(session).response_id(id).echo(echo))
        .on_error(|failure| {
            eprintln!("{}: {}", failure.id, failure.error);
            None
        });
    // Only clients of OpenAI Responses want anything but a stream.
    let streams = request.stream || protocol != ProtocolKind::Responses;
    match emit(options, async |out| agent(request, out).await) {
        Ok(emission) if streams => SseResponse(emission).into_response(),
        Ok(emission) => JsonResponse(emission).into_response(),
        Err(misuse) => misuse.into_response(),
    }
}

/// Says what it was asked, word by word, after it has called a tool.
async fn agent(request: AgentRequest, out: Out) -> Result<(), AnyError> {
    let asked = request.user_text();
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

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}
