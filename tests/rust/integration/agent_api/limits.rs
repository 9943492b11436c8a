//! Each limit of `Limits`: a value at the limit passes, a value above it is reported, and reading
//! continues.

use agentwire::agent_api::{AgentApi, Snapshot};
use agentwire::read::ReadOptions;
use agentwire::{Limits, Outcome, Reader};

fn read(limits: impl FnOnce(&mut Limits), events: &[String]) -> Outcome<Snapshot> {
    let mut options = ReadOptions::default();
    limits(&mut options.limits);
    let mut reader = Reader::with_options(AgentApi::default(), options);
    for event in events {
        reader.push(format!("data: {event}\n\n").as_bytes());
    }
    reader.finish()
}

fn exceeded(outcome: &Outcome<Snapshot>) -> u64 {
    outcome.report.count("limit-exceeded")
}

fn text(message: usize, index: usize, text: &str) -> String {
    format!(
        r#"{{"object":"content","status":"in_progress","type":"text","index":{index},"delta":true,"msg_id":"m{message}","text":"{text}"}}"#
    )
}

#[test]
fn messages_are_limited() {
    let events: Vec<String> = (0..4).map(|m| text(m, 0, "x")).collect();
    let at = read(|l| l.messages = 4, &events);
    assert_eq!((exceeded(&at), at.snapshot.response.output.len()), (0, 4));
    let past = read(|l| l.messages = 3, &events);
    assert_eq!((exceeded(&past), past.snapshot.response.output.len()), (1, 3));
}

#[test]
fn contents_are_limited() {
    let events: Vec<String> = (0..4).map(|c| text(0, c, "x")).collect();
    let at = read(|l| l.contents = 4, &events);
    assert_eq!((exceeded(&at), at.snapshot.response.output[0].content.len()), (0, 4));
    let past = read(|l| l.contents = 3, &events);
    assert_eq!((exceeded(&past), past.snapshot.response.output[0].content.len()), (1, 3));
}

#[test]
fn contents_listed_by_a_message_are_limited() {
    let part = r#"{"object":"content","type":"text","status":"completed","text":"x"}"#;
    let list = |count: usize| {
        let parts = vec![part; count].join(",");
        [format!(
            r#"{{"object":"message","id":"m0","type":"message","status":"completed","content":[{parts}]}}"#
        )]
    };
    let at = read(|l| l.contents = 4, &list(4));
    assert_eq!((exceeded(&at), at.snapshot.response.output[0].content.len()), (0, 4));
    let past = read(|l| l.contents = 3, &list(100));
    assert_eq!((exceeded(&past), past.snapshot.response.output[0].content.len()), (1, 3));
}

#[test]
fn content_bytes_are_limited() {
    let events = [text(0, 0, "12345"), text(0, 0, "67890"), text(0, 1, "more")];
    let at = read(|l| l.content_bytes = 10, &events);
    assert_eq!(
        (exceeded(&at), at.snapshot.response.output[0].text().as_str()),
        (0, "1234567890more")
    );
    let past = read(|l| l.content_bytes = 9, &events);
    assert_eq!(
        (exceeded(&past), past.snapshot.response.output[0].text().as_str()),
        (1, "12345more")
    );
}

/// A pending lone surrogate counts as the U+FFFD that replaces it, also where events are processed
/// in a batch.
#[test]
fn content_bytes_after_a_lone_surrogate_are_limited() {
    let event = |number: usize, piece: &str, space: &str| {
        format!(
            "data: {{\"sequence_number\":{number},\"object\":\"content\",\"status\":\"in_progress\",{space}\"type\":\"text\",\
             \"index\":0,\"delta\":true,\"msg_id\":\"m\",\"text\":\"{piece}\"}}\n\n"
        )
    };
    // The first is written differently from the surrogate and the events after it, which are
    // processed in a batch.
    let stream = [
        "data: {\"object\":\"message\",\"status\":\"in_progress\",\"id\":\"m\",\"type\":\"message\"}\n\n"
            .to_owned(),
        event(0, "aaaa", " "),
        event(1, "\\ud83d", ""),
        event(2, "bbbb", ""),
        event(3, "", ""),
        event(4, "", ""),
    ]
    .concat();
    let read = |size: usize| {
        let mut options = ReadOptions::default();
        options.limits.content_bytes = 8;
        let mut reader = Reader::with_options(AgentApi::default(), options);
        stream.as_bytes().chunks(size).for_each(|chunk| {
            reader.push(chunk);
        });
        reader.finish().report
    };
    let (whole, single) = (read(stream.len()), read(1));
    let exceeded = whole.violations.iter().find(|violation| violation.rule.id == "limit-exceeded");
    assert_eq!(exceeded.map(|violation| violation.at.event), Some(3));
    assert_eq!(whole.to_json(), single.to_json());
}

#[test]
fn json_depth_is_limited() {
    let nested = |depth: usize| {
        let inner = depth - 2;
        let data = format!("{}{}", "[".repeat(inner), "]".repeat(inner));
        format!(
            r#"{{"object":"content","status":"completed","type":"data","index":0,"msg_id":"m","data":{{"a":{data}}}}}"#
        )
    };
    let at = read(|l| l.json_depth = 10, &[nested(10)]);
    assert_eq!(at.report.count("malformed-event"), 0);
    let past = read(|l| l.json_depth = 10, &[nested(11)]);
    assert_eq!(past.report.count("malformed-event"), 1);
    assert!(past.report.violations.iter().any(|v| v.got.starts_with("too-deep")));
    // Far past it: no stack is used up.
    let far = read(|_| (), &[format!(r#"{{"object":{}"#, "[".repeat(1_000_000))]);
    assert_eq!(far.report.count("malformed-event"), 1);
}

#[test]
fn data_nodes_are_limited() {
    let piece = |key: usize| {
        format!(
            r#"{{"object":"content","status":"in_progress","type":"data","index":0,"delta":true,"msg_id":"m","data":{{"k{key}":"v"}}}}"#
        )
    };
    let events: Vec<String> = (0..4).map(piece).collect();
    let at = read(|l| l.data_nodes = 5, &events);
    assert_eq!(exceeded(&at), 0);
    let past = read(|l| l.data_nodes = 3, &events);
    assert_eq!(exceeded(&past), 1);
}

#[test]
fn violations_beyond_the_limit_are_counted() {
    let events: Vec<String> = (0..10).map(|_| text(0, 0, "x")).collect();
    let all = read(|_| (), &events);
    let few = read(|l| l.violations = 3, &events);
    assert_eq!(few.report.total(), all.report.total());
    assert_eq!(few.report.violations.len(), 3);
    // The grave one at the end is among them.
    assert!(few.report.violations.iter().any(|v| v.rule.id == "no-terminal"));
}

#[test]
fn unknown_names_beyond_the_limit_are_counted() {
    let events: Vec<String> = (0..10).map(|n| format!(r#"{{"object":"thing{n}"}}"#)).collect();
    let few = read(|l| l.unknown = 3, &events);
    assert_eq!(few.report.unknown.len(), 4);
    assert_eq!(few.report.unknown.last(), Some(&("…".to_owned(), 7)));
}
