//! Several upstreams: which one a request is sent to, and which one after it.

use std::time::{Duration, Instant};

use agentwire::ProtocolKind;
use serde_json::{Value, json};

use crate::fake::{Answer, Asked, Fake};
use crate::program::{CLIENTS, Folder, Gateway, ask, assert_legal, request};
use crate::{AG_UI, corpus};

/// An upstream of Chat Completions that answers with the status that its path names, and after that
/// `Retry-After`; or with an answer.
async fn statuses() -> Fake {
    Fake::start(|asked| {
        let limited = |after: &str| {
            let headers = vec![
                ("content-type", "application/json".to_owned()),
                ("retry-after", after.to_owned()),
            ];
            let body = r#"{"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#;
            Answer::Response(429, headers, body.into())
        };
        match asked.path.split('/').nth(1).unwrap() {
            "ok" => Answer::Stream(corpus("chat", "text")),
            "cut" => Answer::Broken(corpus("chat", "text")[..400].to_vec()),
            "early" => Answer::Broken(vec![]),
            "silent" => Answer::Silent,
            "overloaded" => {
                Answer::Stream(b"data: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n".into())
            }
            "limited9" => limited("9"),
            "limited1" => limited("1"),
            status => {
                Answer::Status(status.parse().unwrap(), r#"{"error":{"message":"no"}}"#.into())
            }
        }
    })
    .await
}

/// Starts a gateway whose model `m` has the upstreams at these paths of a fake.
async fn in_front_of(name: &str, fake: &Fake, paths: &[&str], more: &str) -> Gateway {
    let mut config = format!("default_model = \"m\"\n{more}\n");
    for path in paths {
        let url = if *path == "gone" {
            "http://127.0.0.1:1".into()
        } else {
            format!("{}/{path}", fake.url)
        };
        config += &format!(
            "[[upstreams]]\nname = \"{path}\"\nurl = \"{url}\"\nprotocol = \"chat\"\n\
             first_byte_timeout_seconds = 1\n"
        );
    }
    config += &format!("[[models]]\nname = \"m\"\nupstreams = {}\n", json!(paths));
    let folder = Folder::new(name, &[("gateway.toml", &config)]);
    Gateway::run(&["--config", &folder.path("gateway.toml")], &[]).await
}

fn paths(fake: &Fake) -> Vec<String> {
    let first = |asked: Asked| asked.path.split('/').nth(1).unwrap().to_owned();
    fake.asked().into_iter().map(first).collect()
}

#[tokio::test]
async fn another_upstream_answers_after_one_that_fails() {
    for failing in ["429", "500", "502", "503", "529", "early", "silent", "gone", "overloaded"] {
        let fake = statuses().await;
        let gateway =
            in_front_of(&format!("fallback_{failing}"), &fake, &[failing, "ok"], "").await;
        for client in CLIENTS {
            let answer = ask(&gateway.url, client, "hi").await;
            assert_legal(client.0, &answer);
            assert!(answer.contains("Hello"), "{failing} {:?}: {answer}", client.0);
        }
        let line = gateway.logged(0).await;
        assert_eq!((&line["status"], &line["error"]), (&json!(200), &Value::Null), "{failing}");
        let asked = if failing == "gone" { 1 } else { 2 };
        assert_eq!(fake.asked().len(), asked * CLIENTS.len(), "{failing}");
    }
}

#[tokio::test]
async fn a_refused_request_is_sent_to_no_other_upstream() {
    for status in [400, 401, 403, 404, 413, 422] {
        let (fake, path) = (statuses().await, status.to_string());
        let gateway = in_front_of(&format!("refused_{status}"), &fake, &[&path, "ok"], "").await;
        assert_eq!(request(&gateway.url, AG_UI, "hi").await.status(), status);
        assert_eq!(fake.asked().len(), 1, "{status}");
    }
    // After the first byte neither.
    let fake = statuses().await;
    let gateway = in_front_of("cut", &fake, &["cut", "ok"], "").await;
    let answer = ask(&gateway.url, AG_UI, "hi").await;
    assert_legal(AG_UI.0, &answer);
    assert!(answer.contains("upstream_cut_off"), "{answer}");
    assert_eq!(paths(&fake), ["cut"]);
}

/// If no upstream answers, the client receives the error by which it can do the most.
#[tokio::test]
async fn the_most_useful_error_is_sent() {
    for (name, upstreams, status, after) in [
        ("useful_a", &["limited9", "500", "limited1", "gone"][..], 429, Some("1")),
        ("useful_b", &["500", "503", "502"], 503, None),
        ("useful_c", &["gone", "500"], 500, None),
        ("useful_d", &["silent", "gone"], 504, None),
    ] {
        let fake = statuses().await;
        let gateway = in_front_of(name, &fake, upstreams, "").await;
        let response = request(&gateway.url, AG_UI, "hi").await;
        let found = response.headers().get("retry-after").map(|it| it.to_str().unwrap().to_owned());
        assert_eq!((response.status().as_u16(), found.as_deref()), (status, after), "{name}");
    }
}

/// Codex does not repeat a request after 429.
#[tokio::test]
async fn the_gateway_waits_for_upstreams_that_limit_the_rate() {
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let fake =
        Fake::start(move |_| match calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
            0 | 1 => {
                let headers = vec![("retry-after", "1".to_owned())];
                Answer::Response(429, headers, r#"{"error":{"message":"no"}}"#.into())
            }
            _ => Answer::Stream(corpus("chat", "text")),
        })
        .await;
    let wait = |seconds| format!("rate_limit_wait_seconds = {seconds}");
    let gateway = in_front_of("waits", &fake, &["ok"], &wait(5)).await;
    let begun = Instant::now();
    assert_eq!(request(&gateway.url, AG_UI, "hi").await.status(), 200);
    assert!(begun.elapsed() >= Duration::from_secs(2), "{:?}", begun.elapsed());

    let fake = statuses().await;
    for (name, path, seconds, asked) in
        [("waits_no", "limited9", 5, 1), ("waits_some", "limited1", 2, 3)]
    {
        let before = fake.asked().len();
        let gateway = in_front_of(name, &fake, &[path], &wait(seconds)).await;
        assert_eq!(request(&gateway.url, AG_UI, "hi").await.status(), 429);
        assert_eq!(fake.asked().len() - before, asked, "{name}");
    }
}

/// Models are found by name and pattern, and may have another name at their upstream. Upstreams of
/// the client's own protocol are passed through, the others converted, in the order of the list.
#[tokio::test]
async fn models_have_upstreams_of_several_protocols() {
    let fake = Fake::start(|asked| match asked.path.split('/').nth(1).unwrap() {
        "down" => Answer::Status(503, r#"{"error":{"message":"no"}}"#.into()),
        "chat" => Answer::Stream(corpus("chat", "text")),
        "responses" => Answer::Stream(corpus("responses", "custom_tool")),
        _ => Answer::Stream(corpus("anthropic", "text")),
    })
    .await;
    let config = format!(
        r#"
        [[upstreams]]
        name = "chat"
        url = "{0}/chat"
        protocol = "chat"
        key_variable = "AGENTWIRE_UPSTREAM_KEY"
        key_header = "api-key"
        headers = {{ x-team = "a" }}
        [[upstreams]]
        name = "chat-down"
        url = "{0}/down"
        protocol = "chat"
        [[upstreams]]
        name = "responses"
        url = "{0}/responses/"
        protocol = "responses"
        [[upstreams]]
        name = "responses-down"
        url = "{0}/down"
        protocol = "responses"
        [[upstreams]]
        name = "claude"
        url = "{0}/claude"
        protocol = "anthropic"
        [[models]]
        name = "gpt-*"
        upstreams = ["responses-down", "chat-down", "responses"]
        [[models]]
        name = "gpt-mini"
        upstreams = [{{ upstream = "chat", model = "mini-2026" }}]
        [[models]]
        name = "claude-*"
        upstreams = ["responses-down", {{ upstream = "claude", model = "anthropic/claude-*" }}]
        "#,
        fake.url
    );
    let folder = Folder::new("several", &[("gateway.toml", &config)]);
    let gateway = Gateway::run(&["--config", &folder.path("gateway.toml")], &[]).await;
    let ask = async |model: &str| {
        let before = fake.asked().len();
        let body = format!(r#"{{"model":"{model}","input":"TEXT","stream":true}}"#);
        let response =
            request(&gateway.url, (ProtocolKind::Responses, "/v1/responses", &body), "hi").await;
        let (status, text) = (response.status().as_u16(), response.bytes().await.unwrap());
        let asked: Vec<Asked> = fake.asked().into_iter().skip(before).collect();
        let asked: Vec<_> =
            asked.into_iter().map(|it| (it.path, it.body["model"].clone())).collect();
        (status, text, asked)
    };
    let sent = |path: &str, model: &str| (path.to_owned(), json!(model));
    let (status, bytes, asked) = ask("gpt-5").await;
    assert_eq!(
        (status, asked),
        (
            200,
            vec![
                sent("/down/responses", "gpt-5"),
                sent("/down/chat/completions", "gpt-5"),
                sent("/responses/responses", "gpt-5"),
            ]
        )
    );
    assert_eq!(bytes, corpus("responses", "custom_tool"));
    let (status, _, asked) = ask("gpt-mini").await;
    assert_eq!((status, asked), (200, vec![sent("/chat/chat/completions", "mini-2026")]));
    let headers = fake.asked().pop().unwrap().headers;
    assert_eq!(
        (&headers["x-team"], &headers["api-key"]),
        (&"a".parse().unwrap(), &crate::program::KEY.parse().unwrap())
    );
    assert!(!headers.contains_key("authorization"));
    let (status, bytes, asked) = ask("claude-x").await;
    assert_eq!(
        (status, asked),
        (
            200,
            vec![
                sent("/down/responses", "claude-x"),
                sent("/claude/v1/messages", "anthropic/claude-x")
            ]
        )
    );
    assert_legal(ProtocolKind::Responses, std::str::from_utf8(&bytes).unwrap());
    let (status, bytes, asked) = ask("llama").await;
    assert_eq!((status, asked.len()), (404, 0));
    let body: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(body["error"]["code"], "model_not_found");
}
