//! Runs the example programs as a user does, and compares their output and exit status.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use futures_util::stream;

use crate::http::with_server;

/// The folder of the programs, which are built once.
fn folder() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--examples", "--all-features", "--locked", "--quiet"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(built.unwrap().success());
        // This test is in `deps`, beside `examples`.
        let test = std::env::current_exe().unwrap();
        test.ancestors().nth(2).unwrap().join("examples")
    })
}

fn run(example: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(folder().join(example))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Returns the output of `ask` for a server that sends this body in chunks of this size.
async fn ask(
    content_type: &'static str,
    body: Vec<u8>,
    size: usize,
) -> (Option<i32>, String, String) {
    let app = axum::Router::new().fallback(async move || {
        let chunks: Vec<_> =
            body.chunks(size).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect();
        ([(CONTENT_TYPE, content_type)], Body::from_stream(stream::iter(chunks)))
    });
    run_client(app, "/").await
}

async fn run_client(app: axum::Router, path: &str) -> (Option<i32>, String, String) {
    let output = with_server(app, async |url| {
        let url = url + path;
        tokio::task::spawn_blocking(move || run("ask", &[&url, "one two three four five six"], b""))
            .await
    });
    let output = output.await.unwrap();
    (output.status.code(), text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
}

#[tokio::test]
async fn ask_prints_the_whole_answer_for_any_chunk_size() {
    let all = (Some(0), "one two three four five six\ncompleted\n".to_owned(), String::new());
    assert_eq!(run_client(crate::serve::app(), "/process").await, all);
    let whole = run("emit", &["one two three four five six"], b"").stdout;
    for size in [whole.len(), 1000, 7, 1] {
        assert_eq!(ask("text/event-stream", whole.clone(), size).await, all, "{size}");
    }
}

#[tokio::test]
async fn ask_exits_with_the_cause_if_there_is_no_answer() {
    let foreign = b"data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: [DONE]\n\n";
    let (code, printed, error) = ask("text/event-stream", foreign.to_vec(), 9).await;
    assert_eq!((code, printed.as_str()), (Some(1), ""));
    assert!(error.starts_with("no whole Agent API answer in 2 events: expected "), "{error}");

    let page = b"<!doctype html>sign in".to_vec();
    let (code, _, error) = ask("text/html", page, 100).await;
    assert_eq!(
        (code, error.as_str()),
        (Some(1), "the server answered 200 OK (text/html): <!doctype html>sign in\n")
    );

    let failed = b"data: {\"object\":\"response\",\"id\":\"r\",\"status\":\"failed\",\"error\":{\"code\":\"QUOTA\",\"message\":\"no more today\"}}\n\n";
    let (code, _, error) = ask("text/event-stream", failed.to_vec(), 100).await;
    assert_eq!((code, error.as_str()), (Some(1), "QUOTA: no more today\n"));

    let nobody = run("ask", &["http://127.0.0.1:1/"], b"");
    let error = text(&nobody.stderr);
    assert_eq!(nobody.status.code(), Some(1));
    assert!(
        error.contains("because: ") && error.contains("refused") && !error.contains("Error {"),
        "{error}"
    );
}

#[test]
fn example_streams_are_valid_and_read_by_the_examples() {
    let input = br#"{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[],"state":{},"forwardedProps":{}}"#;
    let ag_ui = run("ag_ui", &[], input).stdout;
    let emitted = run("emit", &[], b"").stdout;
    // A complete value instead of a delta is a note.
    for (stream, protocol, said, notes) in
        [(&ag_ui, "ag-ui", "It is sunny.", 0), (&emitted, "agent-api", "It is 21 degrees in ", 1)]
    {
        let file =
            std::env::temp_dir().join(format!("agentwire-{protocol}-{}.sse", std::process::id()));
        std::fs::write(&file, stream).unwrap();
        let kept = run("keep", &[file.to_str().unwrap()], b"");
        std::fs::remove_file(&file).unwrap();
        let printed = text(&kept.stdout);
        assert_eq!(kept.status.code(), Some(0), "{}", text(&kept.stderr));
        assert!(
            printed.contains(said)
                && printed.ends_with(&format!("\n{protocol} with {notes} violations\n")),
            "{printed}"
        );
    }
    let replayed = run("replay", &["-"], &emitted);
    assert_eq!(replayed.status.code(), Some(0), "{}", text(&replayed.stderr));
    let printed = text(&replayed.stdout);
    assert!(printed.contains("  message (canceled): It is 21 degrees in \n"), "{printed}");
    assert!(printed.ends_with(" events, 1 violations\n"), "{printed}");
}

#[test]
fn errors_of_examples_are_sentences() {
    for example in ["keep", "replay"] {
        let missing = run(example, &["no/such/file.sse"], b"");
        assert_eq!(missing.status.code(), Some(1), "{example}");
        let error = text(&missing.stderr);
        assert!(error.starts_with("no/such/file.sse: ") && !error.contains("Os {"), "{error}");
    }
    let foreign = run("replay", &["-"], b"data: {\"type\":\"text\",\"content\":\"Hi\"}\n\n");
    assert_eq!(foreign.status.code(), Some(1));
    assert!(
        text(&foreign.stderr).starts_with("no whole Agent API stream: expected "),
        "{}",
        text(&foreign.stderr)
    );
}
