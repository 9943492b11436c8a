//! The gateway with a store: conversations, responses and answers survive connections and programs.

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::fake::{Answer, Fake};
use crate::program::{Folder, Gateway, until};
use crate::{corpus, endless, recorded};

const ANN: &str = "ann-0123456789abcdef";
const EVE: &str = "eve-0123456789abcdef";

/// A gateway with the keys of two clients, and its store.
struct Site {
    folder: Folder,
    upstream: String,
    protocol: &'static str,
}

impl Site {
    fn new(name: &str, upstream: &Fake) -> Self {
        let keys = format!("ann {ANN}\neve {EVE}\n");
        let folder = Folder::new(name, &[("keys", &keys)]);
        Site { folder, upstream: upstream.url.clone(), protocol: "chat" }
    }

    async fn start(&self, arguments: &[&str]) -> Gateway {
        let (keys, store) =
            (self.folder.path("keys"), format!("sqlite:{}", self.folder.path("store.sqlite")));
        let own = [
            "--upstream",
            &self.upstream,
            "--upstream-protocol",
            self.protocol,
            "--model",
            "small",
            "--client-keys",
            &keys,
            "--store",
            &store,
        ];
        Gateway::run(&[&own[..], arguments].concat(), &[]).await
    }
}

async fn call(
    gateway: &Gateway,
    method: Method,
    path: &str,
    key: &str,
    more: &[(&str, &str)],
    body: Value,
) -> Response {
    let request = reqwest::Client::new().request(method, format!("{}{path}", gateway.url));
    let request = request.header("authorization", format!("Bearer {key}"));
    let request = more.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let request = match body {
        Value::Null => request,
        body => request.header("content-type", "application/json").body(body.to_string()),
    };
    request.send().await.unwrap()
}

async fn post(gateway: &Gateway, path: &str, key: &str, body: Value) -> Response {
    call(gateway, Method::POST, path, key, &[], body).await
}

async fn get(gateway: &Gateway, path: &str, key: &str) -> Response {
    call(gateway, Method::GET, path, key, &[], Value::Null).await
}

async fn json_of(response: Response) -> Value {
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

/// A message of the Agent API in a conversation.
fn message(text: &str) -> Value {
    json!({ "session_id": "s", "input": [{ "role": "user", "content": [{ "type": "text", "text": text }] }] })
}

/// The authors of the messages that the upstream has received last.
fn roles(upstream: &Fake) -> Vec<String> {
    let asked = upstream.asked();
    let messages = asked.last().unwrap().body["messages"].as_array().unwrap().clone();
    messages.iter().map(|message| message["role"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_conversation_survives_the_program_and_belongs_to_its_client() {
    let upstream = recorded("chat").await;
    let site = Site::new("store_conversation", &upstream);
    let gateway = site.start(&[]).await;
    post(&gateway, "/process", ANN, message("text")).await.text().await.unwrap();
    assert_eq!(roles(&upstream), ["user"]);
    // The program is killed.
    drop(gateway);
    let gateway = site.start(&[]).await;
    post(&gateway, "/process", ANN, message("more")).await.text().await.unwrap();
    assert_eq!(roles(&upstream), ["user", "assistant", "user"]);
    post(&gateway, "/process", EVE, message("text")).await.text().await.unwrap();
    assert_eq!(roles(&upstream), ["user"]);
    let kit =
        json!({ "conversationId": "s", "messages": [{ "role": "user", "content": "again" }] });
    post(&gateway, "/send-message", ANN, kit).await.text().await.unwrap();
    assert_eq!(roles(&upstream), ["user", "assistant", "user", "assistant", "user"]);
}

#[tokio::test]
async fn responses_are_stored_continued_and_deleted() {
    let upstream = recorded("chat").await;
    let site = Site::new("store_responses", &upstream);
    let gateway = site.start(&[]).await;
    let first = json_of(
        post(&gateway, "/v1/responses", ANN, json!({ "model": "small", "input": "text" })).await,
    )
    .await;
    assert_eq!(first["store"], true);
    let path = format!("/v1/responses/{}", first["id"].as_str().unwrap());
    assert_eq!(json_of(get(&gateway, &path, ANN).await).await["output"], first["output"]);
    assert_eq!(get(&gateway, &path, EVE).await.status(), 404);
    let next = json!({ "model": "small", "input": "more", "previous_response_id": first["id"] });
    post(&gateway, "/v1/responses", ANN, next.clone()).await.text().await.unwrap();
    assert_eq!(roles(&upstream), ["user", "assistant", "user"]);
    assert_eq!(post(&gateway, "/v1/responses", EVE, next).await.status(), 400);
    let deleted = call(&gateway, Method::DELETE, &path, ANN, &[], Value::Null).await;
    assert_eq!(json_of(deleted).await["deleted"], true);
    assert_eq!(get(&gateway, &path, ANN).await.status(), 404);
}

#[tokio::test]
async fn an_answer_continues_without_its_client_and_ends_with_the_program() {
    let upstream = endless(5).await;
    let site = Site::new("store_resumed", &upstream);
    let mut gateway = site.start(&["--grace", "0"]).await;
    let prefer = [("prefer", "resumable")];
    let mut response = call(&gateway, Method::POST, "/process", ANN, &prefer, message("go")).await;
    let place = response.headers()["content-location"].to_str().unwrap().to_owned();
    response.chunk().await.unwrap();
    drop(response);
    let sent = upstream.sent();
    until(async || (upstream.sent() > sent + 100_000).then_some(())).await;
    assert_eq!(upstream.gone(), 0);
    assert_eq!(get(&gateway, &place, EVE).await.status(), 404);
    gateway.terminate();
    assert!(gateway.ended().await.success());
    until(async || (upstream.gone() == 1).then_some(())).await;

    let gateway = site.start(&[]).await;
    let rest = get(&gateway, &place, ANN).await;
    assert_eq!(rest.status(), 200);
    let rest = rest.text().await.unwrap();
    assert!(
        rest.contains("xxxx") && rest.contains(r#""status":"failed""#),
        "{}",
        &rest[rest.len() - 900..]
    );
    // The next message has what was written.
    let asked = upstream.asked().len();
    let next = call(&gateway, Method::POST, "/process", ANN, &prefer, message("more")).await;
    drop(next);
    until(async || (upstream.asked().len() > asked).then_some(())).await;
    assert_eq!(roles(&upstream), ["user", "assistant", "user"]);
}

/// An answer that continues without its client has no connection.
#[tokio::test]
async fn an_answer_without_its_client_takes_no_place_of_a_connection() {
    let upstream = endless(5).await;
    let site = Site::new("store_places", &upstream);
    let gateway = site.start(&["--max-connections", "1"]).await;
    let prefer = [("prefer", "resumable")];
    let mut response = call(&gateway, Method::POST, "/process", ANN, &prefer, message("go")).await;
    let place = response.headers()["content-location"].to_str().unwrap().to_owned();
    response.chunk().await.unwrap();
    drop(response);
    let client = reqwest::Client::new();
    let read = until(async || {
        let request = client.get(format!("{}{place}", gateway.url));
        // A connection that exceeds the limit is refused, or closed before its request is sent.
        let sent = request.header("authorization", format!("Bearer {ANN}")).send().await;
        sent.ok().filter(|read| read.status() == 200)
    })
    .await;
    assert_eq!(upstream.gone(), 0);
    drop(read);
}

#[tokio::test]
async fn the_tokens_of_an_answer_without_its_client_are_logged() {
    let slow = Fake::start(|_| {
        let text = corpus("chat", "text_usage");
        Answer::Stream(text)
    })
    .await;
    let site = Site::new("store_logged", &slow);
    let gateway = site.start(&[]).await;
    let body = json!({ "model": "small", "input": "text", "background": true });
    let begun = json_of(post(&gateway, "/v1/responses", ANN, body).await).await;
    let path = format!("/v1/responses/{}", begun["id"].as_str().unwrap());
    until(async || {
        let now = json_of(get(&gateway, &path, ANN).await).await;
        (now["status"] == "completed").then_some(())
    })
    .await;
    let is_answer = |line: &Value| line["method"] == "POST";
    let mut at = 0;
    let line = loop {
        let line = gateway.logged(at).await;
        if is_answer(&line) {
            break line;
        }
        at += 1;
    };
    assert_eq!((&line["user"], &line["model"]), (&"ann".into(), &"small".into()));
    assert!(line["tokens"]["output"].as_u64().unwrap() > 0, "{line}");
}

/// Bytes for an upstream of the client's protocol are passed on, except where only the store can
/// answer.
#[tokio::test]
async fn an_upstream_of_the_same_protocol_keeps_its_own_responses() {
    let upstream = Fake::start(|_| Answer::Stream(corpus("responses", "text"))).await;
    let mut site = Site::new("store_passed", &upstream);
    site.protocol = "responses";
    let gateway = site.start(&[]).await;
    let asked = |more: Value| {
        let mut body = json!({ "model": "small", "input": "text", "stream": true });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let passed = post(&gateway, "/v1/responses", ANN, asked(json!({}))).await;
    assert_eq!(passed.bytes().await.unwrap(), corpus("responses", "text"));
    let own = json!({ "previous_response_id": "resp_of_the_upstream" });
    post(&gateway, "/v1/responses", ANN, asked(own)).await.bytes().await.unwrap();
    let received = upstream.asked();
    assert_eq!(received.last().unwrap().body["previous_response_id"], "resp_of_the_upstream");
    let stored = post(&gateway, "/v1/responses", ANN, asked(json!({ "background": true }))).await;
    let text = stored.text().await.unwrap();
    let first = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let first: Value = serde_json::from_str(first).unwrap();
    let id = first["response"]["id"].as_str().unwrap().to_owned();
    assert_eq!(get(&gateway, &format!("/v1/responses/{id}"), ANN).await.status(), 200);
    let next = json!({ "previous_response_id": id });
    post(&gateway, "/v1/responses", ANN, asked(next)).await.bytes().await.unwrap();
    let input = upstream.asked().last().unwrap().body["input"].clone();
    assert!(input.as_array().unwrap().len() > 2, "{input}");
}

#[test]
fn a_store_that_cannot_be_used_is_an_error_of_the_start() {
    let run = |arguments: &[&str]| {
        let program = std::process::Command::new(env!("CARGO_BIN_EXE_agentwire"));
        let own = ["serve", "--upstream", "http://h", "--model", "m", "--listen", "127.0.0.1:0"];
        let output = { program }.args(own).args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    for (address, reason) in [
        ("nowhere", "a store has the form memory or sqlite:PATH"),
        ("sqlite:/nowhere/store.sqlite", "the store: "),
        ("postgres://u:secret@127.0.0.1:1/d", "the store cannot be used: "),
        ("redis://:secret@127.0.0.1:1", "the store cannot be used: "),
    ] {
        let (code, text) = run(&["--store", address]);
        assert!(code == Some(2) && text.contains(reason), "{address}: {text}");
        assert!(!text.contains("secret"), "{text}");
    }
    let (code, text) =
        run(&["--store", "postgres://u:secret@h:5432/d?connect_timeout=5", "--check"]);
    assert!(code == Some(0) && text.contains("postgres://h:5432/d\n"), "{text}");
    assert!(!text.contains("secret"), "{text}");
}
