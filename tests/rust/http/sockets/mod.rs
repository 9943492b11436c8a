//! Responses over WebSocket: what the client of tungstenite receives.

mod hostile;

use std::time::Duration;

use agentwire::adapters::axum::{AgentContext, AgentService, Sockets};
use agentwire::emit::{ConversationMessage, ConversationRequest, Out};
use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::routing::post;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::frame::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::http::with_server;
use crate::sockets_agent::app;

/// A client with a socket.
struct Client(WebSocketStream<TcpStream>);

impl Client {
    async fn open(url: &str) -> Self {
        Self::with_headers(url, &[]).await.unwrap()
    }

    async fn with_headers(url: &str, headers: &[(&'static str, &str)]) -> Result<Self, Error> {
        let address = url.strip_prefix("http://").unwrap();
        let mut request = format!("ws://{address}/v1/responses").into_client_request()?;
        request.headers_mut().insert("authorization", "Bearer key".parse().unwrap());
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let connection = TcpStream::connect(address).await.unwrap();
        Ok(Client(client_async(request, connection).await?.0))
    }

    async fn send(&mut self, message: impl Into<Message>) {
        self.0.send(message.into()).await.unwrap();
    }

    async fn create(&mut self, members: Value) {
        let mut event = json!({ "type": "response.create", "model": "agent" });
        event.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        self.send(event.to_string()).await;
    }

    async fn event(&mut self) -> Value {
        loop {
            match self.0.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Returns the event that ends a response.
    async fn end(&mut self) -> Value {
        loop {
            let event = self.event().await;
            let kind = event["type"].as_str().unwrap();
            if matches!(kind, "response.completed" | "response.failed" | "error") {
                return event;
            }
        }
    }

    async fn text(&mut self) -> String {
        let end = self.end().await;
        let text = &end["response"]["output"][0]["content"][0]["text"];
        text.as_str().unwrap_or_else(|| panic!("{end}")).to_owned()
    }

    async fn ask(&mut self, input: &str) -> String {
        self.create(json!({ "input": input })).await;
        self.text().await
    }

    /// Reads to the close frame, and returns its code.
    async fn closed(&mut self) -> u16 {
        loop {
            if let Message::Close(frame) = self.0.next().await.unwrap().unwrap() {
                return frame.map_or(0, |CloseFrame { code, .. }| code.into());
            }
        }
    }
}

async fn with_sockets(work: impl AsyncFnOnce(String)) {
    with_server(app().0, work).await;
}

/// Waits until so many endless answers were dropped.
async fn dropped(client: &mut Client, number: usize) {
    while client.ask("dropped").await != number.to_string() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_response_continues_the_last_one_of_its_lane() {
    with_sockets(async |url| {
        let mut client = Client::open(&url).await;
        client.create(json!({ "input": "hi" })).await;
        let first = client.end().await;
        assert_eq!(first["response"]["store"], false);
        let previous = &first["response"]["id"];
        client.create(json!({ "input": "texts", "previous_response_id": previous })).await;
        assert_eq!(client.text().await, r#"["hi","You said: hi","texts"]"#);
        // Only the last one is kept, and only for its lane.
        for lane in [Value::Null, "other".into()] {
            let asked =
                json!({ "input": "x", "previous_response_id": previous, "stream_id": lane });
            client.create(asked).await;
            let refused = client.end().await;
            assert_eq!(refused["status"], 400);
            assert_eq!(refused["error"]["code"], "previous_response_not_found");
            assert_eq!(refused["stream_id"], lane);
        }
        // The refusal has removed it.
        client.create(json!({ "input": "first", "generate": false })).await;
        let prepared = client.end().await;
        assert_eq!(prepared["response"]["output"], json!([]));
        let previous = &prepared["response"]["id"];
        client.create(json!({ "input": "texts", "previous_response_id": previous })).await;
        assert_eq!(client.text().await, r#"["first","texts"]"#);
    })
    .await;
}

#[tokio::test]
async fn a_conversation_on_a_socket_has_the_limit_of_a_body() {
    let service = AgentService::new(async |out: Out, request: ConversationRequest, _| {
        out.text(&request.messages().len().to_string()).await;
        Ok(())
    });
    with_server(Router::new().fallback_service(service), async |url| {
        let mut client = Client::open(&url).await;
        let text = "x".repeat(900 << 10);
        let mut previous = Value::Null;
        let mut answers = Vec::new();
        for _ in 0..3 {
            client.create(json!({ "input": &text, "previous_response_id": previous })).await;
            let end = client.end().await;
            previous = end["response"]["id"].clone();
            answers.push(end["error"]["code"].as_str().unwrap_or("").to_owned());
        }
        assert_eq!(answers, ["", "", "body_too_long"]);
    })
    .await;
}

#[tokio::test]
async fn a_message_is_refused_and_the_socket_stays_open() {
    with_sockets(async |url| {
        let mut client = Client::open(&url).await;
        let deep = "[".repeat(2000);
        for (message, code) in [
            ("{", "invalid_json"),
            ("", "invalid_json"),
            (&*deep, "invalid_json"),
            ("[]", "unknown_event"),
            ("5", "unknown_event"),
            (r#"{"type":"response.unheard"}"#, "unknown_event"),
            (r#"{"type":"response.create","model":"m","input":5}"#, "string_type"),
        ] {
            client.send(message).await;
            let error = client.end().await;
            assert_eq!((&error["type"], &error["status"]), (&json!("error"), &json!(400)));
            assert_eq!(error["error"]["type"], "invalid_request_error");
            assert_eq!(error["error"]["code"], code, "{message}: {error}");
        }
        client
            .send(r#"{"type":"response.steer","previous_response_id":"r","input":"Shorter."}"#)
            .await;
        let failed = client.event().await;
        assert_eq!(failed["type"], "response.steer.failed");
        assert_eq!(failed["error"]["code"], "steering_not_supported");
        assert_eq!(failed["steer"], json!({ "previous_response_id": "r", "input": "Shorter." }));
        assert_eq!(client.ask("here").await, "You said: here");
    })
    .await;
}

#[tokio::test]
async fn a_lane_has_one_response_and_a_socket_as_many_as_its_limit() {
    with_sockets(async |url| {
        let mut client = Client::open(&url).await;
        for lane in ["a", "b", "a", "c"] {
            client.create(json!({ "input": "wait", "stream_id": lane })).await;
        }
        let mut ends = Vec::new();
        for _ in 0..4 {
            let end = client.end().await;
            let code = end["error"]["code"].as_str().unwrap_or("").to_owned();
            ends.push((end["stream_id"].as_str().unwrap().to_owned(), code));
        }
        ends.sort();
        let expected =
            [("a", ""), ("a", "response_in_progress"), ("b", ""), ("c", "too_many_responses")];
        assert_eq!(ends, expected.map(|(lane, code)| (lane.to_owned(), code.to_owned())));
    })
    .await;
}

#[tokio::test]
async fn a_client_that_leaves_stops_its_responses() {
    with_sockets(async |url| {
        let mut watching = Client::open(&url).await;
        let mut client = Client::open(&url).await;
        for lane in ["a", "b"] {
            client.create(json!({ "input": "endless", "stream_id": lane })).await;
        }
        while client.event().await["stream_id"] != "b" {}
        // Without a close frame.
        drop(client);
        dropped(&mut watching, 2).await;
    })
    .await;
}

#[tokio::test]
async fn an_agent_that_panics_fails_and_a_service_that_panics_closes_the_socket() {
    with_sockets(async |url| {
        let mut client = Client::open(&url).await;
        client.create(json!({ "input": "panic" })).await;
        assert_eq!(client.end().await["type"], "response.failed");
        assert_eq!(client.ask("here").await, "You said: here");
    })
    .await;
    let panics = async || -> &'static str { panic!("the service of the test panics") };
    let service: Router = Router::new().route("/v1/responses", post(panics));
    let open = async |request| Sockets::default().respond(request, service);
    with_server(Router::new().fallback(open), async |url| {
        let mut client = Client::open(&url).await;
        client.create(json!({ "input": "hi" })).await;
        assert_eq!(client.closed().await, 1011);
    })
    .await;
}

#[tokio::test]
async fn a_response_that_is_no_stream_or_has_no_end_is_an_error() {
    for (status, body, expected) in [
        (200, "", json!({ "type": "server_error", "code": "server_error" })),
        (200, "data: {\"type\":\"response.created\"}\n\n", json!({ "type": "server_error" })),
        (
            200,
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"code\":\"own\"}}\n\n",
            json!({ "code": "own" }),
        ),
        (503, "busy", json!({ "type": "server_error", "message": "busy", "code": null })),
        (404, r#"{"error":{"code":"gone"}}"#, json!({ "code": "gone" })),
    ] {
        let answer = async move || (StatusCode::from_u16(status).unwrap(), body);
        let service: Router = Router::new().route("/v1/responses", post(answer));
        let open = async |request| Sockets::default().respond(request, service);
        with_server(Router::new().fallback(open), async |url| {
            let mut client = Client::open(&url).await;
            for _ in 0..2 {
                client.create(json!({ "input": "hi" })).await;
                let error = client.end().await;
                for (name, value) in expected.as_object().unwrap() {
                    assert_eq!(&error["error"][name], value, "{error}");
                }
                if body.starts_with("event") {
                    assert_eq!(error["status"], Value::Null);
                } else {
                    assert_eq!(error["status"], if status == 200 { 500 } else { status });
                }
            }
        })
        .await;
    }
}

#[tokio::test]
async fn sockets_close_after_their_responses() {
    let (app, sockets) = app();
    with_server(app, async |url| {
        let mut idle = Client::open(&url).await;
        let mut client = Client::open(&url).await;
        client.create(json!({ "input": "endless" })).await;
        client.event().await;
        let closing = tokio::spawn({
            let sockets = sockets.clone();
            async move { sockets.close().await }
        });
        assert_eq!(idle.closed().await, 1001);
        client.create(json!({ "input": "late", "stream_id": "late" })).await;
        let refused = loop {
            let event = client.event().await;
            if event["stream_id"] == "late" {
                break event;
            }
        };
        assert_eq!(
            (&refused["status"], &refused["error"]["code"]),
            (&json!(503), &json!("server_stopping"))
        );
        assert!(!closing.is_finished());
        let refused = Client::with_headers(&url, &[]).await.err().unwrap();
        assert!(matches!(refused, Error::Http(response) if response.status() == 503));
        drop((client, idle));
        closing.await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_handshake_is_refused_with_a_reason() {
    with_sockets(async |url| {
        let own = url.as_str();
        for (origin, is_open) in [
            (own, true),
            ("http://evil.example", false),
            ("https://127.0.0.1", false),
            ("null", false),
        ] {
            match Client::with_headers(own, &[("origin", origin)]).await {
                Ok(mut client) => assert!(is_open && client.ask("hi").await == "You said: hi"),
                Err(Error::Http(response)) => assert!(!is_open && response.status() == 403),
                Err(other) => panic!("{other}"),
            }
        }
        let refused = Client::with_headers(own, &[("sec-websocket-version", "12")]).await;
        let Some(Error::Http(response)) = refused.err() else { panic!("it is open") };
        assert_eq!(response.status(), 400);
        assert_eq!(response.headers()["sec-websocket-version"], "13");
        let error: Value = serde_json::from_slice(response.body().as_ref().unwrap()).unwrap();
        assert_eq!(error["error"]["code"], "handshake_invalid");
        let get = reqwest::Client::new().get(format!("{url}/v1/responses"));
        let response = get.header("authorization", "Bearer key").send().await.unwrap();
        assert_eq!(response.status(), 405);
    })
    .await;
}

#[tokio::test]
async fn a_connection_without_upgrades_is_refused() {
    let service = AgentService::new(async |_, _, _| Ok("never"));
    let request = Request::get("/v1/responses").header("upgrade", "websocket");
    let response = service.respond(request.body("".into()).unwrap()).await;
    assert_eq!(response.status(), 426);
    assert_eq!(response.headers()["upgrade"], "websocket");
}

/// What a middleware adds to a request.
#[derive(Clone)]
struct User(String);

#[tokio::test]
async fn each_request_has_the_headers_and_the_extensions_of_the_handshake() {
    let service = AgentService::new(async |out: Out, _, context: AgentContext| {
        let headers = context.http.headers;
        let names = ["x-own", "upgrade", "connection", "sec-websocket-key", "content-type"];
        let values =
            names.map(|name| headers.get(name).map_or("", |value| value.to_str().unwrap()));
        out.text(&format!("{} {} {values:?}", context.user.unwrap(), context.http.method)).await;
        Ok(())
    })
    .user(|request| request.extensions().get::<User>().map(|User(name)| name.clone()))
    .sockets(Sockets::default());
    let identify = async |mut request: Request, next: Next| {
        request.extensions_mut().insert(User("ann".into()));
        next.run(request).await
    };
    let app = Router::new().fallback_service(service).layer(from_fn(identify));
    with_server(app, async |url| {
        let mut client = Client::with_headers(&url, &[("x-own", "1")]).await.unwrap();
        let expected = r#"ann POST ["1", "", "", "", "application/json"]"#;
        assert_eq!(client.ask("hi").await, expected);
        assert_eq!(client.ask("again").await, expected);
    })
    .await;
}

/// An agent with a store, without users.
#[cfg(feature = "store")]
#[tokio::test]
async fn a_stored_response_continues_on_another_socket() {
    let agent = async |out: Out, request: ConversationRequest, _| {
        let texts: Vec<_> = request.messages().iter().map(ConversationMessage::text).collect();
        out.text(&texts.join(", ")).await;
        Ok(())
    };
    let service = AgentService::new(agent).store(agentwire::stores::MemoryStore::default());
    with_server(Router::new().fallback_service(service), async |url| {
        let mut client = Client::open(&url).await;
        client.create(json!({ "input": "one" })).await;
        let first = client.end().await;
        assert_eq!(first["response"]["store"], true, "{first}");
        let mut other = Client::open(&url).await;
        let asked =
            |end: &Value| json!({ "input": "two", "previous_response_id": end["response"]["id"] });
        other.create(asked(&first)).await;
        assert_eq!(other.text().await, "one, one, two");
        // What is not stored continues on its socket only.
        client.create(json!({ "input": "one", "store": false })).await;
        let kept = client.end().await;
        other.create(asked(&kept)).await;
        assert_eq!(other.end().await["error"]["code"], "previous_response_not_found");
        client.create(asked(&kept)).await;
        assert_eq!(client.text().await, "one, one, two");
    })
    .await;
}
