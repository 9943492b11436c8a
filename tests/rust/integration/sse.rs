//! The WHATWG event stream rules: every case of `tests/data/corpus/sse`, with all chunk sizes.

use agentwire::Limits;
use agentwire::sse::{Decoder, StreamItem, TrailingEvent};
use serde_json::Value;

/// The items of a stream, in the form of the cases.
#[derive(Debug, Default, PartialEq)]
struct Decoded {
    events: Vec<(String, String, String)>,
    comments: Vec<String>,
    retry: Option<u64>,
    last_event_id: String,
    /// Events dispatched after each chunk.
    after_chunk: Vec<usize>,
}

fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Decoded {
    let mut decoder = Decoder::new(Limits::default());
    let mut decoded = Decoded::default();
    let on = |item: StreamItem<'_>, decoded: &mut Decoded| match item {
        StreamItem::Event(e) => {
            decoded.events.push((e.name.into(), e.data.into(), e.last_event_id.into()))
        }
        StreamItem::Comment(comment) => decoded.comments.push(comment.text.into()),
        StreamItem::Retry(ms) => decoded.retry = Some(ms),
        // The standard ignores text that is not in a field.
        StreamItem::Loose(_) => {}
        other => panic!("{other:?}"),
    };
    for chunk in chunks {
        decoder.push(chunk, &mut |item: StreamItem<'_>| on(item, &mut decoded));
        decoded.after_chunk.push(decoded.events.len());
    }
    decoder.finish(TrailingEvent::Strict, &mut |item: StreamItem<'_>| on(item, &mut decoded));
    decoded.last_event_id = decoder.last_event_id().to_owned();
    decoded
}

struct Case {
    name: String,
    input: Vec<u8>,
    expected: Decoded,
    chunks: Option<Vec<usize>>,
    unspecified: Vec<String>,
}

fn cases() -> Vec<Case> {
    let string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let count = |value: &Value| value.as_u64().expect("a number") as usize;
    let case = |case: agentwire_cases::Case| {
        let frames: Value = serde_json::from_str(&case.text("frames.json")).expect("JSON");
        let event =
            |event: &Value| (string(&event["event"]), string(&event["data"]), string(&event["id"]));
        Case {
            name: case.to_string(),
            input: case.stream(),
            expected: Decoded {
                events: list(&frames["events"]).iter().map(event).collect(),
                comments: list(&frames["comments"]).iter().map(string).collect(),
                retry: frames["retry"].as_u64(),
                last_event_id: string(&frames["lastEventId"]),
                after_chunk: list(&frames["eventsAfterChunk"]).iter().map(count).collect(),
            },
            chunks: frames["chunks"].as_array().map(|lengths| lengths.iter().map(count).collect()),
            unspecified: list(&frames["unspecified"]).iter().map(string).collect(),
        }
    };
    agentwire_cases::select("sse", agentwire_cases::Kind::Frames).into_iter().map(case).collect()
}

fn check(case: &Case, how: &str, mut decoded: Decoded, with_counts: bool) {
    if !with_counts {
        decoded.after_chunk = case.expected.after_chunk.clone();
    }
    if case.unspecified.iter().any(|field| field == "retry") {
        decoded.retry = case.expected.retry;
    }
    assert_eq!(decoded, case.expected, "{} {how}", case.name);
}

#[test]
fn every_case_is_decoded_at_any_chunk_boundary() {
    let cases = cases();
    assert!(cases.len() >= 106, "{} cases", cases.len());
    for case in &cases {
        let input = case.input.as_slice();
        check(case, "whole", decode([input]), false);
        for size in 1..=3 {
            check(case, &format!("in {size}s"), decode(input.chunks(size)), false);
        }
        for at in 0..=input.len().min(2000) {
            check(case, &format!("cut at {at}"), decode([&input[..at], &input[at..]]), false);
        }
        if let Some(lengths) = &case.chunks {
            let mut rest = input;
            let chunks = lengths.iter().map(|&length| {
                let (chunk, tail) = rest.split_at(length);
                rest = tail;
                chunk
            });
            check(
                case,
                "at its own cuts",
                decode(chunks.collect::<Vec<_>>()),
                !case.expected.after_chunk.is_empty(),
            );
        }
    }
}

#[test]
fn a_lenient_end_yields_data_but_no_partial_ids() {
    let end = |input: &[u8]| {
        let mut seen = Vec::new();
        let mut decoder = Decoder::new(Limits::default());
        let mut on = |item: StreamItem<'_>| {
            if let StreamItem::Event(e) = item {
                seen.push((e.data.to_owned(), e.last_event_id.to_owned(), e.unterminated));
            }
        };
        decoder.push(input, &mut on);
        decoder.finish(TrailingEvent::Lenient, &mut on);
        seen
    };
    assert_eq!(end(b"data: a"), [("a".into(), "".into(), true)]);
    assert_eq!(end(b"id: 7\ndata: a\n"), [("a".into(), "7".into(), true)]);
    assert_eq!(end(b"data: a\nid: 1"), [("a".into(), "".into(), true)]);
    assert_eq!(end(b"data: a\n\n: half a comm"), [("a".into(), "".into(), false)]);
    assert_eq!(end(b"event: x"), []);
}

#[test]
fn limits_drop_one_event_and_decoding_continues() {
    let mut limits = Limits::default();
    limits.line_bytes = 20;
    limits.event_bytes = 30;
    let read = |input: &[u8], size: usize| {
        let mut seen = Vec::new();
        let mut decoder = Decoder::new(limits.clone());
        for chunk in input.chunks(size) {
            decoder.push(chunk, &mut |item: StreamItem<'_>| match item {
                StreamItem::Event(e) => seen.push(e.data.to_owned()),
                StreamItem::Oversize(limit) => {
                    seen.push(format!("! {} {}", limit.limit, limit.offset))
                }
                StreamItem::Loose(_) => {}
                other => panic!("{other:?}"),
            });
        }
        seen
    };
    for size in [1, 2, 7, 1000] {
        // At the limit: a line of 20 bytes, and two lines whose values and line end have 30 bytes.
        assert_eq!(read(b"data: 01234567890123\n\n", size), ["01234567890123"], "{size}");
        assert_eq!(
            read(b"data: 0123456789\ndata: 0123456789\n\nx\n\n", size),
            ["0123456789\n0123456789"],
            "{size}"
        );
        // One past it.
        assert_eq!(
            read(b"data: ok\n\ndata: 012345678901234\ndata: x\n\ndata: go on\n\n", size),
            ["ok", "! line_bytes 10", "go on"],
            "{size}"
        );
        assert_eq!(
            read(
                b"data: 01234567890\ndata: 01234567890\ndata: 01234567890\n\ndata: go on\n\n",
                size
            ),
            ["! event_bytes 0", "go on"],
            "{size}"
        );
    }
}

#[test]
fn encoded_events_are_decoded() {
    for data in ["", "a", "a\nb", "\n", "\n\n", " lead", ":x", "a\r\nb\rc", "你好\u{2028}😀"] {
        let mut out = String::new();
        agentwire::sse::event(&mut out, Some("42"), Some("tick"), data);
        agentwire::sse::comment(&mut out, "ping");
        let decoded = decode([out.as_bytes()]);
        let data = data.replace("\r\n", "\n").replace('\r', "\n");
        assert_eq!(decoded.events, [("tick".to_owned(), data, "42".to_owned())]);
        assert_eq!(decoded.comments, [" ping"]);
    }
}
