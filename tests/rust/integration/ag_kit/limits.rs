//! Every bound, at the limit and one past it.

use agentwire::ag_kit::{AgKit, Snapshot};
use agentwire::read::{Mode, ReadOptions};
use agentwire::{Limits, Outcome, Reader};

fn read(limits: impl FnOnce(&mut Limits), events: &[&str]) -> Outcome<Snapshot> {
    let mut options = ReadOptions::default();
    limits(&mut options.limits);
    let mut reader = Reader::with_options(AgKit::default(), options);
    for event in events {
        reader.push(format!("data: {event}\n\n").as_bytes());
    }
    reader.push(b"data: [DONE]\n\n");
    reader.finish()
}

fn exceeded(outcome: &Outcome<Snapshot>) -> u64 {
    outcome.report.count("limit-exceeded")
}

#[test]
fn parts_are_limited_by_messages() {
    let start = r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}"#;
    let text = r#"{"type":"text","content":"x"}"#;
    let interrupt = r#"{"type":"interrupt","id":"i","payload":1}"#;
    let at = read(|l| l.messages = 3, &[text, start, text]);
    assert_eq!((exceeded(&at), at.snapshot.parts.len()), (0, 3));
    let past = read(|l| l.messages = 2, &[text, start, text, interrupt]);
    assert_eq!((exceeded(&past), past.snapshot.parts.len()), (2, 2));
    assert_eq!(
        past.snapshot.status.as_str(),
        "interrupted",
        "what was dropped counts all the same"
    );
}

#[test]
fn texts_and_arguments_are_limited_by_content_bytes() {
    let text = |piece: &str| format!(r#"{{"type":"text","content":"{piece}"}}"#);
    let pieces = [text("12345"), text("67890")];
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    let at = read(|l| l.content_bytes = 10, &pieces);
    assert_eq!((exceeded(&at), at.snapshot.text().as_str()), (0, "1234567890"));
    let past = read(|l| l.content_bytes = 9, &pieces);
    assert_eq!((exceeded(&past), past.snapshot.text().as_str()), (1, "12345"));

    let call = [
        r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}"#,
        r#"{"type":"tool-call-args","toolCallId":"c","delta":"[1,2"}"#,
        r#"{"type":"tool-call-args","toolCallId":"c","delta":",3]"}"#,
        r#"{"type":"tool-call-end","toolCallId":"c"}"#,
    ];
    let at = read(|l| l.content_bytes = 7, &call);
    let value = |outcome: &Outcome<Snapshot>| {
        let call = outcome.snapshot.tool_calls().next().expect("a call").clone();
        (
            call.arguments,
            call.parsed_arguments.map(|value| value.to_json()),
            call.arguments_error.is_some(),
        )
    };
    assert_eq!((exceeded(&at), value(&at)), (0, ("[1,2,3]".into(), Some("[1,2,3]".into()), false)));
    let past = read(|l| l.content_bytes = 6, &call);
    assert_eq!((exceeded(&past), value(&past)), (1, ("[1,2".into(), None, true)));
}

#[test]
fn json_depth_is_limited() {
    let nested = |depth: usize| {
        format!(
            r#"{{"type":"interrupt","id":"i","payload":{}{}}}"#,
            "[".repeat(depth - 1),
            "]".repeat(depth - 1)
        )
    };
    assert_eq!(read(|l| l.json_depth = 10, &[&nested(10)]).report.count("malformed-event"), 0);
    let past = read(|l| l.json_depth = 10, &[&nested(11)]);
    assert_eq!(past.report.count("malformed-event"), 1);
    assert!(past.report.violations[0].got.starts_with("too-deep"));
    // Far past it, in an event and in arguments: no stack is used up.
    let far = format!(r#"{{"type":"text","content":{}"#, "[".repeat(1_000_000));
    let args = format!(
        r#"{{"type":"tool-call-args","toolCallId":"c","delta":"{}"}}"#,
        "[".repeat(1_000_000)
    );
    let outcome = read(
        |_| (),
        &[
            &far,
            r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}"#,
            &args,
            r#"{"type":"tool-call-end","toolCallId":"c"}"#,
        ],
    );
    assert_eq!(outcome.report.count("malformed-event"), 1);
    let call = outcome.snapshot.tool_calls().next().expect("a call");
    assert!(call.arguments_error.as_deref().is_some_and(|error| error.contains("nested too deep")));
}

#[test]
fn a_strict_reader_stops_at_the_first_error() {
    let mut options = ReadOptions::default();
    options.mode = Mode::Strict;
    let mut reader = Reader::with_options(AgKit::default(), options);
    reader.push(b"data: {\"type\":\"text\",\"content\":\"a\"}\n\ndata: nonsense\n\ndata: {\"type\":\"text\",\"content\":\"b\"}\n\n");
    assert!(reader.has_ended());
    let outcome = reader.finish();
    assert_eq!(
        (outcome.snapshot.text().as_str(), outcome.report.end_reason.as_str()),
        ("a", "refused")
    );
}

#[test]
fn an_aborted_turn_is_truncated_without_violations() {
    let mut reader = Reader::new(AgKit::default());
    reader.push(
        b"data: {\"type\":\"tool-call-start\",\"toolCallId\":\"c\",\"toolCallName\":\"f\"}\n\n",
    );
    let outcome = reader.abort();
    assert_eq!(outcome.snapshot.status.as_str(), "truncated");
    assert_eq!((outcome.report.end_reason.as_str(), outcome.report.total()), ("aborted", 0));
    assert_eq!(outcome.report.unfinished, ["c"]);
}
