//! Upstreams that refuse, fail, compress, mislabel or do not stream their answers, and their URLs.

use std::io::Write as _;
use std::time::{Duration, Instant};

use agentwire::ProtocolKind;
use agentwire::agent_api::request::{AgentRequest, InputMessage};
use agentwire::model::{CallError, Model, call_model};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use crate::fake::{Answer, Asked, Fake};
use crate::program::{CLIENTS, Content, Gateway, KEY, ask, assert_legal, refused, request, shown};
use crate::{AG_UI, corpus, error_of, text_of};

/// A request for one object instead of a stream.
const WHOLE: (ProtocolKind, &str, &str) =
    (ProtocolKind::Responses, "/v1/responses", r#"{"model":"other","input":"TEXT"}"#);

/// The clients whose requests have a status of their own: a task of A2A fails in its stream.
fn with_status() -> impl Iterator<Item = (ProtocolKind, &'static str, &'static str)> {
    CLIENTS.into_iter().filter(|client| client.0 != ProtocolKind::A2a).chain([WHOLE])
}

fn error(message: &str) -> String {
    format!(r#"{{"error":{{"message":"{message}","code":"x"}}}}"#)
}

#[tokio::test]
async fn the_status_of_the_upstream_is_that_of_the_response() {
    const DATE: &str = "Wed, 21 Oct 2026 07:28:00 GMT";
    let fake = Fake::start(|asked| {
        let (status, after) =
            text_of(asked).split_once('/').map(|(s, a)| (s.parse().unwrap(), a.into())).unwrap();
        let headers = vec![("content-type", "application/json".into()), ("retry-after", after)];
        Answer::Response(status, headers, error(&format!("too long, or a wrong key: {KEY}")).into())
    })
    .await;
    let gateway = Gateway::start(&fake.url, &["--model", "small"]).await;
    for status in [400, 401, 403, 404, 413, 422, 429, 500, 502, 503, 504, 529] {
        for client in with_status() {
            let (answered, code, message, after) =
                refused(&gateway.url, client, &format!("{status}/7")).await;
            // A client of OpenAI decides by the code, which is that of the upstream.
            let of_openai = client.0 == ProtocolKind::Responses;
            let expected = if of_openai { "x".into() } else { format!("upstream_{status}") };
            assert_eq!((answered, code), (status, expected), "{:?}", client.0);
            assert_eq!(after.as_deref(), Some("7"));
            match status {
                // The text about a key can contain a part of it.
                401 => assert_eq!(message, "the upstream answered 401 Unauthorized"),
                _ => assert_eq!(message, "too long, or a wrong key: ***"),
            }
        }
    }
    for (after, copied) in [
        ("0", true),
        (DATE, true),
        ("-1", false),
        ("soon", false),
        ("1.5", false),
        ("+3", false),
        ("9e9", false),
    ] {
        let (_, _, _, value) = refused(&gateway.url, AG_UI, &format!("503/{after}")).await;
        assert_eq!(value.as_deref(), copied.then_some(after), "{after}");
    }
    let a2a = CLIENTS[4];
    let (_, message) = error_of(a2a.0, &ask(&gateway.url, a2a, "429/7").await);
    assert_eq!(message, "too long, or a wrong key: ***");
    let line = gateway.logged(0).await;
    assert_eq!((&line["upstream"], &line["status"]), (&400.into(), &400.into()));
    assert_eq!((&line["error"], &line["end"]), (&"upstream_400".into(), &"complete".into()));
    assert!(!gateway.log().concat().contains(KEY));
}

#[tokio::test]
async fn an_upstream_that_does_not_answer_has_a_status() {
    let fake = Fake::start(|asked| match &*text_of(asked) {
        "silent" => Answer::Silent,
        "redirect" => {
            Answer::Response(307, vec![("location", "http://127.0.0.1:1/".into())], vec![])
        }
        "broken" => Answer::Broken(b"\n\n".to_vec()),
        _ => Answer::Dribble(500),
    })
    .await;
    let gateway = Gateway::start(&fake.url, &["--model", "small", "--timeout", "1"]).await;
    let gone = Gateway::start("http://127.0.0.1:1/v1", &["--model", "small"]).await;
    for client in with_status() {
        let found = refused(&gone.url, client, "x").await;
        assert_eq!((found.0, &*found.1), (502, "upstream_unreachable"));
        for (text, status, code) in [
            ("silent", 504, "upstream_timeout"),
            ("redirect", 502, "upstream_307"),
            ("broken", 502, "upstream_cut_off"),
        ] {
            let found = refused(&gateway.url, client, text).await;
            assert_eq!((found.0, &*found.1), (status, code), "{:?}", client.0);
        }
    }
    // The body of an error that dribbles does not hold the request.
    let begun = Instant::now();
    assert_eq!(refused(&gateway.url, AG_UI, "dribble").await.0, 500);
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
}

/// The path is before the query of the base URL, and the name of a model cannot leave its place in
/// the path.
#[tokio::test]
async fn the_base_url_may_have_a_query() {
    let fake = Fake::start(|_| Answer::Stream(corpus("chat", "text"))).await;
    let request = AgentRequest::new(vec![InputMessage::user("hi")]);
    let asked = async |protocol, below: &str, name: &str| {
        let model = Model::new(protocol, format!("{}{below}", fake.url)).unwrap().name(name);
        drop(call_model(&model, &request).await.unwrap());
        let Asked { path, query, .. } = fake.asked().pop().unwrap();
        format!("{path}?{}", query.unwrap_or_default())
    };
    use ProtocolKind::{AgUi, Anthropic, Chat, Gemini, Interactions, Responses};
    for (protocol, below, name, expected) in [
        (Chat, "", "m", "/chat/completions?"),
        (Chat, "/", "m", "/chat/completions?"),
        (Chat, "/d?api-version=1", "m", "/d/chat/completions?api-version=1"),
        (Chat, "/d/?api-version=1&b=%20c", "m", "/d/chat/completions?api-version=1&b=%20c"),
        (Chat, "/d?api-version=1#top", "m", "/d/chat/completions?api-version=1"),
        (Chat, "/a%2Fb?x", "m", "/a%2Fb/chat/completions?x"),
        (Responses, "/v1?a=/b", "m", "/v1/responses?a=/b"),
        (Anthropic, "?a=1", "m", "/v1/messages?a=1"),
        (Gemini, "/v1beta?key=k", "m", "/v1beta/models/m:streamGenerateContent?key=k&alt=sse"),
        (Gemini, "/v1beta/?alt=json", "m", "/v1beta/models/m:streamGenerateContent?alt=sse"),
        (
            Gemini,
            "",
            "../../v1/files?x=#",
            "/models/..%2F..%2Fv1%2Ffiles%3Fx=%23:streamGenerateContent?alt=sse",
        ),
        (Gemini, "", "%2e%2e/é", "/models/%252e%252e%2F%C3%A9:streamGenerateContent?alt=sse"),
        (Interactions, "/v1beta?a=b", "m", "/v1beta/interactions?a=b"),
        (AgUi, "/agent/?x=1", "m", "/agent/?x=1"),
    ] {
        assert_eq!(asked(protocol, below, name).await, expected, "{below}");
    }
    // The name of the request, if the model has none.
    let mut named = request.clone();
    named.model = Some("a/b".into());
    let gemini = Model::new(Gemini, &fake.url).unwrap();
    drop(call_model(&gemini, &named).await.unwrap());
    assert_eq!(fake.asked().pop().unwrap().path, "/models/a%2Fb:streamGenerateContent");
    let Err(CallError::Usage(missing)) = call_model(&gemini, &request).await else {
        panic!("no name")
    };
    assert_eq!(missing.code, "model-missing");
    for url in [
        "api.openai.com",
        "api.openai.com:443/v1",
        "localhost:1",
        "/v1",
        "",
        "ftp://h",
        "http://u:p@h",
    ] {
        assert_eq!(Model::new(Chat, url).unwrap_err().code, "url-invalid", "{url}");
    }
    let secret = Model::new(Chat, "https://h/v1?api-key=secret").unwrap().key("secret").unwrap();
    assert!(!format!("{secret:?}").contains("secret"), "{secret:?}");
}

/// A key is sent to the server of the URL only.
#[tokio::test]
async fn redirects_are_not_followed() {
    let other = Fake::start(|_| Answer::Stream(corpus("chat", "text"))).await;
    let target = other.url.clone();
    let fake = Fake::start(move |asked| {
        Answer::Response(
            text_of(asked).parse().unwrap(),
            vec![("location", target.clone())],
            vec![],
        )
    })
    .await;
    for status in [301, 302, 303, 307, 308] {
        let model =
            Model::new(ProtocolKind::Anthropic, &fake.url).unwrap().name("m").key(KEY).unwrap();
        let request = AgentRequest::new(vec![InputMessage::user(status.to_string())]);
        let refused = call_model(&model, &request).await.map(drop).unwrap_err();
        assert_eq!(refused.status(), Some(status));
    }
    assert!(other.asked().is_empty());
}

/// Compresses a body with a content coding.
fn compressed(coding: &str, body: &[u8]) -> Vec<u8> {
    let level = Compression::default();
    match coding {
        "gzip" | "x-gzip" | "GZIP" => {
            // Two members.
            let (first, second) = body.split_at(body.len() / 2);
            let member = |part: &[u8]| {
                let mut encoder = GzEncoder::new(Vec::new(), level);
                encoder.write_all(part).unwrap();
                encoder.finish().unwrap()
            };
            [member(first), member(second)].concat()
        }
        "deflate" => {
            let mut encoder = ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(body).unwrap();
            encoder.finish().unwrap()
        }
        "raw" => {
            let mut encoder = DeflateEncoder::new(Vec::new(), level);
            encoder.write_all(body).unwrap();
            encoder.finish().unwrap()
        }
        _ => body.to_vec(),
    }
}

#[tokio::test]
async fn compressed_answers_are_read() {
    let fake = Fake::start(|asked| {
        let text = text_of(asked);
        let (status, coding, form) = match text.split('/').collect::<Vec<_>>()[..] {
            [status, coding, form] => (status.parse().unwrap(), coding.to_owned(), form.to_owned()),
            _ => panic!("{text}"),
        };
        let body =
            if status == 200 { corpus("chat", "unicode") } else { error("too long").into_bytes() };
        let mut body = compressed(if coding == "deflate" { &form } else { &coding }, &body);
        match &*form {
            "cut" => body.truncate(body.len() / 2 + 20),
            "damaged" => body[12..].fill(0xff),
            "unnamed" => {
                return Answer::Response(status, vec![("content-type", "text/plain".into())], body);
            }
            _ => {}
        }
        let kind = if status == 200 { "text/event-stream" } else { "application/json" };
        Answer::Response(
            status,
            vec![("content-type", kind.into()), ("content-encoding", coding)],
            body,
        )
    })
    .await;
    let gateway = Gateway::start(&fake.url, &["--model", "small"]).await;
    let plain =
        Content::of(ProtocolKind::AgUi, ask(&gateway.url, AG_UI, "200/identity/").await.as_bytes());
    for coding in
        ["200/gzip/", "200/x-gzip/", "200/GZIP/", "200/deflate/deflate", "200/deflate/raw"]
    {
        let answer = ask(&gateway.url, AG_UI, coding).await;
        assert_eq!(Content::of(ProtocolKind::AgUi, answer.as_bytes()), plain, "{coding}");
    }
    assert_eq!(fake.asked()[0].headers["accept-encoding"], "identity");
    let (status, _, message, _) = refused(&gateway.url, AG_UI, "400/gzip/").await;
    assert_eq!((status, &*message), (400, "too long"));
    for (coding, said) in [
        ("200/zstd/", "the content coding zstd, which is not supported"),
        ("200/gzip, gzip/", "the content coding gzip, gzip, which is not supported"),
        ("200/gzip/unnamed", "with text/plain instead of a stream"),
    ] {
        let (status, code, message, _) = refused(&gateway.url, AG_UI, coding).await;
        assert_eq!((status, &*code), (502, "upstream_200"), "{coding}");
        assert!(message.contains(said), "{coding}: {message}");
    }
    for coding in ["200/gzip/cut", "200/gzip/damaged"] {
        let answer = request(&gateway.url, AG_UI, coding).await.text().await.unwrap();
        assert!(answer.contains("the answer of the upstream broke off"), "{coding}: {answer}");
    }
}

#[tokio::test]
async fn a_compressed_answer_is_limited() {
    let line = [b":".as_slice(), &[b'x'; 65_534], b"\n"].concat();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    (0..4200).for_each(|_| encoder.write_all(&line).unwrap());
    let bomb = encoder.finish().unwrap();
    let fake = Fake::start(move |_| {
        let headers = [("content-type", "text/event-stream"), ("content-encoding", "gzip")];
        Answer::Response(
            200,
            headers.map(|(name, value)| (name, value.to_owned())).into(),
            bomb.clone(),
        )
    })
    .await;
    let model = Model::new(ProtocolKind::Chat, &fake.url).unwrap().name("m");
    let request = AgentRequest::new(vec![InputMessage::user("hi")]);
    let mut run = call_model(&model, &request).await.unwrap().read();
    let failed = loop {
        match run.next_changes().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the whole answer was read"),
            Err(error) => break error,
        }
    };
    assert!(failed.to_string().contains("268435456 bytes"), "{failed}");
}

/// The bytes of a body decide whether it is an answer, and not its content type.
#[tokio::test]
async fn mislabelled_streams_are_read_and_pages_are_not() {
    let fake = Fake::start(|asked| {
        let text = text_of(asked);
        let (kind, body) = text.split_once('|').unwrap();
        let body = if body == "stream" { corpus("chat", "text") } else { body.into() };
        let kind =
            [("content-type", kind.to_owned())].into_iter().filter(|(_, kind)| !kind.is_empty());
        Answer::Response(200, kind.collect(), body)
    })
    .await;
    let gateway = Gateway::start(&fake.url, &["--model", "small"]).await;
    let kinds = [
        "text/event-stream",
        "application/json",
        "text/plain; charset=utf-8",
        "text/html",
        "",
        "image/png",
    ];
    let answers = kinds.map(async |kind| ask(&gateway.url, AG_UI, &format!("{kind}|stream")).await);
    let mut contents = Vec::new();
    for answer in answers {
        contents.push(Content::of(ProtocolKind::AgUi, answer.await.as_bytes()));
    }
    assert!(contents.iter().all(|content| *content == contents[0]), "{contents:?}");
    for (text, said) in [
        ("text/html|<html>Log in</html>", "with text/html instead of a stream"),
        ("application/json|<!doctype html>", "with application/json instead of a stream"),
        ("text/plain|Log in", "with text/plain instead of a stream"),
        ("|Log in", "with a text instead of a stream"),
    ] {
        for client in with_status() {
            let (status, _, message, _) = refused(&gateway.url, client, text).await;
            assert_eq!(status, 502, "{text}");
            assert!(message.contains(said), "{text}: {message}");
        }
    }
}

/// An A2A agent that refuses streams receives the message without streaming, and its task is
/// requested until it has ended.
#[tokio::test]
async fn agents_without_streaming_are_called() {
    let fake = Fake::start(|asked| {
        let text = asked.body["params"]["message"]["parts"][0]["text"]
            .as_str()
            .unwrap_or("running")
            .to_owned();
        let refused = r#"{"jsonrpc":"2.0","id":1,"error":{"code":CODE,"message":"no"}}"#;
        let task = |state: &str| {
            format!(
                r#"{{"id":"t1","contextId":"c1","status":{{"state":"{state}"}},
                    "artifacts":[{{"artifactId":"a","parts":[{{"text":"Hello"}}]}}]}}"#
            )
        };
        let result = |result: String| {
            Answer::Status(200, format!("{{\"jsonrpc\":\"2.0\",\n\"id\":1,\"result\":{result}}}"))
        };
        match (asked.body["method"].as_str().unwrap(), &*text) {
            ("SendStreamingMessage", "event") => {
                let error = refused.replace("CODE", "-32004");
                Answer::Stream(format!("event: message\ndata: {error}\n\n").into())
            }
            ("SendStreamingMessage", "status") => {
                Answer::Status(400, refused.replace("CODE", "-32004"))
            }
            ("SendStreamingMessage", "unknown") => {
                Answer::Status(200, refused.replace("CODE", "-32601"))
            }
            ("SendStreamingMessage", "invalid") => {
                Answer::Status(400, refused.replace("CODE", "-32602"))
            }
            ("SendStreamingMessage", _) => Answer::Status(200, refused.replace("CODE", "-32004")),
            ("SendMessage", "running") => {
                result(format!(r#"{{"task":{}}}"#, task("TASK_STATE_WORKING")))
            }
            ("SendMessage", "message") => result(
                r#"{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"Hello"}]}}"#
                    .into(),
            ),
            ("SendMessage", _) => result(format!(r#"{{"task":{}}}"#, task("TASK_STATE_COMPLETED"))),
            ("GetTask", _) => result(task("TASK_STATE_COMPLETED")),
            other => panic!("{other:?}"),
        }
    })
    .await;
    let gateway = Gateway::start(&fake.url, &["--upstream-protocol", "a2a"]).await;
    for text in ["plain", "event", "status", "unknown", "running", "message"] {
        for client in CLIENTS {
            let answer = ask(&gateway.url, client, text).await;
            assert_legal(client.0, &answer);
            let snapshot = shown(client.0, answer.as_bytes()).snapshot;
            assert!(snapshot.to_json().contains("Hello"), "{text}: {answer}");
        }
    }
    assert_eq!(refused(&gateway.url, AG_UI, "invalid").await.0, 400);
}
