//! Requests, paths and stores that do not behave: other sites, forged paths, slow uploads, and
//! stores that refuse.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agentwire::adapters::axum::AgentService;
use agentwire::adapters::axum::runs::{BlobStore, MemoryBlobs, RunsEndpoints};
use agentwire::builder::{IdSource, RandomIds};
use agentwire::json::Value;
use agentwire::stores::{
    ListedLog, LogEntry, LogHead, LogPage, LogQuery, LogStore, MemoryStore, StoreFuture,
};
use axum::body::{Body, Bytes, to_bytes};
use axum::http::Request;
use axum::http::request::Parts;
use tokio::time::{Instant, sleep, timeout};

const PATH: &str = "/api/v1/agent";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and more";
const FORM: &str = "multipart/form-data; boundary=b";

fn service(store: impl LogStore, blobs: impl BlobStore) -> AgentService {
    let user = async |request: Parts| {
        Ok(request.headers.get("cookie").and_then(|user| user.to_str().ok()).map(str::to_owned))
    };
    AgentService::new(async |out, _, _| {
        for word in ["1 ", "2 ", "3 "] {
            sleep(Duration::from_millis(20)).await;
            out.text(word).await;
        }
        Ok(())
    })
    .authenticate(user)
    .on_error(|_| None)
    .store(store)
    .runs(
        RunsEndpoints::default()
            .blobs(blobs)
            .secret("a secret for addresses")
            .transcribe(async |_| Ok("text".into())),
    )
}

/// Sends a request of a user; returns the status and the body.
async fn send(
    runs: &AgentService,
    (method, path): (&str, &str),
    user: &str,
    headers: &[(&str, &str)],
    body: impl Into<Body>,
) -> (u16, String) {
    let mut request = Request::builder().method(method).uri(format!("{PATH}{path}"));
    for (name, value) in [("cookie", user), ("host", "service.test")].iter().chain(headers) {
        request = request.header(*name, *value);
    }
    let response = runs.respond(request.body(body.into()).unwrap()).await;
    let status = response.status().as_u16();
    (
        status,
        String::from_utf8_lossy(&to_bytes(response.into_body(), usize::MAX).await.unwrap())
            .into_owned(),
    )
}

fn id() -> String {
    RandomIds.next_id("")
}

fn run(thread: &str, content: &str) -> String {
    format!(
        r#"{{"threadId":"{thread}","runId":"r","messages":[{{"id":"u","role":"user","content":{content}}}],"forwardedProps":{{"runtime_mode":"chat"}}}}"#
    )
}

fn form(thread: &str, parts: usize) -> Vec<u8> {
    let mut form = Vec::new();
    for at in 0..parts {
        form.extend(
            format!("--b\r\ncontent-disposition: form-data; name=\"x{at}\"\r\n\r\n\r\n").bytes(),
        );
    }
    form.extend(
        format!("--b\r\ncontent-disposition: form-data; name=\"threadId\"\r\n\r\n{thread}\r\n")
            .bytes(),
    );
    form.extend(b"--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n");
    form.extend(PNG);
    form.extend(b"\r\n--b--\r\n");
    form
}

async fn upload(runs: &AgentService, user: &str, thread: &str) -> Value {
    let form = form(thread, 0);
    let length = form.len().to_string();
    let headers = [("content-type", FORM), ("content-length", &*length)];
    let (status, body) = send(runs, ("POST", "/attachments"), user, &headers, form).await;
    assert_eq!(status, 200, "{body}");
    Value::parse(&body, 16).unwrap().get("attachment").unwrap().clone()
}

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

#[tokio::test]
async fn a_simple_request_of_another_site_starts_and_changes_nothing() {
    let runs = service(MemoryStore::default(), MemoryBlobs::default());
    let simple = [
        Some("text/plain"),
        Some("text/plain;charset=UTF-8"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
        Some("text/plain; application/json"),
        None,
    ];
    let thread = id();
    for kind in simple {
        let headers: Vec<_> = kind.iter().map(|kind| ("content-type", *kind)).collect();
        for request in [
            ("POST", "/runs".to_owned()),
            ("POST", format!("/runs/{thread}/cancel?runId=r")),
            ("DELETE", format!("/runs/{thread}")),
        ] {
            let answer =
                send(&runs, (request.0, &request.1), "ann", &headers, run(&thread, "\"x\"")).await;
            assert!(
                answer.0 == 415 && answer.1.contains("AGENT_UNSUPPORTED_MEDIA_TYPE"),
                "{kind:?} {answer:?}"
            );
        }
    }
    for kind in ["text/plain", "application/json", "multipart/mixed; boundary=x"] {
        let headers = [("content-type", kind), ("content-length", "1")];
        for path in ["/attachments", "/transcribe"] {
            assert_eq!(send(&runs, ("POST", path), "ann", &headers, "x").await.0, 415, "{kind}");
        }
    }
    let kinds = ["application/json; charset=utf-8", "application/vnd.x+json", "Application/JSON"];
    for kind in kinds {
        let body = run(&id(), "\"x\"");
        assert_eq!(
            send(&runs, ("POST", "/runs"), "ann", &[("content-type", kind)], body).await.0,
            202,
            "{kind}"
        );
    }
    assert_eq!(send(&runs, ("POST", "/runs"), "ann", &JSON, run(&thread, "\"x\"")).await.0, 202);
    let cancel = format!("/runs/{thread}/cancel?runId=r");
    let form = form(&thread, 0);
    let length = form.len().to_string();
    let foreign: [&[(&str, &str)]; 5] = [
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site"), ("origin", "http://service.test")],
        &[("origin", "http://service.test:81")],
    ];
    for headers in foreign {
        assert_eq!(send(&runs, ("POST", &cancel), "ann", headers, "").await.0, 403, "{headers:?}");
        let headers = [headers, &[("content-type", FORM), ("content-length", &length)]].concat();
        for path in ["/attachments", "/transcribe"] {
            assert_eq!(
                send(&runs, ("POST", path), "ann", &headers, form.clone()).await.0,
                403,
                "{headers:?}"
            );
        }
    }
    let own: [&[(&str, &str)]; 5] = [
        &[],
        &[("origin", "http://service.test")],
        &[("sec-fetch-site", "same-origin")],
        &[("origin", "https://app.example"), ("authorization", "Bearer x")],
        &[("origin", "https://app.example"), ("x-requested-with", "fetch")],
    ];
    for headers in own {
        assert_eq!(send(&runs, ("POST", &cancel), "ann", headers, "").await.0, 202, "{headers:?}");
    }
    let long = "u".repeat(2047);
    assert_eq!(send(&runs, ("POST", "/runs"), &long, &JSON, run(&id(), "\"x\"")).await.0, 422);
    assert_eq!(send(&runs, ("POST", "/runs"), &long[1..], &JSON, run(&id(), "\"x\"")).await.0, 202);
    runs.close().await;
}

#[tokio::test]
async fn uploads_of_one_user_leave_places_for_others() {
    let runs = service(MemoryStore::default(), MemoryBlobs::default());
    let slow = || {
        let pending = futures_util::stream::pending::<Result<Bytes, std::io::Error>>();
        let headers = [("content-type", FORM), ("content-length", "100")];
        let runs = runs.clone();
        async move {
            let sent =
                send(&runs, ("POST", "/attachments"), "eve", &headers, Body::from_stream(pending));
            timeout(Duration::from_secs(2), sent).await.ok().map(|answer| answer.0)
        }
    };
    let (statuses, ()) =
        tokio::join!(futures_util::future::join_all((0..6).map(|_| slow())), async {
            sleep(Duration::from_millis(100)).await;
            upload(&runs, "ann", &id()).await;
        });
    assert_eq!(statuses, [None, None, Some(429), Some(429), Some(429), Some(429)]);
    upload(&runs, "eve", &id()).await;
    let many = form(&id(), 100);
    let length = many.len().to_string();
    let headers = [("content-type", FORM), ("content-length", &*length)];
    let (status, body) = send(&runs, ("POST", "/attachments"), "ann", &headers, many).await;
    assert!(status == 422 && body.contains("at most 100 parts"), "{body}");
    runs.close().await;
}

/// Attachments of an author, who accepts every path, and records it. The path in `failing` cannot
/// be deleted.
#[derive(Clone, Default)]
struct Recording {
    blobs: Arc<MemoryBlobs>,
    paths: Arc<Mutex<Vec<String>>>,
    failing: Arc<Mutex<String>>,
}

impl Recording {
    fn record(&self, path: &str) {
        self.paths.lock().unwrap().push(path.to_owned());
    }
}

impl BlobStore for Recording {
    fn put<'a>(&'a self, path: &'a str, bytes: Bytes) -> StoreFuture<'a, ()> {
        self.record(path);
        self.blobs.put(path, bytes)
    }

    fn size<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<u64>> {
        self.record(path);
        self.blobs.size(path)
    }

    fn read<'a>(&'a self, path: &'a str, offset: u64, length: usize) -> StoreFuture<'a, Bytes> {
        self.record(path);
        self.blobs.read(path, offset, length)
    }

    fn delete<'a>(&'a self, path: &'a str) -> StoreFuture<'a, ()> {
        self.record(path);
        if *self.failing.lock().unwrap() == path {
            return Box::pin(async { Err("the bucket is away".into()) });
        }
        self.blobs.delete(path)
    }
}

#[tokio::test]
async fn no_store_receives_a_path_of_another_form_than_the_service_has_issued() {
    let blobs = Recording::default();
    let runs = service(MemoryStore::default(), blobs.clone());
    let thread = id();
    let (own, other) = (upload(&runs, "ann", &thread).await, upload(&runs, "eve", &id()).await);
    let path = |image: &Value| image.get("path").and_then(Value::as_str).unwrap().to_owned();
    let (own_path, other) = (path(&own), path(&other));
    let folder = own_path.split('/').next().unwrap();
    let mut hostile: Vec<String> = [
        "/..",
        "/.",
        "/",
        "",
        "/../",
        "/..?list-type=2&x=",
        "/a.png?x",
        "/a.png#x",
        "/a.png/",
        "/a.png/b.png",
        "/a.png\0",
        "/a\0.png",
        "/a.png\n",
        "/a b.png",
        "/\u{2024}\u{2024}/a.png",
        "/a..png",
        "/.png",
        "/a.",
        "/a",
        "//a.png",
        "\\..\\a.png",
        "/%2e%2e/a.png",
        "/..%2fa.png",
        "/%252e%252e/a.png",
    ]
    .iter()
    .map(|end| format!("{folder}{end}"))
    .collect();
    hostile.extend([
        format!("{folder}/../{other}"),
        format!("{folder}/{other}"),
        format!("/{own_path}"),
    ]);
    hostile.push(format!("{folder}/{}.png", "a".repeat(10_000)));
    let encode = |path: &str| path.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    let mut images = vec![own.get("url").and_then(Value::as_str).unwrap().to_owned()];
    for path in &hostile {
        let query = format!("/attachments/signed-url?bucket=attachments&path={}", encode(path));
        let (status, _) = send(&runs, ("GET", &query), "ann", &[], "").await;
        assert!((400..500).contains(&status), "{status} for {path:?}");
        images.push(format!("{PATH}/attachments/object?path={}", encode(path)));
    }
    let part = |url: &String| {
        format!(
            r#"{{"type":"image","source":{{"type":"url","value":"{url}","mimeType":"image/png"}}}}"#
        )
    };
    let parts: Vec<_> = images.iter().map(part).collect();
    let content = format!(r#"[{{"type":"text","text":"x"}},{}]"#, parts.join(","));
    assert_eq!(send(&runs, ("POST", "/runs"), "ann", &JSON, run(&thread, &content)).await.0, 202);
    let history = format!("/history?threadId={thread}");
    let (_, page) = send(&runs, ("GET", &history), "ann", &[], "").await;
    assert_eq!(page.matches("signature=").count(), 1, "only the own attachment is signed again");
    // One attachment that cannot be deleted: the thread remains, and the deletion can be repeated.
    *blobs.failing.lock().unwrap() = own_path.clone();
    let delete = format!("/runs/{thread}");
    assert_eq!(send(&runs, ("DELETE", &delete), "ann", &[], "").await.0, 503);
    assert_eq!(send(&runs, ("GET", &history), "ann", &[], "").await.0, 200);
    blobs.failing.lock().unwrap().clear();
    assert_eq!(send(&runs, ("DELETE", &delete), "ann", &[], "").await.0, 200);
    assert_eq!(send(&runs, ("DELETE", &delete), "ann", &[], "").await.0, 404);
    let paths = blobs.paths.lock().unwrap().clone();
    assert!(paths.iter().all(|path| path == &own_path || path == &other), "{paths:?}");
    assert_eq!(blobs.blobs.size(&own_path).await.unwrap(), None);
    assert!(blobs.blobs.size(&other).await.unwrap().is_some());
    runs.close().await;
}

/// Users of whom a database may take some for the same, or end their names early.
const USERS: [&str; 9] =
    ["a", "A", "a\0", "a\0b", "\u{e9}", "e\u{301}", "a'; --", "\u{ff41}", "a/b"];

#[tokio::test(flavor = "multi_thread")]
async fn users_and_texts_are_kept_as_they_are() {
    let folder = crate::site::folder();
    let file = format!("sqlite:{}/names.sqlite", folder.display());
    for address in ["memory", &file] {
        let user = async |request: Parts| {
            let number =
                request.headers.get("cookie").and_then(|at| at.to_str().ok()?.parse().ok());
            Ok(number.map(|at: usize| USERS[at].to_owned()))
        };
        let runs = AgentService::new(async |_, _, _| Ok(()))
            .authenticate(user)
            .on_error(|_| None)
            .store(agentwire::stores::open(address).unwrap())
            .runs(RunsEndpoints::default());
        for (at, name) in USERS.iter().enumerate() {
            let text = Value::from(&*format!("\0\u{1}of {name}\u{85}\0")).to_json();
            let (at, body) = (at.to_string(), run(&id(), &text));
            assert_eq!(send(&runs, ("POST", "/runs"), &at, &JSON, body).await.0, 202, "{name:?}");
        }
        for (at, name) in USERS.iter().enumerate() {
            let (_, page) = send(&runs, ("GET", "/history"), &at.to_string(), &[], "").await;
            let page = Value::parse(&page, 16).unwrap();
            let Some(Value::Array(messages)) = page.get("messages") else { panic!("{page:?}") };
            let content = messages[0].get("content").and_then(Value::as_str);
            assert_eq!(content, Some(&*format!("\0\u{1}of {name}\u{85}\0")), "{address}");
        }
        runs.close().await;
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// What a store refuses.
#[derive(Clone, Copy, PartialEq)]
enum Refused {
    Messages,
    Text,
    Everything,
    Status,
}

/// A store that refuses to store parts of runs while it `is_on`.
struct Refusing {
    store: MemoryStore,
    refused: Refused,
    is_on: Arc<AtomicBool>,
}

impl LogStore for Refusing {
    fn append<'a>(
        &'a self,
        log: &'a str,
        after: u64,
        entries: &'a [LogEntry],
        head: &'a LogHead,
    ) -> StoreFuture<'a, bool> {
        // The events of a run begin with a bracket, its messages follow them; the other texts are
        // JSON after a mark.
        let has_events = entries.iter().any(|entry| entry.text.starts_with('['));
        let has_messages = entries.iter().any(|entry| entry.text.starts_with('='));
        let has = |text| entries.iter().any(|entry| entry.text.contains(text));
        let is_refused = match self.refused {
            Refused::Messages => has_events && has_messages,
            Refused::Text => has_events && has("\"2 \""),
            Refused::Everything => has_events,
            Refused::Status => has("\"to\":{\"status\":\"running\""),
        };
        if is_refused && self.is_on.load(Ordering::Relaxed) {
            return Box::pin(async { Err("the row cannot be stored".into()) });
        }
        self.store.append(log, after, entries, head)
    }

    fn read<'a>(&'a self, log: &'a str, after: u64, limit: usize) -> StoreFuture<'a, LogPage> {
        self.store.read(log, after, limit)
    }

    fn list<'a>(&'a self, query: &'a LogQuery) -> StoreFuture<'a, Vec<ListedLog>> {
        self.store.list(query)
    }

    fn delete<'a>(&'a self, log: &'a str, last: Option<u64>) -> StoreFuture<'a, ()> {
        self.store.delete(log, last)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_cannot_be_stored_ends_and_does_not_lock_its_thread() {
    let each = [Refused::Messages, Refused::Text, Refused::Everything, Refused::Status].map(
        async |refused| {
            let is_on = Arc::new(AtomicBool::new(true));
            let store = Refusing { store: MemoryStore::default(), refused, is_on: is_on.clone() };
            let runs = service(store, MemoryBlobs::default());
            let thread = id();
            assert_eq!(
                send(&runs, ("POST", "/runs"), "ann", &JSON, run(&thread, "\"x\"")).await.0,
                202
            );
            let begun = Instant::now();
            let events = format!("/runs/{thread}/events?runId=r");
            let next = run(&thread, "\"x\"").replace("\"r\"", "\"next\"");
            let ended = loop {
                let (_, text) = send(&runs, ("GET", &events), "ann", &[], "").await;
                if text.contains("RUN_ERROR") {
                    break text;
                }
                assert!(begun.elapsed() < Duration::from_secs(60), "{text}");
                sleep(Duration::from_millis(50)).await;
            };
            assert!(ended.contains("AGENT_RUN_INTERRUPTED"), "{ended}");
            if refused == Refused::Everything {
                assert_eq!(send(&runs, ("POST", "/runs"), "ann", &JSON, next.clone()).await.0, 503);
                assert_eq!(send(&runs, ("GET", &events), "eve", &[], "").await.0, 403);
                is_on.store(false, Ordering::Relaxed);
            }
            while send(&runs, ("POST", "/runs"), "ann", &JSON, next.clone()).await.0 != 202 {
                assert!(begun.elapsed() < Duration::from_secs(60));
                sleep(Duration::from_millis(50)).await;
            }
            let (_, text) = send(&runs, ("GET", &events), "ann", &[], "").await;
            assert!(
                text.contains("AGENT_RUN_INTERRUPTED"),
                "the stored end is the one that was sent"
            );
            is_on.store(false, Ordering::Relaxed);
            runs.close().await;
        },
    );
    futures_util::future::join_all(each).await;
}
