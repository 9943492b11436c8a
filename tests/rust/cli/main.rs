//! The command line as its users run it.

mod input;
mod quick_start;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use agentwire::ProtocolKind;
use agentwire::json::Value;

const CORPUS: &str = "tests/data/corpus/agent-api";
const AG_KIT: &str = "tests/data/corpus/ag-kit";

fn agentwire(arguments: &[&str], input: Option<&[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agentwire"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.unwrap_or_default().to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    output
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn fold_prints_the_response_object_and_a_report() {
    let file = format!("{CORPUS}/11_function_call_and_output/stream.sse");
    let output = agentwire(&["fold", &file], None);
    assert!(output.status.success());
    let printed = Value::parse(text(&output.stdout), 64).expect("JSON");
    let member = |name: &str| printed.get(name).cloned().unwrap_or_default();
    assert_eq!(member("object").as_str(), Some("response"));
    assert_eq!(member("status").as_str(), Some("completed"));
    let report = member("report");
    assert_eq!(report.get("ended").and_then(Value::as_str), Some("terminal"));
    let Some(Value::Array(calls)) = report.get("toolCalls") else { panic!("no calls") };
    assert_eq!(calls[0].get("state").and_then(Value::as_str), Some("answered"));
}

#[test]
fn fold_reads_standard_input_with_any_chunk_size() {
    let stream = std::fs::read(format!("{CORPUS}/34_unicode/stream.sse")).expect("a stream");
    let whole = agentwire(&["fold", "--compact", "-"], Some(&stream));
    let bytes = agentwire(&["fold", "--compact", "--chunk", "1"], Some(&stream));
    assert!(whole.status.success());
    assert_eq!(text(&whole.stdout), text(&bytes.stdout));
    assert_eq!(text(&whole.stdout).lines().count(), 1);
}

#[test]
fn check_prints_nothing_for_a_valid_stream() {
    let output = agentwire(
        &["check", &format!("{CORPUS}/14_mcp_list_approval_call_output/stream.sse")],
        None,
    );
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), ""));
}

#[test]
fn check_exits_with_1_on_errors_only() {
    let code = |case: &str| {
        agentwire(&["check", &format!("{CORPUS}/{case}/stream.sse")], None).status.code()
    };
    assert_eq!(code("content_before_message"), Some(0), "a warning");
    assert_eq!(code("71_interrupted_by_stop_chat"), Some(1), "no terminal event");
    assert_eq!(code("malformed_events"), Some(1));
}

/// The documentation's streaming examples are bare JSON lines.
#[test]
fn json_lines_are_read_and_reported_without_ndjson_framing() {
    for folder in [CORPUS, AG_KIT] {
        let file = format!("{folder}/json_lines/stream.sse");
        let output = agentwire(&["check", &file], None);
        assert!(text(&output.stdout).contains("warning: ndjson"), "{folder}");
        for framing in ["sse", "ndjson"] {
            let output = agentwire(
                &["fold", "--framing", framing, "--compact", "--chunk", "1", &file],
                None,
            );
            let answer = Value::parse(text(&output.stdout), 64).expect("JSON");
            assert!(
                answer.to_json().to_lowercase().contains(r#""text":"hi""#),
                "{}",
                answer.to_json()
            );
        }
    }
    let file = format!("{AG_KIT}/json_lines/stream.sse");
    let converted =
        agentwire(&["convert", "--framing", "ndjson", "--to", "agent-api", &file], None);
    assert!(text(&converted.stdout).contains("\"Hi\""));
    let checked = agentwire(&["check", "-"], Some(&converted.stdout));
    assert_eq!((checked.status.code(), text(&checked.stdout)), (Some(0), ""));
}

#[test]
fn check_prints_rule_event_and_byte_offset() {
    let file = format!("{CORPUS}/malformed_events/stream.sse");
    let output = agentwire(&["check", &file], None);
    let first = text(&output.stdout).lines().next().expect("a line").to_owned();
    assert!(first.starts_with("error: malformed-event [R7] event 4 (byte "), "{first}");
    let output = agentwire(&["check", "--format", "json", &file], None);
    let report = Value::parse(text(&output.stdout), 64).expect("JSON");
    assert!(report.get("counts").and_then(|counts| counts.get("malformed-event")).is_some());
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_unreadable_file_exits_with_2_and_an_error_message() {
    let output = agentwire(&["check", "no/such/file.sse"], None);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no/such/file.sse"), "{}", text(&output.stderr));
}

#[test]
fn emit_writes_a_valid_stream_with_the_given_text() {
    for arguments in [
        &["emit"][..],
        &["emit", "--plain", "--text", "你好 👋", "--chunks", "3"],
        &["emit", "--compact"],
    ] {
        let emitted = agentwire(arguments, None);
        let checked = agentwire(&["check", "--mode", "strict", "-"], Some(&emitted.stdout));
        assert_eq!((checked.status.code(), text(&checked.stdout)), (Some(0), ""), "{arguments:?}");
    }
    let emitted = agentwire(&["emit", "--plain", "--text", "你好 👋", "--chunks", "3"], None);
    assert_eq!(text(&emitted.stdout).matches("\"delta\":true").count(), 3);
    let folded = agentwire(&["fold", "--compact"], Some(&emitted.stdout));
    assert!(text(&folded.stdout).contains("\"text\":\"你好 👋\""));
}

#[test]
fn the_protocol_is_detected_from_the_first_event() {
    let file = format!("{AG_KIT}/k03_client_tool_call/stream.sse");
    let fold = |arguments: &[&str]| {
        let output = agentwire(&[&["fold", "--compact"], arguments].concat(), None);
        assert!(output.status.success());
        Value::parse(text(&output.stdout), 64).expect("JSON")
    };
    let auto = fold(&[&file]);
    assert_eq!(auto.get("status").and_then(Value::as_str), Some("awaiting-tool-results"));
    assert_eq!(auto, fold(&["--protocol", "ag-kit", &file]));
    assert_eq!(auto, fold(&["--chunk", "1", &file]));
    assert_eq!(auto, fold(&["--client-tool", "change-background-color", &file]));
    let other = fold(&["--client-tool", "another", &file]);
    assert_eq!(other.get("status").and_then(Value::as_str), Some("completed"));
}

#[test]
fn check_applies_the_rules_of_ag_kit() {
    let check = |arguments: &[&str]| {
        let output = agentwire(&[&["check"], arguments].concat(), None);
        (output.status.code(), text(&output.stdout).lines().next().unwrap_or("").to_owned())
    };
    let case = |name: &str| format!("{AG_KIT}/{name}/stream.sse");
    assert_eq!(check(&[&case("k01_basic_text")]), (Some(0), String::new()));
    let (code, line) = check(&[&case("h01_docs_spaces_no_done")]);
    assert_eq!(code, Some(0));
    assert!(line.starts_with("warning: no-done [K7] event 2 (byte "), "{line}");
    let (code, line) = check(&[&case("cut_off_in_a_call")]);
    assert_eq!(code, Some(1));
    assert!(line.starts_with("error: truncated [K7] event 4 (byte "), "{line}");
    assert_eq!(
        check(&["--done-is-optional", &case("h01_docs_spaces_no_done")]),
        (Some(0), String::new())
    );
    // Without an option the first event selects the protocol; as AG-Kit the stream is reported as
    // AG-UI.
    assert_eq!(check(&[&case("a01_basic")]), (Some(0), String::new()));
    let (code, line) = check(&["--protocol", "ag-kit", &case("a01_basic")]);
    assert_eq!(code, Some(1));
    assert!(line.contains("dialect-ag-ui") && line.contains("this is an AG-UI stream"), "{line}");
}

#[test]
fn emit_writes_a_valid_ag_kit_turn() {
    for arguments in [
        &["emit", "--protocol", "ag-kit"][..],
        &["emit", "--protocol", "ag-kit", "--plain", "--text", "你好 👋", "--chunks", "3"],
    ] {
        let emitted = agentwire(arguments, None);
        let checked = agentwire(
            &["check", "--mode", "strict", "--least", "note", "-"],
            Some(&emitted.stdout),
        );
        assert_eq!((checked.status.code(), text(&checked.stdout)), (Some(0), ""), "{arguments:?}");
        assert!(text(&emitted.stdout).ends_with("data: [DONE]\n\n"));
        let folded = agentwire(&["fold", "--compact"], Some(&emitted.stdout));
        assert!(
            text(&folded.stdout).starts_with("{\"status\":\"completed\",\"parts\":[{\"type\":\"t")
        );
    }
}

#[test]
fn converted_streams_have_no_violations() {
    // AG-UI is read and not converted.
    for case in agentwire_cases::reads().into_iter().filter(|case| case.protocol != "ag-ui") {
        let file = case.path("stream.sse").display().to_string();
        for to in ["agent-api", "ag-kit"] {
            let converted =
                agentwire(&["convert", "--from", &case.protocol, "--to", to, &file], None);
            let protocol =
                ProtocolKind::READABLE.iter().find(|kind| kind.as_str() == case.protocol);
            let mut reader =
                agentwire::AnyReader::with_options(protocol.copied(), Default::default());
            reader.push(&case.stream());
            let report = reader.finish().report;
            if report.events == 0 || report.count("unknown-protocol") > 0 {
                assert_eq!(converted.status.code(), Some(1), "{case}");
                continue;
            }
            assert!(converted.status.success(), "{case}: {}", text(&converted.stderr));
            let checked = agentwire(&["check", "--protocol", to, "-"], Some(&converted.stdout));
            let lines: Vec<_> = text(&checked.stdout).lines().collect();
            // Invalid arguments of the model are copied unchanged.
            let wrong =
                lines.first().is_some_and(|line| line.starts_with("warning: arguments-not-json"));
            assert!(lines.is_empty() || (wrong && lines.len() == 2), "{case} to {to}: {lines:#?}");
            assert_eq!(checked.status.code(), Some(0));
        }
    }
}

#[test]
fn convert_prints_losses_to_standard_error() {
    let file = format!("{CORPUS}/14_mcp_list_approval_call_output/stream.sse");
    let output = agentwire(&["convert", "--to", "ag-kit", "--chunk", "3", &file], None);
    assert!(text(&output.stdout).ends_with("data: [DONE]\n\n"));
    let lost = text(&output.stderr);
    assert!(
        lost.lines().all(|line| line.starts_with("lost: ")) && lost.contains("lost: tool-family ("),
        "{lost}"
    );

    let output = agentwire(&["convert", "--to", "ag-kit", "--report", &file], None);
    let report = Value::parse(text(&output.stderr), 64).expect("one JSON object");
    assert!(report.get("counts").and_then(|counts| counts.get("tool-family")).is_some());
    let Some(Value::Array(losses)) = report.get("losses") else { panic!("no losses") };
    assert!(
        losses
            .iter()
            .all(|loss| ["kind", "location", "reason"].iter().all(|name| loss.get(name).is_some()))
    );
    let ended = report.get("source").and_then(|source| source.get("ended"));
    assert_eq!(ended.and_then(Value::as_str), Some("terminal"));
}

#[test]
fn convert_detects_the_source_and_keeps_heartbeats_as_comments() {
    let stream = b": ping\n\ndata: {\"type\":\"text\",\"content\":\"Hi\"}\n\ndata: [DONE]\n\n";
    let output = agentwire(
        &["convert", "--to", "agent-api", "--compact", "--session", "s", "-"],
        Some(stream),
    );
    let converted = text(&output.stdout);
    assert!(converted.starts_with(": heartbeat\n\ndata: {"), "{converted}");
    let folded = agentwire(&["fold", "--compact"], Some(&output.stdout));
    let folded = Value::parse(text(&folded.stdout), 64).expect("JSON");
    assert_eq!(folded.get("session_id").and_then(Value::as_str), Some("s"));
    assert_eq!(folded.get("status").and_then(Value::as_str), Some("completed"));
}

#[test]
fn check_accepts_several_files() {
    let legal = format!("{CORPUS}/14_mcp_list_approval_call_output/stream.sse");
    let illegal = "Cargo.toml";
    let output = agentwire(&["check", &legal, illegal, &legal], None);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert!(lines.iter().all(|line| line.starts_with("Cargo.toml: ")), "{lines:?}");
    assert_eq!(
        lines.last(),
        Some(&"Cargo.toml: 0 events, 3 violations in all, ended: error-frame")
    );
    assert_eq!(agentwire(&["check", &legal, &legal], None).status.code(), Some(0));
    // The files after a missing one are checked.
    let output = agentwire(&["check", "nowhere", illegal], None);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("nowhere"));
    assert!(text(&output.stdout).contains("Cargo.toml: 0 events"));
    assert_eq!(agentwire(&["check", &legal, "nowhere", &legal], None).status.code(), Some(2));
}

#[test]
fn an_unknown_protocol_is_reported_and_exits_with_1() {
    let unknown = "data: {\"event\":\"message\",\"answer\":\"Hi\"}\n\n";
    for arguments in [&["check", "-"][..], &["fold", "-"], &["convert", "--to", "a2a", "-"]] {
        let output = agentwire(arguments, Some(unknown.as_bytes()));
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let printed = [text(&output.stdout), text(&output.stderr)].concat();
        let sentence = "got no event of a protocol that is known";
        assert!(printed.contains(sentence), "{arguments:?}: {printed}");
    }
    let output = agentwire(
        &[
            "fold",
            "--protocol",
            "agent-api",
            "tests/data/corpus/agent-api/other_protocol/stream.sse",
        ],
        None,
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("what looks like AG-UI: use protocol `ag-ui`"),
        "{}",
        text(&output.stderr)
    );
}
