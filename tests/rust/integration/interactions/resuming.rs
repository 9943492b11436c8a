//! A stream that was cut off is resumed after the last event that was received, by its `event_id`.

use agentwire::Reader;
use agentwire::interactions::{Interactions, Snapshot};
use agentwire_cases::{Kind, select};

/// The events of a stream, each with an id.
fn events(stream: &[u8]) -> Vec<String> {
    let stream = String::from_utf8_lossy(stream).into_owned();
    let frames = stream.split_inclusive("\n\n").filter(|frame| frame.contains("data: {"));
    frames
        .enumerate()
        .map(|(at, frame)| {
            let end = frame.rfind('}').expect("an object");
            format!("{},\"event_id\":\"e{at}\"{}", &frame[..end], &frame[end..])
        })
        .collect()
}

/// The events that a server sends for `last_event_id`.
fn after<'e>(events: &'e [String], last: Option<&str>) -> &'e [String] {
    let number = |id: &str| id.trim_start_matches('e').parse::<usize>().expect("a number");
    &events[last.map_or(0, |id| number(id) + 1)..]
}

fn last_event_id(snapshot: &Snapshot) -> Option<&str> {
    snapshot.last_event_id.as_deref()
}

#[test]
fn a_stream_is_resumed_after_every_event() {
    let mut resumed = 0;
    for case in select("interactions", Kind::Read) {
        let violations = case.find("violations.json").expect("violations");
        let has_ids = String::from_utf8_lossy(&case.stream()).contains("event_id");
        if violations.trim() != "[]" || has_ids || case.name.starts_with("whole_answer") {
            continue;
        }
        let events = events(&case.stream());
        let whole = {
            let mut reader = Reader::new(Interactions::default());
            reader.push(events.concat().as_bytes());
            reader.finish()
        };
        for cut in 0..=events.len() {
            let mut reader = Reader::new(Interactions::default());
            reader.push(events[..cut].concat().as_bytes());
            let rest = after(&events, last_event_id(reader.snapshot())).concat();
            reader.push(rest.as_bytes());
            let outcome = reader.finish();
            assert_eq!(outcome.snapshot, whole.snapshot, "{case}, cut after {cut} events");
            assert_eq!(outcome.report.violations, [], "{case}, cut after {cut} events");
            resumed += 1;
        }
    }
    assert!(resumed > 300, "{resumed} cuts");
}
