//! The agent of the tests of sockets. Its answers are those of `tests/js/support/sockets.mjs`.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use agentwire::adapters::axum::{AgentService, SocketLimits, Sockets};
use agentwire::agent_api::request::RequestAnswer;
use agentwire::emit::{AnyError, ConversationRequest, Out};
use agentwire::json::Value;
use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};

/// Counts the endless answers that were dropped.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Relaxed);
    }
}

async fn agent(
    out: Out,
    request: ConversationRequest,
    dropped: Arc<AtomicUsize>,
) -> Result<(), AnyError> {
    if let Some(RequestAnswer::Call { output, .. }) = request.answers().first() {
        out.text(&format!("It is {output}.")).await;
        return Ok(());
    }
    let text = request.text();
    match &*text {
        "texts" => {
            let texts = request.messages().iter().map(|message| message.text().into()).collect();
            out.text(&Value::Array(texts).to_json()).await;
        }
        "dropped" => out.text(&dropped.load(Relaxed).to_string()).await,
        "endless" => {
            let _counted = Dropped(dropped);
            loop {
                out.text("more ").await;
            }
        }
        "panic" => panic!("the agent of the test panics"),
        text if text.contains("weather") => {
            let call = out.call_with_id("get_weather", "call_1").await;
            call.arguments("{\"city\":\"Oslo\"}").await;
            call.complete().await;
        }
        text => {
            if text.contains("wait") {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            out.text("You said: ").await;
            out.text(text).await;
        }
    }
    Ok(())
}

/// Refuses requests without the key.
async fn authenticated(request: Request, next: Next) -> Result<Response, Infallible> {
    let key = request.headers().get("authorization");
    Ok(match key.is_some_and(|key| key == "Bearer key") {
        true => next.run(request).await,
        false => StatusCode::UNAUTHORIZED.into_response(),
    })
}

/// Returns the server, and its sockets.
pub fn app() -> (Router, Sockets) {
    let mut limits = SocketLimits::default();
    limits.max_message_bytes = 4096;
    limits.max_responses = 2;
    limits.write_timeout = Duration::from_secs(1);
    let sockets = Sockets::new(limits);
    let dropped = Arc::new(AtomicUsize::new(0));
    let service = AgentService::new(move |out, request, _| agent(out, request, dropped.clone()))
        .sockets(sockets.clone());
    let app = Router::new().fallback_service(service).layer(from_fn(authenticated));
    (app, sockets)
}
