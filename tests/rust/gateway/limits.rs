//! Clients that take the gateway's time, connections and memory.

use std::time::{Duration, Instant};

use agentwire::ProtocolKind;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::fake::Fake;
use crate::hosts::status;
use crate::program::{CLIENTS, Gateway, request, until};
use crate::{AG_UI, endless, recorded};

async fn gateway(upstream: &Fake, arguments: &[&str]) -> (Gateway, String) {
    let gateway = Gateway::start(&upstream.url, &[&["--model", "m"], arguments].concat()).await;
    let address = gateway.url.strip_prefix("http://").unwrap().to_owned();
    (gateway, address)
}

/// Sends bytes, one each 100 milliseconds after the first ones, until the gateway closes. Returns
/// the response, and how long it took.
async fn held(address: &str, first: &str, slow: bool) -> (String, Duration) {
    let begun = Instant::now();
    let (mut read, mut write) = TcpStream::connect(address).await.unwrap().into_split();
    write.write_all(first.as_bytes()).await.unwrap();
    let sending = tokio::spawn(async move {
        while slow && write.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // The connection stays open.
        tokio::time::sleep(Duration::from_secs(60)).await;
    });
    let mut response = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(15), read.read_to_end(&mut response)).await;
    sending.abort();
    assert!(read.is_ok(), "{first:?} was not closed");
    (String::from_utf8_lossy(&response).into_owned(), begun.elapsed())
}

#[tokio::test]
async fn unfinished_requests_are_closed() {
    let fake = recorded("chat").await;
    let (_gateway, address) = gateway(&fake, &["--head-timeout", "1", "--body-timeout", "2"]).await;
    for (first, slow) in [
        ("", false),
        ("POST /ag-ui HTTP/1.1\r\nHost: localhost\r\nX: ", false),
        ("POST /ag-ui HTTP/1.1\r\nHost: localhost\r\nX: ", true),
        // An idle connection after a response.
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", false),
    ] {
        let (_, elapsed) = held(&address, first, slow).await;
        assert!(elapsed < Duration::from_secs(4), "{first}: {elapsed:?}");
    }
    for (protocol, path, _) in CLIENTS {
        for length in ["Content-Length: 1000", "Transfer-Encoding: chunked"] {
            for slow in [false, true] {
                let head = format!(
                    "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{length}"
                );
                let body = if length.starts_with('T') { "3e8\r\n{" } else { "{" };
                let (response, elapsed) =
                    held(&address, &format!("{head}\r\n\r\n{body}"), slow).await;
                assert!(response.starts_with("HTTP/1.1 408 "), "{protocol:?}: {response}");
                assert!(elapsed < Duration::from_secs(6), "{elapsed:?}");
                let member = match protocol {
                    ProtocolKind::Responses => r#""code":"body_timeout""#,
                    ProtocolKind::A2a => r#""error":{"code":-32600"#,
                    _ => r#""code":"body_timeout""#,
                };
                assert!(response.contains(member), "{response}");
            }
        }
    }
    assert!(fake.asked().is_empty());
}

#[tokio::test]
async fn connections_are_limited() {
    let fake = endless(20).await;
    let (gateway, address) =
        gateway(&fake, &["--max-connections", "3", "--head-timeout", "1"]).await;
    let mut running = Vec::new();
    for _ in 0..3 {
        let response = request(&gateway.url, AG_UI, "go").await;
        assert_eq!(response.status(), 200);
        running.push(response);
    }
    let mut refused = TcpStream::connect(&address).await.unwrap();
    let mut response = String::new();
    refused.read_to_string(&mut response).await.unwrap();
    assert!(
        response.starts_with("HTTP/1.1 503 ") && response.contains("retry-after: 1\r\n"),
        "{response}"
    );
    let (_, body) = response.split_once("\r\n\r\n").unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(body).is_ok(), "{body}");
    // A connection that ends has made place.
    running.pop();
    until(async || {
        let health = reqwest::get(format!("{}/healthz", gateway.url)).await;
        health.is_ok_and(|health| health.status() == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected() {
    let fake = endless(0).await;
    let (gateway, _) = gateway(&fake, &["--write-timeout", "1"]).await;
    let response = request(&gateway.url, AG_UI, "go").await;
    until(async || (fake.gone() == 1).then_some(())).await;
    assert_eq!(gateway.logged(0).await["end"], "disconnected");
    drop(response);
}

const CHAT: (ProtocolKind, &str, &str) = (
    ProtocolKind::Chat,
    "/v1/chat/completions",
    r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"TEXT"}]}"#,
);

const ANTHROPIC: (ProtocolKind, &str, &str) = (
    ProtocolKind::Anthropic,
    "/v1/messages",
    r#"{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"TEXT"}]}"#,
);

/// The buffers of a stream are bounded, also those of the connection to the upstream.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_that_does_not_read_holds_little_memory() {
    // A program without optimization takes somewhat more than one with it. With the usual buffers
    // of an HTTP client, a stream takes 600 KB.
    for (client, most) in [(CHAT, 100 << 10), (AG_UI, 140 << 10), (ANTHROPIC, 140 << 10)] {
        let each = held_by(client).await;
        assert!(each < most, "{:?}: {each} bytes", client.0);
    }
}

/// Returns the memory of the gateway for each client that has stopped reading an endless answer.
#[cfg(target_os = "linux")]
async fn held_by(client: (ProtocolKind, &str, &str)) -> u64 {
    const CLIENTS: u64 = 100;
    let fake = endless(0).await;
    let (gateway, _) = gateway(&fake, &[]).await;
    let mut open = vec![request(&gateway.url, client, "go").await];
    let before = gateway.memory();
    for _ in 0..CLIENTS {
        let mut response = request(&gateway.url, client, "go").await;
        response.chunk().await.unwrap();
        open.push(response);
    }
    let mut last = 0;
    let held = until(async || {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = gateway.memory();
        (std::mem::replace(&mut last, now) == now).then_some(now)
    })
    .await;
    held.saturating_sub(before) / CLIENTS
}

/// The text of a converted answer is not kept, unless the protocol of the client repeats it.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_long_answer_takes_as_much_memory_as_a_short_one() {
    const LENGTH: usize = 40 << 20;
    let fake = endless(0).await;
    for client in [AG_UI, ANTHROPIC] {
        let (gateway, _) = gateway(&fake, &[]).await;
        let mut response = request(&gateway.url, client, "go").await;
        let mut read = async |length: usize| {
            let mut came = 0;
            while came < length {
                came += response.chunk().await.unwrap().unwrap().len();
            }
        };
        read(1 << 20).await;
        let before = gateway.memory();
        read(LENGTH).await;
        let grown = gateway.memory().saturating_sub(before);
        assert!(grown < 4 << 20, "{:?}: {grown} bytes", client.0);
    }
}

#[tokio::test]
async fn bodies_are_limited_and_have_to_be_json() {
    let fake = recorded("chat").await;
    let (gateway, address) = gateway(&fake, &["--max-body-bytes", "5000000"]).await;
    let post = async |path: &str, kind: &str, body: String| {
        let asked = reqwest::Client::new().post(format!("{}{path}", gateway.url));
        asked.header("content-type", kind).body(body).send().await.unwrap().status().as_u16()
    };
    for (_, path, body) in CLIENTS.into_iter().chain([(ProtocolKind::AiSdk, "/api/chat", "{}")]) {
        for kind in [
            "text/plain",
            "text/plain;application/json",
            "application/jsonx",
            "multipart/form-data",
            "",
        ] {
            assert_eq!(post(path, kind, body.into()).await, 415, "{path} {kind}");
        }
        assert_eq!(post(path, "application/json", " ".repeat(5_000_001)).await, 413, "{path}");
        assert_eq!(
            status(&address, &format!("OPTIONS {path} HTTP/1.1\r\nHost: localhost")).await / 100,
            4
        );
    }
    assert!(fake.asked().is_empty());
}

/// Codex compresses its requests with zstd.
#[tokio::test]
async fn compressed_bodies_are_decoded() {
    let fake = recorded("chat").await;
    let (gateway, _) = gateway(&fake, &["--max-body-bytes", "100000"]).await;
    let post = async |path: &str, coding: &str, body: Vec<u8>| {
        let asked = reqwest::Client::new().post(format!("{}{path}", gateway.url));
        let asked = asked.header("content-type", "application/json");
        let response = asked.header("content-encoding", coding).body(body).send().await.unwrap();
        (response.status().as_u16(), response.headers().clone(), response.text().await.unwrap())
    };
    for (_, path, body) in CLIENTS.into_iter().chain([CHAT]) {
        let body = body.replace("TEXT", "text");
        for coding in ["gzip", "x-gzip", "GZIP", "zstd", "identity"] {
            let (status, _, text) = post(path, coding, encoded(coding, body.as_bytes())).await;
            assert_eq!(status, 200, "{path} {coding}: {text}");
            let asked = fake.asked().pop().unwrap();
            assert_eq!(asked.headers.get("content-encoding"), None, "{path} {coding}");
            if path == CHAT.1 {
                assert_eq!(asked.text, body, "{coding}");
            }
        }
        let asked = fake.asked().len();
        let long = vec![b' '; 10_000_000];
        for coding in ["gzip", "zstd"] {
            let (status, _, text) = post(path, coding, encoded(coding, &long)).await;
            assert_eq!(status, 413, "{path} {coding}: {text}");
            assert!(text.contains("100000 bytes when decompressed"), "{text}");
            let whole = encoded(coding, body.as_bytes());
            for wrong in [&whole[..whole.len() - 9], b"{}"] {
                let (status, _, text) = post(path, coding, wrong.to_vec()).await;
                assert_eq!(status, 400, "{path} {coding}: {text}");
                assert!(text.contains("cannot be decompressed"), "{text}");
            }
        }
        for coding in ["br", "deflate", "gzip, gzip", "compress"] {
            let (status, headers, text) = post(path, coding, body.clone().into()).await;
            assert_eq!(
                (status, &headers["accept-encoding"]),
                (415, &"gzip, zstd".parse().unwrap())
            );
            assert!(text.contains(coding), "{text}");
        }
        assert_eq!(fake.asked().len(), asked);
    }
}

fn encoded(coding: &str, body: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    match &*coding.to_ascii_lowercase() {
        "zstd" => {
            ruzstd::encoding::compress_to_vec(body, ruzstd::encoding::CompressionLevel::Fastest)
        }
        "gzip" | "x-gzip" => {
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(body).unwrap();
            encoder.finish().unwrap()
        }
        _ => body.to_vec(),
    }
}

#[tokio::test]
async fn heads_are_limited() {
    let fake = recorded("chat").await;
    let (gateway, address) =
        gateway(&fake, &["--max-head-bytes", "2000", "--max-headers", "12"]).await;
    let (long, many) = (format!("X: {}\r\n", "x".repeat(2000)), "X: x\r\n".repeat(12));
    for (protocol, path, _) in CLIENTS {
        for (head, message) in [(&long, "at most 2000 bytes"), (&many, "at most 12 headers")] {
            let request = format!(
                "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{head}\r\n"
            );
            let (response, _) = held(&address, &request, false).await;
            assert!(response.starts_with("HTTP/1.1 431 "), "{protocol:?}: {response}");
            let code = if protocol == ProtocolKind::A2a {
                r#""code":-32600"#
            } else {
                r#""code":"head_too_long""#
            };
            assert!(response.contains(code) && response.contains(message), "{response}");
        }
    }
    // Far beyond the limit, the rest is not read: the connection is closed.
    let mut connection = TcpStream::connect(&address).await.unwrap();
    let endless = async { while connection.write_all(&[b'x'; 1 << 16]).await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(15), endless).await.unwrap();
    assert_eq!(gateway.logged(0).await["error"], "head_too_long");
    assert_eq!(status(&address, "GET /healthz HTTP/1.1\r\nHost: localhost").await, 200);
}

/// The tasks that a gateway keeps take as much memory as their text, and not that of their values.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn tasks_are_kept_as_text() {
    let fake = recorded("chat").await;
    let (gateway, _) = gateway(&fake, &[]).await;
    let zeros = format!("[{}0]", "0,".repeat(200_000));
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{{"message":
            {{"messageId":"m","role":"ROLE_USER","parts":[{{"text":"TEXT"}},{{"data":{{"v":{zeros}}}}}]}}}}}}"#
    );
    for _ in 0..12 {
        let response = request(&gateway.url, (ProtocolKind::A2a, "/a2a", &body), "text").await;
        assert_eq!(response.status(), 200);
        let task = response.text().await.unwrap();
        assert!(task.contains("TASK_STATE_COMPLETED"), "{}", &task[..300]);
    }
    // The values of all tasks take more than 200 MB, and those of one request are freed after some
    // time.
    until(async || (gateway.memory() < 160 << 20).then_some(())).await;
}

/// Without a user, tasks are listed by their conversation only.
#[tokio::test]
async fn tasks_of_other_callers_are_not_listed() {
    let fake = recorded("chat").await;
    let (gateway, _) = gateway(&fake, &[]).await;
    let whole = CLIENTS[4].2.replace("SendStreamingMessage", "SendMessage");
    let answer = request(&gateway.url, (ProtocolKind::A2a, "/a2a", &whole), "text")
        .await
        .text()
        .await
        .unwrap();
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let task = &answer["result"]["task"];
    let get = async |path: String| {
        let response = reqwest::get(format!("{}{path}", gateway.url)).await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    for query in ["", "?contextId=", "?pageSize=1", "?status=TASK_STATE_COMPLETED", "?contextid=x"]
    {
        let (status, body) = get(format!("/a2a/tasks{query}")).await;
        assert_eq!(status, 400, "{body}");
        assert!(body.contains("contextId") && !body.contains("TASK_STATE"), "{body}");
    }
    let (status, body) =
        get(format!("/a2a/tasks?contextId={}", task["contextId"].as_str().unwrap())).await;
    assert!(status == 200 && body.contains(task["id"].as_str().unwrap()), "{body}");
    assert_eq!(get(format!("/a2a/tasks/{}", task["id"].as_str().unwrap())).await.0, 200);
}
