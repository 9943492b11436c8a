//! The servers that the tests probe: an agent in every protocol, and faults that spoil its answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agentwire::a2a::card::AgentCard;
use agentwire::adapters::axum::{AgentContext, AgentService};
use agentwire::emit::{AnyError, ConversationRequest, Out};
use agentwire::json::Value;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::Response;
use futures_util::{StreamExt as _, stream};

/// A fault of the answers of a server.
#[derive(Clone, Copy)]
pub enum Fault {
    /// The status is another one.
    Status(u16),
    /// A header has another value, or is missing if that is empty.
    Header(&'static str, &'static str),
    /// The body is changed.
    Body(fn(String) -> String),
    /// The response is this one.
    Answer(u16, &'static str, &'static str),
    /// The body does not end.
    Open,
    /// The connection is closed within the body.
    Cut,
}

/// The requests whose answers are spoiled.
#[derive(Clone, Copy)]
pub enum On {
    All,
    /// Those with a text in their body.
    Body(&'static str),
    /// Those with a text in their body and without another one.
    BodyWithout(&'static str, &'static str),
    /// Those at a path that ends so.
    Path(&'static str),
    /// Those with this query.
    Query(&'static str),
    /// Those after the first one.
    Later,
}

impl On {
    fn matches(self, number: usize, request: &Request, body: &str) -> bool {
        match self {
            On::All => true,
            On::Body(text) => body.contains(text),
            On::BodyWithout(text, other) => body.contains(text) && !body.contains(other),
            On::Path(path) => request.uri().path().ends_with(path),
            On::Query(query) => request.uri().query() == Some(query),
            On::Later => number > 0,
        }
    }
}

/// Starts the server. It ends with the runtime of the test. Returns its URL.
pub async fn start(fault: Option<(On, Fault)>) -> String {
    let seen = Arc::new(AtomicUsize::new(0));
    let spoil = move |request: Request, next: Next| {
        let number = seen.fetch_add(1, Ordering::Relaxed);
        async move { spoiled(fault, number, request, next).await }
    };
    serve(app().layer(middleware::from_fn(spoil))).await
}

/// Serves an application on a free port. Returns its URL.
pub async fn serve(app: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

fn app() -> Router {
    let card = AgentCard {
        name: "Probed".into(),
        description: "Answers with a sentence.".into(),
        version: "1.0.0".into(),
        ..AgentCard::default()
    };
    Router::new().fallback_service(AgentService::new(agent).card(card))
}

/// Calls the client's tool if there is one, and answers with a sentence.
async fn agent(out: Out, request: ConversationRequest, _: AgentContext) -> Result<(), AnyError> {
    let has_tools = !request.tools().is_empty();
    out.usage(Value::from([
        ("input_tokens", 5.into()),
        ("output_tokens", 3.into()),
        ("total_tokens", 8.into()),
    ]));
    if has_tools && request.answers().is_empty() {
        let call = out.call("get_weather").await;
        call.arguments("{\"city\":").await;
        call.arguments("\"Paris\"}").await;
        call.complete().await;
        return Ok(());
    }
    for word in ["Hello ", "there."] {
        // The client can close its connection in between.
        tokio::time::sleep(Duration::from_millis(2)).await;
        out.text(word).await;
    }
    Ok(())
}

async fn spoiled(
    fault: Option<(On, Fault)>,
    number: usize,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let text = String::from_utf8_lossy(&body).into_owned();
    let request = Request::from_parts(parts, Body::from(body));
    let matched = fault.filter(|(on, _)| on.matches(number, &request, &text));
    let response = next.run(request).await;
    let Some((_, fault)) = matched else { return response };
    let (mut parts, body) = response.into_parts();
    match fault {
        Fault::Status(status) => {
            parts.status = StatusCode::from_u16(status).unwrap();
            Response::from_parts(parts, body)
        }
        Fault::Header(name, value) => {
            parts.headers.remove(name);
            if !value.is_empty() {
                let name = HeaderName::from_static(name);
                parts.headers.insert(name, HeaderValue::from_static(value));
            }
            Response::from_parts(parts, body)
        }
        Fault::Body(change) => {
            let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
            let changed = change(String::from_utf8_lossy(&body).into_owned());
            parts.headers.remove("content-length");
            Response::from_parts(parts, Body::from(changed))
        }
        Fault::Answer(status, content_type, body) => Response::builder()
            .status(status)
            .header("content-type", content_type)
            .body(Body::from(body))
            .unwrap(),
        Fault::Open | Fault::Cut => {
            let whole = axum::body::to_bytes(body, 1 << 20).await.unwrap();
            let is_cut = matches!(fault, Fault::Cut);
            let rest = async move {
                if is_cut {
                    return Err(std::io::Error::other("cut"));
                }
                tokio::time::sleep(Duration::from_secs(60)).await;
                Ok(Bytes::new())
            };
            let body = stream::once(async { Ok(whole) }).chain(stream::once(rest));
            Response::from_parts(parts, Body::from_stream(body))
        }
    }
}
