//! Servers that hang, send endless data or garbage, redirect, or print the key.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use futures_util::stream;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::program::{probe, probed};
use super::server::serve;

const KEY: &str = "sk-secret-0123456789";

/// The longest time of a probe whose requests have a second each, also on a busy machine.
const MOST: Duration = Duration::from_secs(60);

/// Probes a server in every way, with a time limit of a second for each request. Returns the
/// output.
async fn within(url: &str) -> (i32, String) {
    let begin = Instant::now();
    let arguments = [url, "--protocol", "responses", "--timeout", "1", "--key", KEY];
    let output = probe(&arguments).await;
    assert!(begin.elapsed() < MOST, "{:?}", begin.elapsed());
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    assert!(!printed.contains(KEY), "{printed}");
    assert!(!printed.contains("panicked"), "{printed}");
    (output.status.code().unwrap(), printed)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_answer_is_asked_twice() {
    let url = serve(Router::new().fallback(|| async {
        tokio::time::sleep(Duration::from_secs(60)).await;
    }))
    .await;
    let (status, printed) = within(&url).await;
    assert_eq!(status, 1, "{printed}");
    assert!(printed.contains("the server sent no response in 1 s"), "{printed}");
    assert!(printed.contains("2 requests"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_data_are_read_up_to_a_limit() {
    for piece in ["data: {}\n\n", "data: x", ": beat\n\n", "{\"a\":["] {
        let endless = move |_: Request| async move {
            let pieces = stream::repeat_with(move || Ok::<_, std::io::Error>(piece.repeat(1000)));
            ([("content-type", "text/event-stream")], Body::from_stream(pieces)).into_response()
        };
        let url = serve(Router::new().fallback(endless)).await;
        let (status, printed) = within(&url).await;
        assert_eq!(status, 1, "{printed}");
        assert!(printed.contains("2 requests"), "{piece}: {printed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_is_a_failure() {
    for garbage in [
        &b"not HTTP at all\r\n\r\n"[..],
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\ndata: {",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9\r\n\r\n\xff\xfe\x00data: ",
        b"",
    ] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let mut asked = [0; 4096];
                let _ = socket.read(&mut asked).await;
                let _ = socket.write_all(garbage).await;
            }
        });
        let (status, printed) = within(&url).await;
        assert_eq!(status, 1, "{}: {printed}", String::from_utf8_lossy(garbage));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_is_sent_to_no_other_server_and_never_printed() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let other = serve(Router::new().fallback(move || async move {
        count.fetch_add(1, Ordering::Relaxed);
    }))
    .await;
    let redirect = move || async move { Redirect::temporary(&other) };
    let url = serve(Router::new().fallback(redirect)).await;
    let (status, printed) = within(&url).await;
    assert_eq!(status, 1);
    assert!(printed.contains("the status is 307"), "{printed}");
    assert_eq!(asked.load(Ordering::Relaxed), 0);

    // A server that repeats the headers in its errors.
    let url = serve(Router::new().fallback(|request: Request| async move {
        (StatusCode::UNAUTHORIZED, format!("{:?}", request.headers()))
    }))
    .await;
    let (status, printed) = within(&url).await;
    assert_eq!(status, 1);
    assert!(printed.contains("Bearer ***") || printed.contains("Sensitive"), "{printed}");
    let header = format!("authorization: Bearer {KEY}");
    let output = probe(&[&url, "--protocol", "ag-ui", "--header", &header]).await;
    assert!(!String::from_utf8_lossy(&output.stdout).contains(KEY));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_query_of_the_url_is_sent_and_not_printed() {
    let url = serve(Router::new().fallback(|request: Request| async move {
        let is_asked = request.uri().query() == Some("api-key=secret-in-the-query");
        (StatusCode::from_u16(if is_asked { 418 } else { 500 }).unwrap(), "no")
    }))
    .await;
    let url = format!("{url}/v1?api-key=secret-in-the-query");
    let arguments = [&url, "--protocol", "responses", "--only", "text-status"];
    let (report, status) = probed(&arguments).await;
    assert_eq!(status, 1);
    assert!(report["checks"][0]["details"][0].as_str().unwrap().contains("418"));
    assert!(!report.to_string().contains("secret-in-the-query"));
}
