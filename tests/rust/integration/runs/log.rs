//! The service's side.

use agentwire::runs::cursor::Cursor;
use agentwire::runs::log::{EventLog, LogWriter, Subscription, SubscriptionEnd, run_error};
use agentwire::runs::problem::Code;

use super::folded;

const START: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"a"}"#;
const FINISH: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"a"}"#;

fn log(events: &[&str]) -> EventLog {
    let mut log = EventLog::new("g");
    for event in events {
        log.append(event).unwrap();
    }
    log
}

fn sent(log: &EventLog, run: &str, after: Option<&str>) -> (String, Subscription) {
    let mut reader = Subscription::new(run, log.position(after).unwrap(), 3);
    let mut out = String::new();
    log.read(&mut reader, &mut out);
    (out, reader)
}

fn ids(stream: &str) -> Vec<&str> {
    stream.lines().filter_map(|line| line.strip_prefix("id: ")).collect()
}

#[test]
fn a_writer_accepts_one_run() {
    let mut writer = LogWriter::new("a");
    let code = |refused: Result<String, agentwire::UsageError>| refused.unwrap_err().code;
    assert_eq!(code(writer.append("[]")), "not-json");
    assert_eq!(code(writer.append(r#"{"runId":"a"}"#)), "not-json");
    assert_eq!(code(writer.append(r#"{"type":"STEP_STARTED","stepName":"s"}"#)), "run-not-started");
    assert_eq!(code(writer.append(r#"{"type":"RUN_STARTED","threadId":"t"}"#)), "run-not-started");
    assert_eq!(code(writer.append(r#"{"type":"RUN_STARTED","runId":"b"}"#)), "wrong-run");
    assert!(!writer.has_begun());
    assert_eq!(writer.append(START).unwrap(), "RUN_STARTED");
    assert_eq!(code(writer.append(START)), "run-started-twice");
    assert_eq!(code(writer.append(r#"{"type":"CUSTOM","runId":"b"}"#)), "wrong-run");
    assert_eq!(writer.append(r#"{"type":"CUSTOM","name":"n","value":1}"#).unwrap(), "CUSTOM");
    assert_eq!(writer.append(&run_error("AGENT_FAILED", "it \"broke\"")).unwrap(), "RUN_ERROR");
    assert!(writer.is_over());
    assert_eq!(code(writer.append(FINISH)), "after-terminal");
}

#[test]
fn a_log_accepts_one_run_at_a_time_and_each_once() {
    let mut log = log(&[START]);
    let other = START.replace("\"a\"", "\"b\"");
    assert_eq!(log.append(&other).unwrap_err().code, "wrong-run");
    assert_eq!(log.append(FINISH).unwrap(), 2);
    assert_eq!(log.append(START).unwrap_err().code, "after-terminal");
    assert_eq!(log.append(&other).unwrap(), 3);
    assert_eq!(log.terminal("a"), Some(2));
    assert_eq!(log.terminal("b"), None);
}

#[test]
fn a_subscription_receives_events_after_its_cursor() {
    let mut log = log(&[START, r#"{"type":"STEP_STARTED","stepName":"s"}"#, FINISH]);
    for event in [START, FINISH] {
        log.append(&event.replace("\"a\"", "\"b\"")).unwrap();
    }
    let (all, reader) = sent(&log, "a", None);
    assert_eq!(ids(&all), ["g-1", "g-2", "g-3"]);
    assert_eq!(reader.end(), Some(SubscriptionEnd::Terminal));
    assert_eq!(ids(&sent(&log, "a", Some("g-1")).0), ["g-2", "g-3"]);
    // The terminal event of the run before does not end this one's stream (E6), and a cursor may be
    // one of another run.
    let (other, reader) = sent(&log, "b", Some("g-2"));
    assert_eq!(ids(&other), ["g-4", "g-5"]);
    assert_eq!(reader.end(), Some(SubscriptionEnd::Terminal));
    // After the terminal event nothing follows.
    let (rest, reader) = sent(&log, "a", Some("g-3"));
    assert_eq!((&*rest, reader.end()), ("", None));
}

#[test]
fn a_subscription_ends_after_its_idle_limit() {
    let mut log = log(&[START]);
    let mut reader = Subscription::new("a", log.position(None).unwrap(), 3);
    let mut out = String::new();
    reader.idle(&mut out);
    reader.idle(&mut out);
    log.read(&mut reader, &mut out);
    assert_eq!(reader.end(), None);
    out.clear();
    // The event has reset the count.
    for end in [None, None, Some(SubscriptionEnd::Idle)] {
        reader.idle(&mut out);
        assert_eq!(reader.end(), end);
    }
    reader.idle(&mut out);
    log.append(FINISH).unwrap();
    log.read(&mut reader, &mut out);
    assert_eq!(out, ": keep-alive\n\n".repeat(3));
}

#[test]
fn deltas_of_one_text_are_replayed_as_one() {
    let piece = |id: &str, delta: &str| {
        format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{id}","delta":"{delta}"}}"#)
    };
    let events = [
        START.to_owned(),
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#.to_owned(),
        r#"{"type":"TEXT_MESSAGE_START","messageId":"n","role":"assistant"}"#.to_owned(),
        piece("m", "a\\n"),
        piece("m", r"\ud83d"),
        piece("m", r"\ude00"),
        piece("n", "x"),
        piece("m", "z"),
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#.to_owned(),
        r#"{"type":"TEXT_MESSAGE_END","messageId":"n"}"#.to_owned(),
        FINISH.to_owned(),
    ];
    let mut log = EventLog::new("g");
    let mut live = String::new();
    let mut reader = Subscription::new("a", log.position(None).unwrap(), 3);
    for event in &events {
        log.append(event).unwrap();
        log.read(&mut reader, &mut live);
    }
    assert_eq!(ids(&live).len(), events.len());
    let (replayed, _) = sent(&log, "a", None);
    assert_eq!(ids(&replayed), ["g-1", "g-2", "g-3", "g-6", "g-7", "g-8", "g-9", "g-10", "g-11"]);
    assert_eq!(folded(replayed.as_bytes()), folded(live.as_bytes()));
    assert!(folded(replayed.as_bytes()).contains("a\\n😀z"));
}

#[test]
fn joined_deltas_are_limited_in_size() {
    let piece = format!(
        r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{}"}}"#,
        "x".repeat(1000)
    );
    let mut log = log(&[START]);
    for _ in 0..100 {
        log.append(&piece).unwrap();
    }
    let (replayed, _) = sent(&log, "a", None);
    assert_eq!(replayed.matches('x').count(), 100_000);
    assert!(replayed.lines().all(|line| line.len() < 34_000));
    assert_eq!(ids(&replayed).len(), 5);
}

#[test]
fn a_cursor_is_valid_only_for_its_log() {
    let log = log(&[START]);
    assert_eq!(
        log.position(Some("g-1")).unwrap(),
        Cursor { generation: "g".to_owned(), number: 1 }
    );
    assert_eq!(log.position(Some("")).unwrap().number, 0);
    for wrong in [
        "g-2",
        "h-1",
        "1",
        "g-",
        "-1",
        "g--1",
        "g- 1",
        "g-1x",
        "g-99999999999999999999",
        "ü-1",
        "\0",
    ] {
        assert_eq!(
            log.position(Some(wrong)).unwrap_err().code,
            Code::InvalidLastEventId,
            "{wrong:?}"
        );
    }
    assert_eq!(EventLog::new("").position(None).unwrap().generation, "_");
    assert_eq!(EventLog::new("a-b c").position(None).unwrap().generation, "a_b_c");
}
