//! Streams, compared with the official client, and cases that are not in the corpus.

use agentwire::anthropic::{Anthropic, Status};
use agentwire::{EndReason, ProtocolKind, Reader, read};

use crate::official::Differences;

#[test]
fn snapshot_and_errors_match_the_official_client() {
    let differences = Differences {
        protocol: "anthropic",
        other_snapshot: &[
            ("block_index", "the client takes the index for the place, and drops the delta"),
            ("mcp_tool", "the client does not know the block, and drops its deltas"),
            ("member_type", "the client joins a number with the text, and hands on another one"),
            (
                "stop_sequence",
                "the client drops properties of `message_delta` that it does not know",
            ),
        ],
        stricter: &[
            ("cut_tool_input", "the client reads what there is of the input: nothing"),
            ("invalid_utf8", "the client decodes it to U+FFFD"),
            ("member_type", "the client joins a number with the text, and hands on another one"),
        ],
        laxer: &[
            (
                "framing_unterminated",
                "the client waits for the blank line, and the stream has no end",
            ),
            ("json_lines", "the client reads server-sent events only"),
        ],
        added_there: &["parsed_output", "partial_json"],
        added_here: &["status", "error"],
        least: 40,
    };
    differences.check();
}

#[test]
fn an_aborted_stream_is_incomplete_without_violations() {
    let mut reader = Reader::new(Anthropic::default());
    reader.push(
        b"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"role\":\"assistant\",\"content\":[]}}\n\n",
    );
    assert_eq!(reader.snapshot().status, Status::InProgress);
    let outcome = reader.abort();
    assert_eq!(
        (outcome.snapshot.status, outcome.report.end_reason),
        (Status::Incomplete, EndReason::Aborted)
    );
    assert!(outcome.report.violations.is_empty());
}

#[test]
fn events_are_detected_except_ping() {
    for (data, is_anthropic) in [
        (r#"{"type":"message_start","message":{}}"#, true),
        (r#"{"type":"content_block_delta"}"#, true),
        (r#"{"type":"error","error":{"type":"overloaded_error"}}"#, true),
        (r#"{"type":"error","error":"x"}"#, false),
        (r#"{"type":"ping"}"#, false),
    ] {
        assert_eq!(read::detect(data) == Some(ProtocolKind::Anthropic), is_anthropic, "{data}");
    }
}
