//! Newline-delimited JSON: read with the option, reported without it.

use agentwire::ProtocolKind;
use agentwire::convert::Converter;
use agentwire::protocol::Discard;
use agentwire::read::Detector;
use agentwire::read::ReadOptions;
use agentwire::read::{AnyOptions, AnyStream};
use agentwire::sse::{Decoder, Framing, StreamItem, TrailingEvent};
use agentwire::{Limits, Report, Severity};
use agentwire_cases::cut;

use crate::reading::{self, protocol_of};

fn ndjson() -> ReadOptions {
    let mut options = ReadOptions::default();
    options.framing = Framing::Ndjson;
    options
}

/// The snapshot as JSON, and the report.
fn read<'a>(
    kind: ProtocolKind,
    options: ReadOptions,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> (String, Report) {
    let mut any = AnyOptions::default();
    any.options = options;
    let outcome = reading::read(kind, any, chunks);
    (outcome.snapshot.to_json(), outcome.report)
}

/// Returns the part of a report that both framings of a stream have in common.
fn common_report(report: &Report) -> Vec<(&'static str, u64, String)> {
    // Only SSE has names of events.
    let about_frames =
        ["framing-unterminated", "framing-field", "invalid-utf8", "ndjson", "event-name"];
    let told = report.violations.iter().filter(|v| !about_frames.contains(&v.rule.id));
    told.map(|v| (v.rule.id, v.at.event, v.got.clone())).collect()
}

/// Every recorded stream: its protocol, its bytes, and its events as lines of JSON.
fn streams() -> Vec<(ProtocolKind, String, Vec<u8>, String)> {
    let mut streams = Vec::new();
    for case in agentwire_cases::reads().into_iter().filter(|case| !case.is_binary()) {
        let bytes = case.stream();
        let (mut lines, mut whole) = (String::new(), true);
        let mut decoder = Decoder::new(Limits::default());
        let mut on = |item: StreamItem<'_>| {
            if let StreamItem::Event(event) = item {
                whole &= !event.data.contains(['\n', '\r']) && !event.data.trim().is_empty();
                whole &= !event.data.contains('\u{fffd}');
                // A line has no event name, so the data must have the type.
                whole &= event.name != "error" || event.data.contains("\"type\"");
                lines += event.data;
                lines += "\n";
            } else if let StreamItem::Loose(_) = item {
                whole = false;
            }
        };
        decoder.push(&bytes, &mut on);
        decoder.finish(TrailingEvent::Lenient, &mut on);
        if whole && !lines.is_empty() {
            streams.push((protocol_of(&case), case.to_string(), bytes, lines));
        }
    }
    assert!(streams.len() >= 120, "{}", streams.len());
    streams
}

#[test]
fn every_recorded_stream_has_the_same_outcome_as_ndjson() {
    for (kind, name, sse, lines) in streams() {
        let (answer, report) = read(kind, ReadOptions::default(), [sse.as_slice()]);
        let ways = [
            lines.clone(),
            lines.replace('\n', "\r\n"),
            lines.replace('\n', "\n\n \r\n"),
            lines.trim_end_matches('\n').to_owned(),
            format!("\u{feff}{lines}"),
        ];
        for text in ways {
            let whole = read(kind, ndjson(), [text.as_bytes()]);
            assert_eq!(whole.0, answer, "{name}");
            assert_eq!(common_report(&whole.1), common_report(&report), "{name}");
            assert_eq!(whole.1.bytes as usize, text.len());
            for chunks in [text.as_bytes().chunks(1).collect(), cut::random(text.as_bytes(), 5)] {
                let cut = read(kind, ndjson(), chunks);
                assert_eq!(
                    (cut.0, cut.1.to_json()),
                    (whole.0.clone(), whole.1.to_json()),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn ndjson_read_as_sse_is_read_and_reported_once() {
    for (kind, name, _, lines) in streams() {
        // Without its brackets, a line does not end, and other text is not an event.
        let is_event =
            |line: &str| line == "[DONE]" || line.starts_with('{') && line.ends_with('}');
        if !lines.lines().all(is_event) {
            continue;
        }
        let (answer, as_lines) = read(kind, ndjson(), [lines.as_bytes()]);
        for text in [lines.clone(), lines.replace('\n', "\r\n"), lines.trim_end().to_owned()] {
            let (said, report) = read(kind, ReadOptions::default(), [text.as_bytes()]);
            assert_eq!((said, report.events), (answer.clone(), as_lines.events), "{name}");
            assert_eq!(common_report(&report), common_report(&as_lines), "{name}");
            assert_eq!(report.count("ndjson"), 1, "{name}");
            assert!(
                report
                    .violations
                    .iter()
                    .all(|v| v.rule.id != "ndjson" || v.rule.severity == Severity::Warning)
            );
            let cut = read(kind, ReadOptions::default(), text.as_bytes().chunks(3)).1;
            assert_eq!(cut.to_json(), report.to_json(), "{name}");
        }
    }
    // A line among events is one of them; a comment, a field and text are not.
    for (stream, count) in [
        (
            "data: {\"type\":\"text\",\"content\":\"x\"}\n\n{\"type\":\"text\"}\n\ndata: [DONE]\n\n",
            1,
        ),
        ("{\n \"a\": 1\n}\n\ndata: [DONE]\n\n", 1),
        ("{\n \"a\": 1\n\ndata: [DONE]\n\n", 1),
        ("5\n\"x\"\nfield: {}\n", 0),
        (": {}\n\ndata: {}\n\n", 0),
    ] {
        let report = read(ProtocolKind::AgKit, ReadOptions::default(), [stream.as_bytes()]).1;
        assert_eq!(report.count("ndjson"), count, "{stream}");
    }
}

#[test]
fn the_protocol_is_detected_from_the_first_line_in_both_framings() {
    // Streams of a case `other_protocol` are of another one than that of their folder.
    for (kind, name, _, lines) in
        streams().into_iter().filter(|(_, name, ..)| !name.ends_with("other_protocol"))
    {
        let found = |framing| {
            let mut detector = Detector::framed(Limits::default(), framing);
            let pushed = lines.as_bytes().chunks(7).find_map(|chunk| detector.push(chunk));
            pushed.or(detector.finish())
        };
        let asked = found(Framing::Ndjson);
        assert!(
            // `[DONE]` alone is AG-Kit's, an error alone the Agent API's.
            asked.is_none()
                || asked == Some(kind)
                || asked == Some(ProtocolKind::AgUi)
                || lines.trim() == "[DONE]"
                || lines.starts_with("{\"error\":"),
            "{name}: {asked:?}"
        );
        // `[DONE]` is not JSON, so it is not reported as a line among server-sent events.
        if let Some(found) = found(Framing::Sse) {
            assert_eq!(Some(found), asked, "{name}");
        } else {
            assert!(asked.is_none() || lines.contains("[DONE]"), "{name}");
        }
        let mut options = AnyOptions::default();
        options.options = ndjson();
        let mut stream = AnyStream::new(None, options, &mut Discard);
        lines.as_bytes().chunks(7).for_each(|chunk| stream.push(chunk, &mut Discard));
        stream.finish(&mut Discard);
        if asked == Some(kind) {
            assert_eq!(stream.protocol(), Some(kind), "{name}");
            assert_eq!(
                common_report(stream.report()),
                common_report(&read(kind, ndjson(), [lines.as_bytes()]).1),
                "{name}"
            );
        }
    }
}

#[test]
fn ndjson_is_converted() {
    let lines = "{\"type\":\"text\",\"content\":\"Hi\"}\r\n\r\n[DONE]";
    for from in [None, Some(ProtocolKind::AgKit)] {
        let mut options = crate::adapt::facts::options();
        options.read.options.framing = Framing::Ndjson;
        let mut converter = Converter::new(from, ProtocolKind::AgKit, options).unwrap();
        let mut out = String::new();
        lines.as_bytes().chunks(5).for_each(|chunk| converter.push(chunk, &mut out));
        converter.finish(&mut out);
        assert_eq!(out, "data: {\"type\":\"text\",\"content\":\"Hi\"}\n\ndata: [DONE]\n\n");
    }
}

/// Texts and offsets of the events, and the limits that were passed.
fn items(limits: &Limits, ending: TrailingEvent, chunks: &[&[u8]]) -> Vec<String> {
    let mut items = Vec::new();
    let mut on = |item: StreamItem<'_>| match item {
        StreamItem::Event(event) => items.push(format!("{} {}", event.offset, event.data)),
        StreamItem::Oversize(limit) => items.push(format!("{} over {}", limit.offset, limit.limit)),
        other => panic!("{other:?}"),
    };
    let mut decoder = Decoder::framed(limits.clone(), Framing::Ndjson);
    chunks.iter().for_each(|chunk| decoder.push(chunk, &mut on));
    decoder.finish(ending, &mut on);
    items
}

#[test]
fn lines_end_with_lf_or_crlf_and_are_limited() {
    let mut limits = Limits::default();
    limits.line_bytes = 8;
    let stream = b"a\r\n\n\r\n  \n12345678\n123456789\n\rb\n1234567\r\n12345678\r\nc\rd\r\r\n123456789012345\ndata: x\n\nlast";
    let expected = [
        "0 a",
        "9 12345678",
        "18 over line_bytes",
        "28 \rb",
        "31 1234567",
        "40 over line_bytes",
        "50 c\rd",
        "56 over line_bytes",
        "72 data: x",
        "81 last",
    ];
    assert_eq!(items(&limits, TrailingEvent::Lenient, &[stream]), expected);
    assert_eq!(items(&limits, TrailingEvent::Strict, &[stream]), expected[..9]);
    for first in 0..=stream.len() {
        for second in first..=stream.len() {
            let chunks = [&stream[..first], &stream[first..second], &stream[second..]];
            assert_eq!(
                items(&limits, TrailingEvent::Lenient, &chunks),
                expected,
                "{first} {second}"
            );
        }
    }
    limits.event_bytes = 3;
    assert_eq!(
        items(&limits, TrailingEvent::Lenient, &[b"1234\n123\n1234"]),
        ["0 over event_bytes", "5 123", "9 over event_bytes"]
    );
    assert_eq!(
        items(&Limits::default(), TrailingEvent::Lenient, &[b"\xff\n\xe4\xbd", b"\xa0"]),
        ["0 \u{fffd}", "2 你"]
    );
}
