//! The protocols with the agent of `tests/js/support/history.mjs`, which shows what it has received.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use agentwire::adapters::axum::{AgentContext, AgentService, HttpStatus};
use agentwire::agent_api::Style;
use agentwire::agent_api::request::InputMessage;
use agentwire::emit::{AnyError, ConversationRequest, Out};
use agentwire::json::Value;
use axum::Router;
use axum::extract::Path;
use axum::routing::{get, post};
use tokio::sync::watch;

/// The requests that the agent has received, and the answers that may go on.
#[derive(Default)]
struct Seen {
    received: Mutex<Vec<Value>>,
    waiting: Mutex<BTreeMap<String, ()>>,
    released: watch::Sender<BTreeSet<String>>,
}

/// A refusal with status 429.
#[derive(Debug)]
struct Busy;

impl std::fmt::Display for Busy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no")
    }
}

impl std::error::Error for Busy {}

/// The author and the text of a message.
fn shown(message: &InputMessage) -> Value {
    let message = Value::parse(&message.to_json(Style::Compact), 64).unwrap();
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let parts = match message.get("content") {
        Some(Value::Array(parts)) => parts.as_slice(),
        _ => &[],
    };
    let texts = parts.iter().filter_map(|part| {
        let data = part.get("data");
        let of_data = |name| text(data.and_then(|data| data.get(name)));
        text(part.get("text")).or_else(|| of_data("output")).or_else(|| of_data("name"))
    });
    let texts: String = texts.collect();
    format!("{}: {texts}", text(message.get("role")).unwrap_or_default()).as_str().into()
}

async fn agent(
    out: Out,
    request: ConversationRequest,
    context: AgentContext,
    seen: Arc<Seen>,
) -> Result<(), AnyError> {
    let input = request.as_agent_request().input.iter().map(shown).collect();
    seen.received.lock().unwrap().push(Value::Array(input));
    let asked = request.text();
    match &*asked {
        "refuse" => return Err(Busy.into()),
        "id" => {
            out.text(&format!("id {}", context.id)).await;
            return Ok(());
        }
        _ => out.text(&format!("answer to {asked}")).await,
    }
    match &*asked {
        "fail" => return Err("a secret".into()),
        "call" => {
            let call = out.call_with_id("paint", "c1").await;
            call.arguments("{}").await;
            call.complete().await;
        }
        _ if asked.starts_with("wait") => {
            let mut released = seen.released.subscribe();
            seen.waiting.lock().unwrap().insert(asked.clone(), ());
            released.wait_for(|released| released.contains(&asked)).await?;
        }
        _ => {}
    }
    Ok(())
}

/// Returns the service, and the paths by which a test sees its agent.
pub fn service() -> (AgentService, Router) {
    let seen: Arc<Seen> = Arc::default();
    let of_agent = seen.clone();
    let service = AgentService::new(move |out, request, context| {
        agent(out, request, context, of_agent.clone())
    });
    let service = service.http_status(|error| error.is::<Busy>().then(|| HttpStatus::new(429)));
    let received = seen.clone();
    let waiting = seen.clone();
    let router = Router::new()
        .route(
            "/test/received",
            get(async move || Value::Array(received.received.lock().unwrap().clone()).to_json()),
        )
        .route(
            "/test/waiting",
            get(async move || {
                let names =
                    waiting.waiting.lock().unwrap().keys().map(|name| (&**name).into()).collect();
                Value::Array(names).to_json()
            }),
        )
        .route(
            "/test/release/{name}",
            post(async move |Path(name): Path<String>| {
                seen.released.send_modify(|released| {
                    released.insert(name);
                });
            }),
        );
    (service, router)
}
