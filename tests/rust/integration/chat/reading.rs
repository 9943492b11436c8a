//! Streams, compared with the official client, and cases that are not in the corpus.

use agentwire::chat::{Chat, Status};
use agentwire::{EndReason, ProtocolKind, Reader, read};

use crate::official::Differences;

#[test]
fn snapshot_and_errors_match_the_official_client() {
    let differences = Differences {
        protocol: "chat",
        other_snapshot: &[
            ("annotations", "the client keeps the last list"),
            ("content_parts", "the client appends `[object Object]`"),
            ("malformed_call", "the client hands on a number as the id"),
            ("malformed_choice", "the client adds the delta"),
            ("member_type", "the client appends `[object Object]`"),
            (
                "missing_ids",
                "the client makes a random id for the call, and has no id of the completion",
            ),
            ("reasoning", "the client keeps the last piece (C7)"),
            ("reasoning_after_text", "the client keeps the last piece (C7)"),
            ("reasoning_content", "the client keeps the last piece (C7)"),
            ("reasoning_twice", "the client keeps the last piece (C7)"),
            ("tool_changed", "the client joins the calls"),
        ],
        stricter: &[
            ("invalid_utf8", "the client decodes it to U+FFFD"),
            ("malformed_call", "the client hands on a number as the id"),
            ("malformed_choice", "the client adds the delta"),
            ("member_type", "the client appends `[object Object]`"),
        ],
        laxer: &[("json_lines", "the client reads server-sent events only")],
        added_there: &["parsed", "parsed_arguments"],
        added_here: &["status", "error"],
        least: 50,
    };
    differences.check();
}

fn chunk(choice: &str) -> String {
    format!(
        "data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{choice}]}}\n\n"
    )
}

#[test]
fn an_aborted_stream_is_incomplete_without_violations() {
    let mut reader = Reader::new(Chat::default());
    reader.push(chunk(r#"{"index":0,"delta":{"content":"Hel"}}"#).as_bytes());
    assert_eq!(reader.snapshot().status, Status::InProgress);
    let outcome = reader.abort();
    assert_eq!(
        (outcome.snapshot.status, outcome.report.end_reason),
        (Status::Incomplete, EndReason::Aborted)
    );
    assert!(outcome.report.violations.is_empty());
}

/// Indexes, names and lists of any size are processed in linear time.
#[test]
fn hostile_indexes_and_names_are_limited() {
    let mut stream = String::new();
    for number in (0..2000i64).rev() {
        stream += &chunk(&format!(
            r#"{{"index":{number},"x{number}":{number},"delta":{{"y{number}":1,"tool_calls":[{{"index":{number},"id":"{number}"}}]}}}}"#
        ));
    }
    let mut reader = Reader::new(Chat::default());
    reader.push(stream.as_bytes());
    let outcome = reader.finish();
    assert_eq!(outcome.snapshot.choices.len(), 128);
    assert_eq!(outcome.report.count("choice-index"), 2000 - 128);
    let indexes: Vec<i64> = outcome.snapshot.choices.iter().map(|choice| choice.index).collect();
    assert!(indexes.is_sorted(), "{indexes:?}");
}

#[test]
fn a_chunk_without_an_object_name_is_detected_by_its_choices() {
    for (data, is_chat) in [
        (r#"{"choices":[]}"#, true),
        (r#"{"object":"","choices":[]}"#, true),
        (r#"{"object":"chat.completion.chunk"}"#, true),
        (r#"{"object":"chat.completion","choices":[]}"#, true),
        (r#"{"type":"x","choices":[]}"#, false),
        (r#"{"choices":{}}"#, false),
    ] {
        let found = read::detect(data) == Some(ProtocolKind::Chat);
        assert_eq!(found, is_chat, "{data}");
    }
}
