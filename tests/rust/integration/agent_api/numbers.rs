//! Sequence numbers of events in all their spellings, also of the events that are replayed.

use agentwire::Reader;
use agentwire::agent_api::AgentApi;

/// Returns a run with this number of deltas; `number` writes the number of an event into it.
fn stream(count: u64, number: impl Fn(u64, &str) -> String) -> String {
    let head = [
        r#""object":"response","status":"created","id":"r""#,
        r#""object":"response","status":"in_progress","id":"r""#,
        r#""object":"message","status":"in_progress","id":"m","type":"message","role":"assistant""#,
    ];
    let delta = r#""object":"content","type":"text","index":0,"delta":true,"msg_id":"m","status":"in_progress","text":"x""#;
    let events = head.into_iter().chain((0..count).map(|_| delta));
    events.zip(0..).map(|(event, at)| format!("data: {{{}}}\n\n", number(at, event))).collect()
}

/// Returns the number of wrong sequence numbers, for all chunk sizes; asserts that the text is the
/// streamed one.
fn wrong_numbers(stream: &str, count: usize) -> u64 {
    let read = |size: usize| {
        let mut reader = Reader::new(AgentApi::default());
        stream.as_bytes().chunks(size).for_each(|chunk| {
            reader.push(chunk);
        });
        let outcome = reader.finish();
        let json = outcome.snapshot.response.to_json(agentwire::agent_api::Style::Wire);
        assert!(json.contains(&format!(r#""text":"{}""#, "x".repeat(count))), "{json}");
        (outcome.report.events, outcome.report.count("sequence-number"), outcome.report.to_json())
    };
    let whole = read(usize::MAX);
    assert_eq!(whole.0, count as u64 + 3);
    for size in [1, 7, 64, 150, 1000] {
        assert_eq!(read(size), whole, "chunks of {size}");
    }
    whole.1
}

#[test]
fn sequence_numbers_are_read_at_any_position_and_in_any_spelling() {
    let first = |at: u64, event: &str| format!(r#""sequence_number":{at},{event}"#);
    let last = |at: u64, event: &str| format!(r#"{event},"sequence_number":{at}"#);
    let text = |at: u64, event: &str| format!(r#""sequence_number":"{at}",{event}"#);
    let float = |at: u64, event: &str| format!(r#"{event},"sequence_number":{at}.0"#);
    assert_eq!(wrong_numbers(&stream(120, first), 120), 0);
    assert_eq!(wrong_numbers(&stream(120, last), 120), 0);
    assert_eq!(wrong_numbers(&stream(120, text), 120), 0);
    assert_eq!(wrong_numbers(&stream(120, float), 120), 0);
}

#[test]
fn each_wrong_sequence_number_is_counted() {
    let none = |_: u64, event: &str| event.to_owned();
    let null = |_: u64, event: &str| format!(r#""sequence_number":null,{event}"#);
    let gap = |at: u64, event: &str| format!(r#"{event},"sequence_number":{}"#, at + at / 50);
    let same = |_: u64, event: &str| format!(r#"{event},"sequence_number":0"#);
    assert_eq!(wrong_numbers(&stream(120, none), 120), 123);
    assert_eq!(wrong_numbers(&stream(120, null), 120), 123);
    assert_eq!(wrong_numbers(&stream(120, gap), 120), 2);
    assert_eq!(wrong_numbers(&stream(120, same), 120), 122);
}
