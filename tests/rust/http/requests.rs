//! The request that an agent receives, for requests of each protocol.
//! `tests/js/node/emit/agent_requests.test.mjs` checks the same cases in TypeScript.

use std::sync::{Arc, Mutex};

use agentwire::adapters::axum::AgentService;
use agentwire::agent_api::request::RequestAnswer;
use agentwire::emit::{ConversationMessage, ConversationRequest};
use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde_json::{Value, json};

const CASES: &str = include_str!("../../data/agent_requests.json");

/// Returns the request that the agent receives.
async fn received(case: &Value) -> ConversationRequest {
    let seen = Arc::new(Mutex::new(None));
    let service = AgentService::new({
        let seen = seen.clone();
        move |_, request, context| {
            *seen.lock().unwrap() = Some((request, context));
            std::future::ready(Ok("ok"))
        }
    })
    .user(|_| Some("alice".into()));
    let path = case["path"].as_str().unwrap();
    let mut request =
        Request::builder().method("POST").uri(path).header("content-type", "application/json");
    for (name, value) in case["headers"].as_object().into_iter().flatten() {
        request = request.header(name, value.as_str().unwrap());
    }
    let request = request.body(Body::from(case["body"].to_string())).unwrap();
    let (head, body) = service.respond(request).await.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let seen = seen.lock().unwrap().take();
    let (request, context) =
        seen.unwrap_or_else(|| panic!("{}: {}", case["name"], String::from_utf8_lossy(&body)));
    let id = head.headers["x-request-id"].to_str().unwrap();
    assert_eq!((head.status.as_u16(), id), (200, &*context.id));
    assert_eq!(context.http.uri.path(), path);
    assert_eq!([request.user(), context.user.as_deref()], [Some("alice"); 2]);
    request
}

fn of_answer(answer: RequestAnswer<'_>) -> Value {
    let text_or_null = |text: &str| if text.is_empty() { Value::Null } else { text.into() };
    let (mut shown, text) = match answer {
        RequestAnswer::Call { id, name, output, .. } => {
            let name = name.map_or(Value::Null, Value::from);
            (json!({"kind": "call", "id": text_or_null(id), "name": name}), output.into_owned())
        }
        RequestAnswer::Approval { id, approved, payload, .. } => (
            json!({"kind": "approval", "id": text_or_null(id), "approved": approved}),
            payload.map(agentwire::json::Value::to_json).unwrap_or_default(),
        ),
        other => panic!("{other:?}"),
    };
    if let Ok(value) = serde_json::from_str::<Value>(&text) {
        shown["value"] = value;
    }
    shown["text"] = text.into();
    shown
}

fn of(value: &agentwire::json::Value) -> Value {
    serde_json::from_str(&value.to_json()).unwrap()
}

#[tokio::test]
async fn an_agent_receives_the_same_request_in_both_languages() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    for case in cases["cases"].as_array().unwrap() {
        let request = received(case).await;
        let tools = request.tools().into_iter().map(|tool| {
            json!({"name": tool.name, "description": tool.description, "parameters": of(&tool.parameters)})
        });
        let messages = request.messages();
        let mut seen = json!({
            "text": request.text(),
            "answers": request.answers().into_iter().map(of_answer).collect::<Vec<_>>(),
            "messages": messages.iter().map(ConversationMessage::to_value).map(|m| of(&m)).collect::<Vec<_>>(),
            "tools": tools.collect::<Vec<_>>(),
            "settings": of(&request.settings()),
            "native": request.native().map(|native| native.protocol.as_str()),
        });
        if let Some(state) = request.state() {
            seen["state"] = of(state);
        }
        let expected = &case["request"];
        if expected.get("id").is_some() {
            seen["id"] = request.id().into();
        }
        assert_eq!(seen, *expected, "{}", case["name"]);
        assert!(!request.id().is_empty(), "{}", case["name"]);
        if let Some(native) = request.native() {
            assert_eq!(serde_json::from_str::<Value>(&native.body).unwrap(), case["body"]);
        }
    }
}
