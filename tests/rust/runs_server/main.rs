//! The runs service behind axum, on each store. `tests/js/stores/acceptance.test.mjs` also runs the
//! acceptance tests of the service in TypeScript against it.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod agent;
#[path = "../../../examples/runs.rs"]
#[allow(dead_code, reason = "an example has a main function")]
mod chat;
mod hostile;
mod site;

use std::time::{Duration, Instant};

use agentwire::EndReason;
use agentwire::json::Value;
use futures_util::future::join_all;
use site::{Site, counted, run};

/// Runs a test on each store.
async fn each(options: &str, test: impl AsyncFn(Site)) {
    for is_durable in [false, true] {
        test(Site::open(is_durable, options).await).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_is_cut_after_every_byte_and_nothing_is_lost_or_doubled() {
    each("{}", async |site| {
        let run = run("count 4");
        assert_eq!(site.create(&run).await.0, 202);
        let whole = site.followed(&run).await;
        assert_eq!((whole.text(), whole.report.end_reason), (counted(4), EndReason::Terminal));
        let length = site.events(&run, None).await.2.len();
        let cut = async |cut| {
            let read = site.followed_with(&run, Some(cut)).await;
            assert_eq!(
                (read.text(), read.report.violations.len()),
                (counted(4), 0),
                "cut after {cut} bytes"
            );
            assert_eq!(read.report.end_reason, EndReason::Terminal, "cut after {cut} bytes");
        };
        for from in (0..=length).step_by(20) {
            join_all((from..=length.min(from + 19)).map(cut)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_race_are_one_run_and_refusals() {
    each("{}", async |site| {
        let once = run("count 30 20");
        let answers: Vec<_> = join_all((0..30).map(|_| site.create(&once))).await;
        assert!(answers.iter().all(|(status, _)| *status == 202), "{answers:?}");
        assert!(answers.iter().all(|answer| answer == &answers[0]), "one task: {answers:?}");
        let others = (0..10).map(async |_| site.create(&once.another("count 3")).await.0);
        assert_eq!(join_all(others).await, [409; 10]);
        let changed = once.with_text("count 31 20");
        assert_eq!(site.create(&changed).await, (422, "AGENT_IDEMPOTENCY_CONFLICT".into()));
        assert_eq!(site.followed(&once).await.text(), counted(30));
        assert_eq!(site.create(&once.another("count 3")).await.0, 202);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_waits_to_be_stopped_ends_its_run_itself() {
    each("{}", async |site| {
        let begun = Instant::now();
        for (text, answer, code) in [
            ("last", "first last", None),
            ("hang", "", Some("AGENT_RUN_CANCELLED")),
            ("count 1000 5", "1 ", Some("AGENT_RUN_CANCELLED")),
        ] {
            let run = run(text);
            site.create(&run).await;
            let (following, ()) = tokio::join!(site.followed(&run), async {
                tokio::time::sleep(Duration::from_millis(100)).await;
                assert_eq!(site.cancel(&run).await, 202);
            });
            assert!(following.text().starts_with(answer), "{}", following.text());
            assert_eq!(following.code().as_deref(), code, "{text}");
            assert!(following.report.violations.is_empty());
        }
        assert!(
            begun.elapsed() < Duration::from_secs(4),
            "an agent that does not wait is dropped at once"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_reads_nothing_does_not_hold_up_the_run() {
    each(r#"{"limits":{"keepAliveMs":100}}"#, async |site| {
        let run = run("count 60000");
        site.create(&run).await;
        let mut slow = Vec::new();
        for _ in 0..10 {
            slow.push(site.request("GET", &run.events(), Some("ann"), None).await);
        }
        assert_eq!(site.followed(&run).await.text(), counted(60_000));
        // A slow reader receives everything, or resumes.
        for mut response in slow {
            let first = response.chunk().await.unwrap().unwrap();
            assert!(first.starts_with(b"id: "));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_service_is_recovered_by_the_next_one() {
    let site = Site::open(true, "{}").await;
    let run = run("count 1000 10");
    site.create(&run).await;
    let begun = site.begin(&run, 2000).await;
    let site = site.restart().await;
    let read = site.followed(&run).await;
    assert_eq!(read.code().as_deref(), Some("AGENT_RUN_INTERRUPTED"));
    assert!(counted(1000).starts_with(&read.text()) && read.text().starts_with(&begun));
    assert!(!begun.is_empty());
    let history = site.history(&run).await;
    let Some(Value::Array(messages)) = history.get("messages") else { panic!("{history:?}") };
    assert_eq!(messages[1].get("content").and_then(Value::as_str), Some(&*read.text()));
    let next = run.another("recall");
    assert_eq!(site.create(&next).await.0, 202);
    assert_eq!(site.followed(&next).await.text(), "count 1000 10");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_client_leaves_before_the_answer_is_driven() {
    each("{}", async |site| {
        for at in 0..40 {
            let run = run("count 3");
            site.leave(&run, Duration::from_micros(at * 100)).await;
            // The client repeats its request.
            assert_eq!(site.create(&run).await.0, 202);
            let followed = tokio::time::timeout(Duration::from_secs(10), site.followed(&run)).await;
            assert_eq!(followed.unwrap().text(), counted(3), "left after {at}00 microseconds");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_result_of_a_client_tool_continues_the_thread() {
    each("{}", async |site| {
        let asked = run("call");
        site.create(&asked).await;
        let called = site.followed(&asked).await.snapshot;
        assert_eq!(called.pending_tool_call_ids, ["c1"]);
        // A client may repeat the message with the call, which is stored once.
        let call = r#"{"id":"a","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"position","arguments":"{}"}}]}"#;
        let result = r#"{"id":"t","role":"tool","toolCallId":"c1","content":"Oslo"}"#;
        let continued = asked.continued(&format!("{call},{result}"));
        assert_eq!(site.create(&continued).await.0, 202);
        assert_eq!(site.followed(&continued).await.text(), "user assistant tool");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_is_transcribed() {
    let site = Site::open(false, "{}").await;
    assert_eq!(site.transcribe(2).await, r#"{"transcript":"2s of ann"}"#);
    assert!(site.transcribe(0).await.contains("AGENT_AUDIO_EMPTY"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_answers() {
    let folder = site::folder();
    let runs = chat::chat(folder.join("chat.sqlite").to_str().unwrap()).unwrap();
    let site = Site::of(runs, Some(folder), Value::Null).await;
    let run = run("Hello");
    site.create(&run).await;
    assert_eq!(
        site.followed(&run).await.text(),
        "You have sent 1 messages; the last one was: Hello"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_is_shortened_and_every_cursor_stays_valid() {
    each(r#"{"retention":{"logBytes":5000}}"#, async |site| {
        // The pieces have escapes, of which a half may be the last or first character of a piece.
        let run = run("count 100");
        site.create(&run).await;
        let (_, _, written) = site.events(&run, None).await;
        let generation =
            written.split(['\n', '-']).next().unwrap().trim_start_matches("id: ").to_owned();
        let short = async || site.events(&run, None).await.2.matches("id: ").count() < 8;
        let begun = Instant::now();
        while !short().await {
            assert!(
                begun.elapsed() < Duration::from_secs(10),
                "{}",
                site.events(&run, None).await.2
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        for number in 2..102 {
            let (status, _, text) =
                site.events(&run, Some(&format!("{generation}-{number}"))).await;
            let deltas: String = text.lines().filter_map(site::delta).collect();
            // The first two events are RUN_STARTED and TEXT_MESSAGE_START.
            let left: String = counted(100).split_inclusive(' ').skip(number - 2).collect();
            assert_eq!((status, deltas), (200, left), "after {number}");
        }
        assert_eq!(site.events(&run, Some(&format!("{generation}-9999"))).await.0, 422);
        assert_eq!(site.create(&run).await.0, 202, "a repeated request is the old run");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_without_an_answer_are_refused_with_their_code() {
    each("{}", async |site| {
        let known = run("count 1");
        site.create(&known).await;
        let of_another = run("count 1").events();
        for (method, path, user, status, code) in [
            ("GET", "/history".to_owned(), None, 401, "AUTH_UNAUTHORIZED"),
            ("GET", known.events(), Some("eve"), 403, "AGENT_FORBIDDEN"),
            ("DELETE", format!("/runs/{}", known.thread), Some("eve"), 403, "AGENT_FORBIDDEN"),
            ("GET", of_another, Some("ann"), 404, "AGENT_SESSION_NOT_FOUND"),
            ("GET", known.events() + "x", Some("ann"), 404, "AGENT_RUN_NOT_FOUND"),
            ("GET", "/nothing".to_owned(), Some("ann"), 404, "AGENT_NOT_FOUND"),
            ("PUT", "/runs".to_owned(), Some("ann"), 405, "AGENT_METHOD_NOT_ALLOWED"),
            ("POST", "/runs".to_owned(), Some("ann"), 422, "AGENT_RUN_INPUT_INVALID"),
            (
                "GET",
                "/runs/x/events?runId=r".to_owned(),
                Some("ann"),
                422,
                "AGENT_SESSION_ID_INVALID",
            ),
            (
                "GET",
                format!("/runs/{}/events", known.thread),
                Some("ann"),
                422,
                "AGENT_INVALID_RUN_ID",
            ),
            ("POST", "/attachments".to_owned(), Some("ann"), 411, "AGENT_LENGTH_REQUIRED"),
            ("POST", "/transcribe".to_owned(), Some("ann"), 411, "AGENT_LENGTH_REQUIRED"),
            (
                "GET",
                "/attachments/object?path=a/b.png".to_owned(),
                None,
                403,
                "AGENT_SIGNATURE_INVALID",
            ),
        ] {
            let response = site.request(method, &path, user, None).await;
            assert!(response.headers().contains_key("x-request-id"));
            assert_eq!(site::refused(response).await, (status, code.to_owned()), "{method} {path}");
        }
    })
    .await;
}
