//! Compaction: every recorded stream has the same snapshot with fewer events.

use agentwire::ProtocolKind;
use agentwire::ag_ui::{AgUi, Compactor};
use agentwire::read::{EventReader, StreamEntry};
use agentwire::{Reader, Report};
use agentwire_cases::{Kind, select};

use crate::reading::options;

fn events(case: &agentwire_cases::Case) -> Vec<String> {
    let mut reader = EventReader::new(Some(ProtocolKind::AgUi), &options(case).options);
    let mut entries = reader.push(&case.stream());
    entries.extend(reader.finish());
    let data = |entry| match entry {
        StreamEntry::Event(event) => Some(event.data),
        _ => None,
    };
    entries.into_iter().filter_map(data).collect()
}

fn compact(events: &[String]) -> Vec<String> {
    let mut compactor = Compactor::default();
    events.iter().for_each(|event| compactor.push(event));
    compactor.finish()
}

fn read(case: &agentwire_cases::Case, events: &[String]) -> (String, Report) {
    let mut before = AgUi::default();
    (before.messages, before.state) = {
        let options = options(case).ag_ui;
        (options.messages, options.state)
    };
    let mut reader = Reader::new(before);
    events.iter().for_each(|event| {
        reader.push(format!("data: {}\n\n", event.replace('\n', "\ndata: ")).as_bytes());
    });
    let outcome = reader.finish();
    (outcome.snapshot.to_json(), outcome.report)
}

#[test]
fn compaction_keeps_the_snapshot() {
    let (mut before, mut after) = (0, 0);
    for case in select("ag-ui", Kind::Read) {
        let events = events(&case);
        let compact = compact(&events);
        let ((said, report), (expected, judged)) = (read(&case, &compact), read(&case, &events));
        assert_eq!(said, expected, "{case}");
        assert_eq!(judged.counts, report.counts, "{case}");
        (before, after) = (before + events.len(), after + compact.len());
    }
    assert!(after < before, "{before} events became {after}");
}

#[test]
fn events_are_not_reordered() {
    let event = |name: &str, id: &str, delta: &str| {
        let delta = if delta.is_empty() { String::new() } else { format!(r#","delta":"{delta}""#) };
        format!(r#"{{"type":"TEXT_MESSAGE_{name}","messageId":"{id}"{delta}}}"#)
    };
    let failed = r#"{"type":"RUN_ERROR","message":"no"}"#.to_owned();
    // Interleaved messages, one of which is open when the run fails: the official client moves
    // their events.
    let [start_a, start_b] = ["a", "b"].map(|id| event("START", id, ""));
    let pieces = [("a", "1"), ("b", "2"), ("a", "3"), ("b", "4")]
        .map(|(id, delta)| event("CONTENT", id, delta));
    let events = [
        &[start_a.clone(), start_b.clone()][..],
        &pieces,
        &[event("END", "b", ""), failed.clone()],
    ]
    .concat();
    let fewer = [
        start_a,
        start_b,
        event("CONTENT", "a", "13"),
        event("CONTENT", "b", "24"),
        event("END", "b", ""),
        failed,
    ];
    assert_eq!(compact(&events), fewer);
}

#[test]
fn state_snapshots_and_deltas_are_merged() {
    let text = |events: &[&str]| events.iter().map(|event| (*event).to_owned()).collect::<Vec<_>>();
    let run = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let delta = |op: &str| format!(r#"{{"type":"STATE_DELTA","delta":[{op}]}}"#);
    let snapshot =
        |value: &str| format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{value},"timestamp":1}}"#);
    let add = delta(r#"{"op":"add","path":"/b","value":12345678901234567890}"#);
    let fails = delta(r#"{"op":"remove","path":"/none"}"#);
    // The state before the run is not known, so its patches are kept. So are a failing patch and
    // the patches after it.
    assert_eq!(
        compact(&text(&[run, &add, &snapshot(r#"{"a":1}"#), &add, &add, &fails, &add])),
        text(&[run, &add, &snapshot(r#"{"a":1,"b":12345678901234567890}"#), &fails, &add])
    );
    // A subagent has its own state.
    let other = r#"{"type":"STATE_DELTA","delta":[],"subagentRunId":"s"}"#;
    assert_eq!(
        compact(&text(&[run, &snapshot("1"), other, &add])),
        text(&[run, &snapshot("1"), other, &add])
    );
}

/// A snapshot of the state, and patches that double it until a reader of these bytes refuses one.
fn doubling() -> Vec<String> {
    let snapshot = r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":{"b":"0123456789"}}}"#;
    let patch = |level: usize| {
        let name = format!("c{level}");
        format!(
            r#"{{"type":"STATE_DELTA","delta":[{{"op":"copy","from":"","path":"/{name}"}}],"timestamp":1}}"#
        )
    };
    [snapshot.to_owned()].into_iter().chain((0..14).map(patch)).collect()
}

fn stream(events: &[String]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

fn snapshot(stream: &str) -> (String, u64) {
    let mut reader = Reader::new(AgUi::default());
    reader.push(stream.as_bytes());
    let outcome = reader.finish();
    (outcome.snapshot.to_json(), outcome.report.count("limit-exceeded"))
}

/// Pieces of two texts in turn, which take more bytes in many events than in two.
fn pieces(count: usize) -> Vec<String> {
    let run = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned();
    let starts = ["m", "n"].map(|id| {
        format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"{id}","role":"assistant"}}"#)
    });
    let pieces = ["m", "n"]
        .map(|id| format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{id}","delta":"a"}}"#));
    let events = [run].into_iter().chain(starts);
    events.chain(pieces.into_iter().cycle().take(count)).collect()
}

#[test]
fn limits_that_grow_with_the_input_do_not_depend_on_the_number_of_pieces() {
    let refused = [2, 30, 3_000].map(|count| {
        let events = [pieces(count), doubling()].concat();
        snapshot(&stream(&events)).1
    });
    assert!(refused[0] > 0, "a patch reaches the limit");
    assert_eq!(refused, [refused[0]; 3]);
}

#[test]
fn a_stream_that_continues_after_compacted_texts_has_the_same_snapshot() {
    let events = pieces(3_000);
    let compacted = compact(&events);
    assert_eq!(compacted.len(), 5);
    let [joined, whole] =
        [compacted, events].map(|beginning| snapshot(&stream(&[beginning, doubling()].concat())));
    assert_eq!(joined, whole);
}

#[test]
fn a_merged_state_is_not_deeper_than_a_reader_accepts() {
    let run = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    for depth in 120..130 {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let inside = "/0".repeat(depth / 2);
        let half = depth / 2;
        let (open_half, close_half) = ("[".repeat(half), "]".repeat(half));
        let whole = format!(r#"{{"op":"add","path":"/a","value":{open}{close}}}"#);
        let twice = format!(
            r#"{{"op":"add","path":"/a","value":{open_half}0{close_half}}},{{"op":"replace","path":"/a{inside}","value":{open_half}{close_half}}}"#
        );
        for patch in [whole, twice] {
            let events = [
                run.to_owned(),
                r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#.to_owned(),
                format!(r#"{{"type":"STATE_DELTA","delta":[{patch}]}}"#),
            ];
            let compacted = compact(&events);
            assert_eq!(snapshot(&stream(&compacted)).0, snapshot(&stream(&events)).0, "{depth}");
        }
    }
}

#[test]
fn joined_pieces_are_not_longer_than_a_line_may_be() {
    let mut events = pieces(0);
    let text = "x".repeat(1 << 20);
    events.resize(
        events.len() + 65,
        format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{text}"}}"#),
    );
    assert_eq!(compact(&events), events);
}
