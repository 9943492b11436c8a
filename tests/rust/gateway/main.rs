//! The gateway: every protocol of clients in front of upstreams whose answers the tests choose.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod anthropic;
mod clients;
mod config;
mod fake;
mod fallback;
mod hosts;
mod limits;
mod passthrough;
mod program;
mod resuming;
mod store;
mod telemetry;
mod tools;
mod upstreams;

use std::time::Duration;

use agentwire::ProtocolKind;
use agentwire::convert::{ConvertOptions, Converter};
use fake::{Answer, Asked, Fake};
use program::{CLIENTS, Content, Gateway, KEY, ask, assert_legal, refused, send, shown, until};

/// The client of AG-UI.
const AG_UI: (ProtocolKind, &str, &str) = CLIENTS[0];

fn corpus(protocol: &str, case: &str) -> Vec<u8> {
    std::fs::read(format!("tests/data/corpus/{protocol}/{case}/stream.sse")).unwrap()
}

/// Returns the text of the user in a request to Chat Completions or Anthropic Messages: a string,
/// or the first block.
fn text_of(asked: &Asked) -> String {
    let content = &asked.body["messages"][0]["content"];
    content.as_str().or(content[0]["text"].as_str()).unwrap().to_owned()
}

/// An upstream that answers with the case of the corpus that the user names.
async fn recorded(protocol: &'static str) -> Fake {
    Fake::start(move |asked| Answer::Stream(corpus(protocol, &text_of(asked)))).await
}

/// Converts a stream without a gateway.
fn converted(from: ProtocolKind, to: ProtocolKind, stream: &[u8]) -> String {
    let mut converter = Converter::new(from, to, ConvertOptions::default()).unwrap();
    let mut out = String::new();
    converter.push(stream, &mut out);
    converter.finish(&mut out);
    out
}

/// The answers that clients receive are those that a conversion of the whole stream makes.
async fn assert_forwarded(upstream: ProtocolKind, cases: &[&str]) -> Vec<Asked> {
    let fake = recorded(upstream.as_str()).await;
    let gateway =
        Gateway::start(&fake.url, &["--upstream-protocol", upstream.as_str(), "--model", "small"])
            .await;
    for case in cases {
        let stream = corpus(upstream.as_str(), case);
        for client in CLIENTS {
            let answer = ask(&gateway.url, client, case).await;
            assert_legal(client.0, &answer);
            let expected = converted(upstream, client.0, &stream);
            let [answered, expected] =
                [&answer, &expected].map(|stream| Content::of(client.0, stream.as_bytes()));
            assert_eq!(answered, expected, "{case} for {:?}", client.0);
        }
    }
    fake.asked()
}

#[tokio::test]
async fn every_client_protocol_receives_chat_completions() {
    let cases = [
        "text_usage",
        "tool_call",
        "parallel_tool_calls",
        "reasoning_content",
        "unicode",
        "refusal",
        "length",
    ];
    let asked = assert_forwarded(ProtocolKind::Chat, &cases).await;
    let request = &asked[0];
    assert_eq!(request.path, "/chat/completions");
    assert_eq!(request.headers["authorization"], format!("Bearer {KEY}"));
    assert!(
        asked.iter().all(|asked| asked.body["model"] == "small" && asked.body["stream"] == true)
    );
}

#[tokio::test]
async fn every_client_protocol_receives_anthropic_messages() {
    let cases = [
        "text",
        "tool_use",
        "parallel_tool_use",
        "thinking",
        "server_tool",
        "unicode",
        "max_tokens",
    ];
    let asked = assert_forwarded(ProtocolKind::Anthropic, &cases).await;
    let request = &asked[0];
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(request.headers["x-api-key"], KEY);
    assert_eq!(request.headers["anthropic-version"], "2023-06-01");
    assert!(
        asked.iter().all(|asked| asked.body["model"] == "small" && asked.body["stream"] == true)
    );
}

#[tokio::test]
async fn agents_of_every_protocol_can_be_upstreams() {
    let fake = recorded("chat").await;
    let agents = Gateway::start(&fake.url, &["--model", "small"]).await;
    let stream = corpus("chat", "tool_call");
    for (protocol, path, _) in CLIENTS {
        let base = path.strip_suffix("/responses").unwrap_or(path);
        let mut arguments = vec!["--upstream-protocol", protocol.as_str()];
        if protocol == ProtocolKind::Responses {
            arguments.extend(["--model", "small"]);
        }
        let gateway = Gateway::start(&format!("{}{base}", agents.url), &arguments).await;
        let answer = ask(&gateway.url, AG_UI, "tool_call").await;
        assert_legal(ProtocolKind::AgUi, &answer);
        let content = Content::of(ProtocolKind::AgUi, answer.as_bytes());
        let once = converted(ProtocolKind::Chat, protocol, &stream);
        let twice = converted(protocol, ProtocolKind::AgUi, once.as_bytes());
        assert_eq!(content, Content::of(ProtocolKind::AgUi, twice.as_bytes()), "{protocol:?}");
    }
    assert_eq!(fake.asked().len(), CLIENTS.len());
}

#[tokio::test]
async fn a_request_without_streaming_returns_one_object() {
    let fake = recorded("chat").await;
    let gateway = Gateway::start(&fake.url, &["--model", "small"]).await;
    let client = (ProtocolKind::Responses, "/v1/responses", r#"{"model":"other","input":"TEXT"}"#);
    let whole: serde_json::Value =
        serde_json::from_str(&ask(&gateway.url, client, "text_usage").await).unwrap();
    assert_eq!((&whole["object"], &whole["status"]), (&"response".into(), &"completed".into()));
    assert_eq!(fake.asked()[0].body["stream"], true);
}

#[tokio::test]
async fn a_request_can_select_only_allowed_models() {
    let fake = recorded("chat").await;
    let gateway = Gateway::start(&fake.url, &["--model", "small", "--allow-model", "large"]).await;
    for (name, called) in [("large", "large"), ("huge", "small")] {
        let body = format!(r#"{{"model":"{name}","input":"TEXT","stream":true}}"#);
        ask(&gateway.url, (ProtocolKind::Responses, "/v1/responses", &body), "text").await;
        assert_eq!(fake.asked().last().unwrap().body["model"], called);
    }
    assert_eq!(gateway.logged(0).await["model"], "large");
}

/// As the APIs themselves do. The bytes for an upstream of the same protocol are not read.
#[tokio::test]
async fn a_request_without_messages_is_refused() {
    let fake = recorded("responses").await;
    let arguments = ["--upstream-protocol", "responses", "--model", "m"];
    let gateway = Gateway::start(&fake.url, &arguments).await;
    for path in ["/v1/chat/completions", "/v1/messages", "/v1/messages/count_tokens"] {
        for stream in [false, true] {
            let body = format!(r#"{{"model":"m","max_tokens":9,"messages":[],"stream":{stream}}}"#);
            let response =
                program::request(&gateway.url, (ProtocolKind::Chat, path, &body), "").await;
            assert_eq!(response.status(), 400, "{path}");
            let body = response.text().await.unwrap();
            let error: serde_json::Value = serde_json::from_str(&body).unwrap();
            assert_eq!(error["error"]["type"], "invalid_request_error", "{body}");
            assert!(error["error"]["message"].as_str().unwrap().contains("messages"), "{body}");
        }
    }
    assert!(fake.asked().is_empty());
}

#[tokio::test]
async fn the_models_that_requests_may_name_are_listed() {
    let arguments = ["--model", "small", "--allow-model", "vendor/large"];
    let gateway = Gateway::start("http://127.0.0.1:1/v1", &arguments).await;
    let get = async |path: &str| {
        let response = reqwest::get(format!("{}/v1/models{path}", gateway.url)).await.unwrap();
        let status = response.status().as_u16();
        (
            status,
            serde_json::from_str::<serde_json::Value>(&response.text().await.unwrap()).unwrap(),
        )
    };
    let (status, list) = get("").await;
    let ids: Vec<_> = list["data"].as_array().unwrap().iter().map(|model| &model["id"]).collect();
    assert_eq!(
        (status, &list["object"], &ids[..]),
        (200, &"list".into(), &[&"small".into(), &"vendor/large".into()][..])
    );
    assert_eq!(get("/vendor/large").await, (200, list["data"][1].clone()));
    let (status, error) = get("/huge").await;
    assert_eq!((status, &error["error"]["code"]), (404, &"model_not_found".into()));
}

/// Returns the error of an answer, which has to be legal.
fn error_of(protocol: ProtocolKind, answer: &str) -> (Option<String>, String) {
    assert_legal(protocol, answer);
    let error = shown(protocol, answer.as_bytes()).snapshot.response.error;
    let error = error.unwrap_or_else(|| panic!("{protocol:?}: {answer}"));
    (Some(error.code), error.message)
}

#[tokio::test]
async fn an_upstream_that_fails_during_the_stream_ends_it_with_an_error() {
    let fake = Fake::start(|asked| {
        let text = corpus("chat", "text");
        match text_of(asked).as_str() {
            "broken" => Answer::Broken(text[..text.len() / 2].to_vec()),
            case => Answer::Stream(corpus("chat", case)),
        }
    })
    .await;
    let gateway = Gateway::start(&fake.url, &["--model", "small"]).await;
    for client in CLIENTS {
        let (_, message) = error_of(client.0, &ask(&gateway.url, client, "broken").await);
        assert_eq!(message, "the answer of the upstream broke off", "{:?}", client.0);
        let answer = ask(&gateway.url, client, "error_midstream").await;
        let (_, message) = error_of(client.0, &answer);
        let converted = converted(ProtocolKind::Chat, client.0, &corpus("chat", "error_midstream"));
        assert_eq!(message, error_of(client.0, &converted).1, "{:?}", client.0);
        let cut = ask(&gateway.url, client, "truncated").await;
        assert_legal(client.0, &cut);
    }
}

/// An upstream that never ends, with texts of a kilobyte.
async fn endless(pause: u64) -> Fake {
    let chunk = |content: &str| {
        let delta =
            format!(r#"{{"index":0,"delta":{{"role":"assistant","content":"{content}"}}}}"#);
        let event = format!(r#"{{"id":"c","object":"chat.completion.chunk","choices":[{delta}]}}"#);
        format!("data: {event}\n\n").into_bytes()
    };
    let (start, event) = (chunk("Hi"), chunk(&"x".repeat(1000)));
    Fake::start(move |_| Answer::Endless(start.clone(), event.clone(), pause)).await
}

#[tokio::test]
async fn a_slow_client_slows_the_upstream_and_a_disconnect_cancels_it() {
    let fake = endless(0).await;
    let gateway = Gateway::start(&fake.url, &["--model", "small"]).await;
    let mut response = send(&gateway.url, AG_UI, "go").await;
    response.chunk().await.unwrap();
    let held = until(async || {
        let before = fake.sent();
        tokio::time::sleep(Duration::from_millis(500)).await;
        (before > 0 && fake.sent() == before).then_some(before)
    })
    .await;
    // The buffers of the sockets hold a few megabytes.
    assert!(held < 32 << 20, "{held}");
    let mut read = 0;
    while read < held + (8 << 20) {
        read += response.chunk().await.unwrap().unwrap().len();
    }
    assert!(fake.sent() > held, "the upstream goes on");
    assert_eq!(fake.gone(), 0);
    drop(response);
    until(async || (fake.gone() == 1).then_some(())).await;
    let line = gateway.logged(0).await;
    assert_eq!((&line["end"], &line["protocol"]), (&"disconnected".into(), &"ag-ui".into()));
    assert!(line["bytes"].as_u64().unwrap() >= read as u64);
}

#[tokio::test]
async fn open_streams_end_before_the_program_exits() {
    let fake = Fake::start(|_| Answer::Stream(corpus("chat", "text"))).await;
    let mut gateway = Gateway::start(&fake.url, &["--model", "small"]).await;
    let response = send(&gateway.url, AG_UI, "text").await;
    gateway.terminate();
    assert_legal(ProtocolKind::AgUi, &response.text().await.unwrap());
    assert!(gateway.ended().await.success());

    let fake = endless(20).await;
    let mut gateway = Gateway::start(&fake.url, &["--model", "small", "--grace", "1"]).await;
    let response = send(&gateway.url, AG_UI, "go").await;
    gateway.terminate();
    until(async || {
        let refused = reqwest::Client::new().get(format!("{}/healthz", gateway.url)).send().await;
        refused.is_err().then_some(())
    })
    .await;
    let (code, _) = error_of(ProtocolKind::AgUi, &response.text().await.unwrap());
    assert_eq!(code.as_deref(), Some("gateway_stopping"));
    assert!(gateway.ended().await.success());
    until(async || (fake.gone() == 1).then_some(())).await;
}

#[tokio::test]
async fn health_and_a_log_line_per_request_are_reported() {
    let fake = recorded("chat").await;
    let gateway = Gateway::start(&fake.url, &["--model", "small"]).await;
    let health = reqwest::get(format!("{}/healthz", gateway.url)).await.unwrap();
    assert_eq!(
        (health.status().as_u16(), &*health.text().await.unwrap()),
        (200, r#"{"status":"ok"}"#)
    );
    let answer = ask(&gateway.url, AG_UI, "text").await;
    assert_eq!(
        reqwest::get(format!("{}/nowhere?q=secret", gateway.url)).await.unwrap().status(),
        404
    );
    let (line, nowhere) = (gateway.logged(0).await, gateway.logged(1).await);
    assert_eq!((&line["method"], &line["path"]), (&"POST".into(), &"/ag-ui".into()));
    assert_eq!((&line["model"], &line["upstream"]), (&"small".into(), &200.into()));
    let sent = (answer.len() as u64, answer.matches("data: ").count() as u64);
    assert_eq!((line["bytes"].as_u64().unwrap(), line["events"].as_u64().unwrap()), sent);
    assert!(line["time"].as_f64().unwrap() > 1.7e9 && line["duration_ms"].is_u64());
    assert_eq!((&nowhere["path"], &nowhere["status"]), (&"/nowhere".into(), &404.into()));
    assert!(nowhere["protocol"].is_null() && nowhere["upstream"].is_null());
    let body = reqwest::get(format!("{}/", gateway.url)).await.unwrap().text().await.unwrap();
    for (_, path, _) in CLIENTS {
        assert!(body.contains(path), "{body}");
    }
}

/// The gateway stores nothing: a client has to send the whole conversation, and OpenAI's clients do
/// after `store: false`.
#[tokio::test]
async fn responses_are_not_stored() {
    let fake = recorded("chat").await;
    let gateway = Gateway::start(&fake.url, &["--model", "small"]).await;
    for store in ["", r#","store":true"#, r#","store":null"#] {
        for stream in ["", r#","stream":true"#] {
            let body = format!(r#"{{"model":"m","input":"TEXT"{store}{stream}}}"#);
            let answer =
                ask(&gateway.url, (ProtocolKind::Responses, "/v1/responses", &body), "text").await;
            assert!(
                answer.contains(r#""store":false"#) && !answer.contains(r#""store":true"#),
                "{answer}"
            );
        }
    }
    let asked = fake.asked().len();
    let long = "é".repeat(10_000);
    for stream in ["", r#","stream":true"#] {
        let body =
            format!(r#"{{"model":"m","input":"TEXT","previous_response_id":"{long}"{stream}}}"#);
        let client = (ProtocolKind::Responses, "/v1/responses", &*body);
        let (status, code, message, _) = refused(&gateway.url, client, "text").await;
        assert_eq!((status, &*code), (400, "previous_response_not_found"));
        assert!(
            message.starts_with("Previous response with id 'é") && message.len() < 1000,
            "{message}"
        );
    }
    assert_eq!(fake.asked().len(), asked);
}

#[test]
fn invalid_arguments_are_rejected() {
    for (arguments, reason) in [
        (&["--upstream", "http://127.0.0.1:1"][..], "--model is required"),
        (&["--upstream", "127.0.0.1:1", "--model", "m"], "starts with http"),
        (&["--upstream", "api.openai.com", "--model", "m"], "starts with http"),
        (&["--upstream", "localhost:8000/v1", "--model", "m"], "starts with http"),
        (&["--upstream", "file:///v1", "--model", "m"], "starts with http"),
        (&["--upstream", "http://", "--model", "m"], "starts with http"),
        (&["--upstream", "http://user@h/v1", "--model", "m"], "user name"),
        (&["--upstream", "http://:key@h/v1", "--model", "m"], "password"),
        (&["--upstream", "http://h", "--model", "m", "--allow-host", "http://h"], "invalid value"),
        (&["--upstream", "http://h", "--model", "m", "--allow-host", "h:80"], "invalid value"),
        (&["--upstream", "http://h", "--model", "m", "--max-connections", "0"], "at least 1"),
        (&["--upstream", "http://h", "--model", "m", "--max-connections", "99999999999"], "ulimit"),
        (
            &["--upstream", "http://h", "--model", "m", "--upstream-protocol", "dify"],
            "invalid value",
        ),
        (&["--upstream", "http://h", "--model", "m", "--listen", "nowhere"], "invalid value"),
    ] {
        let program = std::process::Command::new(env!("CARGO_BIN_EXE_agentwire"));
        let output = { program }.arg("serve").args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(reason), "{text}");
    }
}
