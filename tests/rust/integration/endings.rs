//! The ends of streams that do not end well, and ends that are repeated.

use agentwire::ProtocolKind;
use agentwire::ag_kit::AgKit;
use agentwire::agent_api::AgentApi;
use agentwire::protocol::{Discard, Protocol};
use agentwire::read::{AnyOptions, AnyStream};
use agentwire::read::{Mode, ReadOptions, StreamDecoder};
use agentwire::{Outcome, Reader, Severity};

const AGENT_API: &[u8] = b"data: {\"sequence_number\":0,\"object\":\"response\",\"status\":\"created\",\"id\":\"r\"}\n\n\
    data: {\"sequence_number\":1,\"object\":\"message\",\"status\":\"in_progress\",\"id\":\"m\",\"type\":\"message\"}\n\n\
    data: {\"sequence_number\":2,\"object\":\"content\",\"type\":\"text\",\"delta\":true,\"msg_id\":\"m\",\"index\":0,\"text\":\"Hi\"}\n\n";
const AG_KIT: &[u8] = b"data: {\"type\":\"text\",\"content\":\"Hi\"}\n\n\
    data: {\"type\":\"tool-call-start\",\"toolCallId\":\"c\",\"toolCallName\":\"f\"}\n\n";
const NONSENSE: &[u8] = b"data: nonsense\n\n";

/// Returns the results of a reader after these bytes, and after an end, more bytes and more ends.
fn finished_again<P: Protocol>(protocol: P, stream: &[u8], ends: &[bool]) -> (String, String)
where
    P::Snapshot: core::fmt::Debug,
{
    let options = ReadOptions::default();
    let mut snapshot = P::Snapshot::default();
    let fold = protocol.engine(&options, &mut snapshot);
    let mut reading = StreamDecoder::new(fold, &options);
    reading.push(stream, &mut snapshot);
    for &aborted in ends {
        if aborted {
            reading.abort(&mut snapshot)
        } else {
            reading.finish(&mut snapshot)
        }
        let after = (format!("{snapshot:?}"), reading.report().to_json());
        reading.push(stream, &mut snapshot);
        assert_eq!(
            (format!("{snapshot:?}"), reading.report().to_json()),
            after,
            "bytes after the end"
        );
    }
    (format!("{snapshot:?}"), reading.report().to_json())
}

#[test]
fn a_second_finish_changes_nothing() {
    for once in [false, true] {
        for again in [false, true] {
            let ends = [once, again, again];
            let unended = [AGENT_API, b"data: {\"object\":\"mess"].concat();
            assert_eq!(
                finished_again(AgentApi::default(), &unended, &ends),
                finished_again(AgentApi::default(), &unended, &ends[..1])
            );
            assert_eq!(
                finished_again(AgKit::default(), AG_KIT, &ends),
                finished_again(AgKit::default(), AG_KIT, &ends[..1])
            );
            for protocol in [None, Some(ProtocolKind::AgKit), Some(ProtocolKind::AgentApi)] {
                let mut stream = AnyStream::new(protocol, AnyOptions::default(), &mut Discard);
                stream.push(AG_KIT, &mut Discard);
                if once {
                    stream.abort(&mut Discard)
                } else {
                    stream.finish(&mut Discard)
                }
                let report = stream.report().to_json();
                if again {
                    stream.abort(&mut Discard)
                } else {
                    stream.finish(&mut Discard)
                }
                assert_eq!(stream.report().to_json(), report);
            }
        }
    }
}

fn refused<P: Protocol>(protocol: P, stream: &[u8]) -> Outcome<P::Snapshot> {
    let mut options = ReadOptions::default();
    options.mode = Mode::Strict;
    let mut reader = Reader::with_options(protocol, options);
    reader.push(&[stream, NONSENSE, stream].concat());
    let outcome = reader.finish();
    assert_eq!(outcome.report.end_reason.as_str(), "refused");
    let errors = outcome.report.violations.iter().filter(|v| v.rule.severity == Severity::Error);
    assert_eq!(errors.map(|v| v.rule.id).collect::<Vec<_>>(), ["malformed-event"]);
    assert_eq!(outcome.report.count("message-not-ended"), 0, "what would have come is not known");
    outcome
}

#[test]
fn a_refused_stream_has_the_status_of_an_incomplete_one() {
    let outcome = refused(AgentApi::default(), AGENT_API);
    assert_eq!(outcome.snapshot.response.status.as_str(), "incomplete");
    assert_eq!(outcome.report.unfinished, ["m"]);
    let outcome = refused(AgKit::default(), AG_KIT);
    assert_eq!(
        (outcome.snapshot.status.as_str(), outcome.snapshot.text().as_str()),
        ("truncated", "Hi")
    );
    assert_eq!(outcome.report.unfinished, ["c"]);
}

#[test]
fn a_completed_stream_keeps_its_status_when_refused() {
    let terminal = b"data: {\"sequence_number\":0,\"object\":\"response\",\"status\":\"completed\",\"id\":\"r\",\"output\":[]}\n\n";
    let outcome = refused(AgentApi::default(), terminal);
    assert_eq!(outcome.snapshot.response.status.as_str(), "completed");
}

#[test]
fn an_error_that_displaces_a_milder_violation_has_its_event_number() {
    let mut options = ReadOptions::default();
    options.limits.violations = 2;
    let mut reader = Reader::with_options(AgentApi::default(), options);
    // Three notes, of which two are stored, then an error, which replaces the second.
    let note = b"data: {\"sequence_number\":7,\"object\":\"later\"}\n\n";
    reader.push(&[&note[..], note, note].concat());
    let before = reader.report().total();
    assert_eq!(reader.report().violations.len(), 2);
    reader.push(NONSENSE);
    let after = reader.report().total();
    assert_eq!(after, before + 1);
    let rules = |from: u64, to: u64| {
        reader
            .report()
            .violations_between(from, to)
            .map(|violation| violation.rule.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(rules(before, after), ["malformed-event"]);
    assert_eq!(rules(0, after).len(), 2);
    assert_eq!(rules(1, before).len(), 0, "what was displaced is not kept");
}

#[test]
fn a_wrong_type_is_reported_at_its_byte_offset() {
    let mut reader = Reader::new(AgentApi::default());
    let event = r#"{"object":"content","type":"text","msg_id":"m","index":0,"text":{"a":1}}"#;
    reader.push(format!("data: {event}\n\n").as_bytes());
    let got = &reader.report().violations[0].got;
    let place = event.find(r#"{"a":1}"#).unwrap();
    assert!(got.starts_with(&format!("wrong-type at byte {place} (`text`)")), "{got}");
}
