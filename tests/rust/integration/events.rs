//! Compares the events of every recorded stream with the reports of the snapshot readers.

use std::collections::BTreeMap;

use agentwire::ProtocolKind;
use agentwire::read::ReadOptions;
use agentwire::read::{EventReader, StreamEntry};
use agentwire::{EndReason, Report};
use agentwire_cases::{Case, cut, reads};

use crate::reading::{options, protocol_of, read};

fn entries<'a>(
    protocol: ProtocolKind,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> Vec<StreamEntry> {
    entries_with(protocol, &ReadOptions::default(), chunks)
}

fn entries_with<'a>(
    protocol: ProtocolKind,
    options: &ReadOptions,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> Vec<StreamEntry> {
    let mut reader = EventReader::new(Some(protocol), options);
    let mut entries: Vec<StreamEntry> =
        chunks.into_iter().flat_map(|chunk| reader.push(chunk)).collect();
    entries.extend(reader.finish());
    entries
}

fn assert_agrees(case: &Case, bytes: &[u8], entries: &[StreamEntry], report: &Report) {
    let (mut events, mut comments) = (0, 0);
    let mut malformed = BTreeMap::new();
    for entry in entries {
        match entry {
            StreamEntry::Event(event) => {
                assert_eq!(event.number, events, "{case}");
                assert!(
                    event.offset < event.end && event.end <= bytes.len() as u64,
                    "{case}: {event:?}",
                );
                events += 1;
                if event.fault.is_some() {
                    malformed.insert(event.number, event.offset);
                }
            }
            StreamEntry::Comment(comment) => {
                comments += 1;
                assert_eq!(bytes.get(comment.offset as usize), Some(&b':'), "{case}");
            }
            _ => {}
        }
    }
    if report.end_reason == EndReason::Refused {
        // A stream of another protocol is not read further.
        return;
    }
    assert_eq!((events, comments), (report.events, report.comments), "{case}");
    // Readers also report malformed parts, which have an owner, but nothing about events after the
    // end or of another protocol.
    for violation in
        report.violations.iter().filter(|violation| violation.rule.id == "malformed-event")
    {
        let offset = malformed.remove(&violation.at.event);
        let has_owner = violation.at.message_id.is_some() || violation.at.index.is_some();
        // A choice that cannot be parsed has none.
        let is_part = has_owner || violation.rule.recovery == "that part of the chunk dropped";
        assert!(is_part || offset == Some(violation.at.offset), "{case}: {violation:?}");
    }
    let after = |number: &u64| {
        let late = |id: &str| {
            ["after-terminal", "after-done", "done-marker", "unknown-protocol"].contains(&id)
        };
        // What is translated is not malformed.
        let translated =
            |id: &str| ["foreign-error", "whole-answer", "tool-arguments"].contains(&id);
        report.violations.iter().any(|violation| {
            let (id, at) = (violation.rule.id, violation.at.event);
            late(id) && at <= *number || translated(id) && at == *number
        })
    };
    assert!(malformed.keys().all(after), "{case}: {malformed:?}");
}

#[test]
fn event_numbers_and_faults_match_the_report_of_the_reader() {
    for case in reads() {
        let (kind, bytes) = (protocol_of(&case), case.stream());
        let report = read(kind, options(&case), [&bytes[..]]).report;
        assert_agrees(
            &case,
            &bytes,
            &entries_with(kind, &options(&case).options, [&bytes[..]]),
            &report,
        );
    }
}

#[test]
fn events_do_not_depend_on_chunk_boundaries() {
    for case in reads() {
        let (kind, bytes) = (protocol_of(&case), case.stream());
        // The LF of a CRLF whose CR has ended the event may arrive later.
        let end = |end: u64| match bytes.get(..end as usize) {
            Some([.., b'\r', b'\n']) => end - 1,
            _ => end,
        };
        let told = |chunks: Vec<&[u8]>| {
            let mut entries = entries_with(kind, &options(&case).options, chunks);
            for entry in &mut entries {
                if let StreamEntry::Event(event) = entry {
                    event.end = end(event.end);
                }
            }
            entries
        };
        let whole = told(vec![&bytes]);
        assert_eq!(told(cut::single(&bytes)), whole, "{case}");
        assert_eq!(told(cut::random(&bytes, 7)), whole, "{case}");
    }
}

#[test]
fn a_comment_inside_an_event_is_yielded_before_the_event() {
    for cuts in 1..20 {
        let stream = b": alone\n\n: inside\nevent: tick\nid: 7\ndata: {}\n\n: late\n";
        let told = entries(ProtocolKind::AgentApi, stream.chunks(cuts));
        let [
            StreamEntry::Comment(alone),
            StreamEntry::Comment(inside),
            StreamEntry::Event(event),
            StreamEntry::Comment(late),
        ] = &told[..]
        else {
            panic!("{told:?}")
        };
        assert_eq!([alone.offset, inside.offset, event.offset, late.offset], [0, 9, 9, event.end]);
        assert_eq!(
            (event.name.as_str(), event.id.as_str(), event.data.as_str()),
            ("tick", "7", "{}")
        );
    }
}

#[test]
fn oversize_events_and_other_formats_are_reported() {
    let mut options = ReadOptions::default();
    options.limits.event_bytes = 40;
    let mut reader = EventReader::new(None, &options);
    let long = format!("data: {{\"type\":\"text\",\"content\":\"{}\"}}\n\n", "x".repeat(40));
    let told = reader.push(format!("{long}{long}data: [DONE]\n\n").as_bytes());
    let [StreamEntry::Oversize(one), StreamEntry::Oversize(two), StreamEntry::Event(event)] =
        &told[..]
    else {
        panic!("{told:?}")
    };
    assert_eq!((one.offset, two.offset, event.number), (0, long.len() as u64, 0));
    assert_eq!((reader.protocol(), event.fault.as_ref()), (None, None), "several protocols end so");

    // JSON outside of events, also as a list.
    let text = b"\n{\"type\":\"text\"}\n[{\"type\":\"text\",\"content\":\"a\"},\n{}]\n";
    for cuts in [1, 5, 100] {
        let told = entries(ProtocolKind::AgKit, text.chunks(cuts));
        let [StreamEntry::Event(wrong), StreamEntry::Event(right), StreamEntry::Event(last)] =
            &told[..]
        else {
            panic!("{told:?}")
        };
        let places = [wrong, right, last].map(|event| (event.number, event.offset, event.end));
        assert_eq!(places, [(0, 1, 16), (1, 17, 52), (2, 17, 52)]);
        assert_eq!(wrong.fault.as_ref().map(|fault| fault.code), Some("missing-member"));
        assert_eq!(
            (&*right.data, right.fault.as_ref()),
            ("{\"type\":\"text\",\"content\":\"a\"}", None)
        );
    }
}
