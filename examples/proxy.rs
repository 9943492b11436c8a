//! A streaming proxy behind axum: clients use AG-UI, the agent uses OpenAI Responses.
//!
//! ```text
//! cargo run --example proxy --features axum,reqwest -- http://127.0.0.1:8788/v1/responses
//! curl -N -H 'content-type: application/json' http://127.0.0.1:8789/ag-ui \
//!     -d '{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"hi"}],"tools":[],"context":[],"state":{}}'
//! ```

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use agentwire::ProtocolKind;
use agentwire::adapters::axum::{AgentJson, SseResponse};
use agentwire::ag_ui::request::RunAgentInput;
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::builder::RandomIds;
use agentwire::convert::{ConvertOptions, Converter, convert_typed};
use agentwire::hub::Losses;
use agentwire::responses::request::CreateResponse;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::post};
use futures_util::{Stream, StreamExt, stream};

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
    let upstream =
        std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:8788/v1/responses".to_owned());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8789").await?;
    eprintln!("http://{}/ag-ui", listener.local_addr()?);
    axum::serve(listener, app(upstream))
        .with_graceful_shutdown(async { drop(tokio::signal::ctrl_c().await) })
        .await
}

/// Returns the AG-UI route in front of the agent at this address.
pub fn app(upstream: String) -> Router {
    Router::new().route("/ag-ui", post(answer)).with_state(upstream)
}

async fn answer(
    State(upstream): State<String>,
    AgentJson(input): AgentJson<RunAgentInput>,
) -> Response {
    let mut losses = Losses::default();
    let mut asked: CreateResponse = match convert_typed(&input, &mut RandomIds, &mut losses) {
        Ok(asked) => asked,
        Err(error) => return (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    };
    (asked.stream, asked.store) = (Some(true), Some(false)); // each request contains the whole conversation
    let sent = reqwest::Client::new().post(upstream).header("content-type", "application/json");
    let response = match sent
        .body(asked.to_json())
        .send()
        .await
        .and_then(|response| response.error_for_status())
    {
        Ok(response) => response,
        Err(error) => {
            eprintln!("{error}");
            return (StatusCode::BAD_GATEWAY, "the agent does not answer").into_response();
        }
    };
    // The thread and the run keep the client's ids.
    let names =
        BuilderOptions::new(RandomIds, now).session_id(input.thread_id).response_id(input.run_id);
    match Converter::new(ProtocolKind::Responses, ProtocolKind::AgUi, ConvertOptions::new(names)) {
        Ok(converter) => SseResponse(Box::pin(converted(converter, response))).into_response(),
        Err(misuse) => misuse.into_response(),
    }
}

/// Converts the response while it arrives. If the client disconnects, the stream is dropped, which
/// ends the request to the agent.
fn converted(converter: Converter, response: reqwest::Response) -> impl Stream<Item = String> {
    stream::unfold(Some((converter, response)), async |state| {
        let (mut converter, mut response) = state?;
        let mut text = String::new();
        match response.chunk().await {
            Ok(Some(bytes)) => converter.push(&bytes, &mut text),
            end => {
                match end {
                    Err(_) => converter.cut_off(&mut text),
                    Ok(_) => converter.finish(&mut text),
                }
                for loss in converter.losses().into_iter().flat_map(Losses::iter) {
                    eprintln!("{} {}: {}", loss.kind, loss.location, loss.reason);
                }
                return Some((text, None));
            }
        }
        Some((text, Some((converter, response))))
    })
    .filter(|text| std::future::ready(!text.is_empty()))
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}
