//! AG-UI: snapshot and report do not depend on chunk boundaries; the event template changes
//! nothing; nothing panics; a patch describes exactly the change that it causes.

use agentwire::ag_ui::{AgUi, Compactor, Snapshot};
use agentwire::json::Value;
use agentwire::read::Mode;
use agentwire::runs::cursor::Cursor;
use agentwire::runs::log::{StoredEvent, Subscription};
use agentwire::sse::{Decoder, StreamItem, TrailingEvent};
use agentwire::{Limits, Reader};
use proptest::prelude::*;

use crate::outcome::{Shown, one_by_one, outcome};

/// Returns the protocol, and the function that shows its snapshot.
fn ag_ui() -> (AgUi, Shown<AgUi>) {
    (AgUi::default(), Snapshot::to_json)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-z 你😀]{0,8}",
        2 => proptest::sample::select(&[r"\n", r"\ud83d", r"\ude00", r#"\""#, r#"{\"a\":"#, "1}"][..]).prop_map(str::to_owned),
    ]
}

fn id() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(&["m1", "m1", "m2", "", r"\u006d1"][..])
}

fn place() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(
        &["", "/a", "/a/0", "/a/-", "/a/1", "/b", "/b/a", "/b/a/0", "/a~1b"][..],
    )
}

fn operation() -> impl Strategy<Value = String> {
    let op = proptest::sample::select(
        &["add", "add", "replace", "remove", "move", "copy", "test", "none"][..],
    );
    let value = proptest::sample::select(
        &["1", r#""ab""#, r#""abc""#, "[1,[2]]", r#"{"a":[]}"#, "null"][..],
    );
    (op, place(), place(), value).prop_map(|(op, path, from, value)| {
        format!(r#"{{"op":"{op}","path":"{path}","from":"{from}","value":{value}}}"#)
    })
}

/// Events that resemble the protocol and violate it in every way; the number is that of the
/// repetitions.
fn event() -> impl Strategy<Value = (String, usize)> {
    let patch =
        proptest::collection::vec(operation(), 0..4).prop_map(|operations| operations.join(","));
    let lane = proptest::sample::select(
        &[
            "",
            "",
            "",
            r#","subagentRunId":"s1""#,
            r#","metadata":{"k":[1]}"#,
            // A different one each time.
            r#","timestamp":@"#,
            r#","timestamp":@,"later":1"#,
            r#","later":1"#,
        ][..],
    );
    let event = (text(), id(), id(), patch, lane, 0..40u8).prop_map(|(text, id, other, patch, lane, form)| {
        let event = match form {
            0..=7 => format!(r#""TEXT_MESSAGE_CONTENT","messageId":"{id}","delta":"{text}""#),
            8..=9 => format!(r#""TEXT_MESSAGE_START","messageId":"{id}""#),
            10 => format!(r#""TEXT_MESSAGE_START","messageId":"{id}","role":"user","name":"{text}""#),
            11..=12 => format!(r#""TEXT_MESSAGE_END","messageId":"{id}""#),
            13..=14 => format!(r#""TEXT_MESSAGE_CHUNK","messageId":"{id}","delta":"{text}""#),
            15..=16 => format!(r#""TEXT_MESSAGE_CHUNK","delta":"{text}""#),
            17 => format!(r#""TOOL_CALL_START","toolCallId":"{id}","toolCallName":"f","parentMessageId":"{other}""#),
            18 => format!(r#""TOOL_CALL_START","toolCallId":"{id}","toolCallName":"{text}""#),
            19..=20 => format!(r#""TOOL_CALL_ARGS","toolCallId":"{id}","delta":"{text}""#),
            21 => format!(r#""TOOL_CALL_END","toolCallId":"{id}""#),
            22 => format!(r#""TOOL_CALL_RESULT","messageId":"{id}","toolCallId":"{other}","content":"{text}""#),
            23 => format!(r#""TOOL_CALL_CHUNK","toolCallId":"{id}","toolCallName":"f","delta":"{text}""#),
            24 => r#""STATE_SNAPSHOT","snapshot":{"a":[1,2],"b":{"a":["x"]}}"#.to_owned(),
            25..=27 => format!(r#""STATE_DELTA","delta":[{patch}]"#),
            28 => format!(r#""ACTIVITY_SNAPSHOT","messageId":"{id}","activityType":"T","content":{{"a":["{text}"]}}"#),
            29 => format!(r#""ACTIVITY_DELTA","messageId":"{id}","activityType":"{text}","patch":[{patch}]"#),
            30 => format!(r#""MESSAGES_SNAPSHOT","messages":[{{"id":"{id}","role":"assistant","content":"{text}"}},{{"id":"{other}","role":"tool","toolCallId":"c","content":[]}}]"#),
            31 => format!(r#""REASONING_MESSAGE_START","messageId":"{id}","role":"reasoning""#),
            32 => format!(r#""REASONING_MESSAGE_CONTENT","messageId":"{id}","delta":"{text}""#),
            33 => r#""RUN_FINISHED","threadId":"t","runId":"r","usage":[{"inputTokens":1}]"#.to_owned(),
            34 => r#""RUN_STARTED","threadId":"t","runId":"r""#.to_owned(),
            35 => format!(r#""RUN_ERROR","message":"{text}","code":null"#),
            36 => format!(r#""THINKING_TEXT_MESSAGE_CONTENT","delta":"{text}""#),
            37 => format!(r#""STEP_STARTED","stepName":"{id}""#),
            38 => format!(r#""SUBAGENT_STARTED","subagentRunId":"s1","name":"{text}""#),
            _ => format!(r#""LATER","x":"{text}""#),
        };
        format!(r#"{{"type":{event}{lane}}}"#)
    });
    (event, proptest::sample::select(&[1, 1, 1, 2, 30][..]))
}

pub fn stream() -> impl Strategy<Value = Vec<u8>> {
    let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    proptest::collection::vec(event(), 0..24).prop_map(move |events| {
        let all =
            events.iter().flat_map(|(event, times)| std::iter::repeat_n(event.as_str(), *times));
        let frames = [start].into_iter().chain(all).enumerate().map(|(at, event)| {
            // Some values are not times.
            let time = match at % 11 {
                1 => "1.5".to_owned(),
                3 => "-1".to_owned(),
                5 => "9007199254740992".to_owned(),
                7 => r#""x""#.to_owned(),
                9 => "007".to_owned(),
                _ => (1_700_000_000_000 + at * at).to_string(),
            };
            format!("data: {}\n\n", event.replace('@', &time))
        });
        frames.collect::<String>().into_bytes()
    })
}

/// Streams that come near to the limits that grow with the input: copies in patches double the
/// state, and some of the many pieces of texts are empty.
fn large_state() -> impl Strategy<Value = Vec<u8>> {
    let copy = (place(), proptest::sample::select(&["/a/-", "/b/a/-", "/c", "/d"][..])).prop_map(
        |(from, path)| {
            format!(
                r#"{{"type":"STATE_DELTA","delta":[{{"op":"copy","from":"{from}","path":"{path}"}}]}}"#
            )
        },
    );
    let snapshot = r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":[1,2],"b":{"a":["x"]}}}"#;
    let events = prop_oneof![
        4 => (copy, 1..12usize),
        1 => Just((snapshot.to_owned(), 1)),
        4 => event(),
        2 => (event(), 1..200usize).prop_map(|((event, _), times)| (event, times)),
    ];
    proptest::collection::vec(events, 0..24).prop_map(move |events| {
        let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
        let all =
            events.iter().flat_map(|(event, times)| std::iter::repeat_n(event.as_str(), *times));
        let frames = [start, snapshot].into_iter().chain(all);
        frames
            .map(|event| format!("data: {}\n\n", event.replace('@', "7")))
            .collect::<String>()
            .into()
    })
}

/// The events of a stream as the log of a run sends them, with pieces of texts joined or not.
fn joined(bytes: &[u8], joins: bool) -> String {
    let cursor = Cursor { generation: "g".to_owned(), number: 0 };
    let (mut subscription, mut out, mut number) =
        (Subscription::new("r", cursor, 9), String::new(), 0);
    let mut on = |item: StreamItem<'_>| {
        let StreamItem::Event(event) = item else { return };
        // The log of a run has JSON only.
        let Ok(typed) = Value::parse(event.data, 128) else { return };
        let kind = typed.get("type").and_then(|kind| kind.as_str()).unwrap_or_default();
        if matches!(kind, "RUN_FINISHED" | "RUN_ERROR") {
            return;
        }
        number += 1;
        let (run_id, kind, data) = ("r".to_owned(), kind.to_owned(), event.data.to_owned());
        subscription.read(&StoredEvent { number, run_id, kind, data }, &mut out);
        if !joins {
            subscription.flush(&mut out);
        }
    };
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(bytes, &mut on);
    subscription.flush(&mut out);
    out
}

/// The events of a stream, compacted, as a stream.
fn compact(bytes: &[u8]) -> Vec<u8> {
    let mut compactor = Compactor::default();
    let mut on = |item: StreamItem<'_>| {
        if let StreamItem::Event(event) = item {
            compactor.push(event.data);
        }
    };
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(bytes, &mut on);
    decoder.finish(TrailingEvent::Lenient, &mut on);
    compactor
        .finish()
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect::<String>()
        .into_bytes()
}

fn answer(bytes: &[u8]) -> String {
    let mut reader = Reader::new(AgUi::default());
    reader.push(bytes);
    reader.finish().snapshot.to_json()
}

fn small() -> Limits {
    let mut limits = Limits::default();
    limits.messages = 6;
    limits.contents = 2;
    limits.content_bytes = 40;
    limits.answer_bytes = 4_000;
    limits.data_nodes = 12;
    limits.json_depth = 8;
    limits.violations = 4;
    limits
}

proptest! {
    #[test]
    fn outcome_does_not_depend_on_chunk_boundaries(bytes in stream(), size in 1..50usize, tight: bool, mode in 0..3u8) {
        let limits = if tight { small() } else { Limits::default() };
        let mode = [Mode::Strict, Mode::Lenient, Mode::Raw][mode as usize];
        let whole = outcome(ag_ui(), [&bytes[..]], mode, &limits);
        prop_assert_eq!(&outcome(ag_ui(), bytes.chunks(size), mode, &limits), &whole);
        prop_assert_eq!(&one_by_one(ag_ui(), &bytes, mode, &limits), &whole);
    }

    #[test]
    fn compaction_keeps_the_snapshot(bytes in stream()) {
        let compact = compact(&bytes);
        prop_assert_eq!(answer(&compact), answer(&bytes));
        prop_assert_eq!(self::compact(&compact), compact);
    }

    #[test]
    fn compaction_keeps_the_snapshot_at_the_limits(bytes in large_state()) {
        let compact = compact(&bytes);
        prop_assert_eq!(answer(&compact), answer(&bytes));
        prop_assert_eq!(self::compact(&compact), compact);
    }

    #[test]
    fn a_log_with_joined_pieces_has_the_same_snapshot(bytes in prop_oneof![stream(), large_state()]) {
        let [joined, whole] = [true, false].map(|joins| joined(&bytes, joins));
        prop_assert_eq!(answer(joined.as_bytes()), answer(whole.as_bytes()));
    }
}
