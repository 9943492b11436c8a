//! The output and the refusals of the builder; any sequence of its calls is legal after
//! `finish_with`.

use agentwire::ag_kit::builder::StreamBuilder;
use agentwire::ag_kit::{AgKit, Snapshot, Status};
use agentwire::builder::WireEvent;
use agentwire::json::Value;
use agentwire::{Reader, UsageError};

use super::client::Client;
use crate::rng::Rng;

/// Returns the snapshot of a reader; asserts that the reader has found no violation.
fn read(case: &str, events: &[WireEvent]) -> Snapshot {
    let bytes: String = events.iter().map(WireEvent::to_sse).collect();
    let mut reader = Reader::new(AgKit::default());
    reader.push(bytes.as_bytes());
    let outcome = reader.finish();
    assert_eq!(outcome.report.total(), 0, "{case}: {:?} in\n{bytes}", outcome.report.counts);
    assert_eq!(outcome.report.end_reason.as_str(), "terminal", "{case}: {bytes}");
    assert_eq!(outcome.report.events as usize, events.len(), "{case}");
    outcome.snapshot
}

/// Returns the official client after these events.
fn shown(events: &[WireEvent]) -> Client {
    Client::of(&events.iter().map(WireEvent::to_sse).collect::<String>())
}

/// The calls that correspond to a recording write its bytes.
#[test]
fn recorded_streams_are_built_byte_for_byte() {
    let recorded = |case: &str| agentwire_cases::one("ag-kit", case).text("stream.sse");
    let bytes = |events: Vec<WireEvent>| events.iter().map(WireEvent::to_sse).collect::<String>();

    let mut out = StreamBuilder::new();
    let mut events: Vec<_> =
        ["Hello", " there!", " 你好 👋🏽"].map(|text| out.text(text).unwrap()).into();
    events.push(out.done().unwrap());
    assert_eq!(bytes(events), recorded("k01_basic_text"));

    let mut out = StreamBuilder::new();
    let mut events: Vec<_> = ["line one\nline two", " \"quoted\" \\ back\tslash", ""]
        .map(|text| out.text(text).unwrap())
        .into();
    events.extend(out.finish_with(None));
    assert_eq!(bytes(events), recorded("k02_text_content_rawevent"));

    let mut out = StreamBuilder::new();
    let events = vec![
        out.tool_call_start("a_b_c", "change-background-color").unwrap(),
        out.tool_call_args("a_b_c", "{\"color\":").unwrap(),
        out.tool_call_args("a_b_c", " \"blue\"}").unwrap(),
        out.tool_call_end("a_b_c").unwrap(),
        out.done().unwrap(),
    ];
    assert_eq!(bytes(events), recorded("k03_client_tool_call"));

    let mut out = StreamBuilder::new();
    assert_eq!(bytes(out.finish_with(None)), recorded("k11_empty_run_only_done"));

    // But for the reason, without which the official client does not show the interrupt.
    let mut out = StreamBuilder::new();
    let mut events = vec![out.interrupt("i1", None, Value::Null).unwrap()];
    events.extend(out.finish_with(None));
    let reason = "\"reason\":\"The agent waits for an answer.\",";
    assert_eq!(bytes(events).replace(reason, ""), recorded("h07_interrupt_without_reason"));

    let mut out = StreamBuilder::new();
    let mut events = vec![out.text("par").unwrap()];
    events.extend(out.finish_with(Some("Agent execution failed: Invalid tool parameters")));
    assert_eq!(bytes(events), recorded("h04_typed_error_event"));
}

#[test]
fn open_calls_end_with_an_error_and_no_end_event() {
    let mut out = StreamBuilder::new();
    let mut events = vec![out.tool_call_start("c", "delete_all").unwrap()];
    events.extend(out.finish_with(None));
    let names: Vec<bool> =
        events.iter().map(|event| event.json().contains("tool-call-end")).collect();
    assert_eq!(names, [false; 3]);
    let snapshot = read("open call", &events);
    assert_eq!(snapshot.status, Status::Failed);
    assert!(snapshot.pending_tool_call_ids.is_empty());
    assert!(out.finish_with(Some("again")).is_empty() && out.is_ended());
}

#[test]
fn payloads_that_readers_cannot_parse_are_rejected() {
    let mut out = StreamBuilder::new();
    let nested = |depth: usize| (0..depth).fold(Value::Null, |value, _| Value::Array(vec![value]));
    assert_eq!(out.interrupt("i", None, nested(128)).unwrap_err().code, "too-deep");
    assert_eq!(
        out.interrupt("i", None, Value::Number("01".into())).unwrap_err().code,
        "not-a-number"
    );
    // The refused calls have changed nothing.
    let mut events = vec![out.text("a").unwrap(), out.interrupt("i", None, nested(127)).unwrap()];
    events.extend(out.finish_with(None));
    assert_eq!(read("deep", &events).status, Status::Interrupted);
}

#[test]
fn arguments_that_crash_the_official_client_are_rejected() {
    let mut out = StreamBuilder::new();
    let mut events = vec![
        out.tool_call_start("c1", "f").unwrap(),
        out.tool_call_start("c2", "g").unwrap(),
        out.tool_call_args("c1", "{}").unwrap(),
        out.tool_call_end("c1").unwrap(),
        out.tool_result("c1", "r").unwrap(),
    ];
    assert_eq!(out.tool_call_args("c2", "{").unwrap_err().code, "args-after-result");
    events.push(out.text("still").unwrap());
    // The client has begun another message, in which this call is not.
    assert_eq!(out.tool_call_args("c2", "{").unwrap_err().code, "args-after-result");
    events.push(out.tool_call_start("c3", "h").unwrap());
    events.push(out.tool_call_args("c3", "{}").unwrap());
    assert_eq!(out.tool_call_args("c2", "{").unwrap_err().code, "args-after-result");
    // The refused call has changed nothing, and the call can end with the arguments that it has.
    events.extend([out.tool_call_end("c3").unwrap(), out.tool_call_end("c2").unwrap()]);
    events.extend([out.tool_result("c2", "r").unwrap(), out.done().unwrap()]);
    assert_eq!(out.tool_call_args("c1", "{").unwrap_err().code, "after-done");
    shown(&events);
    let snapshot = read("overlapping calls", &events);
    assert_eq!(snapshot.pending_tool_call_ids, ["c3"]);
}

#[test]
fn interrupts_are_written_as_the_official_client_shows_them() {
    let mut out = StreamBuilder::new();
    let mut events = vec![out.text("").unwrap(), out.interrupt("i1", None, Value::Null).unwrap()];
    events.push(out.interrupt("i2", Some("why"), Value::Null).unwrap());
    events.push(out.done().unwrap());
    assert_eq!(shown(&events).shown_interrupt(), Some("i2"));
    let snapshot = read("interrupts", &events);
    let reasons: Vec<_> =
        snapshot.interrupts().map(|interrupt| interrupt.reason.as_deref()).collect();
    assert_eq!(reasons, [Some("The agent waits for an answer."), Some("why")]);
}

#[test]
fn any_calls_followed_by_finish_with_are_a_valid_stream() {
    let (mut accepted, mut refused) = (0, 0);
    for program in 1..=3000_u64 {
        let mut rng = Rng::of(program);
        let mut out = StreamBuilder::new();
        let mut events = Vec::new();
        let mut log = format!("program {program}:");
        let mut text = String::new();
        for _ in 0..rng.below(40) {
            let call = rng.below(16);
            match act(call, &mut out, &mut rng, &mut text) {
                Ok(event) => {
                    accepted += 1;
                    log += &format!(" {call}");
                    events.push(event);
                }
                Err(misuse) => {
                    refused += 1;
                    assert!(
                        !misuse.instead.is_empty() && !misuse.problem.is_empty(),
                        "{log} {misuse}"
                    );
                }
            }
        }
        let error = (rng.below(2) == 0).then_some("stopped");
        events.extend(out.finish_with(error));
        assert_eq!(read(&log, &events).text(), text, "{log}");
        shown(&events);
    }
    assert!(accepted > 10_000 && refused > 10_000, "{accepted} accepted, {refused} refused");
}

/// One call of the whole interface, legal or not.
fn act(
    call: usize,
    out: &mut StreamBuilder,
    rng: &mut Rng,
    text: &mut String,
) -> Result<WireEvent, UsageError> {
    let id = ["c1", "c2", "", "你"][rng.below(4)];
    match call {
        0..=3 => {
            let piece = ["a", "", "你\n", "\"\\\u{1}😀"][rng.below(4)];
            let event = out.text(piece)?;
            text.push_str(piece);
            Ok(event)
        }
        4..=6 => out.tool_call_start(id, "f"),
        7..=9 => out.tool_call_args(id, ["{", "}", "\"x\"", ""][rng.below(4)]),
        10..=11 => out.tool_call_end(id),
        12..=13 => out.tool_result(id, "r"),
        // End calls are rarer than at random, because few programs would continue after one.
        14 if rng.below(4) == 0 => {
            out.interrupt("i", [None, Some("why")][rng.below(2)], Value::from([("k", 1.into())]))
        }
        15 if rng.below(8) == 0 => match rng.below(2) {
            0 => out.error("e"),
            _ => out.done(),
        },
        _ => out.text(""),
    }
}
