//! Compaction: every recorded stream has the same snapshot with fewer events.

use agentwire::ProtocolKind;
use agentwire::ag_ui::{AgUi, Compactor};
use agentwire::read::{Entry, EventReader};
use agentwire::{Reader, Report};
use agentwire_cases::{Kind, select};

use crate::reading::options;

fn events(case: &agentwire_cases::Case) -> Vec<String> {
    let mut reader = EventReader::new(Some(ProtocolKind::AgUi), &options(case).options);
    let mut entries = reader.push(&case.stream());
    entries.extend(reader.finish());
    let data = |entry| match entry {
        Entry::Event(event) => Some(event.data),
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
