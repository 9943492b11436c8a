//! Input that is not a stream, that is compressed, or that is of another protocol.

use std::io::Write;

use crate::{AG_KIT, CORPUS, agentwire, text};

const READING: [&[&str]; 4] = [&["check"], &["fold"], &["convert", "--to", "ag-ui"], &["compact"]];

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn input_without_events_is_rejected_with_its_likely_format() {
    let inputs: [(&[u8], &str); 9] = [
        (b"", "the input is empty"),
        (
            b"<!doctype html><title>Sign in</title>",
            "no event in 37 bytes, which look like an HTML page",
        ),
        (b"{\"answer\":\"Hi\"}", "no event in 15 bytes, which look like JSON"),
        (b"{\n  \"answer\": \"Hi\"\n}\n", "which look like JSON"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "which look like binary data"),
        (b"PK\x03\x04\x14\0", "which look like a zip file"),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n", "an HTTP response with its headers"),
        (b"{\"log\":{\"creator\":{},\"entries\":[]}}", "a HAR file"),
        (b"Internal Server Error", "which look like plain text"),
    ];
    for (input, looks) in inputs {
        for command in READING {
            let output = agentwire(command, Some(input));
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{command:?} {looks}");
            assert!(
                said.starts_with("agentwire: standard input: ") && said.contains(looks),
                "{command:?} {said}"
            );
            // A script would use any output as the result.
            assert!(command == ["check"] || output.stdout.is_empty(), "{command:?} {looks}");
        }
    }
}

#[test]
fn gzip_is_decompressed() {
    let file = format!("{CORPUS}/34_unicode/stream.sse");
    let stream = std::fs::read(&file).expect("a stream");
    let packed = gzip(&stream);
    let plain = agentwire(&["fold"], Some(&stream));
    let unpacked = agentwire(&["fold"], Some(&packed));
    assert_eq!((unpacked.status.code(), text(&unpacked.stdout)), (Some(0), text(&plain.stdout)));

    let cut = agentwire(&["fold"], Some(&packed[..packed.len() / 2]));
    assert_eq!((cut.status.code(), text(&cut.stdout)), (Some(2), ""));
    assert!(text(&cut.stderr).contains("cannot read standard input"), "{}", text(&cut.stderr));
    let twice = agentwire(&["fold"], Some(&gzip(&packed)));
    assert!(
        text(&twice.stderr).contains("gzip data inside of gzip data"),
        "{}",
        text(&twice.stderr)
    );
}

#[test]
fn a_wrong_protocol_option_is_reported_with_the_likely_protocol() {
    let file = format!("{AG_KIT}/k03_client_tool_call/stream.sse");
    for command in [&["check"][..], &["fold"], &["convert", "--to", "ag-ui"]] {
        let output = agentwire(&[command, &["--protocol", "responses", &file]].concat(), None);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?} {said}");
        assert!(said.ends_with("got what looks like AG-Kit: use protocol `ag-kit`\n"), "{said}");
    }
    let output = agentwire(&["compact", &file], None);
    assert!(text(&output.stderr).contains("what looks like AG-Kit"), "{}", text(&output.stderr));
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), ""));
    let output = agentwire(&["compact", "--protocol", "ag-kit", &file], None);
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(2), "agentwire: `compact` reads AG-UI only\n")
    );
}

#[test]
fn compact_reports_omitted_comments_names_and_ids() {
    let events = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\ndata: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";
    let output = agentwire(&["compact"], Some(events.as_bytes()));
    assert_eq!(
        (output.status.code(), text(&output.stdout), text(&output.stderr)),
        (Some(0), events, "")
    );

    let with_ids = events.replace("data: ", "id: 1\ndata: ") + ": ping\n\n";
    let output = agentwire(&["compact"], Some(with_ids.as_bytes()));
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), events));
    assert_eq!(
        text(&output.stderr),
        "agentwire: standard input: 3 comments, event names and event ids left out\n"
    );

    // A frame whose message is not protobuf, after one that is.
    let frames = [&[0, 0, 0, 4, 0x0a, 0x02, 0x0a, 0x00][..], &[0, 0, 0, 2, 0xff, 0xff]].concat();
    let output = agentwire(&["compact", "--framing", "length-prefixed"], Some(&frames));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("1 event lost"), "{}", text(&output.stderr));
}

#[test]
fn emit_writes_every_protocol_and_rejects_zero_chunks() {
    for protocol in ["agent-api", "ag-kit", "ag-ui", "responses", "a2a", "ai-sdk"] {
        let emitted = agentwire(&["emit", "--protocol", protocol, "--chunks", "3"], None);
        assert_eq!(emitted.status.code(), Some(0), "{protocol}");
        let checked = agentwire(
            &["check", "--protocol", protocol, "--mode", "strict"],
            Some(&emitted.stdout),
        );
        assert_eq!((checked.status.code(), text(&checked.stdout)), (Some(0), ""), "{protocol}");
    }
    let refused = agentwire(&["emit", "--chunks", "0"], None);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--chunks"), "{}", text(&refused.stderr));
}

#[test]
fn help_lists_the_exit_codes() {
    let help = agentwire(&["--help"], None);
    assert!(text(&help.stdout).contains("Exit status: 0, success. 1, "), "{}", text(&help.stdout));
}

/// `script` provides a terminal where it is installed.
#[test]
fn a_terminal_gets_a_summary_unless_quiet() {
    let file = format!("{AG_KIT}/k01_basic_text/stream.sse");
    let on_a_terminal = |option: &str| {
        let line = format!("{} check {option} {file}", env!("CARGO_BIN_EXE_agentwire"));
        std::process::Command::new("script").args(["-qec", &line, "/dev/null"]).output()
    };
    let Ok(output) = on_a_terminal("") else { return };
    assert!(
        text(&output.stdout).contains(": AG-Kit, 4 events, no violations, ended: terminal"),
        "{}",
        text(&output.stdout)
    );
    assert_eq!(text(&on_a_terminal("--quiet").expect("it ran before").stdout), "");
}
