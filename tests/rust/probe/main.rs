//! `agentwire probe`: servers of this project pass all checks, each check fails for a server that is
//! wrong, and a hostile server cannot hold it up.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod faults;
mod hostile;
mod program;
mod server;

use program::{SERVERS, checks, probe, probed, results};
use server::{Fault, On};

#[tokio::test(flavor = "multi_thread")]
async fn the_service_passes_every_check() {
    let url = server::start(None).await;
    for (protocol, path) in SERVERS {
        let url = format!("{url}{path}");
        let (report, status) = probed(&[&url, "--protocol", protocol]).await;
        let not_passed = results(&report).into_iter().filter(|(id, result, _)| {
            let is_possible = match *id {
                // The service stores nothing, and its agent answers for any model.
                "previous-answered" | "unknown-model-form" => "skip",
                _ => "ok",
            };
            *result != is_possible
        });
        let not_passed: Vec<_> = not_passed.collect();
        assert!(not_passed.is_empty(), "{protocol}: {not_passed:#?}");
        assert_eq!(status, 0, "{protocol}");
        assert_eq!(report["failed"], 0);
        assert!(report["requests"].as_u64().unwrap() <= 20, "{protocol}: {}", report["requests"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_check_fails_for_a_server_that_is_wrong() {
    for (protocol, path) in SERVERS {
        for check in checks(protocol).await {
            let fault = faults::of(protocol, &check);
            let fault = fault.unwrap_or_else(|| panic!("{protocol} has no fault for {check}"));
            let url = format!("{}{path}", server::start(Some(fault)).await);
            let arguments = [&url, "--protocol", protocol, "--only", &check, "--timeout", "1"];
            let (report, status) = probed(&arguments).await;
            let all = results(&report);
            let found = all.iter().find(|(id, ..)| *id == check);
            let Some((_, result, details)) = found else { panic!("{protocol}: no {check}") };
            let is_must = matches!(*result, "fail");
            assert!(is_must || *result == "warn", "{protocol} {check}: {result} {details}");
            assert_eq!(status, i32::from(is_must), "{protocol} {check}: {details}");
            assert_ne!(details, "[]", "{protocol} {check}");
        }
    }
}

#[tokio::test]
async fn an_agent_whose_card_denies_streams_is_asked_for_whole_answers() {
    let no_streams = Fault::Body(|body| body.replace("\"streaming\":true", "\"streaming\":false"));
    let url =
        format!("{}/a2a", server::start(Some((On::Path("agent-card.json"), no_streams))).await);
    let (report, status) = probed(&[&url, "--protocol", "a2a"]).await;
    assert_eq!(status, 0, "{report:#}");
    for (id, result, details) in results(&report) {
        let is_stream = [
            "text",
            "whole-agrees",
            "next-turn",
            "unknown-member",
            "after-cut",
            "get-task",
            "cancel-ended",
        ]
        .iter()
        .any(|scenario| id.starts_with(scenario));
        assert_eq!(result, if is_stream { "skip" } else { "ok" }, "{id}: {details}");
    }
}

#[tokio::test]
async fn usage_errors_exit_with_2() {
    for arguments in [
        &["--protocol", "ag-ui"][..],
        &["http://127.0.0.1:1"],
        &["http://127.0.0.1:1", "--protocol", "gemini"],
        &["127.0.0.1:1", "--protocol", "ag-ui"],
        &["http://user:hunter2@127.0.0.1:1", "--protocol", "ag-ui"],
        &["http://127.0.0.1:1", "--protocol", "ag-ui", "--only", "nothing"],
        &["http://127.0.0.1:1", "--protocol", "ag-ui", "--header", "no colon"],
        &["http://127.0.0.1:1", "--protocol", "ag-ui", "--key", "a\nb"],
        &["http://127.0.0.1:1", "--protocol", "ag-ui", "--timeout", "0"],
    ] {
        let output = probe(arguments).await;
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {printed}");
        assert!(!printed.contains("hunter2"), "{printed}");
    }
    // Nothing listens there.
    let output = probe(&["http://127.0.0.1:1", "--protocol", "ag-ui"]).await;
    assert_eq!(output.status.code(), Some(2));
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(printed.contains("cannot be reached"), "{printed}");
}

#[tokio::test]
async fn the_table_and_junit_have_each_check() {
    let url = format!("{}/ag-ui", server::start(faults::of("ag-ui", "text-uncached")).await);
    let output = probe(&[&url, "--protocol", "ag-ui", "--only", "text"]).await;
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("ok     must    text-status"), "{printed}");
    assert!(printed.contains("warn   should  text-uncached"), "{printed}");
    assert!(
        printed.ends_with("10 checks, 1 request: 9 passed, 0 failed, 1 warning, 0 skipped\n"),
        "{printed}"
    );
    let strict = probe(&[&url, "--protocol", "ag-ui", "--only", "text", "--strict"]).await;
    assert_eq!(strict.status.code(), Some(1));

    let broken = format!("{}/ag-ui", server::start(faults::of("ag-ui", "text-legal")).await);
    let output =
        probe(&[&broken, "--protocol", "ag-ui", "--only", "text,call", "--format", "junit"]).await;
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name="),
        "{printed}"
    );
    assert!(printed.contains("<testcase classname=\"ag-ui\" name=\"text-status\"/>"), "{printed}");
    assert!(printed.contains("name=\"text-legal\"><failure message="), "{printed}");
    assert!(printed.ends_with("</testsuite>\n"), "{printed}");
}

#[tokio::test]
async fn violations_have_their_rule_and_place() {
    let url = format!("{}/ag-ui", server::start(faults::of("ag-ui", "text-legal")).await);
    let (report, status) = probed(&[&url, "--protocol", "ag-ui", "--only", "text-legal"]).await;
    assert_eq!(status, 1);
    let details = report["checks"][0]["details"][0].as_str().unwrap();
    assert!(
        details.contains("[U") && details.contains("event ") && details.contains("(byte "),
        "{details}"
    );
}
